//! The papers' own ways of timing, for those who want to compare figures with theirs. None of them
//! repeats a disturbed sample or leaves one out. Amounts are core cycles all the same, as ours are.

use super::campaign::{Campaign, Point, Sample};
use crate::measure::bench::Bench;
use crate::measure::clock::{Clock, Reading};
use crate::measure::method::Method;
use crate::measure::work::Work;
use std::time::Duration;

/// Krovetz and Rogaway: how many differences the median is taken of.
const DIFFERENCES: usize = 15;
/// Bogdanov, Lauridsen and Tischhauser: medians of so many averages of so many timings.
const AVERAGES: usize = 91;
const TIMINGS: u64 = 200;
/// Bernstein: timings a length.
const SINGLES: usize = 15;

impl<L> Campaign<'_, L> {
    /// Measures every point once by a paper's `method`, in random order. `each` is how long a
    /// point may take by processor time; the 2011 paper took a little more than a second.
    /// `progress` hears how many are done, of how many, and says whether to go on.
    ///
    /// # Panics
    /// If `method` is ours, for which there is [`run`](Campaign::run), or wants messages one
    /// by one and a point's come in bursts.
    pub fn run_by(&mut self, method: Method, each: Duration, mut progress: impl FnMut(usize, usize) -> bool) {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        self.random.shuffle(&mut order);
        for (done, &index) in order.iter().enumerate() {
            let Point { work, samples, moved, .. } = &mut self.points[index];
            let work = work.as_mut();
            self.bench.shuffle(&mut self.random);
            // Code and data are in the caches before the timing begins (2011, Sect. 4).
            work.warm(&mut self.bench);
            for _ in 0..2 {
                work.prepare(&mut self.bench);
                work.run(&mut self.bench, work.burst().unwrap_or(65));
            }
            let (bench, clock) = (&mut self.bench, &mut *self.clock);
            *samples = match method {
                Method::Campaign => panic!("that method is `run`"),
                Method::Kr65 => (0..DIFFERENCES).map(|_| difference(work, bench, clock)).collect(),
                Method::Median91 => {
                    let times = TIMINGS.div_ceil(work.burst().unwrap_or(1));
                    (0..AVERAGES).map(|_| singles(work, bench, clock, times)).collect()
                }
                Method::Single15 => (0..SINGLES).map(|_| singles(work, bench, clock, 1)).collect(),
                Method::ProcessTime => {
                    vec![process_time(work, bench, clock.nanoseconds_a_unit(), processor_time, each)]
                }
            };
            *moved = samples.iter().filter(|sample| !sample.steady).count();
            if !progress(done + 1, order.len()) {
                return;
            }
        }
    }
}

/// 65 messages on successive nonces less one message: the cost of 64, with OCB's new Ktop once
/// among them, and without that of reading the counter (2011, footnote 3).
fn difference(work: &mut dyn Work, bench: &mut Bench, clock: &mut Clock) -> Sample {
    assert!(work.burst().is_none(), "65 messages cannot be timed in bursts");
    let mut time = |messages| clock.measure(&mut |watch| watch.time(|| work.run(bench, messages)));
    let (many, one): (Reading, Reading) = (time(65), time(1));
    Sample {
        amount: ((many.amount - one.amount) / 64.0).max(0.0),
        steady: many.steady && one.steady,
        canary: many.canary.min(one.canary),
    }
}

/// The average of `times` timings, each of one message (or burst) by itself.
fn singles(work: &mut dyn Work, bench: &mut Bench, clock: &mut Clock, times: u64) -> Sample {
    let burst = work.burst().unwrap_or(1);
    let reading = clock.measure(&mut |watch| {
        for _ in 0..times {
            work.prepare(bench);
            watch.time(|| work.run(bench, burst));
        }
    });
    Sample { amount: reading.amount / (times * burst) as f64, steady: reading.steady, canary: reading.canary }
}

/// The processor time of the process, which `now` tells as C's `clock()` does, around many messages.
fn process_time(
    work: &mut dyn Work,
    bench: &mut Bench,
    nanoseconds_a_unit: f64,
    now: impl Fn() -> Duration,
    each: Duration,
) -> Sample {
    assert!(work.burst().is_none(), "bursts would be timed with what prepares them");
    let (start, mut messages, mut size) = (now(), 0u64, 1);
    let mut passed = Duration::ZERO;
    while passed < each {
        work.run(bench, size);
        messages += size;
        passed = now() - start;
        // More messages between two looks at the clock, so that looking takes no time worth
        // speaking of.
        if passed < each / 100 {
            size *= 2;
        }
    }
    let amount = passed.as_nanos() as f64 / nanoseconds_a_unit / messages as f64;
    Sample { amount, steady: true, canary: f64::INFINITY }
}

/// How much processor time this process has used; real time, where nobody counts that.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::hint::black_box;
    use std::rc::Rc;

    /// A chain of dependent products, so that all methods can agree on it.
    struct Products(u64);

    impl Work for Products {
        fn run(&mut self, _bench: &mut Bench, messages: u64) {
            for _ in 0..1000 * messages {
                self.0 = black_box(self.0).wrapping_mul(0x5851_f42d_4c95_7f2d);
            }
        }
    }

    #[test]
    fn every_method_gives_its_number_of_samples() {
        for (method, number) in
            [(Method::Kr65, 15), (Method::Median91, 91), (Method::Single15, 15), (Method::ProcessTime, 1)]
        {
            let mut clock = Clock::new();
            let mut campaign = Campaign::new(&mut clock, 64, 1);
            campaign.add((), Box::new(Products(1)));
            campaign.add((), Box::new(Products(1)));
            let mut heard = Vec::new();
            campaign.run_by(method, Duration::from_millis(3), |done, of| {
                heard.push((done, of));
                true
            });
            assert_eq!(heard, [(1, 2), (2, 2)]);
            for point in &campaign.points {
                assert_eq!(point.samples.len(), number, "{method:?}");
                let median = crate::measure::stats::median(&point.samples.iter().map(|s| s.amount).collect::<Vec<_>>());
                // At least a cycle a product.
                assert!(median >= 100.0, "{method:?}: {median}");
                // Far from a mistake of a thousand; but the time of the process is that of other tests too.
                assert!(method == Method::ProcessTime || median < 1e6, "{method:?}: {median}");
            }
        }
    }

    /// No faster than all cores, and no slower by a mistake of a thousand.
    #[test]
    fn processor_time_is_time() {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get()) as u32;
        let (wall, begun, used) = (std::time::Instant::now(), processor_time(), Duration::from_millis(20));
        while processor_time() - begun < used {
            black_box(());
        }
        let wall = wall.elapsed();
        assert!(2 * cores * wall >= used && wall < 3000 * used, "{wall:?}");
    }

    /// A message takes a microsecond on a clock that nothing else moves.
    struct Microseconds(Rc<Cell<u64>>);

    impl Work for Microseconds {
        fn run(&mut self, _bench: &mut Bench, messages: u64) {
            self.0.set(self.0.get() + messages);
        }
    }

    #[test]
    fn processor_time_is_shared_among_all_messages() {
        for each in [1, 99, 100, 3000] {
            let time = Rc::new(Cell::new(7));
            let mut work = Microseconds(time.clone());
            let now = || Duration::from_micros(time.get());
            let sample = process_time(&mut work, &mut Bench::new(64), 0.25, now, Duration::from_micros(each));
            assert_eq!(sample.amount, 4000.0);
            // No longer than was asked for, but for the last look at the clock.
            let passed = time.get() - 7;
            assert!(passed >= each && passed - each <= each.div_ceil(50), "{passed} of {each}");
        }
    }
}
