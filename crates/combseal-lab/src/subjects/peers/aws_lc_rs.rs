//! aws-lc-rs, through `LessSafeKey`, as with ring. Its contexts lie behind a pointer, so their size
//! is not known here.

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;
use aws_lc_rs::aead::{
    AES_128_GCM, AES_128_GCM_SIV, AES_256_GCM, AES_256_GCM_SIV, Aad, Algorithm, CHACHA20_POLY1305, LessSafeKey, Nonce,
    UnboundKey,
};

const NAME: &str = "aws-lc-rs 1.19.0";

struct AwsLc(LessSafeKey);

impl Candidate for AwsLc {
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        let nonce = Nonce::try_assume_unique_for_key(nonce).expect("12 bytes");
        let tag = self.0.seal_in_place_separate_tag(nonce, Aad::from(ad), buf).expect("short");
        tag.as_ref().try_into().expect("16 bytes")
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        let nonce = Nonce::try_assume_unique_for_key(nonce).expect("12 bytes");
        self.0.open_in_place_separate_tag(nonce, Aad::from(ad), tag, buf).is_ok()
    }
}

/// Its widest AES-GCM uses VAES on zmm registers.
fn implementation(scheme: Scheme, key_bits: u32, algorithm: &'static Algorithm) -> Implementation {
    Implementation::new(scheme, key_bits, NAME, Width::W512, move |key| {
        AwsLc(LessSafeKey::new(UnboundKey::new(algorithm, key).expect("a key of its length")))
    })
    .context_elsewhere()
}

pub(super) fn implementations() -> [Implementation; 5] {
    [
        implementation(Scheme::of("gcm"), 128, &AES_128_GCM),
        implementation(Scheme::of("gcm"), 256, &AES_256_GCM),
        implementation(Scheme::of("gcm-siv"), 128, &AES_128_GCM_SIV),
        implementation(Scheme::of("gcm-siv"), 256, &AES_256_GCM_SIV),
        implementation(Scheme::of("chacha20-poly1305"), 256, &CHACHA20_POLY1305),
    ]
}
