//! The stream ciphers of Bernstein's "Cycle counts for authenticated encryption" (2007), and what
//! he makes of them: systems that encrypt and authenticate.
//!
//! A cipher is a file here, or a folder where it has tables or more than one tuning, and a line in
//! the registry. [`cipher`] says what a cipher does; [`about`] what is known of it.

pub mod about;
pub mod cipher;
pub mod grain_128;
pub mod grain_v1;
mod lanes;
pub mod mickey_128;
pub mod side_by_side;
pub mod system;
pub mod trivium;
pub mod with_poly1305;
mod words;
