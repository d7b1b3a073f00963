//! What a scheme does for the API: build a key in place ([`Keyed`]), say which lengths it
//! takes, and two functions over a message of such lengths ([`Raw`]). Every form that callers
//! use ends in `seal`, `seal_into` or `open` below, so that lengths are checked before
//! anything else, and unverified plaintext is wiped, in one place each for single calls.
//! What has no such end does both itself: a batch's groups
//! (`pipeline/jobs.rs`, their lengths checked by `Key::many`), OCB3's pieces over threads,
//! SIV's lists of strings, and `theta`.
//!
//! The traits are sealed: they cannot be named outside of this crate,
//!
//! ```compile_fail,E0603
//! use combseal::interface::scheme::Scheme;
//! ```
//!
//! and although generic code can call what [`Scheme`] declares, nobody else can make the
//! message that its functions take (`cpu/inout.rs`), whole or in parts: unverified plaintext
//! is out of reach (but through `hazmat::OpenUnverified`), and so is a cache that has seen another key.
//!
//! ```compile_fail,E0603
//! use combseal::cpu::{Destination, Source};
//! ```

use super::description::{Description, Limits};
use super::error::Error;
use super::parts::Progress;
use super::tag::Tag;
use crate::cpu::{Block, Cpu, InOut, ReturnedBlock};
use crate::memory::blank::{Blank, blank, filled};
use crate::memory::wipe::Wipe;

/// A key as callers hold it, for one message: a scheme's own key, a [`Key`](crate::Key) of any
/// scheme, or what lends or owns one of these.
pub trait Scheme: Sized {
    /// What the scheme can keep from one message to the next, all of them under one key:
    /// nothing, as a rule. Secret; wiped when dropped.
    type Cache: Default;

    /// What is known of the scheme.
    fn about(&self) -> &'static Description;

    /// What was chosen with the key.
    fn settings(&self) -> &Settings;

    /// What may be sealed with nonces of the key's length.
    fn allowed(&self) -> Limits {
        self.about().limits
    }

    /// Whether a repeated nonce shows no more than that a whole message was repeated.
    #[inline(always)]
    fn allows_repeats(&self) -> bool {
        self.about().allows_repeats()
    }

    /// Checks the lengths and then seals `io`; returns the tag's first block. What is not that
    /// block, a refusal too, goes to `extra`. A scheme's own key has this from `described!`.
    fn seal_checked(
        &self,
        cache: Option<&mut Self::Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        extra: &mut SealExtra,
    ) -> ReturnedBlock;

    /// Checks the lengths, the tag's too, seals `io` and writes the tag.
    ///
    /// # Errors
    /// [`Error::TagLength`] and those of [`Raw::check`], and nothing was touched.
    #[inline(always)]
    fn seal_with(
        &self,
        cache: Option<&mut Self::Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        if tag.len() != self.settings().tag_len() {
            return Err(Error::TagLength);
        }
        seal_into(self, cache, nonce, ad, io, tag)
    }

