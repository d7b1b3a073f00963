//! The table of what was found, with a line for each door.

use crate::code::Listing;
use crate::counts::Counts;
use crate::door::Door;
use crate::expect;

const HEAD: [&str; 9] =
    ["kernel", "tier", "bytes", "AES", "CLMUL", "main loop: instructions", "AES", "CLMUL", "spills + reloads"];

/// All doors, in columns or in Markdown.
pub fn table(doors: &[(Door, Listing)], markdown: bool) -> String {
    let mut rows = vec![HEAD.map(String::from)];
    for (door, l) in doors {
        let none = || "-".to_string();
        let main = expect::main_loop(door, l);
        let of = |f: fn(&Counts) -> String| main.as_ref().map_or_else(none, f);
        rows.push([
            door.kernel.clone(),
            door.tier.to_lowercase(),
            l.bytes.to_string(),
            l.all.aes.to_string(),
            l.all.clmul.to_string(),
            of(|c| c.instructions.to_string()),
            of(|c| c.aes.to_string()),
            of(|c| c.clmul.to_string()),
            of(|c| format!("{} + {}", c.spills, c.reloads)),
        ]);
    }
    let mut out = String::new();
    if markdown {
        for (i, row) in rows.iter().enumerate() {
            out += &format!("| {} |\n", row.join(" | "));
            if i == 0 {
                out += "|---|---|---:|---:|---:|---:|---:|---:|---:|\n";
            }
        }
        return out;
    }
    let width: [usize; 9] = std::array::from_fn(|i| rows.iter().map(|r| r[i].len()).max().unwrap_or(0));
    for row in rows {
        let cells = row.iter().zip(width).enumerate();
        let cells = cells.map(|(i, (c, w))| if i < 2 { format!("{c:<w$}") } else { format!("{c:>w$}") });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out += "\n";
    }
    out
}
