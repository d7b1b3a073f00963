//! What the commands on sealed files have in common on the command line, and how numbers are
//! written there.

use super::failure::{Cause, Failure};
use super::interrupt;
use super::secrets::Secret;
use combseal::Algorithm;
use combseal::stream::{Argon2Caps, Argon2Costs, Lock, Unlock};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// Options of sealing and opening.
#[derive(clap::Args, Debug)]
pub struct Common {
    /// What the file belongs to: sealed along, not kept in the file, and needed again to open it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub context: OsString,
    /// Threads that seal or open, at most 256 [default: as many as the machine has]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Replace files that exist, once the new ones are whole
    #[arg(short, long)]
    pub force: bool,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
}

impl Common {
    /// The context's bytes.
    pub fn context(&self) -> &[u8] {
        self.context.as_encoded_bytes()
    }

    /// Has the threads that were asked for, but no more than there are segments, if that is known,
    /// and the process leave things in order when it is interrupted. Called once.
    ///
    /// # Errors
    /// When there can be no such threads or handlers.
    pub fn start(&self, segments: Option<u64>) -> Result<(), Failure> {
        interrupt::watch().map_err(|error| Failure::io("signals", &error))?;
        let threads = match (self.threads, segments) {
            (None, None) => return Ok(()),
            (wanted, most) => {
                let wanted = wanted.unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get));
                wanted.min(usize::try_from(most.unwrap_or(u64::MAX)).unwrap_or(usize::MAX)).max(1)
            }
        };
        // One pool for all files, instead of one for each.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| Failure::new(Cause::Io, error.to_string()))
    }
}

/// A number of threads: each has memory of its own.
///
/// # Errors
/// When they are none or too many.
fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least 1".into()),
        Ok(n @ 1..=256) => Ok(n),
        Ok(_) => Err("at most 256".into()),
        Err(_) => Err("a number from 1 to 256".into()),
    }
}

/// What a passphrase costs whoever tries it.
#[derive(clap::Args, Debug)]
pub struct CostArgs {
    /// Memory that each try of the passphrase takes, 64MiB to 2GiB [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    kdf_memory: Option<u64>,
    /// Passes over that memory, 1 to 16 [default: 3]
    #[arg(long, value_name = "N")]
    kdf_passes: Option<u32>,
}

impl CostArgs {
    /// That they are only given with a passphrase, which alone costs that.
    ///
    /// # Errors
    /// When they are given without.
    pub fn only_with(&self, passphrase: bool) -> Result<(), Failure> {
        match self.kdf_memory.is_some() || self.kdf_passes.is_some() {
            true if !passphrase => {
                Err(Failure::usage("--kdf-memory and --kdf-passes are what a passphrase costs, and there is none"))
            }
            _ => Ok(()),
        }
    }

    /// Argon2id's costs.
    ///
    /// # Errors
    /// When they are too low, or so high that nobody would open such a file.
    pub fn costs(&self) -> Result<Argon2Costs, Failure> {
        let usual = Argon2Costs::default();
        let memory = self.kdf_memory.map_or(u64::from(usual.memory_kib()), |bytes| bytes >> 10);
        let passes = self.kdf_passes.unwrap_or(usual.passes());
        let memory = u32::try_from(memory).ok();
        memory.and_then(|memory| Argon2Costs::new(memory, passes, usual.lanes()).ok()).ok_or_else(|| {
            Failure::usage(
                "a passphrase costs 64MiB to 2GiB and 1 to 16 passes, and no more than 8GiB of both multiplied",
            )
        })
    }
}

/// What a sealed file may demand for a passphrase.
#[derive(clap::Args, Debug)]
pub struct CapArgs {
    /// The most memory that the file may demand for a passphrase, and four passes over it [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    kdf_cap: Option<u64>,
    /// The most passes that the file may demand for a passphrase [default: 16]
    #[arg(long, value_name = "N")]
    kdf_cap_passes: Option<u32>,
}

impl CapArgs {
    /// Argon2id's caps. The work that may be demanded grows with the memory and the passes.
    pub fn caps(&self) -> Argon2Caps {
        let usual = Argon2Caps::default();
        let memory_kib = self.kdf_cap.map_or(usual.memory_kib, |bytes| u32::try_from(bytes >> 10).unwrap_or(u32::MAX));
        let passes = self.kdf_cap_passes.unwrap_or(usual.passes);
        let times = |passes: u32| u64::from(memory_kib) * u64::from(passes);
        let work = usual.work.max(times(4)).max(self.kdf_cap_passes.map_or(0, times));
        Argon2Caps { memory_kib, passes, work, ..usual }
    }
}

/// What a file is sealed by.
pub fn locks(secrets: &[Secret], costs: Argon2Costs) -> Vec<Lock<'_>> {
    let mut locks = Vec::new();
    for secret in secrets {
        locks.push(match secret {
            Secret::Key(key) => Lock::Key(key.bytes()),
            Secret::Passphrase(passphrase) => Lock::Passphrase { passphrase, costs },
        });
    }
    locks
}

