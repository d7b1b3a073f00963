// libaegis, through the crate `aegis`. It keeps no context: key and nonce go into each message.

use crate::limits::Width;
use crate::subject::{Candidate, Implementation, Scheme, Tag};
use aegis::aegis128l::Aegis128L;

struct LibAegis([u8; 16]);

impl LibAegis {
    #[inline(always)]
    fn state(&self, nonce: &[u8]) -> Aegis128L<16> {
        Aegis128L::new(&self.0, nonce.try_into().expect("16 bytes"))
    }
}

impl Candidate for LibAegis {
    const NONCE_LEN: usize = 16;

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        self.state(nonce).encrypt_in_place(buf, ad)
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        self.state(nonce).decrypt_in_place(buf, tag, ad).is_ok()
    }
}

pub(super) fn implementations() -> [Implementation; 1] {
    [Implementation::new(Scheme::Aegis128L, 128, "libaegis, aegis 0.9.20", Width::W128, |key| {
        LibAegis(key.try_into().expect("16 bytes"))
    })]
}
