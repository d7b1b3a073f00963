//! CLOC (Iwata, Minematsu, Guo and Morioka, "CLOC: Authenticated Encryption for Short Input",
//! FSE 2014; CAESAR v1 to v3), on AES-128 with 8-byte tags.
//!
//! Status: version 1 superseded by version 3, and that not chosen. It reached CAESAR's third
//! round, joined with SILC, and was not among the finalists (2018); we know of nothing against it
//! but the 64-bit bounds of its tag and proof.
//! Kept for the comparison of serial modes of Bogdanov, Lauridsen and Tischhauser (2014).
//!
//! Two chains that do not wait for each other: the cipher feedback over the message, and the
//! MAC over the ciphertext, one step a block each. No call of the cipher is wasted on the
//! nonce or on lengths: what they would be for, four linear maps of 32-bit words do.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::{Archived, Work};
use crate::layers::padded;
use crate::nonce;
use crate::serial::{self, AD, Header, OPEN, SEAL, Serial, State, States, load_last, store_last, together};
use crate::xex::One;
use combseal::cpu::{Backend, Block, Enc, Kernel, Keys};
use combseal::internals::chain::{EdgeKeys, Folded, rounds};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::{self, Chaining, LaneKeys, MAC, Turning, Walk};
use combseal::internals::plan::MAX_LANES;
use combseal::internals::{InOut, filled};
use combseal::{Aes128, Cpu, secret};

/// Bytes in a tag.
const TAG: usize = 8;

/// CLOC of `VERSION` 1 or 3 (2 is the same function as 3) with nonces of `NONCE` bytes.
pub struct Cloc<const VERSION: u8, const NONCE: usize>(Expanded);

/// The cipher's key.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    enc: [Block; 11],
    version: u8,
    cpu: Cpu,
}
secret!(Expanded { enc, version, cpu });

/// The bytes of a nonce of 8 or 12 bytes, as a little-endian number.
#[inline(always)]
pub(super) fn number(nonce: &[u8]) -> u128 {
    if nonce.len() == 8 { nonce::number::<8>(nonce) } else { nonce::number::<12>(nonce) }
}

/// The nonce's block, which is padded as a short block is; from version 2 on behind a byte
/// that names the parameters.
#[inline(always)]
fn nonce_block(version: u8, nonce: &[u8]) -> Block {
    let padded = number(nonce) | 0x80 << (8 * nonce.len());
    // AES-128, nonces of 12 bytes, tags of 8.
    (if version > 1 { padded << 8 | 0xc0 } else { padded }).to_le_bytes()
}

impl<const VERSION: u8, const NONCE: usize> Archived for Cloc<VERSION, NONCE> {
    const ABOUT: &'static About = &About {
        name: match (VERSION, NONCE) {
            (1, 12) => "CLOC-v1-AES-128",
            (1, _) => "CLOC-v1-AES-128-nonce8",
            _ => "CLOC-v3-AES-128",
        },
        family: "cloc",
        nonce_len: NONCE,
        tag_bits: 8 * TAG as u32,
        repeated_nonce: RepeatedNonce::PrefixAndXor,
        source: "Iwata, Minematsu, Guo and Morioka, FSE 2014; CAESAR v1 to v3",
        status: if VERSION == 1 { Status::Superseded } else { Status::NotChosen },
        history: if VERSION == 1 {
            "superseded by version 3, which has a parameter in the nonce's block; we know of nothing against it but the \
             64-bit bounds of its tag and proof"
        } else {
            "reached CAESAR's third round, joined with SILC; not among the finalists; we know of nothing against it but \
             the 64-bit bounds of its tag and proof"
        },
        known_answers: match (VERSION, NONCE) {
            (1, 12) => &["aes128n12clocv1"],
            (1, _) => &["aes128n8clocv1"],
            _ => &["aes128n12t8clocv3"],
        },
        ..About::USUAL
    };

    const SERIAL: bool = true;

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        Self(filled(|it: &mut Expanded| {
            (it.version, it.cpu) = (VERSION, cpu);
            cpu.run(SetUp { key, enc: &mut it.enc });
        }))
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        serial::seal(&self.0, nonce, ad, io, tail);
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        serial::open(&self.0, nonce, ad, io, tail)
    }

    fn group(jobs: &[Work<'_, '_, Self>], open: bool, lane_keys: &mut LaneKeys) {
        serial::group_of(jobs, |key| &key.0, open, lane_keys);
    }
}

