//! What a CPU can do, and what is done with it: instructions ([`Backend`]), the round keys
//! that they are given ([`Keys`]), and the work that is written once for all of them
//! ([`Kernel`]).

use super::bytes::{Block, equal};
use super::returned::ReturnedBlock;
use crate::memory::blank::Blank;
use crate::memory::wipe::Wipe;

/// A CPU's instructions, held as a token: a value exists only where they do.
///
/// One register `V` holds [`BLOCKS`](Self::BLOCKS) AES blocks side by side.
/// On the hardware tiers every function is inlined into the [`door`](Door::door);
/// outside of one they work but are slow.
pub trait Backend: Copy + Send + Sync + 'static {
    /// A register.
    type V: Copy;
    /// The same instructions with one block a register: for what is serial.
    type One: Backend<One = Self::One>;
    /// The same instructions with at most two blocks a register.
    type Two: Backend;
    /// The same instructions with the widest registers that they have for arithmetic on words,
    /// which may be wider than those that the AES goes by.
    type Wide: Backend<Wide = Self::Wide>;
    /// Blocks in a register: 1, 2 or 4.
    const BLOCKS: usize;
    /// Bytes in a register.
    const BYTES: usize = 16 * Self::BLOCKS;
    /// Blocks in flight that fill the pipeline; at most 16.
    const LANES: usize = 8;
    /// The same where all are under one key: then more registers in flight than just fill it make
    /// good the cycles that other instructions take from the AES units, if there is room for them.
    /// (Under keys of their own, each round loads a key a register, and loads are the limit.)
    const LANES_OF_ONE_KEY: usize = Self::LANES;
    /// Whether there are 32 registers rather than 16.
    const ROOMY: bool = false;
    /// Whether `x ^ (y & z)` is one instruction (AVX-512's VPTERNLOG), which the compiler makes of the two where it does not know
    /// what the registers hold.
    const TERNARY: bool = false;
    /// Whether the cipher takes as long for one register as for all in flight,
    /// so that what is left of a message had better go through it at once.
    const TOGETHER: bool = false;
    /// Whether the AES is done by instructions made for it.
    const HARDWARE: bool = true;
    /// Whether this is a software tier of registers with several blocks, for which only few kernels
    /// are made ([`Kernel::ON_WIDE_SOFT`]).
    const WIDE_SOFT: bool = false;
    /// Whether registers of 32-bit words are the CPU's own, so that ChaCha20 had
    /// better use them than plain `u32`.
    const WORDS: bool = true;
    /// Whether products of 52 bits are instructions
    /// ([`madd52_low`](Self::madd52_low), [`madd52_high`](Self::madd52_high)).
    const IFMA: bool = false;

    /// This CPU with one block a register.
    fn one(self) -> Self::One;
    /// This CPU with at most two blocks a register.
    fn two(self) -> Self::Two;
    /// This CPU with its widest registers.
    fn wide(self) -> Self::Wide;

    /// The first `BYTES` bytes of `src`. Panics if there are fewer.
    fn load(self, src: &[u8]) -> Self::V;
    /// Writes the first `BYTES` bytes of `dst`. Panics if there are fewer.
    fn store(self, dst: &mut [u8], v: Self::V);
    /// Writes every other block of `v` where [`store`](Self::store) would write it: the first
    /// one and the third or, if `odd`, the second and the fourth.
    #[inline(always)]
    fn store_every_other(self, dst: &mut [u8], v: Self::V, odd: bool) {
        let (one, lanes) = (self.one(), self.split(v));
        for i in 0..Self::BLOCKS {
            if (i % 2 == 1) == odd {
                one.store(&mut dst[16 * i..], lanes[i]);
            }
        }
    }
    /// The first block.
    #[inline(always)]
    fn block(self, v: Self::V) -> Block {
        let mut first = [0; 64];
        self.store(&mut first, v);
        let [first, ..] = *first.as_chunks().0 else { unreachable!("four blocks") };
        first
    }
    /// Whether the first block begins with `tag`, in constant time.
    #[inline(always)]
    fn begins(self, v: Self::V, tag: &[u8]) -> bool {
        self.block(v).get(..tag.len()).is_some_and(|it| equal(it, tag))
    }
    /// The first block, to be returned by a kernel.
    #[inline(always)]
    fn returned(self, v: Self::V) -> ReturnedBlock {
        ReturnedBlock::new(self.block(v))
    }
    /// `src`, at most `BYTES` bytes of it, and zeros behind. Touches no byte
    /// outside of `src`.
    fn load_part(self, src: &[u8]) -> Self::V;
    /// The first bytes of `v` to all of `dst`, at most `BYTES` of them.
    fn store_part(self, dst: &mut [u8], v: Self::V);
    /// `v` with all bytes from the `n`th on cleared.
    fn keep(self, v: Self::V, n: usize) -> Self::V;
    /// What pads the `n` bytes of a part of a block: 0x80 at byte `n`, from 0 to 15 and
    /// modulo 16, and zeros elsewhere.
    #[inline(always)]
    fn padding(self, n: usize) -> Self::V {
        self.load(&PADDING[16 - n % 16..])
    }
    /// One block, in every lane.
    fn splat(self, b: &Block) -> Self::V;
    /// One block in a register, to every lane.
    fn widen(self, v: <Self::One as Backend>::V) -> Self::V;
    /// The XOR of all lanes.
    fn fold(self, v: Self::V) -> <Self::One as Backend>::V;
    /// `v` with its last lane replaced by `top`.
    fn with_top(self, v: Self::V, top: <Self::One as Backend>::V) -> Self::V;
    /// `v` with its last lane replaced by that of `all`, which has the same block in every lane. With two lanes no block is
    /// moved from one to the other.
    #[inline(always)]
    fn with_top_of(self, v: Self::V, all: Self::V) -> Self::V {
        self.with_top(v, self.split(all)[0])
    }
    /// The last lane.
    fn top(self, v: Self::V) -> <Self::One as Backend>::V;
    /// A register of the first `BLOCKS` blocks of `lanes`.
    fn join(self, lanes: [<Self::One as Backend>::V; 4]) -> Self::V;
    /// A register of the blocks `block(0)`, `block(1)`, …, a load for each. Also where they
    /// lie side by side: what has just been stored block by block, a wider load would wait
    /// for until it has reached the cache.
    #[inline(always)]
    fn gather<'a>(self, block: impl Fn(usize) -> &'a Block) -> Self::V {
        let one = self.one();
        let mut lanes = [one.load(block(0)); 4];
        for i in 1..Self::BLOCKS {
            lanes[i] = one.load(block(i));
        }
        self.join(lanes)
    }
    /// The blocks of a register; behind them, its last again.
    fn split(self, v: Self::V) -> [<Self::One as Backend>::V; 4];

    /// All zero.
    fn zero(self) -> Self::V;
    /// `a ^ b`.
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & b`.
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a | b`.
    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        self.xor(self.xor(a, b), self.and(a, b))
    }
    /// The bytes of each block in reverse order.
    fn rev(self, v: Self::V) -> Self::V;
    /// The two halves of each block exchanged.
    fn swap(self, v: Self::V) -> Self::V;
    /// The first half of each block of `a`, and behind it the second half of that of `b`.
    #[inline(always)]
    fn mixed(self, a: Self::V, b: Self::V) -> Self::V {
        let first = self.splat(&(u64::MAX as u128).to_le_bytes());
        self.xor(b, self.and(self.xor(a, b), first))
    }
    /// Each half of each block shifted left by `n` bits; zero from 64 on.
    fn shl64(self, v: Self::V, n: u32) -> Self::V;
    /// Each half of each block shifted right by `n` bits; zero from 64 on.
    fn shr64(self, v: Self::V, n: u32) -> Self::V;
    /// Twice each block in GF(2^128): a little-endian number, bit i of which is the
    /// coefficient of x^i, times x modulo x^128 + x^7 + x^2 + x + 1.
    #[inline(always)]
    fn double(self, v: Self::V) -> Self::V {
        // What each half loses goes to the other one; that of the upper is reduced.
        let lost = self.swap(self.shr64(v, 63));
        let high = self.and(lost, self.splat(&u128::to_le_bytes(1)));
        let sum = self.xor(self.xor(self.shl64(v, 1), lost), self.shl64(high, 1));
        self.xor(sum, self.xor(self.shl64(high, 2), self.shl64(high, 7)))
    }

    /// Little-endian 32-bit sums, wrapping.
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Little-endian 64-bit sums, wrapping.
    fn add64(self, a: Self::V, b: Self::V) -> Self::V;
    /// Little-endian 128-bit sums, wrapping, of each block with a number below
    /// 2^63 in the low half of the same block of `n` (whose high half is zero).
    fn add128(self, a: Self::V, n: Self::V) -> Self::V;

    // Portable forms that go by memory, for the models: calls, since inlined into every kernel they
    // took the compiler longer than all else. The hardware tiers have instructions instead.

    /// As [`shl64`](Self::shl64), each block by the number that both of its halves in `n` have; where a register has
    /// 32 bytes or more, each half by its own.
    #[inline(never)]
    fn shl64_lanes(self, v: Self::V, n: Self::V) -> Self::V {
        by_halves(self, v, n, n, |i, v, n, _| u32::try_from(n[i]).ok().and_then(|n| v[i].checked_shl(n)).unwrap_or(0))
    }
    /// As [`shr64`](Self::shr64), likewise.
    #[inline(never)]
    fn shr64_lanes(self, v: Self::V, n: Self::V) -> Self::V {
        by_halves(self, v, n, n, |i, v, n, _| u32::try_from(n[i]).ok().and_then(|n| v[i].checked_shr(n)).unwrap_or(0))
    }
    /// Little-endian 32-bit words, rotated left by `N` bits.
    #[inline(never)]
    fn rol32<const N: i32>(self, v: Self::V) -> Self::V {
        by_words(self, v, |w| w.rotate_left(N as u32))
    }
    /// Little-endian 32-bit words, shifted left by `N` bits; zero from 32 on.
    #[inline(never)]
    fn shl32<const N: i32>(self, v: Self::V) -> Self::V {
        by_words(self, v, |w| w.checked_shl(N as u32).unwrap_or(0))
    }
    /// Little-endian 32-bit words, shifted right by `N` bits; zero from 32 on.
    #[inline(never)]
    fn shr32<const N: i32>(self, v: Self::V) -> Self::V {
        by_words(self, v, |w| w.checked_shr(N as u32).unwrap_or(0))
    }
    /// In each half, the high 64 bits of `high` and `low`, taken as one number of 128 bits and
    /// shifted left by `n` bits; `n` is from 1 to 63.
    #[inline(always)]
    fn funnel64(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
        self.or(self.shl64(high, n), self.shr64(low, 64 - n))
    }
    /// The same in each little-endian 32-bit word; `n` is from 1 to 31.
    #[inline(always)]
    fn funnel32(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
        let high = self.and(self.shl64(high, n), self.splat32(u32::MAX << n));
        self.or(high, self.and(self.shr64(low, 32 - n), self.splat32(u32::MAX >> (32 - n))))
    }
    /// The same in each little-endian 16-bit word; `n` is from 1 to 15.
    #[inline(always)]
    fn funnel16(self, high: Self::V, low: Self::V, n: u32) -> Self::V {
        let both = |w: u16| self.splat32(u32::from(w) << 16 | u32::from(w));
        let high = self.and(self.shl64(high, n), both(u16::MAX << n));
        self.or(high, self.and(self.shr64(low, 16 - n), both(u16::MAX >> (16 - n))))
    }
    /// Of each little-endian 32-bit word of `index`, the word of `table` at its low four bits. Where
    /// registers have 32 bytes or more the table is in registers, and this takes constant time;
    /// **elsewhere it does not**: the cache shows which places are read. It is for the archive's ciphers,
    /// and none of the library's schemes has it.
    #[inline(never)]
    fn lookup16(self, table: &[u32; 16], index: Self::V) -> Self::V {
        by_words(self, index, |w| table[(w & 15) as usize])
    }
    /// In each block, byte `from[i]`, which is below 16 and no secret, at place `i`.
    #[inline(never)]
    fn permute(self, v: Self::V, from: &Block) -> Self::V {
        let (mut t, mut to) = ([0; 64], [0; 64]);
        self.store(&mut t, v);
        for i in 0..Self::BYTES {
            to[i] = t[i & !15 | usize::from(from[i % 16] & 15)];
        }
        self.load(&to)
    }
    /// In each lane, the words of four blocks: word `i` of block `j` becomes word
    /// `j` of block `i`.
    #[inline(never)]
    fn transpose32(self, v: [Self::V; 4]) -> [Self::V; 4] {
        let (mut from, mut to) = ([0; 256], [0; 256]);
        for j in 0..4 {
            self.store(&mut from[j * Self::BYTES..], v[j]);
        }
        for at in 0..Self::BYTES {
            let (lane, i, byte) = (at / 16 * 16, at / 4 % 4, at % 4);
            for j in 0..4 {
                to[i * Self::BYTES + lane + 4 * j + byte] = from[j * Self::BYTES + at];
            }
        }
        let n = Self::BYTES;
        [self.load(&to), self.load(&to[n..]), self.load(&to[2 * n..]), self.load(&to[3 * n..])]
    }
    /// The blocks of four registers: first those of the first lane, then those of
    /// the second, and so on.
    #[inline(never)]
    fn transpose128(self, v: [Self::V; 4]) -> [Self::V; 4] {
        let (mut from, mut to) = ([0; 256], [0; 256]);
        for j in 0..4 {
            self.store(&mut from[j * Self::BYTES..], v[j]);
        }
        for at in 0..4 * Self::BYTES {
            let (lane, j) = (at / 64, at / 16 % 4);
            to[at] = from[j * Self::BYTES + 16 * lane + at % 16];
        }
        let n = Self::BYTES;
        [self.load(&to), self.load(&to[n..]), self.load(&to[2 * n..]), self.load(&to[3 * n..])]
    }

    /// The number in every little-endian word of 32 bits.
    #[inline(always)]
    fn splat32(self, w: u32) -> Self::V {
        self.splat64(u64::from(w) << 32 | u64::from(w))
    }
    /// The number in both little-endian halves of every block.
    #[inline(always)]
    fn splat64(self, w: u64) -> Self::V {
        self.splat(&(u128::from(w) << 64 | u128::from(w)).to_le_bytes())
    }
    /// In each block, word `(i + N) % 4` at place `i`.
    #[inline(never)]
    fn turn32<const N: usize>(self, v: Self::V) -> Self::V {
        let (mut t, mut to) = ([0; 64], [0; 64]);
        self.store(&mut t, v);
        for i in 0..Self::BYTES {
            to[i] = t[i & !15 | (i + 4 * N) % 16];
        }
        self.load(&to)
    }
    /// In each block, the low halves of `a` and of `b`.
    #[inline(always)]
    fn low_halves(self, a: Self::V, b: Self::V) -> Self::V {
        self.mixed(a, self.swap(b))
    }
    /// In each block, the high halves of `a` and of `b`.
    #[inline(always)]
    fn high_halves(self, a: Self::V, b: Self::V) -> Self::V {
        self.mixed(self.swap(a), b)
    }
    /// In each half, the product of the low 32 bits of `a` and of `b`, little-endian.
    #[inline(never)]
    fn mul32(self, a: Self::V, b: Self::V) -> Self::V {
        by_halves(self, a, b, self.zero(), |i, a, b, _| (a[i] & 0xffff_ffff) * (b[i] & 0xffff_ffff))
    }
    /// In each half, `sum` and the low 52 bits of the product of the low 52 bits of `a` and `b`.
    #[inline(never)]
    fn madd52_low(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V {
        by_halves(self, a, b, sum, |i, a, b, sum| sum[i].wrapping_add(product52(a[i], b[i]) as u64 & MASK52))
    }
    /// In each half, `sum` and what that product has from bit 52 on.
    #[inline(never)]
    fn madd52_high(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V {
        by_halves(self, a, b, sum, |i, a, b, sum| sum[i].wrapping_add((product52(a[i], b[i]) >> 52) as u64))
    }

    /// Carry-less product of two 64-bit halves in each block: `IMM` is 0x00
    /// (low, low), 0x11 (high, high), 0x01 (high of `a`, low of `b`) or 0x10
    /// (low of `a`, high of `b`), as for PCLMULQDQ.
    fn clmul<const IMM: i32>(self, a: Self::V, b: Self::V) -> Self::V;

    /// `v`, in a place that the compiler may not move: registers pinned after each
    /// round go through the rounds together, not one after the other.
    #[inline(always)]
    fn pin(self, v: Self::V) -> Self::V {
        v
    }

    /// The same where a register holds four blocks, else nothing: for the registers of
    /// [`encrypt_interleaved`](Self::encrypt_interleaved) and of the work between its
    /// rounds. In some builds the compiler put a group's carry-less products in front of
    /// all its rounds; the AES unit then waited for them, and GCM took 5 to 8 % longer.
    #[inline(always)]
    fn hold(self, v: Self::V) -> Self::V {
        v
    }

    /// Has `v` in memory, where registers are sixteen: no instruction but the stores. Where a loop keeps more
    /// values than there are registers for, the compiler picks those to be stored, and so may pick what the next
    /// instruction waits for; with this the kernel picks those that are needed last. They count as spilled, and
    /// are not wiped.
    #[inline(always)]
    fn park(self, v: &mut [Self::V; 4]) {
        let _ = v;
    }

    /// `it`, in memory: the compiler, which is not told that the reference is the same, has to read from there what is used of
    /// it, as operands of instructions. (Only where a register holds four blocks; elsewhere the compiler chooses.)
    /// For a loop with more constants than registers: left to itself the compiler copied 32 registers to others in each turn
    /// of GCM's. What is put into memory so counts as spilled, and is not wiped.
    #[inline(always)]
    fn by_memory<T>(self, it: &T) -> &T {
        it
    }

    /// `v`, computed as it stands and before any later load, with AES instructions and, on x86, sixteen registers; elsewhere nothing.
    /// A value that no instruction needs soon the compiler computes late, and keeps its operands until then: for OCB3's
    /// checksum it kept the plaintexts of a whole group, which were more than there are registers. And what is the same
    /// in both lanes it computes in one and copies then, which on Zen 3 takes longer than a load to both.
    #[inline(always)]
    fn at_once(self, v: Self::V) -> Self::V {
        v
    }

    /// One AES round of each register: SubBytes, ShiftRows, MixColumns, then
    /// XOR with `k` (AESENC).
    fn round<const N: usize>(self, x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N];
    /// The last AES round of each register: SubBytes, ShiftRows, then XOR with `k` (AESENCLAST).
    fn last_round<const N: usize>(self, x: [Self::V; N], k: [Self::V; N]) -> [Self::V; N];
    /// The block cipher, over `N` registers in flight, without rounds 1 and 2 if the keys
    /// [leave them out](Keys::leaves_out_two).
    fn encrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]);
    /// [`encrypt`](Self::encrypt) with other work between its rounds:
    /// `work.step(self, r)` for each `r` from 1 to `K::ROUNDS - 1`, in order. Rounds that the keys may [leave out](Keys::leaves_out_two)
    /// may all be done before the first step, and the steps are as many with those keys as without.
    #[inline(always)]
    fn encrypt_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize>(
        self,
        k: &K,
        x: &mut [Self::V; N],
        work: &mut W,
    ) {
        for r in 1..K::ROUNDS {
            work.step(self, r);
        }
        self.encrypt(k, x);
    }
    /// The inverse cipher; `k` gives the keys in the order of use.
    fn decrypt<K: Keys<Self>, const N: usize>(self, k: &K, x: &mut [Self::V; N]);
    /// [`decrypt`](Self::decrypt) with other work between its rounds, as
    /// [`encrypt_interleaved`](Self::encrypt_interleaved) has it.
    #[inline(always)]
    fn decrypt_interleaved<K: Keys<Self>, W: Interleave<Self>, const N: usize>(
        self,
        k: &K,
        x: &mut [Self::V; N],
        work: &mut W,
    ) {
        for r in 1..K::ROUNDS {
            work.step(self, r);
        }
        self.decrypt(k, x);
    }

    /// The key schedule of FIPS 197 and [`Schedule::set_rounds`]. The middle round keys may be in a form
    /// that only this backend reads. `key` has `A::KEY_LEN` bytes.
    fn expand<A: Aes>(self, key: &[u8], enc: &mut A::Enc);
    /// The middle round keys of the inverse cipher, in the order of use; zeros for rounds that are left out.
    fn invert<A: Aes>(self, enc: &A::Enc, dec: &mut A::Dec);
}

