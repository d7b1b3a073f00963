//! Long messages where there are sixteen registers: passes of as many blocks as these hold, and the authenticator
//! between their rounds in plain words, which are done by units that the cipher does not need. And short messages, on
//! any number of registers.
//!
//! A pass absorbs the ciphertext that the one before has sealed, or has decrypted: there it was kept. So sealing and
//! opening are the same work, and no pass but the first, which makes the one-time key, has nothing to absorb.

use crate::cpu::{Backend, Block, Cpu, InOut, Interleave};
use crate::memory::stack::clear_stack;
use crate::raw::chacha20::{Nothing, Start, Stream};
use crate::raw::poly1305::Poly1305;
use crate::raw::poly1305::in_words::InWords;
#[cfg(feature = "alloc")]
use crate::raw::poly1305::waiting::LastPass;

/// Zeroes what a hardware tier's kernel has left on the stack below, where the compiler, told to check for overflow,
/// puts words of the key there. At `opt-level = 3` without such checks single calls leave none, since the words are read
/// again behind the rounds, and where registers are sixteen each sum is made in its place (`pin`): then this is nothing.
/// Without optimisation frames are larger than what is cleared here (docs/security.md).
#[inline(always)]
pub(super) fn clear_below(cpu: Cpu) {
    if cfg!(debug_assertions) {
        clear(cpu);
    }
}

/// The same in every build: once for a message in parts, when it ends.
#[inline(always)]
pub(super) fn clear(cpu: Cpu) {
    /// More than the largest frame.
    const USED: usize = 16 << 10;
    if cpu.words() > 0 {
        clear_stack::<USED>();
    }
}

/// Bytes of associated data from which on they are absorbed side by side.
pub(super) const LONG_AD: usize = 512;

/// As much ciphertext as a pass decrypts.
pub(super) type Kept = [Block; 32];
/// None of it yet.
pub(super) const NOTHING_KEPT: Kept = [[0; 16]; 32];

/// A message for which `N` rows of blocks, with the one-time key, are enough. Sixteen bytes at a time, which go from
/// the row that they are in to the message and to the authenticator without lying in memory: from there they would
/// come late.
#[inline(always)]
pub(super) fn short<B: Backend, const SEAL: bool, const N: usize>(
    b: B,
    start: &Start<'_>,
    ad: &[u8],
    mut io: InOut<'_>,
) -> [u8; 16] {
    let (one, len) = (b.one(), io.len());
    let rows = start.rows::<B, _, N>(b, 0, &mut Nothing);
    let mut blocks = [[one.zero(); 4]; 4];
    for j in 0..N {
        for i in 0..4 {
            let lanes = b.split(rows[j][i]);
            for k in 0..B::BLOCKS {
                blocks[j * B::BLOCKS + k][i] = lanes[k];
            }
        }
    }
    let [key, first, ..] = blocks;
    let number = |v| u128::from_le_bytes(one.block(v));
    let mut poly = Poly1305::new(number(key[0]), number(key[1]));
    poly.update(b, ad);
    let whole = len / 16;
    // Written out, so that nothing is laid out in memory.
    if whole > 0 {
        encrypt_block::<B, SEAL>(b, first[0], &mut io, 0, &mut poly);
    }
    if whole > 1 {
        encrypt_block::<B, SEAL>(b, first[1], &mut io, 1, &mut poly);
    }
    if whole > 2 {
        encrypt_block::<B, SEAL>(b, first[2], &mut io, 2, &mut poly);
    }
    if whole > 3 {
        encrypt_block::<B, SEAL>(b, first[3], &mut io, 3, &mut poly);
    }
    if N * B::BLOCKS > 2 && whole > 4 {
        for (i, &stream) in blocks.as_flattened()[8..4 * N * B::BLOCKS].iter().enumerate().take(whole - 4) {
            encrypt_block::<B, SEAL>(b, stream, &mut io, 4 + i, &mut poly);
        }
    }
    let left = len % 16;
    if left > 0 {
        let stream = blocks.as_flattened()[4 + whole % 12];
        let x = one.load_part(&io.src()[16 * whole..]);
        let y = one.xor(x, stream);
        one.store_part(&mut io.dst()[16 * whole..], y);
        poly.early(number(if SEAL { one.keep(y, left) } else { x }));
    }
    poly.early(ad.len() as u128 | (len as u128) << 64);
    poly.reduced().tag_in_few()
}

/// Block `i` of a message, from register to register.
#[inline(always)]
fn encrypt_block<B: Backend, const SEAL: bool>(
    b: B,
    stream: <B::One as Backend>::V,
    io: &mut InOut<'_>,
    i: usize,
    poly: &mut Poly1305,
) {
    let one = b.one();
    let x = io.load(one, 16 * i);
    let y = one.xor(x, stream);
    io.store(one, 16 * i, y);
    poly.early(u128::from_le_bytes(one.block(if SEAL { y } else { x })));
}

