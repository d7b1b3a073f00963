//! The traits of `aead` 0.6.

use super::lengths::{Build, Lengths, fit};
use crate::cpu::{Cpu, InOut};
use crate::interface::description::Description;
use crate::interface::scheme::{Keyed, open, seal_into};
use crate::schemes::every_scheme;
use ::aead::array::{Array, ArraySize, AssocArraySize};
use ::aead::consts::U16;
use ::aead::inout::InOutBuf;
use ::aead::{Nonce as NonceOf, Result, Tag as TagOf, TagPosition};
use core::{fmt, marker::PhantomData};

/// The traits' crate, in the version that they are implemented of.
pub use ::aead;
/// What `aes-gcm` 0.11 exports of that crate, so that its users find it here.
pub use ::aead::{AeadCore, AeadInOut, Error, Key, KeyInit, KeySizeUser};

/// A nonce of `N` bytes, as `aes-gcm` 0.11, `ocb3` 0.2 and `eax` 0.6 have it.
pub type Nonce<N> = Array<u8, N>;

/// A tag of `N` bytes, as those crates have it.
pub type Tag<N = U16> = Array<u8, N>;

/// A typed key with its nonces' length `N` and its tags' length `T` in its type, in
/// bytes: RustCrypto's traits know no others.
///
/// ```
/// use combseal::rustcrypto::Fixed;
/// use combseal::rustcrypto::aead::{AeadInOut, KeyInit, consts::{U8, U15}};
/// use combseal::{Aes128, Ocb3};
///
/// // OCB3 with nonces of 15 bytes, as OpenPGP has it (RFC 9580, 5.13.4).
/// let key = Fixed::<Ocb3<Aes128>, U15>::new(&[7; 16].into());
/// let mut message = *b"message";
/// let tag = key.encrypt_inout_detached(&[1; 15].into(), b"header", message[..].as_mut().into())?;
/// key.decrypt_inout_detached(&[1; 15].into(), b"header", message[..].as_mut().into(), &tag)?;
/// assert_eq!(&message, b"message");
///
/// // With short tags too, from a key that was built for them.
/// let key = Fixed::<_, U15, U8>::from_key(Ocb3::<Aes128>::with_tag_len(&[7; 16], 8)?)?;
/// assert_eq!(key.encrypt_inout_detached(&[1; 15].into(), b"", (&mut [][..]).into())?.len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What [`Lengths`] does not list for a scheme does not compile: neither nonces
///
/// ```compile_fail,E0080
/// # use combseal::rustcrypto::{Fixed, aead::{KeyInit, consts::*}};
/// # use combseal::{Aes128, Gcm, Ocb3};
/// Fixed::<Ocb3<Aes128>, U5, U16>::new(&[7; 16].into());
/// ```
///
/// nor tags,
///
/// ```compile_fail,E0080
/// # use combseal::rustcrypto::{Fixed, aead::{KeyInit, consts::*}};
/// # use combseal::{Aes128, Gcm, Ocb3};
/// Fixed::<Gcm<Aes128>, U12, U8>::new(&[7; 16].into());
/// ```
///
/// whichever way the key comes.
///
/// ```compile_fail,E0080
/// # use combseal::rustcrypto::{Fixed, aead::{KeyInit, consts::*}};
/// # use combseal::{Aes128, Gcm, Ocb3};
/// let key = Ocb3::<Aes128>::with_tag_len(&[7; 16], 7)?;
/// Fixed::<_, U12, U7>::from_key(key)?;
/// # Ok::<(), combseal::Error>(())
/// ```
///
/// (`cargo check` does not see it: the lengths are compared where code is made.)
pub struct Fixed<A, N, T = U16> {
    key: A,
    lengths: PhantomData<(N, T)>,
}

impl<A: Lengths, N: ArraySize, T: ArraySize> Fixed<A, N, T> {
    /// An error of the compiler if the scheme does not take such lengths. Every function
    /// that makes a value names it.
    const FIT: () = fit::<A>(N::USIZE, T::USIZE);

    /// Takes over a key that was made in another way: for a tier, or with OCB3's tag in
    /// the form of FSE 2011. From now on its nonces have the length `N`.
    ///
    /// # Errors
    /// [`TagLength`](crate::Error::TagLength) if the key's tags do not have the length `T`.
    pub fn from_key(mut key: A) -> core::result::Result<Self, crate::Error> {
        let () = Self::FIT;
        if key.tag_len() != T::USIZE {
            return Err(crate::Error::TagLength);
        }
        Build::set_nonce_len(&mut key, N::USIZE)?;
        Ok(Self { key, lengths: PhantomData })
    }