/// What is called where AES-192 leaves out its rounds: nothing, but the compiler then takes that way for the rare one,
/// and puts the rounds where no jump is needed for them. Without this it put them behind the function, and AES-256 jumped
/// there and back again.
#[cold]
#[inline]
#[allow(dead_code, reason = "not where there are no AES instructions")]
pub(super) fn rarely() {}

/// The first round that is done.
#[inline(always)]
pub(super) const fn first_round(leaves_out_two: bool) -> usize {
    if leaves_out_two { 3 } else { 1 }
}

/// The middle keys of the cipher as the inverse uses them, the last first, each with the place for what is made of it.
#[inline(always)]
pub(super) fn middle<'a, A: Aes>(
    enc: &'a A::Enc,
    dec: &'a mut A::Dec,
) -> impl Iterator<Item = (&'a Block, &'a mut Block)> {
    let first = first_round(<A::Enc as Schedule>::ROUNDS > A::ROUNDS);
    enc.keys()[first..<A::Enc as Schedule>::ROUNDS].iter().rev().zip(&mut dec.keys_mut()[first - 1..])
}

const MASK52: u64 = (1 << 52) - 1;

/// The product of the low 52 bits of each.
#[inline(always)]
fn product52(a: u64, b: u64) -> u128 {
    u128::from(a & MASK52) * u128::from(b & MASK52)
}

