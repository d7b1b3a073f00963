//! `combseal analyze comb`: the comb's windows for a list of lengths, drawn.

use combseal_lab::analyze::comb;
use std::io::{self, Write};

/// Prints the windows of messages of these lengths, `lanes` side by side, and draws them.
///
/// # Errors
/// When `out` cannot be written.
pub(super) fn run(lengths: &[u64], lanes: usize, out: &mut impl Write) -> io::Result<()> {
    out.write_all(comb::drawn(lengths, lanes).as_bytes())
}
