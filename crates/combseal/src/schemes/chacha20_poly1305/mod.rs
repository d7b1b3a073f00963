//! ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305
//! (draft-irtf-cfrg-xchacha-03). The key of Poly1305 is the key stream's first
//! block, so it comes with the first blocks of the message in one pass, and a
//! short message's pass is a narrow one.

#[cfg(feature = "alloc")]
mod comb;
mod narrow;
mod parts;

use crate::cpu::{Aes128, Backend, Block, InOut, Interleave, Kernel, ReturnedBlock, equal, narrow_load};
use crate::interface::aead::Aead;
use crate::interface::description::{Description, Limits, RepeatedNonce};
use crate::interface::error::Error;
use crate::interface::scheme::{self, Keyed, Raw, Scheme, Settings};
use crate::memory::blank::secret;
use crate::memory::wipe::Wipe;
use crate::raw::chacha20::{Nothing, Start, Stream, hchacha20};
use crate::raw::poly1305::{Between, Data, Mac, Poly1305};
use narrow::{LONG_AD, one_time};

/// Nothing can be kept from one message to the next.
pub(crate) type Cache = ();

/// The longest message in bytes (RFC 8439, 2.8): 2^32 - 1 blocks of 64.
const MAX_LEN: u64 = (1 << 38) - 64;

/// Whether a message is short enough for plain words to be faster than the wide registers of a software
/// tier, whose doors zero more of the stack.
#[inline(always)]
fn is_short(ad: &[u8], io: &InOut<'_>) -> bool {
    ad.len() + io.len() <= 128
}

/// A pass's key stream: the registers, and how many of them there are.
struct Pass<B: Backend> {
    stream: [Stream<B>; 2],
    registers: usize,
}

impl<B: Backend> Pass<B> {
    /// None yet: one place for all of a message's, since to prepare it takes time. Filled with
    /// what is at hand: to fill it with zeros would be a call.
    #[inline(always)]
    fn empty(b: B, start: &Start<'_>) -> Self {
        Self { stream: [[b.pin(b.splat32(start.nonce[0])); 16]; 2], registers: 0 }
    }

    /// As wide as `len` bytes ask for, or as wide as can be.
    #[inline(always)]
    fn fill<W: Interleave<B>>(&mut self, b: B, start: &Start<'_>, counter: u32, len: usize, work: &mut W) {
        self.registers = Self::registers(len);
        match self.registers {
            4 => self.rows::<_, 1>(b, start, counter, work),
            8 => self.rows::<_, 2>(b, start, counter, work),
            12 => self.rows::<_, 3>(b, start, counter, work),
            16 => {
                let (first, _) = self.stream.split_first_chunk_mut().unwrap_or_else(|| unreachable!("two streams"));
                start.columns::<B, W, 1>(b, counter, work, first);
            }
            20 => self.rows::<_, 5>(b, start, counter, work),
            24 => self.rows::<_, 6>(b, start, counter, work),
            _ => start.columns::<B, W, 2>(b, counter, work, &mut self.stream),
        }
    }

    /// As wide as can be.
    #[inline(always)]
    fn fill_whole(&mut self, b: B, start: &Start<'_>, counter: u32) {
        self.registers = 32;
        start.columns::<B, _, 2>(b, counter, &mut Nothing, &mut self.stream);
    }

    /// How many registers `fill` makes. With 32 registers of one block, of long messages six rows of blocks at a time:
    /// what absorbs the message has room beside them. Registers of four blocks make two passes of columns instead,
    /// which take a tenth less, though some of them lie in memory meanwhile. (With 16 registers what is long goes another
    /// way: `narrow.rs`.)
    #[inline(always)]
    fn registers(len: usize) -> usize {
        match len.div_ceil(4 * B::BYTES) {
            fours @ 0..=6 => 4 * fours,
            9.. if B::ROOMY && B::BLOCKS < 4 => 24,
            _ => 32,
        }
    }

