//! AEGIS (Wu and Preneel, 2013 and v1.1, 2016; draft-irtf-cfrg-aegis-aead):
//! 128, 128L, 256, and the forms with several states side by side, 128X and 256X.
//!
//! The three shapes of the state have a file each, and `family` says who has which;
//! here are what they share (absorb, seal, open, check) and the key types. A message is
//! one chain of updates, so latency is what counts: AESENC takes its key as late as its
//! state on some CPUs (Zen), so a word that messages go into, which would wait for
//! AESENC and an XOR in each update, is XORed in behind AESENC instead.

#[cfg(feature = "alloc")]
mod comb;
mod family;
mod state;
mod state128;
mod state128l;
mod state256;
#[cfg(feature = "alloc")]
use crate::cpu::Cpu;
use crate::cpu::{Aes128, Backend, Block, InOut, Kernel, ReturnedBlock, equal};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::secret;
#[cfg(feature = "alloc")]
use crate::pipeline::{
    jobs::{Many, SideBySide},
    lockstep::LaneKeys,
};
#[cfg(feature = "alloc")]
use comb::Together;
use core::marker::PhantomData;
use family::{Family, Long, Short, Task, Wide, blocks, lengths};
use state::{State, fold, nonce_block};

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// The longest message and associated data in bytes: their bits are counted in
/// 64 bits (draft, 3 and 4: P_MAX, A_MAX).
const MAX_LEN: u64 = (1 << 61) - 1;

/// Absorbs the associated data, zeros behind it to the end of an update's share.
#[inline(always)]
fn absorb<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize>(
    b: B,
    mut s: S,
    ad: &[u8],
) -> S {
    let mut shares = ad.chunks_exact(W * B::BYTES);
    for share in &mut shares {
        let mut m = [b.zero(); W];
        for j in 0..W {
            m[j] = b.load(&share[j * B::BYTES..]);
        }
        s = s.update(b, m, [b.zero(); W]);
    }
    let mut rest = shares.remainder();
    if !rest.is_empty() {
        let mut m = [b.zero(); W];
        for j in 0..W {
            let (part, more) = rest.split_at(rest.len().min(B::BYTES));
            m[j] = b.load_part(part);
            rest = more;
        }
        s = s.update(b, m, [b.zero(); W]);
    }
    s
}

/// Encrypts (`SEAL`) or decrypts a message; absorbs its plaintext either way.
#[inline(always)]
fn crypt<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize, const SEAL: bool>(
    b: B,
    mut s: S,
    mut io: InOut<'_>,
) -> S {
    let zero = [b.zero(); W];
    while let Some(mut share) = io.take(W * B::BYTES) {
        let z = s.stream(b);
        let (mut x, mut y) = (z, z);
        for j in 0..W {
            x[j] = share.load(b, j * B::BYTES);
            y[j] = b.xor(x[j], z[j]);
            share.store(b, j * B::BYTES, y[j]);
        }
        s = if SEAL { s.update(b, x, zero) } else { s.update(b, zero, y) };
    }
    if !io.is_empty() {
        let z = s.stream(b);
        let (mut x, mut y) = (z, z);
        for j in 0..W {
            let n = io.len().min(B::BYTES);
            let mut part = io.cut(n);
            x[j] = part.load_part(b);
            y[j] = b.xor(x[j], z[j]);
            part.store_part(b, y[j]);
            // What is absorbed has zeros behind it, not key stream.
            y[j] = b.keep(y[j], n);
        }
        s = if SEAL { s.update(b, x, zero) } else { s.update(b, zero, y) };
    }
    s
}

/// Finalize: the state that has absorbed `ad_len` and then `len` bytes.
#[inline(always)]
fn finish<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize>(
    b: B,
    s: S,
    ad_len: usize,
    len: usize,
) -> S {
    s.finish(b, [b.splat(&lengths(ad_len, len)); R])
}

/// Init of one message, its key and nonce in every lane.
#[inline(always)]
fn init<B: Backend, S: State<B, K, R, W>, const K: usize, const R: usize, const W: usize>(
    b: B,
    key: &[Block; K],
    nonce: &[Block; K],
) -> S {
    let (mut k, mut n) = ([[b.zero(); R]; K], [[b.zero(); R]; K]);
    for i in 0..K {
        k[i] = [b.splat(&key[i]); R];
        n[i] = [b.splat(&nonce_block(&nonce[i])); R];
    }
    S::new(b, k, n)
}

