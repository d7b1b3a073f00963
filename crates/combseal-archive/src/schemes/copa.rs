//! AES-COPA (Andreeva, Bogdanov, Luykx, Mennink, Tischhauser and Yasuda, "Parallelizable and
//! Authenticated Online Ciphers", ASIACRYPT 2013; CAESAR v1, 2014, and v2, 2015), on AES-128.
//!
//! Status: superseded by COLM, to which it was merged with ELmD after CAESAR's second round
//! (2016). XLS, with which v1 treats a short last block, is no strong pseudorandom permutation
//! (Nandi, ASIACRYPT 2014), and v1 is forged with about 2^(n/3) queries, 2^43 here (Nandi,
//! ePrint 2015/444); v2 pads instead. Both have almost universal forgeries at about the
//! birthday bound, against the claim of full security though not against the proof (Lu, ASIACCS
//! 2017), and forgeries where unverified plaintext is released (Andreeva and others, ASIACRYPT
//! 2014). Kept for the comparison of modes that withstand a repeated nonce, and to see what
//! COLM changed.
//!
//! Two calls of the cipher a block, and all blocks in flight: between the layers there is only
//! a sum from block to block (`layers.rs`). The tag's two calls go with the last blocks; the
//! masks travel as round keys.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::layers::{Before, End, Link, Long, Masks, One, Room, RoundKeys, State, WINDOW};
use crate::layers::{
    call, continued, double, doubles, half, hashed, is_long, is_padded, is_zero, later, mask, padded, pairs, sevenfold,
    store_end, sums, triple, turned, walk,
};
use crate::nonce;
use combseal::cpu::{Backend, Block, Dec, Enc, Kernel};
use combseal::internals::{InOut, equal, filled};
use combseal::{Aes128, Cpu, secret};

/// AES-COPA of `VERSION` 1 or 2.
pub struct Copa<const VERSION: u8>(Expanded);

/// The cipher's key, and multiples of L = E(0).
// Aligned, so that no register of masks is read across two cache lines.
#[repr(C, align(64))]
struct Expanded {
    /// L, 2L, 4L, and so on.
    masks: [Block; WINDOW],
    enc: [Block; 11],
    dec: [Block; 9],
    cpu: Cpu,
}
secret!(Expanded { masks, enc, dec, cpu });

impl<const VERSION: u8> Archived for Copa<VERSION> {
    const ABOUT: &'static About = &About {
        name: if VERSION == 1 { "COPA-v1-AES-128" } else { "COPA-v2-AES-128" },
        family: "copa",
        repeated_nonce: RepeatedNonce::Prefix,
        source: "Andreeva, Bogdanov, Luykx, Mennink, Tischhauser and Yasuda, ASIACRYPT 2013; CAESAR v1 and v2",
        status: if VERSION == 1 { Status::Broken } else { Status::Superseded },
        history: if VERSION == 1 {
            "forged with about 2^43 queries (Nandi, ePrint 2015/444), since XLS, its treatment of short last \
             blocks, is no strong pseudorandom permutation (Nandi, ASIACRYPT 2014); superseded by v2"
        } else {
            "merged with ELmD to COLM (2016); almost universal forgeries at about the birthday bound, against what \
             was claimed but not against what is proven (Lu, ASIACCS 2017)"
        },
        known_answers: if VERSION == 1 { &["aescopav1"] } else { &["aescopav2"] },
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp { key, it });
        }))
    }

    /// Version 2 has whole blocks, the tag, and a byte that tells whether the last block was
    /// padded.
    fn tail_len(len: usize) -> usize {
        if VERSION == 1 { 16 } else { pads(len) as usize * (16 - len % 16) + 17 }
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
        if is_long(io.len() / 16) {
            seal_long::<VERSION>(&self.0, nonce, ad, io.reborrow(), tail);
        } else {
            Message { key: &self.0, nonce, ad, io, room: None }.seal::<VERSION>(tail);
        }
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> bool {
        if is_long(io.len() / 16) {
            open_long::<VERSION>(&self.0, nonce, ad, io.reborrow(), tail)
        } else {
            Message { key: &self.0, nonce, ad, io, room: None }.open::<VERSION>(tail)
        }
    }
}

