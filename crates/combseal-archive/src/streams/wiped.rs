//! Words of keys and states, zeroed when they are no longer needed.

/// Zeroes `words`; the compiler may not leave it out, since it must take it that they are read behind.
#[inline(always)]
pub fn wipe(words: &mut [u32]) {
    words.fill(0);
    std::hint::black_box(words);
}
