//! Which counters were received already: the anti-replay window of RFC 6479. Its bitmap
//! is a ring of words in which each counter has its place for good, so that nothing is
//! shifted when the window slides; the words that it slides over are cleared.

use crate::interface::error::Error;
use core::fmt;

/// The counters that one sender's messages carried, as far as they are remembered: the
/// highest, and of the [`SIZE`](Self::SIZE) before it which ones were there.
///
/// Counters are 64 bits wide and may begin at zero. `WORDS`, the ring's length in words
/// of 64 bits, is a power of two and at least 2: with 32 words a message may come 1984
/// counters late, with 128 8128. Other lengths do not compile:
///
/// ```compile_fail,E0080
/// combseal::ReplayWindow::<3>::new();
/// ```
/// ```compile_fail,E0080
/// combseal::ReplayWindow::<1>::new();
/// ```
///
/// A window belongs to one key and one sender. [`check`](Self::check) goes before the
/// work of opening, [`accept`](Self::accept) after it, once the message is known to be
/// authentic: else a forger would slide the window. [`Opener`](crate::Opener) does both.
///
/// Deliberately not `Clone`: of two copies, each would let pass what the other has seen.
pub struct ReplayWindow<const WORDS: usize> {
    /// Of counter `c`, bit `c % 64` of word `c / 64 % WORDS`: whether it was accepted.
    words: [u64; WORDS],
    /// Zero, with its bit clear, if none was accepted yet.
    highest: u64,
}

impl<const WORDS: usize> ReplayWindow<WORDS> {
    /// How far behind the highest counter one may be and still be accepted: all of the
    /// ring but a word, which the highest shares with counters to come.
    // Saturating, since code that is never reached may name the size of a window of no
    // words, which cannot be made.
    pub const SIZE: u64 = 64 * (WORDS as u64).saturating_sub(1);

    /// A window that has seen nothing, and lets any counter pass: for a new key. Under
    /// an old one, say after a restart, it would let pass all that was ever sent.
    pub const fn new() -> Self {
        const { assert!(WORDS >= 2 && WORDS.is_power_of_two(), "WORDS is a power of two and at least 2") };
        Self { words: [0; WORDS], highest: 0 }
    }

    /// Whether `counter` is new. Changes nothing: the message may yet be forged.
    ///
    /// # Errors
    /// [`Error::Replayed`] if it was accepted already, or is more than
    /// [`SIZE`](Self::SIZE) behind the highest.
    #[inline]
    pub fn check(&self, counter: u64) -> Result<(), Error> {
        let old = self.highest.saturating_sub(counter) > Self::SIZE;
        if old || counter <= self.highest && self.has(counter) { Err(Error::Replayed) } else { Ok(()) }
    }

    /// Marks `counter` as received: for messages that proved authentic, and no others.
    ///
    /// # Errors
    /// As [`check`](Self::check); then nothing changes.
    #[inline]
    pub fn accept(&mut self, counter: u64) -> Result<(), Error> {
        self.check(counter)?;
        self.mark(counter);
        Ok(())
    }

    /// The highest counter accepted, if any was.
    pub fn highest(&self) -> Option<u64> {
        self.has(self.highest).then_some(self.highest)
    }

    /// Marks a counter that `check` let pass.
    #[inline]
    pub(crate) fn mark(&mut self, counter: u64) {
        if counter > self.highest {
            // The words between, and the counter's own if it is another; after a jump
            // over the whole ring, each of them once.
            let from = self.highest / 64;
            for word in from + 1..=(counter / 64).min(from + WORDS as u64) {
                self.words[Self::place(word)] = 0;
            }
            self.highest = counter;
        }
        self.words[Self::place(counter / 64)] |= 1 << (counter % 64);
    }

    /// Whether the bit of `counter` is set: what it says is true of the counters from
    /// the highest down to [`SIZE`](Self::SIZE) before it.
    #[inline]
    fn has(&self, counter: u64) -> bool {
        self.words[Self::place(counter / 64)] >> (counter % 64) & 1 == 1
    }

