//! The stream ciphers of Bernstein's "Cycle counts for authenticated encryption" (2007), and what
//! he makes of them: systems that encrypt and authenticate.
//!
//! A cipher is a file here, or a folder where it has tables or more than one tuning, and a line in
//! the registry. [`cipher`] says what a cipher does; [`about`] what is known of it.

pub mod about;
mod alpha;
pub mod cipher;
pub mod dragon;
mod lanes;
pub mod rabbit;
pub mod side_by_side;
pub mod snow_2_0;
pub mod sosemanuk;
pub mod system;
mod words;