    #[inline(always)]
    fn rows<W: Interleave<B>, const N: usize>(&mut self, b: B, start: &Start<'_>, counter: u32, work: &mut W) {
        let rows = start.rows::<B, W, N>(b, counter, work);
        let to = self.stream.as_flattened_mut();
        for j in 0..N {
            let blocks = b.transpose128(rows[j]);
            for i in 0..4 {
                to[4 * j + i] = blocks[i];
            }
        }
    }

    /// Blocks in it.
    #[inline(always)]
    fn blocks(&self) -> u32 {
        (self.registers * B::BYTES / 64) as u32
    }

    /// XORs `io` from byte `at` on with the registers from `from` on, as far as either goes.
    /// Returns where it ended.
    #[inline(always)]
    fn apply(&self, b: B, from: usize, io: &mut InOut<'_>, at: usize) -> usize {
        let mut at = at;
        // A whole pass of a message written out: to ask behind each register how much is left took longer than the rest.
        let all = self.stream.as_flattened();
        if from == 0 && self.registers == all.len() && io.len() - at >= all.len() * B::BYTES {
            let mut io = io.reborrow();
            io.cut(at);
            let mut io = io.cut(32 * B::BYTES);
            for i in 0..32 {
                let x = io.load(b, i * B::BYTES);
                io.store(b, i * B::BYTES, b.xor(x, all[i]));
            }
            return at + 32 * B::BYTES;
        }
        for &stream in &all[from..self.registers] {
            if io.len() - at < B::BYTES {
                let x = b.load_part(&io.src()[at..]);
                b.store_part(&mut io.dst()[at..], b.xor(x, stream));
                return io.len();
            }
            let x = io.load(b, at);
            io.store(b, at, b.xor(x, stream));
            at += B::BYTES;
        }
        at
    }
}

/// Seals or opens; returns the tag. A short message takes one pass, in rows, and its tag is made
/// in plain words. Of a longer one, ciphertext is absorbed between the rounds of the passes:
/// the pass before has made it, or this one will decrypt it.
#[inline(always)]
fn crypt<B: Backend, const SEAL: bool>(b: B, start: &Start<'_>, ad: &[u8], mut io: InOut<'_>) -> [u8; 16] {
    let len = io.len();
    let few = len.div_ceil(16) + 1 < Mac::<B, true>::FEWEST;
    if const { !B::ROOMY } {
        return if !few || ad.len() >= LONG_AD {
            narrow::crypt::<B, SEAL>(b, start, ad, io)
        } else if B::BLOCKS > 1 && 64 + len <= 4 * B::BYTES {
            narrow::short::<B, SEAL, 1>(b, start, ad, io)
        } else {
            narrow::short::<B, SEAL, 2>(b, start, ad, io)
        };
    }
    if few && ad.len() < LONG_AD {
        return if B::BLOCKS > 2 && len <= 64 {
            // Two blocks fill such a register, and what comes before and after the rounds takes fewer instructions than
            // with a wider one.
            if const { <B::Two as Backend>::BLOCKS == 2 } {
                narrow::short::<B::Two, SEAL, 1>(b.two(), start, ad, io)
            } else {
                // Of the models, whose `Two` has one block.
                narrow::short::<B::Two, SEAL, 2>(b.two(), start, ad, io)
            }
        } else if B::BLOCKS > 2 && 64 + len <= 4 * B::BYTES {
            narrow::short::<B, SEAL, 1>(b, start, ad, io)
        } else {
            short::<B, SEAL, 2>(b, start, ad, io)
        };
    }
    if const { SEAL && B::BLOCKS == 4 } && !few {
        let (mut poly, at, counter) = seal_first(b, start, &mut io);
        update(b, &mut poly, ad);
        let mac = Mac::new(b, poly, io.written(), ad.len(), len);
        if at == len {
            return all_absorbed(b, mac, &io);
        }
        let pass = Pass::empty(b, start);
        return crypt_on::<B, SEAL>(b, start, io, pass, mac, at, counter);
    }
    let mut pass = Pass::empty(b, start);
    pass.fill(b, start, 0, 64 + len, &mut Nothing);
    let mut poly = one_time(b, &pass.stream[0]);
    update(b, &mut poly, ad);
    let from = 4 / B::BLOCKS;
    if few {
        if !SEAL {
            poly.update(b, io.src());
        }
        pass.apply(b, from, &mut io, 0);
        if SEAL {
            poly.update(b, io.written());
        }
        poly.block(ad.len() as u128 | (len as u128) << 64);
        return poly.tag();
    }
    let counter = pass.blocks();
    let (at, mut mac);
    if SEAL {
        at = pass.apply(b, from, &mut io, 0);
        mac = Mac::<_, true>::new(b, poly, io.written(), ad.len(), len);
    } else {
        mac = Mac::new(b, poly, io.src(), ad.len(), len);
        absorb_before(b, &mut mac, io.src(), pass.registers * B::BYTES - 64);
        at = pass.apply(b, from, &mut io, 0);
    }
    crypt_on::<B, SEAL>(b, start, io, pass, mac, at, counter)
}

