//! Counter mode and a polynomial hash in one pass: GCM's GHASH, GCM-SIV's POLYVAL.
//!
//! While a group of counters goes through the AES, the group before it (when
//! sealing) or itself (when opening) goes through the hash on units that the
//! AES leaves idle. What is left at the end, at most a group, is hashed with
//! the block of lengths in one reduction.

use super::polyval::{Factors, Group, Hash, Powers, blocks, karatsuba};
use crate::cpu::{Backend, Block, InOut, Keys, Schedule};

/// The numbers of bits in `low` and `high` bytes, a half each.
#[inline(always)]
pub(crate) fn bits<B: Backend>(b: B, low: usize, high: usize) -> B::V {
    b.load(&((8 * high as u128) << 64 | 8 * low as u128).to_le_bytes())
}

/// The numbers 0 to 4, as little-endian integers.
static COUNTS: [Block; 5] = {
    let mut t = [[0; 16]; 5];
    let mut i = 0;
    while i < 5 {
        t[i][0] = i as u8;
        i += 1;
    }
    t
};

/// A place in a message that is encrypted in counter mode and hashed.
///
/// `REV`: the counter is the last four bytes, big-endian, and the hash GHASH
/// (GCM); else the first four, little-endian, and POLYVAL (GCM-SIV).
pub(crate) struct Walk<'a, B: Backend, S, const REV: bool, const R: usize> {
    b: B,
    keys: &'a S,
    /// J0.
    initial: <B::One as Backend>::V,
    /// The next counters, a lane each, little-endian in the first four bytes.
    counter: B::V,
    pub hash: Hash<'a, B, REV, R>,
}

impl<'a, B: Backend, S: Schedule, const REV: bool, const R: usize> Walk<'a, B, S, REV, R> {
    /// GCM begins with the counter that follows `initial`, GCM-SIV with `initial`.
    #[inline(always)]
    pub fn new(b: B, keys: &'a S, initial: <B::One as Backend>::V, powers: &'a Powers<R>) -> Self {
        let first = b.load(if REV { COUNTS[1..].as_flattened() } else { COUNTS.as_flattened() });
        Self { b, keys, initial, counter: b.add32(b.widen(initial), first), hash: Hash::new(b, powers) }
    }

    /// The next register of counters.
    #[inline(always)]
    fn step(&mut self) -> B::V {
        let x = self.counter;
        self.counter = self.b.add32(x, self.b.splat(&(B::BLOCKS as u128).to_le_bytes()));
        x
    }

    /// The next `M` registers of counters as blocks.
    #[inline(always)]
    fn steps<const M: usize>(&mut self) -> [B::V; M] {
        let mut x = [self.b.zero(); M];
        for j in 0..M {
            x[j] = self.step();
            if REV {
                x[j] = self.b.rev(x[j]);
            }
        }
        x
    }

    /// Encrypts or decrypts all of `io` and hashes what comes out (`OUT`) or
    /// goes in, then the block `lengths`. Returns the hash and E(J0).
    #[inline(always)]
    pub fn crypt<const N: usize, const OUT: bool>(
        mut self,
        mut io: InOut<'_>,
        lengths: <B::One as Backend>::V,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        let mut whole = blocks(io.len()) / B::BLOCKS;
        if io.len() > N * B::BYTES {
            if OUT {
                let mut factors = Factors::<B, N>::inner(self.b, self.hash.powers, karatsuba::<B>());
                let mut group = self.groups_out::<N>(&mut io, &factors);
                whole = blocks(io.len()) / B::BLOCKS;
                if B::BLOCKS > 1 {
                    factors = Factors::last(self.b, self.hash.powers, karatsuba::<B>());
                }
                let last = Some(Group::new(self.b, &factors, group.dst(), self.hash.y, S::ROUNDS));
                if whole <= 4 {
                    return self.end::<N, OUT>(io, lengths, whole, last);
                }
                self.hash.expect(io.len());
                self.four::<N, OUT>(&mut io, last);
                whole -= 4;
            } else {
                self.groups_in::<N>(&mut io);
                whole = blocks(io.len()) / B::BLOCKS;
            }
        }
        self.hash.expect(io.len());
        while whole > 4 {
            self.four::<N, OUT>(&mut io, None);
            whole -= 4;
        }
        self.end::<N, OUT>(io, lengths, whole, None)
    }

