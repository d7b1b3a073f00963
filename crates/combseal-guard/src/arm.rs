//! Decodes AArch64, as far as the guard looks: all instructions have four bytes, and a mask and a value
//! tell each class (Arm Architecture Reference Manual, C4.1). What is none of them is counted and no more.

use crate::counts::{Counts, Flow, Pointer, Step};

/// The instructions of `code`, which is at `address`.
pub fn steps(code: &[u8], address: u64) -> Vec<Step> {
    let (mut pages, mut before, mut steps) = ([None; 32], 0, Vec::new());
    let words: Vec<u32> = code.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    for (i, (&word, at)) in words.iter().zip((address..).step_by(4)).enumerate() {
        let mut counts = count(word);
        counts.paired = usize::from(pair(before, word));
        let mut flow = flow(word, at);
        if word & 0xffff_fc1f == 0xd61f_0000 && !is_table(&words[..i], bits(word, 5, 5)) {
            flow = Flow::Register;
        }
        steps.push(Step { address: at, counts, flow, pointer: pointer(word, at, &mut pages) });
        before = word;
    }
    steps
}

/// Bits `from..from + len`.
fn bits(word: u32, from: u32, len: u32) -> u32 {
    word >> from & ((1 << len) - 1)
}

/// The same as a number with a sign.
fn signed(word: u32, from: u32, len: u32) -> i64 {
    i64::from((word << (32 - from - len)) as i32 >> (32 - len))
}

fn flow(word: u32, at: u64) -> Flow {
    let to = |words: i64| at.wrapping_add_signed(4 * words);
    if word & 0xfc00_0000 == 0x9400_0000 {
        return Flow::Call(to(signed(word, 0, 26))); // BL
    }
    if word & 0xfc00_0000 == 0x1400_0000 {
        return Flow::Jump(to(signed(word, 0, 26))); // B
    }
    if word & 0xff00_0000 == 0x5400_0000 || word & 0x7e00_0000 == 0x3400_0000 {
        return Flow::Jump(to(signed(word, 5, 19))); // B.cond, CBZ, CBNZ
    }
    if word & 0x7e00_0000 == 0x3600_0000 {
        return Flow::Jump(to(signed(word, 5, 14))); // TBZ, TBNZ
    }
    if word & 0xffff_fc1f == 0xd63f_0000 {
        return Flow::Register; // BLR
    }
    // BR: see `is_table`.
    Flow::Next
}

/// Whether a BR through `register` goes by a table of cases within the function: the register is a sum with
/// what was just loaded from a table, by an index. Any other BR is a call at a function's end, through a pointer.
fn is_table(before: &[u32], register: u32) -> bool {
    let last =
        |words: &[u32], is: &dyn Fn(u32) -> bool| words.iter().rposition(|&w| is(w)).filter(|i| words.len() - i <= 4);
    // ADD of two registers, the second perhaps shifted.
    let Some(sum) = last(before, &|w| w & 0xff20_0000 == 0x8b00_0000 && bits(w, 0, 5) == register) else {
        return false;
    };
    let offset = bits(before[sum], 16, 5);
    // LDRB, LDRH or LDRSW with a register for an index.
    let is_load = |w: u32| [0x3860_0800, 0x7860_0800, 0xb8a0_0800].contains(&(w & 0xffe0_0c00));
    last(&before[..sum], &|w| is_load(w) && bits(w, 0, 5) == offset).is_some()
}

/// Whether an AESMC or AESIMC comes at once behind the instruction that it goes with: many cores run
/// the two as one.
fn pair(before: u32, word: u32) -> bool {
    let round = match word & 0xffff_fc00 {
        0x4e28_6800 => 0x4e28_4800,
        0x4e28_7800 => 0x4e28_5800,
        _ => return false,
    };
    before & 0xffff_fc00 == round && bits(before, 0, 5) == bits(word, 5, 5) && bits(word, 0, 5) == bits(word, 5, 5)
}

/// An address of a page (ADRP) by register, and what is made of it by the instruction that adds to it
/// or loads from it.
fn pointer(word: u32, at: u64, pages: &mut [Option<u64>; 32]) -> Option<Pointer> {
    let (to, from) = (bits(word, 0, 5) as usize, bits(word, 5, 5) as usize);
    if word & 0x9f00_0000 == 0x9000_0000 {
        let page = signed(word, 5, 19) << 2 | i64::from(bits(word, 29, 2));
        pages[to] = Some((at & !0xfff).wrapping_add_signed(page << 12));
        return None;
    }
    let page = pages[from];
    let made = match word & 0xffc0_0000 {
        0x9100_0000 => page.map(|p| Pointer::To(p.wrapping_add(u64::from(bits(word, 10, 12))))), // ADD
        0xf940_0000 => page.map(|p| Pointer::In(p.wrapping_add(8 * u64::from(bits(word, 10, 12))))), // LDR
        _ => None,
    };
    // Bits 0 to 4 are what nearly all instructions write to, so that the page is no longer there; if
    // this one does not, a name is lost, and the guard says `a pointer`.
    pages[to] = None;
    made
}

