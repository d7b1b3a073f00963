//! SNOW 2.0: Ekdahl and Johansson, "A New Version of the Stream Cipher SNOW", SAC 2002; ISO/IEC
//! 18033-4. Bytes go into it as in eSTREAM's benchmark, which differs from the standard's. The best
//! attacks known to us are a distinguisher of 2^174 (Nyberg and Wallén, FSE 2006) and a fast
//! correlation attack of 2^164 (Zhang, Xu and Meier, CRYPTO 2015): no threat to keys of 128 bits.
//!
//! Here to be measured beside the ciphers of Bernstein's "Cycle counts for authenticated
//! encryption" (2007). [`Tables`] looks up tables for all that is not an addition; [`Aesenc`] has
//! the finite state machine, whose S-box is a column of an AES round, in vector registers, and goes
//! side by side. Both look up tables by secret data: not constant-time, but for messages side by side
//! where registers hold the tables.

mod aesenc;
mod lanes;
mod sbox;
mod tables;

pub use aesenc::Aesenc;
pub use tables::{State, Tables};
