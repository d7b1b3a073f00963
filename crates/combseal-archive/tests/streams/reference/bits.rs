//! Bits from bytes and bytes from bits, the least significant first.

/// The bits of `b`, a byte each.
pub fn bits(b: &[u8]) -> Vec<u8> {
    b.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1)).collect()
}

/// `len` bytes of the bits that `bit` gives.
pub fn bytes(len: usize, mut bit: impl FnMut() -> u8) -> Vec<u8> {
    (0..len).map(|_| (0..8).fold(0, |byte, i| byte | bit() << i)).collect()
}
