//! OCB2 (Rogaway, "Efficient instantiations of tweakable blockciphers and refinements to modes
//! OCB and PMAC", ASIACRYPT 2004; ISO/IEC 19772:2009), on AES-128 with 16-byte tags; the
//! associated data by PMAC, its result added to the tag.
//!
//! Status: broken. Inoue, Iwata, Minematsu and Poettering (CRYPTO 2019) forge after one query
//! and recover plaintext: the tag's call of the cipher may be made to meet one of the
//! message's. `tests/archive/ocb2_forgery.rs` runs the smallest of their forgeries. ISO removed
//! it in 2019. Superseded by OCB3 (2011, RFC 7253), which the attacks do not touch. Kept for
//! the comparison of OCB's three versions by Krovetz and Rogaway (FSE 2011), and to be
//! attacked.
//!
//! Every offset is twice the one before it. A register holds those of as many blocks as it has;
//! eight registers are in flight, each going on by a whole group at once, so that no block waits
//! for the one before it.

use crate::about::{About, RepeatedNonce, Status};
use crate::archived::Archived;
use crate::field::big_endian::times_x_to;
use crate::nonce;
use crate::xex::{Doubling, One, crypt, is_few, one_block, pmac};
use combseal::cpu::{Aes, Backend, Block, Dec, Enc, Kernel, ReturnedBlock};
use combseal::internals::{InOut, filled};
use combseal::{Aes128, Cpu, secret};

/// A key of OCB2.
pub struct Ocb2 {
    enc: <Aes128 as Aes>::Enc,
    dec: <Aes128 as Aes>::Dec,
    /// What PMAC's offsets begin with, 9 E(0), its bytes reversed.
    pmac: Block,
    cpu: Cpu,
}
secret!(Ocb2 { enc, dec, pmac, cpu });

impl Archived for Ocb2 {
    const ABOUT: &'static About = &About {
        name: "OCB2-AES-128",
        family: "ocb2",
        repeated_nonce: RepeatedNonce::BlocksAndForgeries,
        source: "Rogaway, ASIACRYPT 2004; ISO/IEC 19772:2009",
        status: Status::Broken,
        history: "forged after one query, and plaintext recovered, by Inoue, Iwata, Minematsu and Poettering (CRYPTO \
                  2019); removed by ISO; superseded by OCB3",
        known_answers: &["ocb2_aes128"],
        ..About::USUAL
    };

    fn build(cpu: Cpu, key: &[u8]) -> Self {
        filled(|it: &mut Self| {
            it.cpu = cpu;
            cpu.run(SetUp { key, it });
        })
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &mut [u8]) {
        let tag = self.cpu.run(Seal(Message { key: self, nonce, ad, io }));
        tail.copy_from_slice(&tag.block());
    }

    #[inline(always)]
    fn open(&self, nonce: &[u8], ad: &[u8], io: InOut<'_>, tail: &[u8]) -> bool {
        self.cpu.run(Open(Message { key: self, nonce, ad, io }, tail))
    }
}

/// 3V.
#[inline(always)]
fn triple<B: Backend>(one: B, v: B::V) -> B::V {
    one.xor(v, times_x_to(one, v, 1))
}

struct SetUp<'a> {
    key: &'a [u8],
    it: &'a mut Ocb2,
}
impl Kernel for SetUp<'_> {
    type Out = ();
    const MODELS: crate::models::Models = crate::models::MODELS;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (one, it) = (b.one(), self.it);
        b.expand::<Aes128>(self.key, &mut it.enc);
        b.invert::<Aes128>(&it.enc, &mut it.dec);
        let zero = one.zero();
        let l = one.rev(one_block(one, Enc(&it.enc), zero, zero, zero));
        one.store(&mut it.pmac, triple(one, triple(one, l)));
    }
}

/// One message.
struct Message<'a> {
    key: &'a Ocb2,
    nonce: &'a [u8],
    ad: &'a [u8],
    io: InOut<'a>,
}

struct Seal<'a>(Message<'a>);
impl Kernel for Seal<'_> {
    type Out = ReturnedBlock;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let one = b.one();
        one.returned(if is_few::<B>(&self.0.io) { self.0.ocb2::<_, true>(one) } else { self.0.ocb2::<_, true>(b) })
    }
}

struct Open<'a>(Message<'a>, &'a [u8]);
impl Kernel for Open<'_> {
    type Out = bool;
    const MODELS: crate::models::Models = crate::models::MODELS;
    const SPILLS: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> bool {
        let one = b.one();
        let few = is_few::<B>(&self.0.io);
        one.begins(if few { self.0.ocb2::<_, false>(one) } else { self.0.ocb2::<_, false>(b) }, self.1)
    }
}

impl Message<'_> {
    /// PMAC of the associated data; zero if there is none.
    #[inline(always)]
    fn pmac<B: Backend>(&self, b: B) -> One<B> {
        let (one, keys) = (b.one(), Enc(&self.key.enc));
        if self.ad.is_empty() {
            return one.zero();
        }
        let mut offsets = Doubling::new(b, one.load(&self.key.pmac));
        let (whole, last) = self.ad.split_at((self.ad.len() - 1) / 16 * 16);
        let sum = pmac(b, keys, &mut offsets, whole);
        let mut offset = triple(one, offsets.reversed(b, whole.len() / 16 % B::BLOCKS));
        let mut block = one.load_part(last);
        if last.len() < 16 {
            offset = triple(one, offset);
            block = one.xor(block, one.padding(last.len()));
        }
        one_block(one, keys, one.xor(sum, block), one.rev(offset), one.zero())
    }

    /// Gives the tag.
    #[inline(always)]
    fn ocb2<B: Backend, const SEAL: bool>(mut self, b: B) -> One<B> {
        let (one, enc) = (b.one(), Enc(&self.key.enc));
        let zero = one.zero();
        let delta = one_block(one, enc, nonce::register(one, nonce::number::<16>(self.nonce)), zero, zero);
        let auth = self.pmac(b);
        let mut offsets = Doubling::new(b, one.rev(delta));
        // The last block takes the length, and is treated apart even if it is whole.
        let whole = self.io.cut(self.io.len().saturating_sub(1) / 16 * 16);
        let lane = whole.len() / 16 % B::BLOCKS;
        let sum = if SEAL {
            crypt::<_, _, _, true>(b, enc, &mut offsets, whole)
        } else {
            crypt::<_, _, _, false>(b, Dec(&self.key.enc, &self.key.dec), &mut offsets, whole)
        };
        let delta = offsets.reversed(b, lane);
        let n = self.io.len();
        let len = one.load(&(8 * n as u128).to_be_bytes());
        let pad = one_block(one, enc, len, one.rev(delta), zero);
        let from = self.io.load_part(one);
        let to = one.xor(from, pad);
        self.io.store_part(one, to);
        let c = if SEAL { one.keep(to, n) } else { from };
        one_block(one, enc, one.xor(sum, one.xor(c, pad)), one.rev(triple(one, delta)), auth)
    }
}