/// `f` of each 32-bit word: portable, and by memory.
#[inline(always)]
fn by_words<B: Backend>(b: B, v: B::V, f: impl Fn(u32) -> u32) -> B::V {
    let mut t = [0; 64];
    b.store(&mut t, v);
    for w in t[..B::BYTES].as_chunks_mut::<4>().0 {
        *w = f(u32::from_le_bytes(*w)).to_le_bytes();
    }
    b.load(&t)
}

/// `f` of each half's number and all halves of three registers: portable, and by memory.
#[inline(always)]
fn by_halves<B: Backend>(
    b: B,
    x: B::V,
    y: B::V,
    z: B::V,
    f: impl Fn(usize, &[u64; 8], &[u64; 8], &[u64; 8]) -> u64,
) -> B::V {
    let halves = |v: B::V| {
        let (mut t, mut halves) = ([0; 64], [0; 8]);
        b.store(&mut t, v);
        for i in 0..8 {
            let mut half = [0; 8];
            half.copy_from_slice(&t[8 * i..8 * i + 8]);
            halves[i] = u64::from_le_bytes(half);
        }
        halves
    };
    let (x, y, z) = (halves(x), halves(y), halves(z));
    let mut to = [0; 64];
    for i in 0..B::BYTES / 8 {
        to[8 * i..8 * i + 8].copy_from_slice(&f(i, &x, &y, &z).to_le_bytes());
    }
    b.load(&to)
}

