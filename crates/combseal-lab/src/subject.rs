//! What is measured: a scheme, as some code implements it, and one operation on messages of
//! one length.
//!
//! An implementation is a [`Candidate`]: it seals and opens one message in place. This module
//! makes the timed loops from it, the same for everyone. How `open` is timed needs care, because
//! opening in place consumes the ciphertext: each burst first *seals* a ring of messages in
//! place, untimed, and then opens each of them once, timed. Nothing is copied, so there is no
//! copying to subtract, the ring stays in the L1 cache, and the candidate opens what it sealed
//! itself. `reject` needs no such thing: a forged message stays forged whatever a failed open
//! leaves in the buffer (zeros, plaintext or the ciphertext), so it uses one hot buffer.

use crate::limits::Width;
use crate::random::Random;
use std::hint::black_box;
use std::rc::Rc;

/// An authentication tag.
pub type Tag = [u8; 16];

/// The bytes of messages that an `open` ring may hold, so that it stays in any L1 cache.
const RING_BYTES: usize = 16384;
/// The most messages in a ring; their tags take 4 KiB.
const RING_MESSAGES: usize = 256;

/// A scheme; together with the bits of the key, what implementations must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// OCB3 with AES (RFC 7253).
    Ocb3,
    /// AES-GCM.
    Gcm,
    /// AES-CCM with a 12-byte nonce.
    Ccm,
    /// AEGIS-128L.
    Aegis128L,
    /// AES-GCM-SIV (RFC 8452).
    GcmSiv,
}

impl Scheme {
    /// All schemes.
    pub const ALL: [Scheme; 5] = [Scheme::Ocb3, Scheme::Gcm, Scheme::Ccm, Scheme::Aegis128L, Scheme::GcmSiv];

    /// The short name, as on a command line.
    pub fn short(self) -> &'static str {
        match self {
            Scheme::Ocb3 => "ocb3",
            Scheme::Gcm => "gcm",
            Scheme::Ccm => "ccm",
            Scheme::Aegis128L => "aegis-128l",
            Scheme::GcmSiv => "gcm-siv",
        }
    }

    /// The name with the key's length: `AES-128-GCM`.
    pub fn name(self, key_bits: u32) -> String {
        match self {
            Scheme::Ocb3 => format!("OCB3-AES-{key_bits}"),
            Scheme::Gcm => format!("AES-{key_bits}-GCM"),
            Scheme::Ccm => format!("AES-{key_bits}-CCM"),
            Scheme::Aegis128L => "AEGIS-128L".into(),
            Scheme::GcmSiv => format!("AES-{key_bits}-GCM-SIV"),
        }
    }
}

/// What is done with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
        self != Op::SealFresh || scheme == Scheme::Ocb3
    }
}

/// Which buffers `seal` and `reject` work on. (`open` always goes round a ring.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Buffers {
    /// One hot buffer, again and again: what the published figures and our bars mean. A short
    /// message then waits for the one before, whose ciphertext is its plaintext.
    #[default]
    One,
    /// A ring of buffers in the L1 cache: independent messages.
    Ring,
}

/// A nonce whose last four bytes count, and which lives in memory as a caller's would: the
/// counter is stored with four bytes and read by the candidate however it likes.
#[derive(Clone, Debug)]
pub struct CountingNonce {
    bytes: [u8; 16],
    len: usize,
    counter: u32,
    step: u32,
}

