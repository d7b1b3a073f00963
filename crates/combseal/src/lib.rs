//! Authenticated encryption at the speed of the AES unit: OCB3 (RFC 7253) and the
//! schemes that it is judged by, with the best instructions that a CPU has for them.
//!
//! ```
//! use combseal::{Aead, Aes128, NonceCounter, Ocb3, Opener, Sealer};
//!
//! let key = Ocb3::<Aes128>::new(&[7; 16]);
//! # #[cfg(feature = "alloc")]
//! # {
//! let sealed = key.seal(b"unique nonce", b"header", b"message")?; // tag attached
//! assert_eq!(key.open(b"unique nonce", b"header", &sealed)?, b"message");
//! # }
//!
//! // Packets, with nonces that count: `us->` (4 bytes: the nonce's length less 8), then a counter.
//! // For a key that has sealed nothing yet with this prefix; after a restart
//! // `NonceCounter::starting_at`, or a new key.
//! let mut sealer = Sealer::new(&key, NonceCounter::new(b"us->")?)?;
//! let mut packet = *b"message and room for the tag................";
//! let nonce = *sealer.seal_attached(b"header", &mut packet)?; // in place, the tag in its place
//!
//! let opened = Opener::new(&key).open_attached(&nonce, b"header", &mut packet)?;
//! assert_eq!(opened, b"message and room for the tag");
//! # Ok::<(), combseal::Error>(())
//! ```
//!
//! A key is random bytes of the operating system's: `getrandom::fill(&mut bytes)?` of the crate `getrandom`. So is a nonce
//! where it has 24 bytes or more; shorter ones had better be counted.
//!
//! # What is here
//!
//! - [`Aead`] is what every scheme can do: in place, between buffers, with the tag apart or attached,
//!   as a `Vec`. After a forgery the output is all zero.
//! - [`Sealer`] and [`Opener`] count nonces and keep what messages under one key share: the key's
//!   limit, the [`ReplayWindow`], what counter nonces of OCB3 have in common, the hash of associated data. Both may share one
//!   key: `Sealer::new(&key, …)`.
//! - [`Batch`] takes many messages, of any mixture of keys and schemes, through the CPU's pipeline
//!   together; [`Columns`] takes many short ones that lie in one buffer.
//! - [`Key`] and [`Algorithm`] are the same schemes, chosen at run time.
//! - [`SealParts`] seals one message that comes in parts of any length.
//! - The module `stream` (feature `stream`) seals files and streams of any length.
//! - [`Cpu`] names the *tiers*, sets of instructions that ship together ([below](#platforms)); keys take the best
//!   one, or the one they are built for.
//!
//! | scheme | type | key | nonce | tag | if a nonce repeats, it gives away | source | speed |
//! |---|---|---|---|---|---|---|---:|
//! | OCB3 | [`Ocb3`] | AES-128, 192, 256 | 6 to 15 | 8 to 16 | both messages, forgeries | RFC 7253 | 43 / 273 |
//! | GCM | [`Gcm`] | AES-128, 192, 256 | 8 and more | 12 to 16 | XOR of messages, forgeries | SP 800-38D | 62 / 325 |
//! | CCM | [`Ccm`] | AES-128, 192, 256 | 7 to 13 | 8 to 16, even | XOR of messages | SP 800-38C | 186 / 2,891 |
//! | EAX | [`Eax`] | AES-128, 192, 256 | 8 and more | 8 to 16 | XOR of messages | Bellare, Rogaway and Wagner 2004 | 221 / 2,923 |
//! | SIV | [`Siv`] | two of AES-128, 192, 256 | any, or none | 16, in front | which messages are equal | RFC 5297 | 180 / 3,241 |
//! | GCM-SIV | [`GcmSiv`] | AES-128, 256 | 12 | 16 | which messages are equal | RFC 8452 | 219 / 606 |
//! | AEGIS-128, 128L, 128X2, 128X4 | [`Aegis128L`] and others | 16 bytes | 16 | 16, 32 (AEGIS-128: 16) | both messages, forgeries | draft-irtf-cfrg-aegis-aead | 94 / 350 |
//! | AEGIS-256, 256X2, 256X4 | [`Aegis256`] and others | 32 bytes | 32 | 16, 32 | both messages, forgeries | draft-irtf-cfrg-aegis-aead | 117 / 546 |
//! | ChaCha20-Poly1305 | [`ChaCha20Poly1305`] | 32 bytes | 12 | 16 | XOR of messages, forgeries | RFC 8439 | 388 / 1,700 |
//! | XChaCha20-Poly1305 | [`XChaCha20Poly1305`] | 32 bytes | 24 | 16 | XOR of messages, forgeries | draft-irtf-cfrg-xchacha-03 | 757 / 2,068 |
//!
//! Lengths in bytes. Speed is of one machine, a core of an Intel Xeon (Emerald Rapids), tier `vaes512`: core cycles to seal a
//! message of 64 and one of 1,500 bytes by itself, with 128-bit keys where there are several, of AEGIS 128L and 256;
//! `docs/speed.md` has other tiers, lengths and libraries. What each may seal under one key, [`Description`] and [`Aead::limits`] say, and
//! a [`Sealer`] enforces it.
//!
//! # Which one do I choose?
//!
//! - A protocol names one: that one; the bytes are the standard's.
//! - Packets and records, each with a counter of its own: OCB3 with a [`Sealer`]. It does one AES call
//!   per block, and messages of 64 to 1,500 bytes
//!   cost least of all in the table.
//! - A standard of NIST is asked for: GCM with a [`Sealer`].
//! - Nobody can promise that nonces do not repeat (copies of virtual machines, restored backups, many
//!   writers): GCM-SIV, or SIV, which takes nonces of any length.
//! - Equal values must have equal tokens, to be looked up: SIV without a nonce, knowing that it shows
//!   which are equal.
//! - Random nonces, any number of messages: XChaCha20-Poly1305, or AEGIS-256.
//! - Machines without AES instructions: ChaCha20-Poly1305.
//! - The most bytes per second on machines with VAES, and a draft will do: AEGIS-128X2.
//! - More than fits into memory: the module `stream`.
//! - CCM and EAX for protocols that have them; in a [`Batch`] they are two to four times as fast.
//!
//! # Features
//!
//! - `std`, `schemes` (all of them) and `wide-soft` are the default. Of the schemes each family is a feature:
//!   `ocb3`, `gcm`, `gcm-siv`, `ccm`, `eax`, `siv`, `aegis`, `chacha20-poly1305`.
//! - `alloc`: what returns a `Vec`, batches and columns; implied by `std`. Without both neither a standard
//!   library nor an allocator is needed.
//! - `wide-soft`: the tiers `soft256` and `soft512`, for CPUs with AVX2 or AVX-512 and without AES instructions; without it
//!   those get `soft`, and what OCB3 alone adds to a program is a quarter less.
//! - `rayon`: batches made for it (`Batch::for_threads`), columns and single long messages of OCB3 over threads.
//! - `stream`: sealed files and streams; `stream-interop`: Tink's and C2SP's besides.
//! - `aead`, `aead-05`: the traits of RustCrypto's crate `aead` 0.6 and 0.5; `bytes`: growing forms for `BytesMut`.
//! - `models`: slow backends for tests. Not for production. `internals`: what the project's archive of
//!   old schemes is built on, hidden and without promises; do not turn it on.
//!
//! # Platforms
//!
//! x86-64 (and x86 with SSE2) has four tiers with AES instructions, of which the best is taken when a key is made: `aesni`
//! (AES-NI and AVX), `aesni512` (with AVX-512VL), `vaes256` (VAES and AVX2), `vaes512` (VAES and AVX-512).
//! 64-bit ARM has two: `armv8` (its AES and PMULL instructions, on NEON) and `armv8sha3` (with FEAT_SHA3,
//! whose XOR of three registers saves some instructions); they are tested under emulation and their
//! code is read, but nobody has measured them yet.
//! All other machines get `soft`: a bitsliced AES in constant time, without
//! tables, 26 to 89 times slower than `vaes512` (OCB3, by length), in words or in what vectors all machines of the target have (SSE2,
//! NEON, `simd128` of WebAssembly). It is tested on machines of 32 bits and on big-endian ones. Where there are AVX2 or AVX-512 but no AES instructions,
//! `soft256` and `soft512` (feature `wide-soft`, on by default) do long messages of OCB3, GCM and ChaCha20-Poly1305 in those registers, and all
//! else as `soft`.
//!
//! # Trust
//!
//! - What is promised and what you must do: the module `security`, which is documentation alone.
//! - **No one has audited this crate.** It is tested against the standards' known answers, Wycheproof's,
//!   and other implementations; kernels are compared with slow models on every tier, Miri
//!   interprets what is `unsafe` on the software tiers, and the machine code of the others is read for calls
//!   that must not be there.
//! - OCB's patents: Rogaway renounced all that he held, and they are in the public domain (Krovetz and Rogaway,
//!   "The Design and Evolution of OCB", Journal of Cryptology 2021, at its end).
//! - Report a weakness in private to the repository's owners, by its "Report a vulnerability".
//!
//! From RustCrypto, ring or OpenSSL: the repository's `docs/migrating.md`. Whole programs are in
//! `examples/`: packets, batches in a struct, threads, records where nonces may repeat, a scheme
//! chosen at run time, OpenPGP's chunks.
#![cfg_attr(not(feature = "std"), no_std)]
// On docs.rs every item says which features it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// But for one that is set by others and that nobody names.
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature, values("_scheme")))))]
// Who leaves schemes or the allocator out leaves some of the tools unused that others share.
#![cfg_attr(not(all(feature = "schemes", feature = "alloc")), allow(dead_code, unused_imports, unused_macros))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(all(feature = "alloc", feature = "_scheme"))]
mod batch;
mod cached;
#[cfg(all(feature = "alloc", feature = "_scheme"))]
mod columns;
mod counter;
#[doc(hidden)]
pub mod cpu;
mod interface;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
#[cfg(feature = "_scheme")]
mod key;
#[cfg(not(feature = "internals"))]
mod memory;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod memory;
mod parts;
mod pipeline;
mod raw;
mod replay;
#[cfg(any(feature = "aead", feature = "aead-05"))]
pub mod rustcrypto;
mod schemes;
#[cfg(feature = "stream")]
pub mod stream;
#[cfg(test)]
mod testing;