/// A kernel on the tier of the backend `B`.
///
/// The function is the kernel's, not the backend's, for the sake of the build: rustc puts the
/// code of a method into the unit of its type's module. By the backends there would be one unit
/// with all kernels in it, for one core to compile; so there is one a scheme.
pub trait Door<B: Backend>: Kernel {
    /// Runs the kernel in a function compiled for the backend's instructions.
    ///
    /// # Safety
    /// Only where the CPU has them: where a token of the backend exists.
    #[allow(unsafe_code)]
    unsafe fn door(self) -> Self::Out;
}

/// Sixteen zeros, 0x80, zeros: padding that begins at byte `n` of a register, of the widest
/// too, is at `16 - n`.
static PADDING: [u8; 80] = {
    let mut t = [0; 80];
    t[16] = 0x80;
    t
};

/// Pretended tiers, of the feature `models`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Models {
    /// None of them.
    None,
    /// One for each number of blocks that a register may have: what a kernel does wrong in one of them, it
    /// does in all.
    Few,
    /// All of them, and in this crate's unit tests the CPU's tiers too, which other kernels are not made for there:
    /// for what tests backends.
    All,
}

impl Models {
    /// Those that a kernel is made for if it does not say otherwise: a few. In this crate's unit tests there are none,
    /// and such a kernel is made for the tier `soft` alone. The tests in `tests/` run it on every tier.
    pub const USUAL: Self = if cfg!(test) { Self::None } else { Self::Few };
}