impl CountingNonce {
    /// A nonce of `len` bytes (at most 16) that grows by `step` a message.
    pub fn new(len: usize, step: u32) -> Self {
        CountingNonce { bytes: *b"combseal lab 1.0", len, counter: 0, step }
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

/// The buffers all timed loops share: the same pages for every competitor.
pub struct Bench {
    pages: Vec<u8>,
    offset: usize,
    tags: Vec<Tag>,
}

impl Bench {
    /// Room for messages of up to `longest` bytes, page-aligned, filled at random.
    pub fn new(longest: usize) -> Self {
        const PAGE: usize = 4096;
        let mut pages = vec![0; longest.max(RING_BYTES) + PAGE + 64];
        Random::new(2011).fill(&mut pages);
        let offset = pages.as_ptr().align_offset(PAGE) % PAGE;
        Bench { pages, offset, tags: vec![[0; 16]; RING_MESSAGES] }
    }

    #[inline(always)]
    fn message(&mut self, slot: usize, stride: usize, bytes: usize) -> &mut [u8] {
        &mut self.pages[self.offset + slot * stride..][..bytes]
    }
}

/// A timed loop over messages of one length.
pub trait Work {
    /// `Some(n)` if exactly `n` messages must follow each [`prepare`](Work::prepare).
    fn burst(&self) -> Option<u64> {
        None
    }

    /// What goes before a burst, untimed.
    fn prepare(&mut self, _bench: &mut Bench) {}

    /// Handles `messages` messages: this is timed.
    fn run(&mut self, bench: &mut Bench, messages: u64);

    /// How many messages did not come out as they should have: a valid one refused, a forgery
    /// accepted.
    fn faults(&self) -> u64 {
        0
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
    maker: Rc<dyn Maker>,
    setup: Option<Rc<SetupWork>>,
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
        Implementation { scheme, key_bits, name: name.into(), width, maker, setup: None }
    }

    /// Times `setup` for [`Op::Setup`] instead, where a candidate is more than a key's context:
    /// a key, say, with a sealer and an opener around it.
    pub fn timing_setup<T: 'static>(mut self, setup: impl Fn(&[u8]) -> T + Clone + 'static) -> Self {
        self.setup = Some(Rc::new(move |key| Box::new(Setup::new(setup.clone(), key))));
        self
    }

    /// The loop to be timed. [`verify`](crate::verify) first.
    pub fn work(&self, op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
        let key = &TIMED_KEY[..self.key_bits as usize / 8];
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

const TIMED_KEY: [u8; 32] = *b"thirty-two bytes of a timed key!";

/// [`Candidate`], as an object.
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
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        Candidate::seal(self, nonce, ad, buf)
    }
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        Candidate::open(self, nonce, ad, buf, tag)
    }
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
}

struct Made<F> {
    setup: F,
}

impl<C: Candidate + 'static, F: Fn(&[u8]) -> C + Clone + 'static> Maker for Made<F> {
    fn keyed(&self, key: &[u8]) -> Box<dyn Keyed> {
        Box::new((self.setup)(key))
    }

    fn work(&self, key: &[u8], op: Op, bytes: usize, buffers: Buffers) -> Box<dyn Work> {
        let candidate = (self.setup)(key);
        // OCB's Ktop serves 64 nonces in a row: in steps of 64, each needs its own.
        let nonce = CountingNonce::new(C::NONCE_LEN, if op == Op::SealFresh { 64 } else { 1 });
        let ring = match buffers {
            Buffers::Ring => Ring::new(bytes),
            Buffers::One => Ring { messages: 1, ..Ring::new(bytes) },
        };
        match op {
            Op::Seal => Box::new(Seal { candidate, nonce, ring }),
            Op::SealFresh => Box::new(SealFresh { candidate, nonce, ring }),
            Op::Open => Box::new(Open { candidate, nonce, ring: Ring::new(bytes), faults: 0 }),
            Op::Reject => Box::new(Reject { candidate, nonce, ring, faults: 0 }),
            Op::Setup => Box::new(Setup::new(self.setup.clone(), key)),
        }
    }
}

/// Where the messages of a loop lie: `messages` of `bytes` bytes, each at a cache line's start.
#[derive(Clone, Copy)]
struct Ring {
    messages: usize,
    stride: usize,
    bytes: usize,
}

impl Ring {
    fn new(bytes: usize) -> Self {
        let stride = bytes.next_multiple_of(64).max(64);
        Ring { messages: (RING_BYTES / stride).clamp(1, RING_MESSAGES), stride, bytes }
    }

    /// Does `act` on `messages` messages, round and round.
    #[inline(always)]
    fn walk(self, bench: &mut Bench, messages: u64, mut act: impl FnMut(&mut [u8])) {
        if self.messages == 1 {
            // The same slice each time, without the arithmetic of a ring.
            let buf = bench.message(0, self.stride, self.bytes);
            for _ in 0..messages {
                act(black_box(&mut *buf));
            }
        } else {
            let mut slot = 0;
            for _ in 0..messages {
                act(black_box(bench.message(slot, self.stride, self.bytes)));
                slot = if slot + 1 == self.messages { 0 } else { slot + 1 };
            }
        }
    }
}

/// No associated data, without the compiler knowing.
fn no_data() -> &'static [u8] {
    black_box(b"")
}

struct Seal<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
}

impl<C: Candidate> Work for Seal<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            black_box(self.candidate.seal_next(&mut self.nonce, ad, buf));
        });
    }
}

struct SealFresh<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
}

impl<C: Candidate> Work for SealFresh<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            black_box(self.candidate.seal(self.nonce.bump(), ad, buf));
        });
    }
}

/// Ciphertexts are sealed into the ring by [`prepare`](Work::prepare); a burst opens them all.
struct Open<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    faults: u64,
}

impl<C: Candidate> Work for Open<C> {
    fn burst(&self) -> Option<u64> {
        Some(self.ring.messages as u64)
    }

