//! A slow, clear model of every backend: registers of `B` blocks in plain
//! arrays. It runs every lane permutation of the wide kernels on any machine.
//! Not for production: it exists to be compared with. Its operations are calls,
//! as inlining them into every kernel would take the compiler minutes.

use super::backend::{Aes, Backend, Door, Kernel, Keys, Schedule, first_round, middle};
use super::bytes::{Block, xor_block};

/// Registers of `B` blocks.
#[derive(Clone, Copy)]
pub struct Model<const B: usize>(());

impl<const B: usize> Model<B> {
    /// Every machine can run a model.
    pub const TOKEN: Self = Self(());
    /// As `TOKEN`.
    pub fn detect() -> Option<Self> {
        Some(Self(()))
    }
}

/// `f` of each block, as another array.
#[inline(always)]
fn each<const B: usize>(v: [Block; B], f: impl Fn(&mut Block)) -> [Block; B] {
    core::array::from_fn(|i| {
        let mut b = v[i];
        f(&mut b);
        b
    })
}

/// `f` of each pair of blocks.
#[inline(always)]
fn both<const B: usize>(a: [Block; B], b: [Block; B], f: impl Fn(&Block, &Block) -> Block) -> [Block; B] {
    core::array::from_fn(|i| f(&a[i], &b[i]))
}

/// `f` of each half, as a little-endian integer.
fn halves<const B: usize>(v: [Block; B], f: impl Fn(u64) -> u64) -> [Block; B] {
    each(v, |b| {
        let x = u128::from_le_bytes(*b);
        *b = ((f((x >> 64) as u64) as u128) << 64 | f(x as u64) as u128).to_le_bytes();
    })
}

/// `a * b` in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
const fn mul8(mut a: u8, b: u8) -> u8 {
    let mut z = 0;
    let mut i = 0;
    while i < 8 {
        z ^= a & 0u8.wrapping_sub(b >> i & 1);
        a = a << 1 ^ 0x1b & 0u8.wrapping_sub(a >> 7);
        i += 1;
    }
    z
}

/// FIPS 197's S-box and its inverse: the inverse x^254, then the affine map.
/// Tables, which leak through the cache, because a model need only be quick.
static SUB: [[u8; 256]; 2] = {
    let mut t = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        let i = inverse(x as u8);
        let y = i ^ i.rotate_left(1) ^ i.rotate_left(2) ^ i.rotate_left(3) ^ i.rotate_left(4) ^ 0x63;
        t[0][x] = y;
        t[1][y as usize] = x as u8;
        x += 1;
    }
    t
};

fn sub(x: u8) -> u8 {
    SUB[0][x as usize]
}

fn inv_sub(y: u8) -> u8 {
    SUB[1][y as usize]
}

/// x^254 = x^(2 + 4 + 8 + ... + 128).
const fn inverse(x: u8) -> u8 {
    let mut power = mul8(x, x);
    let mut z = power;
    let mut i = 0;
    while i < 6 {
        power = mul8(power, power);
        z = mul8(z, power);
        i += 1;
    }
    z
}

/// SubBytes and ShiftRows.
fn sub_shift(x: &Block) -> Block {
    let mut y = [0; 16];
    for i in 0..16 {
        y[i] = sub(x[(i + 4 * (i % 4)) % 16]);
    }
    y
}

/// InvSubBytes and InvShiftRows.
fn inv_sub_shift(x: &Block) -> Block {
    let mut y = [0; 16];
    for i in 0..16 {
        y[i] = inv_sub(x[(i + 12 * (i % 4)) % 16]);
    }
    y
}

/// Each column times the circulant matrix that begins with `row`.
fn mix(x: &Block, row: [u8; 4]) -> Block {
    let mut y = [0; 16];
    for i in 0..16 {
        for j in 0..4 {
            y[i] ^= mul8(x[i / 4 * 4 + j], row[(4 + j - i % 4) % 4]);
        }
    }
    y
}
const MIX: [u8; 4] = [2, 3, 1, 1];
const INV_MIX: [u8; 4] = [14, 11, 13, 9];

