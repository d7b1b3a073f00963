//! NLS (Hawkes, Paddon, Rose and Wiggers de Vries, "Primitive Specification for NLS" and "for
//! NLSv2", eSTREAM, 2005 and 2006), with 16-byte keys, and its own authenticator.
//!
//! Status: version 2 reached eSTREAM's third phase and was not chosen (2008). Version 1 falls to a
//! distinguisher that needs some 2^60 words (Cho and Pieprzyk, SAC 2006, "Crossword Puzzle Attack
//! on NLS"); of version 2 the best known to us, of the same authors (ISC 2007), needs some 2^74.
//! Version 1 is as found in a library of 2005: a draft by its date, and its filter may be older
//! than the submission's. Kept for Bernstein's comparison of 2007.
//!
//! Not constant-time: a table is looked up by the state's top byte.
//!
//! The register is not moved: each word is written behind the one before, and what 16 steps have
//! made is what the next begin with. A word waits for the last but one, so the look-ups of two
//! neighbours overlap; the filter, which waits for nothing, is done for all of them at once.

mod mac;
mod stream;
pub mod tables;

pub use mac::{NlsV1Ae, NlsV2Ae};
pub use stream::{NlsV1, NlsV2, State};
