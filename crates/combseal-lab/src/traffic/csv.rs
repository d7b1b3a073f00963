//! Lengths as comma-separated values: a column of lengths and, if wanted, one of counts. A header
//! names the columns; without one they are the first and the second.

use super::lengths::{LONGEST, Lengths};

const LENGTH: [&str; 7] = ["length", "len", "bytes", "size", "frame.len", "ip.len", "udp.length"];
const COUNT: [&str; 5] = ["count", "packets", "messages", "number", "n"];

pub(super) fn lengths(bytes: &[u8]) -> Result<Lengths, String> {
    let mut reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(::csv::Trim::All)
        .comment(Some(b'#'))
        .delimiter(delimiter(bytes))
        .from_reader(bytes);
    let mut lengths = Lengths::new();
    let mut columns = None;
    for row in reader.records() {
        let row = row.map_err(|e| format!("neither a capture nor CSV: {e}"))?;
        let line = row.position().map_or(0, ::csv::Position::line);
        if row.iter().all(str::is_empty) {
            continue;
        }
        let (length, count) = match columns {
            Some(columns) => columns,
            None => {
                let first = header(&row)?;
                columns = Some(first.unwrap_or((0, Some(1))));
                if first.is_some() {
                    continue;
                }
                (0, Some(1))
            }
        };
        let number = |column: usize, what: &str| -> Result<Option<u64>, String> {
            let text = row.get(column).unwrap_or("");
            let wrong = |_| format!("line {line}: \"{}\" is no {what}: a whole number is wanted", text.escape_debug());
            if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(wrong) }
        };
        let length = number(length, "length")?.ok_or(format!("line {line}: the length is missing"))?;
        if length > LONGEST {
            return Err(format!("line {line}: {length} bytes; messages of up to {LONGEST} bytes can be measured"));
        }
        let count = count.map_or(Ok(None), |column| number(column, "count"))?.unwrap_or(1);
        let all: &mut u64 = lengths.entry(length).or_default();
        *all = all.saturating_add(count);
    }
    lengths.retain(|_, count| *count > 0);
    if lengths.is_empty() {
        return Err("no lengths in it; a pcap or pcapng capture is wanted, or CSV with a column of lengths".into());
    }
    Ok(lengths)
}

/// The columns that the first row names; `None` if it is numbers already.
fn header(row: &::csv::StringRecord) -> Result<Option<(usize, Option<usize>)>, String> {
    if row.iter().take(2).all(|field| field.is_empty() || field.parse::<u64>().is_ok()) {
        return Ok(None);
    }
    let find = |names: &[&str]| row.iter().position(|field| names.contains(&field.to_ascii_lowercase().as_str()));
    let length = find(&LENGTH).ok_or_else(|| {
        let is: Vec<String> = row.iter().take(8).map(|field| field.chars().take(20).collect::<String>()).collect();
        format!(
            "neither a capture nor a list of lengths: the first line is {:?}, and a column named length, bytes or size is wanted",
            is.join(",")
        )
    })?;
    Ok(Some((length, find(&COUNT))))
}

/// Comma, semicolon or tab: whichever the first line has first.
fn delimiter(bytes: &[u8]) -> u8 {
    let line = bytes.split(|&b| b == b'\n').find(|line| !line.starts_with(b"#")).unwrap_or(bytes);
    line.iter().copied().find(|b| matches!(b, b',' | b';' | b'\t')).unwrap_or(b',')
}