    /// Checks the lengths and then opens `io`. A scheme's own key has this from `described!`.
    ///
    /// # Errors
    /// [`Error::Forged`], and the output is zero; [`Error::TagLength`] and those of
    /// [`Raw::check`], and nothing was touched.
    fn open_checked(
        &self,
        cache: Option<&mut Self::Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error>;

    /// The bytes of which every part of a message has a multiple, but the last.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where messages do not come in parts: the scheme needs all of one, or its
    /// length, beforehand, or we have not made it.
    fn part_unit(&self) -> Result<usize, Error> {
        Err(Error::Unsupported)
    }

    /// Whether `nonce` and `ad` may begin a message; then what is known of it is written where it stays.
    ///
    /// # Errors
    /// As [`part_unit`](Self::part_unit); [`Error::NonceLength`], [`Error::AdTooLong`].
    fn begin_parts(&self, _nonce: &[u8], _ad: &[u8], _at: &mut Progress) -> Result<(), Error> {
        Err(Error::Unsupported)
    }

    /// Seals or opens the next part, a multiple of the unit. Not called where there is none.
    fn do_part(&self, _at: &mut Progress, _io: InOut<'_>, _open: bool) {
        unreachable!("a scheme without parts begins none")
    }

    /// Seals or opens the last part, less than a unit, and gives the tag. As above.
    fn end_parts(&self, _at: &mut Progress, _io: InOut<'_>, _open: bool) -> Block {
        unreachable!("a scheme without parts begins none")
    }

    /// Seals `buf` in place with a list of associated strings, where there is such a form.
    ///
    /// # Errors
    /// [`Error::Unsupported`]; [`Error::AdTooLong`] if there are more strings than it takes.
    fn seal_strings(&self, _ads: &[&[u8]], _buf: &mut [u8]) -> Result<Tag, Error> {
        Err(Error::Unsupported)
    }

    /// Opens what [`seal_strings`](Self::seal_strings) sealed.
    ///
    /// # Errors
    /// As there and as for every form of opening.
    fn open_strings(&self, _ads: &[&[u8]], _buf: &mut [u8], _tag: &[u8]) -> Result<(), Error> {
        Err(Error::Unsupported)
    }
}

/// What a scheme keeps between messages, when another key's turn comes.
#[cfg(feature = "alloc")]
pub(crate) trait Forget {
    /// Wipes what is secret, and keeps the memory.
    fn forget(&mut self);
}

/// A scheme that keeps nothing.
#[cfg(feature = "alloc")]
impl Forget for () {
    #[inline(always)]
    fn forget(&mut self) {}
}

/// What a scheme does with its own key. Only this crate sees it, and calls the functions over
/// a message only once `check` has let its lengths pass.
pub(crate) trait Raw: Scheme {
    /// Whether the nonce is as long as this key's, and message and associated data are
    /// no longer than the scheme allows; lengths in bytes. `#[inline]`, since every call of
    /// the API begins with it.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::MessageTooLong`], [`Error::AdTooLong`].
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error>;

    /// Seals `io` and returns the tag's first block. Lengths have passed
    /// [`check`](Self::check). The second half of a 32-byte tag goes to `second`.
    fn seal_raw(
        &self,
        cache: Option<&mut Self::Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        second: &mut Block,
    ) -> ReturnedBlock;

    /// Decrypts `io` and says whether `tag`, of the key's tag length, is right. If not, the
    /// caller wipes the output. Lengths have passed [`check`](Self::check).
    fn open_raw(&self, cache: Option<&mut Self::Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool;
}

/// What is chosen with a key: its tier, and the lengths of tags and nonces.
#[repr(C)]
pub struct Settings {
    /// Bytes in a nonce.
    pub(crate) nonce_len: u32,
    /// The CPU tier that the key works on.
    pub(crate) cpu: Cpu,
    /// Bytes in a tag.
    pub(crate) tag_len: u8,
    /// Bytes in the shortest nonce that `nonce_len` may be set to.
    shortest_nonce: u8,
}
blank!(Settings { nonce_len, cpu, tag_len, shortest_nonce });

impl Settings {
    #[inline(always)]
    pub(crate) fn tag_len(&self) -> usize {
        self.tag_len.into()
    }

    /// Whether a nonce is as long as the key's.
    #[inline(always)]
    pub(crate) fn takes(&self, nonce: &[u8]) -> bool {
        nonce.len() == self.nonce_len as usize
    }
}

/// A key that is built where it will be.
pub(crate) trait Keyed: Blank + Raw {
    /// The scheme, with this size of key.
    const DESCRIPTION: &'static Description;

    /// How many bytes there are to the end of the last field.
    const END: usize = size_of::<Self>();

    /// What is chosen with the key.
    fn settings_mut(&mut self) -> &mut Settings;

    /// Expands `key`, of the scheme's length, into `self`, which is zero but for the settings.
    fn fill(&mut self, key: &[u8]);

    /// Relaxes a rule that this scheme alone has.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the scheme does not have it.
    fn relax_own(&mut self, _: Relaxed) -> Result<(), Error> {
        Err(Error::Unsupported)
    }

