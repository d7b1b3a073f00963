//! Whether the operating system took the core away in the middle of a sample. Calibrations and canaries
//! stand before and after a sample: they see nothing of another process that ran between them, and the
//! counter went on all the while.

use std::ffi::c_long;

/// How often this thread has lost its core to another so far. Where the system does not tell, always 0.
#[cfg(target_os = "linux")]
pub(super) fn now() -> c_long {
    use nix::sys::resource::{UsageWho, getrusage};
    // Half a microsecond, and outside of what is timed.
    getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| usage.involuntary_context_switches())
}

/// How often this thread has lost its core to another so far. Where the system does not tell, always 0.
#[cfg(not(target_os = "linux"))]
pub(super) fn now() -> c_long {
    0
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use crate::measure::Clock;
    use std::hint::black_box;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    fn spin(time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            black_box(0);
        }
    }

    /// With more threads than cores, all of which want to run, a long stretch loses its core. The system's
    /// clock has no calibration that could tell.
    #[test]
    fn a_sample_that_lost_its_core_is_disturbed() {
        let stop = AtomicBool::new(false);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut clock = Clock::wall();
        let seen = std::thread::scope(|scope| {
            for _ in 0..2 * cores {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        spin(Duration::from_millis(1));
                    }
                });
            }
            let mut long = || clock.measure(&mut |watch| watch.time(|| spin(Duration::from_millis(50))));
            let seen = (0..200).any(|_| !long().steady);
            stop.store(true, Ordering::Relaxed);
            seen
        });
        assert!(seen, "no switch was seen");
    }
}
