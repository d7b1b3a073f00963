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
use crate::layers::{Before, End, Field, Link, One, RoundKeys, State};
use crate::layers::{
    call, continued, double, further, half, hashed, is_padded, is_zero, later, padded, sevenfold, store_end, sums,
    triple, walk,
};
use crate::nonce;
use combseal::cpu::{Backend, Block, Enc, Kernel};
use combseal::internals::{InOut, equal, filled};
use combseal::{Aes128, Cpu, secret};

/// COLM0 (`VARIANT` 0), and COLM127: as the reference code has it (1), and with COLM0's first
/// mask (2).
pub struct Colm<const VARIANT: u8>(Expanded);

/// The cipher's key, and L = E(0).
struct Expanded {
    enc: [Block; 11],
    dec: [Block; 9],
    l: Block,
    cpu: Cpu,
}
secret!(Expanded { enc, dec, l, cpu });

/// Blocks from one intermediate tag to the next.
const INTERVAL: usize = 127;
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
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        if tags(VARIANT, io.len()) == 0 {
            self.0.cpu.run(SealShort::<VARIANT>(Message { key: &self.0, nonce, ad, io }, tail));
        } else {
            seal_with_tags::<VARIANT>(&self.0, nonce, ad, io, tail);
        }
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        if tags(VARIANT, io.len()) == 0 {
            self.0.cpu.run(OpenShort::<VARIANT>(Message { key: &self.0, nonce, ad, io }, tail))
        } else {
            open_with_tags::<VARIANT>(&self.0, nonce, ad, io, tail)
        }
    }
}

struct SetUp<'a> {
    key: &'a [u8],
    it: &'a mut Expanded,
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const ON_MODELS: bool = crate::models::ON_MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { key, it } = self;
        b.expand::<Aes128>(key, &mut it.enc);
        b.invert::<Aes128>(&it.enc, &mut it.dec);
        let mut zero = [b.one().zero()];
        b.one().encrypt(&Enc(&it.enc), &mut zero);
        it.l = b.one().block(zero[0]);
    }
}

