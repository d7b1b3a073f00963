//! A message in parts: between two blocks of key stream all that is known of it is its key and nonce,
//! how many blocks came, and the authenticator so far.

use super::{ChaCha20Poly1305, Pass, XChaCha20Poly1305, extended, one_time, plain, whole};
use crate::cpu::{Aes128, Backend, Block, Cpu, InOut, Kernel, ReturnedBlock};
use crate::interface::parts::Progress;
use crate::interface::scheme::Parted;
use crate::raw::chacha20::{Nothing, Start};
use crate::raw::poly1305::Poly1305;

/// Bytes in a block of key stream.
const BLOCK: usize = 64;

crate::cpu::prebuilt! {
    BeginParts<'a, A> = Begin<'a> => (), [128];
    SealPart<'a, A> = Part<'a, true> => (), [128];
    OpenPart<'a, A> = Part<'a, false> => (), [128];
    SealEnd<'a, A> = End<'a, true> => ReturnedBlock, [128];
    OpenEnd<'a, A> = End<'a, false> => ReturnedBlock, [128];
}

macro_rules! parted {
    ($($name:ident, $with:ident;)*) => {$(
        impl Parted for $name {
            const UNIT: usize = BLOCK;

            fn begin(&self, nonce: &[u8], ad: &[u8], at: &mut Progress) {
                at.blocks.as_flattened_mut()[..nonce.len()].copy_from_slice(nonce);
                let (nonce, rest) = Rest::of(at, nonce.len());
                $with(&self.key, whole(nonce), |key, nonce| {
                    self.settings.cpu.run_prebuilt::<BeginParts, Aes128>(Begin { kept: Kept { key, nonce, rest }, ad });
                });
            }

            fn part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
                let (nonce, rest) = Rest::of(at, self.settings.nonce_len as usize);
                $with(&self.key, whole(nonce), |key, nonce| do_part(self.settings.cpu, Kept { key, nonce, rest }, io, open));
            }

            fn end(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
                let done = at.done();
                let (nonce, rest) = Rest::of(at, self.settings.nonce_len as usize);
                $with(&self.key, whole(nonce), |key, nonce| {
                    end_parts(self.settings.cpu, Kept { key, nonce, rest }, done, io, open)
                })
            }
        }
    )*};
}
parted! {
    ChaCha20Poly1305, plain;
    XChaCha20Poly1305, extended;
}

fn do_part(cpu: Cpu, kept: Kept<'_>, io: InOut<'_>, open: bool) {
    if open {
        cpu.run_prebuilt::<OpenPart, Aes128>(Part { kept, io });
    } else {
        cpu.run_prebuilt::<SealPart, Aes128>(Part { kept, io });
    }
}

fn end_parts(cpu: Cpu, kept: Kept<'_>, done: u64, io: InOut<'_>, open: bool) -> Block {
    if open {
        cpu.run_prebuilt::<OpenEnd, Aes128>(End { kept, done, io }).block()
    } else {
        cpu.run_prebuilt::<SealEnd, Aes128>(End { kept, done, io }).block()
    }
}

/// What goes on with a message: its key, which of XChaCha20 is derived anew for each part and wiped
/// behind it, its nonce, and the rest of what is known of it.
struct Kept<'a> {
    key: &'a [u8; 32],
    nonce: &'a [u8; 12],
    rest: Rest<'a>,
}

/// What is known of a message but its nonce, which is in the first two of [`Progress::blocks`].
struct Rest<'a> {
    /// The authenticator, in four more.
    mac: &'a mut [Block; 4],
    /// The number of the next block of key stream: block 0 is the authenticator's key.
    number: u32,
    ad_len: u64,
}

impl<'a> Rest<'a> {
    /// The nonce, and the rest.
    fn of(at: &'a mut Progress, nonce_len: usize) -> (&'a [u8], Self) {
        // As many blocks as the longest message has fit into 32 bits; there is none behind them.
        let (number, ad_len) = (((at.done() / BLOCK as u64) as u32).wrapping_add(1), at.ad_len());
        let (nonce, rest) = at.blocks.split_at_mut(2);
        let Some((mac, _)) = rest.split_first_chunk_mut() else { unreachable!("eight blocks") };
        (&nonce.as_flattened()[..nonce_len], Self { mac, number, ad_len })
    }
}

impl<'a> Kept<'a> {
    #[inline(always)]
    fn start(&self) -> Start<'a> {
        let (words, _) = self.nonce.as_chunks();
        let word = |i: usize| u32::from_le_bytes(words[i]);
        Start::new(self.key, [word(0), word(1), word(2)])
    }

    /// Seals or opens, and absorbs.
    #[inline(always)]
    fn crypt<B: Backend, const SEAL: bool>(&mut self, b: B, io: &mut InOut<'_>) -> Poly1305 {
        let (start, len) = (self.start(), io.len());
        let mut mac = Poly1305::kept(self.rest.mac);
        if !SEAL {
            absorb(b, &mut mac, io.src());
        }
        let (mut pass, mut at, mut number) = (Pass::empty(b, &start), 0, self.rest.number);
        while at < len {
            if const { B::WORDS } {
                pass.fill(b, &start, number, len - at, &mut Nothing);
            } else {
                (pass.stream[0], pass.registers) = (start.plain(b, number, len - at), 16);
            }
            number = number.wrapping_add(pass.blocks());
            at = pass.apply(b, 0, io, at);
        }
        if SEAL {
            absorb(b, &mut mac, io.written());
        }
        mac
    }
}

/// Absorbs `data`: side by side where registers of words are the CPU's own.
#[inline(always)]
fn absorb<B: Backend>(b: B, mac: &mut Poly1305, data: &[u8]) {
    if const { B::WORDS } {
        mac.update_long(b, data);
    } else {
        mac.update(b, data);
    }
}

/// The authenticator's key, and the associated data.
struct Begin<'a> {
    kept: Kept<'a>,
    ad: &'a [u8],
}
impl Kernel for Begin<'_> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { kept, ad } = self;
        let stream = [kept.start().plain(b, 0, BLOCK)];
        let mut mac = one_time(b, &stream[0]);
        absorb(b, &mut mac, ad);
        mac.keep(kept.rest.mac);
    }
}

/// The next part: whole blocks of key stream.
struct Part<'a, const SEAL: bool> {
    kept: Kept<'a>,
    io: InOut<'a>,
}
impl<const SEAL: bool> Kernel for Part<'_, SEAL> {
    type Out = ();
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) {
        let Self { mut kept, mut io } = self;
        let mac = if const { B::WORDS } {
            kept.crypt::<_, SEAL>(b.wide(), &mut io)
        } else {
            kept.crypt::<_, SEAL>(b, &mut io)
        };
        mac.keep(kept.rest.mac);
    }
}

/// The end: less than a block of key stream, or nothing, and the tag.
struct End<'a, const SEAL: bool> {
    kept: Kept<'a>,
    /// Bytes of message before this.
    done: u64,
    io: InOut<'a>,
}
impl<const SEAL: bool> Kernel for End<'_, SEAL> {
    type Out = ReturnedBlock;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        let Self { mut kept, done, mut io } = self;
        let mut mac = kept.crypt::<_, SEAL>(b, &mut io);
        let all = done + io.len() as u64;
        mac.block(u128::from(kept.rest.ad_len) | u128::from(all) << 64);
        ReturnedBlock::new(mac.tag())
    }
}