/// FIPS 197's key expansion.
fn expand(key: &[u8], rk: &mut [Block]) {
    let nk = key.len() / 4;
    let mut rcon = 1;
    for i in 0..4 * rk.len() {
        let mut w = [0; 4];
        if i < nk {
            w.copy_from_slice(&key[4 * i..4 * i + 4]);
        } else {
            let word = |rk: &[Block], i: usize| {
                let mut w = [0; 4];
                w.copy_from_slice(&rk[i / 4][i % 4 * 4..][..4]);
                w
            };
            w = word(rk, i - 1);
            if i % nk == 0 {
                w = [sub(w[1]) ^ rcon, sub(w[2]), sub(w[3]), sub(w[0])];
                rcon = mul8(rcon, 2);
            } else if nk > 6 && i % nk == 4 {
                w = [sub(w[0]), sub(w[1]), sub(w[2]), sub(w[3])];
            }
            let before = word(rk, i - nk);
            for j in 0..4 {
                w[j] ^= before[j];
            }
        }
        rk[i / 4][i % 4 * 4..][..4].copy_from_slice(&w);
    }
}

impl<const B: usize> Backend for Model<B> {
    type V = [Block; B];
    type One = Model<1>;
    type Two = Model<1>;
    type Wide = Self;
    const HARDWARE: bool = false;
    const BLOCKS: usize = B;
    // So that both ways of multiplying, and with many and few registers, run on every machine.
    const IFMA: bool = B == 4;
    const ROOMY: bool = B == 4;

