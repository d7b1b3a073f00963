//! The authenticator of a message in parts, between two of them: sums side by side and the powers of
//! r that they are multiplied by stay as they are, and what a part ends with waits to be absorbed
//! between the rounds of the next. So a part costs what the same bytes do within a message. Where there are sixteen
//! registers there is one sum, in plain words, and nothing but ciphertext waits.

use super::limbs::{Factor, Limbs, count};
use super::{Data, Mac, Poly1305, Side};
use crate::cpu::{Backend, Block};
use crate::memory::blank::secret;

/// Blocks that may wait: a pass of the cipher makes at most 2 KiB, and one group may be left. Short parts wait where
/// there is room behind.
const ROOM: usize = 136;
/// Blocks of limbs in the widest registers: five of four.
const LIMBS: usize = 5;

/// What is kept. It is wiped when it is dropped.
///
/// Any allocator aligns to sixteen bytes at no cost; further, it would be asked in another way.
#[repr(C, align(16))]
pub(crate) struct Waiting {
    /// The sums' limbs.
    sums: [Block; 4 * LIMBS],
    /// The limbs of the powers that sums are multiplied by, in both halves.
    steps: [Block; 4 * LIMBS],
    /// Ciphertext that is still to be absorbed: the first bytes.
    waiting: [Block; ROOM],
    /// How many of these.
    len: [u8; 8],
    /// Whether there are sums: not 0.
    begun: [u8; 8],
}
secret!(Waiting { sums, steps, waiting, len, begun });

/// What is kept where there are sixteen registers: what the last pass has made or has decrypted. It is wiped when it is
/// dropped. Not a [`Waiting`], most of which would be cleared and wiped for nothing.
#[repr(C, align(16))]
pub(crate) struct LastPass {
    /// Ciphertext that is still to be absorbed: the first bytes.
    waiting: [Block; 32],
    /// How many of these.
    len: [u8; 8],
}
secret!(LastPass { waiting, len });

impl LastPass {
    /// What is still to be absorbed.
    #[inline(always)]
    pub(crate) fn data(&self) -> &[u8] {
        let len = u64::from_le_bytes(self.len) as usize;
        // Never more; so the compiler need not look.
        &self.waiting.as_flattened()[..len.min(size_of_val(&self.waiting))]
    }

    /// Where it lies, and how many bytes of it wait.
    #[inline(always)]
    pub(crate) fn place(&mut self) -> (&mut [Block; 32], usize) {
        let len = self.data().len();
        (&mut self.waiting, len)
    }

    /// So many bytes wait there now.
    #[inline(always)]
    pub(crate) fn waits(&mut self, len: usize) {
        self.len = (len as u64).to_le_bytes();
    }

    /// All of `data` waits, no more than a pass, and nothing else.
    #[inline(always)]
    pub(crate) fn keep(&mut self, data: &[u8]) {
        self.waiting.as_flattened_mut()[..data.len()].copy_from_slice(data);
        self.len = (data.len() as u64).to_le_bytes();
    }
}

impl Waiting {
    fn begun(&self) -> bool {
        self.begun != [0; 8]
    }

    /// What is still to be absorbed.
    #[inline(always)]
    pub(crate) fn data(&self) -> &[u8] {
        let len = u64::from_le_bytes(self.len) as usize;
        // Never more; so the compiler need not look.
        &self.waiting.as_flattened()[..len.min(16 * ROOM)]
    }

    /// All of `data` waits, and nothing else.
    #[inline(always)]
    fn keep(&mut self, data: &[u8]) {
        self.waiting.as_flattened_mut()[..data.len()].copy_from_slice(data);
        self.len = (data.len() as u64).to_le_bytes();
    }

    /// Whether `more` bytes may wait behind what waits: there are sums that it will be absorbed by, and room.
    #[inline(always)]
    pub(crate) fn admits(&self, more: usize) -> bool {
        self.begun() && more <= 16 * ROOM - self.data().len()
    }

