//! Words of a cipher's state, wiped as the library wipes its keys.

use combseal::internals::Wipe;

/// Zeroes all of them; the compiler may not leave it out.
#[inline]
pub fn words(words: &mut [u32]) {
    let (lines, rest) = words.as_chunks_mut::<16>();
    for line in lines {
        line.wipe();
    }
    if !rest.is_empty() {
        // The wipe of a line that the words go through: none may stay behind.
        rest.fill(0);
        std::hint::black_box(rest);
    }
}
