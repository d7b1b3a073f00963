//! The table of stretch-then-shift hashes, which both papers on OCB3 print: over how many nonces with one
//! top the offset stays strongly xor-universal, by the shift in the stretch.

use super::here::table as empty;
use crate::analyze::stretch::{PUBLISHED, dom_size};
use crate::report::figure::{Cell, Table};
use std::sync::LazyLock;

/// Thousands of ranks over GF(2), computed once.
static HERE: LazyLock<Vec<usize>> = LazyLock::new(|| (1..=PUBLISHED.len()).map(dom_size).collect());

/// The table: the paper's row, and the row computed.
pub fn table(id: &str, after: &str) -> Table {
    let row = |name: &str, sizes: &[usize]| {
        let sizes = sizes.iter().map(|size| Cell::from(Some(*size as f64)));
        std::iter::once(Cell::from(name)).chain(sizes).collect::<Vec<_>>()
    };
    let rows = vec![row("domSize(c), then", &PUBLISHED), row("domSize(c), here", &HERE)];
    let heads: Vec<String> = (1..=PUBLISHED.len()).map(|c| c.to_string()).collect();
    let mut columns = vec![("c", None)];
    columns.extend(heads.iter().map(|head| (head.as_str(), Some(0))));
    let same = if PUBLISHED[..] == HERE[..] { "They are the same." } else { "They are NOT the same." };
    let note = format!(
        "The hash is the first 128 bits of (K ‖ (K + (K << c))) << x: strongly xor-universal for x from 0 to domSize(c) − 1. Computed here by the ranks of matrices over GF(2), as in the paper. {same} OCB3 stretches by c = 8 and needs 64."
    );
    Table { groups: vec![(String::new(), rows)], ..empty(id, "Stretch-then-shift", after, note, &columns) }
}
