//! Words from bytes and bytes from words, as these ciphers read them.

/// Word `i` of `b`, little-endian: a whole load, where four bytes by their places would be four loads, each
/// with a look at the length.
#[inline(always)]
pub fn le32(b: &[u8], i: usize) -> u32 {
    u32::from_le_bytes(b.as_chunks().0[i])
}

/// Word `i` of `b`, big-endian.
#[inline(always)]
pub fn be32(b: &[u8], i: usize) -> u32 {
    le32(b, i).swap_bytes()
}

/// XORs words of key stream, little-endian, into a block of their length.
#[inline(always)]
pub fn xor_le<const N: usize>(block: &mut [u8], words: [u32; N]) {
    let (bytes, _) = block.as_chunks_mut::<4>();
    for (to, word) in bytes[..N].iter_mut().zip(words) {
        *to = (u32::from_le_bytes(*to) ^ word).to_le_bytes();
    }
}
