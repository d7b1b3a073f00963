//! SILC (Iwata, Minematsu, Guo, Morioka and Kobayashi, "SILC: SImple Lightweight CFB", CAESAR
//! v1, 2014, to v3, 2016), on AES-128 with 8-byte tags.
//!
//! Status: version 1 superseded by version 3, and that not chosen. It reached CAESAR's third
//! round, joined with CLOC, and was not among the finalists (2018); we know of nothing against it
//! but the 64-bit bounds of its tag and proof.
//! Kept for the comparison of serial modes of Bogdanov, Lauridsen and Tischhauser (2014).
//!
//! CLOC made smaller in hardware, and as fast as CLOC in software: the cipher feedback over
//! the message and the MAC over the ciphertext are two chains that do not wait for each other,
//! one step a block each. Blocks go in with the cipher's last round key. When a message is
//! opened, its ciphertext is known before, and nothing but the cipher is on the MAC's way.

use super::cloc::{SetUp, chained, fed_back, number, over};
use crate::about::{About, RepeatedNonce, Status};
use crate::archived::{Archived, Work};
use crate::serial::{self, Each, Header, Serial, State, States, load_last, store_last};
use crate::xex::One;
use combseal::cpu::{Backend, Block};
use combseal::internals::chains::Chains;
use combseal::internals::lanes::Lanes;
use combseal::internals::lockstep::LaneKeys;
use combseal::internals::{InOut, filled};
use combseal::{Cpu, secret};

/// Bytes in a tag.
const TAG: usize = 8;

/// SILC of `VERSION` 1 or 3 (2 is the same function as 3) with nonces of `NONCE` bytes.
pub struct Silc<const VERSION: u8, const NONCE: usize>(Expanded);

/// The cipher's key.
// Aligned, so that no round key is read across two cache lines.
#[repr(C, align(16))]
struct Expanded {
    enc: [Block; 11],
    version: u8,
    cpu: Cpu,
}
secret!(Expanded { enc, version, cpu });

/// The nonce's block: the nonce at its end; from version 2 on behind a byte that names the
/// parameters.
#[inline(always)]
fn nonce_block(version: u8, nonce: &[u8]) -> Block {
    let at = 8 * (16 - nonce.len());
    // AES-128, nonces of 12 bytes, tags of 8.
    let parameters = if version > 1 { 0xc0 << (at - 8) } else { 0 };
    (number(nonce) << at | parameters).to_le_bytes()
}

/// A length in bytes, as a block.
#[inline(always)]
fn length(len: usize) -> Block {
    (len as u128).to_be_bytes()
}

/// The second half of a block.
const SECOND_HALF: Block = 0xffff_ffff_ffff_ffff_0000_0000_0000_0000u128.to_le_bytes();

/// The map g: the bytes b0 to b15 become b1 to b15 and b0 ^ b1. (Of the halves exchanged, the
/// first's bytes b0 and b1 are in the second half: what is shifted to its end is b0 ^ b1 there,
/// and b8 in the first half.)
#[inline(always)]
fn moved<B: Backend>(b: B, x: B::V) -> B::V {
    let y = b.swap(x);
    let y = b.xor(y, b.and(b.shr64(y, 8), b.splat(&SECOND_HALF)));
    b.xor(b.shr64(x, 8), b.shl64(y, 56))
}