/// Seals a message that needs a [`Room`].
#[inline(never)]
fn seal_long<const VERSION: u8>(key: &Expanded, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &mut [u8]) {
    let mut seal =
        |room: &mut Room| Message { key, nonce, ad, io: io.reborrow(), room: Some(room) }.seal::<VERSION>(tail);
    key.cpu.run(Long(&mut seal));
}

/// Opens one.
#[inline(never)]
fn open_long<const VERSION: u8>(key: &Expanded, nonce: &[u8], ad: &[u8], mut io: InOut<'_>, tail: &[u8]) -> bool {
    let mut open =
        |room: &mut Room| Message { key, nonce, ad, io: io.reborrow(), room: Some(room) }.open::<VERSION>(tail);
    key.cpu.run(Long(&mut open))
}

/// Whether version 2 pads a message of `len` bytes.
fn pads(len: usize) -> bool {
    len == 0 || !len.is_multiple_of(16)
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
        doubles(u128::from_be_bytes(b.one().block(zero[0])), &mut it.masks);
    }
}

/// S, the sum of all that the first layer has given. The masks' number is 2^(i-1) L for block
/// i: three times that above, twice below.
struct Sum;
impl Link for Sum {
    #[inline(always)]
    fn above<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V {
        b.xor(mask(b, masks, k), mask(b, masks, k + 1))
    }

    #[inline(always)]
    fn below<B: Backend, const N: usize>(b: B, masks: &[Block; N], k: usize) -> B::V {
        mask(b, masks, k + 1)
    }

    #[inline(always)]
    fn begin<B: Backend>(b: B, link: One<B>) -> Before<B::V> {
        Before { w: b.widen(link), block: b.zero(), sum: [b.zero(); 2], x: b.zero(), pairs: b.zero() }
    }

    #[inline(always)]
    fn seal_first<B: Backend>(b: B, before: &mut Before<B::V>, x: B::V) -> B::V {
        pairs(b, before, x)
    }

    #[inline(always)]
    fn seal_then<B: Backend>(b: B, before: &mut Before<B::V>, _: usize, pairs: B::V) -> B::V {
        sums(b, before, pairs)
    }

    #[inline(always)]
    fn open_first<B: Backend>(_: B, _: &mut Before<B::V>, s: B::V) -> B::V {
        s
    }

    #[inline(always)]
    fn open_then<B: Backend>(b: B, before: &mut Before<B::V>, s: B::V) -> B::V {
        let last = before.w;
        before.w = s;
        b.xor(s, later(b, last, s, 1))
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

struct SealV1<'a>(Message<'a>, &'a mut [u8]);
impl Kernel for SealV1<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        self.0.seal_v1(b, self.1);
    }
}

struct OpenV1<'a>(Message<'a>, &'a [u8]);
impl Kernel for OpenV1<'_> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        self.0.open_v1(b, self.1)
    }
}

struct SealV2<'a>(Message<'a>, &'a mut [u8]);
impl Kernel for SealV2<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        self.0.seal_v2(b, self.1);
    }
}

struct OpenV2<'a>(Message<'a>, &'a [u8]);
impl Kernel for OpenV2<'_> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        self.0.open_v2(b, self.1)
    }
}

impl<'a> Message<'a> {
    #[inline(always)]
    fn seal<const VERSION: u8>(self, tail: &mut [u8]) {
        let cpu = self.key.cpu;
        if VERSION == 1 { cpu.run(SealV1(self, tail)) } else { cpu.run(SealV2(self, tail)) }
    }

    #[inline(always)]
    fn open<const VERSION: u8>(self, tail: &[u8]) -> bool {
        let cpu = self.key.cpu;
        if VERSION == 1 { cpu.run(OpenV1(self, tail)) } else { cpu.run(OpenV2(self, tail)) }
    }

