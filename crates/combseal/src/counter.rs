//! Sealing and opening many messages under one key: the nonce that cannot
//! repeat, the key's limit, the replay window, and what may be kept between messages.

use crate::cpu::{InOut, block_count};
use crate::interface::aead::{self, Aead, Buffer};
use crate::interface::description::Limits;
use crate::interface::error::Error;
use crate::interface::scheme;
use crate::interface::tag::{COUNTER_LEN, MAX_NONCE_LEN, Nonce, Tag};
use crate::memory::blank::Erased;
use crate::memory::wipe::Wipe;
use crate::replay::ReplayWindow;

/// Counter nonces: a prefix that tells senders under one key apart, then a big-endian
/// counter of eight bytes; or such a counter XORed into a secret IV ([`xored`](Self::xored)), as
/// TLS 1.3 and QUIC have it.
///
/// The prefix is what the nonce has besides: 4 bytes of a nonce of 12, 7 of 15, 8 of 16, 16 of
/// 24 (XChaCha20-Poly1305), 24 of 32 (AEGIS-256).
/// All senders' prefixes therefore have one length; were two lengths allowed, `b"us"`
/// and `b"us\0\0"` could make the same nonces.
///
/// Nonces of fewer than eight bytes (6 and 7 with OCB3, 7 with CCM, any with SIV) are the counter alone: without
/// a prefix, for one sender only, and exhausted when all of them were used.
///
/// Deliberately not `Clone`: two copies would use each nonce twice.
pub struct NonceCounter {
    /// The prefix, and behind it what the counter is XORed with: zeros, or the end of a secret IV.
    base: [u8; MAX_NONCE_LEN],
    /// Bytes before the counter.
    len: usize,
    /// Whether there is a secret IV.
    xored: bool,
    next: u64,
    blocks: u64,
}

impl NonceCounter {
    /// Nonces that begin with `prefix`, counting from zero: for a key that has sealed
    /// nothing yet with this prefix.
    ///
    /// # Errors
    /// [`Error::PrefixLength`] if no scheme's nonces have room for it and the counter.
    /// (Whether those of the key do, [`Sealer::new`] tells.)
    pub fn new(prefix: &[u8]) -> Result<Self, Error> {
        Self::starting_at(prefix, 0, 0)
    }

    /// The same, for a sender that goes on where it, or its record on disk, stopped:
    /// `next` is the counter of the next message, so many were sealed before, and
    /// `blocks` is what those took of the key's limit. [`next_counter`](Self::next_counter) and
    /// [`blocks_used`](Self::blocks_used) gave both, or those of the [`Sealer`]. Whether they are
    /// right cannot be seen: with a `next` that is too small, nonces repeat.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn starting_at(prefix: &[u8], next: u64, blocks: u64) -> Result<Self, Error> {
        if prefix.len() > MAX_NONCE_LEN - COUNTER_LEN {
            return Err(Error::PrefixLength);
        }
        let mut it = Self { base: [0; MAX_NONCE_LEN], len: prefix.len(), xored: false, next, blocks };
        it.base[..prefix.len()].copy_from_slice(prefix);
        Ok(it)
    }

    /// The counter of the next message, for a record that survives a restart.
    pub fn next_counter(&self) -> u64 {
        self.next
    }

    /// Blocks of 16 bytes, of messages and of associated data, that were sealed with this counter,
    /// and two more a message; those before a restart included: for the same record.
    pub fn blocks_used(&self) -> u64 {
        self.blocks
    }

    /// Nonces that are `iv` XOR the counter, which has zeros on its left: TLS 1.3 (RFC 8446,
    /// sect. 5.3), QUIC (RFC 9001, sect. 5.3), HPKE (RFC 9180, sect. 5.2). `iv` is as long as the
    /// key's nonces, belongs to this key and this sender alone, and is kept secret: it is zeroed
    /// when this is dropped. Nonces that a batch was given are not: who finds one in freed memory and knows its number
    /// knows `iv`. It counts from zero. The receiver's side is [`Opener::with_xored_window`].
    ///
    /// Such nonces are not for flat columns ([`Columns`](crate::Columns)).
    ///
    /// # Errors
    /// [`Error::NonceLength`] if it has fewer than 8 bytes or more than 32.
    pub fn xored(iv: &[u8]) -> Result<Self, Error> {
        Self::xored_at(iv, 0, 0)
    }

    /// The same, for a sender that goes on, as in [`starting_at`](Self::starting_at).
    ///
    /// # Errors
    /// As [`xored`](Self::xored).
    pub fn xored_at(iv: &[u8], next: u64, blocks: u64) -> Result<Self, Error> {
        let Some((prefix, mask)) = iv.split_last_chunk::<COUNTER_LEN>() else { return Err(Error::NonceLength) };
        let mut it = Self::starting_at(prefix, next, blocks).map_err(|_| Error::NonceLength)?;
        it.base[prefix.len()..iv.len()].copy_from_slice(mask);
        it.xored = true;
        Ok(it)
    }
}