/// Absorbs associated data.
#[inline(always)]
fn update<B: Backend>(b: B, poly: &mut Poly1305, ad: &[u8]) {
    if ad.len() < LONG_AD {
        poly.update(b, ad);
    } else {
        poly.update_long(b, ad);
    }
}

/// The first pass of a message that is sealed, straight from the registers: in memory the key stream would be written and read
/// once more, and `Pass` prepared for it. Returns the authenticator's beginning, where the pass ended, and the next block's
/// number.
#[inline(always)]
fn seal_first<B: Backend>(b: B, start: &Start<'_>, io: &mut InOut<'_>) -> (Poly1305, usize, u32) {
    match Pass::<B>::registers(64 + io.len()) {
        ..=8 => seal_rows::<B, 2>(b, start, io),
        12 => seal_rows::<B, 3>(b, start, io),
        16 => {
            let mut stream = [[b.zero(); 16]];
            start.columns::<B, _, 1>(b, 0, &mut Nothing, &mut stream);
            seal_stream(b, stream.as_flattened(), io)
        }
        20 => seal_rows::<B, 5>(b, start, io),
        24 => seal_rows::<B, 6>(b, start, io),
        _ => {
            let mut stream = [[b.zero(); 16]; 2];
            start.columns::<B, _, 2>(b, 0, &mut Nothing, &mut stream);
            seal_stream(b, stream.as_flattened(), io)
        }
    }
}

#[inline(always)]
fn seal_rows<B: Backend, const N: usize>(b: B, start: &Start<'_>, io: &mut InOut<'_>) -> (Poly1305, usize, u32) {
    let mut stream = start.rows::<B, _, N>(b, 0, &mut Nothing);
    for rows in &mut stream {
        *rows = b.transpose128(*rows);
    }
    seal_stream(b, stream.as_flattened(), io)
}

/// XORs from the second register on, as far as there is any.
#[inline(always)]
fn seal_stream<B: Backend>(b: B, stream: &[B::V], io: &mut InOut<'_>) -> (Poly1305, usize, u32) {
    let (len, mut left) = (io.len(), io.reborrow());
    macro_rules! written_out {
        ($($i:literal)*) => {$(
            if $i < stream.len() {
                match left.take(B::BYTES) {
                    Some(mut whole) => {
                        let x = whole.load(b, 0);
                        whole.store(b, 0, b.xor(x, stream[$i]));
                    }
                    None => {
                        let x = left.load_part(b);
                        left.store_part(b, b.xor(x, stream[$i]));
                        break;
                    }
                }
            }
        )*};
    }
    // Not a loop, for which the compiler would lay the stream out in memory.
    #[allow(clippy::never_loop, reason = "a block that is left where the message ends")]
    loop {
        written_out!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        break;
    }
    let second = b.widen(b.split(stream[0])[1]);
    let poly = Poly1305::new(u128::from_le_bytes(b.block(stream[0])), u128::from_le_bytes(b.block(second)));
    (poly, len.min((stream.len() - 1) * B::BYTES), stream.len() as u32)
}

