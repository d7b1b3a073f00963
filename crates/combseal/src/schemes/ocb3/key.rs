//! The key: round keys for both directions, what offsets are made of, and what was chosen
//! with it.

use super::masks::Masks;
use crate::cpu::{Aes, Invertible};
use crate::interface::scheme::Settings;
use crate::memory::blank::{At16, At64, blank, secret};

/// OCB3 with the AES of size `A`: one AES call a block, all of them in parallel.
///
/// The tag's length, 8 to 16 bytes, is fixed with the key and part of every
/// nonce block. Nonces have 12 bytes, or 6 to 15 if the key is told so
/// ([`set_nonce_len`](Self::set_nonce_len)); a nonce must not repeat under a key.
/// Nonces that count upward in their last bytes share the block Ktop 64 at a
/// time: use a [`Sealer`](crate::Sealer), which keeps it.
pub struct Ocb3<A: Aes> {
    pub(super) key: Material<A::Enc>,
}
secret!(Ocb3<A: Aes> { key });

/// What a key consists of, for kernels: they are generic over its round keys and not over the size of
/// the AES, so that those of AES-256 do for AES-192 too.
// Placed so that no round key is read across two cache lines, nor the first four masks.
#[repr(C)]
pub(super) struct Material<S: Invertible> {
    pub enc: S,
    before_dec: At16,
    pub dec: S::Inverse,
    before_masks: At64,
    pub masks: Masks,
    pub settings: Settings,
    /// The tag length as the nonce block names it: in bits modulo 128, or zero
    /// in the form of FSE 2011.
    pub named_tag_bits: u8,
}
blank!(@ Material [<S: Invertible>] [<S>] enc, before_dec, dec, before_masks, masks, settings, named_tag_bits);
