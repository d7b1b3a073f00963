//! `combseal inspect`: what a sealed file says of itself without the key.

use super::{OK, columns, failed};
use crate::files::ends::Input;
use crate::files::failure::Failure;
use crate::files::options::{grouped, kib};
use combseal::stream::{Header, SlotKind};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// What to look at.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A sealed file, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// One JSON object, in one line
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit code.
pub fn run(args: &Args, out: &mut impl Write) -> u8 {
    match inspect(args, out) {
        Ok(()) => OK,
        Err(failure) => failed(&failure),
    }
}

fn inspect(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let mut input = Input::open(&args.file)?;
    let header = Header::read(&mut input.file).map_err(|error| Failure::from(error).of(&input.name))?;
    // Of a pipe nobody knows the length. A file of a length that none can have is looked at all the
    // same: the header may tell what became of it.
    let lengths = input.len.map(|len| header.plaintext_len(len).and_then(|bytes| Ok((bytes, header.segments(len)?))));
    let lengths = match lengths {
        None => None,
        Some(Ok(lengths)) => Some(Some(lengths)),
        Some(Err(_)) => Some(None),
    };
    let written =
        if args.json { json(&header, input.len, lengths, out) } else { text(&input.name, &header, lengths, out) };
    written.map_err(|error| Failure::io("standard output", &error))
}

/// Bytes of plaintext and segments; inside, whether such a file can be; outside, whether the length is known.
type Lengths = Option<Option<(u64, u64)>>;

fn text(name: &str, header: &Header, lengths: Lengths, out: &mut impl Write) -> std::io::Result<()> {
    let (plaintext, segments) = match lengths {
        Some(Some((bytes, segments))) => {
            let authentic = format!("{} bytes, if the file is authentic", grouped(bytes));
            (authentic, format!("{} of {} bytes", grouped(segments), grouped(header.segment_len() as u64)))
        }
        Some(None) => {
            ("unknown: the file was cut short".into(), format!("of {} bytes", grouped(header.segment_len() as u64)))
        }
        None => ("unknown: its end is not here".into(), format!("of {} bytes", grouped(header.segment_len() as u64))),
    };
    let mut rows = vec![
        ["version".to_string(), header.version().to_string()],
        ["scheme".into(), header.algorithm().name().into()],
        ["plaintext".into(), plaintext],
        ["segments".into(), segments],
        ["header".into(), format!("{} bytes", grouped(header.header_len() as u64))],
    ];
    for (i, slot) in header.slots().into_iter().enumerate() {
        let what = match slot {
            Some(SlotKind::Key) => "a key".into(),
            Some(SlotKind::Passphrase(costs)) => format!(
                "a passphrase, by Argon2id: {}, {}, {}",
                kib(costs.memory_kib()),
                number(costs.passes(), "pass", "es"),
                number(costs.lanes(), "lane", "s")
            ),
            Some(_) => "of a kind that is not known here".into(),
            None => continue,
        };
        rows.push([format!("slot {i}"), what]);
    }
    if header.interrupted() {
        rows.push(["note".into(), "a change of keys was interrupted; the next `combseal rekey` ends it".into()]);
    }
    writeln!(out, "{name}")?;
    let rows: Vec<[String; 2]> = rows.into_iter().map(|[key, value]| [format!("  {key}"), value]).collect();
    columns(out, &rows)
}

/// So many of something.
fn number(n: u32, one: &str, more: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { more })
}

fn json(header: &Header, len: Option<u64>, lengths: Lengths, out: &mut impl Write) -> std::io::Result<()> {
    let slots = header.slots().into_iter().map(|slot| match slot {
        Some(SlotKind::Key) => json!({"kind": "key"}),
        Some(SlotKind::Passphrase(costs)) => json!({
            "kind": "passphrase",
            "kdf": "argon2id",
            "memory_kib": costs.memory_kib(),
            "passes": costs.passes(),
            "lanes": costs.lanes(),
        }),
        Some(_) => json!({"kind": "unknown"}),
        None => Value::Null,
    });
    let (plaintext, segments) = lengths.flatten().unzip();
    let it = json!({
        "version": header.version(),
        "scheme": header.algorithm().name(),
        "segment_bytes": header.segment_len(),
        "tag_bytes": header.tag_len(),
        "header_bytes": header.header_len(),
        "salt": header.salt().iter().map(|b| format!("{b:02x}")).collect::<String>(),
        "slots": slots.collect::<Value>(),
        "rekey_interrupted": header.interrupted(),
        "file_bytes": len,
        "plaintext_bytes": plaintext,
        "segments": segments,
    });
    writeln!(out, "{it}")
}