/// Seals or opens from byte `at` on, which block `counter` of key stream is for.
#[inline(always)]
fn crypt_on<B: Backend, const SEAL: bool>(
    b: B,
    start: &Start<'_>,
    mut io: InOut<'_>,
    mut pass: Pass<B>,
    mut mac: Mac<B, true>,
    mut at: usize,
    mut counter: u32,
) -> [u8; 16] {
    let len = io.len();
    let words = mac.words(b);
    while at < len {
        // What decryption will overwrite has to be absorbed before; what encryption has not
        // made cannot be.
        let end = at + Pass::<B>::registers(len - at) * B::BYTES;
        let data = if SEAL { Data { message: &io.written()[..at], end: at } } else { Data { message: io.src(), end } };
        // Not between the rounds: the vector units are what both ask for, and each has the registers for itself so.
        if let Some(words) = &words {
            mac.absorb_eights(b, words, data);
        }
        if words.is_some() && len - at > 24 * B::BYTES {
            pass.fill_whole(b, start, counter);
        } else {
            pass.fill(b, start, counter, len - at, &mut Between(&mut mac, data));
        }
        counter = counter.wrapping_add(pass.blocks());
        if !SEAL {
            absorb_before(b, &mut mac, io.src(), end);
        }
        at = pass.apply(b, 0, &mut io, at);
    }
    if SEAL {
        mac.absorb_rest(b, io.written());
    }
    mac.tag(b)
}

/// The tag of a message all of which has been sealed.
#[inline(always)]
fn all_absorbed<B: Backend>(b: B, mut mac: Mac<B, true>, io: &InOut<'_>) -> [u8; 16] {
    mac.absorb_rest(b, io.written());
    mac.tag(b)
}

/// Absorbs what will be decrypted up to `end`. The last group of all may begin there and end
/// behind it.
#[inline(always)]
fn absorb_before<B: Backend, const WHOLE: bool>(b: B, mac: &mut Mac<B, WHOLE>, message: &[u8], end: usize) {
    if end + 2 * B::BYTES < message.len() {
        mac.absorb(b, Data { message, end });
    } else {
        mac.absorb_rest(b, message);
    }
}

/// A message for which `N` rows of blocks, with the one-time key, are enough.
#[inline(always)]
fn short<B: Backend, const SEAL: bool, const N: usize>(
    b: B,
    start: &Start<'_>,
    ad: &[u8],
    mut io: InOut<'_>,
) -> [u8; 16] {
    let mut stream = start.rows::<B, _, N>(b, 0, &mut Nothing);
    // The one-time key straight from its rows.
    let half = |row: usize| u128::from_le_bytes(b.one().block(b.split(stream[0][row])[0]));
    let mut mac = Poly1305::new(half(0), half(1));
    for rows in &mut stream {
        *rows = b.transpose128(*rows);
    }
    mac.update(b, ad);
    let (from, mut at) = (4 / B::BLOCKS, 0);
    // The first ones written out, so that they are not laid out in memory.
    for i in [[0, 1, 2, 3], [4, 5, 6, 7]][from / 4] {
        if from <= i {
            at = encrypt_and_absorb::<B, SEAL>(b, stream.as_flattened()[i % (4 * N)], &mut io, at, &mut mac);
        }
    }
    for &stream in &stream.as_flattened()[(4 + from / 4 * 4).min(4 * N)..] {
        at = encrypt_and_absorb::<B, SEAL>(b, stream, &mut io, at, &mut mac);
    }
    mac.block(ad.len() as u128 | (io.len() as u128) << 64);
    mac.tag()
}

