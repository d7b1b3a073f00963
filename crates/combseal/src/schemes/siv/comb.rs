//! SIV on lanes: the CMACs of S2V of up to 16 messages side by side, and counter
//! mode, under the other key, over each.

use super::{Siv, column, counter, free_blocks};
use crate::cpu::{Aes, Block, Cpu, InOut, xor_block};
use crate::memory::wipe::Wipe;
use crate::pipeline::chains::Chains;
use crate::pipeline::column::{Column, Nonce, Source, Takes};
use crate::pipeline::holds::Holds;
use crate::pipeline::jobs::{Many, SideBySide};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::mac_lane::double;
use crate::pipeline::plan::MAX_LANES;
use crate::pipeline::run::Run;
use crate::raw::cmac::{self, EMPTY};
use crate::raw::ctr;
use core::marker::PhantomData;

impl<A: Aes> Many for Siv<A> {
    const TOGETHER: bool = true;

    fn takes<J: Holds<Self>>(_: Cpu, it: &Column<'_, J>) -> Option<Takes> {
        let short = match (it.keys, it.ads) {
            (Source::One(_), Source::One(_)) => true,
            (Source::Each(_), Source::One(ad)) => ad.len() <= column::SHORT_AD,
            (_, Source::Each(_)) => false,
        };
        (A::KEY_LEN != 24 && short && matches!(it.nonces, Nonce::None)).then_some(Takes::SLOW)
    }

    fn column<J: Holds<Self>>(run: Run<'_, '_, '_, J>, hash: &mut Option<Block>) {
        // No code for the size that hardly anyone uses.
        if const { A::KEY_LEN == 24 } {
            unreachable!("a column of AES-192-SIV, which is taken value by value");
        }
        let (cpu, of) = (run.cpu, PhantomData::<A>);
        let ad: &Block = match hash {
            Some(mac) => mac,
            None => {
                let kept = hash.insert([0; 16]);
                if let (Some(key), Source::One(data)) = (run.one_key::<Self>(), run.column.ads) {
                    let mut mac = cpu.run(cmac::Mac { keys: &key.key.mac, sub: &key.key.sub, message: data });
                    *kept = mac;
                    mac.wipe();
                }
                kept
            }
        };
        if run.column.open {
            cpu.run(column::Short::<_, _, true> { run, ad, of });
        } else {
            cpu.run(column::Short::<_, _, false> { run, ad, of });
        }
    }

    fn side_by_side<J>(group: &SideBySide<'_, '_, J, Self>, open: bool, lane_keys: &mut LaneKeys) {
        let (jobs, mut ios) = (group.jobs, group.take());
        let mut given = [[0; 16]; MAX_LANES];
        if open {
            for i in 0..group.len() {
                given[i] = group.tag(i);
            }
            crypt(group, &given, &mut ios);
        }
        // D, from the CMACs of associated data and nonce (RFC 5297, 2.4).
        let ads = cmac_each(group, lane_keys, |i| jobs[i].ad);
        let nonces = cmac_each(group, lane_keys, |i| &jobs[i].nonce);
        let d = core::array::from_fn(|i| {
            let zero = u128::from_be_bytes(group.keys[i.min(group.len() - 1)].key.zero);
            let d = double(zero) ^ u128::from_be_bytes(ads[i]);
            double(d) ^ u128::from_be_bytes(nonces[i])
        });
        let v = last(group, lane_keys, &d, |i| if open { ios[i].written() } else { ios[i].src() });
        if !open {
            crypt(group, &v, &mut ios);
        }
        for (i, io) in ios.into_iter().enumerate().take(group.len()) {
            if open {
                group.opened(i, group.is_right(i, &v[i]), io);
            } else {
                group.sealed(i, &v[i]);
            }
        }
    }
}

/// Counter mode over all messages, from their V.
fn crypt<A: Aes, J>(group: &SideBySide<'_, '_, J, Siv<A>>, v: &[Block; MAX_LANES], ios: &mut [InOut<'_>; MAX_LANES]) {
    let n = group.len();
    let mut keys = [&group.keys[0].key.ctr; MAX_LANES];
    for i in 0..n {
        keys[i] = &group.keys[i].key.ctr;
    }
    group.cpu.run(ctr::Each::<_, false> { keys: &keys[..n], ivs: &v.map(counter), ios });
}

/// CMAC of `data(i)`.
fn cmac_each<'d, A: Aes, J>(
    group: &'d SideBySide<'_, '_, J, Siv<A>>,
    lane_keys: &mut LaneKeys,
    data: impl Fn(usize) -> &'d [u8],
) -> [Block; MAX_LANES] {
    let mut chains = Chains::new(group.cpu, group.len(), |i| &group.keys[i].key.mac);
    for i in 0..group.len() {
        let sub = &group.keys[i].key.sub;
        if data(i).is_empty() {
            // One padded block: its padding, whole, under the other subkey.
            chains.x[i] = xor_block(&sub[0], &sub[1]);
        }
    }
    chains.cmac(lane_keys, |i| &group.keys[i].key.sub, |i| if data(i).is_empty() { &EMPTY } else { data(i) });
    chains.x
}

/// V: CMAC of the message with D in its end (RFC 5297, 2.4).
fn last<'d, A: Aes, J>(
    group: &'d SideBySide<'_, '_, J, Siv<A>>,
    lane_keys: &mut LaneKeys,
    d: &[u128; MAX_LANES],
    message: impl Fn(usize) -> &'d [u8],
) -> [Block; MAX_LANES] {
    let n = group.len();
    let mut ends = [[0; 32]; MAX_LANES];
    let mut lens = [16; MAX_LANES];
    for i in 0..n {
        let message = message(i);
        let end = &message[16 * free_blocks(message.len())..];
        let to = &mut ends[i];
        to[..end.len()].copy_from_slice(end);
        if let Some(whole) = end.last_chunk() {
            lens[i] = end.len();
            let block = u128::from_be_bytes(*whole) ^ d[i];
            to[end.len() - 16..end.len()].copy_from_slice(&block.to_be_bytes());
        } else {
            to[end.len()] = 0x80;
            let block = u128::from_be_bytes(first(to)) ^ double(d[i]);
            to[..16].copy_from_slice(&block.to_be_bytes());
        }
    }
    let mut chains = Chains::new(group.cpu, n, |i| &group.keys[i].key.mac);
    chains.absorb(lane_keys, |i| &message(i)[..16 * free_blocks(message(i).len())]);
    chains.cmac(lane_keys, |i| &group.keys[i].key.sub, |i| &ends[i][..lens[i]]);
    chains.x
}

/// The first block of two.
fn first(bytes: &[u8; 32]) -> Block {
    let mut block = [0; 16];
    block.copy_from_slice(&bytes[..16]);
    block
}