struct Seal<'a, const K: usize> {
    key: &'a [Block; K],
    nonce: &'a [Block; K],
    ad: &'a [u8],
    io: InOut<'a>,
    /// For the second half of a 32-byte tag.
    second: Option<&'a mut Block>,
}
impl<const K: usize> Task<K> for Seal<'_, K> {
    type Out = ReturnedBlock;
    #[inline(always)]
    fn run<B: Backend, S: State<B, K, R, W>, const R: usize, const W: usize>(self, b: B) -> ReturnedBlock {
        let len = self.io.len();
        let s = absorb(b, init::<B, S, K, R, W>(b, self.key, self.nonce), self.ad);
        let s = crypt::<B, S, K, R, W, true>(b, s, self.io);
        let s = finish(b, s, self.ad.len(), len);
        let Some(second) = self.second else { return b.one().returned(fold(b, s.tag128(b))) };
        let [first, last] = s.tag256(b);
        let t = [fold(b, first), fold(b, last)];
        b.one().store(second, t[1]);
        b.one().returned(t[0])
    }
}

struct Open<'a, const K: usize> {
    key: &'a [Block; K],
    nonce: &'a [Block; K],
    ad: &'a [u8],
    io: InOut<'a>,
    tag: &'a [u8],
}
impl<const K: usize> Task<K> for Open<'_, K> {
    type Out = bool;
    #[inline(always)]
    fn run<B: Backend, S: State<B, K, R, W>, const R: usize, const W: usize>(self, b: B) -> bool {
        let len = self.io.len();
        let s = absorb(b, init::<B, S, K, R, W>(b, self.key, self.nonce), self.ad);
        let s = crypt::<B, S, K, R, W, false>(b, s, self.io);
        let s = finish(b, s, self.ad.len(), len);
        // Lengths known here, so that the comparison is one of registers or of a few words.
        if let Ok(tag) = <&Block>::try_from(self.tag) {
            b.one().begins(fold(b, s.tag128(b)), tag)
        } else if let Ok(tag) = <&[u8; 32]>::try_from(self.tag) {
            let [first, last] = s.tag256(b);
            equal([b.one().block(fold(b, first)), b.one().block(fold(b, last))].as_flattened(), tag)
        } else {
            false
        }
    }
}

/// A task of a family, as a kernel.
struct On<F, T, const K: usize>(T, PhantomData<F>);
impl<F: Family<K>, T: Task<K>, const K: usize> Kernel for On<F, T, K> {
    type Out = T::Out;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> T::Out {
        F::run(b, self.0)
    }
}

/// Whether all lengths are the family's, with nonces of `K` blocks.
#[inline(always)]
fn check<const K: usize>(nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
    if nonce.len() != 16 * K {
        return Err(Error::NonceLength);
    }
    if len as u64 > MAX_LEN {
        return Err(Error::MessageTooLong);
    }
    if ad.len() as u64 > MAX_LEN {
        return Err(Error::AdTooLong);
    }
    Ok(())
}

/// Declares the key types.
macro_rules! aegis {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $id:literal, $source:literal, $family:ty,
        $k:literal blocks ($bytes:literal bytes), tags $lens:literal [$($tag:literal),+], messages $messages:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// A nonce must not be used twice with one key, not with different tag
        /// lengths either (draft, 10.1.1): two messages would show the XOR of
        /// their plaintexts, and the state could be recovered.
        pub struct $name {
            key: [Block; $k],
            settings: Settings,
        }
        secret!($name { key, settings });

        impl $name {
            scheme::constructors! {
                new [u8; $bytes], $bytes;
                tags $lens;
            }
        }

        impl Keyed for $name {
            const DESCRIPTION: &'static Description = &Description {
                name: $text,
                family: $id,
                key_len: $bytes,
                key_bits: 8 * $bytes,
                nonce_len: $bytes,
                nonce_lens: $bytes..=$bytes,
                shortest_nonce: $bytes,
                tag_lens: &[$($tag),+],
                limits: Limits { message: MAX_LEN, ad: MAX_LEN, key_blocks: u64::MAX, key_messages: $messages },
                limits_source: "messages and associated data of 2^61 - 1 bytes each (draft-irtf-cfrg-aegis-aead, \
                    3, 4 and 5); under one key 2^48 messages with 16-byte nonces, any number with 32-byte ones, as \
                    the draft says of random nonces (10.1.1); it names no limit for blocks",
                source: $source,
                repeated_nonce: RepeatedNonce::BothAndForgeries,
                ..Description::USUAL
            };

            #[inline(always)]
            fn settings_mut(&mut self) -> &mut Settings {
                &mut self.settings
            }

            fn fill(&mut self, key: &[u8]) {
                self.key.as_flattened_mut().copy_from_slice(key);
            }
        }

        const _: () = {
        crate::cpu::prebuilt! {
            SealDoors<'a, A> = On<$family, Seal<'a, $k>, $k> => ReturnedBlock, [128];
            OpenDoors<'a, A> = On<$family, Open<'a, $k>, $k> => bool, [128];
        }

        impl Scheme for $name {
            type Cache = Cache;

            scheme::described!();
        }

        impl Raw for $name {
            #[inline]
            fn check(&self, nonce: &[u8], ad: &[u8], len: usize) -> Result<(), Error> {
                check::<$k>(nonce, ad, len)
            }
            #[inline]
            fn seal_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                second: &mut Block,
            ) -> ReturnedBlock {
                let second = if self.settings.tag_len() > 16 { Some(second) } else { None };
                let task = Seal { key: &self.key, nonce: blocks(nonce), ad, io, second };
                self.settings.cpu.run_prebuilt::<SealDoors, Aes128>(On(task, PhantomData))
            }

            #[inline]
            fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
                let task = Open { key: &self.key, nonce: blocks(nonce), ad, io, tag };
                self.settings.cpu.run_prebuilt::<OpenDoors, Aes128>(On(task, PhantomData))
            }
        }
        };

        #[cfg(feature = "alloc")]
        impl comb::Keyed<$k> for $name {
            #[inline(always)]
            fn key(&self) -> &[Block; $k] {
                &self.key
            }
        }

        #[cfg(feature = "alloc")]
        impl Many for $name {
            const TOGETHER: bool = <$family>::TOGETHER;

            #[inline(always)]
            fn together(cpu: Cpu) -> bool {
                <$family>::together(cpu)
            }

            #[inline(always)]
            fn side_by_side<J>(group: &SideBySide<'_, '_, J, Self>, open: bool, _: &mut LaneKeys) {
                let (cpu, family) = (group.cpu, PhantomData::<$family>);
                if open {
                    cpu.run(Together::<_, _, _, $k, true> { group, family });
                } else {
                    cpu.run(Together::<_, _, _, $k, false> { group, family });
                }
            }
        }

        impl Aead for $name {}
    )*};
}

