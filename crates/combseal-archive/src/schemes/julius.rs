//! Julius-ECB, regular (Lear Bahack, "Julius: Secure Mode of Operation for Authenticated
//! Encryption Based on ECB and Finite Field Multiplications", CAESAR v1.0, 2014), on AES-128.
//!
//! Status: not chosen. It was in CAESAR's first round and not in the second; we know of no
//! attack beyond the birthday bound. The submitted code is faulty: its product is not the
//! field's (`Julius<true>` has that product, for its known answers alone), its key schedule is
//! wrong where `unsigned long` has 64 bits, and its decryption never removes the masks. Kept
//! for Bogdanov, Lauridsen and Tischhauser (2014), who measured it: one AES call and two
//! products a block, and security that is whole when a nonce repeats.
//!
//! Two passes over the message: a polynomial in delta, of as many blocks at once as there are
//! powers of delta in the key, by carry-less products that are reduced together; then the AES,
//! its masks powers of delta times the hash, eight registers of them going on by a group each.
//! What is sealed is a block longer than the message, and in front of it: in place, registers
//! of plaintext are read before the ciphertext that takes their place is written.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::field::big_endian::{Product, times, times_x64};
use crate::xex::{Masked, One, WIDTH, is_few};
use combseal::cpu::{Aes, Backend, Block, Dec, Enc, Kernel};
use combseal::internals::{InOut, equal, filled};
use combseal::{Aes128, Cpu, secret};

/// Blocks that are hashed together.
const REACH: usize = 32;
/// Blocks that a pass over the end of a message has room for: fewer than a group and two
/// registers, and whole registers.
const ROOM: usize = 48;

/// Julius-ECB; `AS_CODED` with the product of the submitted code.
pub struct Julius<const AS_CODED: bool>(Expanded);

/// Field elements have their bytes reversed.
struct Expanded {
    enc: <Aes128 as Aes>::Enc,
    dec: <Aes128 as Aes>::Dec,
    /// delta^32 to delta; behind them, for registers that reach beyond, nothing.
    falling: [Block; REACH + 3],
    /// The same times x^64.
    falling_above: [Block; REACH + 3],
    /// 1, delta, and so on.
    rising: [Block; 6],
    /// The same times x^64.
    rising_above: [Block; 6],
    cpu: Cpu,
}
secret!(Expanded { enc, dec, falling, falling_above, rising, rising_above, cpu });

impl<const AS_CODED: bool> Archived for Julius<AS_CODED> {
    const ABOUT: &'static About = &About {
        name: if AS_CODED { "Julius-ECB-AES-128-as-coded" } else { "Julius-ECB-AES-128" },
        family: "julius",
        repeated_nonce: RepeatedNonce::Equality,
        source: "Bahack, CAESAR v1.0, 2014: Julius-ECB, regular",
        status: Status::NotChosen,
        history: if AS_CODED {
            "what the submitted code computes, whose product is not the field's; for its known answers alone"
        } else {
            "in CAESAR's first round and not in the second; no attack beyond the birthday bound is known to us"
        },
        known_answers: if AS_CODED { &["julius_ecb_regular_code"] } else { &["julius_ecb_regular"] },
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            it.cpu = cpu;
            cpu.run(SetUp::<AS_CODED> { key, it });
        }))
    }

    /// What fills the last block, and a block.
    fn tail_len(len: usize) -> usize {
        16 + len.wrapping_neg() % 16
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        self.0.cpu.run(Seal { key: &self.0, nonce, ad, io, tail });
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        self.0.cpu.run(Open { key: &self.0, nonce, ad, io, tail })
    }
}