/// Seals a message with intermediate tags: the ciphertext's blocks first come where their plaintext was; then they
/// make room for the intermediate tags.
fn seal_with_tags<const VARIANT: u8>(key: &Expanded, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
    let len = io.len();
    let mut between = [[0; 16]; MOST];
    let mut end = [0; 32];
    let message = Message { key, nonce, ad, io: io.reborrow() };
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

/// Opens a message with intermediate tags: the ciphertext's blocks first come to their plaintext's places.
fn open_with_tags<const VARIANT: u8>(key: &Expanded, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> bool {
    let len = io.len();
    let (front, count) = (len.saturating_sub(1) & !15, tags(VARIANT, len));
    let (mut given, mut between, mut end) = ([[0; 16]; MOST], [[0; 16]; MOST], [0; 32]);
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
    let message = Message { key, nonce, ad, io: InOut::in_place(dst) };
    let right = key.cpu.run(Open::<VARIANT> { message, given: &end, between: &mut between });
    right & equal(between.as_flattened(), given.as_flattened())
}

/// W. In registers it is a little-endian number, as the masks' are: that of `p` is 2^i L for
/// block i, that of `q` 3*3 times that, and further doubled with every intermediate tag.
struct Rho<const TAGS: bool>;
impl<const TAGS: bool> Link for Rho<TAGS> {
    const APART: bool = TAGS;

    #[inline(always)]
    fn numbers(p: u128, q: u128) -> (u128, u128) {
        (p, if TAGS { q } else { triple(triple(p)) })
    }

    #[inline(always)]
    fn masks<B: Backend>(b: B, p: [B::V; 3], q: B::V) -> (B::V, B::V) {
        // 3*3 is x^2 + 1: a number and the one two blocks further.
        (p[0], if TAGS { q } else { b.xor(p[0], further(b, p, 2)) })
    }

    #[inline(always)]
    fn begin<B: Backend>(b: B, link: One<B>) -> Before<B::V> {
        // As if the block before had been W, and none before it.
        let w = b.with_top(b.zero(), link);
        Before { w, x: w, pairs: w }
    }

    /// W becomes x + 2W, and y is x + 3W: the new W and the old. Four blocks further, W is 16W
    /// and multiples of the blocks between.
    #[inline(always)]
    fn seal<B: Backend>(b: B, f: &Field<B::V>, before: &mut Before<B::V>, x: B::V) -> B::V {
        let x = b.rev(x);
        // The multiples are summed before they are reduced: from the third block before on.
        let mut up = f.shifted(b, before.w, B::BLOCKS as u32);
        if B::BLOCKS > 1 {
            up = f.plus(b, up, f.shifted(b, later(b, before.x, x, 1), 1));
        }
        if B::BLOCKS > 2 {
            up = f.plus(b, up, f.shifted(b, later(b, before.x, x, 2), 2));
            up = f.plus(b, up, f.shifted(b, later(b, before.x, x, 3), 3));
        }
        before.x = x;
        let w = b.xor(x, f.reduced(b, up));
        let y = b.xor(w, later(b, before.w, w, 1));
        before.w = w;
        b.rev(y)
    }

    /// W becomes y + W, and x is y + 3W: the new W and twice the old.
    #[inline(always)]
    fn open<B: Backend>(b: B, f: &Field<B::V>, before: &mut Before<B::V>, y: B::V) -> B::V {
        let last = before.w;
        let w = sums(b, before, b.rev(y));
        b.rev(b.xor(w, f.times_x(b, later(b, last, w, 1), 1)))
    }
}

/// One message.
struct Message<'a> {
    key: &'a Expanded,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}

/// Seals. The blocks before the last one are written where they were; behind them, `end`
/// is the last block and the tag, of which as many bytes are taken as the last block had.
struct Seal<'a, const VARIANT: u8> {
    message: Message<'a>,
    end: &'a mut [u8; 32],
    between: &'a mut [Block; MOST],
}
impl<const VARIANT: u8> Kernel for Seal<'_, VARIANT> {
    type Out = ();
    const ON_MODELS: bool = crate::models::ON_MODELS;
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
    between: &'a mut [Block; MOST],
}
impl<const VARIANT: u8> Kernel for Open<'_, VARIANT> {
    type Out = bool;
    const ON_MODELS: bool = crate::models::ON_MODELS;
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
    const ON_MODELS: bool = crate::models::ON_MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self(mut message, tail) = self;
        let len = message.io.len();
        let front = len.saturating_sub(1) & !15;
        let whole = Message { io: message.io.reborrow(), ..message };
        let (c, t) = whole.seal::<B, Rho<false>, VARIANT>(b, &mut []);
        message.io.cut(front);
        store_end(b.one(), (c, t), message.io, tail);
    }
}

/// Opens a message without tags between the blocks.
struct OpenShort<'a, const VARIANT: u8>(Message<'a>, &'a [u8]);
impl<const VARIANT: u8> Kernel for OpenShort<'_, VARIANT> {
    type Out = bool;
    const ON_MODELS: bool = crate::models::ON_MODELS;
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

