//! A message in parts: between two blocks of key stream all that is known of it is its key and nonce,
//! how many blocks came, and the authenticator so far: as one sum, or, where registers hold several and
//! there is an allocator, as it stands in them; and, with an allocator, the ciphertext that it has still to take in.

use super::{ChaCha20Poly1305, Pass, XChaCha20Poly1305, absorb_before, extended, narrow, one_time, plain, whole};
use crate::cpu::{Aes128, Backend, Block, Cpu, InOut, Kernel, ReturnedBlock};
use crate::interface::parts::Progress;
use crate::interface::scheme::Parted;
use crate::memory::wipe::Wipe;
use crate::raw::chacha20::{Nothing, Start, hchacha20};
#[cfg(feature = "alloc")]
use crate::raw::poly1305::waiting::{LastPass, Waiting};
use crate::raw::poly1305::{Between, Data, Mac, Poly1305};
#[cfg(feature = "alloc")]
use {crate::memory::blank::filled, alloc::boxed::Box};

/// Bytes in a block of key stream.
const BLOCK: usize = 64;

/// Bytes of a part from which on sums are made side by side, and kept so, or what the last pass makes is left to the
/// next part.
#[cfg(feature = "alloc")]
const LONG: usize = 448;

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
                let Split { nonce, rest, .. } = Split::of(at, nonce.len());
                $with(&self.key, whole(nonce), |key, nonce| {
                    self.settings.cpu.run_prebuilt::<BeginParts, Aes128>(Begin { kept: Kept { key, nonce, rest }, ad });
                });
            }

            #[inline(always)]
            fn part(&self, at: &mut Progress, io: InOut<'_>, open: bool) {
                let cpu = self.settings.cpu;
                #[cfg(feature = "alloc")]
                if io.len() >= LONG && cpu.words() > 0 {
                    if !cpu.is_roomy() {
                        at.last_pass.get_or_insert_with(|| Box::new(filled(|_| {})));
                    } else if at.waiting.is_none() {
                        at.waiting = Some(Box::new(filled(|_| {})));
                    }
                }
                resumed(&self.key, at, self.settings.nonce_len, |kept| do_part(cpu, kept, io, open));
            }

            fn end(&self, at: &mut Progress, io: InOut<'_>, open: bool) -> Block {
                let done = at.done();
                resumed(&self.key, at, self.settings.nonce_len, |kept| {
                    end_parts(self.settings.cpu, kept, done, io, open)
                })
            }
        }
    )*};
}
parted! {
    ChaCha20Poly1305, plain;
    XChaCha20Poly1305, extended;
}

/// Goes on with a message. XChaCha20 derives its subkey with the first part, and keeps it for the
/// others: to derive it takes as long as some 300 bytes of a part. Without an allocator what is kept lies
/// in a value that may be moved, and each move leaves a copy: there it is derived for each part, and wiped
/// behind it.
#[inline(always)]
fn resumed<T>(own: &[u8; 32], at: &mut Progress, nonce_len: u32, run: impl FnOnce(Kept<'_>) -> T) -> T {
    let first = at.done() == 0;
    let Split { nonce, rest, subkey } = Split::of(at, nonce_len as usize);
    let Some((salt, last)) = nonce.split_at_checked(16) else {
        return run(Kept { key: own, nonce: whole(nonce), rest });
    };
    let moves = cfg!(not(feature = "alloc"));
    if first || moves {
        hchacha20(own, whole(salt), subkey);
    }
    let mut nonce = [0; 12];
    nonce[4..].copy_from_slice(last);
    let out = run(Kept { key: subkey, nonce: &nonce, rest });
    if moves {
        subkey.as_mut_slice().wipe();
    }
    out
}

#[inline(always)]
fn do_part(cpu: Cpu, kept: Kept<'_>, io: InOut<'_>, open: bool) {
    if open {
        cpu.run_prebuilt::<OpenPart, Aes128>(Part { kept, io });
    } else {
        cpu.run_prebuilt::<SealPart, Aes128>(Part { kept, io });
    }
    narrow::clear_below(cpu);
}

fn end_parts(cpu: Cpu, kept: Kept<'_>, done: u64, io: InOut<'_>, open: bool) -> Block {
    let tag = if open {
        cpu.run_prebuilt::<OpenEnd, Aes128>(End { kept, done, io }).block()
    } else {
        cpu.run_prebuilt::<SealEnd, Aes128>(End { kept, done, io }).block()
    };
    narrow::clear(cpu);
    tag
}

/// What goes on with a message: its key, its nonce, and the rest of what is known of it.
struct Kept<'a> {
    key: &'a [u8; 32],
    nonce: &'a [u8; 12],
    rest: Rest<'a>,
}

