//! COLM0 and COLM127 (Andreeva, Bogdanov, Datta, Luykx, Mennink, Nandi, Tischhauser and
//! Yasuda, COLM v1, CAESAR, 2016), on AES-128.
//!
//! Status: in CAESAR's final portfolio (2019) for defence in depth, as the second choice behind
//! Deoxys-II; we know of no standard that has it. We know of no break below the birthday bound;
//! forged where unverified plaintext is released (Datta, Luykx, Mennink and Nandi, ToSC 2017).
//! COLM127 has intermediate tags. Of it there are two: the reference code, whose checksum is
//! the published one, begins the masks of the associated data at 2*3L; the other code's mask,
//! COLM0's 3L, is a scheme of its own here. Kept for what became of COPA.
//!
//! Two calls of the cipher a block, and all blocks in flight: the map between the layers goes on
//! by a register at a time, four blocks in one, while other groups are in the layers
//! (`layers.rs`). The last block and the tag are made of one checksum, so they go together.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::layers::{
    Before, Cut, End, Field, INTERVAL, Link, Long, Masks, OfOne, One, Rest, Room, RoundKeys, State, Tags, WINDOW,
};
use crate::layers::{
    call, continued, double, doubles, hashed, is_long, is_padded, is_zero, later, mask, masks_from, padded, pairs,
    sevenfold, store_end, sums, triple, walk,
};
use crate::nonce;
use combseal::cpu::{Backend, Block, Enc, Kernel};
use combseal::internals::{InOut, equal, filled};
use combseal::{Aes128, Cpu, secret};

/// COLM0 (`VARIANT` 0), and COLM127: as the reference code has it (1), and with COLM0's first
/// mask (2).
pub struct Colm<const VARIANT: u8>(Expanded);

/// The cipher's key, L = E(0), and multiples of it.
// Aligned, so that no register of masks is read across two cache lines.
#[repr(C, align(64))]
struct Expanded {
    /// 2L, 4L, and so on.
    masks: [Block; WINDOW],
    l: Block,
    enc: [Block; 11],
    dec: [Block; 9],
    cpu: Cpu,
}
secret!(Expanded { masks, l, enc, dec, cpu });

/// Intermediate tags in a message, at most.
const MOST: usize = 32;

/// How many intermediate tags a message of `len` bytes has: they are behind blocks that are not
/// the last one.
const fn tags(variant: u8, len: usize) -> usize {
    let tags = len.saturating_sub(1) / 16 / INTERVAL;
    if variant == 0 {
        0
    } else if tags < MOST {
        tags
    } else {
        MOST
    }
}

impl<const VARIANT: u8> Archived for Colm<VARIANT> {
    const ABOUT: &'static About = &About {
        name: match VARIANT {
            0 => "COLM0-AES-128",
            1 => "COLM127-AES-128",
            _ => "COLM127-AES-128-mask3L",
        },
        family: "colm",
        nonce_len: 8,
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Andreeva, Bogdanov, Datta, Luykx, Mennink, Nandi, Tischhauser and Yasuda, COLM v1, CAESAR, 2016",
        status: if VARIANT == 2 { Status::NotChosen } else { Status::Portfolio },
        history: if VARIANT == 2 {
            "COLM127 but for the first mask of the associated data, which it takes as COLM0 does; not the \
             submission's reference code"
        } else {
            "second choice for defence in depth in CAESAR's portfolio (2019), behind Deoxys-II; forged where \
             unverified plaintext is released (Datta, Luykx, Mennink and Nandi, ToSC 2017)"
        },
        known_answers: match VARIANT {
            0 => &["colm0v1"],
            1 => &["colm127v1"],
            _ => &["colm127v1_mask3L"],
        },
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, it });
        }))
    }

    fn tail_len(len: usize) -> usize {
        16 + 16 * tags(VARIANT, len)
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
        if is_long(io.len() / 16) {
            seal_long::<VARIANT>(&self.0, nonce, ad, io.reborrow(), tail);
        } else {
            let message = Message { key: &self.0, nonce, ad, io, room: None };
            self.0.cpu.run(SealShort::<VARIANT>(message, tail));
        }
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> bool {
        if is_long(io.len() / 16) {
            open_long::<VARIANT>(&self.0, nonce, ad, io.reborrow(), tail)
        } else {
            self.0.cpu.run(OpenShort::<VARIANT>(Message { key: &self.0, nonce, ad, io, room: None }, tail))
        }
    }
}