    /// Where in the ring the word is that is number `word` of all.
    #[inline]
    fn place(word: u64) -> usize {
        (word % WORDS as u64) as usize
    }
}

impl<const WORDS: usize> Default for ReplayWindow<WORDS> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const WORDS: usize> fmt::Debug for ReplayWindow<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReplayWindow")
            .field("size", &Self::SIZE)
            .field("highest", &self.highest())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// What the window should be: all counters ever accepted.
    #[derive(Default)]
    struct Model {
        seen: HashSet<u64>,
        highest: Option<u64>,
    }

    impl Model {
        fn check(&self, counter: u64, size: u64) -> Result<(), Error> {
            let old = self.highest.is_some_and(|h| counter < h && h - counter > size);
            if old || self.seen.contains(&counter) { Err(Error::Replayed) } else { Ok(()) }
        }
        fn accept(&mut self, counter: u64, size: u64) -> Result<(), Error> {
            self.check(counter, size)?;
            self.seen.insert(counter);
            self.highest = self.highest.max(Some(counter));
            Ok(())
        }
    }

    /// Says the same of every counter from beyond the window's far end to beyond a whole
    /// ring ahead.
    fn agree<const W: usize>(window: &ReplayWindow<W>, model: &Model) {
        assert_eq!(window.highest(), model.highest);
        let (at, ring) = (model.highest.unwrap_or(0), 64 * W as u64);
        for c in at.saturating_sub(2 * ring)..=at.saturating_add(ring + 70) {
            assert_eq!(window.check(c), model.check(c, ReplayWindow::<W>::SIZE), "{c} with {window:?}");
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Behind(u64),
        Ahead(u64),
        Anywhere(u64),
        /// Checked, and then found to be forged.
        Forged(u64),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        proptest::collection::vec(
            prop_oneof![
                4 => (0u64..300).prop_map(Step::Behind),
                1 => (0u64..1200).prop_map(Step::Behind),
                4 => (1u64..100).prop_map(Step::Ahead),
                1 => (1u64..1200).prop_map(Step::Ahead),
                1 => (1u64..20).prop_map(|n| Step::Ahead(64 * n)),
                1 => prop_oneof![any::<u64>(), 0u64..500, u64::MAX - 500..=u64::MAX].prop_map(Step::Anywhere),
                1 => (0u64..1200).prop_map(Step::Forged),
            ],
            0..60,
        )
    }

    fn beside<const W: usize>(steps: &[Step]) {
        let (mut window, mut model) = (ReplayWindow::<W>::new(), Model::default());
        for step in steps {
            let at = model.highest.unwrap_or(0);
            let counter = match *step {
                Step::Behind(n) => at.saturating_sub(n),
                Step::Ahead(n) | Step::Forged(n) => at.saturating_add(n),
                Step::Anywhere(n) => n,
            };
            if let Step::Forged(_) = step {
                let before = window.words;
                assert_eq!(window.check(counter), model.check(counter, ReplayWindow::<W>::SIZE));
                assert_eq!(window.words, before);
            } else {
                let expected = model.accept(counter, ReplayWindow::<W>::SIZE);
                assert_eq!(window.accept(counter), expected, "{counter}");
                assert_eq!(window.accept(counter), Err(Error::Replayed), "{counter}, twice");
            }
            agree(&window, &model);
        }
    }

    proptest! {
        /// The ring says what a set of all counters says.
        #[test]
        fn as_a_set(steps in steps()) {
            beside::<2>(&steps);
            beside::<4>(&steps);
            beside::<16>(&steps);
        }
    }

    /// From every place in the ring, a step of every length to beyond a whole ring: what
    /// was seen before stays seen, what was not stays new.
    #[test]
    fn every_step_from_every_place() {
        fn all<const W: usize>() {
            let ring = 64 * W as u64;
            for from in 0..2 * ring {
                for step in 0..=ring + 66 {
                    let (mut window, mut model) = (ReplayWindow::<W>::new(), Model::default());
                    // Every third counter, and the last.
                    let counters = (from.saturating_sub(ring)..from).filter(|c| c % 3 == 0).chain([from, from + step]);
                    for c in counters {
                        assert_eq!(window.accept(c), model.accept(c, ReplayWindow::<W>::SIZE));
                    }
                    let at = from + step;
                    for c in at.saturating_sub(ring + 2)..=at + 1 {
                        assert_eq!(
                            window.check(c),
                            model.check(c, ReplayWindow::<W>::SIZE),
                            "{from} + {step}: {c} in {W} words"
                        );
                    }
                }
            }
        }
        all::<2>();
        all::<4>();
    }

    /// By RFC 6479's code: with a ring of 1024 bits, a counter is too old if the window's
    /// size added to it is less than the highest. The RFC's words have 32 bits, which
    /// makes a window of 992; with 64 it is 960.
    #[test]
    fn figures() {
        const SIZE: u64 = 960;
        assert_eq!(ReplayWindow::<16>::SIZE, SIZE);
        let mut window = ReplayWindow::<16>::new();
        assert_eq!(window.highest(), None);
        let mut expect = |counter, new: bool, highest| {
            assert_eq!(window.accept(counter).is_ok(), new, "{counter} after {:?}", window.highest());
            assert_eq!(window.highest(), Some(highest));
        };
        expect(0, true, 0);
        expect(0, false, 0);
        expect(SIZE, true, SIZE);
        // 960 behind, and seen; the next one, not.
        expect(0, false, SIZE);
        expect(1, true, SIZE);
        expect(SIZE + 2, true, SIZE + 2);
        // 961 behind; 960, 959.
        expect(1, false, SIZE + 2);
        expect(2, true, SIZE + 2);
        expect(3, true, SIZE + 2);
        expect(2, false, SIZE + 2);
        // To the last counter of a word, and to the first of the next.
        expect(1023, true, 1023);
        expect(1024, true, 1024);
        expect(63, false, 1024);
        expect(64, true, 1024);
        // Over the ring: what was in the counters' places is gone, what is behind is old.
        expect(5 * 1024, true, 5 * 1024);
        expect(4 * 1024 + 64, true, 5 * 1024);
        expect(4 * 1024 + 63, false, 5 * 1024);
        expect(1024, false, 5 * 1024);
    }

    /// The last counters that there are.
    #[test]
    fn the_end() {
        type Window = ReplayWindow<2>;
        let mut window = Window::default();
        window.accept(0).unwrap();
        window.accept(u64::MAX).unwrap();
        assert_eq!(window.highest(), Some(u64::MAX));
        for old in [u64::MAX, 0, 1, u64::MAX - 65, u64::MAX - 128] {
            assert_eq!(window.accept(old), Err(Error::Replayed), "{old}");
        }
        for c in u64::MAX - Window::SIZE..u64::MAX {
            assert_eq!(window.accept(c), Ok(()), "{c}");
            assert_eq!(window.accept(c), Err(Error::Replayed), "{c}");
        }
        assert_eq!(window.highest(), Some(u64::MAX));
    }

    /// No counter at all is not the counter zero.
    #[test]
    fn the_beginning() {
        let mut window = ReplayWindow::<2>::new();
        assert_eq!((window.check(0), window.check(u64::MAX), window.highest()), (Ok(()), Ok(()), None));
        window.accept(0).unwrap();
        assert_eq!((window.check(0), window.highest()), (Err(Error::Replayed), Some(0)));
        // Zero was not there, and has not been cleared of being there.
        let mut window = ReplayWindow::<2>::new();
        window.accept(64).unwrap();
        assert_eq!((window.accept(0), window.accept(0)), (Ok(()), Err(Error::Replayed)));
        assert_eq!(format!("{window:?}"), "ReplayWindow { size: 64, highest: Some(64), .. }");
    }
}
