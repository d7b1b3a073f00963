//! AES-CBC-MAC (ISO/IEC 9797-1, algorithm 1, padding method 1): the bare chain under
//! CCM. Under `hazmat`: whoever knows the tags of two messages can forge a third
//! unless all messages have one length (Bellare, Kilian and Rogaway 1994).

use super::expand::raw_key;
use crate::cpu::{Aes, Block, xor_block};
use crate::interface::error::Error;
use crate::pipeline::chains::{Chains, Comb, alone};
use crate::pipeline::lanes::Blocks;
use crate::pipeline::lockstep::MAC;

raw_key! {
    /// AES-CBC-MAC with 16-byte tags, for messages of **one length only** under a key;
    /// they are padded with zeros to whole blocks. Use [`Cmac`](super::cmac::Cmac) where
    /// lengths differ.
    CbcMac
}

impl<A: Aes> CbcMac<A> {
    /// The tag of `message`.
    #[must_use]
    pub fn tag(&self, message: &[u8]) -> Block {
        let (whole, tail) = message.split_at(message.len() & !15);
        let x = alone::<_, MAC>(self.cpu, &self.enc, &[0; 16], Blocks::read(whole));
        if tail.is_empty() {
            return x;
        }
        let mut padded = [0; 16];
        padded[..tail.len()].copy_from_slice(tail);
        let mut last = Chains::new(self.cpu, 1, |_| &self.enc);
        last.x[0] = xor_block(&x, &padded);
        last.cipher();
        last.x[0]
    }

    /// The tags of many messages, each with its key: side by side on the comb's
    /// lanes. Tag `i` is written to `tags[i]`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if there are not as many tags as messages.
    pub fn tag_many(messages: &[(&Self, &[u8])], tags: &mut [Block], comb: &mut Comb) -> Result<(), Error> {
        if messages.len() != tags.len() {
            return Err(Error::BufferLength);
        }
        let Some((first, _)) = messages.first() else { return Ok(()) };
        let cpu = first.cpu;
        if messages.iter().any(|(key, _)| key.cpu != cpu) {
            // Each tier has its own form of round keys.
            for ((key, message), tag) in messages.iter().zip(tags) {
                *tag = key.tag(message);
            }
            return Ok(());
        }
        let one_key = messages.iter().all(|m| core::ptr::eq(m.0, messages[0].0));
        comb.plan(cpu, one_key, messages.len(), |i| messages[i].1.len() / 16);
        let (groups, lane_keys) = comb.groups();
        for group in groups {
            let mut chains = Chains::new(cpu, group.len(), |i| &messages[group[i] as usize].0.enc);
            chains.absorb(lane_keys, |i| messages[group[i] as usize].1);
            for (i, &to) in group.iter().enumerate() {
                tags[to as usize] = chains.x[i];
            }
        }
        Ok(())
    }
}
