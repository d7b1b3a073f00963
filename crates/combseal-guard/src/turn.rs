//! What a turn of a main loop is made of on ARM, where every load and XOR is an instruction of its own
//! and nobody has measured yet: beside what it may have. Rounds and products are what the scheme cannot do without.
//! XORs, loads and what lies on the stack are what the compiler makes of the kernels now: more is a change for
//! the worse that somebody must look at.

use crate::code::Listing;
use crate::counts::Counts;
use crate::door::Door;
use crate::expect;

/// Blocks in a turn.
const BLOCKS: usize = 8;

/// What a turn may have.
struct Need {
    /// The kernels, by the start of their names.
    kernel: &'static str,
    /// XORs of vectors as they are made now: instructions on `armv8`, and on `armv8sha3`, where EOR3 is one for two.
    xors: [usize; 2],
    /// Why so many.
    xors_are: &'static str,
    /// Carry-less products.
    clmul: usize,
    /// Vectors loaded besides the middle round keys, of which each is loaded once for all eight blocks.
    loads: usize,
    /// What is loaded.
    loads_are: &'static str,
    /// Vectors that may be put on the stack, and those that are taken from there.
    stack: [usize; 2],
    /// What lies there, if anything does.
    stack_is: &'static str,
}

/// Counter mode.
const CTR: Need = Need {
    kernel: "ctr::Apply",
    xors: [2 * BLOCKS, BLOCKS],
    xors_are: "a block takes one for the last key and one for the message",
    clmul: 0,
    loads: 2 * BLOCKS + 2,
    loads_are: "the blocks, the numbers that make counters of one, the first key and the last",
    stack: [0, 0],
    stack_is: "",
};

/// The kernels whose turns are known.
const NEEDS: &[Need] = &[
    Need {
        kernel: "ocb3::kernel::Hash",
        xors: [3 * BLOCKS + 1, 14],
        xors_are: "a block takes one for its mask, one for the last key, one for the sum; a turn one for its last distance",
        clmul: 0,
        loads: BLOCKS + 2,
        loads_are: "the blocks, L[ntz] and the last key",
        stack: [0, 0],
        stack_is: "",
    },
    Need {
        kernel: "ocb3::kernel::",
        xors: [4 * BLOCKS + 1, 22],
        xors_are: "a block takes one for its mask before, two for that behind with the last key, one for the checksum; a turn one for its last distance",
        clmul: 0,
        loads: BLOCKS + 1,
        loads_are: "the blocks and L[ntz]",
        stack: [0, 0],
        stack_is: "",
    },
    // The loop branches for AES-192 as well, and the compiler then leaves the other way to make counters, that of one
    // whose last byte carries, within it: a turn goes one of the two.
    Need {
        kernel: "ctr::Apply<AES-256",
        loads: 3 * BLOCKS + 2,
        loads_are: "the blocks, the numbers that make counters of one, in either order of bytes, the first key and the last",
        ..CTR
    },
    CTR,
    Need {
        kernel: "gcm::Seal",
        xors: [GHASH[0] + 2 * BLOCKS, GHASH[1] + BLOCKS],
        xors_are: GHASH_IS,
        clmul: 3 * BLOCKS + 2,
        loads: 2 * BLOCKS + 2,
        loads_are: "the blocks to be encrypted and those to be hashed, the first key and the last",
        stack: [6, 31],
        stack_is: "powers of H and their sums of halves, sixteen that are only read, and numbers that make counters; there are 32 registers",
    },
    Need {
        kernel: "gcm::Open",
        xors: [GHASH[0] + 2 * BLOCKS, GHASH[1] + BLOCKS],
        xors_are: GHASH_IS,
        clmul: 3 * BLOCKS + 2,
        loads: BLOCKS + 2,
        loads_are: "the blocks, the first key and the last",
        stack: [14, 38],
        stack_is: "as for sealing, and the blocks, which are hashed before the rounds and needed again behind them",
    },
];

/// XORs of the hash.
const GHASH: [usize; 2] = [BLOCKS + 3 * (BLOCKS - 1) + 7, 24];
const GHASH_IS: &str = "a block takes one for the last key, one for the message, one for Karatsuba's sum of halves, three to add its products, but the first; a turn one for the hash before, two for Karatsuba's middle, four to reduce";

/// What a door's turn may have, and its main loop.
fn of(door: &Door, listing: &Listing) -> Option<(&'static Need, Counts)> {
    let need = NEEDS.iter().find(|n| door.is_arm() && door.kernel.starts_with(n.kernel))?;
    expect::known(door)?;
    Some((need, expect::main_loop(door, listing)?))
}

/// The XORs that a door's turn may have.
fn xors(door: &Door, need: &Need) -> usize {
    need.xors[usize::from(door.tier == "ArmV8Sha3")]
}

