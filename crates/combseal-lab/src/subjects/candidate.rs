//! What code must offer to be measured: sealing and opening one message in place, under one key.
//! Each of our schemes and each peer is a [`Candidate`], and the timed loops know nothing else of
//! them, so that all are measured by the same loops. Nearly all have tags of 16 bytes; what is
//! otherwise sealed, as some schemes of the archive are, is [`Tailed`].

use std::hint::black_box;

/// An authentication tag.
pub type Tag = [u8; 16];

/// A nonce whose last four bytes count, and which lives in memory as a caller's would: the
/// counter is stored with four bytes and read by the candidate however it likes.
#[derive(Clone, Debug)]
pub struct CountingNonce {
    bytes: [u8; 32],
    len: usize,
    counter: u32,
    step: u32,
}

impl CountingNonce {
    /// A nonce of `len` bytes (at most 32) that grows by `step` a message.
    pub fn new(len: usize, step: u32) -> Self {
        CountingNonce { bytes: *b"combseal lab 1.0, 32 byte nonces", len, counter: 0, step }
    }

    /// The next nonce.
    #[inline(always)]
    pub fn bump(&mut self) -> &[u8] {
        self.counter = self.counter.wrapping_add(self.step);
        self.bytes[self.len - 4..self.len].copy_from_slice(&self.counter.to_be_bytes());
        black_box(&self.bytes[..self.len])
    }

    /// The nonce given out last.
    pub fn current(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// An implementation under one key, sealing and opening single messages in place, called the
/// best way its own interface allows. `&mut`, because a caller with one key may keep caches.
pub trait Candidate {
    /// Bytes of the nonce that the candidate is given: 12, or more where a scheme wants more.
    fn nonce_len(&self) -> usize {
        12
    }

    /// Encrypts `buf` and gives the tag.
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag;

    /// Decrypts `buf` and says whether the tag was right.
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool;

    /// Seals with the next nonce. A candidate with a counter of its own overrides this and
    /// [`counted`](Candidate::counted).
    #[inline(always)]
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag {
        self.seal(nonce.bump(), ad, buf)
    }

    /// The nonce that [`seal_next`](Candidate::seal_next) used last, if the candidate counts
    /// by itself.
    fn counted(&self) -> Option<Vec<u8>> {
        None
    }
}

/// What the timed loops know: a [`Candidate`], or one that adds more or less than 16 bytes to a
/// message: the *tail*, a tag and what else does not fit in the message's place.
pub(crate) trait Tailed {
    fn nonce_len(&self) -> usize;
    /// Bytes in the tail of a message of `bytes`: one at least.
    fn tail_len(&self, bytes: usize) -> usize;
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]);
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &[u8]) -> bool;
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], tail: &mut [u8]);
    /// The same where nobody looks at the tail: a candidate that returns its tag need not store it.
    #[inline(always)]
    fn seal_next_unseen(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        self.seal_next(nonce, ad, buf, black_box(tail));
    }
    /// As [`seal`](Self::seal), where nobody looks at the tail.
    #[inline(always)]
    fn seal_unseen(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        self.seal(nonce, ad, buf, black_box(tail));
    }
    fn counted(&self) -> Option<Vec<u8>>;
}

impl<C: Candidate> Tailed for C {
    fn nonce_len(&self) -> usize {
        Candidate::nonce_len(self)
    }
    #[inline(always)]
    fn tail_len(&self, _: usize) -> usize {
        size_of::<Tag>()
    }
    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        put(tail, Candidate::seal(self, nonce, ad, buf));
    }
    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &[u8]) -> bool {
        Candidate::open(self, nonce, ad, buf, tail.try_into().expect("a 16-byte tag"))
    }
    #[inline(always)]
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        put(tail, Candidate::seal_next(self, nonce, ad, buf));
    }
    #[inline(always)]
    fn seal_next_unseen(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], _: &mut [u8]) {
        black_box(Candidate::seal_next(self, nonce, ad, buf));
    }
    #[inline(always)]
    fn seal_unseen(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], _: &mut [u8]) {
        black_box(Candidate::seal(self, nonce, ad, buf));
    }
    fn counted(&self) -> Option<Vec<u8>> {
        Candidate::counted(self)
    }
}

#[inline(always)]
fn put(tail: &mut [u8], tag: Tag) {
    *<&mut Tag>::try_from(tail).expect("room for a 16-byte tag") = tag;
}

/// A [`Tailed`] candidate behind a pointer. Its calls are not inlined, so that its code is
/// compiled once for all those loops in which a call matters little.
pub(crate) trait Keyed {
    fn nonce_len(&self) -> usize;
    fn tail_len(&self, bytes: usize) -> usize;
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]);
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &[u8]) -> bool;
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], tail: &mut [u8]);
    fn counted(&self) -> Option<Vec<u8>>;
}

impl<C: Tailed> Keyed for C {
    fn nonce_len(&self) -> usize {
        Tailed::nonce_len(self)
    }
    fn tail_len(&self, bytes: usize) -> usize {
        Tailed::tail_len(self, bytes)
    }
    #[inline(never)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        Tailed::seal(self, nonce, ad, buf, tail);
    }
    #[inline(never)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &[u8]) -> bool {
        Tailed::open(self, nonce, ad, buf, tail)
    }
    #[inline(never)]
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        Tailed::seal_next(self, nonce, ad, buf, tail);
    }
    fn counted(&self) -> Option<Vec<u8>> {
        Tailed::counted(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_count_in_their_last_four_bytes() {
        let mut nonce = CountingNonce::new(12, 64);
        assert_eq!(&nonce.bump()[8..], [0, 0, 0, 64]);
        assert_eq!(&nonce.bump()[8..], [0, 0, 0, 128]);
        assert_eq!(nonce.current().len(), 12);
    }
}