    /// As [`crypt`](Self::crypt), of at most four registers and a block of associated data
    /// before them.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub fn short<const N: usize, const OUT: bool>(
        mut self,
        ad: &[u8],
        io: InOut<'_>,
        lengths: <B::One as Backend>::V,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        if !ad.is_empty() {
            self.hash.left = blocks(io.len()) + 2;
            self.hash.next(self.b.load_part(ad), 1);
        }
        self.hash.expect(io.len());
        let whole = blocks(io.len()) / B::BLOCKS;
        self.end::<N, OUT>(io, lengths, whole, None)
    }

    /// Groups whose output is hashed, each while the next is encrypted; leaves at
    /// least a byte and at most a group. The last is still to be hashed.
    #[inline(always)]
    fn groups_out<'i, const N: usize>(&mut self, io: &mut InOut<'i>, factors: &Factors<B, N>) -> InOut<'i> {
        let b = self.b;
        let keys = Spread::new(b, self.keys);
        let mut group = io.cut(N * B::BYTES);
        let mut x = self.steps::<N>();
        b.encrypt(&Onto { keys: &keys, io: &group }, &mut x);
        for j in 0..N {
            group.store(b, j * B::BYTES, x[j]);
        }
        while io.len() > N * B::BYTES {
            let mut next = io.cut(N * B::BYTES);
            let mut x = self.steps::<N>();
            let mut work = Group::<B, N, REV>::new(b, factors, group.dst(), self.hash.y, S::ROUNDS);
            b.encrypt_with(&Onto { keys: &keys, io: &next }, &mut x, &mut work);
            self.hash.y = work.reduced(b);
            for j in 0..N {
                next.store(b, j * B::BYTES, x[j]);
            }
            group = next;
        }
        group
    }

    /// Groups whose input is hashed, each while it is decrypted; leaves at least
    /// a byte and at most a group.
    #[inline(always)]
    fn groups_in<const N: usize>(&mut self, io: &mut InOut<'_>) {
        let b = self.b;
        let mut factors = Factors::<B, N>::inner(b, self.hash.powers, karatsuba::<B>());
        let keys = Spread::new(b, self.keys);
        while io.len() > N * B::BYTES {
            let mut group = io.cut(N * B::BYTES);
            if B::BLOCKS > 1 && io.len() <= N * B::BYTES {
                factors = Factors::last(b, self.hash.powers, karatsuba::<B>());
            }
            let mut x = self.steps::<N>();
            let mut work = Group::<B, N, REV>::new(b, &factors, group.src(), self.hash.y, S::ROUNDS);
            b.encrypt_with(&Onto { keys: &keys, io: &group }, &mut x, &mut work);
            self.hash.y = work.reduced(b);
            for j in 0..N {
                group.store(b, j * B::BYTES, x[j]);
            }
        }
        self.hash.fold();
    }

    /// Four registers, after `work`.
    #[inline(always)]
    fn four<const N: usize, const OUT: bool>(&mut self, io: &mut InOut<'_>, mut work: Option<Group<'_, B, N, REV>>) {
        let b = self.b;
        let mut part = io.cut(4 * B::BYTES);
        let mut x = self.steps::<4>();
        b.encrypt_with(&Onto { keys: &Spread::new(b, self.keys), io: &part }, &mut x, &mut work);
        self.hash.after(work);
        for j in 0..4 {
            let p = part.load(b, j * B::BYTES);
            part.store(b, j * B::BYTES, x[j]);
            self.hash.next(if OUT { x[j] } else { p }, B::BLOCKS);
        }
    }

    /// The end, after `work`: `whole` registers, at most four, the last of which
    /// may be short, then less than a register more, and the lengths.
    #[inline(always)]
    fn end<const N: usize, const OUT: bool>(
        mut self,
        mut io: InOut<'_>,
        lengths: <B::One as Backend>::V,
        whole: usize,
        work: Option<Group<'_, B, N, REV>>,
    ) -> (<B::One as Backend>::V, <B::One as Backend>::V) {
        let b = self.b;
        let mut head = io.cut(whole.saturating_sub(1) * B::BYTES);
        let mut part = if whole > 0 { Some(io.cut(io.len().min(B::BYTES))) } else { None };
        let mut p = [b.zero(); 2];
        if let Some(part) = &part {
            p[0] = if part.len() == B::BYTES { part.load(b, 0) } else { part.load_part(b) };
        }
        let mut more = 0;
        if B::BLOCKS > 1 {
            more = blocks(io.len());
            p[1] = io.load_part(b);
        }
        self.hash.left = whole * B::BLOCKS + more + 1;
        let x = if REV || B::BLOCKS > 1 {
            match whole {
                0 => self.last::<N, 0, 1, OUT>(&mut head, p, work),
                1 => self.last::<N, 1, 2, OUT>(&mut head, p, work),
                2 => self.last::<N, 2, 3, OUT>(&mut head, p, work),
                3 => self.last::<N, 3, 4, OUT>(&mut head, p, work),
                _ => self.last::<N, 4, 5, OUT>(&mut head, p, work),
            }
        } else {
            match whole {
                0 => p,
                1 => self.last::<N, 1, 1, OUT>(&mut head, p, work),
                2 => self.last::<N, 2, 2, OUT>(&mut head, p, work),
                3 => self.last::<N, 3, 3, OUT>(&mut head, p, work),
                _ => self.last::<N, 4, 4, OUT>(&mut head, p, work),
            }
        };
        if let Some(part) = &mut part {
            let n = part.len();
            let mut out = x[0];
            if n == B::BYTES {
                part.store(b, 0, out);
            } else {
                part.store_part(b, out);
                out = b.keep(out, n);
            }
            self.hash.next(if OUT { out } else { p[0] }, B::BLOCKS);
        }
        let mut rest = b.zero();
        if B::BLOCKS > 1 {
            rest = if OUT { b.keep(x[1], io.len()) } else { p[1] };
            io.store_part(b, x[1]);
        }
        (self.hash.finish(rest, more, lengths), b.top(x[1]))
    }

    /// The last `M` registers: `D` of data, and one more if that has anything in
    /// it, data or, in its last lane, J0. Encrypts `D - 1` registers `head` and
    /// returns the others, onto `p`.
    #[inline(always)]
    fn last<const N: usize, const D: usize, const M: usize, const OUT: bool>(
        &mut self,
        head: &mut InOut<'_>,
        last: [B::V; 2],
        mut work: Option<Group<'_, B, N, REV>>,
    ) -> [B::V; 2] {
        let b = self.b;
        let mut p = [b.zero(); M];
        let mut x = [b.zero(); M];
        for j in 0..M {
            p[j] = if j + 1 < D { head.load(b, j * B::BYTES) } else { last[j + 1 - D] };
            x[j] = self.step();
            if REV {
                if j == D {
                    x[j] = b.with_top(x[j], self.initial);
                }
                x[j] = b.rev(x[j]);
            }
        }
        b.encrypt_with(&Masked { keys: self.keys, last: p }, &mut x, &mut work);
        self.hash.after(work);
        for j in 1..D {
            head.store(b, (j - 1) * B::BYTES, x[j - 1]);
            self.hash.next(if OUT { x[j - 1] } else { p[j - 1] }, B::BLOCKS);
        }
        let mut rest = [b.zero(); 2];
        for j in 0..M {
            if j + 1 >= D {
                rest[j + 1 - D] = x[j];
            }
        }
        rest
    }
}