/// The kinds of fault, as their texts name them.
pub const KINDS: [&str; 7] = [
    "AESMC or AESIMC",
    "carry-less products",
    "XORs",
    "vectors loaded",
    "vectors put on the stack",
    "vectors taken from the stack",
    "not beside",
];

/// What is wrong with a door's main loop, if anything.
pub fn faults(door: &Door, listing: &Listing) -> Vec<String> {
    judged(door, listing, false)
}

/// The same of a turn that has an instruction of each kind more than there is, and a pair less: a control of the
/// guard itself, which must find every kind of fault.
pub fn control(door: &Door, listing: &Listing) -> Vec<String> {
    judged(door, listing, true)
}

fn judged(door: &Door, listing: &Listing, spoilt: bool) -> Vec<String> {
    let Some((need, mut turn)) = of(door, listing) else { return Vec::new() };
    if spoilt {
        for more in
            [&mut turn.mix, &mut turn.clmul, &mut turn.xor2, &mut turn.loads, &mut turn.spills, &mut turn.reloads]
        {
            *more += 1;
        }
    }
    let rounds = expect::rounds(&door.kernel);
    let mixes = (rounds - 1) * BLOCKS;
    let loads = need.loads + rounds - 1;
    let mut faults = Vec::new();
    let mut check = |what: &str, found: usize, most: usize| {
        if found > most {
            faults.push(format!("a turn of {BLOCKS} blocks has {found} {what}, and was made with {most}"));
        }
    };
    check("AESMC or AESIMC", turn.mix, mixes);
    check("carry-less products", turn.clmul, need.clmul);
    check("XORs", turn.xor2 + turn.xor3, xors(door, need));
    check("vectors loaded", turn.loads, loads);
    check("vectors put on the stack", turn.spills, need.stack[0]);
    check("vectors taken from the stack", turn.reloads, need.stack[1]);
    if turn.paired != turn.mix {
        faults.push(format!(
            "of {} rounds {} are not beside their AESE or AESD",
            turn.mix,
            turn.mix.abs_diff(turn.paired)
        ));
    }
    faults
}

/// The entries that no door of a tier goes by, of `tiers`: what nothing goes by guards nothing.
pub fn idle(doors: &[(Door, Listing)], tiers: &[&str]) -> Vec<String> {
    let goes = |need: &Need, tier: &str| {
        doors.iter().any(|(door, listing)| {
            door.tier == tier && of(door, listing).is_some_and(|(of, _)| core::ptr::eq(of, need))
        })
    };
    let all = NEEDS.iter().flat_map(|need| tiers.iter().map(move |tier| (need, *tier)));
    all.filter(|(need, tier)| !goes(need, tier))
        .map(|(need, tier)| format!("no turn of {} on {tier}", need.kernel))
        .collect()
}

/// What the turns are made of, a line each, and why it must be so much; nothing if none is known.
pub fn note(doors: &[(Door, Listing)]) -> String {
    let mut out = String::new();
    for need in NEEDS {
        let mut any = false;
        for (door, listing) in doors {
            let Some((_, turn)) = of(door, listing).filter(|(of, _)| of.kernel == need.kernel) else { continue };
            any = true;
            out += &format!(
                "{} on {}, {BLOCKS} blocks a turn: {} AESE or AESD, {} AESMC or AESIMC ({} beside theirs), {} PMULL, \
                 {} vectors loaded, {} stored, {} EOR and {} EOR3, {} put on the stack, {} taken from there; \
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
                turn.spills,
                turn.reloads,
                turn.instructions
            );
        }
        if any {
            out += &format!("  XORs, as they are made now: {}; EOR3 does two at a time.\n", need.xors_are);
            out += &format!(
                "  Loads, as they are made now: {}, and the middle round keys once for all blocks.\n",
                need.loads_are
            );
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
            loads: 27,
            xor2: 16,
            ..Counts::default()
        };
        let of = |turn: Counts| Listing { bytes: 0, all: turn, loops: vec![turn], calls: [].into() };
        let faults = |change: fn(&mut Counts)| {
            let mut turn = right;
            change(&mut turn);
            super::faults(&door, &of(turn)).len()
        };
        assert_eq!(faults(|_| {}), 0);
        assert_eq!(faults(|t| t.mix = 80), 2);
        assert_eq!(faults(|t| t.paired = 71), 1);
        assert_eq!(faults(|t| t.clmul = 1), 1);
        assert_eq!(faults(|t| t.xor2 = 17), 1);
        assert_eq!(faults(|t| t.loads = 28), 1);
        assert_eq!(faults(|t| t.spills = 1), 1);
        assert_eq!(faults(|t| t.reloads = 1), 1);
        let spoilt = control(&door, &of(right));
        assert!(KINDS.iter().all(|kind| spoilt.iter().any(|fault| fault.contains(kind))), "{spoilt:?}");
        assert!(note(&[(door, of(right))]).contains("80 AESE or AESD, 72 AESMC"));
    }
}
