//! OCB3 by Combseal behind `ae.h`, Krovetz's interface in C, for programs that carry his code today.
//! `include/ae.h` is the documentation.
//!
//! A library of its own, since the names (`ae_init`) are general ones that a program may have
//! already. Every pointer and length is checked before it becomes a slice (`edge.rs`); after any
//! error the output is zero. **Nothing unwinds across the edge**: functions are `extern "C"`, from
//! which a panic does not escape but ends the process, and none is known that an input could cause.
//!
//! **Messages in parts** are sealed as they come; to open one in parts shows plaintext that nobody has
//! verified, and is refused until `ae_allow_unverified_plaintext` has been called. A part that is refused
//! ends its message, so that none goes on without it.
#![allow(clippy::too_many_arguments)] // Two words a buffer: C has no slices.

mod context;
mod edge;
mod kept;
mod message;
mod parts;
#[cfg(test)]
mod tests;
