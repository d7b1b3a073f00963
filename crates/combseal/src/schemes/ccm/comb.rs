//! CCM on lanes: the chains of up to 16 messages side by side, then counter mode
//! over each (Bogdanov, Lauridsen and Tischhauser 2014, 5.1).
//!
//! First blocks, tails and the tags' pads of all messages share the pipeline too.

use super::Ccm;
use crate::cpu::{Aes, Block, InOut, little, xor_block};
use crate::pipeline::chains::Chains;
use crate::pipeline::jobs::{Many, SideBySide};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;
use crate::raw::ctr;

impl<A: Aes> Many for Ccm<A> {
    const TOGETHER: bool = true;

    fn side_by_side<J>(group: &SideBySide<'_, '_, J, Self>, open: bool, lane_keys: &mut LaneKeys) {
        let mut ios = group.take();
        // B_0, with which a chain begins; A_0, which will be the tag's pad; and A_1.
        let mut chains = Chains::new(group.cpu, group.len(), |i| &group.keys[i].enc);
        let (mut pads, mut counters) = ([[0; 16]; MAX_LANES], [[0; 16]; MAX_LANES]);
        for (i, job) in group.jobs.iter().enumerate().take(MAX_LANES) {
            // Each is flags, the nonce, and a number in what is left (SP 800-38C, A.2, A.3).
            let (low, high) = behind_a_byte(&job.nonce);
            let block = |flags: u8, number: u64| {
                (u128::from(high | number.swap_bytes()) << 64 | u128::from(low | u64::from(flags))).to_le_bytes()
            };
            let size = 14 - job.nonce.len() as u8;
            let tag = (group.keys[i].settings.tag_len - 2) / 2;
            chains.x[i] = block(u8::from(!job.ad.is_empty()) << 6 | tag << 3 | size, job.len as u64);
            (pads[i], counters[i]) = (block(size, 0), block(size, 1));
        }
        if open {
            crypt(group, &counters, &mut ios);
        }
        chains.cipher_both(&mut pads);
        if group.jobs.iter().any(|job| !job.ad.is_empty()) {
            absorb_ads(group, &mut chains, lane_keys);
        }
        // The plaintext is what is read when sealing, what was written when opening.
        chains.absorb(lane_keys, |i| if open { ios[i].written() } else { ios[i].src() });
        if !open {
            crypt(group, &counters, &mut ios);
        }
        for (i, io) in ios.iter_mut().enumerate().take(group.len()) {
            let tag = xor_block(&chains.x[i], &pads[i]);
            if open {
                group.opened(i, group.is_right(i, &tag), io.reborrow());
            } else {
                group.sealed(i, &tag);
            }
        }
    }
}

/// A block of a zero, 7 to 13 bytes and zeros, as two little-endian numbers.
///
/// Two loads and two shifts: a shift across both halves is slow on many a CPU.
#[inline(always)]
fn behind_a_byte(nonce: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last), 8..=13) = (nonce.first_chunk(), nonce.last_chunk(), nonce.len()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return (first << 8, last >> (8 * (15 - nonce.len())));
    }
    let all = little(nonce) << 8;
    (all as u64, (all >> 64) as u64)
}

/// Counter mode over all messages.
fn crypt<A: Aes, J>(
    group: &SideBySide<'_, '_, J, Ccm<A>>,
    counters: &[Block; MAX_LANES],
    ios: &mut [InOut<'_>; MAX_LANES],
) {
    let mut keys = [&group.keys[0].enc; MAX_LANES];
    for (to, key) in keys.iter_mut().zip(group.keys) {
        *to = &key.enc;
    }
    group.cpu.run(ctr::Each::<_, false> { keys: &keys[..group.len()], ivs: counters, ios });
}

/// Associated data into the chains of those messages that have any. The first block
/// of it begins with its length.
#[inline(never)]
fn absorb_ads<A: Aes, J>(
    group: &SideBySide<'_, '_, J, Ccm<A>>,
    chains: &mut Chains<'_, A::Enc>,
    lane_keys: &mut LaneKeys,
) {
    let mut heads = [[0; 16]; MAX_LANES];
    let mut rests: [&[u8]; MAX_LANES] = [&[]; MAX_LANES];
    for (i, job) in group.jobs.iter().enumerate() {
        if !job.ad.is_empty() {
            (heads[i], rests[i]) = head(job.ad);
        }
    }
    chains.absorb(lane_keys, |i| if group.jobs[i].ad.is_empty() { &[] } else { &heads[i] });
    chains.absorb(lane_keys, |i| rests[i]);
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
