//! CryptMT version 3 (Matsumoto, Saito, Nishimura and Hagita, "CryptMT Version 3.0: A Large Variable
//! Linear Feedback Shift Register with Combining with Memory", eSTREAM, 2006 and 2007), with keys of
//! 16, 32 or 64 bytes and nonces of 16 or 64; the paper has all multiples of 16 up to 256.
//!
//! Status: reached eSTREAM's third phase and was not chosen (2008). No attack faster than trying
//! keys is known to us. Kept for Bernstein's comparison of 2007, which has version 2.
//!
//! Constant-time where products of 32-bit words are, as on all CPUs that the library has vectors for.
//!
//! The words go in fours, as the designers' code has them in 128-bit registers: the generator's by the
//! library's instructions; where there are products, which those lack, as arrays, which the
//! compiler puts into registers. An element is made when it is filtered, so short messages pay for no
//! more: behind the nonce by the booter, which renews the window's 156 elements in their places, then
//! by the generator. The filter's chain is the limit: (2a + 1)x + a is computed as a(2x + 1) + x, where
//! the right factor waits for nothing.

use super::super::about::About;
use super::super::cipher::Cipher;
use super::super::words::le32;
use crate::about::Status;
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};
use combseal::internals::Wipe;

/// Four words.
type Four = [u32; 4];

/// Elements in the generator.
const N: usize = 156;
/// How far on its second element is.
const MIDDLE: usize = 108;
/// Bits of the newest element that go into the next.
const MASK: Block = 0xef7b_ffff_ffdb_ffff_f5da_bfff_ffdf_afdfu128.to_le_bytes();
/// Where the middle element's words come from: second, fourth, first, third.
const ORDER: Block = [4, 5, 6, 7, 12, 13, 14, 15, 0, 1, 2, 3, 8, 9, 10, 11];
/// Put into the first element once the booter is done.
const INITIAL: u32 = 0x4d73_4e48;
/// Added to the last element of the booter's beginning.
const DIGITS: Four = [314_159, 265_358, 979_323, 846_264];

/// Elements of the longest key or nonce.
const LONGEST: usize = 4;
/// The most elements that the booter begins with.
const FIRST: usize = 4 * LONGEST;
/// Elements that a short message's state has room for: for all that the booter begins with, and, with
/// keys and nonces of 16 bytes, for 256 bytes of key stream.
const NEAR: usize = 44;
/// Those of a long one's: what the booter begins with and two more, the window, and what the booter puts
/// behind it.
const FAR: usize = FIRST + 2 + N + FIRST;

/// Bytes in a block: those of two elements.
const BLOCK: usize = 16;

/// CryptMT v3. Its key set-up stores the key.
pub struct CryptMtV3 {
    key: [Block; LONGEST],
    /// Elements in the key.
    len: usize,
    cpu: Cpu,
}

impl Drop for CryptMtV3 {
    fn drop(&mut self) {
        self.key.wipe();
    }
}

/// A message under way.
pub struct State {
    /// The booter's elements, two more than it began with, and behind them the window, which it renews and
    /// whose elements are the generator's. While they are few they are here: to zero and wipe all of them would
    /// take a short message as long as its key stream. They are made with the first block, in their place.
    near: [Block; NEAR],
    /// Here when they are more.
    far: Vec<Block>,
    /// The nonce, and how many elements it has until it is mixed in.
    nonce: [Block; LONGEST],
    waiting: usize,
    /// The booter's chain of products, until it is done.
    boot: Four,
    /// The filter's.
    filter: Four,
    /// How many elements the booter begins with.
    first: usize,
    /// The place in the window whose turn it is.
    at: usize,
    /// Whether the booter still makes elements.
    booting: bool,
}

impl Drop for State {
    fn drop(&mut self) {
        self.near.wipe();
        // (Of nothing, `memset` writes nothing to no valid place, which took some CPUs 300 cycles.)
        if !self.far.is_empty() {
            self.far.as_flattened_mut().wipe();
        }
        self.boot.wipe();
        self.filter.wipe();
    }
}

impl State {
    /// Makes room for `blocks` more.
    #[inline(always)]
    fn reach(&mut self, blocks: usize) {
        let last = 2 * self.first + 2 + self.at + 2 * blocks.min(N);
        if self.far.is_empty() && last > NEAR {
            self.go_far();
        }
    }

