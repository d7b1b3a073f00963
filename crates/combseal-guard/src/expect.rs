//! What the machine code must look like: the instructions of each main loop, and the only functions
//! that a kernel may call.

use crate::code::Listing;
use crate::counts::{Aes, Counts};
use crate::door::Door;

/// What a main loop is made of. Fewer AES instructions mean that the loop was
/// split or rolled up, more that something is done twice.
enum Loop {
    /// The whole cipher over so many registers, on `aesni`, `aesni512`, `vaes256` and `vaes512`; on
    /// `armv8` and `armv8sha3` over as many as on `aesni`. None: the tier's door has no such loop.
    Flight([usize; 4]),
    /// The same, or a turn for each of its rounds: round keys that are read from memory anyway cost
    /// nothing more in a loop.
    Rounds([usize; 4]),
    /// The whole cipher over any number of single blocks: chains, which are serial.
    Chain,
    /// Steps of so many AES rounds, of which LLVM may put several in a turn.
    Steps(usize),
    /// The same of messages side by side, on tiers with wide registers or with 32 of them.
    StepsOnLanes(usize),
}

impl Loop {
    /// Whether the tier's door has it.
    fn is_on(&self, tier: &str) -> bool {
        match self {
            Loop::Flight(registers) | Loop::Rounds(registers) => registers[place(tier)] > 0,
            Loop::StepsOnLanes(_) => tier != "AesNi",
            Loop::Chain | Loop::Steps(_) => true,
        }
    }
}

/// The kernels whose main loops are known, by the start of their names.
const MAIN_LOOPS: &[(&str, Loop)] = &[
    ("aegis::On<aegis::family::Short", Loop::Steps(5)),
    ("aegis::On<aegis::family::Long", Loop::Steps(8)),
    ("aegis::On<aegis::family::Wide", Loop::Steps(6)),
    ("aegis::comb::Together<key::Key, aegis::Aegis128,", Loop::StepsOnLanes(5)),
    ("aegis::comb::Together<key::Key, aegis::Aegis128L,", Loop::StepsOnLanes(8)),
    ("aegis::comb::Together<key::Key, aegis::Aegis256,", Loop::StepsOnLanes(6)),
    ("ccm::Open", Loop::Chain),
    ("ccm::Seal", Loop::Chain),
    ("cmac::Mac", Loop::Chain),
    ("ctr::Apply", Loop::Flight([8; 4])),
    ("eax::Open", Loop::Chain),
    ("eax::Seal", Loop::Chain),
    ("ecb::Apply", Loop::Flight([8, 8, 8, 4])),
    ("gcm::Open", Loop::Flight([8, 8, 8, 4])),
    ("gcm::Seal", Loop::Flight([8, 8, 8, 4])),
    ("gcm_siv::Open", Loop::Flight([8, 8, 8, 4])),
    ("gcm_siv::Seal", Loop::Flight([8, 8, 8, 4])),
    ("gcm_siv::comb::Together", Loop::Flight([0, 0, 8, 4])),
    ("gcm_siv::column::Short", Loop::Rounds([8, 8, 4, 4])),
    ("ocb3::column::Short", Loop::Rounds([8, 8, 4, 4])),
    ("ocb3::kernel::Hash", Loop::Flight([8, 8, 8, 8])),
    // The doors for long messages; those for short ones have no loop that matters.
    ("ocb3::kernel::Open<AES-128, true>", Loop::Flight([8, 8, 8, 8])),
    ("ocb3::kernel::Open<AES-256, true>", Loop::Flight([8, 8, 8, 8])),
    ("ocb3::kernel::Seal<AES-128, true>", Loop::Flight([8, 8, 8, 8])),
    ("ocb3::kernel::Seal<AES-256, true>", Loop::Flight([8, 8, 8, 8])),
    ("siv::Open", Loop::Chain),
    ("siv::column::Short", Loop::Rounds([8, 8, 4, 4])),
    ("siv::Seal", Loop::Flight([8; 4])),
];

