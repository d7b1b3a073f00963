//! EAX on lanes: the OMACs of up to 16 messages side by side, those of nonces, of
//! associated data and of ciphertexts, and counter mode over each message.
//!
//! A message is decrypted only once its tag is known to be right.

use super::Eax;
use crate::cpu::{Aes, Block, InOut, xor_block};
use crate::memory::wipe::Wipe;
use crate::pipeline::chains::Chains;
use crate::pipeline::jobs::{Many, SideBySide};
use crate::pipeline::lockstep::LaneKeys;
use crate::pipeline::plan::MAX_LANES;
use crate::raw::ctr;

impl<A: Aes> Many for Eax<A> {
    const TOGETHER: bool = true;

    fn side_by_side<J>(group: &SideBySide<'_, '_, J, Self>, open: bool, lane_keys: &mut LaneKeys) {
        let (jobs, mut ios) = (group.jobs, group.take());
        let nonces = omac(group, lane_keys, 0, |i| &jobs[i].nonce);
        let ads = omac(group, lane_keys, 1, |i| jobs[i].ad);
        if !open {
            crypt(group, &nonces, &mut ios);
        }
        let messages = omac(group, lane_keys, 2, |i| if open { ios[i].src() } else { ios[i].written() });
        let tag = |i: usize| xor_block(&xor_block(&nonces[i], &ads[i]), &messages[i]);
        if !open {
            for i in 0..group.len() {
                group.sealed(i, &tag(i));
            }
            return;
        }
        let mut right = [false; MAX_LANES];
        let mut forged = false;
        for i in 0..group.len() {
            right[i] = group.is_right(i, &tag(i));
            forged |= !right[i];
        }
        if !forged {
            crypt(group, &nonces, &mut ios);
        }
        for (i, mut io) in ios.into_iter().enumerate().take(group.len()) {
            if forged && right[i] {
                let (keys, ivs) = (&[&group.keys[i].enc], &nonces[i..=i]);
                group.cpu.run(ctr::Each::<_, true> { keys, ivs, ios: &mut [io.reborrow()] });
            }
            group.opened(i, right[i], io.reborrow());
        }
    }
}

/// Counter mode over all messages, from OMAC^0 of their nonces on, which is secret.
fn crypt<A: Aes, J>(
    group: &SideBySide<'_, '_, J, Eax<A>>,
    nonces: &[Block; MAX_LANES],
    ios: &mut [InOut<'_>; MAX_LANES],
) {
    let mut keys = [&group.keys[0].enc; MAX_LANES];
    for i in 0..group.len() {
        keys[i] = &group.keys[i].enc;
    }
    group.cpu.run(ctr::Each::<_, true> { keys: &keys[..group.len()], ivs: nonces, ios });
}

/// OMAC^`t` of `data(i)`.
fn omac<'d, A: Aes, J>(
    group: &'d SideBySide<'_, '_, J, Eax<A>>,
    lane_keys: &mut LaneKeys,
    t: u8,
    data: impl Fn(usize) -> &'d [u8],
) -> [Block; MAX_LANES] {
    let n = group.len();
    let mut chains = Chains::new(group.cpu, n, |i| &group.keys[i].enc);
    let mut empty = 0;
    for i in 0..n {
        let key = group.keys[i];
        chains.x[i] = key.omac[t as usize];
        if data(i).is_empty() {
            // The block that holds `t` is the last, and whole.
            chains.x[i] = xor_block(&u128::from(t).to_be_bytes(), &key.sub[0]);
            empty += 1;
        }
    }
    if empty == n {
        chains.cipher();
        return chains.x;
    }
    let mut firsts = chains.x;
    chains.cmac(lane_keys, |i| &group.keys[i].sub, &data);
    if empty > 0 {
        let done = core::mem::replace(&mut chains.x, firsts);
        chains.cipher();
        for i in (0..n).filter(|&i| !data(i).is_empty()) {
            chains.x[i] = done[i];
        }
    }
    firsts.wipe();
    chains.x
}