/// Seals a message that needs a [`Room`].
#[inline(never)]
fn seal_long<const VARIANT: u8>(key: &Expanded, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
    let mut seal = |room: &mut Room| {
        let count = tags(VARIANT, io.len());
        let message = Message { key, nonce, ad, io: io.reborrow(), room: Some(room) };
        if count == 0 {
            key.cpu.run(SealShort::<VARIANT>(message, tail))
        } else {
            message.seal_with_tags::<VARIANT>(tail)
        }
    };
    key.cpu.run(Long(&mut seal));
}

/// Opens one.
#[inline(never)]
fn open_long<const VARIANT: u8>(key: &Expanded, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> bool {
    let mut open = |room: &mut Room| {
        let count = tags(VARIANT, io.len());
        let message = Message { key, nonce, ad, io: io.reborrow(), room: Some(room) };
        if count == 0 {
            key.cpu.run(OpenShort::<VARIANT>(message, tail))
        } else {
            message.open_with_tags::<VARIANT>(tail)
        }
    };
    key.cpu.run(Long(&mut open))
}

struct SetUp<'a> {
    key: &'a [u8],
    it: &'a mut Expanded,
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, it } = self;
        b.expand::<Aes128>(key, &mut it.enc);
        b.invert::<Aes128>(&it.enc, &mut it.dec);
        let mut zero = [b.one().zero()];
        b.one().encrypt(&Enc(&it.enc), &mut zero);
        it.l = b.one().block(zero[0]);
        doubles(double(u128::from_be_bytes(it.l)), &mut it.masks);
    }
}

/// Writes `bytes` to place `at` of a sealed message, of which `dst` is the front and `tail` the
/// rest.
fn put(dst: &mut [u8], tail: &mut [u8], at: usize, bytes: &[u8]) {
    let n = dst.len().saturating_sub(at).min(bytes.len());
    if n > 0 {
        dst[at..at + n].copy_from_slice(&bytes[..n]);
    }
    tail[(at + n).saturating_sub(dst.len())..][..bytes.len() - n].copy_from_slice(&bytes[n..]);
}

/// What was at place `at` of a sealed message, of which `front` is the front and `tail` the
/// rest.
fn get(front: &[u8], tail: &[u8], at: usize, bytes: &mut [u8]) {
    let n = front.len().saturating_sub(at).min(bytes.len());
    let (head, rest) = bytes.split_at_mut(n);
    if n > 0 {
        head.copy_from_slice(&front[at..at + n]);
    }
    rest.copy_from_slice(&tail[(at + n).saturating_sub(front.len())..][..rest.len()]);
}

/// W. In registers it is a little-endian number. The mask above block i is 2^i L; that below is
/// 3*3 times that, further doubled with every intermediate tag: as many blocks further on.
struct Rho<const TAGS: bool>;
impl<const TAGS: bool> Link for Rho<TAGS> {
    const TAGS: bool = TAGS;

    #[inline(always)]
    fn above<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V {
        mask(b, masks, k)
    }

    /// 3*3 is x^2 + 1: a mask and that two blocks further.
    #[inline(always)]
    fn below<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V {
        b.xor(mask(b, masks, k), mask(b, masks, k + 2))
    }

    #[inline(always)]
    fn begin<B: Backend>(b: B, link: One<B>) -> Before<B::V> {
        // As if the block before had been W, and none before it.
        let w = b.with_top(b.zero(), link);
        Before { w, block: b.rev(w), sum: [w; 2], x: w, pairs: w }
    }

