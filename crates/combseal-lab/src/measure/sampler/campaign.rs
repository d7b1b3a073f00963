//! A campaign measures every point once a round, in an order that is drawn at random for each round.
//! So a drifting frequency or a busy machine affects all implementations alike. A disturbed sample
//! is thrown away and repeated; no sample that was kept is dropped later.

use crate::measure::bench::Bench;
use crate::measure::clock::{Clock, Stopwatch};
use crate::measure::random::Random;
use crate::measure::stats;
use crate::measure::work::Work;
use std::hint::black_box;

/// How often a disturbed sample is repeated before it is kept, disturbed as it is.
const TRIES: u64 = 60;
/// A sample that is so many times longer than it should be is taken less often.
const SLOW: u64 = 10;
/// Steps through the unit square that leave any number of its points evenly spread (Roberts's R2
/// sequence: one over the plastic number, and over its square), for [`places`].
const STEPS: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053];

/// One sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Cycles (or what the clock counts) for one message.
    pub amount: f64,
    pub(super) steady: bool,
    pub(super) canary: f64,
}

/// One thing to be measured; `label` says what it is.
pub struct Point<L> {
    /// What is measured.
    pub label: L,
    /// Every sample that was kept.
    pub samples: Vec<Sample>,
    /// Samples that were thrown away.
    pub discarded: usize,
    /// Of these and of the samples, how many were taken while the calibration moved or
    /// another process had the core.
    pub moved: usize,
    pub(super) work: Box<dyn Work>,
    /// Messages (or bursts, for work that comes in bursts) in a sample; 0 until known.
    size: u64,
    /// How many times longer a sample is than it should be, where one message is longer.
    cost: u64,
    /// Where in memory it begins.
    begin: usize,
}

/// A point in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The median of the clean samples; of all, if none was clean.
    pub median: f64,
    /// The smallest of the same.
    pub minimum: f64,
    /// A quarter of the same lie below.
    pub p25: f64,
    /// Three quarters of the same lie below.
    pub p75: f64,
    /// The clean samples.
    pub clean: usize,
    /// The samples kept although disturbed.
    pub unclean: usize,
    /// The samples thrown away and repeated.
    pub discarded: usize,
    /// Messages that did not come out as they should have; anything but 0 voids the point.
    pub faults: u64,
}

/// All the points of a run, and what they are measured with.
pub struct Campaign<'a, L> {
    /// The points, in the order they were added.
    pub points: Vec<Point<L>>,
    pub(super) clock: &'a mut Clock,
    pub(super) bench: Bench,
    pub(super) random: Random,
}

impl<'a, L> Campaign<'a, L> {
    /// No points yet; messages of up to `longest` bytes.
    pub fn new(clock: &'a mut Clock, longest: usize, seed: u64) -> Self {
        Campaign { points: Vec::new(), clock, bench: Bench::new(longest), random: Random::new(seed) }
    }

    /// Adds a point.
    pub fn add(&mut self, label: L, work: Box<dyn Work>) {
        let begin = self.random.below(256);
        self.points.push(Point { label, work, samples: Vec::new(), discarded: 0, moved: 0, size: 0, cost: 1, begin });
    }

    /// Measures every point `rounds` times, then those that have too few clean samples up to
    /// `rounds` times more. `progress` hears after each round how many are done, of how many,
    /// and says whether to go on.
    ///
    /// A point whose single message outlasts several samples takes part in fewer rounds, down
    /// to five, so that one slow implementation does not hold up all the others.
    pub fn run(&mut self, rounds: usize, mut progress: impl FnMut(usize, usize) -> bool) {
        let every = |point: &Point<L>| (point.cost / SLOW).clamp(1, (rounds as u64 / 5).max(1)) as usize;
        for round in 0..rounds {
            let due = |&i: &usize| (round + i).is_multiple_of(every(&self.points[i])) || self.points[i].size == 0;
            self.round((0..self.points.len()).filter(due).collect());
            if !progress(round + 1, rounds) {
                return;
            }
        }
        for _ in 0..rounds {
            let wanting = |&i: &usize| {
                let point = &self.points[i];
                let clean = point.samples.iter().filter(|s| self.clean(s)).count();
                clean < (rounds / every(point)).div_ceil(2) && point.cost < SLOW
            };
            let few: Vec<usize> = (0..self.points.len()).filter(wanting).collect();
            if few.is_empty() {
                break;
            }
            self.round(few);
            if !progress(rounds, rounds) {
                return;
            }
        }
    }

