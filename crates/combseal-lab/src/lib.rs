//! Measuring authenticated encryption in core cycles, beside the peers people use.
//!
//! A measurement passes through five hands, one module each:
//!
//! * [`clock`] turns time-stamp ticks into core cycles and says whether a neighbour
//!   or a moving clock spoilt a sample;
//! * [`limits`] measures what this machine's AES unit can do, and [`floor`] turns
//!   that into the fewest cycles a message of each scheme can cost;
//! * [`subject`] describes an implementation to be measured ([`peers`] and [`ours`]
//!   register theirs), and [`work`] makes its timed loops; [`batches`] are loops over
//!   many messages at once;
//! * [`verify`] checks every implementation against a known answer and against the
//!   others, so that a fast wrong answer is never timed;
//! * [`sampler`] runs them all, interleaved in random order, and keeps every sample.
//!
//! [`results`] is the file between a study and those who read it: [`report`] and [`compare`].
//!
//! [`study`] puts them together, along every axis of the papers and in a given time: the
//! command's `combseal study`. The example `speed` is a smaller one, of single messages alone:
//! `cargo run --release -p combseal-lab --example speed`.

pub mod advise;
pub mod analyze;
pub mod bounds;
pub mod compare;
pub mod json;
pub mod measure;
pub mod report;
pub mod results;
pub mod study;
pub mod subjects;
pub mod traffic;
