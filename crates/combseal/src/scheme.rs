//! What a scheme does for the API: build a key in place, and two functions over a
//! message. Every form that callers use ends in `seal`, `seal_into` or `open` below, so
//! that unverified plaintext is wiped in one place.
//!
//! The traits are sealed: they cannot be named outside of this crate,
//!
//! ```compile_fail,E0603
//! use combseal::scheme::Scheme;
//! ```
//!
//! and although generic code can call what they declare, nobody else can make the message
//! that the raw functions take (`pipeline/lanes.rs`): unverified plaintext is out of reach, and so
//! is a cache that has seen another key.
//!
//! ```compile_fail,E0308
//! fn plaintext<A: combseal::Aead>(key: &A, buf: &mut [u8]) {
//!     let _ = key.open_raw(None, b"twelve bytes", b"", buf, &[0; 16]);
//! }
//! ```

use crate::aead::{Aead, Error, MAX_TAG_LEN, Tag};
use crate::cpu::{Answer, Block, Cpu};
use crate::memory::blank::{Blank, filled};
use crate::memory::wipe::Wipe;
use crate::pipeline::lanes::InOut;
#[cfg(feature = "ocb3")]
use crate::schemes::ocb3;

/// A scheme with its key, for one message.
pub trait Scheme: Sized {
    /// Whether a repeated nonce shows no more than that a whole message was repeated.
    fn allows_repeats(&self) -> bool {
        false
    }

    /// Whether the nonce is as long as this key's, and message and associated data are
    /// no longer than the scheme allows; lengths in bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::MessageTooLong`], [`Error::AdTooLong`].
    fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error>;

    /// Seals `io` and returns the tag's first block. Checks lengths before it touches
    /// anything. What is rare goes to `rare`.
    fn seal_raw(&self, cache: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, rare: &mut Rare) -> Answer;

    /// Decrypts `io` and says whether `tag`, of `tag_len()` bytes, is right. If not, the
    /// caller wipes the output. An error says that nothing was touched.
    fn open_raw(
        &self,
        cache: Option<&mut Cache>,
        nonce: &[u8],
        ad: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<bool, Error>;
}

/// A key that is built where it will be.
pub(crate) trait Keyed: Blank {
    /// How many bytes there are to the end of the last field.
    const END: usize = size_of::<Self>();

    /// Whether a key of so many bytes, for tags of so many bytes, is the scheme's.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TagLength`].
    fn takes(key_len: usize, tag_len: usize) -> Result<(), Error>;

    /// Expands `key` into `self`, which is zero; lengths are right. The tier comes
    /// first: see [`Blank`].
    fn fill(&mut self, cpu: Cpu, key: &[u8], tag_len: usize);

    /// Tag lengths in bytes that only a hazmat name gives.
    const SHORT_TAGS: &'static [usize] = &[];

    /// From now on nonces have `len` bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if the scheme does not take that; nothing has changed then.
    fn set_nonce_len(&mut self, len: usize) -> Result<(), Error>;