    fn prepare(&mut self, bench: &mut Bench) {
        // The burst counts the same nonces again.
        let mut nonce = self.nonce.clone();
        for slot in 0..self.ring.messages {
            let buf = bench.message(slot, self.ring.stride, self.ring.bytes);
            bench.tags[slot] = self.candidate.seal(nonce.bump(), b"", buf);
        }
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        debug_assert_eq!(Some(messages), self.burst());
        let ad = no_data();
        let Bench { pages, offset, tags } = bench;
        let mut faults = 0;
        for (slot, tag) in tags[..self.ring.messages].iter().enumerate() {
            let buf = &mut pages[*offset + slot * self.ring.stride..][..self.ring.bytes];
            let good = self.candidate.open(self.nonce.bump(), ad, black_box(buf), tag);
            faults += u64::from(!black_box(good));
        }
        self.faults += faults;
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

/// Whatever the buffer holds, the tag is wrong.
struct Reject<C> {
    candidate: C,
    nonce: CountingNonce,
    ring: Ring,
    faults: u64,
}

impl<C: Candidate> Work for Reject<C> {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        let tag = [0x5a; 16];
        let mut faults = 0;
        let ad = no_data();
        self.ring.walk(bench, messages, |buf| {
            let good = self.candidate.open(self.nonce.bump(), ad, buf, black_box(&tag));
            faults += u64::from(black_box(good));
        });
        self.faults += faults;
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

struct Setup<F, T> {
    setup: F,
    key: Vec<u8>,
    context: T,
}

impl<T, F: Fn(&[u8]) -> T> Setup<F, T> {
    fn new(setup: F, key: &[u8]) -> Self {
        Setup { context: setup(key), setup, key: key.to_vec() }
    }
}

impl<T, F: Fn(&[u8]) -> T> Work for Setup<F, T> {
    fn run(&mut self, _bench: &mut Bench, messages: u64) {
        for _ in 0..messages {
            // Dropping the context before it is part of it: whoever changes keys pays for that.
            self.context = (self.setup)(black_box(&self.key));
            black_box(&mut self.context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A toy that keeps count of what it is asked: XOR with the nonce's last byte.
    struct Toy;

    impl Candidate for Toy {
        fn seal(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8]) -> Tag {
            buf.iter_mut().for_each(|b| *b ^= nonce[11]);
            [nonce[11]; 16]
        }
        fn open(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
            buf.iter_mut().for_each(|b| *b ^= nonce[11]);
            *tag == [nonce[11]; 16]
        }
    }

    fn toy() -> Implementation {
        Implementation::new(Scheme::Gcm, 128, "toy", Width::W128, |_| Toy)
    }

    #[test]
    fn every_loop_runs_and_open_finds_what_prepare_sealed() {
        for bytes in [0, 1, 64, 100, 1500, 16384, 20000] {
            let mut bench = Bench::new(bytes);
            for buffers in [Buffers::One, Buffers::Ring] {
                for op in Op::ALL.into_iter().filter(|op| op.applies_to(Scheme::Gcm)) {
                    let mut work = toy().work(op, bytes, buffers);
                    let burst = work.burst().unwrap_or(300);
                    for _ in 0..3 {
                        work.prepare(&mut bench);
                        work.run(&mut bench, burst);
                    }
                    // The toy's one-byte tags collide with the forged one once in 256.
                    let allowed = if op == Op::Reject { 4 } else { 0 };
                    assert!(work.faults() <= allowed, "{op:?} {bytes}: {}", work.faults());
                }
            }
        }
    }

    #[test]
    fn opening_without_sealing_first_is_noticed() {
        let mut bench = Bench::new(64);
        let mut work = toy().work(Op::Open, 64, Buffers::Ring);
        work.run(&mut bench, work.burst().unwrap());
        assert!(work.faults() > 0);
    }

    #[test]
    fn nonces_count_in_their_last_four_bytes() {
        let mut nonce = CountingNonce::new(12, 64);
        assert_eq!(&nonce.bump()[8..], [0, 0, 0, 64]);
        assert_eq!(&nonce.bump()[8..], [0, 0, 0, 128]);
        assert_eq!(nonce.current().len(), 12);
    }

    #[test]
    fn messages_lie_on_a_page() {
        let mut bench = Bench::new(100);
        assert_eq!(bench.message(0, 128, 100).as_ptr().addr() % 4096, 0);
        assert_eq!(Ring::new(1).messages, 256);
        assert_eq!(Ring::new(1500).messages, 10);
        assert_eq!(Ring::new(1 << 20).messages, 1);
    }
}