/// [`Progress`] as it is here: the nonce in two blocks, the authenticator in four, and XChaCha20's
/// subkey, once there is one, in the last two.
struct Split<'a> {
    nonce: &'a [u8],
    rest: Rest<'a>,
    subkey: &'a mut [u8; 32],
}

/// What is known of a message but its key and its nonce.
struct Rest<'a> {
    /// The authenticator.
    mac: &'a mut [Block; 4],
    /// The number of the next block of key stream: block 0 is the authenticator's key.
    number: u32,
    ad_len: u64,
    /// What is kept of it besides, once there is something.
    #[cfg(feature = "alloc")]
    waiting: Option<&'a mut Waiting>,
    /// What is kept where there are sixteen registers.
    #[cfg(feature = "alloc")]
    last_pass: Option<&'a mut LastPass>,
}

impl<'a> Split<'a> {
    fn of(at: &'a mut Progress, nonce_len: usize) -> Self {
        // As many blocks as the longest message has fit into 32 bits; there is none behind them.
        let (number, ad_len) = (((at.done() / BLOCK as u64) as u32).wrapping_add(1), at.ad_len());
        let (nonce, rest) = at.blocks.split_at_mut(2);
        let Some((mac, subkey)) = rest.split_first_chunk_mut() else { unreachable!("eight blocks") };
        let Some(subkey) = subkey.as_flattened_mut().first_chunk_mut() else { unreachable!("eight blocks") };
        #[cfg(feature = "alloc")]
        let (waiting, last_pass) = (at.waiting.as_deref_mut(), at.last_pass.as_deref_mut());
        #[cfg(feature = "alloc")]
        let rest = Rest { mac, number, ad_len, waiting, last_pass };
        #[cfg(not(feature = "alloc"))]
        let rest = Rest { mac, number, ad_len };
        Self { nonce: &nonce.as_flattened()[..nonce_len], rest, subkey }
    }
}

impl<'a> Kept<'a> {
    #[inline(always)]
    fn start(&self) -> Start<'a> {
        let (words, _) = self.nonce.as_chunks();
        let word = |i: usize| u32::from_le_bytes(words[i]);
        Start::new(self.key, [word(0), word(1), word(2)])
    }

    /// Seals or opens, and absorbs, one after the other: what is short.
    #[inline(always)]
    fn crypt<B: Backend, const SEAL: bool>(&mut self, b: B, io: &mut InOut<'_>) -> Poly1305 {
        let mut mac = Poly1305::kept(self.rest.mac);
        if const { B::WORDS && !B::ROOMY } {
            return narrow::crypt_on::<B, SEAL>(b, &self.start(), self.rest.number, mac, io, 0, narrow::NOTHING_KEPT);
        }
        if !SEAL {
            absorb(b, &mut mac, io.src());
        }
        self.encrypt(b, io);
        if SEAL {
            absorb(b, &mut mac, io.written());
        }
        mac
    }

    /// XORs with key stream.
    #[inline(always)]
    fn encrypt<B: Backend>(&self, b: B, io: &mut InOut<'_>) {
        let (start, len) = (self.start(), io.len());
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
    }

    /// The same of what is long enough that it is absorbed between the rounds, as in
    /// [`crypt`](super::crypt).
    #[inline(always)]
    fn crypt_long<B: Backend, const SEAL: bool>(&mut self, b: B, io: &mut InOut<'_>) -> Poly1305 {
        let (start, len) = (self.start(), io.len());
        let poly = Poly1305::kept(self.rest.mac);
        let (mut pass, mut at, mut number) = (Pass::empty(b, &start), 0, self.rest.number);
        let mut mac;
        if SEAL {
            pass.fill(b, &start, number, len, &mut Nothing);
            number = number.wrapping_add(pass.blocks());
            at = pass.apply(b, 0, io, 0);
            mac = Mac::<_, false>::new(b, poly, io.written(), 0, len);
        } else {
            mac = Mac::new(b, poly, io.src(), 0, len);
        }
        while at < len {
            let end = at + Pass::<B>::registers(len - at) * B::BYTES;
            let data =
                if SEAL { Data { message: &io.written()[..at], end: at } } else { Data { message: io.src(), end } };
            pass.fill(b, &start, number, len - at, &mut Between(&mut mac, data));
            number = number.wrapping_add(pass.blocks());
            if !SEAL {
                absorb_before(b, &mut mac, io.src(), end);
            }
            at = pass.apply(b, 0, io, at);
        }
        if SEAL {
            mac.absorb_rest(b, io.written());
        }
        mac.ended(b)
    }
}

