//! Runs of a column's short values, which a scheme's kernel takes a lane each
//! ([`Many::column`](super::jobs::Many)), and the round keys of those lanes.

use super::column::{Column, Marks, Nonce, Source};
use super::holds::Holds;
use super::plan::MAX_LANES;
use crate::cpu::{Aes, Backend, Block, Cpu, Keys, LANES, Schedule};
use crate::memory::wipe::Wipe;
use core::marker::PhantomData;

/// The scheme's own key.
#[inline(always)]
fn held<J: Holds<K>, K>(key: &J) -> &K {
    match key.held() {
        Some(key) => key,
        None => unreachable!("a column has keys of one scheme"),
    }
}

/// A kernel for a column's run, `kernel::<…, R, L>`: `L` values at a time, a lane each, in as many
/// registers `R` as hide the cipher's latency.
macro_rules! by_lanes {
    ($backend:ident, $kernel:ident::<$($generic:tt),*>($($argument:expr),*)) => {
        if const { !$backend::WORDS } {
            unreachable!("a column's run, on a tier without AES instructions");
        } else if const { $backend::BLOCKS == 1 } {
            $kernel::<$($generic,)* 8, 8>($($argument),*)
        } else if const { $backend::BLOCKS == 2 } {
            $kernel::<$($generic,)* 4, 8>($($argument),*)
        } else {
            $kernel::<$($generic,)* 4, 16>($($argument),*)
        }
    };
}
pub(crate) use by_lanes;

/// Takes the first `n` bytes off.
#[inline(always)]
pub(crate) fn cut<'o>(out: &mut &'o mut [u8], n: usize) -> &'o mut [u8] {
    let (first, rest) = core::mem::take(out).split_at_mut(n);
    *out = rest;
    first
}

/// Values that follow one another, for a scheme's kernel: as many and as short as it [`Takes`](super::column::Takes).
pub(crate) struct Run<'r, 'o, 'a, J> {
    pub column: &'r Column<'a, J>,
    pub cpu: Cpu,
    /// The first value's number, and the one behind the last.
    pub from: usize,
    pub to: usize,
    /// What is to be written, from the first value's place on.
    pub out: &'r mut &'o mut [u8],
    pub marks: &'r mut Marks<'o>,
}

/// At most `L` of a run's values.
pub(crate) struct Group<'a, 'o, K, const L: usize> {
    /// The first one's number.
    pub first: usize,
    /// How many.
    pub count: usize,
    /// Their keys: where each has its own, the last one's behind it; else that of all.
    pub keys: [&'a K; L],
    /// What is read: of all values of the column.
    data: &'a [u8],
    /// What is written: of this group's.
    out: &'o mut [u8],
    /// Bytes in each message; none behind the last.
    lens: [usize; L],
    /// Where each message is in `data`, and what becomes of it in `out`. (As slices, with their tags, they would be eight
    /// words each to be stored and read again.)
    from: [usize; L],
    to: [usize; L],
    tag_len: usize,
    tag_first: bool,
    /// Bytes in the longest message.
    pub longest: usize,
    /// Bytes in the shortest, of `L`.
    pub shortest: usize,
    /// Whether a message ends with a part of a block.
    pub ragged: bool,
}

impl<'a, 'o, K, const L: usize> Group<'a, 'o, K, L> {
    /// No values yet.
    #[inline(always)]
    fn new(key: &'a K) -> Self {
        Self {
            first: 0,
            count: 0,
            keys: [key; L],
            data: &[],
            out: Default::default(),
            lens: [0; L],
            from: [0; L],
            to: [0; L],
            tag_len: 0,
            tag_first: false,
            longest: 0,
            shortest: 0,
            ragged: false,
        }
    }

    /// Bytes in message `l`.
    #[inline(always)]
    pub fn len(&self, l: usize) -> usize {
        self.lens[l]
    }

    /// Message `l` as it is read: a plaintext or a ciphertext; behind the last one, nothing.
    #[inline(always)]
    pub fn src(&self, l: usize) -> &'a [u8] {
        &self.data[self.from[l]..][..self.lens[l]]
    }