/// Seals or opens; returns the tag.
#[inline(always)]
pub(super) fn crypt<B: Backend, const SEAL: bool>(b: B, start: &Start<'_>, ad: &[u8], mut io: InOut<'_>) -> [u8; 16] {
    let len = io.len();
    let registers = first::<B, SEAL>(64 + len);
    let stream = key_stream(b, start, 0, registers, &mut Nothing);
    let mut poly = one_time(b, &stream);
    if ad.len() < LONG_AD {
        poly.update(b, ad);
    } else {
        poly.update_long(b, ad);
    }
    // Without the one-time key's block.
    let stream = &stream[4 / B::BLOCKS..registers];
    let at = stream.len() * B::BYTES;
    let mut poly = if at >= len {
        if !SEAL {
            poly.update_long(b, io.src());
        }
        encrypt(b, stream, &mut io, 0);
        if SEAL {
            poly.update_long(b, io.written());
        }
        poly
    } else {
        let mut kept = NOTHING_KEPT;
        for (i, &stream) in stream.iter().enumerate() {
            let x = io.load(b, i * B::BYTES);
            if !SEAL {
                b.store(&mut kept.as_flattened_mut()[i * B::BYTES..], x);
            }
            io.store(b, i * B::BYTES, b.xor(x, stream));
        }
        crypt_on::<B, SEAL>(b, start, (registers * B::BLOCKS / 4) as u32, poly, &mut io, at, kept)
    };
    poly.block(ad.len() as u128 | (len as u128) << 64);
    poly.tag_in_few()
}

/// Seals or opens from byte `at` on, which block `counter` of key stream is for: what is before it, not more than a pass
/// makes, has been, and is still to be absorbed. Returns the authenticator behind all of the message.
#[inline(always)]
pub(super) fn crypt_on<B: Backend, const SEAL: bool>(
    b: B,
    start: &Start<'_>,
    counter: u32,
    mut poly: Poly1305,
    io: &mut InOut<'_>,
    at: usize,
    mut kept: Kept,
) -> Poly1305 {
    const { assert!(B::ROOMY || 16 * B::BYTES <= size_of::<Kept>()) };
    let len = io.len();
    let (mut counter, mut done, mut at) = (counter, 0, at);
    while len - at >= 16 * B::BYTES {
        let before = if SEAL { &io.written()[done..at] } else { &kept.as_flattened()[..at - done] };
        let mut work = InWords::<false>::new(poly, before, &[]);
        let mut stream = [[b.zero(); 16]];
        start.columns::<B, _, 1>(b, counter, &mut work, &mut stream);
        poly = work.rest();
        encrypt_pass::<B, SEAL>(b, &stream[0], io, at, &mut kept);
        counter = counter.wrapping_add(4 * B::BLOCKS as u32);
        (done, at) = (at, at + 16 * B::BYTES);
    }
    if at == len {
        poly.update_long(b, if SEAL { &io.written()[done..] } else { &kept.as_flattened()[..at - done] });
        return poly;
    }
    // Of an opened message the rest is there to be absorbed too.
    let (before, rest) = if SEAL {
        (&io.written()[done..at], &[][..])
    } else {
        (&kept.as_flattened()[..at - done], io.src()[at..].as_chunks().0)
    };
    let mut work = InWords::<true>::new(poly, before, rest);
    let registers = 4 * (len - at).div_ceil(4 * B::BYTES);
    let stream = key_stream(b, start, counter, registers, &mut work);
    poly = work.rest();
    if !SEAL {
        poly.update(b, &io.src()[at + (len - at) / 16 * 16..]);
    }
    encrypt(b, &stream[..registers], io, at);
    if SEAL {
        poly.update_long(b, &io.written()[at..]);
    }
    poly
}

