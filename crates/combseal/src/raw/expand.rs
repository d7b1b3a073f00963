//! The key schedule by itself, as a kernel: for keys that are round keys and nothing more.

use crate::cpu::{Aes, Backend, Kernel};

/// The key schedule alone.
pub(crate) struct Expand<'a, A: Aes> {
    pub key: &'a [u8],
    pub enc: &'a mut A::Enc,
}
impl<A: Aes> Kernel for Expand<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<A>(self.key, self.enc);
    }
}

/// The round keys of the inverse cipher.
pub(crate) struct Invert<'a, A: Aes> {
    pub enc: &'a A::Enc,
    pub dec: &'a mut A::Dec,
}
impl<A: Aes> Kernel for Invert<'_, A> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.invert::<A>(self.enc, self.dec);
    }
}