    /// Where what becomes of message `l` goes.
    #[inline(always)]
    pub fn dst(&mut self, l: usize) -> &mut [u8] {
        &mut self.out[self.to[l]..][..self.lens[l]]
    }

    /// Plaintext `l`: what was opened (`OPEN`), or is to be sealed.
    #[inline(always)]
    pub fn plain<const OPEN: bool>(&self, l: usize) -> &[u8] {
        if OPEN { &self.out[self.to[l]..][..self.lens[l]] } else { self.src(l) }
    }

    /// Where a tag stands beside a message of `len` bytes at `at`.
    #[inline(always)]
    fn beside(&self, at: usize, len: usize) -> usize {
        if self.tag_first { at - self.tag_len } else { at + len }
    }

    /// Where the tag of value `l` goes, if it is sealed.
    #[inline(always)]
    fn tag(&mut self, l: usize) -> &mut [u8] {
        let at = self.beside(self.to[l], self.lens[l]);
        &mut self.out[at..][..self.tag_len]
    }

    /// The tag that came with value `l`, if it is opened.
    #[inline(always)]
    fn given(&self, l: usize) -> &'a [u8] {
        &self.data[self.beside(self.from[l], self.lens[l])..][..self.tag_len]
    }
}

impl<'o, 'a, J> Run<'_, 'o, 'a, J> {
    /// Room for its values. A run has at least one.
    #[inline(always)]
    pub fn group<K, const L: usize>(&self) -> Group<'a, 'o, K, L>
    where
        J: Holds<K>,
    {
        Group::new(held(self.column.key(self.from)))
    }

    /// Fills `group` with the next values; `false` if there are no more.
    #[inline(always)]
    pub fn next<K: 'a, const OPEN: bool, const L: usize>(&mut self, group: &mut Group<'a, 'o, K, L>) -> bool
    where
        J: Holds<K>,
    {
        let (it, from) = (self.column, self.from);
        let count = (self.to - from).min(L);
        if count == 0 {
            return false;
        }
        let (front, tag_len) = (it.front, it.tag_len);
        // One end more than there are lanes.
        let mut at = [0; MAX_LANES + 1];
        group.data = it.values.read(from, &mut at[..count + 1]);
        let (start, all, overhead) = (at[0], at[count] - at[0], count * (front + tag_len));
        group.out = cut(self.out, if OPEN { all - overhead } else { all + overhead });
        (group.tag_len, group.tag_first) = (tag_len, it.tag_first);
        let before = front + if it.tag_first { tag_len } else { 0 };
        for l in 0..L {
            // Whatever this makes of lanes behind the last value, it is replaced below.
            let (at, end, others) = (at[l], at[l + 1], l.wrapping_mul(front + tag_len));
            if OPEN {
                group.from[l] = at.wrapping_add(before);
                group.to[l] = at.wrapping_sub(start).wrapping_sub(others);
                group.lens[l] = end.wrapping_sub(at).wrapping_sub(front + tag_len);
            } else {
                group.from[l] = at;
                group.to[l] = at.wrapping_sub(start).wrapping_add(others).wrapping_add(before);
                group.lens[l] = end.wrapping_sub(at);
            }
        }
        for l in count..L {
            (group.from[l], group.to[l], group.lens[l]) = (0, 0, 0);
        }
        let (mut longest, mut shortest, mut bits) = (0, usize::MAX, 0);
        for len in group.lens {
            (longest, shortest, bits) = (longest.max(len), shortest.min(len), bits | len);
        }
        (group.longest, group.shortest, group.ragged) = (longest, shortest, bits % 16 != 0);
        if let Source::Each(keys) = it.keys {
            for l in 0..L {
                group.keys[l] = held(keys[from + l.min(count - 1)]);
            }
        }
        (group.first, group.count) = (from, count);
        self.from += count;
        true
    }

    /// The key, if all values have one.
    pub fn one_key<K: 'a>(&self) -> Option<&'a K>
    where
        J: Holds<K>,
    {
        match self.column.keys {
            Source::One(key) => Some(held(key)),
            Source::Each(_) => None,
        }
    }
}

