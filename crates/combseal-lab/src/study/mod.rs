//! The study: every scheme on this machine, ours by tier beside the peers, along every axis of
//! the papers, in a given time.
//!
//! [`Options`] say what is wanted; [`plan()`] makes of them, as a pure function, groups of points
//! with rounds and seconds; [`run()`] measures group by group, writes each to the results file as
//! it is done, and prints its table. So what is interrupted leaves whole groups, and a resumed
//! study measures those that are missing.

mod about;
mod group;
mod options;
pub mod plan;
mod run;
mod table;

pub use options::{Options, Peers, Scope};
pub use plan::plan;
pub use run::{Error, Outcome, RESULTS, Watcher, run};