    fn round(&mut self, mut order: Vec<usize>) {
        self.random.shuffle(&mut order);
        for index in order {
            let point = &mut self.points[index];
            if point.size == 0 {
                (point.size, point.cost) = size(point.work.as_mut(), &mut self.bench, self.clock);
            }
            // Every place in turn rather than at random: a point that is fast in half of the
            // places would else be called fast or slow by luck.
            let turn = point.begin + point.samples.len();
            let (line, depth) = places(turn);
            self.bench.place(line);
            point.work.warm(&mut self.bench);
            let mut sample = take(point, depth, &mut self.bench, self.clock);
            for _ in 1..(TRIES / point.cost).max(2) {
                if self.clock.trusts(sample.steady, sample.canary) {
                    break;
                }
                point.discarded += 1;
                point.moved += usize::from(!sample.steady);
                sample = take(point, depth, &mut self.bench, self.clock);
            }
            point.moved += usize::from(!sample.steady);
            point.samples.push(sample);
        }
    }

    /// Is the sample clean, by what is known of the machine by now?
    pub fn clean(&self, sample: &Sample) -> bool {
        self.clock.trusts(sample.steady, sample.canary)
    }

    /// The clock of the campaign.
    pub fn clock(&self) -> &Clock {
        self.clock
    }

    /// A point in a few numbers.
    pub fn summary(&self, point: &Point<L>) -> Summary {
        let clean: Vec<f64> = point.samples.iter().filter(|s| self.clean(s)).map(|s| s.amount).collect();
        let all: Vec<f64> = point.samples.iter().map(|s| s.amount).collect();
        let used = if clean.is_empty() { &all } else { &clean };
        Summary {
            median: stats::median(used),
            minimum: stats::minimum(used),
            p25: stats::quantile(used, 0.25),
            p75: stats::quantile(used, 0.75),
            clean: clean.len(),
            unclean: all.len() - clean.len(),
            discarded: point.discarded,
            faults: point.work.faults(),
        }
    }
}

/// The cache line of a page, of 64, where the messages lie at a turn, and the depth of the stack,
/// of 256: evenly spread over all pairs of them, since it is how one lies to the other that costs.
fn places(turn: usize) -> (usize, usize) {
    let [line, depth] = STEPS.map(|step| (turn as f64 * step).fract());
    ((64.0 * line) as usize, (256.0 * depth) as usize)
}

/// Messages, or bursts, that fill a sample, and how many times too long that is.
fn size(work: &mut dyn Work, bench: &mut Bench, clock: &Clock) -> (u64, u64) {
    let target = clock.sample();
    let mut size = 1;
    work.warm(bench);
    loop {
        let mut best = u64::MAX;
        for _ in 0..3 {
            let mut watch = clock.stopwatch();
            go(work, bench, size, &mut watch);
            best = best.min(watch.ticks());
        }
        if best >= target / 4 || size >= 1 << 20 {
            // At least one; rounded, so that a sample is never much shorter than wanted.
            let size = ((size * target + best / 2) / best.max(1)).max(1);
            return (size, (best / target).max(1));
        }
        size *= 2;
    }
}

/// Times `size` messages, or bursts.
fn go(work: &mut dyn Work, bench: &mut Bench, size: u64, watch: &mut Stopwatch) {
    match work.burst() {
        None => watch.time(|| work.run(bench, size)),
        Some(burst) => {
            for _ in 0..size {
                work.prepare(bench);
                watch.time(|| work.run(bench, burst));
            }
        }
    }
}

