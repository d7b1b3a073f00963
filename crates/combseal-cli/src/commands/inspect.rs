//! `combseal inspect`: what a sealed file says of itself without the key.

use super::{columns, each};
use crate::files::ends::Input;
use crate::files::failure::Failure;
use crate::files::options::{grouped, kib};
use crate::files::secrets::one_standard_input;
use combseal::stream::{Error, Header, SlotKind};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What to look at.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Sealed files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A JSON object for each file, in one line
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit code, of several files that of the first that failed.
pub fn run(args: &Args, out: &mut impl Write) -> u8 {
    each(|tell| {
        one_standard_input(&args.files)?;
        for file in &args.files {
            if let Err(failure) = inspect(file, args.json, out) {
                tell(failure);
            }
        }
        Ok(())
    })
}

fn inspect(file: &Path, as_json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let mut input = Input::open(file)?;
    let header = Header::read(&mut input.file).map_err(|error| Failure::from(error).of(&input.name))?;
    // Of a pipe nobody knows the length. A file of a length that none can have is looked at all the
    // same: the header may tell what became of it.
    let lengths = input.len.map(|len| Ok((header.plaintext_len(len)?, header.segments(len)?)));
    let written = match as_json {
        true => json(&header, &input, lengths, out),
        false => text(&input.name, &header, lengths, out),
    };
    written.and_then(|()| out.flush()).map_err(|error| Failure::io("standard output", &error))
}

/// Bytes of plaintext and segments, or why there is no file of such a length; if the length is known.
type Lengths = Option<Result<(u64, u64), Error>>;

fn text(name: &str, header: &Header, lengths: Lengths, out: &mut impl Write) -> std::io::Result<()> {
    let of = format!("of {} bytes", grouped(header.segment_len() as u64));
    let (plaintext, segments) = match lengths {
        Some(Ok((bytes, segments))) => {
            (format!("{} bytes, if the file is authentic", grouped(bytes)), format!("{} {of}", grouped(segments)))
        }
        Some(Err(Error::TooLong)) => ("unknown: no sealed file is as long as this one".into(), of),
        Some(Err(_)) => ("unknown: the file was cut short, or something was put behind it".into(), of),
        None => ("unknown: its end is not here".into(), of),
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

fn json(header: &Header, input: &Input, lengths: Lengths, out: &mut impl Write) -> std::io::Result<()> {
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
    let (plaintext, segments) = lengths.and_then(Result::ok).unzip();
    let it = json!({
        "file": input.name,
        "version": header.version(),
        "scheme": header.algorithm().name(),
        "segment_bytes": header.segment_len(),
        "tag_bytes": header.tag_len(),
        "header_bytes": header.header_len(),
        "salt": header.salt().iter().map(|b| format!("{b:02x}")).collect::<String>(),
        "slots": slots.collect::<Value>(),
        "rekey_interrupted": header.interrupted(),
        "file_bytes": input.len,
        "plaintext_bytes": plaintext,
        "segments": segments,
    });
    writeln!(out, "{it}")
}
