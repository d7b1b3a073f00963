//! Plain references: each written from the cipher's text alone, a bit or a word at a time, to be
//! read beside it. `keystream(key, nonce, len)` is all that they do.

pub mod abc;
pub mod cryptmt;
pub mod dicing;
pub mod nls;
pub mod phelix;
