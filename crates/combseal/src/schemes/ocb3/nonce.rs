//! From the nonce to the first offset (Krovetz and Rogaway 2021, Fig. 1, lines
//! 120 to 126), and what a sender may keep between messages.

use super::key::Material;
use crate::cpu::{Backend, Block, Enc, Invertible, narrow_load};
use crate::memory::wipe::Wipe;

/// Ktop stretched, as two little-endian numbers for each half of an offset: 64
/// consecutive nonces share it.
#[derive(Default)]
struct Stretch {
    /// The second and the first eight bytes of Ktop.
    ktop: Block,
    /// What follows each of them: the first eight bytes of Ktop ^ (Ktop << 8),
    /// and the second of Ktop.
    behind: Block,
}

/// No nonce's block: the last six bits of a block that Ktop comes from are zero, these
/// are not. (All zero would be a block, that of the empty nonce with a 16-byte tag.)
const NO_TOP: [u32; 4] = [0, 0, 0, CHOICE];

/// The bits of the nonce block's last word that choose from Ktop, and are not part of
/// the block that it comes from.
const CHOICE: u32 = u32::from_ne_bytes([0, 0, 0, 63]);

/// The last Ktop, stretched, and the last hash of associated data.
pub struct Cache {
    /// The nonce block that Ktop came from, as its words stand in memory; [`NO_TOP`] if
    /// there is no Ktop.
    top: [u32; 4],
    stretch: Stretch,
    ad: Kept,
    hash: Block,
}

impl Default for Cache {
    fn default() -> Self {
        Self { top: NO_TOP, stretch: Stretch::default(), ad: Kept::default(), hash: [0; 16] }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.wipe();
    }
}

#[cfg(feature = "alloc")]
impl crate::interface::scheme::Forget for Cache {
    fn forget(&mut self) {
        self.wipe();
        self.top = NO_TOP;
        self.ad.clear();
    }
}

/// Associated data as it was last hashed: of any length where there is an
/// allocator that has room for it, else of up to 64 bytes.
#[cfg(feature = "alloc")]
type Kept = alloc::vec::Vec<u8>;
#[cfg(not(feature = "alloc"))]
#[derive(Default)]
struct Kept {
    bytes: [[u8; 32]; 2],
    len: usize,
}

#[cfg(not(feature = "alloc"))]
impl Kept {
    fn as_slice(&self) -> &[u8] {
        &self.bytes.as_flattened()[..self.len]
    }
}

impl Cache {
    fn wipe(&mut self) {
        self.stretch.ktop.wipe();
        self.stretch.behind.wipe();
        self.hash.wipe();
    }

    /// The hash of `ad`, which is not empty: kept, or computed and then kept.
    #[inline(always)]
    pub(super) fn hash(&mut self, ad: &[u8], hash: &mut Block, compute: impl FnOnce(&mut Block)) {
        if self.ad.as_slice() == ad {
            *hash = self.hash;
        } else {
            compute(hash);
            self.keep(ad, *hash);
        }
    }

    /// Keeps the hash of `ad`, or nothing where there is no memory for `ad`: the next message then
    /// hashes it once more.
    #[inline(never)]
    fn keep(&mut self, ad: &[u8], hash: Block) {
        #[cfg(feature = "alloc")]
        {
            self.ad.clear();
            if self.ad.try_reserve(ad.len()).is_err() {
                return;
            }
            self.ad.extend_from_slice(ad);
        }
        #[cfg(not(feature = "alloc"))]
        {
            let room = self.ad.bytes.as_flattened_mut();
            self.ad.len = 0;
            if ad.len() > room.len() {
                return;
            }
            room[..ad.len()].copy_from_slice(ad);
            self.ad.len = ad.len();
        }
        self.hash = hash;
    }
}

/// The nonce block as its words stand in memory: the tag length in seven bits, zeros,
/// a one, the nonce.
#[inline(always)]
fn block(named_tag_bits: u8, nonce: &[u8]) -> [u32; 4] {
    if let ([a, b, c], []) = nonce.as_chunks::<4>() {
        let first = u32::from_ne_bytes([named_tag_bits << 1, 0, 0, 1]);
        let word = |bytes| u32::from_ne_bytes(narrow_load(bytes));
        return [first, word(a), word(b), word(c)];
    }
    let bytes = number(named_tag_bits, nonce).to_be_bytes();
    let word = |i: usize| u32::from_ne_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    [word(0), word(4), word(8), word(12)]
}

/// The nonce block of a nonce that has not 12 bytes, as a number. A function of its own, for all
/// kernels: its loop would cost each of them registers, which also the usual nonces would have to
/// save.
#[inline(never)]
fn number(named_tag_bits: u8, nonce: &[u8]) -> u128 {
    let number = nonce.iter().fold(1, |n, &b| n << 8 | u128::from(b));
    u128::from(named_tag_bits) << 121 | number
}

/// The first offset.
#[inline(always)]
pub(super) fn initial<S: Invertible, B: Backend>(
    b: B,
    key: &Material<S>,
    cache: Option<&mut Cache>,
    nonce: &[u8],
) -> B::V {
    let [w0, w1, w2, w3] = block(key.named_tag_bits, nonce);
    let (top, bottom) = ([w0, w1, w2, w3 & !CHOICE], u32::from_be(w3) & 63);
    let (ktop, behind) = match cache {
        Some(cache) if differ(&cache.top, &top) == 0 => (b.load(&cache.stretch.ktop), b.load(&cache.stretch.behind)),
        Some(cache) => {
            let (ktop, behind) = stretch(b, key, &top);
            b.store(&mut cache.stretch.ktop, ktop);
            b.store(&mut cache.stretch.behind, behind);
            cache.top = top;
            (ktop, behind)
        }
        None => stretch(b, key, &top),
    };
    b.rev(b.xor(b.shl64(ktop, bottom), b.shr64(behind, 64 - bottom)))
}

/// Zero if both are the same.
#[inline(always)]
fn differ(a: &[u32; 4], b: &[u32; 4]) -> u32 {
    a[0] ^ b[0] | a[1] ^ b[1] | a[2] ^ b[2] | a[3] ^ b[3]
}

#[inline(always)]
fn stretch<S: Invertible, B: Backend>(b: B, key: &Material<S>, top: &[u32; 4]) -> (B::V, B::V) {
    let mut block = [0; 16];
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(top) {
        *bytes = word.to_ne_bytes();
    }
    let mut x = [b.load(&block)];
    b.encrypt(&Enc(&key.enc), &mut x);
    stretched(b, x[0])
}

/// Ktop as two little-endian numbers for each half of an offset, and what follows each of them:
/// [`Stretch`], in every lane.
#[inline(always)]
pub(super) fn stretched<B: Backend>(b: B, ktop: B::V) -> (B::V, B::V) {
    // As a little-endian number, Ktop has its first bytes in the high half.
    let (ktop, low) = (b.rev(ktop), b.splat(&u128::from(u64::MAX).to_le_bytes()));
    let swapped = b.swap(ktop);
    let shifted = b.xor(b.shl64(swapped, 8), b.shr64(ktop, 56));
    (ktop, b.xor(swapped, b.and(shifted, low)))
}