/// A register of a message at byte `at`, from register to register: what has just been stored
/// in part, or together, would be loaded only when it has reached the cache. Returns where it ended.
#[inline(always)]
fn encrypt_and_absorb<B: Backend, const SEAL: bool>(
    b: B,
    stream: B::V,
    io: &mut InOut<'_>,
    at: usize,
    mac: &mut Poly1305,
) -> usize {
    let left = io.len() - at;
    if left == 0 {
        return at;
    }
    let x = b.load_part(&io.src()[at..]);
    let y = b.xor(x, stream);
    b.store_part(&mut io.dst()[at..], y);
    let blocks = b.split(if SEAL { b.keep(y, left) } else { x });
    for i in 0..B::BLOCKS {
        if left > 16 * i {
            mac.block(u128::from_le_bytes(b.one().block(blocks[i])));
        }
    }
    at + left.min(B::BYTES)
}

/// All of it in plain words, a block at a time.
#[inline(always)]
fn plainly<B: Backend, const SEAL: bool>(b: B, start: &Start<'_>, ad: &[u8], mut io: InOut<'_>) -> [u8; 16] {
    let mut pass = Pass { stream: [start.plain(b, 0, 64 + io.len()); 2], registers: 16 };
    let mut mac = one_time(b, &pass.stream[0]);
    mac.update(b, ad);
    if !SEAL {
        mac.update(b, io.src());
    }
    let mut at = pass.apply(b, 4 / B::BLOCKS, &mut io, 0);
    let mut counter = pass.blocks();
    while at < io.len() {
        pass.stream[0] = start.plain(b, counter, io.len() - at);
        at = pass.apply(b, 0, &mut io, at);
        counter = counter.wrapping_add(pass.blocks());
    }
    if SEAL {
        mac.update(b, io.written());
    }
    mac.block(ad.len() as u128 | (io.len() as u128) << 64);
    mac.tag()
}

/// `crypt` by the widest registers, or `plainly`.
#[inline(always)]
fn run<B: Backend, const SEAL: bool>(b: B, it: Seal<'_>) -> [u8; 16] {
    let Seal { key, nonce, ad, io } = it;
    let (words, _) = nonce.as_chunks();
    let word = |i: usize| u32::from_le_bytes(narrow_load(&words[i]));
    let start = Start::new(key, [word(0), word(1), word(2)]);
    if const { B::WORDS } { crypt::<_, SEAL>(b.wide(), &start, ad, io) } else { plainly::<_, SEAL>(b, &start, ad, io) }
}

struct Seal<'a> {
    key: &'a [u8; 32],
    nonce: &'a [u8; 12],
    ad: &'a [u8],
    io: InOut<'a>,
}
impl Kernel for Seal<'_> {
    type Out = ReturnedBlock;
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        ReturnedBlock::new(run::<B, true>(b, self))
    }
}

struct Open<'a>(Seal<'a>);
impl Kernel for Open<'_> {
    type Out = ReturnedBlock;
    const ON_WIDE_SOFT: bool = true;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> ReturnedBlock {
        ReturnedBlock::new(run::<B, false>(b, self.0))
    }
}

crate::cpu::prebuilt! {
    SealDoors<'a, A> = Seal<'a> => ReturnedBlock, [128];
    OpenDoors<'a, A> = Open<'a> => ReturnedBlock, [128];
}