impl NonceCounter {
    /// What nonces begin with.
    fn prefix(&self) -> &[u8] {
        &self.base[..self.len]
    }

    /// What the counter is XORed with.
    fn mask(&self) -> u64 {
        self.base[self.len..].first_chunk().map_or(0, |mask| u64::from_be_bytes(*mask))
    }

    /// The prefix, and the counter of the next message.
    #[cfg(feature = "alloc")]
    pub(crate) fn state(&self) -> (&[u8], u64) {
        (self.prefix(), self.next)
    }

    /// Whether there is an IV rather than a prefix.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_xored(&self) -> bool {
        self.xored
    }

    /// Takes the nonces of `messages` messages of `blocks` blocks in all, with the two more that
    /// count for each, and gives the first one's counter.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if the key's limits do not allow as many; nothing is taken then.
    #[cfg(feature = "alloc")]
    pub(crate) fn take(&mut self, limits: &Limits, messages: u64, blocks: u64) -> Result<u64, Error> {
        let first = self.next;
        let next = first.checked_add(messages).filter(|&next| next <= limits.key_messages);
        let used = messages.checked_mul(BESIDES).and_then(|n| n.checked_add(blocks)?.checked_add(self.blocks));
        let (Some(next), Some(used)) = (next, used.filter(|&used| used <= limits.key_blocks)) else {
            return Err(Error::Exhausted);
        };
        (self.next, self.blocks) = (next, used);
        Ok(first)
    }
}

impl Drop for NonceCounter {
    /// Zeroes what may be a secret IV.
    fn drop(&mut self) {
        self.base.wipe();
    }
}

impl core::fmt::Debug for NonceCounter {
    /// The prefix, but not an IV.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut it = f.debug_struct("NonceCounter");
        if !self.xored {
            it.field("prefix", &self.prefix());
        }
        it.field("next", &self.next).field("blocks", &self.blocks).finish_non_exhaustive()
    }
}

/// Blocks that count for a message besides its own: one for the tag, one for the nonce.
const BESIDES: u64 = 2;

/// Whether nonces of a key consist of a prefix of so many bytes and a counter, of eight bytes or, where the nonce has
/// fewer, of all of them. Gives the number of counters that there are, as far as 64 bits go.
fn fits(nonce_len: usize, prefix_len: usize) -> Result<u64, Error> {
    if !(1..=MAX_NONCE_LEN).contains(&nonce_len) {
        return Err(Error::NonceLength);
    }
    let counter_len = nonce_len.min(COUNTER_LEN);
    if prefix_len + counter_len != nonce_len {
        return Err(Error::PrefixLength);
    }
    Ok(1u64.checked_shl(8 * counter_len as u32).unwrap_or(u64::MAX))
}

/// Seals messages under one key with nonces that it counts itself.
///
/// It owns the key, or shares it (`Sealer<&Key>`, `Sealer<Arc<Key>>`), and has the
/// counter and what the scheme can keep from one message to the next: for OCB3 the block
/// Ktop, which 64 counter nonces share, and the hash of associated data that stays the
/// same. It stops at the key's limit; senders under one key with different prefixes each
/// count for themselves, and have to divide the limit between them.
pub struct Sealer<A: Aead>(Erased<Sending<A>>);

struct Sending<A: Aead> {
    key: A,
    cache: A::Cache,
    nonce: Nonce,
    /// What the counter is XORed with.
    mask: u64,
    next: u64,
    /// Where the scheme's number of messages ends.
    end: u64,
    blocks_left: u64,
}