    /// As [`fill`](Self::fill) of what is all zero. The tier comes first: zero is the software
    /// tier, whose form of round keys the others do not read.
    #[inline(always)]
    fn begin(&mut self, cpu: Cpu, key: &[u8], tag_len: usize) {
        // Field by field: a whole struct would bring its padding along, from the stack.
        let settings = self.settings_mut();
        settings.cpu = cpu;
        settings.tag_len = tag_len as u8;
        settings.nonce_len = Self::DESCRIPTION.nonce_len as u32;
        settings.shortest_nonce = *Self::DESCRIPTION.nonce_lens.start() as u8;
        self.fill(key);
    }

    /// From now on nonces have `len` bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if the scheme does not take that; nothing has changed then.
    fn set_nonce_len(&mut self, len: usize) -> Result<(), Error> {
        let settings = self.settings_mut();
        match u32::try_from(len) {
            Ok(n) if n >= settings.shortest_nonce.into() && len <= *Self::DESCRIPTION.nonce_lens.end() => {
                settings.nonce_len = n;
                Ok(())
            }
            _ => Err(Error::NonceLength),
        }
    }

    /// Lets [`set_nonce_len`](Self::set_nonce_len) take the shortest nonces of all.
    fn allow_short_nonces(&mut self) {
        self.settings_mut().shortest_nonce = Self::DESCRIPTION.shortest_nonce as u8;
    }

