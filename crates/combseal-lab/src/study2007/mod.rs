//! Bernstein's programme of 2007 ("Cycle counts for authenticated encryption"), run again on this
//! machine over the archive's systems: cycles against the length of a packet and against the number
//! of keys, to encrypt, to decrypt and to refuse a forgery, and to expand a key.
//!
//! Every point is timed twice: by fifteen single timings of which none is left out, as in the paper,
//! and by the campaign, as everything else in the laboratory. A system that has several tunings is
//! measured in the one that encrypts 1,536 bytes the fastest, as in the paper; all of them are named
//! with what they took.
//!
//! [`run()`] measures one system after the other, and writes each to the results file as soon as it
//! is whole. `table` and `page` show them beside what the paper printed.

mod figure;
mod options;
mod page;
mod record;
mod run;
mod subject;
mod svg;
mod table;
#[cfg(test)]
mod tests;
pub mod then;

pub use figure::every_sample;
pub use options::Options;
pub use record::{Chosen, End, Failed, Machine, Operation, Point, Record, Robust, Run, Tuning, is_results, read};
pub use run::{Error, Heard, Outcome, PAGE, RESULTS, run};
pub use table::tables;
