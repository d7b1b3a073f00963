//! What is measured: a scheme, as some code implements it. An implementation is a
//! [`Candidate`]: it seals and opens one message in place; [`workloads`] makes the
//! timed loops from it.

use super::workloads::{self, Buffers, Setup};
use crate::measure::{Width, Work};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::rc::Rc;

pub use super::scheme::Scheme;

/// An authentication tag.
pub type Tag = [u8; 16];

/// What is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Seal, the nonce counting up.
    Seal,
    /// Seal, each nonce needing a new Ktop: OCB3 only.
    SealFresh,
    /// Open valid messages, the nonce counting up.
    Open,
    /// Open forged messages.
    Reject,
    /// Make the key's context from the key's bytes, in place of the one before.
    Setup,
}

impl Op {
    /// All operations.
    pub const ALL: [Op; 5] = [Op::Seal, Op::SealFresh, Op::Open, Op::Reject, Op::Setup];

    /// The name, as on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Op::Seal => "seal",
            Op::SealFresh => "seal-fresh",
            Op::Open => "open",
            Op::Reject => "reject",
            Op::Setup => "setup",
        }
    }

    /// Does the operation make sense for this scheme?
    pub fn applies_to(self, scheme: Scheme) -> bool {
        match self {
            Op::SealFresh => scheme == Scheme::Ocb3,
            Op::Reject => scheme.is_authenticated(),
            _ => true,
        }
    }
}

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
    const NONCE_LEN: usize = 12;

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

/// An implementation that can be measured: what it is, and how to make it.
#[derive(Clone)]
pub struct Implementation {
    /// The scheme implemented.
    pub scheme: Scheme,
    /// Bits of the key.
    pub key_bits: u32,
    /// The name to print: library and version, or our tier.
    pub name: String,
    /// The widest registers it may hand to the AES unit; its limit is computed for these.
    pub width: Width,
    /// Our tier; `None` for a peer.
    pub tier: Option<&'static str>,
    /// Bytes of a key's context; `None` where it lies behind a pointer.
    pub context: Option<usize>,
    maker: Rc<dyn Maker>,
    setup: Option<Rc<SetupWork>>,
    many: Option<Rc<ManyWork>>,
}

impl Implementation {
    /// Registers an implementation; `setup` makes its context from the key's bytes and is what
    /// the operation [`Op::Setup`] times.
    pub fn new<C: Candidate + 'static>(
        scheme: Scheme,
        key_bits: u32,
        name: impl Into<String>,
        width: Width,
        setup: impl Fn(&[u8]) -> C + Clone + 'static,
    ) -> Self {
        let maker = Rc::new(Made { setup });
        let (name, context) = (name.into(), Some(size_of::<C>()));
        Implementation { scheme, key_bits, name, width, tier: None, context, maker, setup: None, many: None }
    }

    /// Says that it is ours, on that tier, with a key's context of so many bytes.
    pub fn ours(mut self, tier: &'static str, context: usize) -> Self {
        (self.tier, self.context) = (Some(tier), Some(context));
        self
    }

    /// Says that a key's context lies behind a pointer, its size unknown.
    pub fn context_elsewhere(mut self) -> Self {
        self.context = None;
        self
    }

    /// Times `setup` for [`Op::Setup`] instead, where a candidate is more than a key's context:
    /// a key, say, with a sealer and an opener around it.
    pub fn timing_setup<T: 'static>(mut self, setup: impl Fn(&[u8]) -> T + Clone + 'static) -> Self {
        self.setup = Some(Rc::new(move |key| Box::new(Setup::new(setup.clone(), key))));
        self
    }

    /// Uses `setup` for [`keys`](Self::keys) instead, where a candidate holds more than a
    /// sender needs.
    pub fn sending_with<C: Candidate + 'static>(mut self, setup: impl Fn(&[u8]) -> C + Clone + 'static) -> Self {
        self.many = Some(Rc::new(move |key_len, counts, bytes| workloads::many(&setup, key_len, counts, bytes)));
        self
    }

    /// The scheme with its key's length.
    pub fn scheme_name(&self) -> String {
        self.scheme.name(self.key_bits)
    }

    fn timed_key(&self) -> &'static [u8] {
        &TIMED_KEY[..self.scheme.key_len(self.key_bits)]
    }

    /// Sealing or opening with `ad` bytes of associated data, another for each message.
    pub fn work_with_data(&self, op: Op, bytes: usize, ad: usize) -> Box<dyn Work> {
        workloads::data(self.under(self.timed_key()), op, bytes, ad)
    }

    /// Sealing or opening messages of these lengths, in this order.
    pub fn work_on_mix(&self, op: Op, lengths: &[usize]) -> Box<dyn Work> {
        workloads::mix(self.under(self.timed_key()), op, lengths)
    }

    /// Sealing under keys drawn at random from as many as each of `counts` says.
    pub fn keys(&self, counts: &[usize], bytes: usize) -> Vec<Box<dyn Work>> {
        let key_len = self.scheme.key_len(self.key_bits);
        match &self.many {
            Some(many) => many(key_len, counts, bytes),
            None => self.maker.many(key_len, counts, bytes),
        }
    }

    /// The loop to be timed. [`verify`](super::verify()) first.
    pub fn work(&self, op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
        let key = self.timed_key();
        if let (Op::Setup, Some(setup)) = (op, &self.setup) {
            return setup(key);
        }
        self.maker.work(key, op, bytes, buffers)
    }

    /// The implementation under `key`, for checking.
    pub(crate) fn under(&self, key: &[u8]) -> Box<dyn Keyed> {
        self.maker.keyed(key)
    }
}

