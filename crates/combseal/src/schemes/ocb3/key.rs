//! The key: round keys for both directions, what offsets are made of, and what was chosen
//! with it.

use super::masks::Masks;
use crate::cpu::Aes;
use crate::interface::scheme::Settings;
use crate::memory::blank::secret;

/// OCB3 with the AES of size `A`: one AES call a block, all of them in parallel.
///
/// The tag's length, 8 to 16 bytes, is fixed with the key and part of every
/// nonce block. Nonces have 12 bytes, or 6 to 15 if the key is told so
/// ([`set_nonce_len`](Self::set_nonce_len)); a nonce must not repeat under a key.
/// Nonces that count upward in their last bytes share the block Ktop 64 at a
/// time: use a [`Sealer`](crate::Sealer), which keeps it.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
pub struct Ocb3<A: Aes> {
    pub(super) enc: A::Enc,
    pub(super) dec: A::Dec,
    pub(super) masks: Masks,
    pub(super) settings: Settings,
    /// The tag length as the nonce block names it: in bits modulo 128, or zero
    /// in the form of FSE 2011.
    pub(super) named_tag_bits: u8,
}
secret!(Ocb3<A: Aes> { enc, dec, masks, settings, named_tag_bits });
