//! Messages in the lanes of vectors, each word of a cipher's state a register: what the ciphers on
//! words of 32 bits have in common when they go [side by side](super::side_by_side).

use super::cipher::{Cipher, Stream};
use super::side_by_side::{Lane, has_halves};
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};

/// Messages in a group: words in the widest register.
pub const GROUP: usize = 16;

/// Four words of each message: word `i` of all of them is in register `i`.
pub type Words<B> = [<B as Backend>::V; 4];

/// A cipher whose state is a register a word.
pub trait InLanes: Cipher {
    /// The states of as many messages as a register has words.
    type Going<B: Backend>;
    /// Whether half a register's messages take much less time than all of them, in registers half as wide.
    const HALVES: bool;

    /// Begins messages, each with its key and its nonce, behind which there are zeros if it is short.
    /// Of those that a register has no words for nothing comes.
    fn begin<B: Backend>(b: B, keys: &[&Self; GROUP], nonces: &[Block; GROUP]) -> Self::Going<B>;

    /// The next sixteen bytes of each key stream. Only in front of any [`sixteen`](Self::sixteen).
    fn four<B: Backend>(b: B, going: &mut Self::Going<B>) -> Words<B>;

    /// The next 64 bytes of each key stream.
    fn sixteen<B: Backend>(b: B, going: &mut Self::Going<B>) -> [Words<B>; 4];
}

/// The four words that `block(j)` is, of each message.
#[inline(always)]
pub fn words<'a, B: Backend>(b: B, block: impl Fn(usize) -> &'a Block) -> Words<B> {
    let mut v = [b.zero(); 4];
    for i in 0..4 {
        v[i] = b.gather(|lane| block(4 * lane + i));
    }
    b.transpose32(v)
}

/// Does up to [`GROUP`] messages, none longer than the one before it.
#[inline(always)]
pub fn xor_group<C: InLanes>(cpu: Cpu, lanes: &mut [Lane<'_, C>]) {
    cpu.run(Group(lanes));
}

struct Group<'g, 'a, C>(&'g mut [Lane<'a, C>]);

impl<C: InLanes> Kernel for Group<'_, '_, C> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;

    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        // As few as four words in a register are slower than one message after the other.
        if <B::Wide as Backend>::BLOCKS == 1 {
            for lane in self.0 {
                let mut stream = Stream::new(lane.cipher, lane.nonce);
                lane.first = [0; 16];
                stream.xor(&mut lane.first);
                stream.xor(lane.data);
            }
            return;
        }
        for some in self.0.chunks_mut(4 * <B::Wide as Backend>::BLOCKS) {
            if const { C::HALVES && has_halves::<B::Wide>() } && in_halves(some) {
                for some in some.chunks_mut(GROUP / 2) {
                    together(b.wide().two(), some);
                }
            } else {
                together(b.wide(), some);
            }
        }
    }
}

/// Whether the messages had better go eight by eight: where there are no more, or the shorter ones end early.
#[inline(always)]
fn in_halves<C: Cipher>(lanes: &[Lane<'_, C>]) -> bool {
    lanes.get(GROUP / 2).is_none_or(|lane| lane.data.len() < lanes[0].data.len() / 2)
}

/// As many messages as a register has words, or fewer: then the first is done in the places of those
/// that are not there.
#[inline(always)]
fn together<B: Backend, C: InLanes>(b: B, lanes: &mut [Lane<'_, C>]) {
    let Some(first) = lanes.first() else { return };
    let longest = lanes.iter().map(|lane| lane.data.len()).fold(0, usize::max);
    let (mut keys, mut nonces) = ([first.cipher; GROUP], [[0; 16]; GROUP]);
    for ((key, to), lane) in keys.iter_mut().zip(&mut nonces).zip(&*lanes) {
        *key = lane.cipher;
        match lane.nonce.first_chunk::<16>() {
            Some(nonce) => *to = *nonce,
            None => to[..lane.nonce.len()].copy_from_slice(lane.nonce),
        }
    }
    let mut going = C::begin(b, &keys, &nonces);
    let one = b.one();
    let four = b.transpose32(C::four(b, &mut going));
    for i in 0..4 {
        let blocks = b.split(four[i]);
        for l in 0..B::BLOCKS {
            if let Some(lane) = lanes.get_mut(4 * l + i) {
                one.store(&mut lane.first, blocks[l]);
            }
        }
    }
    let mut at = 0;
    while at < longest {
        let mut words = C::sixteen(b, &mut going);
        for q in 0..4 {
            words[q] = b.transpose32(words[q]);
        }
        for i in 0..4 {
            let rows = b.transpose128([words[0][i], words[1][i], words[2][i], words[3][i]]);
            for l in 0..B::BLOCKS {
                if let Some(lane) = lanes.get_mut(4 * l + i)
                    && let Some(data) = lane.data.get_mut(at..)
                {
                    add_row(b, data, &rows, 4 / B::BLOCKS * l);
                }
            }
        }
        at += 64;
    }
}

/// XORs 64 bytes, which are in `rows` from the register `from` on, into as much of `data`.
#[inline(always)]
fn add_row<B: Backend>(b: B, data: &mut [u8], rows: &Words<B>, from: usize) {
    if let Some(data) = data.first_chunk_mut::<64>() {
        for r in 0..4 / B::BLOCKS {
            let part = &mut data[r * B::BYTES..];
            b.store(part, b.xor(b.load(part), rows[from + r]));
        }
    } else {
        for r in 0..4 / B::BLOCKS {
            if let Some(part) = data.get_mut(r * B::BYTES..)
                && !part.is_empty()
            {
                b.store_part(part, b.xor(b.load_part(part), rows[from + r]));
            }
        }
    }
}