    #[cold]
    #[inline(never)]
    fn go_far(&mut self) {
        self.far = vec![[0; 16]; FAR];
        self.far[..NEAR].copy_from_slice(&self.near);
        self.near.wipe();
    }
}

/// What `f` makes of the places 0 to 3.
#[inline(always)]
fn four(f: impl Fn(usize) -> u32) -> Four {
    [f(0), f(1), f(2), f(3)]
}

/// (2x + 1)a + x, word by word.
#[inline(always)]
fn product(a: Four, x: Four) -> Four {
    four(|j| (x[j] << 1 | 1).wrapping_mul(a[j]).wrapping_add(x[j]))
}

/// The words of `x` in the order `p`.
#[inline(always)]
fn order(x: Four, p: [usize; 4]) -> Four {
    [x[p[0]], x[p[1]], x[p[2]], x[p[3]]]
}

/// The words of an element.
#[inline(always)]
fn load(element: &Block) -> Four {
    four(|j| le32(element, j))
}

/// An element of words.
#[inline(always)]
fn store(words: Four) -> Block {
    let mut element = [0; 16];
    for (bytes, word) in element.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    element
}

#[inline(always)]
fn xor(a: Four, b: Four) -> Four {
    four(|j| a[j] ^ b[j])
}

#[inline(always)]
fn right(a: Four, n: u32) -> Four {
    four(|j| a[j] >> n)
}

/// A step of the booter, which began with `first` elements, at place `i`: renews the element there
/// from another and the one behind that, `newest`, which it replaces by the one that it appends;
/// takes the chain on.
#[inline(always)]
fn boot(e: &mut [Block], chain: &mut Four, newest: &mut Four, first: usize, i: usize) -> Four {
    let (own, other, behind) = (load(&e[i]), load(&e[i + first - 2]), *newest);
    let sum = four(|j| own[j].wrapping_add(other[j]));
    let a = xor(order(sum, [3, 0, 1, 2]), right(sum, 13));
    let b = xor(order(behind, [3, 2, 0, 1]), right(behind, 11));
    let product = product(*chain, b);
    *newest = four(|j| a[j].wrapping_sub(product[j]));
    (*chain, e[i], e[i + first]) = (product, store(sum), store(*newest));
    sum
}

/// The element behind `last`, from the oldest and the middle one.
#[inline(always)]
fn recursion<B: Backend>(b: B, oldest: &Block, middle: &Block, last: B::V) -> B::V {
    let (oldest, middle) = (b.load(oldest), b.load(middle));
    let moved = b.xor(b.turn32::<1>(oldest), b.permute(middle, &ORDER));
    b.xor(b.xor(moved, b.shr64(middle, 3)), b.and(last, b.splat(&MASK)))
}

/// The filter, an element on: 16 bits of each word.
#[inline(always)]
fn filter(chain: &mut Four, x: Four) -> Four {
    let a = *chain;
    // Shifted before it is turned: a product's words are there sooner than their order.
    let a = xor(a, order(right(a, 1), [1, 2, 3, 0]));
    *chain = product(a, x);
    four(|j| (chain[j] ^ chain[j] >> 16) & 0xffff)
}

impl CryptMtV3 {
    /// The booter's beginning.
    #[inline(always)]
    fn begin(&self, it: &mut State) {
        let (n, first) = (it.waiting, it.first);
        let half = first / 2;
        let e = if it.far.is_empty() { &mut it.near[..] } else { &mut it.far };
        for (i, element) in it.nonce[..n].iter().chain(&self.key).take(half).enumerate() {
            (e[i], e[half + i]) = (*element, *element);
        }
        let last = load(&e[first - 1]);
        let mut newest = four(|j| last[j].wrapping_add(DIGITS[j]));
        e[first - 1] = store(newest);
        let mut chain = load(&e[4 * (n / 4)]).map(|word| word | 1);
        for i in 0..first + 2 {
            boot(e, &mut chain, &mut newest, first, i);
        }
        // The array's last element is the filter's first.
        (it.boot, it.filter) = (chain, newest);
        it.waiting = 0;
    }
}

/// Whole blocks.
struct Xor<'a> {
    key: &'a CryptMtV3,
    state: &'a mut State,
    data: &'a mut [u8],
}

