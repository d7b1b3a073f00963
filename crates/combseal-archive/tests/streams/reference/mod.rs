//! Plain references: each written from the cipher's text alone, a bit or a word at a time, to be
//! read beside it. `keystream(key, nonce, len)` is all that they do.

mod bits;
pub mod grain_128;
pub mod grain_v1;
pub mod mickey_128;
pub mod trivium;
