//! Blocks and bytes in memory, where no register is concerned.

/// Sixteen bytes: what the AES works on.
pub type Block = [u8; 16];

/// The numbers 0, 1, … as little-endian integers: how far the blocks of a register, or of as
/// many registers as go through a cipher together, are from the first of them. A counter
/// mode adds them to its counter, each to a lane; a load from number 1 on counts one further.
pub(crate) static LANES: [Block; 32] = {
    let mut t = [[0; 16]; 32];
    let mut i = 0;
    while i < t.len() {
        t[i][0] = i as u8;
        i += 1;
    }
    t
};

/// Four bytes as they stand in memory, by a load of just these. The compiler would join
/// neighbours into a wider load, which waits when it spans a caller's narrower
/// store: a counter bumped in the last four bytes of a nonce, say.
#[inline(always)]
#[allow(unsafe_code)]
pub fn narrow_load(bytes: &[u8; 4]) -> [u8; 4] {
    // Packed, so that four bytes anywhere are one load rather than four.
    #[repr(C, packed)]
    struct Word(u32);
    // SAFETY: `bytes` is a valid reference to four bytes, and `Word` has no alignment.
    unsafe { core::ptr::read_volatile(core::ptr::from_ref(bytes).cast::<Word>()) }.0.to_ne_bytes()
}

/// `word`, by way of a register of its own. Words that are copied one after the other, the compiler copies by vectors: of what
/// has just been stored word by word, such a load waits until it has reached the cache.
#[cfg(feature = "alloc")]
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn by_itself(word: u64) -> u64 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    let word = {
        let mut it = word;
        // SAFETY: no instruction at all.
        unsafe { core::arch::asm!("/* {0} */", inout(reg) it, options(pure, nomem, nostack, preserves_flags)) };
        it
    };
    word
}

/// 4 to 16 bytes as a little-endian number, by two loads that overlap. Copied to a block first,
/// they would be read there before both stores of the copy have reached the cache, which waits.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn little(bytes: &[u8]) -> u128 {
    let n = bytes.len();
    if let (Some(first), Some(last), ..=16) = (bytes.first_chunk(), bytes.last_chunk(), n) {
        let last = u128::from(u64::from_le_bytes(*last));
        return last << (8 * n - 64) | u128::from(u64::from_le_bytes(*first));
    }
    let (Some(first), Some(last), ..=8) = (bytes.first_chunk(), bytes.last_chunk(), n) else {
        unreachable!("4 to 16 bytes, not {n}")
    };
    let last = u128::from(u32::from_le_bytes(*last));
    last << (8 * n - 32) | u128::from(u32::from_le_bytes(*first))
}

/// `a ^ b` of two blocks in memory.
#[inline(always)]
pub fn xor_block(a: &Block, b: &Block) -> Block {
    (u128::from_ne_bytes(*a) ^ u128::from_ne_bytes(*b)).to_ne_bytes()
}

/// Compares in a time that depends on the lengths only.
#[inline]
pub fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let ((x, x_rest), (y, y_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut diff = 0;
    for (x, y) in x.iter().zip(y) {
        diff |= u64::from_ne_bytes(*x) ^ u64::from_ne_bytes(*y);
    }
    for (x, y) in x_rest.iter().zip(y_rest) {
        diff |= (x ^ y) as u64;
    }
    // The barrier keeps the compiler from turning the loop into one that stops
    // at the first difference.
    core::hint::black_box(diff) == 0
}

/// How many blocks `len` bytes make; a slice is too short for an overflow.
#[inline(always)]
pub fn block_count(len: usize) -> usize {
    (len + 15) / 16
}
