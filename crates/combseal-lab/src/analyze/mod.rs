//! What the papers computed once and anyone can compute again: how far OCB3's nonces
//! stretch, which shift registers run through every offset, and what a product in
//! GF(2^128) costs. Each module gives data; `combseal analyze` prints it.

pub mod doubling;
pub mod gf128;
pub mod gf2;
pub mod lfsr;
pub mod lfsr_search;
pub mod lfsr_speed;
pub mod stretch;
mod timer;

pub use timer::{Cost, Timer};
