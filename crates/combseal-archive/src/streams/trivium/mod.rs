//! Trivium (De Cannière and Preneel, eSTREAM, 2005; ISO/IEC 29192-3, 2012): three shift registers of
//! 288 bits in all, each fed by another.
//!
//! Status: standardised, in eSTREAM's final portfolio. No attack on all 1,152 rounds of set-up is
//! known to us: cube attacks reach some 850 of them (He, Hu, Preneel and Wang, ASIACRYPT 2022: 848). The
//! key has 80 bits, which is too few today. Kept for the comparison of Bernstein (2007).
//!
//! No bit is used within 65 steps after it was made, so 64 steps are done at once, in words: three pairs
//! of them are the state, each register's newest 64 bits and the 64 before. Nothing is looked up in a
//! table and nothing branches on secrets: this code is constant-time.

mod lanes;
mod registers;
mod words;

pub use registers::Registers;
pub use words::{State, Trivium};
