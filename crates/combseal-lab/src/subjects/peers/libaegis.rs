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
            const NONCE_LEN: usize = $nonce;

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
        ($scheme:ident, $bits:literal) => {
            Implementation::new(Scheme::$scheme, $bits, NAME, Width::W512, |key| {
                $scheme(key.try_into().expect("a key of its length"))
            })
        };
    }
    [
        of!(Aegis128L, 128),
        of!(Aegis128X2, 128),
        of!(Aegis128X4, 128),
        of!(Aegis256, 256),
        of!(Aegis256X2, 256),
        of!(Aegis256X4, 256),
    ]
}
