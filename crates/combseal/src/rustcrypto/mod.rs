//! RustCrypto's `aead` traits: for every typed key, with the usual nonce and 16-byte tags, and in
//! `Fixed` with any other lengths that the scheme takes. As everywhere here, a forgery leaves
//! zeros.
//!
//! Those of version 0.6 (feature `aead`) are implemented here, those of 0.5 (feature `aead-05`), which
//! most crates use today, in [`v05`]. Both may be on.
//!
//! A typed key's own `new` takes a plain array, and stands before `KeyInit::new` where the type is named.
//! It is the same constructor, and what does not fit is an error of the compiler; generic code, that asks
//! for `KeyInit`, never sees it. Code that was written for RustCrypto's crates takes its types from here:
//! `Fixed` has no `new` but the trait's, and those that have a name there have it here.
//!
//! ```
//! # #[cfg(all(feature = "aead", feature = "gcm"))] {
//! use combseal::rustcrypto::{Aes256Gcm, aead::{AeadInOut, Key, KeyInit}};
//!
//! let key = Key::<Aes256Gcm>::try_from(&[7; 32][..]).expect("32 bytes");
//! let cipher = Aes256Gcm::new(&key); // of `KeyInit`
//! let mut message = *b"message";
//! let tag = cipher.encrypt_inout_detached(&[1; 12].into(), b"header", message[..].as_mut().into());
//! let tag = tag.expect("a short message");
//!
//! // The key's own type: an array, one that is turned into a reference to an array, or the trait's by name.
//! use combseal::{Aead, Aes256, Gcm};
//! let same = [Gcm::<Aes256>::new(&[7; 32]), Gcm::new(key.as_ref()), KeyInit::new(&key)];
//! for cipher in same {
//!     let mut opened = message;
//!     cipher.open_in_place(&[1; 12], b"header", &mut opened, &tag).expect("authentic");
//!     assert_eq!(&opened, b"message");
//! }
//! # }
//! ```

mod lengths;
mod names;
#[cfg(feature = "aead-05")]
pub mod v05;
#[cfg(feature = "aead")]
mod v06;

pub use lengths::Lengths;
#[cfg(feature = "aead")]
pub use v06::*;