    /// Relaxes a rule other than that of the tag's length.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the scheme does not have it.
    fn relax(&mut self, rule: Relaxed) -> Result<(), Error> {
        match rule {
            Relaxed::ShortNonces if Self::DESCRIPTION.shortest_nonce < *Self::DESCRIPTION.nonce_lens.start() => {
                self.allow_short_nonces();
                Ok(())
            }
            other => self.relax_own(other),
        }
    }
}

/// A rule that [`Key::hazmat_build`](crate::Key::hazmat_build) relaxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relaxed {
    /// Nonces shorter than [`Key::set_nonce_len`](crate::Key::set_nonce_len) takes: OCB3's
    /// under 6 bytes, of which the empty one breaks it (see
    /// [`Ocb3::hazmat_allow_short_nonces`](crate::Ocb3::hazmat_allow_short_nonces)), and GCM's
    /// and EAX's under 8, which a sender soon has used up.
    ShortNonces,
    /// Tags shorter than [`Key::build`](crate::Key::build) takes: OCB3's and EAX's from 1
    /// byte on, CCM's of 4 and 6, GCM's of 4 and 8 (see
    /// [`Gcm::hazmat_build_short_tag`](crate::Gcm::hazmat_build_short_tag)).
    ShortTags,
    /// OCB3 in the form of FSE 2011: see
    /// [`Ocb3::hazmat_build_fse2011`](crate::Ocb3::hazmat_build_fse2011).
    Fse2011,
}

/// Whether a key of so many bytes, for tags of so many bytes, is the scheme's; with short
/// tags if they are wanted.
///
/// # Errors
/// [`Error::KeyLength`], [`Error::TagLength`]; [`Error::Unsupported`] if short tags are
/// wanted of a scheme that has none.
pub(crate) fn admit(it: &Description, key_len: usize, tag_len: usize, short_tags: bool) -> Result<(), Error> {
    if short_tags && it.short_tag_lens.is_empty() {
        return Err(Error::Unsupported);
    }
    if key_len != it.key_len {
        return Err(Error::KeyLength);
    }
    if it.tag_lens.contains(&tag_len) || short_tags && it.short_tag_lens.contains(&tag_len) {
        Ok(())
    } else {
        Err(Error::TagLength)
    }
}

/// A key of lengths that are known to be right.
#[inline(always)]
pub(crate) fn made<K: Keyed>(cpu: Cpu, key: &[u8], tag_len: usize) -> K {
    filled(|it: &mut K| it.begin(cpu, key, tag_len))
}

/// A key by itself.
#[inline(always)]
pub(crate) fn build<K: Keyed>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<K, Error> {
    admit(K::DESCRIPTION, key.len(), tag_len, false)?;
    Ok(made(cpu, key, tag_len))
}

/// A key by itself, its tag of any length that the scheme has.
pub(crate) fn build_short_tag<K: Keyed>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<K, Error> {
    admit(K::DESCRIPTION, key.len(), tag_len, true)?;
    Ok(made(cpu, key, tag_len))
}

/// The constructors of a typed key, inside its `impl`. A list of words says which: `new` of
/// a key whose length is in its type, and in words, `tags` and `nonces` where there is a choice.
macro_rules! constructors {
    () => {};
    (new $key:ty, $len:literal; $($rest:tt)*) => {
        #[doc = concat!("Expands `key`, of ", $len, " bytes, for the best tier of this machine; tags have 16 bytes.")]
        pub fn new(key: &$key) -> Self {
            crate::interface::scheme::made(crate::cpu::Cpu::detect(), key.as_ref(), 16)
        }
        crate::interface::scheme::constructors!(@build 16);
        crate::interface::scheme::constructors!(@tags $key; $($rest)*);
    };
    (build; $($rest:tt)*) => {
        crate::interface::scheme::constructors!(@build 16);
        crate::interface::scheme::constructors!($($rest)*);
    };
    (@build $usual:literal) => {
        /// Expands `key`, which has to have the scheme's length, for the best tier of this machine;
        #[doc = concat!("tags have ", $usual, " bytes.")]
        ///
        /// # Errors
        /// [`Error::KeyLength`](crate::Error::KeyLength).
        pub fn from_slice(key: &[u8]) -> Result<Self, crate::interface::error::Error> {
            crate::interface::scheme::build(crate::cpu::Cpu::detect(), key, $usual)
        }

        /// Everything chosen at run time: the tier, the key in bytes, the tag's length in bytes.
        ///
        /// # Errors
        /// [`Error::KeyLength`](crate::Error::KeyLength),
        /// [`Error::TagLength`](crate::Error::TagLength).
        pub fn build(cpu: crate::cpu::Cpu, key: &[u8], tag_len: usize) -> Result<Self, crate::interface::error::Error> {
            crate::interface::scheme::build(cpu, key, tag_len)
        }
    };
    (@tags $key:ty; tags $lens:literal; $($rest:tt)*) => {
        #[doc = concat!("The same with tags of `tag_len` bytes: ", $lens, ".")]
        ///
        /// # Errors
        /// [`Error::TagLength`](crate::Error::TagLength) for another length.
        pub fn with_tag_len(key: &$key, tag_len: usize) -> Result<Self, crate::interface::error::Error> {
            crate::interface::scheme::build(crate::cpu::Cpu::detect(), key.as_ref(), tag_len)
        }
        crate::interface::scheme::constructors!($($rest)*);
    };
    (@tags $key:ty; $($rest:tt)*) => { crate::interface::scheme::constructors!($($rest)*); };
    (nonces $lens:literal; $($rest:tt)*) => {
        #[doc = concat!("From now on nonces have `len` bytes: ", $lens, ".")]
        ///
        /// # Errors
        /// [`Error::NonceLength`](crate::Error::NonceLength) for another length; nothing
        /// has changed then.
        pub fn set_nonce_len(&mut self, len: usize) -> Result<(), crate::interface::error::Error> {
            crate::interface::scheme::Keyed::set_nonce_len(self, len)
        }
        crate::interface::scheme::constructors!($($rest)*);
    };
}
pub(crate) use constructors;

/// What every scheme's implementation of [`Scheme`] says in the same words: what it is, and
/// that lengths are checked before [`Raw`]'s functions are called.
macro_rules! described {
    () => {
        crate::interface::scheme::described!(settings);
    };
    ($($settings:ident).+) => {
        #[inline(always)]
        fn about(&self) -> &'static crate::interface::description::Description {
            <Self as crate::interface::scheme::Keyed>::DESCRIPTION
        }
        #[inline(always)]
        fn settings(&self) -> &crate::interface::scheme::Settings {
            &self.$($settings).+
        }
        #[inline(always)]
        fn seal_checked(
            &self,
            cache: Option<&mut Self::Cache>,
            nonce: &[u8],
            ad: &[u8],
            io: crate::cpu::InOut<'_>,
            extra: &mut crate::interface::scheme::SealExtra,
        ) -> crate::cpu::ReturnedBlock {
            crate::interface::scheme::check_and_seal(self, cache, nonce, ad, io, extra)
        }
        #[inline(always)]
        fn open_checked(
            &self,
            cache: Option<&mut Self::Cache>,
            nonce: &[u8],
            ad: &[u8],
            io: crate::cpu::InOut<'_>,
            tag: &[u8],
        ) -> Result<(), crate::interface::error::Error> {
            crate::interface::scheme::check_and_open(self, cache, nonce, ad, io, tag)
        }
    };
}
pub(crate) use described;