impl<K, const L: usize> Group<'_, '_, K, L> {
    /// Bits of the lanes whose messages have more than `n` bytes.
    #[inline(always)]
    pub fn longer_than(&self, n: usize) -> usize {
        if self.shortest > n {
            return usize::MAX;
        }
        (0..L).fold(0, |bits, l| bits | usize::from(self.lens[l] > n) << l)
    }

    /// The tags that came with the values, of 16 bytes each, a lane each.
    #[inline(always)]
    pub fn given_tags<B: Backend, const R: usize>(&self, b: B) -> [B::V; R] {
        let one = b.one();
        let mut given = [one.zero(); L];
        for l in 0..self.count {
            given[l] = one.load(self.given(l));
        }
        registers(b, &given)
    }

    /// What the values end with, whose tags `tags` has, a lane each.
    #[inline(always)]
    pub fn finish<B: Backend, const R: usize>(&mut self, b: B, tags: &[B::V; R], marks: &mut Marks<'_>, open: bool) {
        for j in 0..R {
            let tags = b.split(tags[j]);
            for lane in 0..B::BLOCKS {
                let l = j * B::BLOCKS + lane;
                if l < self.count {
                    self.finish_one(b.one(), l, tags[lane], marks, open);
                }
            }
        }
    }

    /// What lane `l` ends with: what was sealed gets its tag; of what was opened it is said
    /// whether `tag` begins with the one that came with it, and if not, zeros are left.
    #[inline(always)]
    fn finish_one<B: Backend>(&mut self, one: B, l: usize, tag: B::V, marks: &mut Marks<'_>, open: bool) {
        if !open {
            match self.tag(l).as_chunks_mut::<16>() {
                ([whole], []) => one.store(whole, tag),
                (_, part) => one.store_part(part, tag),
            }
            return;
        }
        let good = one.begins(tag, self.given(l));
        if !good {
            self.dst(l).wipe();
        }
        marks.mark(self.first + l, good);
    }
}

/// A block of each lane, as registers: `R` of them have `L` lanes.
#[inline(always)]
pub(crate) fn registers<B: Backend, const R: usize, const L: usize>(
    b: B,
    blocks: &[<B::One as Backend>::V; L],
) -> [B::V; R] {
    let mut x = [b.zero(); R];
    for j in 0..R {
        let mut lanes = [b.one().zero(); 4];
        for i in 0..B::BLOCKS {
            lanes[i] = blocks[j * B::BLOCKS + i];
        }
        x[j] = b.join(lanes);
    }
    x
}

/// Each lane's nonce, of `len` bytes, at most 15, behind zeros; anything in lanes without a value.
#[inline(always)]
pub(crate) fn nonces<B: Backend, K, const R: usize, const L: usize>(
    b: B,
    nonces: Nonce<'_>,
    len: usize,
    group: &Group<'_, '_, K, L>,
) -> [B::V; R] {
    let mut x = [b.zero(); R];
    if let Some(base) = nonces.base() {
        // Big-endian numbers that follow one another, of which no counter passes the end of its
        // eight bytes.
        let number = b.splat(&base.wrapping_add(group.first as u128).to_le_bytes());
        for j in 0..R {
            x[j] = b.rev(b.add64(number, b.load(LANES[j * B::BLOCKS..].as_flattened())));
        }
    } else if let Nonce::Given(all) = nonces {
        // Sixteen bytes that end with the nonce, where there are as many before its end.
        let mut first = [[0; 16]; L];
        let own = b.splat(&u128::MAX.checked_shr(128 - 8 * len as u32).unwrap_or(0).to_be_bytes());
        for l in 0..group.count {
            let from = (group.first + l) * len;
            if from + len < 16 {
                first[l][16 - len..].copy_from_slice(&all[from..from + len]);
            }
        }
        for j in 0..R {
            let lanes = b.gather(|lane| {
                let l = j * B::BLOCKS + lane;
                let end = (group.first + l + 1) * len;
                if l < group.count && end >= 16 {
                    all[end - 16..].as_chunks().0.first().unwrap_or(&first[l])
                } else {
                    &first[l]
                }
            });
            x[j] = b.and(lanes, own);
        }
    }
    x
}

