//! The comb: which messages walk the pipeline side by side, and how far
//! (Bogdanov, Lauridsen and Tischhauser 2014, Algorithms 1 and 2).
//!
//! Pure: lengths in blocks and the number of lanes in, a plan out. It knows
//! nothing of the AES, and moves indices, never data.

use alloc::vec::Vec;

/// The most lanes there are.
pub const MAX_LANES: usize = 16;

/// A stretch in which the same messages walk: the first `width` of their group,
/// `blocks` blocks each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// How many messages, P\[w\].
    pub width: usize,
    /// How many blocks of each, B\[w\].
    pub blocks: usize,
}

/// The windows of one group (Algorithm 2): `len(i)` is the length in blocks of its
/// message `i`, of `count`, none longer than the one before it. Lengths of zero
/// make no window.
pub fn windows(count: usize, len: impl Fn(usize) -> usize) -> impl Iterator<Item = Window> {
    let mut place = Place::new(count);
    core::iter::from_fn(move || place.window(&len))
}

/// How far the windows of a group have come.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    width: usize,
    done: usize,
}

impl Place {
    /// Before the first window of a group of `count` messages.
    #[inline(always)]
    pub fn new(count: usize) -> Self {
        Self { width: count, done: 0 }
    }

    /// The next window of messages of `len(i)` blocks, as in [`windows`].
    #[inline(always)]
    pub fn window(&mut self, len: impl Fn(usize) -> usize) -> Option<Window> {
        // From the shortest message on, as the paper scans: right to left.
        while self.width > 0 {
            let (width, blocks) = (self.width, len(self.width - 1).saturating_sub(self.done));
            if blocks > 0 {
                self.done += blocks;
                return Some(Window { width, blocks });
            }
            self.width -= 1;
        }
        None
    }
}

/// The order of a batch: its messages by decreasing length, in groups of as many
/// as there are lanes (Algorithm 1). Reusable: a second plan of no more
/// messages allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    order: Vec<u32>,
    keys: Vec<u64>,
    /// Where each message's count is.
    places: Vec<u8>,
    lanes: usize,
}

/// What a plan makes of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    /// Windows in all groups.
    pub windows: usize,
    /// Blocks in all messages.
    pub blocks: usize,
    /// Steps: blocks that follow one another, the sum of all B\[w\].
    pub steps: usize,
}

impl Shape {
    /// Blocks a step: how many lanes were full on average.
    pub fn mean_width(&self) -> f64 {
        if self.steps == 0 { 0.0 } else { self.blocks as f64 / self.steps as f64 }
    }
}

/// Messages from which on lengths are counted rather than compared.
const MANY: usize = 48;
/// Lengths in blocks that have a count of their own.
const COUNTED: usize = 256;

impl Plan {
    /// No messages.
    pub const fn new() -> Self {
        Self { order: Vec::new(), keys: Vec::new(), places: Vec::new(), lanes: 1 }
    }

    /// Plans for `count` messages of `blocks(i)` blocks, `lanes` of them side by
    /// side: 1 to [`MAX_LANES`]. Messages of the same length keep their order.
    pub fn make(&mut self, count: usize, lanes: usize, blocks: impl Fn(usize) -> usize) {
        self.lanes = lanes.clamp(1, MAX_LANES);
        self.order.clear();
        // Often they are all of one length, which one look at each tells.
        if (1..count).all(|i| blocks(i) <= blocks(i - 1)) {
            self.order.extend(0..count as u32);
        } else if count < MANY {
            self.by_comparison(count, blocks);
        } else {
            self.by_counting(count, blocks);
        }
    }

    fn by_comparison(&mut self, count: usize, blocks: impl Fn(usize) -> usize) {
        let mut long = 0;
        self.keys.clear();
        self.keys.extend((0..count).map(|i| {
            let short = u32::try_from(blocks(i)).unwrap_or(u32::MAX);
            long += usize::from(short == u32::MAX);
            u64::from(!short) << 32 | i as u64
        }));
        self.keys.sort_unstable();
        self.order.extend(self.keys.iter().map(|&k| k as u32));
        self.longest_first(long, blocks);
    }

    /// Those too long for a number of their own, which are the first `long` in the order given.
    #[inline(always)]
    fn longest_first(&mut self, long: usize, blocks: impl Fn(usize) -> usize) {
        if long > 1 {
            self.order[..long].sort_unstable_by_key(|&i| (!blocks(i as usize), i));
        }
    }

