//! QUIC packet protection (RFC 9001) by [Combseal](combseal): the AEAD, header protection, key
//! updates and limits, for one packet or for a batch of datagrams, in place.
//!
//! ```
//! use combseal_quic::{Error, Incoming, Opener, Outgoing, Sealer, Secret, Suite, TAG_LEN, Version, number};
//!
//! // What TLS gives for one direction of 1-RTT packets, on both sides.
//! let secret = Secret::new(Version::V1, Suite::Aes128Gcm, &[7; 32])?;
//! let mut sealer = Sealer::new(&secret);
//! let mut opener = Opener::with_key_updates(&secret);
//!
//! // A short header: its first byte, a Destination Connection ID of eight bytes, the packet
//! // number, of which as many bytes are sent as the peer needs. The last 16 bytes are for the tag.
//! const PN_OFFSET: usize = 1 + 8;
//! let pn_len = number::encoded_len(0, None)?;
//! let first = 0x40 | (pn_len as u8 - 1);
//! let header = [&[first], &b"8 bytes!"[..], &[0; 4][..pn_len]].concat();
//! let mut packet = [&header[..], b"some frames", &[0; TAG_LEN]].concat();
//!
//! sealer.seal(&mut packet, PN_OFFSET, 0)?;
//! let opened = opener.open(&mut packet, PN_OFFSET)?;
//! assert_eq!((opened.number, &packet[opened.payload()]), (0, &b"some frames"[..]));
//!
//! // Many datagrams: one call seals them, and computes their headers' masks together.
//! let mut datagrams: Vec<Vec<u8>> = (0..64).map(|_| [&header[..], &[1; 1200], &[0; TAG_LEN]].concat()).collect();
//! let mut outgoing: Vec<_> = (1..).zip(&mut datagrams)
//!     .map(|(number, packet)| Outgoing { packet, pn_offset: PN_OFFSET, number })
//!     .collect();
//! sealer.seal_batch(&mut outgoing).map_err(|(_, error)| error)?;
//!
//! let mut incoming: Vec<_> = datagrams.iter_mut()
//!     .map(|packet| Incoming { packet, pn_offset: PN_OFFSET })
//!     .collect();
//! for result in opener.open_batch(&mut incoming) {
//!     result.as_ref().map_err(|e| *e)?; // A packet that does not open is dropped.
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! What is here, and what is not:
//!
//! - [`Secret`] makes keys: of Initial packets from the connection ID, of others from what TLS
//!   gave; [`Secret::next`] is a key update. QUIC versions 1 and 2 ([`Version`]).
//! - [`Sealer`] and [`Opener`] are a direction of a packet number space: packet numbers that rise,
//!   key phases, the limits of RFC 9001, 6.6 as [errors](Error).
//! - [`PacketKey`] and [`HeaderKey`] are the two halves by themselves, for stacks with their own
//!   order of things: the crate `combseal-rustls` gives them to `rustls`, and so to `quinn`.
//! - [`number`] encodes and decodes packet numbers, [`retry_tag`] and [`check_retry`] are
//!   the Retry packet's tag.
//! - There is no TLS, no parsing of headers, no frames: where the packet number begins
//!   (`pn_offset`) is what the caller has to know. For a short header that is one byte and the
//!   connection ID; for a long one see RFC 9000, 17.2. Packets that share a datagram are to be cut
//!   apart by their lengths first.
//!
//! # Batches
//!
//! A batch ([`Sealer::seal_batch`], [`Opener::open_batch`]) does what single calls would, in
//! place, with the [library's batch](combseal::Batch), and all masks of header protection in
//! one pass through the cipher. What that gains on one machine is in the repository's
//! `docs/speed.md`; `cargo run --release -p combseal-quic --example datagrams` measures it. It suits
//! who sends with segmentation offload or `sendmmsg` and receives with `recvmmsg`.
//!
//! # Security
//!
//! - A packet number is sealed with once: they must rise.
//! - Of a packet that does not open nothing is shown: its payload is zero, its header as it was.
//!   All packets that are long enough run through the same steps, whatever their packet numbers
//!   and key phases (RFC 9001, 9.5); neither is checked before the packet is opened.
//! - Secrets, keys and IVs are zeroed when dropped, and `Debug` does not show them. The nonces of a batch's packets are not
//!   zeroed: who finds one in freed memory and knows the packet's number knows the IV, which without the key opens nothing.
//! - There is no `unsafe` here; the library's promises are in the repository's `docs/security.md`.
//! - Nobody has audited this crate.
#![forbid(unsafe_code)]

mod error;
mod header;
pub mod number;
mod opener;
mod packet;
mod retry;
mod sealer;
mod secret;
mod suite;

pub use error::Error;
pub use header::{HeaderKey, MASK_LEN};
pub use opener::{Incoming, Opened, Opener};
pub use packet::PacketKey;
pub use retry::{check_retry, retry_tag};
pub use sealer::{Outgoing, Sealer};
pub use secret::{InitialSecrets, Secret};
pub use suite::{IV_LEN, MAX_PACKET_LEN, SAMPLE_LEN, Suite, TAG_LEN, Version};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
