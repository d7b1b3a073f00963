//! What the machine code must look like.

use crate::code::Listing;
use crate::door::Door;

/// What a main loop is made of. Fewer AES instructions mean that the loop was
/// split or rolled up, more that something is done twice.
enum Loop {
    /// The whole cipher over so many registers, on `aesni`, `aesni512`, `vaes256` and `vaes512`.
    Flight([usize; 4]),
    /// Steps of so many AES rounds, of which LLVM may put several in a turn.
    Steps(usize),
}

/// The kernels whose main loops are known, by the start of their names.
const MAIN_LOOPS: &[(&str, Loop)] = &[
    ("aegis::On<aegis::Short", Loop::Steps(5)),
    ("aegis::On<aegis::Long", Loop::Steps(8)),
    ("aegis::On<aegis::Wide", Loop::Steps(6)),
    ("ctr::Apply", Loop::Flight([8, 8, 8, 4])),
    ("ocb3::kernel::Seal", Loop::Flight([8, 8, 8, 4])),
    ("ocb3::kernel::Open", Loop::Flight([8, 8, 8, 4])),
];

/// What a door may call besides panics, and why.
const CALLS: &[(&str, &str, &str)] = &[
    ("ocb3::", "ocb3::Masks>::beyond", "once in 2^8 blocks of a long message"),
    ("ocb3::", "RawVecInner", "a sealer's copy of associated data, once for each"),
    ("ocb3::", "memcpy", "the same"),
    ("ocb3::", "bcmp", "whether associated data is the same as before; it is public"),
];

/// Functions that end in a panic: bounds that the compiler could not prove.
fn panics(name: &str) -> bool {
    ["core::panicking::", "core::slice::index::", "core::option::", "core::result::", "core::cell::"]
        .iter()
        .any(|p| name.starts_with(p))
}

/// What is wrong with a door, if anything.
pub fn faults(door: &Door, listing: &Listing) -> Vec<String> {
    let mut faults = Vec::new();
    for call in listing.calls.iter().filter(|c| !panics(c)) {
        if !CALLS.iter().any(|(kernel, name, _)| door.kernel.starts_with(kernel) && call.contains(name)) {
            faults.push(format!("calls {call}"));
        }
    }
    let found = listing.main_loop.unwrap_or_default().aes;
    match MAIN_LOOPS.iter().find(|(kernel, _)| door.kernel.starts_with(kernel)).map(|(_, l)| l) {
        Some(Loop::Flight(registers)) => {
            let (tier, wide) = match &*door.tier {
                "AesNi" => (0, found.xmm),
                "AesNi512" => (1, found.xmm),
                "Vaes256" => (2, found.ymm),
                _ => (3, found.zmm),
            };
            let expected = registers[tier] * rounds(&door.kernel);
            if (found.count(), wide) != (expected, expected) {
                faults.push(format!("its main loop has {found:?}, expected {expected} of the tier's width"));
            }
        }
        Some(Loop::Steps(n)) if found.count() == 0 || !found.count().is_multiple_of(*n) => {
            faults.push(format!("its main loop has {found:?}, expected a multiple of {n}"));
        }
        _ => {}
    }
    faults
}

/// Whether the door's main loop is known.
pub fn is_known(door: &Door) -> bool {
    MAIN_LOOPS.iter().any(|(kernel, _)| door.kernel.starts_with(kernel))
}

/// Intrinsics that the standard library calls to find out what the CPU has.
pub fn detection(name: &str) -> bool {
    ["_xgetbv", "__cpuid"].iter().any(|n| name.contains(n))
}

/// Rounds of the AES that a kernel's name tells.
fn rounds(kernel: &str) -> usize {
    let sizes = [("AES-128", 10), ("AES-192", 12), ("AES-256", 14)];
    sizes.iter().find(|(name, _)| kernel.contains(name)).map_or(0, |n| n.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Aes, Counts};

    /// Each fault that the guard is there for is found.
    #[test]
    fn finds_faults() {
        let door = Door { kernel: "ctr::Apply<AES-128>".into(), tier: "AesNi".into() };
        let main = |xmm, ymm| Some(Counts { aes: Aes { xmm, ymm, zmm: 0 }, ..Counts::default() });
        let listing = |main_loop, call: &str| Listing {
            bytes: 0,
            all: Counts::default(),
            main_loop,
            calls: [call.to_string()].into(),
        };
        let panic = "core::slice::index::slice_index_fail";
        assert_eq!(faults(&door, &listing(main(80, 0), panic)), [""; 0]);
        assert_eq!(faults(&door, &listing(main(80, 0), "memcpy")), ["calls memcpy"]);
        assert_eq!(faults(&door, &listing(main(81, 0), panic)).len(), 1);
        assert_eq!(faults(&door, &listing(main(0, 80), panic)).len(), 1);
        assert_eq!(faults(&door, &listing(None, panic)).len(), 1);
    }
}