    #[inline(always)]
    fn keys(&self) -> RoundKeys<'_> {
        RoundKeys { enc: &self.key.enc, dec: &self.key.dec }
    }

    #[inline(always)]
    fn l(&self) -> u128 {
        u128::from_be_bytes(self.key.masks[0])
    }

    /// V: PMAC of the associated data and the nonce, one string.
    #[inline(always)]
    fn associated<B: Backend>(&self, b: B) -> One<B> {
        let (one, enc) = (b.one(), &self.key.enc);
        let block = |x: u128| one.load(&x.to_be_bytes());
        let mut d = triple(triple(triple(self.l())));
        let (whole, rest) = self.ad.split_at(self.ad.len() & !15);
        let sum = hashed(b, enc, whole, || {
            let now = d;
            d = double(d);
            now
        });
        // What is left of the data, and the nonce.
        let nonce = nonce::register(one, nonce::number::<16>(self.nonce));
        if rest.is_empty() {
            return call(one, enc, one.xor(sum, block(triple(d))), nonce);
        }
        let (first, last) = continued(one, rest, nonce);
        let sum = one.xor(sum, call(one, enc, block(d), first));
        let last = one.xor(last, one.padding(rest.len()));
        call(one, enc, one.xor(sum, block(triple(triple(double(d))))), last)
    }

    /// Before the first block.
    #[inline(always)]
    fn begin<'m, B: Backend>(&self, b: B, further: Option<&'m mut Room>) -> State<'m>
    where
        'a: 'm,
    {
        let one = b.one();
        let s = one.xor(self.associated(b), one.load(&self.key.masks[0]));
        State::new(one.block(s), Masks::new(&self.key.masks, further))
    }

    /// The tag of a message that is opened: E(E(sum ^ up) ^ S) ^ down.
    #[inline(always)]
    fn tag<B: Backend<One = B>>(&self, b: B, state: &mut State<'_>, up: u128, down: u128) -> Block {
        let mut end = End::new(b);
        end.push_numbers(b, b.load(&state.sum), up, down);
        end.run::<Sum, B, true>(b, &self.keys(), state);
        b.block(end.out[0])
    }

    #[inline(always)]
    fn seal_v2<B: Backend>(mut self, b: B, tail: &mut [u8]) {
        let (one, len) = (b.one(), self.io.len());
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let further = self.room.take();
        let mut state = self.begin(b, further);
        let behind = walk::<Sum, B, true>(b, &keys, &mut state, &mut self.io);
        let mut end = End::new(one);
        let n = end.blocks::<Sum, _>(one, &state, &self.io);
        let p = state.masks.number(state.blocks + n);
        let mut sum = one.load(&state.sum);
        for j in 0..n {
            sum = one.xor(sum, self.io.load(one, 16 * j));
        }
        // The masks of the last block, padded or not.
        let (mut up, mut down) = (triple(half(p)), p);
        let rest = &self.io.src()[16 * n..];
        let r = rest.len();
        if pads(len) {
            (up, down) = (sevenfold(triple(p)), double(p));
            let last = padded(one, rest);
            sum = one.xor(sum, last);
            end.push_numbers(one, last, up, down);
        }
        end.push_numbers(one, sum, triple(up), sevenfold(down));
        end.run::<Sum, _, true>(one, &keys, &mut state);
        behind.finish::<Sum, true>(b, &keys, &mut state);
        for j in 0..n {
            self.io.store(one, 16 * j, end.out[j]);
        }
        let mut at = 0;
        if pads(len) {
            let c = end.out[n];
            if r > 0 {
                self.io.cut(16 * n);
                self.io.store_part(one, c);
            }
            at = 16 - r;
            one.store_part(&mut tail[..at], turned(one, c, r));
        }
        one.store(&mut tail[at..], end.out[n + usize::from(at > 0)]);
        tail[at + 16] = pads(len).into();
    }

    #[inline(always)]
    fn open_v2<B: Backend>(mut self, b: B, tail: &[u8]) -> bool {
        let (one, len) = (b.one(), self.io.len());
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let further = self.room.take();
        let mut state = self.begin(b, further);
        let behind = walk::<Sum, B, false>(b, &keys, &mut state, &mut self.io);
        let mut end = End::new(one);
        let n = end.blocks::<Sum, _>(one, &state, &self.io);
        let p = state.masks.number(state.blocks + n);
        let (mut up, mut down) = (triple(half(p)), p);
        let r = self.io.len() - 16 * n;
        let given = &tail[tail.len() - 17..];
        if pads(len) {
            (up, down) = (sevenfold(triple(p)), double(p));
            let (c, _) = continued(one, &self.io.src()[16 * n..], one.load(tail));
            end.push_numbers(one, c, up, down);
        }
        end.run::<Sum, _, false>(one, &keys, &mut state);
        behind.finish::<Sum, false>(b, &keys, &mut state);
        let mut sum = one.load(&state.sum);
        for j in 0..n + usize::from(pads(len)) {
            sum = one.xor(sum, end.out[j]);
        }
        state.sum = one.block(sum);
        for j in 0..n {
            self.io.store(one, 16 * j, end.out[j]);
        }
        let mut right = true;
        if pads(len) {
            let m = end.out[n];
            if r > 0 {
                self.io.cut(16 * n);
                self.io.store_part(one, m);
            }
            right = is_padded(one, m, r);
        }
        let tag = self.tag(one, &mut state, triple(up), sevenfold(down));
        right & equal(&given[..16], &tag) & equal(&given[16..], &[pads(len).into()])
    }

    #[inline(always)]
    fn seal_v1<B: Backend>(mut self, b: B, tail: &mut [u8]) {
        if self.io.len() < 16 {
            return self.seal_short(b.one(), tail);
        }
        let one = b.one();
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let further = self.room.take();
        let mut state = self.begin(b, further);
        let behind = walk::<Sum, B, true>(b, &keys, &mut state, &mut self.io);
        let mut end = End::new(one);
        let n = end.blocks::<Sum, _>(one, &state, &self.io);
        let p = state.masks.number(state.blocks + n);
        let mut sum = one.load(&state.sum);
        for j in 0..n {
            sum = one.xor(sum, self.io.load(one, 16 * j));
        }
        let d1 = half(p);
        end.push_numbers(one, sum, triple(triple(d1)), sevenfold(d1));
        end.run::<Sum, _, true>(one, &keys, &mut state);
        behind.finish::<Sum, true>(b, &keys, &mut state);
        let mut string = [0; 31];
        let r = self.io.len() - 16 * n;
        string[..r].copy_from_slice(&self.io.src()[16 * n..]);
        string[r..r + 16].copy_from_slice(&one.block(end.out[n]));
        for j in 0..n {
            self.io.store(one, 16 * j, end.out[j]);
        }
        if r > 0 {
            xls(one, d1, &mut string, r, |x| one.encrypt(&Enc(keys.enc), x));
        }
        self.io.dst()[16 * n..].copy_from_slice(&string[..r]);
        tail.copy_from_slice(&string[r..r + 16]);
    }

    #[inline(always)]
    fn open_v1<B: Backend>(mut self, b: B, tail: &[u8]) -> bool {
        if self.io.len() < 16 {
            return self.open_short(b.one(), tail);
        }
        let one = b.one();
        let keys = RoundKeys { enc: &self.key.enc, dec: &self.key.dec };
        let further = self.room.take();
        let mut state = self.begin(b, further);
        let behind = walk::<Sum, B, false>(b, &keys, &mut state, &mut self.io);
        let mut end = End::new(one);
        let n = end.blocks::<Sum, _>(one, &state, &self.io);
        let p = state.masks.number(state.blocks + n);
        end.run::<Sum, _, false>(one, &keys, &mut state);
        behind.finish::<Sum, false>(b, &keys, &mut state);
        let mut sum = one.load(&state.sum);
        for j in 0..n {
            sum = one.xor(sum, end.out[j]);
        }
        state.sum = one.block(sum);
        let d1 = half(p);
        let mut string = [0; 31];
        let r = self.io.len() - 16 * n;
        string[..r].copy_from_slice(&self.io.src()[16 * n..]);
        string[r..r + 16].copy_from_slice(tail);
        for j in 0..n {
            self.io.store(one, 16 * j, end.out[j]);
        }
        if r > 0 {
            xls(one, d1, &mut string, r, |x| one.decrypt(&Dec(keys.enc, keys.dec), x));
        }
        self.io.dst()[16 * n..].copy_from_slice(&string[..r]);
        let tag = self.tag(one, &mut state, triple(triple(d1)), sevenfold(d1));
        equal(&string[r..r + 16], &tag)
    }

    /// A message under 16 bytes: its padding takes a part of the tag's place, and the masks
    /// are others.
    #[inline(always)]
    fn seal_short<B: Backend<One = B>>(self, b: B, tail: &mut [u8]) {
        let (q, mut state) = self.short(b);
        let p = padded(b, self.io.src());
        let mut end = End::new(b);
        end.push_numbers(b, p, triple(q), double(q));
        end.push_numbers(b, p, triple(triple(q)), sevenfold(q));
        end.run::<Sum, B, true>(b, &self.keys(), &mut state);
        store_end(b, (end.out[0], end.out[1]), self.io, tail);
    }

    #[inline(always)]
    fn open_short<B: Backend<One = B>>(mut self, b: B, tail: &[u8]) -> bool {
        let len = self.io.len();
        let (q, mut state) = self.short(b);
        let (c, given) = continued(b, self.io.src(), b.load(tail));
        let mut end = End::new(b);
        end.push_numbers(b, c, triple(q), double(q));
        end.run::<Sum, B, false>(b, &self.keys(), &mut state);
        let p = end.out[0];
        if len > 0 {
            self.io.store_part(b, p);
        }
        state.sum = b.block(p);
        let t = self.tag(b, &mut state, triple(triple(q)), sevenfold(q));
        is_padded(b, p, len) & is_zero(b, b.xor(b.keep(b.load(&t), len), given))
    }

    /// The number of a short message's masks, 3^6 L, and the state before its block.
    #[inline(always)]
    fn short<B: Backend<One = B>>(&self, b: B) -> (u128, State<'a>) {
        let mut q = self.l();
        for _ in 0..6 {
            q = triple(q);
        }
        let s = b.xor(self.associated(b), b.load(&q.to_be_bytes()));
        (q, State::new(b.block(s), Masks::new(&self.key.masks, None)))
    }
}

