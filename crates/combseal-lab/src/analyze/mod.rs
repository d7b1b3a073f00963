//! What the papers computed once, computed again: over how many nonces OCB3's offset stays good,
//! which shift registers run through all offsets, and what a product in GF(2^128) costs. Each
//! module returns data, so that it can be tested; the command `combseal analyze` prints it.

pub mod doubling;
pub mod gf128;
pub mod gf2;
pub mod lfsr;
pub mod lfsr_search;
pub mod lfsr_speed;
pub mod stretch;
mod timer;

pub use timer::{Cost, Timer};
