//! What a turn of a main loop is made of on ARM, where every load and XOR is an instruction of its own
//! and nobody has measured yet: beside what the scheme cannot do without.

use crate::code::Listing;
use crate::counts::Counts;
use crate::door::Door;
use crate::expect;

/// Blocks in a turn.
const BLOCKS: usize = 8;

/// What a turn needs of a scheme whose AES has so many rounds.
struct Need {
    /// The kernels, by the start of their names.
    kernel: &'static str,
    /// XORs of two registers; an EOR3 is two of them.
    xors: usize,
    /// Why so many.
    xors_are: &'static str,
    /// Carry-less products.
    clmul: usize,
    /// Loads besides those of the middle round keys, of which each is one for all eight blocks.
    loads: usize,
    /// What is loaded.
    loads_are: &'static str,
    /// Registers that may go to the stack and come back, and those that are only read from there.
    stack: (usize, usize),
    /// What lies on the stack.
    stack_is: &'static str,
}

/// The kernels whose turns are known.
const NEEDS: &[Need] = &[
    Need {
        kernel: "ocb3::kernel::",
        xors: 4 * BLOCKS + 3,
        xors_are: "a block takes one to make its mask before, one to make that behind with the last key, one to add the latter, one for the checksum; a turn one for its last distance and two for its base",
        clmul: 0,
        loads: BLOCKS + 1,
        loads_are: "the blocks and L[ntz]",
        stack: (0, 0),
        stack_is: "",
    },
    Need {
        kernel: "ctr::Apply",
        xors: 2 * BLOCKS,
        xors_are: "a block takes one for the last key and one for the message",
        clmul: 0,
        loads: BLOCKS,
        loads_are: "the blocks",
        stack: (0, 0),
        stack_is: "",
    },
    Need {
        kernel: "gcm::",
        xors: 3 * BLOCKS + 3 * (BLOCKS - 1) + 7,
        xors_are: "a block takes one for the last key, one for the message, one for Karatsuba's sum of halves, three to add its products, but the first; a turn one for the hash before, two for Karatsuba's middle, four to reduce",
        clmul: 3 * BLOCKS + 2,
        loads: 4 * BLOCKS,
        loads_are: "the blocks to be hashed and those to be encrypted, and H's powers with their sums of halves",
        stack: (0, 0),
        stack_is: "",
    },
];

/// The need of a door, and its main loop.
fn of(door: &Door, listing: &Listing) -> Option<(&'static Need, Counts)> {
    let need = NEEDS.iter().find(|n| door.is_arm() && door.kernel.starts_with(n.kernel))?;
    expect::known(door)?;
    Some((need, expect::main_loop(door, listing)?))
}

/// XORs of two registers.
fn xors(turn: &Counts) -> usize {
    turn.xor2 + 2 * turn.xor3
}

/// What is wrong with a door's main loop, if anything; `less` than it needs, for a control.
pub fn faults(door: &Door, listing: &Listing, less: usize) -> Vec<String> {
    let Some((need, turn)) = of(door, listing) else { return Vec::new() };
    let rounds = expect::rounds(&door.kernel);
    let mixes = (rounds - 1) * BLOCKS;
    let loads = need.loads + rounds - 1;
    let mut faults = Vec::new();
    let mut check = |what: &str, found: usize, most: usize| {
        if found > most.saturating_sub(less) {
            faults.push(format!("a turn of {BLOCKS} blocks has {found} {what}, of {most} that it needs"));
        }
    };
    check("AESMC or AESIMC", turn.mix, mixes);
    check("carry-less products", turn.clmul, need.clmul);
    check("XORs", xors(&turn), need.xors);
    check("vectors loaded", turn.loads, loads);
    check("vectors put on the stack", turn.spills, need.stack.0);
    check("vectors taken from the stack", turn.reloads, need.stack.1);
    if turn.paired != turn.mix {
        faults.push(format!("{} AESMC or AESIMC are not beside their AESE or AESD", turn.mix - turn.paired));
    }
    faults
}

/// What the turns are made of, a line each, and why it must be so much; nothing if none is known.
pub fn note(doors: &[(Door, Listing)]) -> String {
    let mut out = String::new();
    for need in NEEDS {
        let mut any = false;
        for (door, listing) in doors {
            let Some((of, turn)) = of(door, listing).filter(|(of, _)| of.kernel == need.kernel) else { continue };
            any = true;
            out += &format!(
                "{} on {}, {BLOCKS} blocks a turn: {} AESE or AESD, {} AESMC or AESIMC ({} beside theirs), {} PMULL, \
                 {} vectors loaded, {} stored, {} EOR and {} EOR3 ({} XORs of {}), {} put on the stack, {} taken from there; \
                 {} instructions\n",
                door.kernel,
                door.tier.to_lowercase(),
                turn.aes.count(),
                turn.mix,
                turn.paired,
                turn.clmul,
                turn.loads,
                turn.stores,
                turn.xor2,
                turn.xor3,
                xors(&turn),
                of.xors,
                turn.spills,
                turn.reloads,
                turn.instructions
            );
        }
        if any {
            out += &format!("  XORs: {}.\n", need.xors_are);
            out += &format!("  Loads: {}, and the middle round keys once for all blocks.\n", need.loads_are);
            if !need.stack_is.is_empty() {
                out += &format!("  On the stack: {}.\n", need.stack_is);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Aes;

    /// Each fault is found, and what is as it must be has none.
    #[test]
    fn finds_faults() {
        let door = Door { kernel: "ctr::Apply<AES-128>".into(), tier: "ArmV8".into() };
        let right = Counts {
            aes: Aes { q: 80, ..Aes::default() },
            mix: 72,
            paired: 72,
            loads: 17,
            xor2: 8,
            xor3: 4,
            ..Counts::default()
        };
        let of = |turn: Counts| Listing { bytes: 0, all: turn, loops: vec![turn], calls: [].into() };
        let faults = |change: fn(&mut Counts)| {
            let mut turn = right;
            change(&mut turn);
            super::faults(&door, &of(turn), 0).len()
        };
        assert_eq!(faults(|_| {}), 0);
        assert_eq!(faults(|t| t.mix = 80), 2);
        assert_eq!(faults(|t| t.paired = 71), 1);
        assert_eq!(faults(|t| t.clmul = 1), 1);
        assert_eq!(faults(|t| t.xor2 = 9), 1);
        assert_eq!(faults(|t| t.loads = 18), 1);
        assert_eq!(faults(|t| t.spills = 1), 1);
        assert_eq!(faults(|t| t.reloads = 1), 1);
        assert!(super::faults(&door, &of(right), 1).len() >= 3);
        assert!(note(&[(door, of(right))]).contains("80 AESE or AESD, 72 AESMC"));
    }
}
