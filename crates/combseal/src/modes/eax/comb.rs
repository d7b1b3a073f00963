//! EAX on lanes: the OMACs of up to 16 messages side by side, those of nonces, of
//! associated data and of ciphertexts, and counter mode over each message.
//!
//! A message is decrypted only once its tag is known to be right.

use super::super::chain::Subkeys;
use super::super::ctr;
use super::super::many::{Group, Many};
use super::super::strands::Strands;
use super::super::walk::Ring;
use super::Eax;
use crate::cpu::{Aes, Block, xor_block};
use crate::lanes::{InOut, MAX_LANES};

impl<A: Aes> Many for Eax<A> {
    const SERIAL: bool = true;

    fn group<J>(group: &Group<'_, '_, J, Self>, open: bool, ring: &mut Ring) {
        let (jobs, mut ios) = (group.jobs, group.take());
        let nonces = omac(group, ring, 0, |i| jobs[i].nonce);
        let ads = omac(group, ring, 1, |i| jobs[i].ad);
        if !open {
            crypt(group, &nonces, &mut ios);
        }
        let messages = omac(group, ring, 2, |i| if open { ios[i].src() } else { ios[i].written() });
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
                let mut one = [stream(group, i, &nonces, io.reborrow())];
                group.cpu.run(ctr::Group(&mut one));
            }
            group.opened(i, right[i], io);
        }
    }
}

/// Counter mode of message `i`, from OMAC^0 of its nonce on.
fn stream<'s, A: Aes, J>(
    group: &Group<'s, '_, J, Eax<A>>,
    i: usize,
    nonces: &[Block; MAX_LANES],
    io: InOut<'s>,
) -> ctr::Stream<'s, A::Enc> {
    ctr::Stream { keys: &group.keys[i].enc, iv: nonces[i], io }
}

/// Counter mode over all messages.
fn crypt<A: Aes, J>(group: &Group<'_, '_, J, Eax<A>>, nonces: &[Block; MAX_LANES], ios: &mut [InOut<'_>; MAX_LANES]) {
    let mut i = 0;
    let mut streams = ios.each_mut().map(|io| {
        let at = i.min(group.len() - 1);
        i += 1;
        stream(group, at, nonces, io.reborrow())
    });
    group.cpu.run(ctr::Group(&mut streams[..group.len()]));
}

/// OMAC^`t` of `data(i)`.
fn omac<'d, A: Aes, J>(
    group: &'d Group<'_, '_, J, Eax<A>>,
    ring: &mut Ring,
    t: u8,
    data: impl Fn(usize) -> &'d [u8],
) -> [Block; MAX_LANES] {
    let n = group.len();
    let sub = |i: usize| -> &Subkeys { &group.keys[i].sub };
    let mut empty = 0;
    let start = |i: usize| {
        if data(i).is_empty() {
            // The block that holds `t` is the last, and whole.
            xor_block(&u128::from(t).to_be_bytes(), &sub(i)[0])
        } else {
            group.keys[i].omac[t as usize]
        }
    };
    let mut chains = Strands::new(group.cpu, n, |i| &group.keys[i].enc, start);
    for i in 0..n {
        empty += usize::from(data(i).is_empty());
    }
    if empty > 0 {
        let mut firsts = Strands::new(group.cpu, n, |i| &group.keys[i].enc, start);
        firsts.cipher();
        if empty < n {
            chains.cmac(ring, sub, &data);
        }
        for i in (0..n).filter(|&i| data(i).is_empty()) {
            chains.set(i, firsts.x(i));
        }
    } else {
        chains.cmac(ring, sub, &data);
    }
    core::array::from_fn(|i| chains.x(i))
}
