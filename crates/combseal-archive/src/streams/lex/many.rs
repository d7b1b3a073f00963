//! LEX with many messages side by side, one in each lane of eight registers: 8, 16 or 32, which
//! fill the AES unit.

use super::Lex;
use super::rounds::{begun, enciphered, pair};
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
            together(b, lanes);
        }
    }
}

/// Round keys of the messages of every register.
type AllKeys<B> = [[<B as Backend>::V; REGISTERS]; 11];

/// As many messages as the registers have lanes, or fewer, none longer than the one before it.
#[inline(always)]
fn together<B: Backend, const VERSION: u8>(b: B, lanes: &mut [Lane<'_, Lex<VERSION>>]) {
    let (one, last) = (b.one(), lanes.len() - 1);
    let mut keys = [[b.zero(); REGISTERS]; 11];
    let mut x = [b.zero(); REGISTERS];
    for j in 0..lanes.len().div_ceil(B::BLOCKS) {
        // Where there is no message, the last one stands for it.
        let message = |i: usize| &lanes[(j * B::BLOCKS + i).min(last)];
        for r in 0..11 {
            keys[r][j] = b.gather(|i| &message(i).cipher.keys[r]);
        }
        let mut nonces = [one.zero(); 4];
        for i in 0..B::BLOCKS {
            nonces[i] = one.load(message(i).nonce);
        }
        x[j] = begun(b, b.join(nonces));
    }
    x = enciphered::<B, VERSION, REGISTERS>(b, &keys, x);
    // Where the eighty bytes begin in the key stream, of which sixteen are the mask.
    let (mut at, mut left) = (0, lanes.len());
    let mut y = [[b.zero(); REGISTERS]; 5];
    loop {
        while left > 0 && at >= 16 + lanes[left - 1].data.len() {
            left -= 1;
        }
        let lanes = &mut lanes[..left];
        match left.div_ceil(B::BLOCKS) {
            0 => return,
            1 => eighty::<B, VERSION, 1>(b, &keys, &mut x, &mut y, lanes, at),
            2 => eighty::<B, VERSION, 2>(b, &keys, &mut x, &mut y, lanes, at),
            3 | 4 => eighty::<B, VERSION, 4>(b, &keys, &mut x, &mut y, lanes, at),
            _ => eighty::<B, VERSION, REGISTERS>(b, &keys, &mut x, &mut y, lanes, at),
        }
        at += 80;
    }
}

/// Eighty bytes of the messages in the first `N` registers. `y` is a place for them, so that it is
/// not zeroed each time.
#[inline(always)]
fn eighty<B: Backend, const VERSION: u8, const N: usize>(
    b: B,
    keys: &AllKeys<B>,
    all: &mut [B::V; REGISTERS],
    y: &mut [[B::V; REGISTERS]; 5],
    lanes: &mut [Lane<'_, Lex<VERSION>>],
    at: usize,
) {
    let mut x = [all[0]; N];
    x.copy_from_slice(&all[..N]);
    for k in 0..5 {
        let low = pair::<B, VERSION, N, REGISTERS>(b, keys, 2 * k % 5, &mut x);
        let high = pair::<B, VERSION, N, REGISTERS>(b, keys, (2 * k + 1) % 5, &mut x);
        for j in 0..N {
            y[k][j] = b.low_halves(low[j], high[j]);
        }
    }
    all[..N].copy_from_slice(&x);
    for (j, lanes) in lanes.chunks_mut(B::BLOCKS).enumerate().take(N) {
        let sixty_four = b.transpose128([y[0][j], y[1][j], y[2][j], y[3][j]]);
        let sixteen = b.split(y[4][j]);
        for (i, lane) in lanes.iter_mut().enumerate() {
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
