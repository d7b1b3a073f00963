//! A message in parts: between two blocks of key stream all that is known of it is its key and nonce,
//! how many blocks came, and the authenticator so far.

use super::{Pass, one_time};
use crate::cpu::{Backend, Block, InOut, Kernel, ReturnedBlock};
use crate::interface::parts::Progress;
use crate::raw::chacha20::{Nothing, Start};
use crate::raw::poly1305::Poly1305;

/// Bytes in a block of key stream.
pub(super) const BLOCK: usize = 64;

/// What is kept: the key, of XChaCha20 the derived one, in the first two blocks of
/// [`Progress::blocks`]; the nonce in the third; the authenticator in four more.
pub(super) struct Kept<'a> {
    key: &'a [u8; 32],
    nonce: &'a Block,
    mac: &'a mut [Block; 4],
    /// The number of the next block of key stream: block 0 is the authenticator's key.
    number: u32,
    ad_len: u64,
}

impl<'a> Kept<'a> {
    /// Puts key and nonce there, before anything is done.
    pub fn put(at: &mut Progress, key: &[u8; 32], nonce: &[u8; 12]) {
        at.blocks.as_flattened_mut()[..32].copy_from_slice(key);
        at.blocks[2][..12].copy_from_slice(nonce);
    }

    pub fn of(at: &'a mut Progress) -> Self {
        // As many blocks as the longest message has fit into 32 bits.
        let (number, ad_len) = ((at.done() / BLOCK as u64) as u32 + 1, at.ad_len());
        let (key, rest) = at.blocks.split_at_mut(2);
        let (Ok(key), Some((nonce, rest))) = (key.as_flattened().try_into(), rest.split_first_mut()) else {
            unreachable!("eight blocks")
        };
        let Some((mac, _)) = rest.split_first_chunk_mut() else { unreachable!("eight blocks") };
        Self { key, nonce, mac, number, ad_len }
    }

    #[inline(always)]
    fn start(&self) -> Start<'a> {
        let (words, _) = self.nonce.as_chunks();
        let word = |i: usize| u32::from_le_bytes(words[i]);
        Start::new(self.key, [word(0), word(1), word(2)])
    }

    /// Seals or opens, and absorbs.
    #[inline(always)]
    fn crypt<B: Backend, const SEAL: bool>(&mut self, b: B, io: &mut InOut<'_>) -> Poly1305 {
        let (start, len) = (self.start(), io.len());
        let mut mac = Poly1305::kept(self.mac);
        if !SEAL {
            mac.update_long(b, io.src());
        }
        let (mut pass, mut at, mut number) = (Pass::empty(b, &start), 0, self.number);
        while at < len {
            if const { B::WORDS } {
                pass.fill(b, &start, number, len - at, &mut Nothing);
            } else {
                (pass.stream[0], pass.registers) = (start.plain(b, number, len - at), 16);
            }
            number = number.wrapping_add(pass.blocks());
            at = pass.apply(b, 0, io, at);
        }
        if SEAL {
            mac.update_long(b, io.written());
        }
        mac
    }
}

/// The authenticator's key, and the associated data.
pub(super) struct Begin<'a> {
    pub kept: Kept<'a>,
    pub ad: &'a [u8],
}
impl Kernel for Begin<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { kept, ad } = self;
        let stream = [kept.start().plain(b, 0, BLOCK)];
        let mut mac = one_time(b, &stream[0]);
        mac.update_long(b, ad);
        mac.keep(kept.mac);
    }
}

/// The next part: whole blocks of key stream.
pub(super) struct Part<'a, const SEAL: bool> {
    pub kept: Kept<'a>,
    pub io: InOut<'a>,
}
impl<const SEAL: bool> Kernel for Part<'_, SEAL> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { mut kept, mut io } = self;
        let mac = if const { B::WORDS } {
            kept.crypt::<_, SEAL>(b.wide(), &mut io)
        } else {
            kept.crypt::<_, SEAL>(b, &mut io)
        };
        mac.keep(kept.mac);
    }
}

/// The end: less than a block of key stream, or nothing, and the tag.
pub(super) struct End<'a, const SEAL: bool> {
    pub kept: Kept<'a>,
    /// Bytes of message before this.
    pub done: u64,
    pub io: InOut<'a>,
}
impl<const SEAL: bool> Kernel for End<'_, SEAL> {
    type Out = ReturnedBlock;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let Self { mut kept, done, mut io } = self;
        let mut mac = kept.crypt::<_, SEAL>(b, &mut io);
        let all = done + io.len() as u64;
        mac.block(u128::from(kept.ad_len) | u128::from(all) << 64);
        ReturnedBlock::new(mac.tag())
    }
}