impl Message<'_> {
    #[inline(always)]
    fn l(&self) -> u128 {
        u128::from_be_bytes(self.key.l)
    }

    /// W, from nonce and associated data; and the masks of the first block.
    #[inline(always)]
    fn begin<B: Backend, const VARIANT: u8>(&self, b: B) -> State {
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
        let p = double(self.l());
        State { link: one.block(one.rev(w)), sum: [0; 16], p, q: triple(triple(p)) }
    }

    /// All blocks but the last one, with the intermediate tags.
    #[inline(always)]
    fn front<B: Backend, L: Link, const SEAL: bool>(
        b: B,
        keys: &RoundKeys<'_>,
        state: &mut State,
        mut io: InOut<'_>,
        between: &mut [Block],
    ) -> End<One<B>> {
        let one = b.one();
        let mut tags = between.iter_mut();
        loop {
            // As far as the next intermediate tag.
            let tag = if L::APART && io.len() >= 16 * INTERVAL { tags.next() } else { None };
            let mut part = match tag {
                Some(_) => io.cut(16 * INTERVAL),
                None => io.cut(io.len()),
            };
            walk::<L, B, SEAL>(b, keys, state, &mut part);
            let mut end = End::new(one);
            let n = end.blocks::<L, _>(one, state, &part);
            let mut sum = one.load(&state.sum);
            let Some(tag) = tag else {
                if SEAL {
                    for j in 0..n {
                        sum = one.xor(sum, part.load(one, 16 * j));
                    }
                    state.sum = one.block(sum);
                }
                return end;
            };
            if SEAL {
                for j in 0..n {
                    sum = one.xor(sum, part.load(one, 16 * j));
                }
            }
            end.run::<L, _, SEAL>(one, keys, state);
            for j in 0..n {
                if !SEAL {
                    sum = one.xor(sum, end.out[j]);
                }
                part.store(one, 16 * j, end.out[j]);
            }
            state.sum = one.block(sum);
            let mut t = [one.rev(one.load(&state.link))];
            one.encrypt(&Enc(keys.enc), &mut t);
            *tag = one.block(one.xor(t[0], one.load(&state.q.to_be_bytes())));
            state.q = double(state.q);
        }
    }

    /// Seals: the last block and the tag are returned, the others are written.
    #[inline(always)]
    fn seal<B: Backend, L: Link, const VARIANT: u8>(mut self, b: B, between: &mut [Block]) -> (One<B>, One<B>) {
        let (one, len) = (b.one(), self.io.len());
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let mut state = self.begin::<B, VARIANT>(b);
        let mut io = self.io.cut(len.saturating_sub(1) & !15);
        let mut end = Self::front::<B, L, true>(b, &keys, &mut state, io.reborrow(), between);
        let n = io.len() / 16 - done(io.len() / 16, L::APART);
        let last = self.io.src();
        let complete = last.len() == 16;
        let last = if complete { one.load(last) } else { padded(one, last) };
        let sum = one.xor(one.load(&state.sum), last);
        let (up, down) = last_masks::<L>(&state, complete);
        end.push(one, sum, up, down);
        end.push(one, sum, double(up), double(down));
        end.run::<L, _, true>(one, &keys, &mut state);
        let at = io.len() - 16 * n;
        for j in 0..n {
            io.store(one, at + 16 * j, end.out[j]);
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
        let mut state = self.begin::<B, VARIANT>(b);
        let mut io = self.io.cut(len.saturating_sub(1) & !15);
        let mut end = Self::front::<B, L, false>(b, &keys, &mut state, io.reborrow(), between);
        let n = io.len() / 16 - done(io.len() / 16, L::APART);
        let r = self.io.len();
        let (up, down) = last_masks::<L>(&state, r == 16);
        end.push(one, given.0, up, down);
        end.run::<L, _, false>(one, &keys, &mut state);
        let (at, mut before) = (io.len() - 16 * n, one.load(&state.sum));
        for j in 0..n {
            before = one.xor(before, end.out[j]);
            io.store(one, at + 16 * j, end.out[j]);
        }
        let sum = end.out[n];
        let m = one.xor(sum, before);
        if r > 0 {
            self.io.store_part(one, m);
        }
        let true_padding = r == 16 || is_padded(one, m, r);
        let mut end = End::new(one);
        end.push(one, sum, double(up), double(down));
        end.run::<L, _, true>(one, &keys, &mut state);
        true_padding & is_zero(one, one.keep(one.xor(end.out[0], given.1), r))
    }
}

/// How many of `blocks` blocks do not go with the last one.
#[inline(always)]
fn done(blocks: usize, tags: bool) -> usize {
    let behind = if tags { blocks / INTERVAL * INTERVAL } else { 0 };
    let behind = behind.min(INTERVAL * MOST);
    behind + (blocks - behind) / 4 * 4
}

/// The masks of the last block: 7 times those of the one before, 49 times if it is padded.
#[inline(always)]
fn last_masks<L: Link>(state: &State, complete: bool) -> (u128, u128) {
    let before = half(state.p);
    let (mut up, mut down) = (sevenfold(before), triple(triple(before)));
    if L::APART {
        down = half(state.q);
    }
    down = sevenfold(down);
    if !complete {
        (up, down) = (sevenfold(up), sevenfold(down));
    }
    (up, down)
}
