//! A column on its way through the pipeline: what its values are sealed or opened with, runs of
//! short values that a scheme's kernel takes a lane each ([`Many::column`](super::jobs::Many)),
//! and the round keys of those lanes.

use super::jobs::Holds;
use super::plan::MAX_LANES;
use super::values::Values;
use crate::cpu::{Aes, Backend, Block, Cpu, Keys};
use crate::interface::tag::{COUNTER_LEN, MAX_NONCE_LEN};
use crate::memory::wipe::Wipe;
use core::marker::PhantomData;

/// Bytes of the longest value that shares a register with others: a longer one fills the
/// pipeline by itself.
pub(crate) const LONGEST: usize = 256;

/// Where each value's nonce comes from.
#[derive(Clone, Copy)]
pub(crate) enum Nonce<'a> {
    /// A prefix of `len` bytes and a counter, which is `first` for the first value.
    Counted { prefix: [u8; MAX_NONCE_LEN], len: usize, first: u64 },
    /// One behind the other.
    Given(&'a [u8]),
    /// None: RFC 5297's use of SIV without a nonce.
    None,
}

impl<'a> Nonce<'a> {
    /// The nonce of value `i`, of `len` bytes, perhaps in `room`.
    #[inline(always)]
    pub fn get<'r>(&self, i: usize, len: usize, room: &'r mut [u8; MAX_NONCE_LEN]) -> &'r [u8]
    where
        'a: 'r,
    {
        match self {
            Self::Counted { prefix, len: prefix_len, first } => {
                *room = *prefix;
                let counter = first.wrapping_add(i as u64).to_be_bytes();
                room[*prefix_len..prefix_len + COUNTER_LEN].copy_from_slice(&counter);
                &room[..len]
            }
            Self::Given(all) => &all[i * len..(i + 1) * len],
            Self::None => &[],
        }
    }

    /// Of counted nonces of at most 15 bytes, that of value 0 as a big-endian number, of which the
    /// others are further on.
    #[inline(always)]
    pub fn base(&self) -> Option<u128> {
        match self {
            Self::Counted { prefix, len, first } => {
                let prefix = prefix[..*len].iter().fold(0, |n, &byte| n << 8 | u128::from(byte));
                Some(prefix << 64 | u128::from(*first))
            }
            _ => None,
        }
    }

    /// The nonce of value `i`, of `len` bytes, at most 15, as a big-endian number.
    #[inline(always)]
    pub fn number(&self, i: usize, len: usize) -> u128 {
        match self {
            // No counter passes the end of its eight bytes.
            Self::Counted { .. } => self.base().unwrap_or(0).wrapping_add(i as u128),
            Self::Given(all) => all[i * len..(i + 1) * len].iter().fold(0, |n, &byte| n << 8 | u128::from(byte)),
            Self::None => 0,
        }
    }
}

/// One for all values, or one for each.
#[derive(Clone, Copy)]
pub(crate) enum Source<One, Each> {
    /// For all.
    One(One),
    /// For each.
    Each(Each),
}

/// What a column is sealed or opened with. The keys are of one scheme, tier, and length of tags
/// and nonces; there are as many nonces, and keys and associated data if one each, as values.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a, J> {
    pub keys: Source<&'a J, &'a [&'a J]>,
    pub nonces: Nonce<'a>,
    pub ads: Source<&'a [u8], Values<'a>>,
    /// What is read: plaintexts, or sealed values.
    pub values: Values<'a>,
    /// Bytes in front of each sealed value that belong to the caller.
    pub front: usize,
    pub nonce_len: usize,
    pub tag_len: usize,
    /// Whether the tag stands before the ciphertext.
    pub tag_first: bool,
    pub open: bool,
    /// Whether all messages are at most [`LONGEST`] bytes long, and none too short to be one.
    pub short: bool,
}