/// Block `t` of a message, or zeros if it has no such whole block.
#[inline(always)]
pub(crate) fn block(message: &[u8], t: usize) -> &Block {
    static ZERO: Block = [0; 16];
    message.as_chunks().0.get(t).unwrap_or(&ZERO)
}

/// The round keys of `L` lanes, a power of two, each of whose keys is a `K`.
///
/// For registers of several lanes they lie side by side, one key for all lies there once: on the stack,
/// and to be [wiped](Self::wipe) after use. A register of one lane reads them where they are.
#[repr(C, align(64))]
pub(crate) struct RoundKeys<K, const L: usize> {
    keys: [[Block; L]; 15],
    /// Bytes from one register's keys to the next one's: none where all have one key.
    step: usize,
    /// Each lane's own.
    own: [K; L],
}

impl<K: Copy, const L: usize> RoundKeys<K, L> {
    /// None yet; `key` is one of those to come.
    #[inline(always)]
    pub fn new(key: K) -> Self {
        Self { keys: [[[0; 16]; L]; 15], step: 0, own: [key; L] }
    }

    /// The same for every lane.
    #[inline(always)]
    pub fn one<B: Backend>(&mut self, b: B, key: K)
    where
        K: Keys<B>,
    {
        self.own = [key; L];
        self.step = 0;
        if B::BLOCKS > 1 {
            for r in 0..=K::ROUNDS {
                b.store(self.keys[r].as_flattened_mut(), key.get(b, r, 0));
            }
        }
    }

    /// `key(l)` for lane `l` of `R` registers.
    #[inline(always)]
    pub fn each<B: Backend, const R: usize>(&mut self, b: B, key: impl Fn(usize) -> K)
    where
        K: Keys<B::One>,
    {
        if B::BLOCKS == 1 {
            for l in 0..L {
                self.own[l] = key(l);
            }
            return;
        }
        self.step = B::BYTES;
        let store = |keys: &mut [[Block; L]; 15], r: usize, j: usize| {
            let mut lanes = [b.one().zero(); 4];
            for i in 0..B::BLOCKS {
                lanes[i] = key(j * B::BLOCKS + i).get(b.one(), r, 0);
            }
            b.store(&mut keys[r].as_flattened_mut()[j * B::BYTES..], b.join(lanes));
        };
        // Sixteen keys at a time are more addresses than there are registers for: on a Zen 4 a value of 16 bytes took 45 cycles
        // row by row, 43 so. Of eight keys, row by row is faster, 63 for 64.
        if B::BLOCKS == 4 {
            for j in 0..R {
                for r in 0..=K::ROUNDS {
                    store(&mut self.keys, r, j);
                }
            }
        } else {
            for r in 0..=K::ROUNDS {
                for j in 0..R {
                    store(&mut self.keys, r, j);
                }
            }
        }
    }

    /// Zeroes those of `rounds` rounds.
    #[inline(always)]
    pub fn wipe(&mut self, rounds: usize) {
        for keys in &mut self.keys[..=rounds] {
            keys.wipe();
        }
    }
}

/// [`RoundKeys`] of the AES of size `A`.
pub(crate) struct OfLanes<'k, A, K, const L: usize>(pub &'k RoundKeys<K, L>, pub PhantomData<A>);
impl<B: Backend, A: Aes, K: Keys<B>, const L: usize> Keys<B> for OfLanes<'_, A, K, L> {
    const ROUNDS: usize = <A::Enc as Schedule>::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if B::BLOCKS == 1 {
            return self.0.own[j].get(b, r, 0);
        }
        // The mask changes nothing, and tells the compiler that the load is within the row.
        b.load(&self.0.keys[r].as_flattened()[j * self.0.step & (16 * L - B::BYTES)..])
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS < <A::Enc as Schedule>::ROUNDS
    }
}