    /// The key.
    pub fn key(&self) -> &A {
        &self.key
    }
}

impl<A: Lengths + KeySizeUser, N: ArraySize, T: ArraySize> KeySizeUser for Fixed<A, N, T> {
    type KeySize = A::KeySize;
}

impl<A: Lengths + KeySizeUser, N: ArraySize, T: ArraySize> KeyInit for Fixed<A, N, T> {
    fn new(key: &Key<Self>) -> Self {
        let () = Self::FIT;
        match <A as Build>::build(Cpu::detect(), key, T::USIZE).and_then(Self::from_key) {
            Ok(it) => it,
            Err(_) => unreachable!("the key's type has the right length, and so have tag and nonce"),
        }
    }
}

impl<A: Lengths, N: ArraySize, T: ArraySize> AeadCore for Fixed<A, N, T> {
    type NonceSize = N;
    type TagSize = T;
    const TAG_POSITION: TagPosition = position::<A>();
}

impl<A: Lengths, N: ArraySize, T: ArraySize> AeadInOut for Fixed<A, N, T> {
    fn encrypt_inout_detached(
        &self,
        nonce: &NonceOf<Self>,
        ad: &[u8],
        buf: InOutBuf<'_, '_, u8>,
    ) -> Result<TagOf<Self>> {
        encrypt(&self.key, nonce, ad, buf)
    }
    fn decrypt_inout_detached(
        &self,
        nonce: &NonceOf<Self>,
        ad: &[u8],
        buf: InOutBuf<'_, '_, u8>,
        tag: &TagOf<Self>,
    ) -> Result<()> {
        open(&self.key, None, nonce, ad, InOut::from_rustcrypto(buf), tag).map_err(|_| Error)
    }
}

impl<A: Lengths, N: ArraySize, T: ArraySize> fmt::Debug for Fixed<A, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fixed")
            .field("key", &self.key.name())
            .field("nonce", &N::USIZE)
            .field("tag", &T::USIZE)
            .finish_non_exhaustive()
    }
}

super::names::names!(::aead::consts);

/// Where the scheme's tag goes.
const fn position<A: Build>() -> TagPosition {
    if A::TAG_FIRST { TagPosition::Prefix } else { TagPosition::Postfix }
}

/// Seals; an error, before anything is done, if the key's tags do not have the length `T`.
#[inline]
fn encrypt<A: crate::Aead, T: ArraySize>(
    key: &A,
    nonce: &[u8],
    ad: &[u8],
    buf: InOutBuf<'_, '_, u8>,
) -> Result<Array<u8, T>> {
    if key.tag_len() != T::USIZE {
        return Err(Error);
    }
    let mut tag = Array::<u8, T>::default();
    seal_into(key, None, nonce, ad, InOut::from_rustcrypto(buf), &mut tag).map_err(|_| Error)?;
    Ok(tag)
}

/// The traits for every typed key; lengths as the scheme's description has them.
macro_rules! traits {
    ($($feature:literal $family:ident [$($type:ident)*] { $($variant:ident = $key:ty,)* })*) => {$($(
        #[cfg(feature = $feature)]
        const _: () = {
            #[allow(unused_imports)]
            use crate::cpu::{Aes128, Aes192, Aes256};
            use crate::schemes::*;

            const IT: &Description = <$key as Keyed>::DESCRIPTION;

            impl KeySizeUser for $key {
                type KeySize = <[u8; IT.key_len] as AssocArraySize>::Size;
            }
            impl KeyInit for $key {
                fn new(key: &Key<Self>) -> Self {
                    crate::interface::scheme::made(Cpu::detect(), key, 16)
                }
            }
            impl AeadCore for $key {
                type NonceSize = <[u8; IT.nonce_len] as AssocArraySize>::Size;
                type TagSize = U16;
                const TAG_POSITION: TagPosition = position::<$key>();
            }
            /// A key with other lengths of tag or nonce answers every call with the error.
            impl AeadInOut for $key {
                fn encrypt_inout_detached(
                    &self,
                    nonce: &NonceOf<Self>,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                ) -> Result<TagOf<Self>> {
                    encrypt(self, nonce, ad, buf)
                }
                fn decrypt_inout_detached(
                    &self,
                    nonce: &NonceOf<Self>,
                    ad: &[u8],
                    buf: InOutBuf<'_, '_, u8>,
                    tag: &TagOf<Self>,
                ) -> Result<()> {
                    open(self, None, nonce, ad, InOut::from_rustcrypto(buf), tag).map_err(|_| Error)
                }
            }
        };
    )*)*};
}
every_scheme!(traits);
