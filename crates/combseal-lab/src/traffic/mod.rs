//! How long messages are and how many there are of each length: the realistic mix of the comb
//! paper, or what a capture or a list of the user's own says. A study measures them, and results
//! keep them.

mod capture;
mod csv;
mod lengths;
mod payload;
mod read;
#[cfg(test)]
mod tests;

pub use lengths::{LONGEST, Traffic};
pub use payload::Payload;
pub use read::{Error, Reading, parse, read};