/// Seals or opens a part of a message, whole blocks of key stream from block `counter` on. The first pass absorbs what
/// the part before has left, and what the last one makes, or decrypts, is left to the next part.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn crypt_part<B: Backend, const SEAL: bool>(
    b: B,
    start: &Start<'_>,
    mut counter: u32,
    mut poly: Poly1305,
    io: &mut InOut<'_>,
    left: &mut LastPass,
) -> Poly1305 {
    const { assert!(B::ROOMY || 16 * B::BYTES <= size_of::<Kept>()) };
    let len = io.len();
    let (kept, mut waits) = left.place();
    let mut at = 0;
    // Sealing, what waits for the first pass lies elsewhere than for the others. To ask in their loop where made each of
    // them slower.
    if SEAL && len >= 16 * B::BYTES {
        let mut work = InWords::<false>::new(poly, &kept.as_flattened()[..waits], &[]);
        let mut stream = [[b.zero(); 16]];
        start.columns::<B, _, 1>(b, counter, &mut work, &mut stream);
        poly = work.rest();
        encrypt_pass::<B, SEAL>(b, &stream[0], io, 0, kept);
        counter = counter.wrapping_add(4 * B::BLOCKS as u32);
        (at, waits) = (16 * B::BYTES, 16 * B::BYTES);
    }
    while len - at >= 16 * B::BYTES {
        let before = if SEAL { &io.written()[at - waits..at] } else { &kept.as_flattened()[..waits] };
        let mut work = InWords::<false>::new(poly, before, &[]);
        let mut stream = [[b.zero(); 16]];
        start.columns::<B, _, 1>(b, counter, &mut work, &mut stream);
        poly = work.rest();
        encrypt_pass::<B, SEAL>(b, &stream[0], io, at, kept);
        counter = counter.wrapping_add(4 * B::BLOCKS as u32);
        (at, waits) = (at + 16 * B::BYTES, 16 * B::BYTES);
    }
    if at == len {
        if SEAL && at > 0 {
            left.keep(&io.written()[at - waits..]);
        } else {
            left.waits(waits);
        }
        return poly;
    }
    let before = if SEAL && at > 0 { &io.written()[at - waits..at] } else { &kept.as_flattened()[..waits] };
    // Of an opened part the rest is there to be absorbed too, and none is left.
    let rest = if SEAL { &[][..] } else { io.src()[at..].as_chunks().0 };
    let mut work = InWords::<true>::new(poly, before, rest);
    let registers = 4 * (len - at).div_ceil(4 * B::BYTES);
    let stream = key_stream(b, start, counter, registers, &mut work);
    poly = work.rest();
    encrypt(b, &stream[..registers], io, at);
    left.keep(if SEAL { &io.written()[at..] } else { &[] });
    poly
}

/// How many registers the first pass makes. Where two narrow passes are enough they take less time than a whole one and
/// another; sealing, the first is the wider one, so that the other has more to absorb, and opening it is the other way
/// round, since there the last one absorbs all there is.
#[inline(always)]
fn first<B: Backend, const SEAL: bool>(len: usize) -> usize {
    match len.div_ceil(4 * B::BYTES) {
        fours @ ..=4 => 4 * fours,
        5 => {
            if SEAL {
                12
            } else {
                8
            }
        }
        6 => 12,
        _ => 16,
    }
}

/// So many registers of key stream, and behind them copies of one.
#[inline(always)]
fn key_stream<B: Backend, W: Interleave<B>>(
    b: B,
    start: &Start<'_>,
    counter: u32,
    registers: usize,
    work: &mut W,
) -> Stream<B> {
    match registers {
        4 => rows::<B, W, 1>(b, start, counter, work),
        8 => rows::<B, W, 2>(b, start, counter, work),
        12 => rows::<B, W, 3>(b, start, counter, work),
        _ => {
            let mut stream = [[b.zero(); 16]];
            start.columns::<B, W, 1>(b, counter, work, &mut stream);
            stream[0]
        }
    }
}

#[inline(always)]
fn rows<B: Backend, W: Interleave<B>, const N: usize>(
    b: B,
    start: &Start<'_>,
    counter: u32,
    work: &mut W,
) -> Stream<B> {
    let rows = start.rows::<B, W, N>(b, counter, work);
    let mut stream = [rows[0][0]; 16];
    for j in 0..N {
        let blocks = b.transpose128(rows[j]);
        for i in 0..4 {
            stream[4 * j + i] = blocks[i];
        }
    }
    stream
}

/// XORs a whole pass from byte `at` on with key stream. What was there is kept if it is the ciphertext.
#[inline(always)]
fn encrypt_pass<B: Backend, const SEAL: bool>(
    b: B,
    stream: &Stream<B>,
    io: &mut InOut<'_>,
    at: usize,
    kept: &mut Kept,
) {
    let mut io = io.reborrow();
    io.cut(at);
    let mut io = io.cut(16 * B::BYTES);
    for i in 0..16 {
        let x = io.load(b, i * B::BYTES);
        if !SEAL {
            b.store(&mut kept.as_flattened_mut()[i * B::BYTES..], x);
        }
        io.store(b, i * B::BYTES, b.xor(x, stream[i]));
    }
}

/// XORs what there is from byte `at` on, no more than `stream` has.
#[inline(always)]
fn encrypt<B: Backend>(b: B, stream: &[B::V], io: &mut InOut<'_>, at: usize) {
    let mut io = io.reborrow();
    io.cut(at);
    for &stream in stream {
        match io.take(B::BYTES) {
            Some(mut whole) => {
                let x = whole.load(b, 0);
                whole.store(b, 0, b.xor(x, stream));
            }
            None => {
                let x = b.load_part(io.src());
                b.store_part(io.dst(), b.xor(x, stream));
                return;
            }
        }
    }
}

/// The one-time key, which the first registers of the first pass begin with.
#[inline(always)]
pub(super) fn one_time<B: Backend>(b: B, stream: &Stream<B>) -> Poly1305 {
    let second = if B::BLOCKS == 1 { stream[1] } else { b.widen(b.split(stream[0])[1]) };
    Poly1305::new(u128::from_le_bytes(b.block(stream[0])), u128::from_le_bytes(b.block(second)))
}