impl<A: Aead> Sealer<A> {
    /// Takes over `key`; nonces have the length that the key has set. Who needs the key
    /// elsewhere too gives `&key` or an `Arc` of it.
    ///
    /// Where the key is shared, **each sealer needs a prefix of its own**: two with one
    /// prefix count through the same nonces, and neither knows of the other.
    ///
    /// # Errors
    /// [`Error::PrefixLength`] unless the prefix is eight bytes shorter than the key's
    /// nonces, or empty if these have fewer than 8 bytes; [`Error::NonceLength`] if they have none, or
    /// more than 32, or if the counter is XORed into an IV of another length;
    /// [`Error::Exhausted`] if nothing more may be sealed: the counter has reached the
    /// scheme's number of messages or the end of its bytes, or the blocks sealed before its number of blocks.
    pub fn new(key: A, counter: NonceCounter) -> Result<Self, Error> {
        let nonce_len = key.nonce_len();
        let counters = fits(nonce_len, counter.len)?;
        if counter.xored && nonce_len < COUNTER_LEN {
            return Err(Error::NonceLength);
        }
        let Limits { key_messages, key_blocks, .. } = key.limits();
        let end = key_messages.min(counters);
        let blocks_left = key_blocks.saturating_sub(counter.blocks);
        if counter.next >= end || blocks_left < BESIDES {
            return Err(Error::Exhausted);
        }
        let nonce = Nonce::begin(counter.prefix()).cut(nonce_len);
        let (mask, next) = (counter.mask(), counter.next);
        Ok(Self(Erased::new(Sending { key, cache: A::Cache::default(), nonce, mask, next, end, blocks_left })))
    }

    /// The scheme's name.
    pub fn name(&self) -> &'static str {
        self.0.key.name()
    }

    /// The tag's length in bytes.
    #[inline(always)]
    pub fn tag_len(&self) -> usize {
        self.0.key.tag_len()
    }

    /// The counter of the next message, for a record that survives a restart.
    pub fn next_counter(&self) -> u64 {
        self.0.next
    }

    /// Blocks of 16 bytes, of messages and of associated data, that this sealer has sealed,
    /// and two more a message; those before a restart included: for the same record.
    pub fn blocks_used(&self) -> u64 {
        self.0.key.limits().key_blocks - self.0.blocks_left
    }

    /// Blocks of 16 bytes that this sealer may still seal, with two more a message. Others
    /// under the same key share the limit: see [`Sealer`].
    pub fn blocks_left(&self) -> u64 {
        self.0.blocks_left
    }

    /// The key. Not public: a caller could seal with it under a nonce that this sealer makes later.
    #[cfg(all(feature = "alloc", feature = "_scheme"))]
    pub(crate) fn key(&self) -> &A {
        &self.0.key
    }

    /// Takes the next nonce for a message of `len` bytes, with `ad_len` bytes of associated data,
    /// that is sealed elsewhere under the same key, in a [`Batch`](crate::Batch) say. `len` is the message's alone, without
    /// the tag. Its blocks count; if the message is not sealed after all, nothing is lost but the nonce.
    ///
    /// # Errors
    /// [`Error::Exhausted`]; then no nonce has been used.
    #[inline]
    pub fn take_nonce(&mut self, ad_len: usize, len: usize) -> Result<Nonce, Error> {
        // Of any numbers, not only of what slices are long: those 15 more must not overflow.
        let left = self.0.admit(len.div_ceil(16) as u64 + ad_len.div_ceil(16) as u64)?;
        // Not read from where it has just been stored: see `Nonce`.
        let mut nonce = self.0.nonce;
        nonce.count(self.0.next ^ self.0.mask);
        self.0.done(left);
        Ok(nonce)
    }

    /// Seals `buf` in place; returns the nonce that it used and the tag.
    ///
    /// # Errors
    /// [`Error::Exhausted`], [`Error::MessageTooLong`], [`Error::AdTooLong`].
    /// After an error no nonce has been used, and `buf` is as it was.
    #[inline(always)]
    pub fn seal_in_place(&mut self, ad: &[u8], buf: &mut [u8]) -> Result<(Nonce, Tag), Error> {
        self.0.seal(ad, InOut::in_place(buf))
    }

    /// Seals `src` into `dst`, which is as long; returns the nonce and the tag.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_to(&mut self, ad: &[u8], src: &[u8], dst: &mut [u8]) -> Result<(Nonce, Tag), Error> {
        self.0.seal(ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?)
    }

    /// Seals `buf` in place and writes the tag to `tag`, of `tag_len()` bytes;
    /// lends the nonce. Nothing is copied: the form for packets.
    ///
    /// # Errors
    /// [`Error::TagLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_detached(&mut self, ad: &[u8], buf: &mut [u8], tag: &mut [u8]) -> Result<&Nonce, Error> {
        if tag.len() != self.0.key.tag_len() {
            return Err(Error::TagLength);
        }
        self.0.seal_into(ad, InOut::in_place(buf), tag)
    }

    /// Seals `src` into `dst`, which is as long, and writes the tag to `tag`, of `tag_len()` bytes;
    /// lends the nonce.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::TagLength`] and those of
    /// [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_to_detached(&mut self, ad: &[u8], src: &[u8], dst: &mut [u8], tag: &mut [u8]) -> Result<&Nonce, Error> {
        if tag.len() != self.0.key.tag_len() {
            return Err(Error::TagLength);
        }
        self.0.seal_into(ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
    }

    /// Bytes in each nonce, which are as many as the key's nonces have.
    #[cfg(feature = "internals")]
    #[doc(hidden)]
    #[inline(always)]
    pub fn nonce_len(&self) -> usize {
        self.0.nonce.len()
    }

    /// As [`seal_detached`](Self::seal_detached) and [`seal_to_detached`](Self::seal_to_detached), whichever `io` is.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "internals")]
    #[doc(hidden)]
    #[inline(always)]
    pub fn seal_io(&mut self, ad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<&Nonce, Error> {
        let it = &mut *self.0;
        let left = match it.begin(ad.len(), io.len()) {
            Ok(left) => left,
            // A wrong tag comes first, as in the other forms.
            Err(_) if tag.len() != it.key.tag_len() => return Err(Error::TagLength),
            Err(error) => return Err(error),
        };
        it.key.seal_with(Some(&mut it.cache), &it.nonce, ad, io, tag)?;
        it.done(left);
        Ok(&it.nonce)
    }

    /// Seals all that is in `buf`, which grows by the tag, as [`Aead::seal_buffer`] does; lends the
    /// nonce.
    ///
    /// # Errors
    /// Those of [`seal_in_place`](Self::seal_in_place).
    pub fn seal_buffer(&mut self, ad: &[u8], buf: &mut impl Buffer) -> Result<&Nonce, Error> {
        let form = aead::Attached::of(&self.0.key);
        aead::grown(form, buf, |all| self.seal_attached(ad, all).map(drop))?;
        Ok(&self.0.nonce)
    }

    /// Seals in place with the tag attached, as [`Aead::seal_attached`] does;
    /// lends the nonce.
    ///
    /// # Errors
    /// [`Error::BufferLength`] and those of [`seal_in_place`](Self::seal_in_place).
    #[inline(always)]
    pub fn seal_attached(&mut self, ad: &[u8], buf: &mut [u8]) -> Result<&Nonce, Error> {
        let (body, tag) = aead::split_sealed_mut(&self.0.key, buf)?;
        self.0.seal_into(ad, InOut::in_place(body), tag)
    }
}

