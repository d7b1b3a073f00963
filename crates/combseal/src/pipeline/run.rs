//! Runs of a column's short values, which a scheme's kernel takes a lane each
//! ([`Many::column`](super::jobs::Many)), and the round keys of those lanes.

use super::column::{Column, Marks, Source};
use super::holds::Holds;
use super::plan::MAX_LANES;
use crate::cpu::{Aes, Backend, Block, Cpu, Keys, Schedule};
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
    /// Their keys; behind the last, and where all have one key, the first one's.
    pub keys: [&'a K; L],
    /// Plaintexts or ciphertexts; behind the last, empty ones.
    pub src: [&'a [u8]; L],
    /// Where the others go.
    pub dst: [&'o mut [u8]; L],
    /// Where tags go, if these are sealed.
    pub tags: [&'o mut [u8]; L],
    /// The tags that came with them, if they are opened.
    pub given: [&'a [u8]; L],
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
            src: [&[]; L],
            dst: core::array::from_fn(|_| Default::default()),
            tags: core::array::from_fn(|_| Default::default()),
            given: [&[]; L],
            longest: 0,
            shortest: 0,
            ragged: false,
        }
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
        if count < L {
            // What the group before had.
            group.src = [&[]; L];
            group.given = [&[]; L];
            for l in 0..L {
                (group.dst[l], group.tags[l]) = (Default::default(), Default::default());
            }
        }
        let (front, tag_len, tag_first) = (it.front, it.tag_len, it.tag_first);
        // One end more than there are lanes.
        let mut at = [0; MAX_LANES + 1];
        let data = it.values.read(from, &mut at[..count + 1]);
        let all = at[count] - at[0];
        let overhead = count * (front + tag_len);
        let mut out = cut(self.out, if OPEN { all - overhead } else { all + overhead });
        let (mut longest, mut shortest, mut bits) = (0, usize::MAX, 0);
        for l in 0..count {
            let value = &data[at[l]..at[l + 1]];
            let text_at = if tag_first { tag_len } else { 0 };
            let len = if OPEN {
                let cell = &value[front..];
                let len = cell.len() - tag_len;
                let tag_at = if tag_first { 0 } else { len };
                (group.src[l], group.given[l]) = (&cell[text_at..text_at + len], &cell[tag_at..tag_at + tag_len]);
                group.dst[l] = cut(&mut out, len);
                len
            } else {
                let (mut cell, rest) = out.split_at_mut(front + value.len() + tag_len);
                (out, cell) = (rest, cell.split_at_mut(front).1);
                let (before, behind) = cell.split_at_mut(if tag_first { tag_len } else { value.len() });
                group.src[l] = value;
                (group.dst[l], group.tags[l]) = if tag_first { (behind, before) } else { (before, behind) };
                value.len()
            };
            (longest, shortest, bits) = (longest.max(len), shortest.min(len), bits | len);
        }
        (group.longest, group.ragged) = (longest, bits % 16 != 0);
        group.shortest = if count < L { 0 } else { shortest };
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
        (0..L).fold(0, |bits, l| bits | usize::from(self.src[l].len() > n) << l)
    }

    /// The tags that came with the values, of 16 bytes each, a lane each.
    #[inline(always)]
    pub fn given_tags<B: Backend, const R: usize>(&self, b: B) -> [B::V; R] {
        let one = b.one();
        let mut given = [one.zero(); L];
        for l in 0..self.count {
            given[l] = one.load(self.given[l]);
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
            match self.tags[l].as_chunks_mut::<16>() {
                ([whole], []) => one.store(whole, tag),
                (_, part) => one.store_part(part, tag),
            }
            return;
        }
        let good = one.begins(tag, self.given[l]);
        if !good {
            self.dst[l].wipe();
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

/// Block `t` of a message, or zeros if it has no such whole block.
#[inline(always)]
pub(crate) fn block(message: &[u8], t: usize) -> &Block {
    static ZERO: Block = [0; 16];
    message.as_chunks().0.get(t).unwrap_or(&ZERO)
}

/// The round keys of `L` lanes, a power of two, side by side; one key for all lies there once.
///
/// On the stack, and to be [wiped](Self::wipe) after use.
#[repr(C, align(64))]
pub(crate) struct RoundKeys<const L: usize> {
    keys: [[Block; L]; 15],
    /// Bytes from one register's keys to the next one's: none where all have one key.
    step: usize,
}

impl<const L: usize> RoundKeys<L> {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { keys: [[[0; 16]; L]; 15], step: 0 }
    }

    /// The same for every lane.
    #[inline(always)]
    pub fn one<B: Backend, K: Keys<B>>(&mut self, b: B, keys: &K) {
        self.step = 0;
        for r in 0..=K::ROUNDS {
            b.store(self.keys[r].as_flattened_mut(), keys.get(b, r, 0));
        }
    }

    /// `keys(l)` for lane `l` of `R` registers.
    #[inline(always)]
    pub fn each<B: Backend, K: Keys<B::One>, const R: usize>(&mut self, b: B, keys: impl Fn(usize) -> K) {
        self.step = B::BYTES;
        let one = b.one();
        for r in 0..=K::ROUNDS {
            for j in 0..R {
                let mut lanes = [one.zero(); 4];
                for i in 0..B::BLOCKS {
                    lanes[i] = keys(j * B::BLOCKS + i).get(one, r, 0);
                }
                b.store(&mut self.keys[r].as_flattened_mut()[j * B::BYTES..], b.join(lanes));
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
pub(crate) struct OfLanes<'k, A, const L: usize>(pub &'k RoundKeys<L>, pub PhantomData<A>);
impl<B: Backend, A: Aes, const L: usize> Keys<B> for OfLanes<'_, A, L> {
    const ROUNDS: usize = <A::Enc as Schedule>::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        // The mask changes nothing, and tells the compiler that the load is within the row.
        b.load(&self.0.keys[r].as_flattened()[j * self.0.step & (16 * L - B::BYTES)..])
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        A::ROUNDS < <A::Enc as Schedule>::ROUNDS
    }
}