/// Words of a block, moved: a, b, c, d become b, c, d, a.
const ROTATED: Block = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3];
/// a, b, c, d become (a, a,) b, c.
const B_AND_C: Block = [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
/// a, b, c, d become (a, a, a,) b.
const B_ALONE: Block = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7];
/// The words that these constants do not mean are cleared.
const LAST_TWO: Block = (!0u128 << 64).to_le_bytes();
const LAST_ONE: Block = (!0u128 << 96).to_le_bytes();

/// The linear maps of a block's four words: a, b, c, d become c, d, a ^ b, b ^ c.
#[inline(always)]
fn g1<B: Backend>(b: B, x: B::V) -> B::V {
    b.xor(b.swap(x), b.and(b.permute(x, &B_AND_C), b.splat(&LAST_TWO)))
}
/// b, c, d, a ^ b.
#[inline(always)]
fn f2<B: Backend>(b: B, x: B::V) -> B::V {
    b.xor(b.permute(x, &ROTATED), b.and(b.permute(x, &B_ALONE), b.splat(&LAST_ONE)))
}
/// It is [`f2`] by definition.
#[inline(always)]
fn g2<B: Backend>(b: B, x: B::V) -> B::V {
    f2(b, x)
}
/// a ^ c, b ^ d, a ^ b ^ c, b ^ c ^ d.
#[inline(always)]
fn f1<B: Backend>(b: B, x: B::V) -> B::V {
    b.xor(x, g1(b, x))
}
/// a ^ b, b ^ c, c ^ d, a ^ b ^ d.
#[inline(always)]
fn h<B: Backend>(b: B, x: B::V) -> B::V {
    b.xor(x, f2(b, x))
}

/// The first bit of a block.
pub(super) const FIRST_BIT: Block = {
    let mut t = [0; 16];
    t[0] = 0x80;
    t
};
/// All others.
pub(super) const OTHER_BITS: Block = {
    let mut t = [0xff; 16];
    t[0] = 0x7f;
    t
};

/// The key's expansion.
pub(super) struct SetUp<'a> {
    pub key: &'a [u8],
    pub enc: &'a mut [Block; 11],
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        b.expand::<Aes128>(self.key, self.enc);
    }
}

/// Blocks taken in by a CBC-MAC from the chaining value `x`.
#[inline(always)]
pub(super) fn chained<B: Backend<One = B>>(b: B, enc: &[Block; 11], x: B::V, blocks: &[u8]) -> B::V {
    let keys = Enc(enc);
    let edge = EdgeKeys::new(b, &keys, 0);
    let mut x = b.xor(x, edge.first);
    // What goes in with the last round key: the next block, and nothing behind the last.
    let mut before = false;
    for block in blocks.as_chunks::<16>().0 {
        let block = b.load(block);
        if before {
            [x] = rounds(b, &keys, [x], [b.xor(edge.turn, block)]);
        } else {
            (x, before) = (b.xor(x, block), true);
        }
    }
    let [x] = rounds(b, &keys, [x], [edge.last]);
    x
}

