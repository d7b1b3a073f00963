//! A study measures every scheme on this machine, ours on each tier beside the peers, along every
//! axis of the papers, in a given time.
//!
//! [`Options`] say what is wanted. [`plan()`] makes groups of points of them, with a number of rounds
//! and of seconds; it is a pure function. [`run()`] measures one group after the other, writes each
//! to the results file as soon as it is done, and prints its table. So a study that is interrupted
//! leaves whole groups, and a resumed one measures those that are missing.

mod about;
mod group;
mod options;
mod pieces;
pub mod plan;
mod run;
mod table;

pub use options::{Options, Peers, Scope};
pub use plan::plan;
pub use run::{Error, Outcome, RESULTS, Watcher, run};
