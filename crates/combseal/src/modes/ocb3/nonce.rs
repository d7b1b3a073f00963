//! From the nonce to the first offset (Krovetz and Rogaway 2021, Fig. 1, lines
//! 120 to 126), and what a sender may keep between messages.

use super::Ocb3;
use crate::cpu::{Aes, Backend, Block, Enc};
use zeroize::Zeroize;

/// Ktop stretched: 64 consecutive nonces share it.
#[derive(Default)]
struct Stretch {
    high: u64,
    low: u64,
    /// The first eight bytes of Ktop ^ (Ktop << 8).
    more: u64,
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
        self.stretch.high.zeroize();
        self.stretch.low.zeroize();
        self.stretch.more.zeroize();
        self.hash.zeroize();
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
    /// The hash of `ad`, if it is the last that was kept. `ad` is not empty.
    #[inline(always)]
    pub(super) fn hash(&self, ad: &[u8]) -> Option<&Block> {
        if self.ad.as_slice() == ad { Some(&self.hash) } else { None }
    }

    /// Keeps the hash of `ad`.
    #[inline]
    pub(super) fn keep(&mut self, ad: &[u8], hash: Block) {
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
    let word = |i: usize| u32::from_be_bytes([nonce[i], nonce[i + 1], nonce[i + 2], nonce[i + 3]]) as u128;
    let number = if nonce.len() == 12 {
        // Loads of four bytes, because callers count in the last four: a wider
        // load would wait for the narrower store.
        word(0) << 64 | word(4) << 32 | word(8)
    } else {
        nonce.iter().fold(0, |n, &b| n << 8 | b as u128)
    };
    (named_tag_bits as u128) << 121 | 1 << (8 * nonce.len()) | number
}

/// The first offset.
#[inline(always)]
pub(super) fn initial<A: Aes, B: Backend>(b: B, key: &Ocb3<A>, cache: Option<&mut Cache>, nonce: &[u8]) -> B::V {
    let block = block(key.named_tag_bits, nonce);
    let (top, bottom) = (block & !63, block as u32 & 63);
    let stretch = match cache {
        Some(cache) => {
            if cache.top != top {
                cache.stretch = stretch(b, key, top);
                cache.top = top;
            }
            &cache.stretch
        }
        None => &stretch(b, key, top),
    };
    let Stretch { high, low, more } = *stretch;
    // Shifts of 64 - bottom, in two steps as bottom may be zero.
    let high = high << bottom | low >> 1 >> (63 - bottom);
    let low = low << bottom | more >> 1 >> (63 - bottom);
    b.load(&((high as u128) << 64 | low as u128).to_be_bytes())
}

#[inline(always)]
fn stretch<A: Aes, B: Backend>(b: B, key: &Ocb3<A>, top: u128) -> Stretch {
    let mut x = [b.load(&top.to_be_bytes())];
    b.encrypt(&Enc(&key.enc), &mut x);
    let mut ktop = [0; 16];
    b.store(&mut ktop, x[0]);
    let ktop = u128::from_be_bytes(ktop);
    let (high, low) = ((ktop >> 64) as u64, ktop as u64);
    Stretch { high, low, more: high ^ (high << 8 | low >> 56) }
}
