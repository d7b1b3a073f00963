//! AES-CBC (SP 800-38A, 6.2): serial to encrypt, parallel to decrypt. No padding and
//! no authentication: under `hazmat`.

use super::expand::raw_key;
use super::plain::{Message, many, one};
use crate::cpu::{Aes, Block, InOut};
use crate::interface::error::Error;
use crate::pipeline::chains::Comb;
use crate::pipeline::lockstep::{Backwards, CBC};

raw_key! {
    /// AES-CBC, for messages of whole blocks. Initial values must be unpredictable.
    Cbc both ways
}

impl<A: Aes> Cbc<A> {
    /// Encrypts `buf` in place.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if it is not whole blocks of 16 bytes.
    pub fn encrypt(&self, iv: &Block, buf: &mut [u8]) -> Result<(), Error> {
        whole(buf.len())?;
        one::<_, CBC>(self.cpu, &self.enc, iv, InOut::in_place(buf));
        Ok(())
    }

    /// The same with many messages, side by side on the comb's lanes.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if one is not whole blocks; then none is touched.
    pub fn encrypt_many(messages: &mut [Message<'_, Self>], comb: &mut Comb) -> Result<(), Error> {
        messages.iter().try_for_each(|m| whole(m.io.len()))?;
        many::<_, _, CBC>(messages, comb, |key| (key.cpu, &key.enc));
        Ok(())
    }

    /// Decrypts `buf` in place, at full width.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, iv: &Block, buf: &mut [u8]) -> Result<(), Error> {
        whole(buf.len())?;
        let io = InOut::in_place(buf);
        self.cpu.run(Backwards::<_, _, true> { enc: &self.enc, dec: &self.dec, iv, io });
        Ok(())
    }
}

fn whole(len: usize) -> Result<(), Error> {
    if len.is_multiple_of(16) { Ok(()) } else { Err(Error::BufferLength) }
}
