//! A key whose calls go to the kernel's door without one in between.
//!
//! [`Key`]'s own functions over a message are a call, so that not every form of the API has all
//! schemes in it. The library for C is such a call already, with ten arguments; to pass them on to
//! a second one took some forty instructions a message.

use super::{Cache, Held, Key};
use crate::cpu::{Block, InOut, ReturnedBlock};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits};
use crate::interface::error::Error;
use crate::interface::parts::Progress;
use crate::interface::scheme::{Scheme, SealExtra, Settings, check_and_seal_with};
use crate::interface::tag::Tag;
use crate::schemes::every_scheme;

/// A key of any scheme, every function of which over a message is inlined where it is called, with
/// all schemes: for callers whose own functions are few.
pub struct Inlined<'a>(pub &'a Key);

macro_rules! doors {
    ($($feature:literal $family:ident [$($type:ident)*] { $($variant:ident = $key:ty,)* })*) => {
        impl Inlined<'_> {
            /// Seals `io` and writes the tag to `tag`, of the key's tag length.
            ///
            /// # Errors
            /// As [`Aead::seal_detached`].
            #[inline(always)]
            pub fn seal_io(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<(), Error> {
                self.seal_with(None, nonce, ad, io, tag)
            }

            /// Opens `io`.
            ///
            /// # Errors
            /// As [`Aead::open_in_place`].
            #[inline(always)]
            pub fn open_io(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
                self.open_checked(None, nonce, ad, io, tag)
            }
        }

        impl Scheme for Inlined<'_> {
            type Cache = Cache;

            #[inline(always)]
            fn about(&self) -> &'static Description {
                self.0.about()
            }
            #[inline(always)]
            fn settings(&self) -> &Settings {
                self.0.settings()
            }
            fn allowed(&self) -> Limits {
                self.0.allowed()
            }
            #[inline(always)]
            fn allows_repeats(&self) -> bool {
                self.0.allows_repeats()
            }
            #[inline(always)]
            fn seal_checked(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                extra: &mut SealExtra,
            ) -> ReturnedBlock {
                match self.0.held() {
                    $($(#[cfg(feature = $feature)] Held::$variant(key) => {
                        key.seal_checked(cache.map(|all| &mut all.$family), nonce, ad, io, extra)
                    })*)*
                }
            }
            #[inline(always)]
            fn seal_with(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &mut [u8],
            ) -> Result<(), Error> {
                // The tag's length too by the scheme's own key: of a key of any scheme it is looked up in a table.
                match self.0.held() {
                    $($(#[cfg(feature = $feature)] Held::$variant(key) => {
                        check_and_seal_with(key, cache.map(|all| &mut all.$family), nonce, ad, io, tag)
                    })*)*
                }
            }
            #[inline(always)]
            fn open_checked(
                &self,
                cache: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                tag: &[u8],
            ) -> Result<(), Error> {
                match self.0.held() {
                    $($(#[cfg(feature = $feature)] Held::$variant(key) => {
                        key.open_checked(cache.map(|all| &mut all.$family), nonce, ad, io, tag)
                    })*)*
                }
            }
            fn part_unit(&self) -> Result<usize, Error> {
                self.0.part_unit()
            }
            fn begin_parts(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) -> Result<(), Error> {
                self.0.begin_parts(nonce, ad, at)
            }
            #[inline(always)]
            fn do_part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
                self.0.do_part(at, io, open);
            }
            fn end_parts(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
                self.0.end_parts(at, io, open)
            }
            fn seal_strings(&self, ads: &[&[u8]], buf: &mut [u8]) -> Result<Tag, Error> {
                self.0.seal_strings(ads, buf)
            }
            fn open_strings(&self, ads: &[&[u8]], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
                self.0.open_strings(ads, buf, tag)
            }
        }
    };
}
every_scheme!(doors);

impl Aead for Inlined<'_> {}
