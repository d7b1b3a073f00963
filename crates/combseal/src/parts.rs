//! Messages in parts of any length, for who cannot hold one whole: sealed by
//! [`SealParts`], opened only under a name that says what it shows.
//!
//! Both hold back less than a unit of the scheme's (16 bytes, ChaCha20's 64), so that what comes
//! out is that of all at once, whatever the parts. What is secret of a message that is under way stays
//! where it is, since a value that is moved leaves a copy behind that nobody wipes.

use crate::cpu::InOut;
use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::interface::parts::Progress;
use crate::interface::scheme::MAX_UNIT;
use crate::interface::tag::Tag;
use crate::memory::blank::Erased;
use crate::memory::wipe::Wipe;

/// A message that is sealed in parts of any length. What comes out is the same, byte for byte, as of
/// [`Aead::seal`] of the whole.
///
/// OCB3, GCM, ChaCha20-Poly1305, XChaCha20-Poly1305 and EAX can do this, and a
/// [`Key`](crate::Key) of one of them. SIV and GCM-SIV need a message twice, CCM its length
/// beforehand, and of AEGIS it has not been made. A
/// receiver has to hold the message whole: before the tag is checked no plaintext may be
/// used. For data that nobody can hold whole, take the module `stream`, which verifies segment
/// by segment.
///
/// ```
/// use combseal::{Aead, Aes128, Ocb3, SealParts};
///
/// let key = Ocb3::<Aes128>::new(&[7; 16]);
/// let mut message = SealParts::new(&key, b"unique nonce", b"header")?;
/// let mut sealed = vec![0; 100];
/// let mut n = 0;
/// for part in [&b"a message that comes "[..], b"in two parts"] {
///     n += message.update(part, &mut sealed[n..])?; // whole blocks; the rest is held back
/// }
/// let (last, tag) = message.finish(&mut sealed[n..])?;
/// n += last;
/// sealed.truncate(n);
/// sealed.extend_from_slice(tag.as_bytes());
/// assert_eq!(sealed, key.seal(b"unique nonce", b"header", b"a message that comes in two parts")?);
/// # Ok::<(), combseal::Error>(())
/// ```
///
/// Nobody looks whether a nonce repeats, and nothing is counted against the key's limits: take each nonce
/// from [`Sealer::take_nonce`](crate::Sealer::take_nonce), with a bound on the message's length. A
/// message that was begun and not finished has used its nonce too.
///
/// What is secret of the message (bytes that are held back, offsets, XChaCha20's subkey, the one-time key of Poly1305
/// with its powers and sums) is on the heap, where it stays until it is wiped, whether the message is finished or dropped. Without the feature `alloc` it is in this
/// value: then each move of the value leaves a copy, of all but the subkey.
#[must_use = "a message that is not finished has no tag"]
pub struct SealParts<'k, A: Aead>(Parts<'k, A>);

/// What both directions share.
struct Parts<'k, A: Aead> {
    key: &'k A,
    unit: usize,
    state: Place,
}

/// What is known of a message that is under way. Kept as [`Erased`], so that all of it is zero once it is dropped.
struct State {
    at: Progress,
    /// What is held back: the first `len` bytes.
    held: [u8; MAX_UNIT],
    len: usize,
}

/// Where it is: where there is an allocator, in one place from the first byte on until it is wiped there,
/// whoever moves what refers to it.
#[cfg(feature = "alloc")]
type Place = alloc::boxed::Box<Erased<State>>;
/// Where it is: without an allocator, in the value itself.
#[cfg(not(feature = "alloc"))]
type Place = Inline;

/// A place that moves with its owner.
#[cfg(not(feature = "alloc"))]
struct Inline(Erased<State>);
#[cfg(not(feature = "alloc"))]
impl Inline {
    fn new(state: Erased<State>) -> Self {
        Self(state)
    }
}
#[cfg(not(feature = "alloc"))]
impl core::ops::Deref for Inline {
    type Target = State;
    fn deref(&self) -> &State {
        &self.0
    }
}
#[cfg(not(feature = "alloc"))]
impl core::ops::DerefMut for Inline {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.0
    }
}