/// Round keys with a mask for each register behind.
struct Masked<'a, B: Backend, S, const N: usize> {
    keys: &'a S,
    last: [B::V; N],
}
impl<B: Backend, S: Schedule, const N: usize> Keys<B> for Masked<'_, B, S, N> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = b.splat(self.keys.key(r));
        if r == S::ROUNDS { b.xor(key, self.last[j]) } else { key }
    }
}

/// Round keys for many groups, spread over all lanes beforehand where that is
/// not for nothing.
struct Spread<'a, B: Backend, S> {
    keys: &'a S,
    wide: [B::V; 15],
}
impl<'a, B: Backend, S: Schedule> Spread<'a, B, S> {
    #[inline(always)]
    fn new(b: B, keys: &'a S) -> Self {
        let mut wide = [b.zero(); 15];
        if B::BLOCKS == 4 {
            for r in 0..S::ROUNDS + 1 {
                wide[r] = b.splat(keys.key(r));
            }
        }
        Self { keys, wide }
    }
}

/// Round keys, with the group to be encrypted as masks behind.
struct Onto<'a, 'b, B: Backend, S> {
    keys: &'a Spread<'a, B, S>,
    io: &'a InOut<'b>,
}
impl<B: Backend, S: Schedule> Keys<B> for Onto<'_, '_, B, S> {
    const ROUNDS: usize = S::ROUNDS;
    const SHARED: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = if B::BLOCKS == 4 { self.keys.wide[r] } else { b.splat(self.keys.keys.key(r)) };
        if r == S::ROUNDS { b.xor(key, self.io.load(b, j * B::BYTES)) } else { key }
    }
}
