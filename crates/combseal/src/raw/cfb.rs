//! AES-CFB with whole blocks (CFB-128; SP 800-38A, 6.3): serial to encrypt, parallel
//! to decrypt. No authentication: under `hazmat`.

use super::expand::raw_key;
use super::plain::{Message, finish, many, one};
use crate::cpu::{Aes, Block, InOut};
use crate::pipeline::chains::Comb;
use crate::pipeline::lockstep::{Backwards, CFB};

raw_key! {
    /// AES-CFB-128, for messages of any length. An initial value must not be used
    /// twice under one key.
    Cfb
}

impl<A: Aes> Cfb<A> {
    /// Encrypts `buf` in place.
    pub fn encrypt(&self, iv: &Block, buf: &mut [u8]) {
        let (x, tail) = one::<_, CFB>(self.cpu, &self.enc, iv, InOut::in_place(buf));
        finish(self.cpu, &self.enc, x, tail);
    }

    /// The same with many messages, side by side on the comb's lanes.
    pub fn encrypt_many(messages: &mut [Message<'_, Self>], comb: &mut Comb) {
        many::<_, _, CFB>(messages, comb, |key| (key.cpu, &key.enc));
    }

    /// Decrypts `buf` in place, at full width.
    pub fn decrypt(&self, iv: &Block, buf: &mut [u8]) {
        let (head, tail) = buf.split_at_mut(buf.len() & !15);
        let x = head.last_chunk::<16>().unwrap_or(iv);
        finish(self.cpu, &self.enc, *x, InOut::in_place(tail));
        let io = InOut::in_place(head);
        self.cpu.run(Backwards::<_, [Block; 0], false> { enc: &self.enc, dec: &[], iv, io });
    }
}
