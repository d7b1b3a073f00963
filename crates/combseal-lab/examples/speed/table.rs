// The results for people: a block for each scheme and operation, three lines for each
// implementation, a column for each length.

use combseal_lab::measure::{Summary, Unit, stats};
use combseal_lab::results::json::Label;
use combseal_lab::subjects::Op;
use std::fmt::Write;

type Result<'a> = (&'a Label, Summary);

pub fn render(results: &[Result], lengths: &[usize], unit: Unit, ring: bool) -> String {
    let unit = if unit == Unit::Cycles { "cycles" } else { "ns" };
    let buffers = if ring {
        "Every operation goes round a ring of buffers in L1."
    } else {
        "Sealing and rejecting use one buffer again and again, opening a ring in L1."
    };
    let mut text = format!(
        "\nMedians of clean samples, {unit} a message and a byte, in place, hot, no associated data.\n\
         {buffers} A `?` has fewer than half of its samples clean.\n"
    );
    let mut from = 0;
    while from < results.len() {
        let head = results[from].0;
        let same = |r: &Result| r.0.scheme == head.scheme && r.0.op != Op::Setup;
        let to = from + results[from..].iter().take_while(|r| r.0.scheme == head.scheme).count();
        let scheme = &results[from..to];
        for op in Op::ALL {
            let block: Vec<&Result> = scheme.iter().filter(|r| same(r) && r.0.op == op).collect();
            if !block.is_empty() {
                text += &messages(&block, lengths, unit);
            }
        }
        text += &setups(scheme, unit);
        from = to;
    }
    text
}

/// The block of one operation on messages.
fn messages(block: &[&Result], lengths: &[usize], unit: &str) -> String {
    let (scheme, op) = (&block[0].0.scheme, block[0].0.op.name());
    let mut text = format!("\n{:<42}", format!("{scheme} {op}"));
    for bytes in lengths {
        let _ = write!(text, " {bytes:>8}");
    }
    let ipi = |names: &str, value: &dyn Fn(&Result) -> Option<f64>| {
        stats::ipi(|bytes| {
            let one = block.iter().find(|r| r.0.bytes == bytes && r.0.implementation == names)?;
            value(one)
        })
    };
    let with_ipi = ipi(&block[0].0.implementation, &|r| Some(r.1.median)).is_some();
    text += if with_ipi { "      IPI\n" } else { "\n" };

    let mut names: Vec<&str> = block.iter().map(|r| r.0.implementation.as_str()).collect();
    names.dedup();
    for name in names {
        let row = |text: &mut String, title: &str, what: &str, cell: &dyn Fn(&Result) -> String| {
            let _ = write!(text, "  {title:<30}{what:>9} ");
            for bytes in lengths {
                let found = block.iter().find(|r| r.0.bytes == *bytes && r.0.implementation == name);
                let _ = write!(text, " {:>8}", found.map_or(String::new(), |r| cell(r)));
            }
        };
        row(&mut text, name, unit, &|r| format!("{:.0}{}", r.1.median, doubt(&r.1)));
        text += "\n";
        row(&mut text, "", "a byte", &|r| match r.0.bytes {
            0 => String::new(),
            bytes => format!("{:.3}", r.1.median / bytes as f64),
        });
        let measured = ipi(name, &|r| Some(r.1.median));
        text += &measured.map_or("\n".into(), |ipi| format!(" {ipi:>8.3}\n"));
        if block[0].0.limit.is_some() {
            row(&mut text, "", "x limit", &|r| {
                r.0.limit.map_or(String::new(), |limit| format!("{:.3}", r.1.median / limit))
            });
            let limit = ipi(name, &|r| r.0.limit);
            let times = measured.zip(limit).map(|(ipi, limit)| ipi / limit);
            text += &times.map_or("\n".into(), |times| format!(" {times:>8.3}\n"));
        }
    }
    text
}

/// The block of key setup.
fn setups(scheme: &[Result], unit: &str) -> String {
    let mut text = String::new();
    for (label, summary) in scheme.iter().filter(|r| r.0.op == Op::Setup) {
        if text.is_empty() {
            text = format!("\n{:<42}{unit:>9}\n", format!("{} key setup", label.scheme));
        }
        let cell = format!("{:.0}{}", summary.median, doubt(summary));
        let _ = writeln!(text, "  {:<40}{cell:>9}", label.implementation);
    }
    text
}

fn doubt(summary: &Summary) -> &'static str {
    if summary.clean < summary.unclean + 1 { "?" } else { "" }
}

/// How good the samples were, in one line.
pub fn quality(results: &[Result]) -> String {
    let sum = |of: fn(&Summary) -> usize| results.iter().map(|r| of(&r.1)).sum::<usize>();
    let doubtful = results.iter().filter(|r| !doubt(&r.1).is_empty()).count();
    format!(
        "\nsamples   {} clean, {} kept although disturbed, {} thrown away and repeated; \
         {doubtful} of {} points doubtful",
        sum(|s| s.clean),
        sum(|s| s.unclean),
        sum(|s| s.discarded),
        results.len(),
    )
}