/// The same for a scheme whose messages may come in parts: [`Parted`] says how.
macro_rules! parted {
    () => {
        fn part_unit(&self) -> Result<usize, crate::interface::error::Error> {
            Ok(<Self as crate::interface::scheme::Parted>::UNIT)
        }
        fn begin_parts(
            &self,
            nonce: &[u8],
            ad: &[u8],
            at: &mut crate::interface::parts::Progress,
        ) -> Result<(), crate::interface::error::Error> {
            crate::interface::scheme::Raw::check(self, nonce, ad, 0)?;
            at.begin(ad.len());
            crate::interface::scheme::Parted::begin(self, nonce, ad, at);
            Ok(())
        }
        // A message that goes by memory is waited for (`cpu/inout.rs`): to be inlined down to the kernel.
        #[inline(always)]
        fn do_part(&self, at: &mut crate::interface::parts::Progress, io: crate::cpu::InOut<'_>, open: bool) {
            let len = io.len();
            crate::interface::scheme::Parted::part(self, at, io, open);
            at.advance(len);
        }
        fn end_parts(
            &self,
            at: &mut crate::interface::parts::Progress,
            io: crate::cpu::InOut<'_>,
            open: bool,
        ) -> crate::cpu::Block {
            crate::interface::scheme::Parted::end(self, at, io, open)
        }
    };
}
pub(crate) use parted;

/// What a scheme does with a message in parts, of its own key. Lengths have passed
/// [`Raw::check`], all parts together.
pub(crate) trait Parted: Raw {
    /// See [`Scheme::part_unit`]; at most [`MAX_UNIT`].
    const UNIT: usize;

    /// Before the first part; `at` is zero but for the associated data's length.
    fn begin(&self, nonce: &[u8], ad: &[u8], at: &mut Progress);

