//! ring, through `LessSafeKey`, which takes explicit nonces: no counter object stands between.

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use ring::aead::{AES_128_GCM, AES_256_GCM, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

const NAME: &str = "ring 0.17.14";

struct Ring(LessSafeKey);

impl Candidate for Ring {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let nonce = Nonce::try_assume_unique_for_key(nonce).expect("12 bytes");
        let tag = self.0.seal_in_place_separate_tag(nonce, Aad::from(ad), buf).expect("short");
        tag.as_ref().try_into().expect("16 bytes")
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let nonce = Nonce::try_assume_unique_for_key(nonce).expect("12 bytes");
        self.0.open_in_place_separate_tag(nonce, Aad::from(ad), (*tag).into(), buf, 0..).is_ok()
    }
}

/// ring's widest AES-GCM uses VAES on ymm registers.
fn implementation(scheme: Scheme, key_bits: u32, algorithm: &'static Algorithm) -> Implementation {
    Implementation::new(scheme, key_bits, NAME, Width::W256, move |key| {
        Ring(LessSafeKey::new(UnboundKey::new(algorithm, key).expect("a key of its length")))
    })
}

pub(super) fn implementations() -> [Implementation; 3] {
    [
        implementation(Scheme::of("gcm"), 128, &AES_128_GCM),
        implementation(Scheme::of("gcm"), 256, &AES_256_GCM),
        implementation(Scheme::of("chacha20-poly1305"), 256, &CHACHA20_POLY1305),
    ]
}
