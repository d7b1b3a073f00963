//! Plain references: each written from the cipher's text alone, a bit or a word at a time, to be
//! read beside it. `keystream(key, nonce, len)` is all that they do.

pub mod aes_ctr;
mod alpha;
pub mod dragon;
pub mod lex;
pub mod nls;
pub mod phelix;
pub mod rabbit;
pub mod salsa20;
pub mod snow_2_0;
pub mod sosemanuk;
pub mod hc_128;
pub mod hc_256;
pub mod py;
pub mod rc4;