    /// `data` waits too: whole blocks of ChaCha20's, no more than is [admitted](Self::admits).
    #[inline(always)]
    pub(crate) fn append(&mut self, data: &[u8]) {
        let len = self.data().len();
        self.waiting.as_flattened_mut()[len..len + data.len()].copy_from_slice(data);
        self.len = ((len + data.len()) as u64).to_le_bytes();
    }
}

impl<B: Backend> Side<B> {
    /// The sums as they were kept, and the powers but for the last.
    #[inline(always)]
    fn kept(b: B, from: &Waiting) -> Self {
        let none = Factor { r: [b.zero(); 5], s: [b.zero(); 5] };
        let mut it = Self { h: [b.zero(); 5], steps: [none; 4], last: none };
        for i in 0..4 {
            let mut r = [b.zero(); 5];
            for k in 0..count::<B>() {
                r[k] = b.splat(&from.steps[LIMBS * i + k]);
            }
            it.steps[i] = Factor::new(b, r);
        }
        it.h = Self::sums(b, from);
        it
    }

    #[inline(always)]
    fn sums(b: B, from: &Waiting) -> Limbs<B> {
        let mut h = [b.zero(); 5];
        for k in 0..count::<B>() {
            h[k] = b.load(&from.sums.as_flattened()[64 * k..]);
        }
        h
    }

    #[inline(always)]
    fn keep(&self, b: B, to: &mut Waiting) {
        for k in 0..count::<B>() {
            b.store(&mut to.sums.as_flattened_mut()[64 * k..], self.h[k]);
        }
        if !to.begun() {
            for i in 0..4 {
                for k in 0..count::<B>() {
                    b.one().store(&mut to.steps[LIMBS * i + k], b.split(self.steps[i].r[k])[0]);
                }
            }
            to.begun = [1; 8];
        }
    }
}

impl<B: Backend> Mac<B, false> {
    /// Goes on with a message of which `poly` is what was absorbed before there were sums.
    #[inline(always)]
    pub(crate) fn resumed(b: B, poly: Poly1305, from: &Waiting) -> Self {
        let side = if from.begun() { Side::kept(b, from) } else { Side::new(b, &poly, usize::MAX) };
        Self { poly, side, lengths: 0, at: 0, last: usize::MAX }
    }

    /// Goes over from what waited, whose groups have been absorbed, to `data`, at least a group: the
    /// first of all, or what half a group is made whole by.
    #[inline(always)]
    pub(crate) fn join(&mut self, b: B, from: &Waiting, data: &[u8]) {
        let side = &mut self.side;
        self.at = 0;
        let waited = from.data();
        let half = waited.len() % Self::GROUP;
        if !from.begun() {
            side.begin(b, &self.poly, b.load(data), b.load(&data[B::BYTES..]));
            self.at = Self::GROUP;
        } else if half > 0 {
            // Parts are multiples of 64 bytes, and a group is 128 at most.
            debug_assert_eq!(half, B::BYTES);
            side.absorb::<1, true>(b, [[b.load(&waited[waited.len() - half..]), b.load(data)]]);
            self.at = half;
        }
    }

    /// The sums and what of `data` has not been absorbed, to wait for the next part.
    #[inline(always)]
    pub(crate) fn keep(&mut self, b: B, data: &[u8], to: &mut Waiting) {
        if data.len() - self.at > 16 * ROOM {
            self.absorb(b, Data { message: data, end: data.len() });
        }
        to.keep(&data[self.at..]);
        self.side.keep(b, to);
    }
}

impl Poly1305 {
    /// All that was kept, in one sum.
    #[inline(always)]
    pub(crate) fn settled<B: Backend>(mut self, b: B, from: &mut Waiting) -> Self {
        if !from.begun() {
            return self;
        }
        let mut side = Side::<B>::new(b, &self, usize::MAX);
        side.h = Side::<B>::sums(b, from);
        let mut data = from.data();
        while let Some((group, rest)) = data.split_at_checked(Side::<B>::GROUP) {
            side.absorb_from::<1, true>(b, group);
            data = rest;
        }
        side.end(b, &mut self);
        self.update(b, data);
        (from.begun, from.len) = ([0; 8], [0; 8]);
        self
    }
}