/// Work written once, for any backend and any number of registers in flight.
pub trait Kernel {
    /// What comes back.
    type Out;
    /// Whether a long loop keeps more than the registers hold, so that the
    /// overflow lies on the stack and the stack's alignment shows in the speed.
    const SPILLS: bool = false;
    /// For which of the pretended tiers of the feature `models` it is made: each makes as much code again as a
    /// real one. What this crate's unit tests run on any tier but `soft` says `All`.
    const MODELS: Models = Models::USUAL;
    /// Whether it is made for the software tiers of wide registers too. Where it is not, they run it
    /// as the software tier of one block a register: each makes as much code again as any tier.
    const ON_WIDE_SOFT: bool = false;
    /// Whether it uses registers of one block only ([`Backend::one`]), on every tier. Then a tier of wider
    /// ones runs it by the door of the tier of [`Backend::One`]: the code would be the same again.
    const ONE_BLOCK: bool = false;
    /// Does the work, with `N`, a power of two, the number of registers in
    /// flight that suits `B`. Must be `#[inline(always)]`.
    fn run<B: Backend, const N: usize>(self, b: B) -> Self::Out;
}

/// Work to be done between the rounds of a cipher, on units that the AES leaves
/// idle and without need of its outcome: what a hash that is stitched with it consists of.
pub trait Interleave<B: Backend> {
    /// The part that goes with round `r`, a constant once the rounds are
    /// unrolled. Must be `#[inline(always)]`.
    fn step(&mut self, b: B, r: usize);
}

