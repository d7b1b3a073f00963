//! The traits of RustCrypto's `aead` 0.5, the version that most crates use today.
//!
//! ```
//! use combseal::rustcrypto::v05::aead::{Aead, KeyInit, Payload};
//! use combseal::{Aes256, Gcm};
//!
//! // Where a library asks for `A: Aead + KeyInit`.
//! fn seal<A: Aead + KeyInit>(key: &[u8], nonce: &[u8], message: &[u8]) -> Vec<u8> {
//!     let cipher = A::new_from_slice(key).expect("a key of the right length");
//!     cipher.encrypt(nonce.into(), Payload { msg: message, aad: b"header" }).expect("a short message")
//! }
//! let sealed = seal::<Gcm<Aes256>>(&[7; 32], &[1; 12], b"message");
//! let key = Gcm::<Aes256>::new(&[7; 32]);
//! assert_eq!(combseal::Aead::open(&key, &[1; 12], b"header", &sealed)?, b"message");
//! # Ok::<(), combseal::Error>(())
//! ```

use super::lengths::{Build, Lengths, fit};
use crate::cpu::{Cpu, InOut};
use crate::interface::description::Description;
use crate::interface::scheme::{Keyed, open, seal_into};
use crate::memory::wipe::Wipe;
use crate::schemes::every_scheme;
use ::aead05::generic_array::{ArrayLength, GenericArray};
use ::aead05::{Buffer, Nonce as NonceOf, Result, Tag as TagOf};
use core::{fmt, marker::PhantomData};
use typenum::{U, U0, U16};

/// The traits' crate, in the version that they are implemented of.
pub use ::aead05 as aead;
/// What `aes-gcm` 0.10 exports of that crate, so that its users find it here.
pub use ::aead05::{AeadCore, AeadInPlace, Error, Key, KeyInit, KeySizeUser};

/// A nonce of `N` bytes, as `aes-gcm` 0.10, `ocb3` 0.1 and `eax` 0.5 have it.
pub type Nonce<N> = GenericArray<u8, N>;

/// A tag of `N` bytes, as those crates have it.
pub type Tag<N = U16> = GenericArray<u8, N>;

/// A typed key with its nonces' length `N` and its tags' length `T` in its type, in
/// bytes: RustCrypto's traits know no others.
///
/// ```
/// use combseal::rustcrypto::v05::Fixed;
/// use combseal::rustcrypto::v05::aead::{AeadInPlace, KeyInit, consts::U15};
/// use combseal::{Aes128, Ocb3};
///
/// // OCB3 with nonces of 15 bytes, as OpenPGP has it (RFC 9580, 5.13.4).
/// let key = Fixed::<Ocb3<Aes128>, U15>::new(&[7; 16].into());
/// let mut message = *b"message";
/// let tag = key.encrypt_in_place_detached(&[1; 15].into(), b"header", &mut message)?;
/// key.decrypt_in_place_detached(&[1; 15].into(), b"header", &mut message, &tag)?;
/// assert_eq!(&message, b"message");
/// # Ok::<(), combseal::rustcrypto::v05::aead::Error>(())
/// ```
///
/// What [`Lengths`] does not list for a scheme does not compile:
///
/// ```compile_fail,E0080
/// # use combseal::rustcrypto::v05::{Fixed, aead::{KeyInit, consts::*}};
/// # use combseal::{Aes128, Ocb3};
/// Fixed::<Ocb3<Aes128>, U5>::new(&[7; 16].into());
/// ```
pub struct Fixed<A, N, T = U16> {
    key: A,
    lengths: PhantomData<(N, T)>,
}

impl<A: Lengths, N: ArrayLength<u8>, T: ArrayLength<u8>> Fixed<A, N, T> {
    /// An error of the compiler if the scheme does not take such lengths. Every function
    /// that makes a value names it.
    const FIT: () = fit::<A>(N::USIZE, T::USIZE);

    /// Takes over a key that was made in another way. From now on its nonces have the length `N`.
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

impl<A: Lengths + KeySizeUser, N, T> KeySizeUser for Fixed<A, N, T> {
    type KeySize = A::KeySize;
}

impl<A: Lengths + KeySizeUser, N: ArrayLength<u8>, T: ArrayLength<u8>> KeyInit for Fixed<A, N, T> {
    fn new(key: &Key<Self>) -> Self {
        let () = Self::FIT;
        match <A as Build>::build(Cpu::detect(), key, T::USIZE).and_then(Self::from_key) {
            Ok(it) => it,
            Err(_) => unreachable!("the key's type has the right length, and so have tag and nonce"),
        }
    }
}

impl<A: Lengths, N: ArrayLength<u8>, T: ArrayLength<u8>> AeadCore for Fixed<A, N, T> {
    type NonceSize = N;
    type TagSize = T;
    type CiphertextOverhead = U0;
}

impl<A: Lengths, N: ArrayLength<u8>, T: ArrayLength<u8>> AeadInPlace for Fixed<A, N, T> {
    fn encrypt_in_place(&self, nonce: &NonceOf<Self>, ad: &[u8], buffer: &mut dyn Buffer) -> Result<()> {
        encrypt_attached::<A, T>(&self.key, nonce, ad, buffer)
    }
    fn encrypt_in_place_detached(&self, nonce: &NonceOf<Self>, ad: &[u8], buffer: &mut [u8]) -> Result<TagOf<Self>> {
        encrypt(&self.key, nonce, ad, buffer)
    }
    fn decrypt_in_place(&self, nonce: &NonceOf<Self>, ad: &[u8], buffer: &mut dyn Buffer) -> Result<()> {
        decrypt_attached::<A, T>(&self.key, nonce, ad, buffer)
    }
    fn decrypt_in_place_detached(
        &self,
        nonce: &NonceOf<Self>,
        ad: &[u8],
        buffer: &mut [u8],
        tag: &TagOf<Self>,
    ) -> Result<()> {
        open(&self.key, None, nonce, ad, InOut::in_place(buffer), tag).map_err(|_| Error)
    }
}

impl<A: Lengths, N: ArrayLength<u8>, T: ArrayLength<u8>> fmt::Debug for Fixed<A, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fixed")
            .field("key", &self.key.name())
            .field("nonce", &N::USIZE)
            .field("tag", &T::USIZE)
            .finish_non_exhaustive()
    }
}

