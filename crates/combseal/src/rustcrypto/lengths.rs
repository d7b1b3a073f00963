//! Which lengths of nonces and tags a typed key takes, and how it is made with them: what both
//! versions of the traits ask for.

use crate::cpu::Cpu;
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed};
use crate::schemes::every_scheme;
use core::ops::RangeInclusive;

/// Lengths in bytes that `Fixed` takes with each typed key.
///
/// They are those that the key's `build` and `set_nonce_len` take, but for nonces longer
/// than 64 bytes where the scheme knows no bound. The trait is sealed.
pub trait Lengths: crate::Aead + Build {
    /// Of nonces.
    const NONCES: RangeInclusive<usize>;
    /// Of tags.
    const TAGS: &'static [usize];
}

/// What every typed key has, by a name that generic code can call.
pub trait Build: Sized {
    fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error>;
    fn set_nonce_len(&mut self, len: usize) -> Result<(), Error>;
    const TAG_FIRST: bool;
}

impl<K: Keyed> Build for K {
    fn build(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<Self, Error> {
        scheme::build(cpu, key, tag_len)
    }
    fn set_nonce_len(&mut self, len: usize) -> Result<(), Error> {
        Keyed::set_nonce_len(self, len)
    }
    const TAG_FIRST: bool = K::DESCRIPTION.tag_first;
}

/// Does not compile, where it is a constant, unless the scheme takes such lengths.
pub const fn fit<A: Lengths>(nonce: usize, tag: usize) {
    let nonces = A::NONCES;
    assert!(
        *nonces.start() <= nonce && nonce <= *nonces.end(),
        "nonces of this length are not among the scheme's `Lengths::NONCES`"
    );
    let (mut i, mut found) = (0, false);
    while i < A::TAGS.len() {
        found |= A::TAGS[i] == tag;
        i += 1;
    }
    assert!(found, "tags of this length are not among the scheme's `Lengths::TAGS`");
}

macro_rules! lengths {
    ($($feature:literal $family:ident [$($type:ident)*] { $($variant:ident = $key:ty,)* })*) => {$($(
        #[cfg(feature = $feature)]
        const _: () = {
            #[allow(unused_imports)]
            use crate::cpu::{Aes128, Aes192, Aes256};
            use crate::schemes::*;

            impl Lengths for $key {
                const NONCES: RangeInclusive<usize> = {
                    let all = &<$key as Keyed>::DESCRIPTION.nonce_lens;
                    let most = *all.end();
                    *all.start()..=if most > 64 { 64 } else { most }
                };
                const TAGS: &'static [usize] = <$key as Keyed>::DESCRIPTION.tag_lens;
            }
        };
    )*)*};
}
every_scheme!(lengths);