    /// W becomes x + 2W, and y is x + 3W: the new W and the old. Four blocks further, W is 16W
    /// and multiples of the blocks between: u is x and twice the block before, v is u and four
    /// times that two before, and W is v and 16 times that four before.
    #[inline(always)]
    fn seal_first<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V {
        let (x, last) = (b.rev(x), before.x);
        before.x = x;
        if B::BLOCKS == 1 { x } else { b.xor(x, b.double(later(b, last, x, 1))) }
    }

    /// From register to register of a group W is handed on before it is reduced: reducing it
    /// takes longer than the cipher has for a register.
    #[inline(always)]
    fn seal_then<B: Backend>(b: B, before: &mut Before<B::V>, j: usize, u: B::V) -> B::V {
        if B::BLOCKS == 1 {
            let last = before.w;
            before.w = b.xor(u, b.double(last));
            return b.rev(b.xor(before.w, last));
        }
        let (f, n) = (Field::new(b), B::BLOCKS as u32);
        let mut sum = if j == 0 { f.shifted(b, before.w, n) } else { f.further(b, before.sum, n) };
        sum[0] = b.xor(sum[0], u);
        if B::BLOCKS == 4 {
            sum = f.plus(b, f.shifted(b, later(b, before.pairs, u, 2), 2), sum);
            before.pairs = u;
        }
        before.sum = sum;
        before.w = f.reduced(b, sum);
        let (last, block) = (before.block, b.rev(before.w));
        before.block = block;
        b.xor(block, later(b, last, block, 1))
    }

    /// W becomes y + W, and x is y + 3W: the new W and twice the old.
    #[inline(always)]
    fn open_first<B: Backend>(b: B, before: &mut Before<B::V>, y: B::V) -> B::V {
        pairs(b, before, b.rev(y))
    }

    #[inline(always)]
    fn open_then<B: Backend>(b: B, before: &mut Before<B::V>, pairs: B::V) -> B::V {
        let last = before.w;
        let w = sums(b, before, pairs);
        b.rev(b.xor(w, b.double(later(b, last, w, 1))))
    }
}

/// One message.
struct Message<'a> {
    key: &'a Expanded,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    /// For a long one.
    room: Option<&'a mut Room>,
}

/// Seals. The blocks before the last one are written where they were; behind them, `end`
/// is the last block and the tag, of which as many bytes are taken as the last block had.
struct Seal<'a, const VARIANT: u8> {
    message: Message<'a>,
    end: &'a mut [u8; 32],
    between: &'a mut [Block; 2 * MOST],
}
impl<const VARIANT: u8> Kernel for Seal<'_, VARIANT> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { message, end, between } = self;
        let (c, t) = message.seal::<B, Rho<true>, VARIANT>(b, between);
        b.one().store(end, c);
        b.one().store(&mut end[16..], t);
    }
}

/// Opens, likewise.
struct Open<'a, const VARIANT: u8> {
    message: Message<'a>,
    given: &'a [u8; 32],
    between: &'a mut [Block; 2 * MOST],
}
impl<const VARIANT: u8> Kernel for Open<'_, VARIANT> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let Self { message, given, between } = self;
        let one = b.one();
        let given = (one.load(given), one.load(&given[16..]));
        message.open::<B, Rho<true>, VARIANT>(b, given, between)
    }
}

/// Seals without tags between the blocks.
struct SealShort<'a, const VARIANT: u8>(Message<'a>, &'a mut [u8]);
impl<const VARIANT: u8> Kernel for SealShort<'_, VARIANT> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self(mut message, tail) = self;
        let len = message.io.len();
        let front = len.saturating_sub(1) & !15;
        let whole = Message { io: message.io.reborrow(), room: message.room.take(), ..message };
        let (c, t) = whole.seal::<B, Rho<false>, VARIANT>(b, &mut []);
        message.io.cut(front);
        store_end(b.one(), (c, t), message.io, tail);
    }
}

