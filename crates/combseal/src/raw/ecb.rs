//! AES-ECB (SP 800-38A, 6.1): the block cipher over each block by itself, parallel both ways.
//! Neither secrecy of a message nor authentication: under `hazmat`.

use super::expand::raw_key;
use crate::cpu::{Aes, Backend, Dec, Enc, InOut, Invertible, Kernel, Keys};
use crate::interface::error::Error;

raw_key! {
    /// AES-ECB, for messages of whole blocks: **do not encrypt messages with it**.
    ///
    /// Equal blocks become equal blocks, within a message and from one message to the next, so who
    /// sees the ciphertext sees which parts of the plaintext repeat; and blocks may be exchanged,
    /// left out and put in, unnoticed. It is here as the baseline of speed tables, no mode being
    /// faster, and as the bare block cipher that other things are built of and tested with.
    Ecb both ways
}

impl<A: Aes> Ecb<A> {
    /// Encrypts each block of `buf` in place, at full width.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if it is not whole blocks of 16 bytes; nothing is touched then.
    pub fn encrypt(&self, buf: &mut [u8]) -> Result<(), Error> {
        self.apply::<true>(buf)
    }

    /// Decrypts each block of `buf` in place, at full width.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, buf: &mut [u8]) -> Result<(), Error> {
        self.apply::<false>(buf)
    }

    fn apply<const ENCRYPT: bool>(&self, buf: &mut [u8]) -> Result<(), Error> {
        if !buf.len().is_multiple_of(16) {
            return Err(Error::BufferLength);
        }
        self.cpu.run(Apply::<_, ENCRYPT> { enc: &self.enc, dec: &self.dec, io: InOut::in_place(buf) });
        Ok(())
    }
}

/// Whole blocks through the cipher, or through its inverse.
struct Apply<'a, S: Invertible, const ENCRYPT: bool> {
    enc: &'a S,
    dec: &'a S::Inverse,
    io: InOut<'a>,
}
impl<S: Invertible, const ENCRYPT: bool> Kernel for Apply<'_, S, ENCRYPT> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let (enc, dec) = (Enc(self.enc), Dec(self.enc, self.dec));
        apply::<B, _, _, N, ENCRYPT>(b, &enc, &dec, self.io);
    }
}

/// `N` registers at a time, then one at a time, which the CPU overlaps by itself.
#[inline(always)]
fn apply<B: Backend, E: Keys<B>, D: Keys<B>, const N: usize, const ENCRYPT: bool>(
    b: B,
    enc: &E,
    dec: &D,
    mut io: InOut<'_>,
) {
    while let Some(mut group) = io.take(N * B::BYTES) {
        let mut x = [b.zero(); N];
        for j in 0..N {
            x[j] = group.load(b, j * B::BYTES);
        }
        cipher::<B, E, D, N, ENCRYPT>(b, enc, dec, &mut x);
        for j in 0..N {
            group.store(b, j * B::BYTES, x[j]);
        }
    }
    if B::TOGETHER && io.len() > B::BYTES {
        // All that is left, which is less than a group: registers behind its end hold zeros.
        let (mut x, len) = ([b.zero(); N], io.len());
        let part = |j: usize| (j * B::BYTES).min(len)..((j + 1) * B::BYTES).min(len);
        for j in 0..N {
            x[j] = b.load_part(&io.src()[part(j)]);
        }
        cipher::<B, E, D, N, ENCRYPT>(b, enc, dec, &mut x);
        for j in 0..N {
            b.store_part(&mut io.dst()[part(j)], x[j]);
        }
        return;
    }
    while !io.is_empty() {
        let mut part = io.cut(io.len().min(B::BYTES));
        let mut x = [part.load_part(b)];
        cipher::<B, E, D, 1, ENCRYPT>(b, enc, dec, &mut x);
        part.store_part(b, x[0]);
    }
}

#[inline(always)]
fn cipher<B: Backend, E: Keys<B>, D: Keys<B>, const N: usize, const ENCRYPT: bool>(
    b: B,
    enc: &E,
    dec: &D,
    x: &mut [B::V; N],
) {
    if ENCRYPT {
        b.encrypt(enc, x);
    } else {
        b.decrypt(dec, x);
    }
}