/// A size of the AES.
pub trait Aes: sealed::Sealed + Copy + Send + Sync + 'static {
    /// Bytes in a key: 16, 24 or 32.
    const KEY_LEN: usize;
    /// Rounds: 10, 12 or 14.
    const ROUNDS: usize;
    /// The name, as in "AES-128".
    const NAME: &'static str;
    /// The key in bytes.
    type Key: AsRef<[u8]> + AsMut<[u8]> + Clone;
    /// The round keys. AES-192's are in a schedule of 14 rounds, which is AES-256's too, so that
    /// whatever is generic over the schedule alone is made once for both.
    type Enc: Invertible<Inverse = Self::Dec>;
    /// The middle round keys of the inverse cipher, in the order of use.
    type Dec: Schedule;
}

pub(super) mod sealed {
    pub trait Sealed {}
}

/// An array of round keys.
pub trait Schedule: Wipe + Blank + Clone + Send + Sync + 'static {
    /// How many rounds there are keys for.
    const ROUNDS: usize;
    /// All zero, to be filled.
    fn zeroed() -> Self;
    /// Key `r`.
    fn key(&self, r: usize) -> &Block;
    /// All keys.
    fn keys(&self) -> &[Block];
    /// All keys.
    fn keys_mut(&mut self) -> &mut [Block];
    /// Whether two of the rounds are left out ([`Keys::leaves_out_two`]).
    fn leaves_out_two(&self) -> bool;
    /// Ends an expansion: what was written from place 0 on are the keys of so many rounds, plain or not.
    fn set_rounds(&mut self, rounds: usize);
}