    fn one(self) -> Model<1> {
        Model(())
    }
    fn two(self) -> Model<1> {
        Model(())
    }
    fn wide(self) -> Self {
        self
    }
    #[inline(never)]
    fn load(self, src: &[u8]) -> [Block; B] {
        let mut v = [[0; 16]; B];
        v.as_flattened_mut().copy_from_slice(&src[..16 * B]);
        v
    }
    #[inline(never)]
    fn store(self, dst: &mut [u8], v: [Block; B]) {
        dst[..16 * B].copy_from_slice(v.as_flattened());
    }
    #[inline(never)]
    fn load_part(self, src: &[u8]) -> [Block; B] {
        let mut v = [[0; 16]; B];
        let n = src.len().min(16 * B);
        v.as_flattened_mut()[..n].copy_from_slice(&src[..n]);
        v
    }
    #[inline(never)]
    fn store_part(self, dst: &mut [u8], v: [Block; B]) {
        let n = dst.len().min(16 * B);
        dst[..n].copy_from_slice(&v.as_flattened()[..n]);
    }
    #[inline(never)]
    fn keep(self, mut v: [Block; B], n: usize) -> [Block; B] {
        v.as_flattened_mut()[n.min(16 * B)..].fill(0);
        v
    }
    fn splat(self, b: &Block) -> [Block; B] {
        [*b; B]
    }
    fn widen(self, v: [Block; 1]) -> [Block; B] {
        [v[0]; B]
    }
    #[inline(never)]
    fn fold(self, v: [Block; B]) -> [Block; 1] {
        let mut t = [0; 16];
        for b in &v {
            t = xor_block(&t, b);
        }
        [t]
    }
    fn with_top(self, mut v: [Block; B], top: [Block; 1]) -> [Block; B] {
        v[B - 1] = top[0];
        v
    }
    fn top(self, v: [Block; B]) -> [Block; 1] {
        [v[B - 1]]
    }
    fn join(self, lanes: [[Block; 1]; 4]) -> [Block; B] {
        core::array::from_fn(|i| lanes[i][0])
    }
    fn split(self, v: [Block; B]) -> [[Block; 1]; 4] {
        core::array::from_fn(|i| [v[i.min(B - 1)]])
    }
    fn zero(self) -> [Block; B] {
        [[0; 16]; B]
    }
    #[inline(never)]
    fn xor(self, a: [Block; B], b: [Block; B]) -> [Block; B] {
        both(a, b, xor_block)
    }
    fn and(self, a: [Block; B], b: [Block; B]) -> [Block; B] {
        both(a, b, |a, b| (u128::from_ne_bytes(*a) & u128::from_ne_bytes(*b)).to_ne_bytes())
    }
    #[inline(never)]
    fn rev(self, v: [Block; B]) -> [Block; B] {
        each(v, |b| b.reverse())
    }
    fn swap(self, v: [Block; B]) -> [Block; B] {
        each(v, |b| b.rotate_left(8))
    }
    #[inline(never)]
    fn shl64(self, v: [Block; B], n: u32) -> [Block; B] {
        halves(v, |h| h.checked_shl(n).unwrap_or(0))
    }
    #[inline(never)]
    fn shr64(self, v: [Block; B], n: u32) -> [Block; B] {
        halves(v, |h| h.checked_shr(n).unwrap_or(0))
    }
    #[inline(never)]
    fn add32(self, a: [Block; B], b: [Block; B]) -> [Block; B] {
        both(a, b, |a, b| {
            let mut z = [0; 16];
            for i in 0..4 {
                let word = |x: &Block| u32::from_le_bytes([x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]]);
                z[4 * i..4 * i + 4].copy_from_slice(&word(a).wrapping_add(word(b)).to_le_bytes());
            }
            z
        })
    }
    #[inline(never)]
    fn add64(self, a: [Block; B], b: [Block; B]) -> [Block; B] {
        both(a, b, |a, b| {
            let (a, b) = (u128::from_le_bytes(*a), u128::from_le_bytes(*b));
            let low = (a as u64).wrapping_add(b as u64) as u128;
            let high = ((a >> 64) as u64).wrapping_add((b >> 64) as u64) as u128;
            (high << 64 | low).to_le_bytes()
        })
    }
    #[inline(never)]
    fn add128(self, a: [Block; B], n: [Block; B]) -> [Block; B] {
        both(a, n, |a, n| u128::from_le_bytes(*a).wrapping_add(u128::from_le_bytes(*n)).to_le_bytes())
    }
    #[inline(never)]
    fn clmul<const IMM: i32>(self, a: [Block; B], b: [Block; B]) -> [Block; B] {
        both(a, b, |a, b| {
            let half = |x: &Block, high: bool| (u128::from_le_bytes(*x) >> if high { 64 } else { 0 }) as u64;
            let (a, b) = (half(a, IMM & 0x01 != 0), half(b, IMM & 0x10 != 0));
            let mut z = 0;
            for i in 0..64 {
                z ^= (a as u128) << i & 0u128.wrapping_sub((b >> i & 1) as u128);
            }
            z.to_le_bytes()
        })
    }
    #[inline(never)]
    fn round<const N: usize>(self, x: [[Block; B]; N], k: [[Block; B]; N]) -> [[Block; B]; N] {
        core::array::from_fn(|j| both(x[j], k[j], |x, k| xor_block(&mix(&sub_shift(x), MIX), k)))
    }
    #[inline(never)]
    fn last_round<const N: usize>(self, x: [[Block; B]; N], k: [[Block; B]; N]) -> [[Block; B]; N] {
        core::array::from_fn(|j| both(x[j], k[j], |x, k| xor_block(&sub_shift(x), k)))
    }
    #[inline(never)]
    fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [[Block; B]; N]) {
        for j in 0..N {
            x[j] = self.xor(x[j], k.get(self, 0, j));
            for r in first_round(k.leaves_out_two())..K::ROUNDS {
                [x[j]] = self.round([x[j]], [k.get(self, r, j)]);
            }
            [x[j]] = self.last_round([x[j]], [k.get(self, K::ROUNDS, j)]);
        }
    }
    #[inline(never)]
    fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [[Block; B]; N]) {
        for j in 0..N {
            x[j] = self.xor(x[j], k.get(self, 0, j));
            for r in first_round(k.leaves_out_two())..K::ROUNDS {
                x[j] = self.xor(each(x[j], |b| *b = mix(&inv_sub_shift(b), INV_MIX)), k.get(self, r, j));
            }
            x[j] = self.xor(each(x[j], |b| *b = inv_sub_shift(b)), k.get(self, K::ROUNDS, j));
        }
    }
    #[inline(never)]
    fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc) {
        expand(&key[..A::KEY_LEN], &mut enc.keys_mut()[..A::ROUNDS + 1]);
        enc.set_rounds(A::ROUNDS);
    }
    #[inline(never)]
    fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec) {
        for (key, d) in middle::<A>(enc, dec) {
            *d = mix(key, INV_MIX);
        }
    }
}

impl<const B: usize, K: Kernel> Door<Model<B>> for K
where
    Model<B>: Backend,
{
    #[allow(unsafe_code)]
    unsafe fn door(self) -> K::Out {
        // Fewer registers in flight than elsewhere, so that no test leans on their number.
        self.run::<Model<B>, 2>(Model(()))
    }
}
