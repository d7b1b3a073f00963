//! What the papers computed once, computed again: over how many nonces OCB3's offset stays good,
//! which shift registers run through all offsets, what a product in GF(2^128) costs, how OCB2 is
//! forged, what a nonce that is too short gives away of an OCB3 key, and which windows the comb makes. Each module returns
//! data, so that it can be tested; the command `combseal analyze` prints it.

pub mod comb;
pub mod comb_svg;
pub mod doubling;
pub mod gf128;
pub mod gf2;
pub mod lfsr;
pub mod lfsr_search;
pub mod lfsr_speed;
pub mod ocb2;
pub mod short_nonces;
pub mod stretch;
mod timer;

pub use timer::{Cost, Timer};