struct SetUp<'a, const AS_CODED: bool> {
    key: &'a [u8],
    it: &'a mut Expanded,
}
impl<const AS_CODED: bool> Kernel for SetUp<'_, AS_CODED> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (b, it) = (b.one(), self.it);
        b.expand::<Aes128>(self.key, &mut it.enc);
        b.invert::<Aes128>(&it.enc, &mut it.dec);
        let mut delta = [b.zero()];
        b.encrypt(&Enc(&it.enc), &mut delta);
        let mut delta = u128::from_be_bytes(b.block(delta[0]));
        if AS_CODED {
            // The code asks whether a byte is at least 2^j where it should ask for bit j: all
            // bits below the highest that is set count as set.
            for shift in [1, 2, 4] {
                let kept = u128::from_ne_bytes([0xff >> shift; 16]);
                delta |= delta >> shift & kept;
            }
        }
        it.rising[0] = 1u128.to_le_bytes();
        it.rising[1] = delta.to_le_bytes();
        it.falling[REACH - 1] = it.rising[1];
        for i in 2..=REACH {
            let (x, h) = (b.load(&it.falling[REACH - i / 2]), b.load(&it.falling[REACH - (i + 1) / 2]));
            b.store(&mut it.falling[REACH - i], times(b, x, h, times_x64(b, h)));
        }
        for i in 2..6 {
            it.rising[i] = it.falling[REACH - i];
        }
        for i in 0..REACH {
            b.store(&mut it.falling_above[i], times_x64(b, b.load(&it.falling[i])));
        }
        for i in 0..6 {
            b.store(&mut it.rising_above[i], times_x64(b, b.load(&it.rising[i])));
        }
    }
}

/// The blocks that everything begins with.
const PREFIX: usize = 48;
/// The longest associated data that are hashed in one go with what is before and behind them.
const SHORT_AD: usize = 64;

impl Expanded {
    /// The factor delta^i, from 1 to 32, in every lane.
    #[inline(always)]
    fn power<B: Backend>(&self, b: B, i: usize) -> [B::V; 2] {
        [b.splat(&self.falling[REACH - i]), b.splat(&self.falling_above[REACH - i])]
    }

    /// `y` and the blocks of `data`, which are whole: each is added, and the sum multiplied by
    /// delta.
    #[inline(always)]
    fn hash<B: Backend>(&self, b: B, mut y: One<B>, mut data: &[u8]) -> One<B> {
        while !data.is_empty() {
            let n = (data.len() / 16).min(WIDTH * B::BLOCKS);
            let (front, behind) = data.split_at(16 * n);
            let (mut sum, mut at) = (Product::<B>::zero(b), REACH - n);
            let mut first = b.keep(b.widen(y), 16);
            let (registers, end) = front.split_at(front.len() / B::BYTES * B::BYTES);
            for register in registers.chunks_exact(B::BYTES) {
                let x = b.xor(b.rev(b.load(register)), first);
                let h = b.load(self.falling[at..].as_flattened());
                sum.add(b, x, h, b.load(self.falling_above[at..].as_flattened()));
                first = b.zero();
                at += B::BLOCKS;
            }
            if B::BLOCKS > 1 && !end.is_empty() {
                let x = b.xor(b.rev(b.load_part(end)), first);
                let h = b.load(self.falling[at..].as_flattened());
                sum.add(b, x, h, b.load(self.falling_above[at..].as_flattened()));
            }
            y = b.fold(sum.reduced(b));
            data = behind;
        }
        y
    }