aegis! {
    /// AEGIS-128 (Wu and Preneel, v1.1, 2016, section 2), the winner of CAESAR
    /// for high speed: 16-byte keys, nonces and tags, 16 bytes an update.
    Aegis128, "AEGIS-128", "aegis-128", "Wu and Preneel, CAESAR 2016", Short,
        1 blocks (16 bytes), tags "16" [16], messages 1 << 48;

    /// AEGIS-128L (Wu and Preneel, v1.1, 2016, section 4; draft, 3): 16-byte keys
    /// and nonces, 32 bytes an update. The fastest for one message at a time
    /// without VAES.
    Aegis128L, "AEGIS-128L", "aegis-128l", "draft-irtf-cfrg-aegis-aead", Long<1>,
        1 blocks (16 bytes), tags "16 or 32" [16, 32], messages 1 << 48;

    /// AEGIS-256 (Wu and Preneel, v1.1, 2016, section 3; draft, 4): 32-byte keys
    /// and nonces, which may be random without limit; 16 bytes an update.
    Aegis256, "AEGIS-256", "aegis-256", "draft-irtf-cfrg-aegis-aead", Wide<1>,
        2 blocks (32 bytes), tags "16 or 32" [16, 32], messages u64::MAX;

    /// AEGIS-128X2 (Denis, 2023; draft, 5.4): two states of AEGIS-128L side by
    /// side, 64 bytes an update, for 256-bit VAES.
    Aegis128X2, "AEGIS-128X2", "aegis-128x2", "draft-irtf-cfrg-aegis-aead", Long<2>,
        1 blocks (16 bytes), tags "16 or 32" [16, 32], messages 1 << 48;

    /// AEGIS-128X4 (Denis, 2023; draft, 5.4): four states of AEGIS-128L side by
    /// side, 128 bytes an update, for 512-bit VAES.
    Aegis128X4, "AEGIS-128X4", "aegis-128x4", "draft-irtf-cfrg-aegis-aead", Long<4>,
        1 blocks (16 bytes), tags "16 or 32" [16, 32], messages 1 << 48;

    /// AEGIS-256X2 (Denis, 2023; draft, 5.5): two states of AEGIS-256 side by
    /// side, 32 bytes an update, for 256-bit VAES.
    Aegis256X2, "AEGIS-256X2", "aegis-256x2", "draft-irtf-cfrg-aegis-aead", Wide<2>,
        2 blocks (32 bytes), tags "16 or 32" [16, 32], messages u64::MAX;

    /// AEGIS-256X4 (Denis, 2023; draft, 5.5): four states of AEGIS-256 side by
    /// side, 64 bytes an update, for 512-bit VAES.
    Aegis256X4, "AEGIS-256X4", "aegis-256x4", "draft-irtf-cfrg-aegis-aead", Wide<4>,
        2 blocks (32 bytes), tags "16 or 32" [16, 32], messages u64::MAX;
}
