//! OCB3 by Combseal behind `ae.h`, Krovetz's interface in C, for programs that carry his code today.
//! `include/ae.h` is the documentation.
//!
//! A library of its own, since the names (`ae_init`) are general ones that a program may have
//! already. Every pointer and length is checked before it becomes a slice (`edge.rs`); after any
//! error the output is zero. **Nothing unwinds across the edge**: functions are `extern "C"`, from
//! which a panic does not escape but ends the process, and none is known that an input could cause.
//!
//! Messages in parts are refused: to decrypt in parts shows plaintext that nobody has verified, and
//! the library has no public way yet to encrypt in parts; holding a message back to seal it at its
//! end would break the promise that each call writes its part of the ciphertext.

mod context;
mod edge;
mod message;