/// XORs the key stream of two elements into a block.
#[inline(always)]
fn xor_block(chain: &mut Four, block: &mut [u8; BLOCK], [first, second]: [Four; 2]) {
    let (low, high) = (filter(chain, first), filter(chain, second));
    for (j, word) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *word = (u32::from_le_bytes(*word) ^ (low[j] | high[j] << 16)).to_le_bytes();
    }
}

impl Kernel for Xor<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const L: usize>(self, b: B) {
        let (b, it) = (b.one(), self.state);
        if it.waiting > 0 {
            self.key.begin(it);
        }
        let (mut chain, mut at, first) = (it.filter, it.at, it.first);
        // Where the window begins.
        let begin = first + 2;
        let e = if it.far.is_empty() { &mut it.near[..] } else { &mut it.far };
        let mut blocks = self.data.as_chunks_mut::<BLOCK>().0;
        if it.booting {
            let (now, rest) = blocks.split_at_mut(blocks.len().min((N - at) / 2));
            let mut boots = it.boot;
            let mut newest = load(&e[begin + at + first - 1]);
            for block in now {
                let low = boot(e, &mut boots, &mut newest, first, begin + at);
                let high = boot(e, &mut boots, &mut newest, first, begin + at + 1);
                xor_block(&mut chain, block, [low, high]);
                at += 2;
            }
            it.boot = boots;
            if at == N {
                it.booting = false;
                let window = window(e, begin);
                window[0][12..].copy_from_slice(&INITIAL.to_le_bytes());
                // An element that is not filtered.
                let last = b.load(&window[N - 1]);
                let next = recursion(b, &window[0], &window[MIDDLE], last);
                b.store(&mut window[0], next);
                at = 1;
            }
            blocks = rest;
        }
        if blocks.is_empty() {
            (it.filter, it.at) = (chain, at);
            return;
        }
        let window = window(e, begin);
        let mut last = b.load(&window[if 0 < at && at <= N { at - 1 } else { N - 1 }]);
        for block in blocks {
            let mut two = [[0; 4]; 2];
            for words in &mut two {
                let i = if at < N { at } else { 0 };
                let middle = if i < N - MIDDLE { i + MIDDLE } else { i + MIDDLE - N };
                last = recursion(b, &window[i], &window[middle], last);
                b.store(&mut window[i], last);
                *words = load(&window[i]);
                at = i + 1;
            }
            xor_block(&mut chain, block, two);
        }
        (it.filter, it.at) = (chain, at);
    }
}

/// The generator's elements among the booter's.
#[inline(always)]
fn window(elements: &mut [Block], begin: usize) -> &mut [Block; N] {
    let Some(window) = elements[begin..].first_chunk_mut() else { unreachable!("there is room") };
    window
}

const ABOUT: About = About {
    name: "cryptmt-v3",
    key_lens: &[32, 16, 64],
    nonce_lens: &[16, 64],
    source: "Matsumoto, Saito, Nishimura and Hagita, eSTREAM, 2006",
    status: Status::NotChosen,
    history: "reached eSTREAM's third phase and was not chosen (2008); no attack is known to us",
    constant_time: true,
    tuning: "128-bit registers",
    context_2007: None,
    confirmed: true,
};

impl Cipher for CryptMtV3 {
    const ABOUT: &'static About = &ABOUT;
    const BLOCK: usize = BLOCK;
    type State = State;

    fn expand(cpu: Cpu, key: &[u8]) -> Self {
        let mut it = Self { key: [[0; 16]; LONGEST], len: key.len() / 16, cpu };
        for (element, bytes) in it.key.iter_mut().zip(key.as_chunks::<16>().0) {
            *element = *bytes;
        }
        it
    }

    #[inline(always)]
    fn start(&self, nonce: &[u8]) -> State {
        // No more can fail behind this: the state is then made where it stays.
        let mut first = [[0; 16]; LONGEST];
        for (to, from) in first.iter_mut().zip(nonce.as_chunks::<16>().0) {
            *to = *from;
        }
        State {
            near: [[0; 16]; NEAR],
            far: Vec::new(),
            nonce: first,
            waiting: nonce.len() / 16,
            boot: [0; 4],
            filter: [0; 4],
            first: 2 * (nonce.len() / 16 + self.len).min(FIRST / 2),
            at: 0,
            booting: true,
        }
    }

    #[inline(always)]
    fn xor(&self, state: &mut State, data: &mut [u8]) {
        state.reach(data.len() / BLOCK);
        self.cpu.run(Xor { key: self, state, data });
    }
}
