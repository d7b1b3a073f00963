//! Zeroing the message of a forgery, as fast as the tier stores: `memset` begins too slowly for
//! messages of a few kilobytes.

use super::backend::{Backend, Kernel};
use super::tier::Cpu;
use crate::memory::wipe::Wipe;
use zeroize::optimization_barrier;

/// Bytes from which on the tier's own stores are faster than `memset`.
const LONG: usize = 512;
/// Registers stored a turn.
const WIDTH: usize = 4;

/// Zeroes `out`; the compiler may not leave it out.
#[cold]
pub fn zero(cpu: Cpu, out: &mut [u8]) {
    // Registers of one block store no faster than `memset` does.
    if out.len() < LONG || cpu.blocks() == 1 {
        out.wipe();
    } else {
        cpu.run(Zero(&mut *out));
        optimization_barrier(out);
    }
}

/// At least [`LONG`] bytes.
struct Zero<'a>(&'a mut [u8]);
impl Kernel for Zero<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        // What the compiler knew to be zero it would make a `memset` of.
        let zero = b.pin(b.zero());
        // The first and the last register as they lie, the others where no store crosses a line
        // of the cache.
        b.store(self.0, zero);
        let end = self.0.len() - B::BYTES;
        b.store(&mut self.0[end..], zero);
        let begin = self.0.as_ptr().align_offset(B::BYTES).min(B::BYTES);
        let mut turns = self.0[begin..].chunks_exact_mut(WIDTH * B::BYTES);
        for turn in &mut turns {
            for j in 0..WIDTH {
                b.store(&mut turn[j * B::BYTES..], zero);
            }
        }
        for register in turns.into_remainder().chunks_exact_mut(B::BYTES) {
            b.store(register, zero);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_and_no_more() {
        for cpu in Cpu::all() {
            for len in (0..80).chain(LONG - 2..LONG + 300).chain([4096, 5001]) {
                for at in [0, 1, 17, 63] {
                    let mut buf = std::vec![0xa5; len + 200];
                    zero(cpu, &mut buf[at..at + len]);
                    let is_zero = |i: usize| (at..at + len).contains(&i);
                    assert!(buf.iter().enumerate().all(|(i, &b)| b == if is_zero(i) { 0 } else { 0xa5 }), "{len} {at}");
                }
            }
        }
    }
}
