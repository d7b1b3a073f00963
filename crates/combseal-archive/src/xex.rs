//! XEX: a block cipher with an offset added before and behind, `E(M ^ D) ^ D` (Rogaway 2004),
//! over the whole blocks of a message, as OCB has it.
//!
//! The offsets travel as round keys. Where the offsets come from, a mode says by [`Offsets`];
//! a message is groups of eight registers, and then a register at a time, which the CPU
//! overlaps by itself.

use combseal::cpu::{Backend, Keys};
use combseal::internals::InOut;

use crate::field::big_endian::times_x_to;

/// Registers in flight in a long message, whatever their size.
pub const WIDTH: usize = 8;

/// The register with one block.
pub type One<B> = <<B as Backend>::One as Backend>::V;

/// Whether a message has so few blocks that where a register holds four it had better go block
/// by block: filling and emptying unused lanes costs time.
#[inline(always)]
pub fn is_few<B: Backend>(io: &InOut<'_>) -> bool {
    B::BLOCKS == 4 && io.len() <= 128
}

/// Round keys with a mask for each register: before and behind.
pub struct Masked<B: Backend, K, const N: usize> {
    pub keys: K,
    pub first: [B::V; N],
    pub last: [B::V; N],
}
impl<B: Backend, K: Keys<B>, const N: usize> Keys<B> for Masked<B, K, N> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    const IN_STEP: bool = K::IN_STEP;
    const HELD: bool = K::HELD;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        let key = self.keys.get(b, r, j);
        if r == 0 {
            b.xor(key, self.first[j])
        } else if r == K::ROUNDS {
            b.xor(key, self.last[j])
        } else {
            key
        }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}

/// Round keys as registers, for a long message: where a register holds four blocks, loading a
/// key to all of them takes the unit that moves bytes, which modes need; loading a register
/// does not.
pub struct Spread<K, V> {
    keys: K,
    wide: [V; 15],
}
impl<K, V: Copy> Spread<K, V> {
    #[inline(always)]
    pub fn new<B: Backend<V = V>>(b: B, keys: K) -> Self
    where
        K: Keys<B>,
    {
        let mut wide = [b.zero(); 15];
        if B::BLOCKS == 4 {
            for r in 0..=K::ROUNDS {
                wide[r] = keys.get(b, r, 0);
            }
        }
        Self { keys, wide }
    }
}
impl<B: Backend, K: Keys<B>> Keys<B> for &Spread<K, B::V> {
    const ROUNDS: usize = K::ROUNDS;
    const SHARED: bool = K::SHARED;
    const IN_STEP: bool = true;
    const HELD: bool = true;
    #[inline(always)]
    fn get(&self, b: B, r: usize, j: usize) -> B::V {
        if B::BLOCKS == 4 { self.wide[r] } else { self.keys.get(b, r, j) }
    }
    #[inline(always)]
    fn leaves_out_two(&self) -> bool {
        self.keys.leaves_out_two()
    }
}

/// One block with `first` added before and `last` behind.
#[inline(always)]
pub fn one_block<B: Backend, K: Keys<B>>(b: B, keys: K, x: B::V, first: B::V, last: B::V) -> B::V {
    let mut x = [x];
    b.encrypt(&Masked { keys, first: [first], last: [last] }, &mut x);
    x[0]
}

/// The offsets of a message's blocks, in their order. Registers begin at blocks whose number,
/// from zero on, is a multiple of the blocks in a register.
pub trait Offsets<B: Backend> {
    /// What is kept from group to group.
    type Group;

    /// The offsets of the next register.
    fn register(&self, b: B) -> B::V;
    /// Goes on by a register.
    fn advance(&mut self, b: B);
    /// Before the first group: no register was taken.
    fn begin(&mut self, b: B) -> Self::Group;
    /// The offsets of the next group.
    fn masks(&self, b: B, group: &Self::Group) -> [B::V; WIDTH];
    /// Goes on by a group.
    fn advance_group(&mut self, b: B, group: &mut Self::Group);
    /// Behind the last group.
    fn end(&mut self, b: B, group: Self::Group);
}

/// All of `io`, which is whole blocks; gives the XOR of the plaintext. `offsets` then stand at
/// the register that has the next block, or would have it.
#[inline(always)]
pub fn crypt<B: Backend, K: Keys<B> + Copy, O: Offsets<B>, const SEAL: bool>(
    b: B,
    keys: K,
    offsets: &mut O,
    mut io: InOut<'_>,
) -> One<B> {
    let mut sum = b.zero();
    if io.len() >= WIDTH * B::BYTES {
        let mut group = offsets.begin(b);
        while let Some(mut part) = io.take(WIDTH * B::BYTES) {
            let masks = offsets.masks(b, &group);
            let mut x = [b.zero(); WIDTH];
            for j in 0..WIDTH {
                x[j] = part.load(b, j * B::BYTES);
                if SEAL {
                    sum = b.xor(sum, x[j]);
                }
            }
            both_ways::<B, K, WIDTH, SEAL>(b, keys, masks, &mut x);
            for j in 0..WIDTH {
                if !SEAL {
                    sum = b.xor(sum, x[j]);
                }
                part.store(b, j * B::BYTES, x[j]);
            }
            offsets.advance_group(b, &mut group);
        }
        offsets.end(b, group);
    }
    if B::TOGETHER && io.len() > B::BYTES {
        let (mut x, mut masks) = ([b.zero(); WIDTH], [b.zero(); WIDTH]);
        let n = io.len() / B::BYTES;
        for j in 0..n {
            (x[j], masks[j]) = (io.load(b, j * B::BYTES), offsets.register(b));
            offsets.advance(b);
            if SEAL {
                sum = b.xor(sum, x[j]);
            }
        }
        both_ways::<B, K, WIDTH, SEAL>(b, keys, masks, &mut x);
        let mut part = io.cut(n * B::BYTES);
        for j in 0..n {
            part.store(b, j * B::BYTES, x[j]);
            if !SEAL {
                sum = b.xor(sum, x[j]);
            }
        }
    }
    while let Some(mut part) = io.take(B::BYTES) {
        let mut x = [part.load(b, 0)];
        let before = x[0];
        both_ways::<B, K, 1, SEAL>(b, keys, [offsets.register(b)], &mut x);
        part.store(b, 0, x[0]);
        sum = b.xor(sum, if SEAL { before } else { x[0] });
        offsets.advance(b);
    }
    if B::BLOCKS > 1 && !io.is_empty() {
        let n = io.len();
        let mut x = [io.load_part(b)];
        let before = x[0];
        both_ways::<B, K, 1, SEAL>(b, keys, [offsets.register(b)], &mut x);
        io.store_part(b, x[0]);
        sum = b.xor(sum, if SEAL { before } else { b.keep(x[0], n) });
    }
    b.fold(sum)
}

