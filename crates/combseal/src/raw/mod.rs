//! What schemes are made of, each by itself: encryption without authentication, MACs,
//! polynomial hashes. The API has some of them under `hazmat`.

#[cfg(feature = "alloc")]
pub mod cbc;
#[cfg(feature = "alloc")]
pub mod cbc_mac;
#[cfg(feature = "alloc")]
pub mod cfb;
#[cfg(feature = "chacha20-poly1305")]
pub(crate) mod chacha20;
#[cfg(feature = "chacha20-poly1305")]
pub mod chacha20_blocks;
pub mod cmac;
pub mod ctr;
#[cfg(any(feature = "gcm", feature = "gcm-siv"))]
pub(crate) mod ctr_hash;
pub mod ecb;
pub(crate) mod expand;
#[cfg(feature = "alloc")]
pub mod ofb;
#[cfg(feature = "alloc")]
pub(crate) mod plain;
#[cfg(feature = "chacha20-poly1305")]
pub(crate) mod poly1305;
#[cfg(all(feature = "chacha20-poly1305", feature = "internals"))]
pub(crate) mod poly1305_tag;
#[cfg(any(feature = "gcm", feature = "gcm-siv"))]
pub(crate) mod polyval;