/// The round keys of a cipher that has an inverse.
pub trait Invertible: Schedule {
    /// The middle round keys of the inverse, in the order of use.
    type Inverse: Schedule;
}

/// Where round key `r` of register `j` comes from, in the order of use.
///
/// Key 0 is added before the first round and key `ROUNDS` after the last; both
/// are plain blocks, so a mode may add its masks to them. The keys between are
/// as the backend's `expand` and `invert` left them.
///
/// | keys | add to the first and last key | used by |
/// |---|---|---|
/// | [`Enc`](super::keys::Enc), [`Dec`](super::keys::Dec) | nothing: the cipher, its inverse | all |
/// | OCB3's | the offsets before and behind | OCB3 |
/// | counter mode's with a hash | the message behind | GCM, GCM-SIV |
/// | a chain's (`pipeline/chain.rs`) | nothing before; the next block behind | CMAC, EAX, SIV, CCM |
/// | a chain's and a counter's (`pipeline/ctr_and_mac.rs`) | both, a lane each | CCM, EAX, SIV |
/// | one for all lanes, one each (`pipeline/lockstep.rs`) | the next block behind | messages side by side |
/// | those of values' lanes (`pipeline/run.rs`) | what the scheme's keys add | columns under a key each |
/// | a nonce's, each lane its own (`gcm_siv/schedule.rs`, `comb.rs`, `column.rs`) | nothing | GCM-SIV, many messages |
pub trait Keys<B: Backend> {
    /// How many rounds; of 14 the first two may be [left out](Self::leaves_out_two).
    const ROUNDS: usize;
    /// Whether the middle keys are the same for every register and lane.
    const SHARED: bool;
    /// Whether the registers must go through the rounds together: where one chain of
    /// rounds follows another, the compiler may put them one after the other, and
    /// the CPU does not look far enough ahead to overlap eight of them.
    const IN_STEP: bool = false;
    /// The same for registers of four blocks, which [`IN_STEP`](Self::IN_STEP) leaves alone:
    /// for eight of them.
    const HELD: bool = false;
    /// Whether the registers are to get their first keys in the order in which they go through the rounds. Where
    /// the compiler whitens the first register last, the first round waits for all of them: for eight registers
    /// that fill the pipeline exactly, a cycle lost there is not made up for.
    const IN_TURN: bool = false;
    /// Key `r` of register `j`.
    fn get(&self, b: B, r: usize, j: usize) -> B::V;
    /// Whether the cipher goes from key 0 on with round 3, as AES-192 does by the code of AES-256
    /// ([`UpTo14`](super::keys::UpTo14)). Public; the same for all registers and lanes; never where there are fewer rounds
    /// than 14.
    fn leaves_out_two(&self) -> bool;
}