impl<const VERSION: u8, const NONCE: usize> Archived for Silc<VERSION, NONCE> {
    const ABOUT: &'static About = &About {
        name: match (VERSION, NONCE) {
            (1, 12) => "SILC-v1-AES-128",
            (1, _) => "SILC-v1-AES-128-nonce8",
            _ => "SILC-v3-AES-128",
        },
        family: "silc",
        nonce_len: NONCE,
        tag_bits: 8 * TAG as u32,
        repeated_nonce: RepeatedNonce::PrefixAndXor,
        source: "Iwata, Minematsu, Guo, Morioka and Kobayashi, CAESAR v1 to v3, 2014 to 2016",
        status: if VERSION == 1 { Status::Superseded } else { Status::NotChosen },
        history: if VERSION == 1 {
            "superseded by version 3, which has a parameter in the nonce's block; we know of nothing against it but the \
             64-bit bounds of its tag and proof"
        } else {
            "reached CAESAR's third round, joined with CLOC; not among the finalists; we know of nothing against it but \
             the 64-bit bounds of its tag and proof"
        },
        known_answers: match (VERSION, NONCE) {
            (1, 12) => &["aes128n12silcv1"],
            (1, _) => &["aes128n8silcv1"],
            _ => &["aes128n12t8silcv3"],
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

/// A state is what the cipher is given next, for the feedback and for the MAC; and how long
/// the message is. Before that it is the hash over nonce and associated data.
impl Serial for Expanded {
    const STATE: usize = 3;
    const TAIL: usize = TAG;
    const TOGETHER: bool = true;

    fn cpu(&self) -> Cpu {
        self.cpu
    }

    #[inline(always)]
    fn start<B: Backend, const M: usize>(b: B, keys: [&Self; M], it: [Header<'_>; M]) -> [State<One<B>>; M] {
        let (b, mut x, mut states) = (b.one(), [b.one().zero(); M], [[b.one().zero(); 4]; M]);
        for j in 0..M {
            x[j] = b.load(&nonce_block(keys[j].version, it[j].nonce));
        }
        b.encrypt(&schedules(keys), &mut x);
        for j in 0..M {
            states[j][0] = x[j];
        }
        states
    }

    fn middle(ad: &[u8]) -> &[u8] {
        &ad[..ad.len() & !15]
    }

    #[inline(always)]
    fn absorb<B: Backend>(&self, b: B, [x, ..]: State<One<B>>, blocks: &[u8]) -> State<One<B>> {
        let b = b.one();
        [chained(b, &self.enc, x, blocks), b.zero(), b.zero(), b.zero()]
    }

    #[inline(always)]
    fn ready<B: Backend, const M: usize>(
        b: B,
        keys: [&Self; M],
        mut states: [State<One<B>>; M],
        _: bool,
        it: [Header<'_>; M],
    ) -> [State<One<B>>; M] {
        let (b, mut x, mut any) = (b.one(), [b.one().zero(); M], false);
        for j in 0..M {
            let rest = &it[j].ad[it[j].ad.len() & !15..];
            x[j] = states[j][0];
            if !rest.is_empty() {
                (x[j], any) = (b.xor(x[j], b.load_part(rest)), true);
            }
        }
        if any {
            b.encrypt(&schedules(keys), &mut x);
        }
        for j in 0..M {
            let n = it[j].ad.len();
            let x = if n.is_multiple_of(16) { states[j][0] } else { x[j] };
            let v = moved(b, b.xor(x, b.load(&length(n))));
            states[j] = [v, moved(b, v), b.load(&length(it[j].len)), b.zero()];
        }
        states
    }

    /// ENC and PRF, side by side.
    #[inline(always)]
    fn blocks<B: Backend, const OPEN: bool>(
        &self,
        b: B,
        [s, t, len, none]: State<One<B>>,
        io: InOut<'_>,
    ) -> State<One<B>> {
        let (s, t) = fed_back::<_, OPEN>(b.one(), &self.enc, (s, t), io);
        [s, t, len, none]
    }

    #[inline(always)]
    fn seal_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
    ) -> [B::V; M] {
        ends::<B, false, M>(b, keys, states, last)
    }

    #[inline(always)]
    fn open_ends<B: Backend<One = B>, const M: usize>(
        b: B,
        keys: [&Self; M],
        states: [State<B::V>; M],
        last: &mut [InOut<'_>; M],
        tails: [&[u8]; M],
    ) -> [bool; M] {
        let (tags, mut right) = (ends::<B, true, M>(b, keys, states, last), [false; M]);
        for j in 0..M {
            right[j] = b.begins(tags[j], tails[j]);
        }
        right
    }

    fn walk<const KIND: u8>(keys: &[&Self], lane_keys: &mut LaneKeys, lanes: &mut Lanes<'_>, states: &mut States) {
        let chains = Chains::new(keys[0].cpu, keys.len(), |i| &keys[i].enc);
        over::<KIND>(&chains, lane_keys, lanes, states);
    }
}

/// The schedules of messages' keys.
#[inline(always)]
fn schedules<'a, const M: usize>(keys: [&'a Expanded; M]) -> Each<'a, M> {
    let mut all = [&keys[0].enc; M];
    for j in 0..M {
        all[j] = &keys[j].enc;
    }
    Each(all)
}

/// The last blocks, and the tags' blocks.
#[inline(always)]
fn ends<B: Backend<One = B>, const OPEN: bool, const M: usize>(
    b: B,
    keys: [&Expanded; M],
    states: [State<B::V>; M],
    last: &mut [InOut<'_>; M],
) -> [B::V; M] {
    let (keys, mut any) = (schedules(keys), false);
    let (mut s, mut t, mut from) = ([b.zero(); M], [b.zero(); M], [b.zero(); M]);
    for j in 0..M {
        [s[j], t[j], ..] = states[j];
        if !last[j].is_empty() {
            (from[j], any) = (load_last(b, &last[j]), true);
        }
    }
    if any {
        b.encrypt(&keys, &mut s);
        b.encrypt(&keys, &mut t);
        for j in 0..M {
            let n = last[j].len();
            if n == 0 {
                t[j] = states[j][1];
                continue;
            }
            let to = b.xor(s[j], from[j]);
            t[j] = b.xor(t[j], if OPEN { from[j] } else { b.keep(to, n) });
            store_last(b, &mut last[j], to);
        }
    }
    b.encrypt(&keys, &mut t);
    for j in 0..M {
        t[j] = moved(b, b.xor(t[j], states[j][2]));
    }
    b.encrypt(&keys, &mut t);
    t
}