/// ENC and PRF of CLOC and SILC over whole blocks, side by side: what the cipher is given next
/// for the feedback and for the MAC.
#[inline(always)]
pub(super) fn fed_back<B: Backend<One = B>, const OPEN: bool>(
    b: B,
    enc: &[Block; 11],
    (s, t): (B::V, B::V),
    mut io: InOut<'_>,
) -> (B::V, B::V) {
    let keys = Enc(enc);
    let edge = EdgeKeys::new(b, &keys, 0);
    // Both states wait with round key 0 in them.
    let (mut s, mut t) = (b.xor(edge.first, s), b.xor(edge.first, t));
    // Pinned, so that the compiler sees one ternary operation, where there is one, and no others.
    let (others, bit) = (b.pin(b.splat(&OTHER_BITS)), b.pin(b.xor(edge.first, b.splat(&FIRST_BIT))));
    while let Some(mut now) = io.take(16) {
        let from = now.load(b, 0);
        let turn = if OPEN { b.xor(edge.turn, from) } else { edge.turn };
        let [to, y] = rounds(b, &keys, [s, t], [b.xor(edge.last, from), turn]);
        now.store(b, 0, to);
        // The next input is the ciphertext with its first bit set.
        let c = if OPEN { from } else { to };
        s = b.xor(b.and(c, others), bit);
        t = if OPEN { y } else { b.xor(y, c) };
    }
    (b.xor(s, edge.first), b.xor(t, edge.first))
}

/// A state is what the cipher is given next, for the feedback and for the MAC. Before that it
/// is the hash over the associated data.
impl Serial for Expanded {
    const STATE: usize = 2;
    const TAIL: usize = TAG;

    fn cpu(&self) -> Cpu {
        self.cpu
    }

    #[inline(always)]
    fn start<B: Backend, const M: usize>(b: B, keys: [&Self; M], it: [Header<'_>; M]) -> [State<One<B>>; M] {
        let mut states = [[b.one().zero(); 4]; M];
        for j in 0..M {
            states[j][0] = keys[j].hashed_first(b.one(), it[j].ad);
        }
        states
    }

    fn middle(ad: &[u8]) -> &[u8] {
        ad.get(16..).map_or(&[], |rest| &rest[..rest.len().saturating_sub(1) & !15])
    }

    #[inline(always)]
    fn absorb<B: Backend>(&self, b: B, [s, ..]: State<One<B>>, blocks: &[u8]) -> State<One<B>> {
        let b = b.one();
        [chained(b, &self.enc, s, blocks), b.zero(), b.zero(), b.zero()]
    }

    #[inline(always)]
    fn ready<B: Backend, const M: usize>(
        b: B,
        keys: [&Self; M],
        mut states: [State<One<B>>; M],
        _: bool,
        it: [Header<'_>; M],
    ) -> [State<One<B>>; M] {
        for j in 0..M {
            states[j] = keys[j].begun(b.one(), states[j][0], it[j]);
        }
        states
    }

    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(&self, b: B, [s, t, ..]: State<One<B>>, io: InOut<'_>) -> State<One<B>> {
        let b = b.one();
        let (s, t) = fed_back::<_, OPEN>(b, &self.enc, (s, t), io);
        [s, t, b.zero(), b.zero()]
    }

    #[inline(always)]
    fn seal_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
    ) -> [B::V; M] {
        let mut tails = [b.zero(); M];
        for j in 0..M {
            tails[j] = keys[j].end::<B, false>(b, states[j], last[j].reborrow());
        }
        tails
    }

    #[inline(always)]
    fn open_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
        tails: [&[u8]; M],
    ) -> [bool; M] {
        let mut right = [false; M];
        for j in 0..M {
            right[j] = b.begins(keys[j].end::<B, true>(b, states[j], last[j].reborrow()), tails[j]);
        }
        right
    }

    fn walk<const KIND: u8>(keys: &[&Self], lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, states: &mut States) {
        let chains = Chains::new(keys[0].cpu, keys.len(), |i| &keys[i].enc);
        over::<KIND>(&chains, lane_keys, lanes, states);
    }
}

