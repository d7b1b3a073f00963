//! Words of a cipher's state, wiped as the library wipes its keys: it knows sixteen at a time.

use combseal::internals::Wipe;

/// Zeroes all of them; the compiler may not leave it out.
#[inline]
pub fn words(words: &mut [u32]) {
    for line in words.as_chunks_mut::<16>().0 {
        line.wipe();
    }
    // What is left of a last sixteen, with some of those before.
    if let Some(line) = words.last_chunk_mut::<16>() {
        line.wipe();
    } else {
        words.fill(0);
        std::hint::black_box(words);
    }
}
