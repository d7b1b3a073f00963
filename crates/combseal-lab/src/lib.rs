//! Measuring authenticated encryption in core cycles, beside the peers people use.
//!
//! It takes several steps from the ticks of a counter to an answer, and each step has a folder. A
//! folder uses those above it in this list, never one below it:
//!
//! * [`measure`]: the clock, the limits of this machine's units, the campaign that takes samples;
//! * [`analyze`]: what the papers computed once, computed again; it uses [`measure`] alone;
//! * [`traffic`]: how long messages are and how many there are of each length;
//! * [`subjects`]: what is measured, the loops that are timed, and whether an answer is right;
//! * [`published`]: what the papers measured, as data, to stand beside our own;
//! * [`study2007`]: Bernstein's programme of 2007 over the archive's stream ciphers; it uses [`measure`]
//!   and [`published`] alone;
//! * [`results`]: the file between a study and those who read it;
//! * [`study`]: measures everything on this machine, along every axis of the papers, in a given
//!   time; the command's `combseal study`;
//! * [`answers`]: which scheme to take, and how much its key may seal; it needs no study, only
//!   results;
//! * [`report`]: the page that a person reads.
//!
//! A folder's `mod.rs` is what other folders see of it. The files within name each other directly,
//! and none of them names another in a circle: `cargo run -p combseal-rooms` checks that.
//!
//! The example `speed` is a smaller study, of single messages alone:
//! `cargo run --release -p combseal-lab --example speed`.

pub mod analyze;
pub mod answers;
pub mod measure;
pub mod published;
pub mod report;
pub mod results;
pub mod study;
pub mod study2007;
pub mod subjects;
pub mod traffic;