/// The pointer that a stub of the procedure linkage table jumps through.
pub fn stub(code: &[u8], address: u64) -> Option<u64> {
    steps(code.get(..16).unwrap_or(code), address).iter().find_map(|s| match s.pointer {
        Some(Pointer::In(slot)) => Some(slot),
        _ => None,
    })
}

fn count(word: u32) -> Counts {
    let mut c = Counts { instructions: 1, ..Counts::default() };
    match word & 0xffff_fc00 {
        0x4e28_4800 | 0x4e28_5800 => c.aes.q = 1, // AESE, AESD
        0x4e28_6800 | 0x4e28_7800 => c.mix = 1,   // AESMC, AESIMC
        _ => {}
    }
    match word & 0xbfe0_fc00 {
        0x0ee0_e000 => c.clmul = 1, // PMULL, PMULL2
        0x2e20_1c00 => c.xor2 = 1,  // EOR
        _ => {}
    }
    if word & 0xffe0_8000 == 0xce00_0000 {
        c.xor3 = 1; // EOR3
    }
    if let Some((registers, is_load)) = moved(word) {
        let on_stack = matches!(bits(word, 5, 5), 29 | 31);
        *match (on_stack, is_load) {
            (true, true) => &mut c.reloads,
            (true, false) => &mut c.spills,
            (false, true) => &mut c.loads,
            (false, false) => &mut c.stores,
        } = registers;
    }
    c
}