    /// A multiple of the unit; the caller counts it. Must be `#[inline(always)]`.
    fn part(&self, at: &mut Progress, io: InOut<'_>, open: bool);

    /// Less than a unit, and the tag.
    fn end(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block;
}

/// Bytes in the largest unit.
pub(crate) const MAX_UNIT: usize = 64;

/// What sealing has to say besides the tag's first block, and seldom has: written
/// only then, so that what the caller stored here is what the caller reads. (A `Result` of
/// the block would go by memory.)
#[derive(Default)]
pub struct SealExtra {
    /// A length was refused, and nothing was sealed.
    error: Option<Error>,
    /// The second half of a 32-byte tag.
    second: Block,
}

impl SealExtra {
    /// What is returned where nothing is sealed.
    #[cold]
    fn refuse(&mut self, error: Error) -> ReturnedBlock {
        self.error = Some(error);
        ReturnedBlock::new([0; 16])
    }
}

/// [`Scheme::seal_checked`] of a scheme's own key.
#[inline(always)]
pub(crate) fn check_and_seal<K: Raw>(
    key: &K,
    cache: Option<&mut K::Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    extra: &mut SealExtra,
) -> ReturnedBlock {
    match key.check(nonce, ad, io.len()) {
        Ok(()) => key.seal_raw(cache, nonce, ad, io, &mut extra.second),
        Err(error) => extra.refuse(error),
    }
}

/// [`Scheme::open_checked`] of a scheme's own key: the one place that wipes after a forgery. A
/// wrong length is found before anything is touched, and leaves everything as it was.
#[inline(always)]
pub(crate) fn check_and_open<K: Raw>(
    key: &K,
    cache: Option<&mut K::Cache>,
    nonce: &[u8],
    ad: &[u8],
    mut io: InOut<'_>,
    tag: &[u8],
) -> Result<(), Error> {
    if tag.len() != key.settings().tag_len() {
        return Err(Error::TagLength);
    }
    // In this form an opener costs what it did: with the wiping beside the tag's comparison,
    // OCB3's short messages took 3 cycles more.
    let done = match key.check(nonce, ad, io.len()) {
        Ok(()) if key.open_raw(cache, nonce, ad, io.reborrow(), tag) => Ok(()),
        Ok(()) => Err(Error::Forged),
        Err(error) => Err(error),
    };
    if done == Err(Error::Forged) {
        wipe(io);
    }
    done
}

/// Every form of sealing that returns a tag ends here.
#[inline(always)]
pub(crate) fn seal<S: Scheme>(
    scheme: &S,
    cache: Option<&mut S::Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
) -> Result<Tag, Error> {
    let mut extra = SealExtra::default();
    let first = scheme.seal_checked(cache, nonce, ad, io, &mut extra);
    match extra.error {
        None => Ok(Tag::of([first.block(), extra.second], scheme.settings().tag_len())),
        Some(error) => Err(error),
    }
}

/// Every form of sealing that writes a tag ends here; `tag` has the key's tag length.
#[inline(always)]
pub(crate) fn seal_into<S: Scheme>(
    scheme: &S,
    cache: Option<&mut S::Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    tag: &mut [u8],
) -> Result<(), Error> {
    let mut extra = SealExtra::default();
    let first = scheme.seal_checked(cache, nonce, ad, io, &mut extra);
    match extra.error {
        None => {
            write_tag(first, &extra.second, tag);
            Ok(())
        }
        Some(error) => Err(error),
    }
}

/// [`Scheme::seal_with`] of a scheme's own key, which is inlined where it is called: a refusal then needs no
/// place in memory.
#[cfg(feature = "internals")]
#[inline(always)]
pub(crate) fn check_and_seal_with<K: Raw>(
    key: &K,
    cache: Option<&mut K::Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    tag: &mut [u8],
) -> Result<(), Error> {
    if tag.len() != key.settings().tag_len() {
        return Err(Error::TagLength);
    }
    key.check(nonce, ad, io.len())?;
    let mut second = [0; 16];
    let first = key.seal_raw(cache, nonce, ad, io, &mut second);
    write_tag(first, &second, tag);
    Ok(())
}

/// Writes a tag.
#[inline(always)]
fn write_tag(first: ReturnedBlock, second: &Block, tag: &mut [u8]) {
    // The usual length apart, and straight from the registers.
    match tag.as_chunks_mut() {
        ([tag], []) => *tag = first.block(),
        _ => put(first, second, tag),
    }
}

/// Writes a tag of an unusual length.
#[inline(never)]
fn put(first: ReturnedBlock, second: &Block, tag: &mut [u8]) {
    let blocks = [first.block(), *second];
    // With a tag of more than 32 bytes, which no key has, this panics.
    tag.copy_from_slice(&blocks.as_flattened()[..tag.len()]);
}

/// Every form of opening one message ends here. A wrong length is found before anything is touched, and leaves
/// everything as it was; after a forgery [`check_and_open`] has wiped.
#[inline(always)]
pub(crate) fn open<S: Scheme>(
    scheme: &S,
    cache: Option<&mut S::Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    tag: &[u8],
) -> Result<(), Error> {
    scheme.open_checked(cache, nonce, ad, io, tag)
}

/// Zeroes the output.
#[cold]
fn wipe(io: InOut<'_>) {
    io.into_dst().wipe();
}