super::names::names!(::aead05::consts);

/// Seals; an error, before anything is done, if the key's tags do not have the length `T`.
#[inline]
fn encrypt<A: crate::Aead, T: ArrayLength<u8>>(
    key: &A,
    nonce: &[u8],
    ad: &[u8],
    buffer: &mut [u8],
) -> Result<GenericArray<u8, T>> {
    if key.tag_len() != T::USIZE {
        return Err(Error);
    }
    let mut tag = GenericArray::<u8, T>::default();
    seal_into(key, None, nonce, ad, InOut::in_place(buffer), &mut tag).map_err(|_| Error)?;
    Ok(tag)
}

/// Seals all of `buffer`, which grows by the tag: at its end, and for SIV at its beginning, as that
/// scheme's sealed messages have it (RFC 5297, 2.6). If that fails, `buffer` is as it was.
fn encrypt_attached<A: Lengths, T: ArrayLength<u8>>(
    key: &A,
    nonce: &[u8],
    ad: &[u8],
    buffer: &mut dyn Buffer,
) -> Result<()> {
    let len = buffer.len();
    buffer.extend_from_slice(&GenericArray::<u8, T>::default())?;
    let first = <A as Build>::TAG_FIRST;
    let all = buffer.as_mut();
    if first {
        all.copy_within(..len, T::USIZE);
    }
    let (a, b) = all.split_at_mut(if first { T::USIZE } else { len });
    let (body, place) = if first { (b, a) } else { (a, b) };
    match encrypt::<A, T>(key, nonce, ad, body) {
        Ok(tag) => {
            place.copy_from_slice(&tag);
            Ok(())
        }
        Err(error) => {
            if first {
                all.copy_within(T::USIZE.., 0);
            }
            all[len..].wipe();
            buffer.truncate(len);
            Err(error)
        }
    }
}

/// Opens what [`encrypt_attached`] sealed: `buffer` shrinks to the message. After a forgery the message's
/// place is zero.
fn decrypt_attached<A: Lengths, T: ArrayLength<u8>>(
    key: &A,
    nonce: &[u8],
    ad: &[u8],
    buffer: &mut dyn Buffer,
) -> Result<()> {
    let len = buffer.len().checked_sub(T::USIZE).ok_or(Error)?;
    let first = <A as Build>::TAG_FIRST;
    let all = buffer.as_mut();
    let (a, b) = all.split_at_mut(if first { T::USIZE } else { len });
    let (body, tag) = if first { (b, a) } else { (a, b) };
    open(key, None, nonce, ad, InOut::in_place(body), tag).map_err(|_| Error)?;
    if first {
        all.copy_within(T::USIZE.., 0);
    }
    // The tag, and for SIV the message's end, which lies there twice.
    all[len..].wipe();
    buffer.truncate(len);
    Ok(())
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
                type KeySize = U<{ IT.key_len }>;
            }
            impl KeyInit for $key {
                fn new(key: &Key<Self>) -> Self {
                    crate::interface::scheme::made(Cpu::detect(), key, 16)
                }
            }
            impl AeadCore for $key {
                type NonceSize = U<{ IT.nonce_len }>;
                type TagSize = U16;
                type CiphertextOverhead = U0;
            }
            /// A key with other lengths of tag or nonce answers every call with the error.
            impl AeadInPlace for $key {
                fn encrypt_in_place(&self, nonce: &NonceOf<Self>, ad: &[u8], buffer: &mut dyn Buffer) -> Result<()> {
                    encrypt_attached::<Self, U16>(self, nonce, ad, buffer)
                }
                fn encrypt_in_place_detached(
                    &self,
                    nonce: &NonceOf<Self>,
                    ad: &[u8],
                    buffer: &mut [u8],
                ) -> Result<TagOf<Self>> {
                    encrypt(self, nonce, ad, buffer)
                }
                fn decrypt_in_place(&self, nonce: &NonceOf<Self>, ad: &[u8], buffer: &mut dyn Buffer) -> Result<()> {
                    decrypt_attached::<Self, U16>(self, nonce, ad, buffer)
                }
                fn decrypt_in_place_detached(
                    &self,
                    nonce: &NonceOf<Self>,
                    ad: &[u8],
                    buffer: &mut [u8],
                    tag: &TagOf<Self>,
                ) -> Result<()> {
                    open(self, None, nonce, ad, InOut::in_place(buffer), tag).map_err(|_| Error)
                }
            }
        };
    )*)*};
}
every_scheme!(traits);
