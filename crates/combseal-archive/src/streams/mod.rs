//! The stream ciphers of Bernstein's "Cycle counts for authenticated encryption" (2007), and what
//! he makes of them: systems that encrypt and authenticate.
//!
//! A cipher is a file here, or a folder where it has tables or more than one tuning, and a line in
//! the registry. [`cipher`] says what a cipher does; [`about`] what is known of it.

pub mod about;
pub mod cipher;
mod hc;
pub mod hc_128;
pub mod hc_256;
pub mod py;
pub mod rc4;
pub mod side_by_side;
pub mod system;
mod unrolled;
mod wipe;
mod words;