#[cfg(feature = "alloc")]
impl Kept<'_> {
    /// The same with sums that are kept. Sealing, what waited is absorbed between the rounds of the first pass, and
    /// what the last one has made waits; opening, what waited is absorbed before.
    #[inline(always)]
    fn crypt_on<B: Backend, const SEAL: bool>(&self, b: B, io: &mut InOut<'_>, waiting: &mut Waiting) {
        let (start, len) = (self.start(), io.len());
        let mut mac = Mac::<_, false>::resumed(b, Poly1305::kept(self.rest.mac), waiting);
        let (mut pass, mut at, mut number) = (Pass::empty(b, &start), 0, self.rest.number);
        if !SEAL {
            let waited = waiting.data();
            mac.absorb(b, Data { message: waited, end: waited.len() });
            mac.join(b, waiting, io.src());
        }
        while at < len {
            let end = at + Pass::<B>::registers(len - at) * B::BYTES;
            let data = if !SEAL {
                Data { message: io.src(), end }
            } else if at == 0 {
                Data { message: waiting.data(), end: waiting.data().len() }
            } else {
                Data { message: &io.written()[..at], end: at }
            };
            pass.fill(b, &start, number, len - at, &mut Between(&mut mac, data));
            number = number.wrapping_add(pass.blocks());
            if !SEAL || at == 0 {
                mac.absorb(b, data);
            }
            if !SEAL && end >= len {
                // Before it is overwritten.
                mac.keep(b, io.src(), waiting);
            }
            let begin = at == 0;
            at = pass.apply(b, 0, io, at);
            if SEAL && begin {
                mac.join(b, waiting, &io.written()[..at]);
            }
        }
        if SEAL {
            mac.keep(b, io.written(), waiting);
        }
    }

    /// The same of what is short and follows what is long: its ciphertext waits behind what waits already, so that
    /// the sums stay as they are.
    #[inline(always)]
    fn crypt_behind<B: Backend, const SEAL: bool>(&self, b: B, io: &mut InOut<'_>, waiting: &mut Waiting) {
        if !SEAL {
            waiting.append(io.src());
        }
        self.encrypt(b, io);
        if SEAL {
            waiting.append(io.written());
        }
    }

    /// Has all in one sum, so that what follows may go by itself; nothing waits behind it.
    #[inline(always)]
    fn settle<B: Backend>(&mut self, b: B) {
        if const { B::WORDS && Mac::<B::Wide, false>::KEEPS }
            && let Some(waiting) = &mut self.rest.waiting
        {
            Poly1305::kept(self.rest.mac).settled(b.wide(), waiting).keep(self.rest.mac);
        }
        if const { B::WORDS && !Mac::<B::Wide, false>::KEEPS }
            && let Some(last_pass) = &mut self.rest.last_pass
        {
            let mut mac = Poly1305::kept(self.rest.mac);
            mac.update_long(b.wide(), last_pass.data());
            mac.keep(self.rest.mac);
            last_pass.keep(&[]);
        }
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
        #[cfg(feature = "alloc")]
        {
            if const { B::WORDS && Mac::<B::Wide, false>::KEEPS } {
                if io.len() >= LONG
                    && let Some(waiting) = kept.rest.waiting.take()
                {
                    return kept.crypt_on::<_, SEAL>(b.wide(), &mut io, waiting);
                }
                if let Some(waiting) = kept.rest.waiting.take_if(|it| it.admits(io.len())) {
                    return kept.crypt_behind::<_, SEAL>(b.wide(), &mut io, waiting);
                }
            }
            if const { B::WORDS && !Mac::<B::Wide, false>::KEEPS }
                && let Some(left) = kept.rest.last_pass.take()
            {
                let (start, mac) = (kept.start(), Poly1305::kept(kept.rest.mac));
                narrow::crypt_part::<_, SEAL>(b.wide(), &start, kept.rest.number, mac, &mut io, left)
                    .keep(kept.rest.mac);
                return;
            }
            kept.settle(b);
        }
        let mac = if const { !B::WORDS } {
            kept.crypt::<_, SEAL>(b, &mut io)
        } else if const { !Mac::<B::Wide, false>::KEEPS || cfg!(feature = "alloc") }
            || io.len() / 16 < Mac::<B::Wide, false>::FEWEST
        {
            kept.crypt::<_, SEAL>(b.wide(), &mut io)
        } else {
            kept.crypt_long::<_, SEAL>(b.wide(), &mut io)
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
        #[cfg(feature = "alloc")]
        kept.settle(b);
        let mut mac = kept.crypt::<_, SEAL>(b, &mut io);
        let all = done + io.len() as u64;
        mac.block(u128::from(kept.rest.ad_len) | u128::from(all) << 64);
        ReturnedBlock::new(mac.tag())
    }
}