/// Opens a message without tags between the blocks.
struct OpenShort<'a, const VARIANT: u8>(Message<'a>, &'a [u8]);
impl<const VARIANT: u8> Kernel for OpenShort<'_, VARIANT> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let Self(message, tail) = self;
        let len = message.io.len();
        let front = len.saturating_sub(1) & !15;
        let given = continued(b.one(), &message.io.src()[front..], b.one().load(tail));
        message.open::<B, Rho<false>, VARIANT>(b, given, &mut [])
    }
}

impl<'a> Message<'a> {
    /// Seals a message with intermediate tags: the ciphertext's blocks first come where their plaintext was; then they
    /// make room for the intermediate tags.
    fn seal_with_tags<const VARIANT: u8>(self, tail: &mut [u8]) {
        let Self { key, nonce, ad, mut io, room } = self;
        let len = io.len();
        let mut between = [[0; 16]; 2 * MOST];
        let mut end = [0; 32];
        let message = Message { key, nonce, ad, io: io.reborrow(), room };
        key.cpu.run(Seal::<VARIANT> { message, end: &mut end, between: &mut between });
        let (front, count) = (len.saturating_sub(1) & !15, tags(VARIANT, len));
        let dst = io.into_dst();
        // From the end: nothing is written over before it has been moved.
        put(dst, tail, front + 16 * count, &end[..len - front + 16]);
        for k in (1..=count).rev() {
            let from = 16 * INTERVAL * k;
            let to = if k == count { front } else { from + 16 * INTERVAL };
            // What comes to lie behind the message.
            let stays = (len.saturating_sub(16 * k)).clamp(from, to);
            tail[(stays + 16 * k).saturating_sub(len)..][..to - stays].copy_from_slice(&dst[stays..to]);
            if stays > from {
                dst.copy_within(from..stays, from + 16 * k);
            }
            put(dst, tail, from + 16 * (k - 1), &between[k - 1]);
        }
    }

    /// Opens a message with intermediate tags: the ciphertext's blocks first come to their plaintext's places.
    fn open_with_tags<const VARIANT: u8>(self, tail: &[u8]) -> bool {
        let Self { key, nonce, ad, mut io, room } = self;
        let len = io.len();
        let (front, count) = (len.saturating_sub(1) & !15, tags(VARIANT, len));
        let (mut given, mut between, mut end) = ([[0; 16]; MOST], [[0; 16]; 2 * MOST], [0; 32]);
        let r = len - front;
        io.copy();
        let dst = io.into_dst();
        get(dst, tail, front + 16 * count, &mut end[..r + 16]);
        for k in 1..=count {
            let from = 16 * INTERVAL * k;
            let to = if k == count { front } else { from + 16 * INTERVAL };
            get(dst, tail, from + 16 * (k - 1), &mut given[k - 1]);
            let stays = (len.saturating_sub(16 * k)).clamp(from, to);
            if stays > from {
                dst.copy_within(from + 16 * k..stays + 16 * k, from);
            }
            dst[stays..to].copy_from_slice(&tail[(stays + 16 * k).saturating_sub(len)..][..to - stays]);
        }
        dst[front..].copy_from_slice(&end[..r]);
        let message = Message { key, nonce, ad, io: InOut::in_place(dst), room };
        let right = key.cpu.run(Open::<VARIANT> { message, given: &end, between: &mut between });
        right & equal(between[..count].as_flattened(), given[..count].as_flattened())
    }

    #[inline(always)]
    fn l(&self) -> u128 {
        u128::from_be_bytes(self.key.l)
    }