    /// The hash of a message of `len` bytes: its first block, which zeros fill from the left,
    /// and the rest. An empty message has neither.
    #[inline(always)]
    fn seed<B: Backend>(&self, b: B, nonce: &[u8], ad: &[u8], len: usize, first: &Block, rest: &[u8]) -> One<B> {
        let one = b.one();
        let mut front = [0; PREFIX + SHORT_AD + 32];
        front[15] = 1;
        front[16..32].copy_from_slice(nonce);
        front[32..40].copy_from_slice(&(ad.len() as u64).to_be_bytes());
        front[40..48].copy_from_slice(&(len as u64).to_be_bytes());
        let (mut y, mut at) = (one.zero(), PREFIX);
        if ad.len() <= SHORT_AD {
            front[at..at + ad.len()].copy_from_slice(ad);
            at += ad.len().next_multiple_of(16);
        } else {
            let (whole, end) = ad.split_at(ad.len() / 16 * 16);
            y = self.hash(b, y, &front[..at]);
            y = self.hash(b, y, whole);
            front = [0; PREFIX + SHORT_AD + 32];
            front[..end.len()].copy_from_slice(end);
            at = end.len().next_multiple_of(16);
        }
        // The block of zeros that stands before every message; the last block of all is not
        // multiplied.
        if len == 0 {
            return self.hash(b, y, &front[..at]);
        }
        at += 16;
        let Some((rest, last)) = rest.split_last_chunk::<16>() else {
            let y = self.hash(b, y, &front[..at]);
            return one.xor(y, one.rev(one.load(first)));
        };
        front[at..at + 16].copy_from_slice(first);
        y = self.hash(b, y, &front[..at + 16]);
        y = self.hash(b, y, rest);
        one.xor(y, one.rev(one.load(last)))
    }

    /// mu, its bytes reversed.
    #[inline(always)]
    fn mu<B: Backend>(&self, one: B, seed: B::V) -> B::V {
        let mut x = [one.rev(seed)];
        one.encrypt(&Enc(&self.enc), &mut x);
        one.rev(x[0])
    }

    /// The masks, their bytes reversed: of the message's first block, and of the register that
    /// begins with its second.
    #[inline(always)]
    fn masks<B: Backend>(&self, b: B, mu: One<B>, len: usize) -> (One<B>, B::V) {
        let one = b.one();
        // Of an odd number of blocks, counting the one of zeros, the second has two masks.
        let odd = len.div_ceil(16).is_multiple_of(2);
        let mut first = times(one, mu, one.load(&self.rising[1]), one.load(&self.rising_above[1]));
        if odd {
            first = one.xor(first, mu);
        }
        let from = if odd { 1 } else { 2 };
        let rising = b.load(self.rising[from..].as_flattened());
        (first, times(b, b.widen(mu), rising, b.load(self.rising_above[from..].as_flattened())))
    }
}

/// Masks of eight registers, each to go on by a group.
struct Group<B: Backend> {
    masks: [B::V; WIDTH],
    further: [B::V; 2],
}

impl<B: Backend> Group<B> {
    #[inline(always)]
    fn new(b: B, key: &Expanded, mask: B::V) -> Self {
        let [h, above] = key.power(b, B::BLOCKS);
        let mut masks = [mask; WIDTH];
        for j in 1..WIDTH {
            masks[j] = times(b, masks[j - 1], h, above);
        }
        Self { masks, further: key.power(b, WIDTH * B::BLOCKS) }
    }

    /// The masks of this group as the cipher has them; the next group is next.
    #[inline(always)]
    fn next(&mut self, b: B) -> [B::V; WIDTH] {
        let mut now = self.masks;
        let [h, above] = self.further;
        for j in 0..WIDTH {
            now[j] = b.rev(now[j]);
            self.masks[j] = times(b, self.masks[j], h, above);
        }
        now
    }
}

/// Encrypts what has its masks added before, or decrypts what has them added behind.
#[inline(always)]
fn crypt<B: Backend, const N: usize, const SEAL: bool>(b: B, key: &Expanded, masks: [B::V; N], x: &mut [B::V; N]) {
    let none = [b.zero(); N];
    if SEAL {
        b.encrypt(&Masked { keys: Enc(&key.enc), first: masks, last: none }, x);
    } else {
        b.decrypt(&Masked { keys: Dec(&key.enc, &key.dec), first: none, last: masks }, x);
    }
}