/// Declares the key types.
macro_rules! chacha {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $id:literal, $source:literal, $standard:expr, $with:ident, nonce $nonce_len:literal;)*) => {$(
        $(#[$doc])*
        pub struct $name {
            key: [u8; 32],
            settings: Settings,
        }
        secret!($name { key, settings });

        impl $name {
            scheme::constructors! { new [u8; 32], 32; }
        }

        impl Keyed for $name {
            const DESCRIPTION: &'static Description = &Description {
                name: $text,
                family: $id,
                key_len: 32,
                key_bits: 256,
                nonce_len: $nonce_len,
                nonce_lens: $nonce_len..=$nonce_len,
                shortest_nonce: $nonce_len,
                limits: Limits { message: MAX_LEN, ..Description::USUAL.limits },
                limits_source: "messages of 2^38 - 64 bytes, associated data of 2^64 - 1 (RFC 8439, sect. 2.8); \
                    under one key, of messages and blocks, no limit but that nonces may not repeat (RFC 9001, \
                    sect. 6.6, which allows 2^36 forgeries)",
                source: $source,
                standard: $standard,
                repeated_nonce: RepeatedNonce::XorAndForgeries,
                ..Description::USUAL
            };

            #[inline(always)]
            fn settings_mut(&mut self) -> &mut Settings {
                &mut self.settings
            }

            fn fill(&mut self, key: &[u8]) {
                self.key.copy_from_slice(key);
            }
        }

        impl Scheme for $name {
            type Cache = Cache;

            scheme::described!();
            scheme::parted!();
        }

        impl Raw for $name {
            #[inline]
            fn check(&self, nonce: &[u8], _: &[u8], len: usize) -> Result<(), Error> {
                match (nonce.len(), len as u64) {
                    ($nonce_len, ..=MAX_LEN) => Ok(()),
                    ($nonce_len, _) => Err(Error::MessageTooLong),
                    _ => Err(Error::NonceLength),
                }
            }
            #[inline]
            fn seal_raw(
                &self,
                _: Option<&mut Cache>,
                nonce: &[u8],
                ad: &[u8],
                io: InOut<'_>,
                _: &mut Block,
            ) -> ReturnedBlock {
                let cpu = self.settings.cpu;
                let tag = $with(&self.key, whole(nonce), |key, nonce| cpu.soft_if(is_short(ad, &io)).run_prebuilt::<SealDoors, Aes128>(Seal { key, nonce, ad, io }));
                narrow::clear_below(cpu);
                tag
            }

            #[inline]
            fn open_raw(&self, _: Option<&mut Cache>, nonce: &[u8], ad: &[u8], io: InOut<'_>, tag: &[u8]) -> bool {
                let cpu = self.settings.cpu;
                let right = $with(&self.key, whole(nonce), |key, nonce| cpu.soft_if(is_short(ad, &io)).run_prebuilt::<OpenDoors, Aes128>(Open(Seal { key, nonce, ad, io })));
                narrow::clear_below(cpu);
                equal(&right.block(), tag)
            }
        }

        impl Aead for $name {}
    )*};
}

chacha! {
    /// ChaCha20-Poly1305 (RFC 8439): 32-byte keys, 12-byte nonces, 16-byte tags.
    /// A nonce must not be used twice with one key: count them rather than draw
    /// them.
    ChaCha20Poly1305, "ChaCha20-Poly1305", "chacha20-poly1305", "RFC 8439", Some("RFC 8439"), plain, nonce 12;

    /// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, 2): 32-byte keys, 24-byte
    /// nonces, 16-byte tags. A nonce must not be used twice with one key; drawn
    /// at random they do not repeat in practice.
    XChaCha20Poly1305, "XChaCha20-Poly1305", "xchacha20-poly1305", "draft-irtf-cfrg-xchacha-03", None, extended,
        nonce 24;
}

/// The nonce, whose length has been checked.
#[inline(always)]
fn whole<const N: usize>(nonce: &[u8]) -> &[u8; N] {
    match nonce.try_into() {
        Ok(nonce) => nonce,
        Err(_) => unreachable!("a nonce of a length that `check` refuses"),
    }
}

/// The key and nonce as they are.
#[inline(always)]
fn plain<T>(key: &[u8; 32], nonce: &[u8; 12], run: impl FnOnce(&[u8; 32], &[u8; 12]) -> T) -> T {
    run(key, nonce)
}

/// XChaCha20's: the subkey of the first sixteen bytes, four zeros, and the rest.
#[inline(always)]
fn extended<T>(key: &[u8; 32], nonce: &[u8; 24], run: impl FnOnce(&[u8; 32], &[u8; 12]) -> T) -> T {
    let (mut first, mut rest) = ([0; 16], [0; 12]);
    first.copy_from_slice(&nonce[..16]);
    rest[4..].copy_from_slice(&nonce[16..]);
    let mut subkey = [0; 32];
    hchacha20(key, &first, &mut subkey);
    let out = run(&subkey, &rest);
    subkey.wipe();
    out
}