    /// Relaxes a rule other than that of the tag's length.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the scheme does not have it.
    fn relax(&mut self, _: Relaxed) -> Result<(), Error> {
        Err(Error::Unsupported)
    }
}

/// A rule that [`Key::hazmat_build`](crate::Key::hazmat_build) relaxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Relaxed {
    /// Nonces shorter than [`Key::set_nonce_len`](crate::Key::set_nonce_len) takes: OCB3's
    /// under 6 bytes, which break it (see
    /// [`Ocb3::hazmat_allow_short_nonces`](crate::Ocb3::hazmat_allow_short_nonces)), GCM's
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

/// A key by itself.
#[inline(always)]
pub(crate) fn build<K: Keyed>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<K, Error> {
    K::takes(key.len(), tag_len)?;
    Ok(filled(|it: &mut K| it.fill(cpu, key, tag_len)))
}

/// As [`Keyed::takes`], with short tags if they are wanted.
///
/// # Errors
/// As there; [`Error::Unsupported`] if the scheme has no short tags.
pub(crate) fn takes_relaxed<K: Keyed>(key_len: usize, tag_len: usize, short_tags: bool) -> Result<(), Error> {
    if short_tags && K::SHORT_TAGS.is_empty() {
        return Err(Error::Unsupported);
    }
    match K::takes(key_len, tag_len) {
        Err(Error::TagLength) if short_tags && K::SHORT_TAGS.contains(&tag_len) => Ok(()),
        other => other,
    }
}

/// A key by itself, its tag of any length that the scheme has.
pub(crate) fn build_short_tag<K: Keyed>(cpu: Cpu, key: &[u8], tag_len: usize) -> Result<K, Error> {
    takes_relaxed::<K>(key.len(), tag_len, true)?;
    Ok(filled(|it: &mut K| it.fill(cpu, key, tag_len)))
}

/// What a [`Sealer`](crate::Sealer) or [`Opener`](crate::Opener) keeps from one
/// message to the next, all of them under one key. Secret; wiped when dropped.
#[derive(Default)]
pub struct Cache {
    #[cfg(feature = "ocb3")]
    pub(crate) ocb3: ocb3::Cache,
}

/// What sealing has to say besides the tag's first block, and seldom has: written
/// only then, so that what the caller stored here is what the caller reads.
#[derive(Default)]
pub struct Rare {
    /// Nothing was sealed.
    pub(crate) error: Option<Error>,
    /// The second half of a 32-byte tag.
    pub(crate) second: Block,
}

impl Rare {
    /// What a scheme returns that seals nothing.
    #[cold]
    pub(crate) fn fail(&mut self, error: Error) -> Answer {
        self.error = Some(error);
        Answer::new([0; 16])
    }
}

/// Every form of sealing that returns a tag ends here.
#[inline(always)]
pub(crate) fn seal<A: Aead>(
    aead: &A,
    cache: Option<&mut Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
) -> Result<Tag, Error> {
    let mut rare = Rare::default();
    let first = aead.seal_raw(cache, nonce, ad, io, &mut rare);
    match rare.error {
        None => Ok(Tag::of([first.block(), rare.second], aead.tag_len())),
        Some(error) => Err(error),
    }
}

/// Every form of sealing that writes a tag ends here; `tag` has `tag_len()` bytes.
#[inline(always)]
pub(crate) fn seal_into<A: Aead>(
    aead: &A,
    cache: Option<&mut Cache>,
    nonce: &[u8],
    ad: &[u8],
    io: InOut<'_>,
    tag: &mut [u8],
) -> Result<(), Error> {
    let mut rare = Rare::default();
    let first = aead.seal_raw(cache, nonce, ad, io, &mut rare);
    match rare.error {
        None => {
            // The usual length apart, and straight from the registers.
            match tag.as_chunks_mut() {
                ([tag], []) => *tag = first.block(),
                _ => put(first, &rare.second, tag),
            }
            Ok(())
        }
        Some(error) => Err(error),
    }
}

/// Writes a tag of an unusual length.
#[inline(never)]
fn put(first: Answer, second: &Block, tag: &mut [u8]) {
    let blocks = [first.block(), *second];
    debug_assert!(tag.len() <= MAX_TAG_LEN);
    tag.iter_mut().zip(blocks.as_flattened()).for_each(|(to, byte)| *to = *byte);
}

/// Every form of opening ends here: the one place that wipes after a forgery. A wrong
/// length is found before anything is touched, and leaves everything as it was.
#[inline(always)]
pub(crate) fn open<A: Aead>(
    aead: &A,
    cache: Option<&mut Cache>,
    nonce: &[u8],
    ad: &[u8],
    mut io: InOut<'_>,
    tag: &[u8],
) -> Result<(), Error> {
    if tag.len() != aead.tag_len() {
        return Err(Error::TagLength);
    }
    if aead.open_raw(cache, nonce, ad, io.reborrow(), tag)? {
        return Ok(());
    }
    wipe(io);
    Err(Error::Forged)
}

/// Zeroes the output.
#[cold]
fn wipe(io: InOut<'_>) {
    io.into_dst().wipe();
}