/// Blocks in memory, `count` of them, the first masked by the first lane of `mask`.
#[inline(always)]
fn crypt_rest<B: Backend, const SEAL: bool>(
    b: B,
    key: &Expanded,
    mut mask: B::V,
    blocks: &mut [Block; ROOM],
    count: usize,
) {
    let [h, above] = key.power(b, B::BLOCKS);
    let bytes = blocks.as_flattened_mut();
    if B::TOGETHER {
        for part in bytes.chunks_exact_mut(WIDTH * B::BYTES).take(count.div_ceil(WIDTH * B::BLOCKS)) {
            let (mut x, mut masks) = ([b.zero(); WIDTH], [b.zero(); WIDTH]);
            for j in 0..WIDTH {
                (x[j], masks[j]) = (b.load(&part[j * B::BYTES..]), b.rev(mask));
                mask = times(b, mask, h, above);
            }
            crypt::<B, WIDTH, SEAL>(b, key, masks, &mut x);
            for j in 0..WIDTH {
                b.store(&mut part[j * B::BYTES..], x[j]);
            }
        }
        return;
    }
    for part in bytes.chunks_exact_mut(B::BYTES).take(count.div_ceil(B::BLOCKS)) {
        let mut x = [b.load(part)];
        crypt::<B, 1, SEAL>(b, key, [b.rev(mask)], &mut x);
        b.store(part, x[0]);
        mask = times(b, mask, h, above);
    }
}

/// Bytes of the message in its first block.
fn first_len(len: usize) -> usize {
    if len == 0 { 0 } else { (len - 1) % 16 + 1 }
}

/// Writes bytes of the sealed message, from its byte `at` on.
#[inline(always)]
fn put(io: &mut InOut<'_>, tail: &mut [u8], at: usize, bytes: &[u8]) {
    let n = io.len().saturating_sub(at).min(bytes.len());
    let (body, behind) = bytes.split_at(n);
    if n > 0 {
        io.dst()[at..at + n].copy_from_slice(body);
    }
    if !behind.is_empty() {
        let from = at + n - io.len();
        tail[from..from + behind.len()].copy_from_slice(behind);
    }
}

/// Reads bytes of the sealed message, from its byte `at` on.
#[inline(always)]
fn get(io: &InOut<'_>, tail: &[u8], at: usize, bytes: &mut [u8]) {
    let n = io.len().saturating_sub(at).min(bytes.len());
    let (body, behind) = bytes.split_at_mut(n);
    if n > 0 {
        body.copy_from_slice(&io.src()[at..at + n]);
    }
    if !behind.is_empty() {
        let from = at + n - io.len();
        behind.copy_from_slice(&tail[from..from + behind.len()]);
    }
}

struct Seal<'a> {
    key: &'a Expanded,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tail: &'a mut [u8],
}
impl Kernel for Seal<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        if is_few::<B>(&self.io) { self.julius(b.one()) } else { self.julius(b) }
    }
}
impl Seal<'_> {
    #[inline(always)]
    fn julius<B: Backend>(self, b: B) {
        let Self { key, nonce, ad, mut io, tail } = self;
        let (one, len) = (b.one(), io.len());
        let start = first_len(len);
        let mut first = [0; 16];
        first[16 - start..].copy_from_slice(&io.src()[..start]);
        let seed = key.seed(b, nonce, ad, len, &first, &io.src()[start..]);
        let mu = key.mu(one, seed);
        let mut x = [one.zero(), one.load(&first)];
        if len == 0 {
            crypt::<_, 2, true>(one, key, [one.rev(mu), one.zero()], &mut x);
            one.store(tail, x[0]);
            return;
        }
        let (mask, mut masks) = key.masks(b, mu, len);
        crypt::<_, 2, true>(one, key, [one.rev(mu), one.rev(mask)], &mut x);
        let mut header = [[0; 16]; 2];
        one.store(&mut header[0], x[0]);
        one.store(&mut header[1], x[1]);
        // Blocks behind the first that are not done, and where the plaintext of the next is. Its
        // ciphertext belongs 32 - `start` bytes further on.
        let (mut left, mut at) = ((len - start) / 16, start);
        let mut rest = [[0; 16]; ROOM];
        let group = WIDTH * B::BLOCKS;
        if left >= group + 2 * B::BLOCKS {
            let mut walk = Group::new(b, key, masks);
            // What the ciphertext of a group is written over, and the group does not have: at
            // most 31 bytes.
            let mut ahead = [io.load(b, at), io.load(b, at + B::BYTES)];
            put(&mut io, tail, 0, header.as_flattened());
            while left >= group + 2 * B::BLOCKS {
                let mut x = [b.zero(); WIDTH];
                for j in 0..WIDTH {
                    x[j] = if j < 2 { ahead[j] } else { io.load(b, at + j * B::BYTES) };
                }
                let next = at + 16 * group;
                ahead = [io.load(b, next), io.load(b, next + B::BYTES)];
                crypt::<B, WIDTH, true>(b, key, walk.next(b), &mut x);
                for j in 0..WIDTH {
                    io.store(b, 32 + at - start + j * B::BYTES, x[j]);
                }
                (left, at) = (left - group, next);
            }
            masks = walk.masks[0];
            let bytes = rest.as_flattened_mut();
            b.store(bytes, ahead[0]);
            b.store(&mut bytes[B::BYTES..], ahead[1]);
            bytes[2 * B::BYTES..16 * left].copy_from_slice(&io.src()[at + 2 * B::BYTES..]);
        } else {
            rest.as_flattened_mut()[..16 * left].copy_from_slice(&io.src()[at..]);
            put(&mut io, tail, 0, header.as_flattened());
        }
        crypt_rest::<B, true>(b, key, masks, &mut rest, left);
        put(&mut io, tail, 32 + at - start, &rest.as_flattened()[..16 * left]);
    }
}

