//! Measuring authenticated encryption in core cycles, beside the peers people use.
//!
//! One room for each step from a cycle to an answer, and arrows one way: a room names items of
//! those above it in this list, never of those below.
//!
//! * [`measure`]: the clock, the limits of this machine's units, the campaign that takes samples;
//! * [`subjects`]: what is measured, the loops in which it is, and whether it is right;
//! * [`traffic`]: how long messages are and how often, from captures and lists;
//! * [`results`]: the file between a study and those who read it;
//! * [`study`]: everything on this machine, along every axis of the papers, in a given time: the
//!   command's `combseal study`;
//! * [`answers`]: which scheme for some traffic and some needs, how far its proof carries;
//! * [`report`]: the page that a person reads.
//!
//! [`analyze`] stands aside: what the papers computed once, computed again.
//!
//! The example `speed` is a smaller study, of single messages alone:
//! `cargo run --release -p combseal-lab --example speed`.

pub mod analyze;
pub mod answers;
pub mod measure;
pub mod report;
pub mod results;
pub mod study;
pub mod subjects;
pub mod traffic;
