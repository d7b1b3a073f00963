//! LEX with many messages side by side, one in each lane of eight registers: 8, 16 or 32, which
//! fill the AES unit.

use super::Lex;
use super::rounds::{Keys, begun, enciphered, forty, joined};
use crate::streams::side_by_side::{Lane, SideBySide};
use combseal::Cpu;
use combseal::cpu::{Backend, Kernel};

/// Registers in flight.
const REGISTERS: usize = 8;

impl<const VERSION: u8> SideBySide for Lex<VERSION> {
    const GROUP: usize = 32;
    const LANES: &'static str = "AESENC, 8 registers of 1, 2 or 4 blocks";

    fn xor_group(cpu: Cpu, lanes: &mut [Lane<'_, Self>]) {
        cpu.run(Many(lanes));
    }
}

struct Many<'g, 'a, const VERSION: u8>(&'g mut [Lane<'a, Lex<VERSION>>]);
impl<const VERSION: u8> Kernel for Many<'_, '_, VERSION> {
    type Out = ();
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        for lanes in self.0.chunks_mut(REGISTERS * B::BLOCKS) {
            if lanes.len() > REGISTERS / 2 * B::BLOCKS {
                together::<B, VERSION, REGISTERS>(b, lanes);
            } else if lanes.len() > B::BLOCKS {
                together::<B, VERSION, { REGISTERS / 2 }>(b, lanes);
            } else {
                together::<B, VERSION, 1>(b, lanes);
            }
        }
    }
}

/// As many messages as `N` registers have lanes, or fewer.
#[inline(always)]
fn together<B: Backend, const VERSION: u8, const N: usize>(b: B, lanes: &mut [Lane<'_, Lex<VERSION>>]) {
    let last = lanes.len() - 1;
    // Where there is no message, the last one stands for it.
    let key_of = |lanes: &[Lane<'_, Lex<VERSION>>], i: usize, r: usize| {
        let keys: &Keys = &lanes[i.min(last)].cipher.keys;
        b.one().load(&keys[r])
    };
    let mut keys = [[b.zero(); N]; 11];
    let mut x = [b.zero(); N];
    for j in 0..N {
        for r in 0..11 {
            let mut key = [b.one().zero(); 4];
            for i in 0..B::BLOCKS {
                key[i] = key_of(lanes, j * B::BLOCKS + i, r);
            }
            keys[r][j] = b.join(key);
        }
        let mut nonces = [b.one().zero(); 4];
        for i in 0..B::BLOCKS {
            nonces[i] = b.one().load(lanes[(j * B::BLOCKS + i).min(last)].nonce);
        }
        x[j] = begun(b, b.join(nonces));
    }
    x = enciphered::<B, VERSION, N>(b, &keys, x);
    // Where the eighty bytes begin in the key stream, of which sixteen are the mask. The first
    // message is the longest.
    let mut at = 0;
    while at < 16 + lanes[0].data.len() {
        let first = forty::<B, VERSION, N>(b, &keys, &mut x);
        let second = forty::<B, VERSION, N>(b, &keys, &mut x);
        let y = joined(b, first, second);
        for j in 0..N {
            let sixty_four = b.transpose128([y[0][j], y[1][j], y[2][j], y[3][j]]);
            let sixteen = b.split(y[4][j]);
            let messages = lanes.iter_mut().skip(j * B::BLOCKS).take(B::BLOCKS);
            for (i, lane) in messages.enumerate() {
                let registers = 4 / B::BLOCKS;
                let (stream, end) = (&sixty_four[i * registers..][..registers], sixteen[i]);
                if let Some(from) = at.checked_sub(16)
                    && let Some(data) = lane.data.get_mut(from..from + 80)
                {
                    let (most, rest) = data.split_at_mut(64);
                    for (part, &y) in most.chunks_exact_mut(B::BYTES).zip(stream) {
                        b.store(part, b.xor(y, b.load(part)));
                    }
                    let one = b.one();
                    one.store(rest, one.xor(end, one.load(rest)));
                } else {
                    edge(b, lane, at, stream, end);
                }
            }
        }
        at += 80;
    }
}

/// The first eighty bytes of a key stream, or the last, sixteen at a time.
#[inline(always)]
fn edge<B: Backend, const VERSION: u8>(
    b: B,
    lane: &mut Lane<'_, Lex<VERSION>>,
    at: usize,
    stream: &[B::V],
    end: <B::One as Backend>::V,
) {
    let one = b.one();
    for i in 0..5 {
        let y = if i == 4 { end } else { b.split(stream[i / B::BLOCKS])[i % B::BLOCKS] };
        match (at + 16 * i).checked_sub(16) {
            None => lane.first = one.block(y),
            Some(from) if from >= lane.data.len() => break,
            Some(from) => {
                let end = lane.data.len().min(from + 16);
                let part = &mut lane.data[from..end];
                one.store_part(part, one.xor(y, one.load_part(part)));
            }
        }
    }
}