    /// W, from nonce and associated data; and the masks of the first block.
    #[inline(always)]
    fn begin<'m, B: Backend, const VARIANT: u8>(
        &self,
        b: B,
        between: &'m mut [Block],
        further: Option<&'m mut Room>,
    ) -> State<'m>
    where
        'a: 'm,
    {
        let (one, enc) = (b.one(), &self.key.enc);
        let block = |x: u128| one.load(&x.to_be_bytes());
        let mut m = triple(self.l());
        if VARIANT == 1 {
            m = double(m);
        }
        let mut first = nonce::number::<8>(self.nonce);
        if VARIANT > 0 {
            first |= (0x8000 | INTERVAL as u128) << 72;
        }
        let mut w = call(one, enc, block(m), nonce::register(one, first));
        let (whole, rest) = self.ad.split_at(self.ad.len() & !15);
        if !whole.is_empty() {
            let sum = hashed(b, enc, whole, || {
                m = double(m);
                m
            });
            w = one.xor(w, sum);
        }
        if !rest.is_empty() {
            w = one.xor(w, call(one, enc, block(sevenfold(m)), padded(one, rest)));
        }
        let mut state = State::new(one.block(one.rev(w)), Masks::new(&self.key.masks, further));
        state.tags = Tags::new(between);
        state
    }

    /// All blocks but the last one, with the intermediate tags; leaves in `end` those that are to go
    /// with the last one, and gives how many blocks of `io` do not, and what is not finished of these.
    #[inline(always)]
    fn front<'i, B: Backend, L: Link, const SEAL: bool>(
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State<'_>,
        mut io: InOut<'i>,
        end: &mut End<One<B>>,
    ) -> (usize, Rest<'i, B>) {
        let (one, blocks) = (b.one(), io.len() / 16);
        let rest = walk::<L, B, SEAL>(b, keys, state, &mut io);
        let (n, i, mut first) = (io.len() / 16, state.blocks, 0);
        let mut sum = one.load(&state.sum);
        for j in 0..n {
            if SEAL {
                sum = one.xor(sum, io.load(one, 16 * j));
            }
        }
        let Cut { tags: k, behind: cut } =
            if L::TAGS { state.tags.pass(i, n) } else { Cut { tags: 0, behind: usize::MAX } };
        if L::TAGS && cut <= n {
            for j in 0..cut {
                end.block::<L, _>(one, state, &io, j);
            }
            end.run::<L, _, SEAL>(one, keys, state);
            for j in 0..cut {
                if !SEAL {
                    sum = one.xor(sum, end.out[j]);
                }
                io.store(one, 16 * j, end.out[j]);
            }
            let from: &OfOne = masks_from(state.masks.near(i), cut + k);
            let mask = L::below(one, from, 0);
            let w = one.load(&state.link);
            state.tags.note(one, k, w, mask);
            first = cut;
        }
        for j in first..n {
            end.block::<L, _>(one, state, &io, j);
        }
        state.sum = one.block(sum);
        (blocks - (n - first), rest)
    }

    /// Seals: the last block and the tag are returned, the others are written.
    #[inline(always)]
    fn seal<B: Backend, L: Link, const VARIANT: u8>(mut self, b: B, between: &mut [Block]) -> (One<B>, One<B>) {
        let (one, len) = (b.one(), self.io.len());
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let further = self.room.take();
        let mut state = self.begin::<B, VARIANT>(b, between, further);
        let mut io = self.io.cut(len.saturating_sub(1) & !15);
        let blocks = io.len() / 16;
        // Here, not returned: it would be copied by a call that waits for its registers to be in the cache.
        let mut end = End::new(one);
        let (done, rest) = Self::front::<B, L, true>(b, &keys, &mut state, io.reborrow(), &mut end);
        let n = blocks - done;
        let last = self.io.src();
        let complete = last.len() == 16;
        let last = if complete { one.load(last) } else { padded(one, last) };
        let sum = one.xor(one.load(&state.sum), last);
        let ends = LastMasks::new(one, self.key, &state, blocks, complete);
        end.push(sum, ends.up[0], ends.down[0]);
        end.push(sum, ends.up[1], ends.down[1]);
        end.run::<L, _, true>(one, &keys, &mut state);
        rest.finish::<L, true>(b, &keys, &mut state);
        if L::TAGS {
            state.tags.make(b, keys.enc, tags(VARIANT, len));
        }
        for j in 0..n {
            io.store(one, 16 * (done + j), end.out[j]);
        }
        (end.out[n], end.out[n + 1])
    }

    /// Opens a message whose last block and tag are `given`; says whether padding and tag are right.
    #[inline(always)]
    fn open<B: Backend, L: Link, const VARIANT: u8>(
        mut self,
        b: B,
        given: (One<B>, One<B>),
        between: &mut [Block],
    ) -> bool {
        let (one, len) = (b.one(), self.io.len());
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let further = self.room.take();
        let mut state = self.begin::<B, VARIANT>(b, between, further);
        let mut io = self.io.cut(len.saturating_sub(1) & !15);
        let blocks = io.len() / 16;
        // Here, not returned: it would be copied by a call that waits for its registers to be in the cache.
        let mut end = End::new(one);
        let (done, rest) = Self::front::<B, L, false>(b, &keys, &mut state, io.reborrow(), &mut end);
        let n = blocks - done;
        let r = self.io.len();
        let ends = LastMasks::new(one, self.key, &state, blocks, r == 16);
        end.push(given.0, ends.up[0], ends.down[0]);
        end.run::<L, _, false>(one, &keys, &mut state);
        rest.finish::<L, false>(b, &keys, &mut state);
        if L::TAGS {
            state.tags.make(b, keys.enc, tags(VARIANT, len));
        }
        let mut before = one.load(&state.sum);
        for j in 0..n {
            before = one.xor(before, end.out[j]);
            io.store(one, 16 * (done + j), end.out[j]);
        }
        let sum = end.out[n];
        let m = one.xor(sum, before);
        if r > 0 {
            self.io.store_part(one, m);
        }
        let true_padding = r == 16 || is_padded(one, m, r);
        let mut end = End::new(one);
        end.push(sum, ends.up[1], ends.down[1]);
        end.run::<L, _, true>(one, &keys, &mut state);
        true_padding & is_zero(one, one.keep(one.xor(end.out[0], given.1), r))
    }
}