#[cfg(all(feature = "alloc", feature = "_scheme"))]
pub use batch::{Batch, Outcome};
pub use cached::Cached;
#[cfg(all(feature = "alloc", feature = "_scheme"))]
pub use columns::{Columns, Nonces};
pub use counter::{NonceCounter, Opener, Sealer};
pub use cpu::{Aes128, Aes192, Aes256, Cpu};
pub use interface::aead::{Aead, Buffer};
pub use interface::description::{Description, Limits, RepeatedNonce};
pub use interface::error::Error;
pub use interface::tag::{AnyNonce, MAX_NONCE_LEN, MAX_TAG_LEN, Nonce, Tag};
#[cfg(feature = "_scheme")]
pub use key::{Algorithm, Key};
#[doc(hidden)]
pub use memory::wipe;
pub use parts::SealParts;
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use pipeline::plan as comb;
#[cfg(feature = "alloc")]
pub use pipeline::values::{Offset, Values};
pub use replay::ReplayWindow;

/// The typed keys.
macro_rules! exports {
    ($($feature:literal $family:ident [$($type:ident)*] { $($variant:ident = $key:ty,)* })*) => {
        $($(#[cfg(feature = $feature)] pub use schemes::$family::$type;)*)*
    };
}
schemes::every_scheme!(exports);

/// Parts that are unsafe to use alone: no authentication, or rules that the
/// caller must keep. Know the papers before you come here.
pub mod hazmat {
    pub use crate::interface::scheme::Relaxed;
    pub use crate::parts::OpenUnverified;
    #[cfg(feature = "alloc")]
    pub use crate::pipeline::chains::Comb;
    #[cfg(feature = "chacha20-poly1305")]
    pub use crate::raw::chacha20_blocks::ChaCha20;
    pub use crate::raw::cmac::Cmac;
    pub use crate::raw::ctr::Ctr;
    pub use crate::raw::ecb::Ecb;
    #[cfg(feature = "alloc")]
    pub use crate::raw::{cbc::Cbc, cbc_mac::CbcMac, cfb::Cfb, ofb::Ofb, plain::Message};
    #[cfg(feature = "ocb3")]
    pub use crate::schemes::ocb3::theta;
}

#[cfg(doc)]
#[doc = include_str!("../SECURITY.md")]
pub mod security {}

/// The README's examples are tests, with the features that they use. (They stand there without hidden lines,
/// which GitHub would show.)
#[cfg(all(doctest, feature = "schemes", feature = "stream"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And that of the README which the package has.
#[cfg(all(doctest, feature = "ocb3", feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct PackagedReadme;

/// So are those of the guide for who comes from another library.
#[cfg(all(doctest, feature = "schemes", feature = "std"))]
#[doc = include_str!("../../../docs/migrating.md")]
struct Migrating;
