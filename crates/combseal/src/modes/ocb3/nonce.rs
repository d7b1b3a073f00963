//! From the nonce to the first offset (Krovetz and Rogaway 2021, Fig. 1, lines
//! 120 to 126), and what a sender may keep between messages.

use super::Ocb3;
use crate::cpu::{Aes, Backend, Block, Enc, narrow_load};
use crate::wipe::Wipe;

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

/// See [`Stretch`].
#[inline(always)]
fn behind(ktop: u128) -> u128 {
    ktop << 64 | (ktop ^ ktop << 8) >> 64
}

/// The last Ktop, stretched, and the last hash of associated data.
#[derive(Default)]
pub(crate) struct Cache {
    /// The nonce block that Ktop came from; never all zero, as a nonce block
    /// has a one before the nonce.
    top: u128,
    stretch: Stretch,
    ad: Kept,
    hash: Block,
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.stretch.ktop.wipe();
        self.stretch.behind.wipe();
        self.hash.wipe();
    }
}

/// Associated data as it was last hashed: of any length where there is an
/// allocator, else of up to 64 bytes.
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
    /// Forgets all: another key's turn.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn forget(&mut self) {
        self.top = 0;
        self.ad.clear();
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

    /// Keeps the hash of `ad`.
    #[inline(never)]
    fn keep(&mut self, ad: &[u8], hash: Block) {
        #[cfg(feature = "alloc")]
        {
            self.ad.clear();
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

/// The nonce block: the tag length in seven bits, zeros, a one, the nonce.
#[inline(always)]
pub(super) fn block(named_tag_bits: u8, nonce: &[u8]) -> u128 {
    let number = if let ([a, b, c], []) = nonce.as_chunks::<4>() {
        let word = |w| narrow_load(w) as u128;
        1 << 96 | word(a) << 64 | word(b) << 32 | word(c)
    } else {
        nonce.iter().fold(1, |n, &b| n << 8 | b as u128)
    };
    (named_tag_bits as u128) << 121 | number
}

/// The first offset.
#[inline(always)]
pub(super) fn initial<A: Aes, B: Backend>(b: B, key: &Ocb3<A>, cache: Option<&mut Cache>, nonce: &[u8]) -> B::V {
    let block = block(key.named_tag_bits, nonce);
    let (top, bottom) = (block & !63, block as u32 & 63);
    let (ktop, behind) = match cache {
        Some(cache) if cache.top == top => (b.load(&cache.stretch.ktop), b.load(&cache.stretch.behind)),
        Some(cache) => {
            let (ktop, behind) = stretch(b, key, top);
            b.store(&mut cache.stretch.ktop, ktop);
            b.store(&mut cache.stretch.behind, behind);
            cache.top = top;
            (ktop, behind)
        }
        None => stretch(b, key, top),
    };
    b.rev(b.xor(b.shl64(ktop, bottom), b.shr64(behind, 64 - bottom)))
}

#[inline(always)]
fn stretch<A: Aes, B: Backend>(b: B, key: &Ocb3<A>, top: u128) -> (B::V, B::V) {
    let mut x = [b.load(&top.to_be_bytes())];
    b.encrypt(&Enc(&key.enc), &mut x);
    let mut bytes = [0; 16];
    b.store(&mut bytes, x[0]);
    (b.rev(x[0]), b.load(&behind(u128::from_be_bytes(bytes)).to_le_bytes()))
}