/// Whole blocks on lanes, as CLOC and SILC have them.
pub(super) fn over<const KIND: u8>(
    chains: &Chains<'_, [Block; 11]>,
    lane_keys: &mut LaneKeys,
    lanes: &mut Lanes<'_>,
    [s, t, ..]: &mut States,
) {
    match KIND {
        AD => chains.walk(lane_keys, lanes, Chaining::<MAC>(s)),
        SEAL => chains.walk(lane_keys, lanes, Blockwise::<false> { s, t }),
        OPEN => chains.walk(lane_keys, lanes, Blockwise::<true> { s, t }),
        _ => unreachable!("there are three kinds"),
    }
}

impl Expanded {
    /// HASH: the first block of the associated data, padded if it is short or missing. Its
    /// first bit is cleared; whether it was one, a linear map tells.
    #[inline(always)]
    fn hashed_first<B: Backend<One = B>>(&self, b: B, ad: &[u8]) -> B::V {
        let keys = Enc(&self.enc);
        let block = match ad.first_chunk::<16>() {
            Some(block) => b.load(block),
            None => padded(b, ad),
        };
        let mut s = [b.and(block, b.splat(&OTHER_BITS))];
        b.encrypt(&keys, &mut s);
        let bit = ad.first().is_none_or(|byte| byte & 0x80 != 0);
        if bit { h(b, s[0]) } else { s[0] }
    }

    /// The rest of HASH: what the cipher is given first, for the feedback and for the MAC.
    #[inline(always)]
    fn begun<B: Backend<One = B>>(&self, b: B, s: B::V, it: Header<'_>) -> State<B::V> {
        let (mut s, n) = ([s], it.ad.len());
        if n > 16 {
            let last = &it.ad[(n - 1) & !15..];
            s[0] = b.xor(s[0], if last.len() == 16 { b.load(last) } else { padded(b, last) });
            b.encrypt(&Enc(&self.enc), &mut s);
        }
        let v = b.xor(s[0], b.load(&nonce_block(self.version, it.nonce)));
        let v = if n > 0 && n.is_multiple_of(16) { f1(b, v) } else { f2(b, v) };
        [v, if it.len == 0 { g1(b, v) } else { g2(b, v) }, b.zero(), b.zero()]
    }

    /// The last block, and the tag's block.
    #[inline(always)]
    fn end<B: Backend<One = B>, const OPEN: bool>(&self, b: B, [s, t, ..]: State<B::V>, mut last: InOut<'_>) -> B::V {
        let (keys, n) = (Enc(&self.enc), last.len());
        let mut x = [t];
        if n > 0 {
            let from = load_last(b, &last);
            let mut both = [s, t];
            b.encrypt(&keys, &mut both);
            let to = b.xor(both[0], from);
            store_last(b, &mut last, to);
            let y = b.xor(both[1], if OPEN { from } else { b.keep(to, n) });
            x[0] = if n < 16 { f2(b, b.xor(y, b.padding(n))) } else { f1(b, y) };
        }
        b.encrypt(&keys, &mut x);
        x[0]
    }
}

/// Whole blocks of messages on lanes: `s` is what the cipher is given next for the feedback,
/// `t` for the MAC. (SILC's are the same.)
pub(super) struct Blockwise<'g, const OPEN: bool> {
    pub s: &'g mut [Block; MAX_LANES],
    pub t: &'g mut [Block; MAX_LANES],
}

