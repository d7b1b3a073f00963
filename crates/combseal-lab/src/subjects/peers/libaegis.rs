//! libaegis, through the crate `aegis`. It keeps no context: key and nonce go into each message.

use crate::measure::Width;
use crate::subjects::candidate::{Candidate, Tag};
use crate::subjects::implementation::Implementation;
use crate::subjects::scheme::Scheme;

macro_rules! candidate {
    ($name:ident, $key:literal, $nonce:literal, $state:ty) => {
        struct $name([u8; $key]);

        impl $name {
            #[inline(always)]
            fn state(&self, nonce: &[u8]) -> $state {
                <$state>::new(&self.0, nonce.try_into().expect("a nonce of its length"))
            }
        }

        impl Candidate for $name {
            fn nonce_len(&self) -> usize {
                $nonce
            }

            #[inline(always)]
            fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
                self.state(nonce).encrypt_in_place(buf, ad)
            }

            #[inline(always)]
            fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
                self.state(nonce).decrypt_in_place(buf, tag, ad).is_ok()
            }
        }
    };
}

candidate!(Aegis128L, 16, 16, aegis::aegis128l::Aegis128L<16>);
candidate!(Aegis128X2, 16, 16, aegis::aegis128x2::Aegis128X2<16>);
candidate!(Aegis128X4, 16, 16, aegis::aegis128x4::Aegis128X4<16>);
candidate!(Aegis256, 32, 32, aegis::aegis256::Aegis256<16>);
candidate!(Aegis256X2, 32, 32, aegis::aegis256x2::Aegis256X2<16>);
candidate!(Aegis256X4, 32, 32, aegis::aegis256x4::Aegis256X4<16>);

pub(super) fn implementations() -> [Implementation; 6] {
    const NAME: &str = "libaegis, aegis 0.9.20";
    macro_rules! of {
        ($candidate:ident, $family:literal, $bits:literal) => {
            Implementation::new(Scheme::of($family), $bits, NAME, Width::W512, |key| {
                $candidate(key.try_into().expect("a key of its length"))
            })
        };
    }
    [
        of!(Aegis128L, "aegis-128l", 128),
        of!(Aegis128X2, "aegis-128x2", 128),
        of!(Aegis128X4, "aegis-128x4", 128),
        of!(Aegis256, "aegis-256", 256),
        of!(Aegis256X2, "aegis-256x2", 256),
        of!(Aegis256X4, "aegis-256x4", 256),
    ]
}