/// The cipher or its inverse with an offset on both sides.
#[inline(always)]
fn both_ways<B: Backend, K: Keys<B>, const N: usize, const SEAL: bool>(
    b: B,
    keys: K,
    masks: [B::V; N],
    x: &mut [B::V; N],
) {
    let keys = Masked { keys, first: masks, last: masks };
    if SEAL {
        b.encrypt(&keys, x);
    } else {
        b.decrypt(&keys, x);
    }
}

/// The sum of `E(A ^ D)` over the blocks of `data`, which are whole: PMAC.
#[inline(always)]
pub fn pmac<B: Backend, K: Keys<B> + Copy, O: Offsets<B>>(b: B, keys: K, offsets: &mut O, mut data: &[u8]) -> One<B> {
    let (mut sum, none) = (b.zero(), [b.zero(); WIDTH]);
    if data.len() >= WIDTH * B::BYTES {
        let mut group = offsets.begin(b);
        while let Some((front, behind)) = data.split_at_checked(WIDTH * B::BYTES) {
            let first = offsets.masks(b, &group);
            let mut x = none;
            for j in 0..WIDTH {
                x[j] = b.load(&front[j * B::BYTES..]);
            }
            b.encrypt(&Masked { keys, first, last: none }, &mut x);
            for j in 0..WIDTH {
                sum = b.xor(sum, x[j]);
            }
            offsets.advance_group(b, &mut group);
            data = behind;
        }
        offsets.end(b, group);
    }
    while let Some((front, behind)) = data.split_at_checked(B::BYTES) {
        sum = b.xor(sum, one_block(b, keys, b.load(front), offsets.register(b), b.zero()));
        offsets.advance(b);
        data = behind;
    }
    if B::BLOCKS > 1 && !data.is_empty() {
        let x = one_block(b, keys, b.load_part(data), offsets.register(b), b.zero());
        sum = b.xor(sum, b.keep(x, data.len()));
    }
    b.fold(sum)
}

/// Offsets of which each is twice the one before it: 2D, 4D, and so on. Their bytes are
/// reversed.
pub struct Doubling<B: Backend>(B::V);

impl<B: Backend> Doubling<B> {
    /// The first is 2D; `d`, its bytes reversed, is D.
    #[inline(always)]
    pub fn new(b: B, d: One<B>) -> Self {
        let one = b.one();
        let mut lanes = [times_x_to(one, d, 1); 4];
        for i in 1..B::BLOCKS {
            lanes[i] = times_x_to(one, d, 1 + i as u32);
        }
        Self(b.join(lanes))
    }

    /// The offset of block `lane` of the next register, its bytes reversed.
    #[inline(always)]
    pub fn reversed(&self, b: B, lane: usize) -> One<B> {
        b.split(self.0)[lane % 4]
    }
}

impl<B: Backend> Offsets<B> for Doubling<B> {
    type Group = [B::V; WIDTH];

    #[inline(always)]
    fn register(&self, b: B) -> B::V {
        b.rev(self.0)
    }
    #[inline(always)]
    fn advance(&mut self, b: B) {
        self.0 = times_x_to(b, self.0, B::BLOCKS as u32);
    }
    #[inline(always)]
    fn begin(&mut self, b: B) -> [B::V; WIDTH] {
        let mut group = [self.0; WIDTH];
        for j in 1..WIDTH {
            group[j] = times_x_to(b, group[j - 1], B::BLOCKS as u32);
        }
        group
    }
    #[inline(always)]
    fn masks(&self, b: B, group: &[B::V; WIDTH]) -> [B::V; WIDTH] {
        let mut masks = *group;
        for j in 0..WIDTH {
            masks[j] = b.rev(masks[j]);
        }
        masks
    }
    /// Each register of a group by itself, not one by the other, which would be a chain slower
    /// than the cipher.
    #[inline(always)]
    fn advance_group(&mut self, b: B, group: &mut [B::V; WIDTH]) {
        for j in 0..WIDTH {
            group[j] = times_x_to(b, group[j], (WIDTH * B::BLOCKS) as u32);
        }
    }
    #[inline(always)]
    fn end(&mut self, _: B, group: [B::V; WIDTH]) {
        self.0 = group[0];
    }
}
