//! Combseal for C and C++: what `include/combseal.h` declares, in a shared and a static library.
//!
//! The header is the documentation; each function here is a thin layer over the one of the library
//! `combseal` that it names. What the layer adds is what C cannot promise by its types:
//!
//! - Every pointer and length is checked before it becomes a slice, and buffers that overlap are
//!   refused (`edge.rs`).
//! - After any error the output is zero, since in C a result is easily ignored.
//! - Objects carry a mark that tells whether they live (`handle.rs`).
//! - **Nothing unwinds across the edge.** Functions are `extern "C"`, from which a panic does not
//!   escape: the process ends. The library does not panic for any input; what cannot happen and
//!   yet does leaves a state that nobody should go on with, such as a sealer that may have used a
//!   nonce and does not know it. So there is no `catch_unwind`, and no error code for it.
//! - There is no call that has to come first, and no global state but what is known of the CPU.
//!
//! `unsafe` is in every module that takes C's pointers; each says why.
// What each pointer must be is said once for all functions, in the header.
#![allow(clippy::missing_safety_doc)]
// Two lines a buffer: C has no slices.
#![allow(clippy::too_many_arguments)]

mod about;
mod batch;
mod code;
mod columns;
mod edge;
#[doc(hidden)]
pub mod fuzz;
mod handle;
mod key;
mod message;
mod opener;
mod sealer;
#[cfg(feature = "stream")]
mod stream;
