//! The tables of 2007 in the paper's form: a line of the paper's for each system, and below it this machine's.

use super::systems::{Here, SYSTEMS, System, is_here};
use crate::report::figure::{Cell, Table};
use crate::study2007::{Operation, then};

const AFTER: &str = "Bernstein 2007";
/// The columns of the tables.
const LENGTHS: [u64; 6] = [0, 40, 402, 576, 1500, 8192];
const KEYS: [u64; 6] = [1, 32, 128, 512, 2048, 8192];
/// The length of the tables by keys and by machines.
const MESSAGE: u64 = 576;

fn column(name: impl Into<String>, digits: Option<usize>) -> (String, Option<usize>) {
    (name.into(), digits)
}

/// A printed number of cycles, with the separators that the page gives all others.
fn printed(value: Option<f64>) -> Cell {
    let Some(value) = value else { return Cell::Number(None) };
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    Cell::Printed { value, printed: text }
}

fn table(id: &str, title: &str, note: String, columns: Vec<(String, Option<usize>)>, rows: Vec<Vec<Cell>>) -> Table {
    let after = AFTER.into();
    Table { id: id.into(), title: title.into(), after, note, columns, groups: vec![(String::new(), rows)] }
}

/// The first page: the systems, and the bytes of their expanded keys.
pub(super) fn first_page(here: &Here<'_>) -> Table {
    let rows = SYSTEMS.iter().map(|system| {
        let chosen = here.chosen(system);
        vec![
            Cell::from(system.paper),
            system.bits.to_string().as_str().into(),
            system.cipher.into(),
            system.mac.into(),
            system.total.to_string().as_str().into(),
            printed(then::context(system.name).map(|bytes| bytes as f64)),
            chosen.map(|chosen| chosen.context as f64).into(),
            chosen.map_or("", |chosen| if chosen.constant_time { "yes" } else { "no" }).into(),
            chosen.map_or("", |chosen| chosen.tuning.as_str()).into(),
        ]
    });
    let mut columns = vec![
        column("system", None),
        column("key bits", None),
        column("cipher", None),
        column("MAC", None),
        column("in all", None),
        column("bytes of a key, 2007", Some(0)),
    ];
    let mut rows: Vec<Vec<Cell>> = rows.collect();
    let note = if here.programme.is_some() {
        columns.extend([column("here", Some(0)), column("constant-time", None), column("tuning", None)]);
        "As the paper’s first page has them: bits of the cipher’s key, and of the system’s in all; the bytes of an expanded key are in its table by keys. Here: what the archive’s implementation keeps of a key, whether its time and addresses are the same for every key, and the tuning that encrypts 1,536 bytes the fastest."
    } else {
        rows.iter_mut().for_each(|row| row.truncate(columns.len()));
        "As the paper’s first page has them: bits of the cipher’s key, and of the system’s in all; the bytes of an expanded key are in its table by keys."
    };
    table("2007-systems", "The 26 systems", note.into(), columns, rows)
}

/// Two lines a system over columns, printed and here; systems of which this machine has nothing are left
/// out, and none are left where it has nothing at all.
fn beside(
    here: &Here<'_>,
    then: impl Fn(&System, u64) -> Option<f64>,
    now: impl Fn(&System, u64) -> Cell,
    columns: [u64; 6],
) -> Option<Vec<Vec<Cell>>> {
    let here_is = format!("here, {}", here.tier_and_unit().0);
    let mut rows = Vec::new();
    for system in &SYSTEMS {
        let now = columns.map(|column| now(system, column));
        if !now.iter().any(is_here) {
            continue;
        }
        let then = columns.map(|column| printed(then(system, column)));
        // (Of MICKEY-128 the paper prints no times.)
        if then.iter().any(|cell| matches!(cell, Cell::Printed { .. })) {
            rows.push([vec![Cell::from(system.paper), "printed".into()], then.to_vec()].concat());
        }
        rows.push([vec![Cell::from(system.paper), here_is.as_str().into()], now.to_vec()].concat());
    }
    (!rows.is_empty()).then_some(rows)
}

/// Encrypting, by length.
pub(super) fn by_length(here: &Here<'_>) -> Option<Table> {
    let then = |system: &System, n| then::cycles(system.name, Operation::Encrypt, n, then::TABLES);
    let now = |system: &System, n| here.cycles(system, Operation::Encrypt, n, 1);
    let rows = beside(here, then, now, LENGTHS)?;
    let columns = [("system", None), ("of", None)].map(|(name, digits)| column(name, digits));
    let columns = columns.into_iter().chain(LENGTHS.map(|n| column(format!("{n} B"), Some(0)))).collect();
    let note = format!(
        "Cycles to encrypt a packet under one key. Printed: {}, medians of fifteen single timings. Here: {}.",
        then::TABLES,
        method(here)
    );
    Some(table("2007-length", "Authenticated encryption by packet length", note, columns, rows))
}

/// Encrypting 576 bytes, by the number of keys.
pub(super) fn by_keys(here: &Here<'_>) -> Option<Table> {
    // (A usual study has one key alone.)
    here.programme?;
    let now = |system: &System, keys| here.cycles(system, Operation::Encrypt, MESSAGE, keys);
    let rows = beside(here, |system, keys| then::under_keys(system.name, keys), now, KEYS)?;
    let columns = [("system", None), ("of", None)].map(|(name, digits)| column(name, digits));
    let name = |keys| if keys == 1 { "1 key".to_string() } else { format!("{keys} keys") };
    let columns = columns.into_iter().chain(KEYS.map(|n| column(name(n), Some(0)))).collect();
    let note = format!(
        "Cycles to encrypt {MESSAGE} bytes under a key that is drawn for each packet. Printed: {}. Here: {}.",
        then::TABLES,
        method(here)
    );
    Some(table("2007-keys", "Authenticated encryption by the number of active keys", note, columns, rows))
}

/// Decrypting, or refusing a forgery, of 576 bytes on the paper's six machines and on this one.
pub(super) fn by_machine(here: &Here<'_>, op: Operation) -> Option<Table> {
    let (id, title) = match op {
        Operation::Reject => ("2007-rejection", "Rejection of a forged packet of 576 bytes"),
        _ => ("2007-decryption", "Verified decryption of 576 bytes"),
    };
    let (tier, _) = here.tier_and_unit();
    let rows = SYSTEMS.iter().filter_map(|system| {
        let now = here.cycles(system, op, MESSAGE, 1);
        let then = then::CPUS.map(|(cpu, _)| printed(then::cycles(system.name, op, MESSAGE, cpu)));
        is_here(&now).then(|| [vec![Cell::from(system.paper)], then.to_vec(), vec![now]].concat())
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    let columns = std::iter::once(column("system", None)).chain(then::CPUS.map(|(_, short)| column(short, Some(0))));
    let columns = columns.chain([column(format!("here, {tier}"), Some(0))]).collect();
    let note = format!(
        "Cycles under one key, printed for six machines of the paper’s (lpc36, neumann, shell, wessel, katana, mace). Here: {}.",
        method(here)
    );
    (!rows.is_empty()).then(|| table(id, title, note, columns, rows))
}

/// How this machine's numbers were found.
fn method(here: &Here<'_>) -> String {
    let (_, unit) = here.tier_and_unit();
    match here.programme {
        Some(_) => format!("{unit}, the robust method’s medians of many packets, hot"),
        None => format!("{unit} of a usual study, which has some of the systems at some of the lengths"),
    }
}