/// Makes the loop of key setup, from the key's bytes.
type SetupWork = dyn Fn(&[u8]) -> Box<dyn Work>;

/// Makes the loops of sealing under many keys: bytes in a key, how many keys, bytes in a message.
type ManyWork = dyn Fn(usize, &[usize], usize) -> Vec<Box<dyn Work>>;

const TIMED_KEY: [u8; 64] = *b"thirty-two bytes of a timed key!and as many more of another one!";

/// [`Candidate`], as an object: a call that is not inlined, made once for all loops that can
/// do with one.
pub(crate) trait Keyed {
    fn nonce_len(&self) -> usize;
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag;
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool;
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag;
    fn counted(&self) -> Option<Vec<u8>>;
}

impl<C: Candidate> Keyed for C {
    fn nonce_len(&self) -> usize {
        C::NONCE_LEN
    }
    #[inline(never)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        Candidate::seal(self, nonce, ad, buf)
    }
    #[inline(never)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        Candidate::open(self, nonce, ad, buf, tag)
    }
    #[inline(never)]
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag {
        Candidate::seal_next(self, nonce, ad, buf)
    }
    fn counted(&self) -> Option<Vec<u8>> {
        Candidate::counted(self)
    }
}

trait Maker {
    fn keyed(&self, key: &[u8]) -> Box<dyn Keyed>;
    fn work(&self, key: &[u8], op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work>;
    fn many(&self, key_len: usize, counts: &[usize], bytes: usize) -> Vec<Box<dyn Work>>;
}

struct Made<F> {
    setup: F,
}

impl<C: Candidate + 'static, F: Fn(&[u8]) -> C + Clone + 'static> Maker for Made<F> {
    fn keyed(&self, key: &[u8]) -> Box<dyn Keyed> {
        Box::new((self.setup)(key))
    }

    fn work(&self, key: &[u8], op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
        match op {
            Op::Setup => Box::new(Setup::new(self.setup.clone(), key)),
            _ => workloads::work((self.setup)(key), op, bytes, buffers),
        }
    }

    fn many(&self, key_len: usize, counts: &[usize], bytes: usize) -> Vec<Box<dyn Work>> {
        workloads::many(&self.setup, key_len, counts, bytes)
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
