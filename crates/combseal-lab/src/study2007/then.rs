//! What the paper printed of a system, from `data/published.csv`.

use super::record::Operation;
use crate::published::{self, Published};

/// The CPU of the paper's tables by length and by number of keys.
pub const TABLES: &str = "Intel Pentium 4 (f29) 3400MHz";
/// All its CPUs, as it names them, and in few letters: those of the tables of decryption and of
/// rejection, in their order.
pub const CPUS: [(&str, &str); 6] = [
    ("AMD Athlon XP (662) 1343MHz", "Athlon XP"),
    ("Intel Pentium III (68a) 1000MHz", "Pentium III"),
    (TABLES, "Pentium 4"),
    ("Sun UltraSPARC III 900MHz", "UltraSPARC"),
    ("Intel Core 2 Duo (6f6) 2137MHz", "Core 2"),
    ("AMD Athlon 64 X2 (15/75/2) 2000MHz", "Athlon 64"),
];

fn of(system: &str) -> impl Iterator<Item = &'static Published> {
    published::all().iter().filter(move |p| p.paper == "bernstein2007" && p.scheme == system)
}

/// Cycles of an operation under one key on that CPU.
pub fn cycles(system: &str, op: Operation, bytes: u64, cpu: &str) -> Option<f64> {
    let op = match op {
        Operation::Encrypt => "seal",
        Operation::Decrypt => "open",
        Operation::Reject => "reject",
        Operation::ExpandKey => return None,
    };
    let bytes = bytes.to_string();
    let fits = |p: &&Published| p.op == op && p.bytes == bytes && p.keys == "one" && p.cpu == cpu;
    of(system).find(fits).map(|p| p.value)
}

/// Bytes of the paper's expanded key.
pub fn context(system: &str) -> Option<u64> {
    of(system).find(|p| p.op == "context").map(|p| p.value as u64)
}

/// Cycles to encrypt 576 bytes under so many keys, on the CPU of its tables.
pub fn under_keys(system: &str, keys: u64) -> Option<f64> {
    let keys = if keys == 1 { "one".to_string() } else { keys.to_string() };
    let fits = |p: &&Published| p.place == "table by keys" && p.op == "seal" && p.keys == keys;
    of(system).find(fits).map(|p| p.value)
}