impl<A: Aead> Sending<A> {
    /// Before every form of sealing `len` bytes: the limits, the next nonce. Gives the
    /// blocks that will be left.
    #[inline(always)]
    fn begin(&mut self, ad_len: usize, len: usize) -> Result<u64, Error> {
        self.admit(block_count(len) as u64 + block_count(ad_len) as u64)
    }

    /// The same for so many blocks.
    #[inline(always)]
    fn admit(&mut self, blocks: u64) -> Result<u64, Error> {
        let Some(blocks_left) = self.blocks_left.checked_sub(blocks + BESIDES) else { return Err(Error::Exhausted) };
        if self.next >= self.end {
            return Err(Error::Exhausted);
        }
        self.nonce.count(self.next ^ self.mask);
        Ok(blocks_left)
    }

    /// After it, if something was sealed.
    #[inline(always)]
    fn done(&mut self, blocks_left: u64) {
        self.blocks_left = blocks_left;
        self.next += 1;
    }

    #[inline(always)]
    fn seal(&mut self, ad: &[u8], io: InOut<'_>) -> Result<(Nonce, Tag), Error> {
        let left = self.begin(ad.len(), io.len())?;
        let tag = scheme::seal(&self.key, Some(&mut self.cache), &self.nonce, ad, io)?;
        self.done(left);
        Ok((self.nonce, tag))
    }

    #[inline(always)]
    fn seal_into(&mut self, ad: &[u8], io: InOut<'_>, tag: &mut [u8]) -> Result<&Nonce, Error> {
        let left = self.begin(ad.len(), io.len())?;
        scheme::seal_into(&self.key, Some(&mut self.cache), &self.nonce, ad, io, tag)?;
        self.done(left);
        Ok(&self.nonce)
    }
}