/// The masks of the last block and of the tag: 7 times those of the block before, 49 times if
/// the last block is padded; and twice that.
struct LastMasks<V> {
    up: [V; 2],
    down: [V; 2],
}
impl<V: Copy> LastMasks<V> {
    /// Behind `blocks` blocks.
    #[inline(always)]
    fn new<B: Backend<V = V, One = B>>(b: B, key: &Expanded, state: &State<'_>, blocks: usize, complete: bool) -> Self {
        let (i, near) = (state.blocks, state.masks.near(state.blocks));
        let (rest, tags) = (blocks - i, state.tags.before(blocks));
        // 2^t times the mask of the block before, and those behind it.
        let from = |t: usize| {
            let Some(behind) = near[rest + t..].first_chunk::<8>() else { unreachable!("a few blocks and 32 tags") };
            let first = if rest + t == 0 { state.masks.before(b, i, &key.l) } else { mask(b, near, rest + t - 1) };
            let mut powers = [first; 9];
            for k in 1..9 {
                powers[k] = b.load(&behind[k - 1]);
            }
            powers
        };
        let above = from(0);
        let below = if tags == 0 { above } else { from(tags) };
        let sum = |powers: &[V; 9], n: [usize; 4]| {
            let rest = b.xor(powers[n[2]], powers[n[3]]);
            b.xor(b.xor(powers[n[0]], powers[n[1]]), rest)
        };
        let (mut up, mut down) = ([b.zero(); 2], [b.zero(); 2]);
        for k in 0..2 {
            // 7 is x^2 + x + 1, 49 its square, and 3*3 x^2 + 1.
            (up[k], down[k]) = if complete {
                (b.xor(above[k], b.xor(above[k + 1], above[k + 2])), sum(&below, [k, k + 1, k + 3, k + 4]))
            } else {
                (b.xor(above[k], b.xor(above[k + 2], above[k + 4])), b.xor(below[k], below[k + 6]))
            };
        }
        Self { up, down }
    }
}
