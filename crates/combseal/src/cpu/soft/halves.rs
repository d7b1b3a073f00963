//! A block as numbers. The tiers' registers differ; that a block is 128 bits, little-endian,
//! does not, and what needs no speed is written once, on two halves or one whole.

/// A block as two little-endian halves.
pub type Halves = [u64; 2];

/// Both halves as one number.
#[inline(always)]
pub(super) fn whole(v: Halves) -> u128 {
    (v[1] as u128) << 64 | v[0] as u128
}

/// The inverse of `whole`.
#[inline(always)]
pub(super) fn halves(v: u128) -> Halves {
    [v as u64, (v >> 64) as u64]
}

/// The first bytes of a block, at most sixteen, and zeros behind. By loads that overlap:
/// a block that several stores put together is slow to be read as one.
#[inline(always)]
pub(super) fn load_part(src: &[u8]) -> Halves {
    let n = src.len();
    if let Some(it) = src.first_chunk::<16>() {
        return halves(u128::from_le_bytes(*it));
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        // Of the last eight bytes, those that the first eight do not have.
        let over = u64::from_le_bytes(*last).checked_shr(8 * (16 - n as u32)).unwrap_or(0);
        return [u64::from_le_bytes(*first), over];
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return [last << (8 * n - 32) | u64::from(u32::from_le_bytes(*first)), 0];
    }
    let mut low = 0;
    for (i, x) in src.iter().enumerate() {
        low |= u64::from(*x) << (8 * i);
    }
    [low, 0]
}

/// Writes the first bytes of a block to all of `dst`, at most sixteen.
#[inline(always)]
pub(super) fn store_part(dst: &mut [u8], v: Halves) {
    for (to, from) in dst.iter_mut().zip(whole(v).to_le_bytes()) {
        *to = from;
    }
}

/// A block with all bytes from the `n`th on cleared.
#[inline(always)]
pub(super) fn keep(v: Halves, n: usize) -> Halves {
    let mask = 1u128.checked_shl(8 * n.min(16) as u32).unwrap_or(0).wrapping_sub(1);
    halves(whole(v) & mask)
}
