//! Plain references: each written from the cipher's text alone, a bit or a word at a time, to be
//! read beside it. `keystream(key, nonce, len)` is all that they do.

pub mod abc;
pub mod aes_ctr;
mod alpha;
mod bits;
pub mod cryptmt;
pub mod dicing;
pub mod dragon;
pub mod grain_128;
pub mod grain_v1;
pub mod hc_128;
pub mod hc_256;
pub mod lex;
pub mod mickey_128;
pub mod nls;
pub mod phelix;
pub mod py;
pub mod rabbit;
pub mod rc4;
pub mod salsa20;
pub mod snow_2_0;
pub mod sosemanuk;
pub mod trivium;