impl<'a, J> Column<'a, J> {
    /// The key of value `i`.
    #[inline(always)]
    pub fn key(&self, i: usize) -> &'a J {
        match self.keys {
            Source::One(key) => key,
            Source::Each(keys) => keys[i],
        }
    }

    /// The associated data of value `i`.
    #[inline(always)]
    pub fn ad(&self, i: usize) -> &'a [u8] {
        match self.ads {
            Source::One(ad) => ad,
            Source::Each(ads) => ads.get(i),
        }
    }

    /// Bytes that a sealed value has more.
    #[inline(always)]
    pub fn overhead(&self) -> usize {
        self.front + self.tag_len
    }

    /// Bytes in message `i`; `None` of a sealed value that is too short to be one.
    #[inline(always)]
    pub fn len(&self, i: usize) -> Option<usize> {
        let len = self.values.len(i);
        if self.open { len.checked_sub(self.overhead()) } else { Some(len) }
    }

    /// A sealed value's ciphertext and tag.
    #[inline(always)]
    pub fn parts(&self, cell: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let cell = &cell[self.front..];
        if self.tag_first {
            let (tag, text) = cell.split_at(self.tag_len);
            (text, tag)
        } else {
            cell.split_at(cell.len() - self.tag_len)
        }
    }

    /// The same to be written.
    #[inline(always)]
    pub fn parts_mut<'o>(&self, cell: &'o mut [u8]) -> (&'o mut [u8], &'o mut [u8]) {
        let cell = &mut cell[self.front..];
        if self.tag_first {
            let (tag, text) = cell.split_at_mut(self.tag_len);
            (text, tag)
        } else {
            cell.split_at_mut(cell.len() - self.tag_len)
        }
    }
}

/// Which values are authentic: a bit each, the lowest of a byte first, as Arrow's validity
/// bitmaps have them.
pub(crate) struct Marks<'o> {
    bits: &'o mut [u8],
    /// The number of the value that has the first bit.
    first: usize,
    /// Whether one is not.
    pub forged: bool,
}

impl<'o> Marks<'o> {
    /// None is authentic, until it is marked.
    pub fn new(bits: &'o mut [u8], first: usize) -> Self {
        bits.fill(0);
        Self { bits, first, forged: false }
    }

    /// Value `i` is authentic, or is not.
    #[inline(always)]
    pub fn mark(&mut self, i: usize, good: bool) {
        let i = i - self.first;
        self.bits[i / 8] |= u8::from(good) << (i % 8);
        self.forged |= !good;
    }
}

/// The scheme's own key.
#[inline(always)]
fn held<J: Holds<K>, K>(key: &J) -> &K {
    match key.held() {
        Some(key) => key,
        None => unreachable!("a column has keys of one scheme"),
    }
}

/// Takes the first `n` bytes off.
#[inline(always)]
pub(crate) fn cut<'o>(out: &mut &'o mut [u8], n: usize) -> &'o mut [u8] {
    let (first, rest) = core::mem::take(out).split_at_mut(n);
    *out = rest;
    first
}

/// Values that follow one another and are at most [`LONGEST`] bytes long, for a scheme's kernel.
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

    /// What lane `l` ends with: what was sealed gets its tag; of what was opened it is said
    /// whether `tag` begins with the one that came with it, and if not, zeros are left.
    #[inline(always)]
    pub fn finish<B: Backend>(&mut self, one: B, l: usize, tag: B::V, marks: &mut Marks<'_>, open: bool) {
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

/// The round keys of `R` registers' lanes, side by side; one key for all lies there once.
///
/// On the stack, and to be [wiped](Self::wipe) after use.
#[repr(C, align(64))]
pub(crate) struct RoundKeys {
    keys: [[Block; MAX_LANES]; 15],
    /// Bytes from one register's keys to the next one's: none where all have one key.
    step: usize,
}

impl RoundKeys {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Self {
        Self { keys: [[[0; 16]; MAX_LANES]; 15], step: 0 }
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
pub(crate) struct OfLanes<'k, A>(pub &'k RoundKeys, pub PhantomData<A>);
impl<B: Backend, A: Aes> Keys<B> for OfLanes<'_, A> {
    const ROUNDS: usize = A::ROUNDS;
    const SHARED: bool = false;
    const IN_STEP: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        // The mask changes nothing, and tells the compiler that the load is within the row.
        b.load(&self.0.keys[r].as_flattened()[j * self.0.step & (16 * MAX_LANES - B::BYTES)..])
    }
}
