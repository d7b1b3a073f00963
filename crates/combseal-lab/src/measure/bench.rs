//! The memory in which messages are measured. Where they lie can change the cost by a third, so all
//! implementations get the same pages, and every sample gets another place on them.

use super::random::Random;
use memmap2::MmapMut;

/// Addresses that differ by a multiple of this look alike to a core's store buffer.
const PAGE: usize = 4096;
/// A huge page of most systems.
const HUGE: usize = 2 << 20;
/// The bytes of messages that an `open` ring may hold, so that it stays in any L1 cache.
pub(crate) const RING_BYTES: usize = 16384;
/// The most messages in a ring; their tags take 4 KiB.
pub(crate) const RING_MESSAGES: usize = 256;

/// The buffers all timed loops share: the same pages for every competitor. Loops may take it
/// apart, since they work on a message and its tail at once.
pub struct Bench {
    pub(crate) pages: MmapMut,
    /// Where the first page begins.
    start: usize,
    /// Where the messages begin.
    pub(crate) offset: usize,
    /// The tails of a ring's messages, one behind the other.
    pub(crate) tails: Vec<u8>,
}

impl Bench {
    /// Room for messages of up to `longest` bytes, page-aligned, filled at random: in huge
    /// pages, where the system has them. Which small pages a process gets is luck, and
    /// decides which lines of a long message fall out of the second cache.
    ///
    /// # Panics
    /// If there is not as much memory.
    pub fn new(longest: usize) -> Self {
        let room = (longest.max(RING_BYTES) + 2 * PAGE).next_multiple_of(HUGE);
        let mut pages = MmapMut::map_anon(room + HUGE).expect("memory for the messages");
        #[cfg(target_os = "linux")]
        // Where the system has no huge pages, the small ones will do.
        let _ = pages.advise(memmap2::Advice::HugePage);
        Random::new(2011).fill(&mut pages);
        let start = pages.as_ptr().align_offset(HUGE) % HUGE;
        Bench { pages, start, offset: start, tails: vec![0; 16 * RING_MESSAGES] }
    }

    /// Moves the messages to another cache line of the page. Where they lie relative to a key's
    /// context or to the stack can cost a third (loads that seem to depend on stores 4 KiB
    /// away), and would be luck of the process if every sample used the same place.
    pub fn shuffle(&mut self, random: &mut Random) {
        self.place(random.below(PAGE / 64));
    }

    /// Moves the messages to that cache line of the page, counted modulo the lines of a page.
    pub fn place(&mut self, line: usize) {
        self.offset = self.start + 64 * line % PAGE;
    }

    /// Makes room for so many bytes of tails. There is room for a ring of 16-byte tags.
    pub(crate) fn make_room_for_tails(&mut self, bytes: usize) {
        if self.tails.len() < bytes {
            self.tails.resize(bytes, 0);
        }
    }

    /// The message of `bytes` bytes, `at` bytes behind the first.
    #[inline(always)]
    pub(crate) fn at(&mut self, at: usize, bytes: usize) -> &mut [u8] {
        &mut self.pages[self.offset + at..][..bytes]
    }

    /// The message in a slot of a ring, whose messages lie `stride` bytes apart.
    #[inline(always)]
    pub(crate) fn message(&mut self, slot: usize, stride: usize, bytes: usize) -> &mut [u8] {
        &mut self.pages[self.offset + slot * stride..][..bytes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_lie_on_a_page() {
        let mut bench = Bench::new(20000);
        assert_eq!(bench.message(0, 128, 100).as_ptr().addr() % 4096, 0);
        let mut random = Random::new(3);
        for _ in 0..1000 {
            bench.shuffle(&mut random);
            assert_eq!(bench.message(0, 20032, 20000).as_ptr().addr() % 64, 0);
        }
    }
}
