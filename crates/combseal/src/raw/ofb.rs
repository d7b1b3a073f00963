//! AES-OFB (SP 800-38A, 6.4): the cipher's output is its next input, so one message
//! cannot be parallel; many can. No authentication: under `hazmat`.

use super::expand::raw_key;
use super::plain::{Message, finish, many, one};
use crate::cpu::{Aes, Block, InOut};
use crate::pipeline::chains::Comb;
use crate::pipeline::lockstep::OFB;

raw_key! {
    /// AES-OFB, for messages of any length. An initial value must not be used twice
    /// under one key.
    Ofb
}

impl<A: Aes> Ofb<A> {
    /// XORs `buf` with the key stream that `iv` begins: encrypts, and decrypts.
    pub fn apply(&self, iv: &Block, buf: &mut [u8]) {
        let (x, tail) = one::<_, OFB>(self.cpu, &self.enc, iv, InOut::in_place(buf));
        finish(self.cpu, &self.enc, x, tail);
    }

    /// The same with many messages, side by side on the comb's lanes.
    pub fn apply_many(messages: &mut [Message<'_, Self>], comb: &mut Comb) {
        many::<_, _, OFB>(messages, comb, |key| (key.cpu, &key.enc));
    }
}