/// What a door may call besides panics, and why.
const CALLS: &[(&str, &str, &str)] = &[
    ("", "e843419@", "no call: the linker has put an instruction elsewhere, around an erratum of the Cortex-A53"),
    ("", "memset", "secrets are wiped, and 64 bytes and more of zeros begin somewhere"),
    ("ocb3::", "Masks>::beyond", "once in 2^15 blocks of a long message"),
    ("ocb3::", "nonce::number", "the nonce block of a nonce that has not 12 bytes, which are public"),
    ("ocb3::", "RawVecInner", "a sealer's copy of associated data, once for each"),
    ("ocb3::", "memcpy", "the same"),
    ("ocb3::", "bcmp", "whether associated data is the same as before; it is public"),
    ("chacha20_blocks::", "memcpy", "the sixteen registers of a pass, from where they are stored one by one"),
    ("gcm_siv::comb::", "memcpy", "messages' last bytes, less than a block, and their lengths are public"),
    ("gcm_siv::column::", "core::fmt::Display>::fmt", "a panic's message, for a bound that was not proved"),
    ("gcm_siv::column::", "memcpy", "where a group's values begin, if that is said in numbers as wide as places are"),
    ("lockstep::", "LaneKeys>::grow", "room for the round keys of the lanes, once for each batch"),
    ("ocb3::column::", "core::fmt::Display>::fmt", "a panic's message, for a bound that was not proved"),
    ("siv::column::", "core::fmt::Display>::fmt", "a panic's message, for a bound that was not proved"),
    ("siv::column::", "memcpy", "a value's last bytes, less than a block, and its length is public"),
    ("chacha20_poly1305::", "memcpy", "Poly1305's last 15 bytes at most, once a string"),
    ("chacha20_poly1305::parts::Begin", "double_rounds", "HChaCha20, once for each message of XChaCha20-Poly1305"),
];

/// Functions that end in a panic: bounds that the compiler could not prove.
fn panics(name: &str) -> bool {
    ["core::panicking::", "core::slice::index::", "core::option::", "core::result::", "_Unwind_Resume"]
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
    if let Some(what) = known(door)
        && main_loop(door, listing).is_none()
    {
        let loops: Vec<_> = listing.loops.iter().map(|l| l.aes.to_string()).collect();
        faults.push(format!(
            "no loop has {what}, but {}",
            if loops.is_empty() { "none".into() } else { loops.join(", ") }
        ));
    }
    faults
}

/// The loop that does the work: the one that is expected, or the one with most
/// AES instructions where nothing is.
pub fn main_loop(door: &Door, listing: &Listing) -> Option<Counts> {
    with_registers(door, listing, 0)
}

/// The tiers whose doors an image must have.
pub fn tiers(is_arm: bool) -> &'static [&'static str] {
    if is_arm { &["ArmV8", "ArmV8Sha3"] } else { &["AesNi", "AesNi512", "Vaes256", "Vaes512"] }
}

/// The entries that match no door of a tier, of `tiers`: what matches nothing guards nothing. Chains, of
/// one block a register, go by the doors of the tiers that have such registers.
pub fn idle(doors: &[(Door, Listing)], tiers: &[&str]) -> Vec<String> {
    let has_door = |it: &Loop, tier: &str| {
        it.is_on(tier) && (!matches!(it, Loop::Chain) || !["Vaes256", "Vaes512"].contains(&tier))
    };
    let all = MAIN_LOOPS
        .iter()
        .flat_map(|(kernel, it)| tiers.iter().filter(move |tier| has_door(it, tier)).map(move |tier| (*kernel, *tier)));
    let matches = |kernel: &str, tier: &str| {
        doors.iter().any(|(door, _)| door.tier == tier && entry(door).is_some_and(|(of, _)| *of == kernel))
    };
    all.filter(|(kernel, tier)| !matches(kernel, tier))
        .map(|(kernel, tier)| format!("no door of {kernel} on {tier}"))
        .collect()
}

/// Whether five registers more than there must be are found to be missing, where their number is known:
/// a control of the guard itself. (With one more, rests have loops.)
pub fn control(door: &Door, listing: &Listing) -> Option<bool> {
    matches!(find(door)?, Loop::Flight(_)).then(|| with_registers(door, listing, 5).is_none())
}

/// The loop with so many registers `more`.
fn with_registers(door: &Door, listing: &Listing, more: usize) -> Option<Counts> {
    let rounds = rounds(&door.kernel);
    let as_expected = |c: &&Counts| match find(door) {
        Some(Loop::Flight(registers)) => {
            let (tier, wide) = tier(door, c.aes);
            let all = (registers[tier] + more) * rounds;
            (c.aes.count(), wide) == (all, all)
        }
        Some(Loop::Rounds(registers)) => {
            let (tier, wide) = tier(door, c.aes);
            let one = registers[tier];
            c.aes.count() == wide && (wide == one || wide == one * rounds)
        }
        Some(Loop::Chain) => c.aes.xmm + c.aes.q == c.aes.count() && c.aes.count().is_multiple_of(rounds),
        Some(Loop::Steps(n)) => c.aes.count().is_multiple_of(*n),
        Some(Loop::StepsOnLanes(n)) => {
            let (_, wide) = tier(door, c.aes);
            c.aes.count() == wide && wide.is_multiple_of(*n)
        }
        None => true,
    };
    listing.loops.iter().find(as_expected).copied()
}