/// XLS of 16 + `s` bytes, s from 1 to 15; with the inverse cipher for `cipher` its own inverse.
#[inline(always)]
fn xls<B: Backend>(b: B, d1: u128, string: &mut [u8; 31], s: usize, cipher: impl Fn(&mut [B::V; 1])) {
    let w1 = sevenfold(sevenfold(d1));
    let masked = |string: &mut [u8; 31], w: u128| {
        let w = b.load(&w.to_be_bytes());
        let mut x = [b.xor(b.load(string), w)];
        cipher(&mut x);
        b.store(string, b.xor(x[0], w));
    };
    masked(string, triple(w1));
    mix(string, s);
    string[16 - s] ^= 0x80;
    masked(string, w1);
    string[16 - s] ^= 0x80;
    mix(string, s);
    masked(string, triple(w1));
}

/// Mixes the last two strings of `s` bytes: to both their sum is added, rotated left by a bit.
#[inline(always)]
fn mix(string: &mut [u8; 31], s: usize) {
    let mut sum = [0; 16];
    for i in 0..s {
        sum[i] = string[16 - s + i] ^ string[16 + i];
    }
    sum[s] = sum[0];
    for i in 0..s {
        let r = sum[i] << 1 | sum[i + 1] >> 7;
        string[16 - s + i] ^= r;
        string[16 + i] ^= r;
    }
}
