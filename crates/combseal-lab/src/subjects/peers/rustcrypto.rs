//! RustCrypto's schemes share one trait, `AeadInOut`; this makes a candidate of any of them.

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aes_gcm::KeyInit;
use aes_gcm::aead::AeadInOut;
use aes_gcm::aead::array::typenum::Unsigned;
use aes_gcm::aead::consts::U16;

struct RustCrypto<A>(A);

impl<A: AeadInOut<TagSize = U16>> Candidate for RustCrypto<A> {
    fn nonce_len(&self) -> usize {
        A::NonceSize::USIZE
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let nonce = nonce.try_into().expect("the scheme's length");
        self.0.encrypt_inout_detached(nonce, ad, buf.into()).expect("short enough").into()
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let nonce = nonce.try_into().expect("the scheme's length");
        self.0.decrypt_inout_detached(nonce, ad, buf.into(), tag.into()).is_ok()
    }
}

/// `A` under the name of its crate. The crate `aes` takes the widest registers it finds.
pub(super) fn implementation<A>(scheme: Scheme, key_bits: u32, name: &str) -> Implementation
where
    A: AeadInOut<TagSize = U16> + KeyInit + 'static,
{
    let name = format!("RustCrypto {name}");
    Implementation::new(scheme, key_bits, name, Width::W512, |key| {
        RustCrypto(A::new_from_slice(key).expect("a key of the cipher's length"))
    })
}