struct Open<'a> {
    key: &'a Expanded,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
    tail: &'a [u8],
}
impl Kernel for Open<'_> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        if is_few::<B>(&self.io) { self.julius(b.one()) } else { self.julius(b) }
    }
}
impl Open<'_> {
    #[inline(always)]
    fn julius<B: Backend>(self, b: B) -> bool {
        let Self { key, nonce, ad, mut io, tail } = self;
        let (one, len) = (b.one(), io.len());
        let start = first_len(len);
        let mut header = [[0; 16]; 2];
        get(&io, tail, 0, if len == 0 { &mut header[0] } else { header.as_flattened_mut() });
        // The block of zeros comes out as its mask, mu.
        let mut x = [one.load(&header[0]), one.load(&header[1])];
        crypt::<_, 2, false>(one, key, [one.zero(); 2], &mut x);
        let (mu, mut first, mut zeros) = (one.rev(x[0]), [0; 16], true);
        if len > 0 {
            let (mask, mut masks) = key.masks(b, mu, len);
            one.store(&mut first, one.xor(x[1], one.rev(mask)));
            zeros = equal(&first[..16 - start], &[0; 16][..16 - start]);
            io.dst()[..start].copy_from_slice(&first[16 - start..]);
            let (mut left, mut at) = ((len - start) / 16, start);
            let group = WIDTH * B::BLOCKS;
            if left >= group + 2 * B::BLOCKS {
                let mut walk = Group::new(b, key, masks);
                while left >= group + 2 * B::BLOCKS {
                    let mut x = [b.zero(); WIDTH];
                    for j in 0..WIDTH {
                        x[j] = io.load(b, 32 + at - start + j * B::BYTES);
                    }
                    crypt::<B, WIDTH, false>(b, key, walk.next(b), &mut x);
                    for j in 0..WIDTH {
                        io.store(b, at + j * B::BYTES, x[j]);
                    }
                    (left, at) = (left - group, at + 16 * group);
                }
                masks = walk.masks[0];
            }
            let mut rest = [[0; 16]; ROOM];
            get(&io, tail, 32 + at - start, &mut rest.as_flattened_mut()[..16 * left]);
            crypt_rest::<B, false>(b, key, masks, &mut rest, left);
            io.dst()[at..].copy_from_slice(&rest.as_flattened()[..16 * left]);
        }
        let seed = key.seed(b, nonce, ad, len, &first, &io.written()[start..]);
        let expected = one.block(key.mu(one, seed));
        one.begins(mu, &expected) & zeros
    }
}
