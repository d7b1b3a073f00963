//! What a stream cipher does: a key expanded, a nonce mixed in, blocks of key stream; and a
//! stream of any lengths made of that.

use super::about::About;
use combseal::Cpu;
use combseal::internals::Wipe;

/// Bytes in the longest block.
pub const MAX_BLOCK: usize = 80;

/// A stream cipher, or one tuning of it. Lengths are right: the registry has checked them.
///
/// Keys and states are wiped when they are dropped.
pub trait Cipher: Sized + Send + Sync {
    /// What is known of it.
    const ABOUT: &'static About;
    /// Bytes of key stream that are made at once: from 16 to [`MAX_BLOCK`].
    const BLOCK: usize;
    /// A message under way.
    type State;

    /// The paper's `expandkey`: whatever can be done before the nonce is known.
    fn expand(cpu: Cpu, key: &[u8]) -> Self;

    /// What the key stream of `nonce` begins from. (Py and CryptMT v3 mix the nonce in with the first call of `xor`.)
    fn start(&self, nonce: &[u8]) -> Self::State;

    /// XORs the next bytes of the key stream into `data`, as many whole blocks as it has.
    fn xor(&self, state: &mut Self::State, data: &mut [u8]);

    /// A whole message of a system: writes the first sixteen bytes of the key stream of `nonce` to
    /// `first` and XORs those behind into `data`. Ciphers that make many blocks at once do so in
    /// one go.
    #[inline(always)]
    fn masked(&self, nonce: &[u8], first: &mut [u8; 16], data: &mut [u8]) {
        let mut stream = Stream::new(self, nonce);
        first.fill(0);
        stream.xor(first);
        stream.xor(data);
    }
}

/// A key stream that is taken in pieces of any length.
pub struct Stream<'k, C: Cipher> {
    cipher: &'k C,
    state: C::State,
    /// The last block made, of which the bytes from `used` on are still to be used.
    block: [u8; MAX_BLOCK],
    used: usize,
}

impl<'k, C: Cipher> Stream<'k, C> {
    /// The key stream of `nonce`.
    #[inline(always)]
    pub fn new(cipher: &'k C, nonce: &[u8]) -> Self {
        const { assert!(16 <= C::BLOCK && C::BLOCK <= MAX_BLOCK) }
        Self { cipher, state: cipher.start(nonce), block: [0; MAX_BLOCK], used: C::BLOCK }
    }

    /// XORs the next bytes of the key stream into `data`.
    #[inline(always)]
    pub fn xor(&mut self, mut data: &mut [u8]) {
        let left = &self.block[self.used..C::BLOCK];
        let n = left.len().min(data.len());
        let (now, rest) = data.split_at_mut(n);
        for (to, from) in now.iter_mut().zip(left) {
            *to ^= from;
        }
        self.used += n;
        data = rest;
        let (whole, last) = data.split_at_mut(data.len() / C::BLOCK * C::BLOCK);
        if !whole.is_empty() {
            self.cipher.xor(&mut self.state, whole);
        }
        if !last.is_empty() {
            let block = &mut self.block[..C::BLOCK];
            block.fill(0);
            self.cipher.xor(&mut self.state, block);
            for (to, from) in last.iter_mut().zip(&*block) {
                *to ^= from;
            }
            self.used = last.len();
        }
    }
}

impl<C: Cipher> Drop for Stream<'_, C> {
    fn drop(&mut self) {
        self.block.as_mut_slice().wipe();
    }
}