/// Opens messages under one key and keeps what the scheme can keep between them; with a
/// [`ReplayWindow`] of `WORDS` words, each message at most once. The type says so:
/// `Opener<Key>` has none, `Opener<Key, 32>` one of 32 words.
///
/// ```
/// use combseal::{Aes128, Error, NonceCounter, Ocb3, Opener, ReplayWindow, Sealer};
///
/// let key = Ocb3::<Aes128>::new(&[7; 16]); // one expansion for both directions
/// let mut sealer = Sealer::new(&key, NonceCounter::new(b"us->")?)?;
/// let mut opener = Opener::with_window(&key, b"us->", ReplayWindow::<32>::new())?;
///
/// let mut packet = *b"message and room for the tag................";
/// let nonce = *sealer.seal_attached(b"header", &mut packet)?;
/// let mut copy = packet;
/// opener.open_attached(&nonce, b"header", &mut packet)?;
/// assert_eq!(opener.open_attached(&nonce, b"header", &mut copy), Err(Error::Replayed));
/// # Ok::<(), Error>(())
/// ```
pub struct Opener<A: Aead, const WORDS: usize = 0>(Erased<Receiving<A, WORDS>>);

struct Receiving<A: Aead, const WORDS: usize> {
    key: A,
    cache: A::Cache,
    forgeries: u64,
    watch: Option<Watch<WORDS>>,
}

/// One sender's messages, each to be opened once.
struct Watch<const WORDS: usize> {
    /// The prefix, and a counter that nobody reads.
    nonce: Nonce,
    /// What the counter is XORed with.
    mask: u64,
    window: ReplayWindow<WORDS>,
}

impl<const WORDS: usize> Watch<WORDS> {
    /// The counter of a nonce of this sender that was not accepted before.
    #[inline]
    fn check(&self, nonce: &[u8]) -> Result<u64, Error> {
        if nonce.len() != self.nonce.len() {
            return Err(Error::NonceLength);
        }
        let at = nonce.len().saturating_sub(COUNTER_LEN);
        let (begin, bytes) = nonce.split_at(at);
        if begin != &self.nonce[..at] {
            return Err(Error::NoncePrefix);
        }
        let mut counter = [0; COUNTER_LEN];
        counter[COUNTER_LEN - bytes.len()..].copy_from_slice(bytes);
        let counter = u64::from_be_bytes(counter) ^ self.mask;
        self.window.check(counter)?;
        Ok(counter)
    }
}

impl<A: Aead> Opener<A> {
    /// Takes over `key`. Nothing is watched for replays.
    pub fn new(key: A) -> Self {
        Self(Erased::new(Receiving { key, cache: A::Cache::default(), forgeries: 0, watch: None }))
    }
}

impl<A: Aead, const WORDS: usize> Opener<A, WORDS> {
    /// Takes over `key`, to open messages of the one sender whose nonces are `prefix` and
    /// a big-endian counter of eight bytes, as a [`Sealer`] makes them; each counter once,
    /// in any order that `window` is wide enough for. The window knows of a counter only
    /// once its message has proved authentic. For nonces that are an IV XOR the counter:
    /// [`with_xored_window`](Self::with_xored_window).
    ///
    /// # Errors
    /// [`Error::PrefixLength`] unless the prefix is eight bytes shorter than the key's
    /// nonces, or empty if these have fewer than 8 bytes; [`Error::NonceLength`] if they have none, or
    /// more than 32.
    pub fn with_window(key: A, prefix: &[u8], window: ReplayWindow<WORDS>) -> Result<Self, Error> {
        let nonce_len = key.nonce_len();
        fits(nonce_len, prefix.len())?;
        Ok(Self::watching(key, Watch { nonce: Nonce::begin(prefix).cut(nonce_len), mask: 0, window }))
    }

    /// The same of a sender whose nonces are `iv` XOR the counter: see [`NonceCounter::xored`].
    ///
    /// # Errors
    /// [`Error::NonceLength`] unless `iv` is as long as the key's nonces, and has 8 to 32 bytes.
    pub fn with_xored_window(key: A, iv: &[u8], window: ReplayWindow<WORDS>) -> Result<Self, Error> {
        let Some((prefix, mask)) = iv.split_last_chunk::<COUNTER_LEN>() else { return Err(Error::NonceLength) };
        if key.nonce_len() != iv.len() || iv.len() > MAX_NONCE_LEN {
            return Err(Error::NonceLength);
        }
        Ok(Self::watching(key, Watch { nonce: Nonce::begin(prefix), mask: u64::from_be_bytes(*mask), window }))
    }