/// How many vector registers go from memory (`true`) or to it.
fn moved(word: u32) -> Option<(usize, bool)> {
    // LDP, STP and their like, of vector registers.
    if word & 0x3e00_0000 == 0x2c00_0000 {
        return Some((2, bits(word, 22, 1) == 1));
    }
    // LDR, LDUR, STR, STUR, of vector registers and with any kind of address.
    if word & 0x3e00_0000 == 0x3c00_0000 {
        return Some((1, bits(word, 22, 1) == 1));
    }
    // LDR of a constant, next to the code.
    if word & 0x3f00_0000 == 0x1c00_0000 {
        return Some((1, true));
    }
    // LD1 to LD4, ST1 to ST4, of several registers.
    if word & 0xbf00_0000 == 0x0c00_0000 {
        let registers = match bits(word, 12, 4) {
            0b0111 => 1,
            0b1000 | 0b1010 => 2,
            0b0100 | 0b0110 => 3,
            _ => 4,
        };
        return Some((registers, bits(word, 22, 1) == 1));
    }
    // The same of one element, to one lane or to all.
    if word & 0xbf00_0000 == 0x0d00_0000 {
        return Some((1, bits(word, 22, 1) == 1));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(word: u32) -> Counts {
        count(word)
    }

    /// Words of an assembler, each with what it is.
    #[test]
    fn decodes() {
        assert_eq!(one(0x4e284820).aes.q, 1); // aese v0.16b, v1.16b
        assert_eq!(one(0x4e285820).aes.q, 1); // aesd v0.16b, v1.16b
        assert_eq!(one(0x4e286800).mix, 1); // aesmc v0.16b, v0.16b
        assert_eq!(one(0x4e287800).mix, 1); // aesimc v0.16b, v0.16b
        assert_eq!(one(0x0ee2e020).clmul, 1); // pmull v0.1q, v1.1d, v2.1d
        assert_eq!(one(0x4ee2e020).clmul, 1); // pmull2 v0.1q, v1.2d, v2.2d
        assert_eq!(one(0x0e22e020).clmul, 0); // pmull v0.8h, v1.8b, v2.8b
        assert_eq!(one(0x6e221c20).xor2, 1); // eor v0.16b, v1.16b, v2.16b
        assert_eq!(one(0x4ea21c20).xor2, 0); // orr v0.16b, v1.16b, v2.16b
        assert_eq!(one(0xce020c20).xor3, 1); // eor3 v0.16b, v1.16b, v2.16b, v3.16b
        assert_eq!(one(0xce220c20).xor3, 0); // bcax v0.16b, v1.16b, v2.16b, v3.16b
        assert_eq!(one(0xca020020).xor2, 0); // eor x0, x1, x2
    }

    /// Loads and stores, of the stack and elsewhere; those of general registers are not counted.
    #[test]
    fn memory() {
        let of = |word| {
            let c = one(word);
            (c.loads, c.stores, c.reloads, c.spills)
        };
        assert_eq!(of(0x3dc00400), (1, 0, 0, 0)); // ldr q0, [x0, #16]
        assert_eq!(of(0x3cc10401), (1, 0, 0, 0)); // ldr q1, [x0], #16
        assert_eq!(of(0x3ce16800), (1, 0, 0, 0)); // ldr q0, [x0, x1]
        assert_eq!(of(0xad400400), (2, 0, 0, 0)); // ldp q0, q1, [x0]
        assert_eq!(of(0xad000400), (0, 2, 0, 0)); // stp q0, q1, [x0]
        assert_eq!(of(0x3d8007e0), (0, 0, 0, 1)); // str q0, [sp, #16]
        assert_eq!(of(0x3dc007e0), (0, 0, 1, 0)); // ldr q0, [sp, #16]
        assert_eq!(of(0xad0007e0), (0, 0, 0, 2)); // stp q0, q1, [sp]
        assert_eq!(of(0x3c9f03a0), (0, 0, 0, 1)); // stur q0, [x29, #-16]
        assert_eq!(of(0x4c407000), (1, 0, 0, 0)); // ld1 {v0.16b}, [x0]
        assert_eq!(of(0x4c402000), (4, 0, 0, 0)); // ld1 {v0.16b-v3.16b}, [x0]
        assert_eq!(of(0x4d40cc00), (1, 0, 0, 0)); // ld1r {v0.2d}, [x0]
        assert_eq!(of(0xf9400be0), (0, 0, 0, 0)); // ldr x0, [sp, #16]
        assert_eq!(of(0xa9010be1), (0, 0, 0, 0)); // stp x1, x2, [sp, #16]
    }

    #[test]
    fn branches() {
        assert_eq!(flow(0x9400_0400, 0x1000), Flow::Call(0x2000)); // bl .+0x1000
        assert_eq!(flow(0x17ff_ffff, 0x1000), Flow::Jump(0xffc)); // b .-4
        assert_eq!(flow(0x54ff_ffc1, 0x1000), Flow::Jump(0xff8)); // b.ne .-8
        assert_eq!(flow(0xb5ff_ffe0, 0x1000), Flow::Jump(0xffc)); // cbnz x0, .-4
        assert_eq!(flow(0x3707_ffe0, 0x1000), Flow::Jump(0xffc)); // tbnz w0, #0, .-4
        assert_eq!(flow(0xd63f_0100, 0x1000), Flow::Register); // blr x8
        assert_eq!(flow(0xd65f_03c0, 0x1000), Flow::Next); // ret
    }

    /// A jump by register is one by a table of cases only behind what reads such a table.
    #[test]
    fn tables() {
        // adr x10, .; ldrb w11, [x9, x8]; add x10, x10, x11, lsl #2; br x10
        let table = [0x1000_000a, 0x3868_692b, 0x8b0b_094a, 0xd61f_0140];
        let flows = |words: &[u32]| {
            let code: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            steps(&code, 0x1000).last().map(|step| step.flow)
        };
        assert_eq!(flows(&table), Some(Flow::Next));
        // The same with a load that has nothing to do with it: ldrb w12, [x9, x8].
        assert_eq!(flows(&[table[0], 0x3868_692c, table[2], table[3]]), Some(Flow::Register));
        // ldr x10, [x0]; br x10
        assert_eq!(flows(&[0xf940_000a, 0xd61f_0140]), Some(Flow::Register));
    }

    /// A pair is one only side by side and on one register.
    #[test]
    fn pairs() {
        assert!(pair(0x4e284820, 0x4e286800)); // aese v0, v1; aesmc v0, v0
        assert!(!pair(0x4e284821, 0x4e286800)); // aese v1, v1; aesmc v0, v0
        assert!(!pair(0x4e285820, 0x4e286800)); // aesd; aesmc
        assert!(pair(0x4e285820, 0x4e287800)); // aesd; aesimc
    }

    /// What a stub of a linker looks like.
    #[test]
    fn stubs() {
        let code: Vec<u8> =
            [0xb0000110u32, 0xf947e211, 0x913f0210, 0xd61f0220].iter().flat_map(|w| w.to_le_bytes()).collect();
        // adrp x16, .+0x21000; ldr x17, [x16, #4032]; add x16, x16, #4032; br x17
        assert_eq!(stub(&code, 0x1_0004), Some(0x3_1000 + 4032));
    }
}
