//! What studies have in common on a terminal: tables on standard output, progress on standard error,
//! Ctrl-C.

use combseal_lab::study::Watcher;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit code of what Ctrl-C ended, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// Set by the first Ctrl-C; the second ends the process at once.
pub(super) fn stop_on_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    // Where there is no such signal, or another handler, the study runs all the same.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    stop
}

/// Tables on standard output; progress on standard error, if somebody watches.
pub(super) struct Terminal<'a, O, E> {
    out: &'a mut O,
    err: &'a mut E,
    live: bool,
    shown: Option<Instant>,
    broken: Option<io::Error>,
}

impl<'a, O: Write, E: Write> Terminal<'a, O, E> {
    pub(super) fn new(out: &'a mut O, err: &'a mut E) -> Self {
        Self { out, err, live: io::stderr().is_terminal(), shown: None, broken: None }
    }

    /// The end of it: what could not be written.
    pub(super) fn done(mut self) -> io::Result<()> {
        self.clear();
        self.broken.take().map_or(Ok(()), Err)
    }

    fn clear(&mut self) {
        if self.live && self.shown.take().is_some() {
            let _ = write!(self.err, "\r\x1b[K");
        }
    }
}

impl<O: Write, E: Write> Watcher for Terminal<'_, O, E> {
    fn say(&mut self, text: &str) {
        self.clear();
        if let Err(e) = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()) {
            self.broken.get_or_insert(e);
        }
    }

    fn progress(&mut self, group: &str, part: f64, left: Duration) {
        // A terminal that is written to all the time disturbs what is measured.
        if !self.live || self.shown.is_some_and(|shown| shown.elapsed() < Duration::from_millis(500)) {
            return;
        }
        self.shown = Some(Instant::now());
        let (percent, left) = (100.0 * part, left.as_secs() + 1);
        let left = if left < 100 { format!("{left} s") } else { format!("{} min", left.div_ceil(60)) };
        let _ = write!(self.err, "\r\x1b[K{percent:3.0} %, about {left} left: {group}");
        let _ = self.err.flush();
    }
}