    fn watching(key: A, watch: Watch<WORDS>) -> Self {
        Self(Erased::new(Receiving { key, cache: A::Cache::default(), forgeries: 0, watch: Some(watch) }))
    }

    /// The scheme's name.
    pub fn name(&self) -> &'static str {
        self.0.key.name()
    }

    /// The tag's length in bytes.
    #[inline(always)]
    pub fn tag_len(&self) -> usize {
        self.0.key.tag_len()
    }

    /// The window, if there is one.
    pub fn window(&self) -> Option<&ReplayWindow<WORDS>> {
        self.0.watch.as_ref().map(|watch| &watch.window)
    }

    /// How many forgeries this opener has refused: with short tags, the number
    /// to watch.
    pub fn forgeries(&self) -> u64 {
        self.0.forgeries
    }

    /// Opens `buf` in place.
    ///
    /// # Errors
    /// As [`Aead::open_in_place`]. With a window, before anything is touched:
    /// [`Error::NoncePrefix`] if the nonce is not of the sender that is watched;
    /// [`Error::Replayed`] if its counter was accepted before, or is too old.
    #[inline]
    pub fn open_in_place(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.0.open(nonce, ad, InOut::in_place(buf), tag)
    }

    /// Opens `src` into `dst`, which is as long.
    ///
    /// # Errors
    /// As [`Aead::open_to`] and [`open_in_place`](Self::open_in_place).
    #[inline]
    pub fn open_to(&mut self, nonce: &[u8], ad: &[u8], src: &[u8], dst: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.0.open(nonce, ad, InOut::separate(src, dst).ok_or(Error::BufferLength)?, tag)
    }

    /// As [`open_in_place`](Self::open_in_place) and [`open_to`](Self::open_to), whichever `io` is.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "internals")]
    #[doc(hidden)]
    #[inline(always)]
    pub fn open_io(&mut self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        self.0.open(nonce, ad, io, tag)
    }

    /// Opens in place a message with its tag attached and returns the plaintext's part of
    /// `buf`.
    ///
    /// # Errors
    /// As [`Aead::open_attached`] and [`open_in_place`](Self::open_in_place).
    #[inline]
    pub fn open_attached<'b>(&mut self, nonce: &[u8], ad: &[u8], buf: &'b mut [u8]) -> Result<&'b mut [u8], Error> {
        let (body, tag) = aead::split_sealed_mut(&self.0.key, buf)?;
        self.0.open(nonce, ad, InOut::in_place(body), tag)?;
        Ok(body)
    }
}

impl<A: Aead, const WORDS: usize> Opener<A, WORDS> {
    /// Opens what a [`seal_buffer`](Sealer::seal_buffer) sealed: `buf` shrinks to the message.
    ///
    /// # Errors
    /// As [`Aead::open_buffer`] and [`open_in_place`](Self::open_in_place).
    pub fn open_buffer(&mut self, nonce: &[u8], ad: &[u8], buf: &mut impl Buffer) -> Result<(), Error> {
        let form = aead::Attached::of(&self.0.key);
        aead::shrunk(form, buf, |all| self.open_attached(nonce, ad, all).map(drop))
    }
}

impl<A: Aead, const WORDS: usize> Receiving<A, WORDS> {
    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> Result<(), Error> {
        let counter = match &self.watch {
            Some(watch) if WORDS > 0 => watch.check(nonce)?,
            _ => 0,
        };
        let done = scheme::open(&self.key, Some(&mut self.cache), nonce, ad, io, tag);
        match (done, &mut self.watch) {
            (Ok(()), Some(watch)) if WORDS > 0 => watch.window.mark(counter),
            (Err(Error::Forged), _) => self.forgeries += 1,
            _ => {}
        }
        done
    }
}

impl<A: Aead> core::fmt::Debug for Sealer<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Sealer").field("key", &self.0.key.name()).field("next", &self.0.next).finish_non_exhaustive()
    }
}

impl<A: Aead, const WORDS: usize> core::fmt::Debug for Opener<A, WORDS> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Opener")
            .field("key", &self.0.key.name())
            .field("forgeries", &self.0.forgeries)
            .finish_non_exhaustive()
    }
}