    fn by_counting(&mut self, count: usize, blocks: impl Fn(usize) -> usize) {
        let mut counts = [0u32; COUNTED];
        let (mut longest, mut shortest) = (COUNTED - 1, 0);
        self.places.clear();
        self.places.extend((0..count).map(|i| {
            let place = (COUNTED - 1) - blocks(i).min(COUNTED - 1);
            counts[place] += 1;
            (longest, shortest) = (longest.min(place), shortest.max(place));
            place as u8
        }));
        let long = counts[0] as usize;
        let mut at = 0;
        for c in &mut counts[longest..=shortest] {
            at += core::mem::replace(c, at);
        }
        self.order.resize(count, 0);
        for (i, &place) in (0..).zip(&self.places) {
            let c = &mut counts[place as usize];
            self.order[*c as usize] = i;
            *c += 1;
        }
        self.longest_first(long, blocks);
    }

    /// The messages' numbers, the longest first.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The groups, of as many messages as there are lanes; the last may have fewer.
    pub fn groups(&self) -> core::slice::Chunks<'_, u32> {
        self.order.chunks(self.lanes.max(1))
    }

    /// How many lanes it was made for.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// What the plan makes of messages of `blocks(i)` blocks, as it was made for.
    pub fn shape(&self, blocks: impl Fn(usize) -> usize) -> Shape {
        let mut shape = Shape::default();
        for group in self.groups() {
            for w in windows(group.len(), |i| blocks(group[i] as usize)) {
                shape.windows += 1;
                shape.blocks += w.width * w.blocks;
                shape.steps += w.blocks;
            }
        }
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(lengths: &[usize], lanes: usize) -> Vec<Vec<(usize, usize)>> {
        let mut plan = Plan::new();
        plan.make(lengths.len(), lanes, |i| lengths[i]);
        let of = |g: &[u32]| windows(g.len(), |i| lengths[g[i] as usize]).map(|w| (w.width, w.blocks)).collect();
        plan.groups().map(of).collect()
    }

    /// Bogdanov, Lauridsen and Tischhauser 2014, Fig. 1.
    #[test]
    fn figure_1() {
        assert_eq!(all(&[94, 5, 5, 5, 85, 94, 94], 7), [[(7, 5), (4, 80), (3, 9)]]);
    }

    #[test]
    fn few_messages() {
        assert_eq!(all(&[], 8), [[(0, 0); 0]; 0]);
        assert_eq!(all(&[0], 8), [[]]);
        assert_eq!(all(&[3], 8), [[(1, 3)]]);
        assert_eq!(all(&[1, 2, 3], 2), [vec![(2, 2), (1, 1)], vec![(1, 1)]]);
        assert_eq!(all(&[1, 2], 0), all(&[1, 2], 1));
        assert_eq!(all(&[9; 40], 99), [vec![(16, 9)], vec![(16, 9)], vec![(8, 9)]]);
    }

    /// Lengths are compared in full, however few the messages.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn very_long_messages() {
        let few = [u32::MAX as usize, 1 << 32, 3, (1 << 32) + 5, usize::MAX, 1 << 32, 1 << 40];
        let many: Vec<usize> = few.into_iter().chain([0; 60]).collect();
        for lengths in [&few[..], &many] {
            let mut plan = Plan::new();
            plan.make(lengths.len(), 16, |i| lengths[i]);
            assert_eq!(plan.order()[..7], [4, 6, 3, 1, 5, 0, 2]);
        }
    }

    /// What a user sees of Fig. 1.
    #[test]
    fn shape() {
        let lengths = [94, 5, 5, 5, 85, 94, 94];
        let mut plan = Plan::new();
        plan.make(7, 7, |i| lengths[i]);
        let shape = plan.shape(|i| lengths[i]);
        assert_eq!(shape, Shape { windows: 3, blocks: 382, steps: 94 });
        assert!((shape.mean_width() - 382.0 / 94.0).abs() < 1e-9);
    }

    proptest! {
        /// Every block of every message once, in order, never more than the lanes
        /// at once; longest first, and equals in the order given.
        #[test]
        fn covers(
            lengths in proptest::collection::vec(prop_oneof![0usize..6, 0usize..400, 250usize..260], 0..200),
            lanes in 1usize..=16,
        ) {
            let mut plan = Plan::new();
            // A plan made before leaves nothing behind.
            plan.make(60, 3, |i| i);
            plan.make(lengths.len(), lanes, |i| lengths[i]);
            let order = plan.order();
            let sorted = order.windows(2).all(|w| {
                let (a, b) = (lengths[w[0] as usize], lengths[w[1] as usize]);
                a > b || a == b && w[0] < w[1]
            });
            prop_assert!(sorted);
            let mut done = vec![0; lengths.len()];
            for group in plan.groups() {
                prop_assert!(group.len() <= lanes);
                let mut at = 0;
                for w in windows(group.len(), |i| lengths[group[i] as usize]) {
                    prop_assert!(w.blocks > 0 && w.width > 0);
                    for &i in &group[..w.width] {
                        prop_assert_eq!(done[i as usize], at);
                        done[i as usize] += w.blocks;
                    }
                    at += w.blocks;
                }
            }
            prop_assert_eq!(done, lengths);
        }
    }
}