/// One sample, after a tenth of one untimed: the point before has left its own code and
/// context in the caches.
fn take<L>(point: &mut Point<L>, depth: usize, bench: &mut Bench, clock: &mut Clock) -> Sample {
    let Point { work, size, .. } = point;
    let mut warm = clock.stopwatch();
    let reading = clock.measure(&mut |watch| {
        deeper(depth, &mut || {
            go(work.as_mut(), bench, size.div_ceil(10), &mut warm);
            go(work.as_mut(), bench, *size, watch);
        });
    });
    let messages = *size * work.burst().unwrap_or(1) * work.together();
    Sample { amount: reading.amount / messages as f64, steady: reading.steady, canary: reading.canary }
}

/// Calls `then` from `depth` stack frames further down.
///
/// Where the stack lies relative to cache lines and to the messages can cost a tenth and more,
/// and would be luck of the process if every sample used the same place.
#[inline(never)]
fn deeper(depth: usize, then: &mut dyn FnMut()) {
    let frame = black_box([0u8; 16]);
    if depth == 0 {
        then()
    } else {
        deeper(depth - 1, then)
    }
    black_box(frame);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten additions a message, in bursts or not.
    struct Adds {
        burst: Option<u64>,
        prepared: bool,
        sum: u64,
        warmed: u64,
    }

    impl Work for Adds {
        fn burst(&self) -> Option<u64> {
            self.burst
        }
        fn warm(&mut self, _bench: &mut Bench) {
            self.warmed += 1;
        }
        fn prepare(&mut self, _bench: &mut Bench) {
            self.prepared = true;
        }
        /// Not a fault: how often it was warmed, for a test to see.
        fn faults(&self) -> u64 {
            self.warmed
        }
        fn run(&mut self, _bench: &mut Bench, messages: u64) {
            assert!(self.burst.is_none() || self.prepared && Some(messages) == self.burst);
            self.prepared = false;
            for _ in 0..10 * messages {
                self.sum = std::hint::black_box(self.sum + 1);
            }
        }
    }

    #[test]
    fn stacks_begin_everywhere_in_a_cache_line() {
        let mut places = std::collections::BTreeSet::new();
        for depth in 0..64 {
            deeper(depth, &mut || {
                let local = 1u128;
                places.insert(std::ptr::from_ref(black_box(&local)).addr() % 64);
            });
        }
        assert_eq!(places.len(), 4, "{places:?}");
    }

    #[test]
    fn places_are_evenly_spread() {
        for begin in [0, 100, 255] {
            let mut seen = [[0; 4]; 4];
            for turn in begin..begin + 64 {
                let (line, depth) = places(turn);
                seen[line / 16][depth / 64] += 1;
            }
            assert!(seen.iter().flatten().all(|n| (2..=6).contains(n)), "{seen:?}");
        }
    }

    #[test]
    fn a_campaign_stops_when_told() {
        let mut clock = Clock::wall();
        let mut campaign = Campaign::new(&mut clock, 64, 1);
        campaign.add((), Box::new(Adds { burst: None, prepared: false, sum: 0, warmed: 0 }));
        campaign.run(50, |done, _| done < 3);
        assert_eq!(campaign.points[0].samples.len(), 3);
    }

    #[test]
    fn every_round_gives_every_point_a_sample() {
        for mut clock in [Clock::new(), Clock::wall()] {
            let mut campaign = Campaign::new(&mut clock, 64, 1);
            for burst in [None, Some(100)] {
                campaign.add(burst, Box::new(Adds { burst, prepared: false, sum: 0, warmed: 0 }));
            }
            let mut heard = Vec::new();
            campaign.run(5, |done, of| {
                heard.push((done, of));
                true
            });
            assert_eq!(heard[..5], [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]);
            for point in &campaign.points {
                let summary = campaign.summary(point);
                assert!(point.samples.len() >= 5);
                assert_eq!(summary.clean + summary.unclean, point.samples.len());
                assert!(summary.minimum > 0.0 && summary.minimum <= summary.median);
                // Once to learn how long it takes, then once a sample, however often that was repeated.
                assert_eq!(summary.faults, 1 + point.samples.len() as u64);
            }
        }
    }
}
