//! Plain references: each written from the cipher's text alone, a bit or a word at a time, to be
//! read beside it. `keystream(key, nonce, len)` is all that they do.

pub mod aes_ctr;
pub mod lex;
pub mod salsa20;