/// The number of a tier, and those of `aes` that are as wide as it is.
fn tier(door: &Door, aes: Aes) -> (usize, usize) {
    let wide = if door.is_arm() { aes.q } else { [aes.xmm, aes.xmm, aes.ymm, aes.zmm][place(&door.tier)] };
    (place(&door.tier), wide)
}

/// The number of a tier.
fn place(tier: &str) -> usize {
    match tier {
        "ArmV8" | "ArmV8Sha3" | "AesNi" => 0,
        "AesNi512" => 1,
        "Vaes256" => 2,
        _ => 3,
    }
}

fn find(door: &Door) -> Option<&'static Loop> {
    entry(door).map(|(_, l)| l).filter(|it| it.is_on(&door.tier))
}

fn entry(door: &Door) -> Option<&'static (&'static str, Loop)> {
    MAIN_LOOPS.iter().find(|(kernel, _)| door.kernel.starts_with(kernel))
}

/// What the door's main loop must have, in words, where it is known.
pub fn known(door: &Door) -> Option<String> {
    Some(match find(door)? {
        Loop::Flight(registers) => {
            let n = registers[tier(door, Aes::default()).0];
            format!("{} AES instructions of the tier's width ({n} registers)", n * rounds(&door.kernel))
        }
        Loop::Rounds(registers) => {
            let n = registers[tier(door, Aes::default()).0];
            format!(
                "{} AES instructions of the tier's width ({n} registers), nor {n} of them",
                n * rounds(&door.kernel)
            )
        }
        Loop::Chain => format!("a multiple of {} AES instructions", rounds(&door.kernel)),
        Loop::Steps(n) => format!("a multiple of {n} AES instructions"),
        Loop::StepsOnLanes(n) => format!("a multiple of {n} AES instructions of the tier's width, and no others"),
    })
}

/// Intrinsics that the standard library calls to find out what the CPU has.
pub fn detection(name: &str) -> bool {
    ["_xgetbv", "__cpuid"].iter().any(|n| name.contains(n))
}

/// Rounds of the AES that a kernel's name tells. (AES-192 has those of AES-256, and leaves out two.)
pub fn rounds(kernel: &str) -> usize {
    let sizes = [("AES-128", 10), ("AES-192", 14), ("AES-256", 14)];
    sizes.iter().find(|(name, _)| kernel.contains(name)).map_or(1, |n| n.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry without a door on some tier is found, and only that.
    #[test]
    fn finds_idle_entries() {
        let listing = || Listing { bytes: 0, all: Counts::default(), loops: Vec::new(), calls: [].into() };
        let door = |tier: &str, (kernel, _): &(&str, Loop)| {
            (Door { kernel: kernel.to_string(), tier: tier.into() }, listing())
        };
        let mut doors: Vec<_> =
            tiers(true).iter().flat_map(|tier| MAIN_LOOPS.iter().map(|it| door(tier, it))).collect();
        assert_eq!(idle(&doors, tiers(true)), [""; 0]);
        doors.retain(|(door, _)| !(door.tier == "ArmV8Sha3" && door.kernel == "siv::Seal"));
        assert_eq!(idle(&doors, tiers(true)), ["no door of siv::Seal on ArmV8Sha3"]);
    }

    /// Each fault that the guard is there for is found.
    #[test]
    fn finds_faults() {
        let door = Door { kernel: "ctr::Apply<AES-128>".into(), tier: "AesNi".into() };
        let main = |xmm, ymm| vec![Counts { aes: Aes { xmm, ymm, ..Aes::default() }, ..Counts::default() }];
        let listing =
            |loops, call: &str| Listing { bytes: 0, all: Counts::default(), loops, calls: [call.to_string()].into() };
        let panic = "core::slice::index::slice_index_fail";
        assert_eq!(faults(&door, &listing(main(80, 0), panic)), [""; 0]);
        assert_eq!(faults(&door, &listing(main(80, 0), "memcpy")), ["calls memcpy"]);
        assert_eq!(faults(&door, &listing(main(81, 0), panic)).len(), 1);
        assert_eq!(faults(&door, &listing(main(0, 80), panic)).len(), 1);
        assert_eq!(faults(&door, &listing(Vec::new(), panic)).len(), 1);
    }
}
