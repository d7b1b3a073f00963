//! CCM on lanes: the chains of up to 16 messages side by side, then counter mode
//! over each (Bogdanov, Lauridsen and Tischhauser 2014, 5.1).
//!
//! First blocks, tails and the tags' pads of all messages share the pipeline too.

use super::super::ctr;
use super::super::many::{Group, Many};
use super::super::strands::Strands;
use super::super::walk::Ring;
use super::Ccm;
use crate::aead::Error;
use crate::cpu::{Aes, Block, little, xor_block};
use crate::lanes::{InOut, MAX_LANES};

impl<A: Aes> Many for Ccm<A> {
    const TOGETHER: bool = true;

    #[inline(always)]
    fn admits(&self, nonce: &[u8], _: &[u8], len: usize) -> Result<(), Error> {
        self.check(nonce, len)
    }

    fn group<J>(group: &Group<'_, '_, J, Self>, open: bool, ring: &mut Ring) {
        let mut ios = group.take();
        if open {
            crypt(group, &mut ios);
        }
        let (macs, pads) = tags(group, open, &ios, ring);
        if !open {
            crypt(group, &mut ios);
        }
        for (i, io) in ios.iter_mut().enumerate().take(group.len()) {
            let tag = xor_block(&macs[i], &pads[i]);
            if open {
                group.opened(i, group.is_right(i, &tag), io.reborrow());
            } else {
                group.sealed(i, &tag);
            }
        }
    }
}

/// A block of flags, nonce and a number in what is left (SP 800-38C, A.2 and A.3).
#[inline(always)]
fn block(flags: u8, nonce: &[u8], number: u64) -> Block {
    (u128::from(flags) | little(nonce) << 8 | u128::from(number).swap_bytes()).to_le_bytes()
}

/// A_`number`.
#[inline(always)]
fn counter(nonce: &[u8], number: u64) -> Block {
    block(14 - nonce.len() as u8, nonce, number)
}

/// Counter mode over all messages.
fn crypt<A: Aes, J>(group: &Group<'_, '_, J, Ccm<A>>, ios: &mut [InOut<'_>; MAX_LANES]) {
    let n = group.len();
    let (mut keys, mut ivs) = ([&group.keys[0].enc; MAX_LANES], [[0; 16]; MAX_LANES]);
    for i in 0..n {
        (keys[i], ivs[i]) = (&group.keys[i].enc, counter(group.jobs[i].nonce, 1));
    }
    group.cpu.run(ctr::Group { keys: &keys[..n], ivs: &ivs, ios });
}

/// The chains' ends, and E(A_0); the plaintext is what is read when sealing, what
/// was written when opening.
#[inline(always)]
fn tags<A: Aes, J>(
    group: &Group<'_, '_, J, Ccm<A>>,
    open: bool,
    ios: &[InOut<'_>; MAX_LANES],
    ring: &mut Ring,
) -> ([Block; MAX_LANES], [Block; MAX_LANES]) {
    let (jobs, n) = (group.jobs, group.len());
    // The first block of associated data begins with its length.
    let mut heads = [[0; 16]; MAX_LANES];
    let mut rests: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
    let mut any = false;
    for i in 0..n {
        if !jobs[i].ad.is_empty() {
            (heads[i], rests[i]) = head(jobs[i].ad);
            any = true;
        }
    }
    let mut pads = Strands::new(group.cpu, n, |i| &group.keys[i].enc);
    let mut chains = Strands::new(group.cpu, n, |i| &group.keys[i].enc);
    for i in 0..n {
        let (job, tag_len) = (jobs[i], group.keys[i].tag_len);
        let flags = u8::from(!job.ad.is_empty()) << 6 | ((tag_len - 2) / 2) << 3 | (14 - job.nonce.len() as u8);
        pads.x[i] = counter(job.nonce, 0);
        chains.x[i] = block(flags, job.nonce, job.len as u64);
    }
    pads.cipher();
    chains.cipher();
    if any {
        chains.absorb(ring, |i| if jobs[i].ad.is_empty() { &[] } else { &heads[i] });
        chains.absorb(ring, |i| rests[i]);
    }
    chains.absorb(ring, |i| if open { ios[i].written() } else { ios[i].src() });
    (chains.x, pads.x)
}

/// The first block of associated data, with its length in 2, 6 or 10 bytes, and
/// what is not in it (SP 800-38C, A.2.2).
fn head(ad: &[u8]) -> (Block, &[u8]) {
    let mut block = [0; 16];
    let n = ad.len() as u64;
    let size = if n < 0xff00 {
        block[..2].copy_from_slice(&(n as u16).to_be_bytes());
        2
    } else if n <= u64::from(u32::MAX) {
        block[..2].copy_from_slice(&[0xff, 0xfe]);
        block[2..6].copy_from_slice(&(n as u32).to_be_bytes());
        6
    } else {
        block[..2].copy_from_slice(&[0xff, 0xff]);
        block[2..10].copy_from_slice(&n.to_be_bytes());
        10
    };
    let (first, rest) = ad.split_at(ad.len().min(16 - size));
    block[size..size + first.len()].copy_from_slice(first);
    (block, rest)
}