impl State {
    /// Keeps a few more bytes, at most as many as a unit has with those that are kept.
    fn hold(&mut self, bytes: &[u8]) {
        self.held[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

impl<'k, A: Aead> Parts<'k, A> {
    fn new(key: &'k A, nonce: &[u8], ad: &[u8]) -> Result<Self, Error> {
        let unit = key.part_unit()?;
        let mut state = Place::new(Erased::new(State { at: Progress::blank(), held: [0; MAX_UNIT], len: 0 }));
        key.begin_parts(nonce, ad, &mut state.at)?;
        Ok(Self { key, unit, state })
    }

    /// Bytes of message so far.
    fn length(&self) -> u64 {
        self.state.at.done() + self.state.len as u64
    }

    /// Whether so many more bytes may come.
    fn admit(&self, len: usize) -> Result<(), Error> {
        let longest = self.key.about().limits.message;
        match self.length().checked_add(len as u64) {
            Some(all) if all <= longest => Ok(()),
            _ => Err(Error::MessageTooLong),
        }
    }

    fn ready(&self, len: usize) -> usize {
        // Units are powers of two.
        self.state.len.saturating_add(len) & !(self.unit - 1)
    }

    #[inline]
    fn update(&mut self, part: &[u8], out: &mut [u8], open: bool) -> Result<usize, Error> {
        self.admit(part.len())?;
        let ready = self.ready(part.len());
        let Some(out) = out.get_mut(..ready) else { return Err(Error::BufferLength) };
        let (mut part, mut out, state) = (part, out, &mut *self.state);
        if state.len > 0 {
            let missing = self.unit - state.len;
            let Some((front, rest)) = part.split_at_checked(missing) else {
                state.hold(part);
                return Ok(0);
            };
            state.hold(front);
            let (first, behind) = out.split_at_mut(self.unit);
            first.copy_from_slice(&state.held[..self.unit]);
            self.key.do_part(&mut state.at, InOut::in_place(first), open);
            state.len = 0;
            (part, out) = (rest, behind);
        }
        let (whole, rest) = part.split_at(out.len());
        if let Some(io) = InOut::separate(whole, out)
            && !whole.is_empty()
        {
            self.key.do_part(&mut state.at, io, open);
            // Written although it is zero: the next part's read of it would else wait for a store of this part's to
            // an address with the same low twelve bits, and where that part is written depends on it.
            state.len = 0;
        }
        if !rest.is_empty() {
            state.hold(rest);
        }
        Ok(ready)
    }

    fn finish(&mut self, out: &mut [u8], open: bool) -> Result<(usize, Tag), Error> {
        let state = &mut *self.state;
        let Some(out) = out.get_mut(..state.len) else { return Err(Error::BufferLength) };
        out.copy_from_slice(&state.held[..state.len]);
        let tag = self.key.end_parts(&mut state.at, InOut::in_place(out), open);
        Ok((state.len, Tag::new(tag, self.key.tag_len())))
    }
}

impl<'k, A: Aead> SealParts<'k, A> {
    /// Begins a message: `nonce` and `ad` as for [`Aead::seal`].
    ///
    /// # Errors
    /// [`Error::Unsupported`] if the scheme cannot seal in parts; [`Error::NonceLength`],
    /// [`Error::AdTooLong`].
    pub fn new(key: &'k A, nonce: &[u8], ad: &[u8]) -> Result<Self, Error> {
        Parts::new(key, nonce, ad).map(Self)
    }

    /// How many bytes [`update`](Self::update) would write for a part of `len` bytes: at most
    /// `len` and what is held back, fewer than 64.
    pub fn ready(&self, len: usize) -> usize {
        self.0.ready(len)
    }

    /// Seals the next part, of any length. Writes [`ready`](Self::ready) bytes of ciphertext to the front of `out`, and
    /// gives their number; fewer than 64 bytes of plaintext are held back. Parts that are multiples of 512
    /// bytes are the fastest.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `out` is shorter; [`Error::MessageTooLong`] if all parts together
    /// are longer than the scheme allows. Nothing has changed then.
    #[inline]
    pub fn update(&mut self, part: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.0.update(part, out, false)
    }

    /// Ends the message: writes what was held back to the front of `out`, fewer than 64 bytes
    /// ([`held`](Self::held) says how many), and gives their number and the tag.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `out` is shorter; the message is lost then.
    pub fn finish(mut self, out: &mut [u8]) -> Result<(usize, Tag), Error> {
        self.0.finish(out, false)
    }

    /// How many bytes are held back.
    pub fn held(&self) -> usize {
        self.0.state.len
    }
}

impl<A: Aead> core::fmt::Debug for SealParts<'_, A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SealParts").field("length", &self.0.length()).finish_non_exhaustive()
    }
}

/// A message that is opened in parts: **it shows plaintext that nobody has verified**.
///
/// Whoever changes the ciphertext changes what comes out here, and learns from what is done
/// with it (Andreeva et al., "How to Securely Release Unverified Plaintext in Authenticated
/// Encryption", ASIACRYPT 2014). Nothing that depends on it may be seen from outside before
/// [`finish`](Self::finish) has said `Ok`, and all of it must be thrown away if that does not. It is for who has
/// to fill a place piece by piece that nobody else can see; who can, takes
/// [`Aead::open_in_place`](crate::Aead::open_in_place), or the module `stream`.
#[must_use = "what is not finished was never verified"]
pub struct OpenUnverified<'k, A: Aead>(Parts<'k, A>);

impl<'k, A: Aead> OpenUnverified<'k, A> {
    /// Begins a message.
    ///
    /// # Errors
    /// As [`SealParts::new`].
    pub fn new(key: &'k A, nonce: &[u8], ad: &[u8]) -> Result<Self, Error> {
        Parts::new(key, nonce, ad).map(Self)
    }

    /// How many bytes [`update`](Self::update) would write for a part of `len` bytes.
    pub fn ready(&self, len: usize) -> usize {
        self.0.ready(len)
    }

    /// How many bytes are held back.
    pub fn held(&self) -> usize {
        self.0.state.len
    }

    /// Decrypts the next part as [`SealParts::update`] seals one: **unverified plaintext**.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn update(&mut self, part: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        self.0.update(part, out, true)
    }

    /// Ends the message: writes what was held back, and says whether `tag` is that of the message.
    ///
    /// # Errors
    /// [`Error::Forged`], and what this wrote is zero, but **not what
    /// [`update`](Self::update) has written: that is the caller's to wipe**. [`Error::BufferLength`],
    /// [`Error::TagLength`]: the message is lost then, and not verified.
    pub fn finish(mut self, tag: &[u8], out: &mut [u8]) -> Result<usize, Error> {
        if tag.len() != self.0.key.tag_len() {
            return Err(Error::TagLength);
        }
        let (n, right) = self.0.finish(out, true)?;
        if right == *tag {
            return Ok(n);
        }
        out[..n].wipe();
        Err(Error::Forged)
    }
}

impl<A: Aead> core::fmt::Debug for OpenUnverified<'_, A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OpenUnverified").field("length", &self.0.length()).finish_non_exhaustive()
    }
}