/// What a file is opened with.
pub fn unlock(secret: &Secret, caps: Argon2Caps) -> Unlock<'_> {
    match secret {
        Secret::Key(key) => Unlock::Key(key.bytes()),
        Secret::Passphrase(passphrase) => Unlock::Passphrase { passphrase, caps },
    }
}

/// A scheme by its name.
///
/// # Errors
/// The names that there are.
pub fn scheme(name: &str) -> Result<Algorithm, String> {
    Algorithm::by_name(name).ok_or_else(|| {
        let names: Vec<_> = Algorithm::ALL.iter().map(|it| it.name()).collect();
        format!("the schemes are {}", names.join(", "))
    })
}

/// A number of bytes: `65536`, `64K`, `64KiB`, `1M`, `2GiB`, `1T`.
///
/// # Errors
/// What a number of bytes looks like.
pub fn size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(0),
        "K" | "KIB" => Some(10),
        "M" | "MIB" => Some(20),
        "G" | "GIB" => Some(30),
        "T" | "TIB" => Some(40),
        _ => None,
    };
    let number: Option<u64> = text[..digits].parse().ok();
    shift
        .and_then(|shift| number?.checked_mul(1 << shift))
        .ok_or_else(|| format!("\"{text}\" is no number of bytes, as 65536, 64KiB, 2MiB, 1GiB or 1TiB are"))
}

/// Bytes from the first of these to before the second, or to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    from: u64,
    to: Option<u64>,
}

impl Range {
    /// Where it begins and how many bytes it has, in `len` of them.
    ///
    /// # Errors
    /// When it reaches beyond the end.
    pub fn within(self, len: u64) -> Result<(u64, u64), Failure> {
        let to = self.to.unwrap_or(len);
        match to.checked_sub(self.from) {
            Some(count) if to <= len => Ok((self.from, count)),
            _ => Err(Failure::usage(format!("the range reaches beyond the end: there are {len} bytes"))),
        }
    }
}

/// A range: `A..B`, `A..`, `..B`, each a number of bytes; B itself is not in it.
///
/// # Errors
/// What a range looks like.
pub fn range(text: &str) -> Result<Range, String> {
    let (from, to) = text.split_once("..").ok_or("a range is A..B, A.. or ..B, from byte A to before byte B")?;
    let from = if from.is_empty() { 0 } else { size(from)? };
    let to = if to.is_empty() { None } else { Some(size(to)?) };
    if to.is_some_and(|to| to < from) {
        return Err("the range ends before it begins".into());
    }
    Ok(Range { from, to })
}

/// A number with commas between groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of KiB in the largest unit that has no fraction.
pub fn kib(number: u32) -> String {
    match number {
        n if n > 0 && n.is_multiple_of(1 << 20) => format!("{} GiB", n >> 20),
        n if n > 0 && n.is_multiple_of(1 << 10) => format!("{} MiB", n >> 10),
        n => format!("{n} KiB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("0", 0),
            ("65536", 65536),
            ("64K", 65536),
            ("64KiB", 65536),
            ("64kib", 65536),
            ("2MiB", 2 << 20),
            ("3G", 3 << 30),
            ("1TiB", 1 << 40),
            ("7B", 7),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "-1", "1.5K", "64KB", "16777216T", "18446744073709551616", "1 K"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges() {
        let within = |text: &str, len| range(text).unwrap().within(len).map_err(|_| ());
        assert_eq!(within("2..5", 10), Ok((2, 3)));
        assert_eq!(within("2..", 10), Ok((2, 8)));
        assert_eq!(within("..1K", 2048), Ok((0, 1024)));
        assert_eq!(within("..", 10), Ok((0, 10)));
        assert_eq!(within("10..10", 10), Ok((10, 0)));
        assert_eq!(within("0..11", 10), Err(()));
        assert_eq!(within("11..", 10), Err(()));
        for text in ["", "5", "5-6", "6..5", "a..b", "1..2..3"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    /// What a hint promises (`failure.rs`) is kept: so much memory, and a quarter of so much work.
    #[test]
    fn caps() {
        let usual = Argon2Caps::default();
        let caps = |kdf_cap, kdf_cap_passes| CapArgs { kdf_cap, kdf_cap_passes }.caps();
        assert_eq!(caps(None, None), usual);
        assert_eq!(caps(Some(4 << 30), None).memory_kib, 4 << 20);
        assert_eq!(caps(Some(4 << 30), None).work, 16 << 20);
        assert_eq!(caps(Some(1 << 20), None), Argon2Caps { memory_kib: 1 << 10, ..usual });
        assert_eq!(caps(None, Some(20)), Argon2Caps { passes: 20, work: 40 << 20, ..usual });
        assert_eq!(caps(None, Some(1)), Argon2Caps { passes: 1, ..usual });
    }

    #[test]
    fn thread_numbers() {
        assert_eq!((threads("1"), threads("256")), (Ok(1), Ok(256)));
        for text in ["0", "257", "-1", "99999999999999999999", ""] {
            assert!(threads(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 8, 1025, 65536, 2 << 20].map(kib), ["0 KiB", "8 KiB", "1025 KiB", "64 MiB", "2 GiB"]);
    }
}
