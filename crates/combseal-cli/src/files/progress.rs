//! How far long work has come, on the terminal: after two seconds, with rate and remaining time.
//! Where nobody looks (a pipe, a log) nothing is shown.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Work that is over before that is not worth a line.
const PATIENCE: Duration = Duration::from_secs(2);

/// Work on one file.
pub struct Progress {
    name: String,
    /// Bytes in all, where that is known.
    total: Option<u64>,
    began: Instant,
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Work on `name`, of `total` bytes if that is known. Shown only if `wanted`, and standard
    /// error is a terminal.
    pub fn new(name: &str, total: Option<u64>, wanted: bool) -> Self {
        let wanted = wanted && io::stderr().is_terminal();
        Self { name: name.into(), total, began: Instant::now(), wanted, bar: None }
    }

    /// So many bytes are done in all.
    pub fn reach(&mut self, done: u64) {
        if !self.wanted {
            return;
        }
        if self.bar.is_none() && self.began.elapsed() >= PATIENCE {
            self.bar = Some(self.show());
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    fn show(&self) -> ProgressBar {
        let target = ProgressDrawTarget::stderr();
        let (bar, template) = match self.total {
            Some(total) => (
                ProgressBar::with_draw_target(Some(total), target),
                "{msg} {percent:>3} % {wide_bar} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
            ),
            None => (
                ProgressBar::with_draw_target(None, target),
                "{msg} {spinner} {binary_bytes}, {binary_bytes_per_sec}, {elapsed}",
            ),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.with_style(style).with_message(self.name.clone()).with_elapsed(self.began.elapsed())
    }
}

impl Drop for Progress {
    /// The line goes: what remains to be said is said by who did the work.
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
