//! What it costs to step an offset. The LFSRs are measured against the Gray code of OCB1 and OCB3,
//! which is one XOR with a block from a table (Krovetz and Rogaway 2011, Appendix A: "none of the
//! stepping functions were competitive with xoring in a pre-computed 128-bit value").

use super::lfsr::LFSRS;
use super::timer::{Cost, Timer};
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};
use std::hint::black_box;

/// Offsets made in one go: 8 KiB, which the L1 cache holds.
const OFFSETS: usize = 512;

/// One way to step, and its cycles a block.
#[derive(Clone, Debug)]
pub struct Row {
    /// The LFSR's name, or the Gray code's.
    pub name: String,
    /// Cycles to make one offset from the one before and store it.
    pub cost: Cost,
}

/// Measures all of them, in the order of [`LFSRS`], the Gray code last: in general registers
/// as the LFSRs are, and in this machine's vector registers.
///
/// No bytes are swapped, which favours the LFSRs: AES wants the first byte first, and a
/// big-endian step would pay for that on most machines.
pub fn measure(timer: &mut Timer) -> Vec<Row> {
    let mut out = vec![0; OFFSETS];
    let mut rows = Vec::new();
    for lfsr in LFSRS {
        let mut block = 0x0123_4567_89ab_cdef_u128;
        let cost = timer.cost(OFFSETS, || block = (lfsr.fill)(block, black_box(&mut out)));
        rows.push(Row { name: lfsr.name.into(), cost });
    }
    let table: [u128; 16] = std::array::from_fn(|i| 0x9e37_79b9_7f4a_7c15_u128 << (4 * i) | 1);
    let cost = timer.cost(OFFSETS, || gray(black_box(&table), black_box(&mut out)));
    rows.push(Row { name: "Gray code, general registers".into(), cost });

    let cpu = Cpu::detect();
    let table = table.map(u128::to_le_bytes);
    let mut bytes = vec![0; 16 * OFFSETS];
    let cost = timer.cost(OFFSETS, || cpu.run(Gray { table: black_box(&table), out: black_box(&mut bytes) }));
    rows.push(Row { name: format!("Gray code, {} registers", cpu.name()), cost });
    rows
}

/// The offsets of blocks 1, 2, …
fn gray(table: &[u128; 16], out: &mut [u128]) {
    let mut offset = 0;
    for (i, place) in (1u32..).zip(out) {
        offset ^= table[i.trailing_zeros() as usize % 16];
        *place = offset;
    }
}

/// The same a block at a time in a vector register.
struct Gray<'a> {
    table: &'a [Block; 16],
    out: &'a mut [u8],
}

impl Kernel for Gray<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let one = b.one();
        let mut offset = one.zero();
        for (i, place) in (1u32..).zip(self.out.as_chunks_mut::<16>().0) {
            offset = one.xor(offset, one.load(&self.table[i.trailing_zeros() as usize % 16]));
            one.store(place, offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_gray_codes_agree() {
        let table: [u128; 16] = std::array::from_fn(|i| 3u128.pow(5 * i as u32 + 1));
        let mut words = [0; 100];
        gray(&table, &mut words);
        // Block 6 = 110 in binary has the Gray code 101: L[0] and L[2].
        assert_eq!(words[5], table[0] ^ table[2]);
        let mut bytes = [0; 1600];
        Cpu::detect().run(Gray { table: &table.map(u128::to_le_bytes), out: &mut bytes });
        assert_eq!(bytes.as_chunks::<16>().0, words.map(u128::to_le_bytes));
    }
}
