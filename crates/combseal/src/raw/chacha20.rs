//! ChaCha20 (RFC 8439, 2.3) on any backend: word `i` of every block is register
//! `i`, so a pass makes as many blocks as a register has words, and HChaCha20.

use super::poly1305::Poly1305;
use crate::cpu::{Backend, Block};
use crate::memory::wipe::Wipe;

/// "expand 32-byte k".
const SIGMA: [u8; 16] = *b"expand 32-byte k";

/// The numbers 0, 1, … of the blocks of a pass.
static COUNT: [Block; 4] = {
    let mut t = [[0; 16]; 4];
    let mut i = 0;
    while i < 16 {
        t[i / 4][i % 4 * 4] = i as u8;
        i += 1;
    }
    t
};

/// The sixteen words that a block begins with, each four times, so that one load
/// puts it in every lane. Wiped when dropped.
pub(crate) struct Words([Block; 16]);

impl Words {
    #[inline(always)]
    pub(crate) fn new(key: &[u8; 32], nonce: &[u8; 12]) -> Self {
        let mut words = [[0; 16]; 16];
        for i in 0..4 {
            words[i] = spread(&SIGMA, i);
        }
        for i in 0..8 {
            words[4 + i] = spread(key, i);
        }
        for i in 0..3 {
            words[13 + i] = spread(nonce, i);
        }
        Self(words)
    }

    /// `4 * BLOCKS` blocks of key stream from block `counter` on, in their order,
    /// of which the first `len` bytes are wanted. Meanwhile `mac` absorbs `data`,
    /// a tenth in each double round.
    #[inline(always)]
    pub(crate) fn stream<B: Backend>(
        &self,
        b: B,
        counter: u32,
        len: usize,
        mac: &mut Poly1305,
        data: &[u8],
    ) -> [B::V; 16] {
        if const { !B::WORDS } {
            mac.update(b, data);
            return self.plain(b, counter, len);
        }
        let mut x = [b.zero(); 16];
        for i in 0..16 {
            x[i] = b.splat(&self.0[i]);
        }
        let counts = b.add32(b.splat(&spread(&counter.to_le_bytes(), 0)), b.load(COUNT.as_flattened()));
        x[12] = counts;
        let share = data.len().div_ceil(160) * 16;
        let mut data = data;
        for _ in 0..10 {
            let (now, later) = data.split_at(share.min(data.len()));
            mac.update(b, now);
            data = later;
            for i in 0..4 {
                quarter(b, &mut x, [i, 4 + i, 8 + i, 12 + i]);
            }
            for i in 0..4 {
                quarter(b, &mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
            }
        }
        for i in 0..16 {
            x[i] = b.add32(x[i], if i == 12 { counts } else { b.splat(&self.0[i]) });
        }
        // Now y[i][j], in lane l, is the i-th sixteen bytes of block 4l + j.
        let mut y = [[b.zero(); 4]; 4];
        for i in 0..4 {
            y[i] = b.transpose32([x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]]);
        }
        let registers = 4 / B::BLOCKS;
        for j in 0..4 {
            let z = b.transpose128([y[0][j], y[1][j], y[2][j], y[3][j]]);
            for i in 0..4 {
                let (lane, part) = (i / registers, i % registers);
                x[(4 * lane + j) * registers + part] = z[i];
            }
        }
        x
    }

    /// As `stream`, in plain words, a block at a time.
    #[inline(always)]
    fn plain<B: Backend>(&self, b: B, counter: u32, len: usize) -> [B::V; 16] {
        let mut begin = [0; 16];
        for i in 0..16 {
            begin[i] = word(&self.0[i], 0);
        }
        let mut out = [b.zero(); 16];
        let registers = 4 / B::BLOCKS;
        let (mut x, mut block) = (begin, [0; 64]);
        for j in 0..len.div_ceil(64).min(4 * B::BLOCKS) {
            begin[12] = counter.wrapping_add(j as u32);
            x = begin;
            double_rounds(&mut x);
            for (i, w) in block.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                *w = x[i].wrapping_add(begin[i]).to_le_bytes();
            }
            for i in 0..registers {
                out[j * registers + i] = b.load(&block[i * B::BYTES..]);
            }
        }
        begin.wipe();
        x.wipe();
        block.wipe();
        out
    }
}

impl Drop for Words {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// Word `i` of `from`, four times.
#[inline(always)]
fn spread<const N: usize>(from: &[u8; N], i: usize) -> Block {
    let w = word(from, i) as u128;
    (w | w << 32 | w << 64 | w << 96).to_le_bytes()
}

/// Word `i` of `from`.
#[inline(always)]
fn word<const N: usize>(from: &[u8; N], i: usize) -> u32 {
    u32::from_le_bytes([from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]])
}

/// The quarter round on four of the registers.
#[inline(always)]
fn quarter<B: Backend>(b: B, x: &mut [B::V; 16], at: [usize; 4]) {
    let [i, j, k, l] = at;
    x[i] = b.add32(x[i], x[j]);
    x[l] = b.rol32::<16>(b.xor(x[l], x[i]));
    x[k] = b.add32(x[k], x[l]);
    x[j] = b.rol32::<12>(b.xor(x[j], x[k]));
    x[i] = b.add32(x[i], x[j]);
    x[l] = b.rol32::<8>(b.xor(x[l], x[i]));
    x[k] = b.add32(x[k], x[l]);
    x[j] = b.rol32::<7>(b.xor(x[j], x[k]));
}

/// HChaCha20 (draft-irtf-cfrg-xchacha-03, 2.2): a key, `out`, from a key and sixteen
/// bytes of nonce. In plain words: it is one block, and serial.
pub(crate) fn hchacha20(key: &[u8; 32], nonce: &[u8; 16], out: &mut [u8; 32]) {
    let mut x = [0; 16];
    for i in 0..16 {
        x[i] = match i {
            0..4 => word(&SIGMA, i),
            4..12 => word(key, i - 4),
            _ => word(nonce, i - 12),
        };
    }
    double_rounds(&mut x);
    for (i, w) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *w = x[if i < 4 { i } else { 8 + i }].to_le_bytes();
    }
    x.wipe();
}

/// The ten double rounds, on plain words.
#[inline]
fn double_rounds(x: &mut [u32; 16]) {
    for _ in 0..10 {
        for i in 0..4 {
            quarter_words(x, [i, 4 + i, 8 + i, 12 + i]);
        }
        for i in 0..4 {
            quarter_words(x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
    }
}

/// The quarter round on four words.
#[inline(always)]
fn quarter_words(x: &mut [u32; 16], at: [usize; 4]) {
    let [i, j, k, l] = at;
    x[i] = x[i].wrapping_add(x[j]);
    x[l] = (x[l] ^ x[i]).rotate_left(16);
    x[k] = x[k].wrapping_add(x[l]);
    x[j] = (x[j] ^ x[k]).rotate_left(12);
    x[i] = x[i].wrapping_add(x[j]);
    x[l] = (x[l] ^ x[i]).rotate_left(8);
    x[k] = x[k].wrapping_add(x[l]);
    x[j] = (x[j] ^ x[k]).rotate_left(7);
}
