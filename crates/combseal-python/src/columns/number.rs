//! Numbers in Arrow's buffers: little-endian, of any width.

/// A little-endian number of at most 32 bytes, its sign extended if it has one.
pub fn wide(bytes: &[u8], signed: bool) -> [u8; 32] {
    let fill = if signed && bytes.last().is_some_and(|&last| last >= 128) { 255 } else { 0 };
    let mut it = [fill; 32];
    it[..bytes.len()].copy_from_slice(bytes);
    it
}

/// The same of at most 8 bytes, with a sign.
pub fn i64_of(bytes: &[u8]) -> i64 {
    let it = wide(bytes, true);
    i64::from_le_bytes([it[0], it[1], it[2], it[3], it[4], it[5], it[6], it[7]])
}

/// A time of day in nanoseconds; `None` of one whose nanoseconds have no number of 64 bits.
pub fn nanoseconds(bytes: &[u8], per_second: i64) -> Option<i64> {
    i64_of(bytes).checked_mul(1_000_000_000 / per_second)
}
