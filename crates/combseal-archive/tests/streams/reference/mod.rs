//! Plain references: each written from the cipher's text alone, a bit or a word at a time, to be
//! read beside it. `keystream(key, nonce, len)` is all that they do.

pub mod hc_128;
pub mod hc_256;
pub mod py;
pub mod rc4;