impl<const OPEN: bool> Walk for Blockwise<'_, OPEN> {
    const WIDE: bool = true;
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn window<B: Backend, K: Turning<B>, const N: usize>(
        &mut self,
        b: B,
        keys: &K,
        lanes: &mut Lanes<'_>,
        from: usize,
        end: usize,
    ) {
        let (mut s, mut t) = (lockstep::load::<B, N>(b, self.s), lockstep::load::<B, N>(b, self.t));
        let (others, bit) = (b.splat(&OTHER_BITS), b.splat(&FIRST_BIT));
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            t[j] = b.xor(t[j], keys.get(b, 0, j));
        }
        for at in from..end {
            let (mut m, mut last, mut turn) = ([b.zero(); N], [b.zero(); N], [b.zero(); N]);
            for j in 0..N {
                m[j] = lanes.load(b, j, at);
                last[j] = b.xor(m[j], keys.get(b, K::ROUNDS, j));
                turn[j] = keys.turn(b, j);
            }
            let to;
            if K::SHARED || !together_pays::<B, N>() {
                to = together(b, rounds(b, keys, s, last));
                t = together(b, rounds(b, keys, t, turn));
            } else {
                let (first, second) = both(b, keys, (s, t), (last, turn));
                (to, t) = (together(b, first), together(b, second));
            }
            for j in 0..N {
                lanes.store(b, j, at, to[j]);
                let c = if OPEN { m[j] } else { to[j] };
                s[j] = b.xor(b.and(c, others), b.xor(bit, keys.get(b, 0, j)));
                t[j] = b.xor(t[j], c);
            }
        }
        for j in 0..N {
            s[j] = b.xor(s[j], keys.get(b, 0, j));
            t[j] = b.xor(t[j], keys.get(b, 0, j));
        }
        lockstep::store::<B, N>(b, self.s, &s, lanes.len());
        lockstep::store::<B, N>(b, self.t, &t, lanes.len());
    }
}

/// Whether the two calls of each lane side by side are faster than those of all lanes one after the other, where each lane has a
/// key of its own: where there are 32 registers, or few states. (Sixteen registers of two blocks, and those of one with more
/// than eight lanes, were 8 to 60 % slower so on Zen 5.)
const fn together_pays<B: Backend, const N: usize>() -> bool {
    B::ROOMY || B::BLOCKS == 1 && N <= 8
}

/// Two calls of the cipher for each lane, on states that have round key 0 in them; the last
/// round keys are `last`. Calls of a lane go side by side and share each round key that is
/// loaded; of no more than four registers at a time: their eight calls fill the units of the AES. (Eight registers at a time took
/// 1.6 times as long on `aesni512` of Zen 5.)
#[inline(always)]
fn both<B: Backend, K: Turning<B>, const N: usize>(
    b: B,
    keys: &K,
    (mut s, mut t): ([B::V; N], [B::V; N]),
    last: ([B::V; N], [B::V; N]),
) -> ([B::V; N], [B::V; N]) {
    let part = N.min(4);
    for at in (0..N).step_by(part) {
        match part {
            1 => some::<B, K, N, 1, 2>(b, keys, at, (&mut s, &mut t), &last),
            2 => some::<B, K, N, 2, 4>(b, keys, at, (&mut s, &mut t), &last),
            _ => some::<B, K, N, 4, 8>(b, keys, at, (&mut s, &mut t), &last),
        }
    }
    (s, t)
}

/// [`both`] for registers `at` to `at + P`, of which there are `Q` = 2 `P` calls.
#[inline(always)]
fn some<B: Backend, K: Keys<B>, const N: usize, const P: usize, const Q: usize>(
    b: B,
    keys: &K,
    at: usize,
    (s, t): (&mut [B::V; N], &mut [B::V; N]),
    last: &([B::V; N], [B::V; N]),
) {
    let (mut x, mut behind) = ([b.zero(); Q], [b.zero(); Q]);
    for j in 0..P {
        (x[j], x[P + j]) = (s[at + j], t[at + j]);
        (behind[j], behind[P + j]) = (last.0[at + j], last.1[at + j]);
    }
    b.encrypt(&Folded { keys: &Twice::<_, P> { keys, at }, last: behind }, &mut x);
    for j in 0..P {
        (s[at + j], t[at + j]) = (x[j], x[P + j]);
    }
}

/// The keys of registers `at` to `at + P`, twice.
struct Twice<'k, K, const P: usize> {
    keys: &'k K,
    at: usize,
}
impl<B: Backend, K: Keys<B>, const P: usize> Keys<B> for Twice<'_, K, P> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    const IN_STEP: bool = K::IN_STEP;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        self.keys.get(b, r, self.at + j % P)
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}
