//! The stream ciphers of Bernstein's "Cycle counts for authenticated encryption" (2007), and what
//! he makes of them: systems that encrypt and authenticate.
//!
//! A cipher is a file here, or a folder where it has tables or more than one tuning, and a line in
//! the registry. [`cipher`] says what a cipher does; [`about`] what is known of it.

pub mod abc;
pub mod about;
pub mod aes_ctr;
mod alpha;
pub mod cipher;
pub mod cryptmt;
pub mod dicing;
pub mod dragon;
pub mod grain_128;
pub mod grain_v1;
mod hc;
pub mod hc_128;
pub mod hc_256;
mod lanes;
mod lanes32;
pub mod lex;
pub mod mickey_128;
pub mod named;
pub mod nls;
pub mod phelix;
pub mod py;
pub mod rabbit;
pub mod rc4;
pub mod registry;
pub mod salsa20;
pub mod side_by_side;
pub mod snow_2_0;
pub mod sosemanuk;
pub mod system;
pub mod together;
pub mod trivium;
mod unrolled;
pub mod with_poly1305;
mod words;
