//! The schemes of our own library, on each of its tiers: all that it describes. A new one is
//! measured through `Key`; a line in `scheme` lets its key's setup and size be known.

use super::candidate::{Candidate, CountingNonce, Tag};
use super::implementation::Implementation;
use super::scheme::Scheme;
use crate::measure::Width;
use combseal::hazmat::Ctr;
use combseal::*;

/// The tiers that `tiers` names; if it names none, every one that this machine really has, the
/// best first. Models and other stand-ins have to be named.
pub fn tiers(tiers: &[String]) -> Vec<Cpu> {
    let named = |cpu: &Cpu| tiers.iter().any(|tier| tier == cpu.name());
    let wanted = |cpu: &Cpu| if tiers.is_empty() { !cpu.is_pretended() } else { named(cpu) };
    Cpu::all().filter(wanted).collect()
}

/// Every scheme of ours on these [`tiers`].
pub fn implementations(names: &[String]) -> Vec<Implementation> {
    tiers(names).into_iter().flat_map(schemes).collect()
}

/// The bits of a key that few use, and the families of which they are measured all the same.
const RARE_BITS: u32 = 192;
const WITH_RARE_BITS: [&str; 2] = ["ocb3", "gcm"];

/// Is this scheme measured? What the loops need are tags of 16 bytes, and nonces that have room
/// for a counter.
pub fn is_measured(it: &Description) -> bool {
    let usual = it.key_bits != RARE_BITS || WITH_RARE_BITS.contains(&it.family);
    usual && it.tag_lens.contains(&TAG) && (COUNTER..=COUNTER + PREFIX.len()).contains(&it.nonce_len)
}

/// The schemes, on one tier: all of the library's, and counter mode.
fn schemes(cpu: Cpu) -> Vec<Implementation> {
    let measured = Algorithm::ALL.iter().filter(|algorithm| is_measured(algorithm.description()));
    let mut all: Vec<_> = measured.map(|&algorithm| scheme(cpu, algorithm)).collect();
    all.extend([
        ctr(cpu, 128, Ctr::<Aes128>::build, Ctr::apply),
        ctr(cpu, 192, Ctr::<Aes192>::build, Ctr::apply),
        ctr(cpu, 256, Ctr::<Aes256>::build, Ctr::apply),
    ]);
    all
}

/// A scheme on a tier: those that most people ask for by the typed keys, as those take
/// them who want speed; the others through `Key`, whose code is in the library already
/// and need not be made once more here. Their setup and context are the typed key's all the same,
/// where its type stands below: moving a key that could be of any scheme would be timed with it.
fn scheme(cpu: Cpu, algorithm: Algorithm) -> Implementation {
    macro_rules! of {
        (typed { $($name:ident = $key:ty,)* } at_run_time { $($other:ident = $context:ty,)* }) => {
            match algorithm {
                $(Algorithm::$name => {
                    let build: fn(Cpu, &[u8]) -> Result<$key, combseal::Error> = |cpu, key| <$key>::build(cpu, key, TAG);
                    of(cpu, algorithm, Some(size_of::<$key>()), build)
                })*
                $(Algorithm::$other => at_run_time(cpu, algorithm, Some(size_of::<$context>()))
                    .timing_setup(move |key| <$context>::build(cpu, key, TAG).expect("a key of the scheme's length")),)*
                _ => at_run_time(cpu, algorithm, None),
            }
        };
    }
    of! {
        typed {
            Ocb3Aes128 = Ocb3<Aes128>,
            GcmAes128 = Gcm<Aes128>,
            GcmSivAes128 = GcmSiv<Aes128>,
            CcmAes128 = Ccm<Aes128>,
            Aegis128L = Aegis128L,
        }
        at_run_time {
            Ocb3Aes192 = Ocb3<Aes192>,
            Ocb3Aes256 = Ocb3<Aes256>,
            GcmAes192 = Gcm<Aes192>,
            GcmAes256 = Gcm<Aes256>,
            GcmSivAes256 = GcmSiv<Aes256>,
            CcmAes256 = Ccm<Aes256>,
            EaxAes128 = Eax<Aes128>,
            EaxAes256 = Eax<Aes256>,
            SivAes128 = Siv<Aes128>,
            SivAes256 = Siv<Aes256>,
            Aegis128 = Aegis128,
            Aegis128X2 = Aegis128X2,
            Aegis128X4 = Aegis128X4,
            Aegis256 = Aegis256,
            Aegis256X2 = Aegis256X2,
            Aegis256X4 = Aegis256X4,
            ChaCha20Poly1305 = ChaCha20Poly1305,
            XChaCha20Poly1305 = XChaCha20Poly1305,
        }
    }
}

/// A scheme through [`Key`].
fn at_run_time(cpu: Cpu, algorithm: Algorithm, context: Option<usize>) -> Implementation {
    of(cpu, algorithm, context, move |cpu, key| Key::build(cpu, algorithm, key, TAG))
}

/// Bytes in a tag.
const TAG: usize = 16;
/// Bytes in the counter of a sealer's nonces.
const COUNTER: usize = 8;
/// The sealer's nonces begin with this, as far as they are longer than its counter.
const PREFIX: &[u8; 24] = b"combseal's counter nonce";

/// A key as its users hold it: a sealer that counts nonces and an opener, both with what they
/// keep between messages; and a key by itself for where the nonce is the caller's.
struct Ours<A: Aead> {
    key: A,
    sending: Sending<A>,
    opener: Opener<A>,
}

/// A sealer alone: what each of many keys in use needs.
struct Sending<A: Aead>(Sealer<A>);

/// What a key's nonces begin with.
fn prefix<A: Aead>(key: &A) -> &'static [u8] {
    &PREFIX[..key.nonce_len() - COUNTER]
}

impl<A: Aead> Sending<A> {
    fn new(key: A) -> Self {
        let counter = NonceCounter::new(prefix(&key)).expect("room for the counter");
        Sending(Sealer::new(key, counter).expect("room for the counter"))
    }
}

impl<A: Aead> Candidate for Ours<A> {
    fn nonce_len(&self) -> usize {
        self.key.nonce_len()
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        array(self.key.seal_in_place(nonce, ad, buf).expect("legal lengths"))
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        self.opener.open_in_place(nonce, ad, buf, tag).is_ok()
    }

    #[inline(always)]
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag {
        self.sending.seal_next(nonce, ad, buf)
    }

    fn counted(&self) -> Option<Vec<u8>> {
        let mut nonce = prefix(&self.key).to_vec();
        nonce.extend((self.sending.0.next_counter() - 1).to_be_bytes());
        Some(nonce)
    }
}

impl<A: Aead> Candidate for Sending<A> {
    fn seal(&mut self, _: &[u8], _: &[u8], _: &mut [u8]) -> Tag {
        unreachable!("a sealer alone takes no nonce of the caller's")
    }

    fn open(&mut self, _: &[u8], _: &[u8], _: &mut [u8], _: &Tag) -> bool {
        unreachable!("a sealer alone opens nothing")
    }

    #[inline(always)]
    fn seal_next(&mut self, _: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag {
        let mut tag = [0; 16];
        self.0.seal_detached(ad, buf, &mut tag).expect("far from the key's limit");
        tag
    }

    fn counted(&self) -> Option<Vec<u8>> {
        unreachable!("a sealer alone is timed; its nonces are checked with the opener")
    }
}

#[inline(always)]
fn array(tag: combseal::Tag) -> Tag {
    tag.as_bytes().try_into().expect("a 16-byte tag")
}

/// The widest registers of a tier.
pub(super) fn width(cpu: Cpu) -> Width {
    match cpu.blocks() {
        4 => Width::W512,
        2 => Width::W256,
        _ => Width::W128,
    }
}

/// A scheme on a tier by keys of the type `A`, with nonces of its usual length; a key is
/// `context` bytes.
fn of<A: Aead + 'static>(
    cpu: Cpu,
    algorithm: Algorithm,
    context: Option<usize>,
    build: impl Fn(Cpu, &[u8]) -> Result<A, combseal::Error> + Copy + 'static,
) -> Implementation {
    let key = move |bytes: &[u8]| build(cpu, bytes).expect("a key of the scheme's length");
    let sending = move |bytes: &[u8]| Sending::<A>::new(key(bytes));
    let (it, name) = (algorithm.description(), format!("combseal {}", cpu.name()));
    Implementation::new(Scheme::of(it.family), it.key_bits, name, width(cpu), move |bytes| Ours::<A> {
        key: key(bytes),
        sending: sending(bytes),
        opener: Opener::new(key(bytes)),
    })
    .timing_setup(key)
    .sending_with(sending)
    .ours(cpu.name(), context)
}

/// Counter blocks that lie ready. A block that was counted up just now cannot be read at once: its
/// bytes were stored apart from each other, so the cipher would wait until they, and with them the
/// message before, are in the cache. That cost a short message 40 cycles, which counter mode has not
/// and which the sealers of the other schemes, with counters in registers, have not either.
const READY: usize = 16;

/// Counter mode as if it were an AEAD without tag: seals and opens alike.
struct Counter<K> {
    key: K,
    apply: fn(&K, &[u8; 16], &mut [u8]),
    /// The first counter blocks of the next messages, of which each takes one in turn.
    ready: [[u8; 16]; READY],
    /// Messages sealed.
    sealed: usize,
    /// The same of messages that are opened, by the last bits of their numbers.
    expected: [[u8; 16]; READY],
}

impl<K> Counter<K> {
    fn new(key: K, apply: fn(&K, &[u8; 16], &mut [u8])) -> Self {
        Counter { key, apply, ready: std::array::from_fn(counter_block), sealed: 0, expected: [[0; 16]; READY] }
    }
}

/// The first counter block of a message, by its number.
#[inline(always)]
fn counter_block(message: usize) -> [u8; 16] {
    let mut block = *b"counters 0000000";
    block[12..].copy_from_slice(&(message as u32).to_be_bytes());
    block
}

impl<K> Candidate for Counter<K> {
    fn nonce_len(&self) -> usize {
        16
    }

    #[inline(always)]
    fn seal_next(&mut self, _: &mut CountingNonce, _: &[u8], buf: &mut [u8]) -> Tag {
        let ready = &mut self.ready[self.sealed % READY];
        (self.apply)(&self.key, ready, buf);
        *ready = counter_block(self.sealed + READY);
        self.sealed += 1;
        [0; 16]
    }

    fn counted(&self) -> Option<Vec<u8>> {
        Some(counter_block(self.sealed.checked_sub(1)?).to_vec())
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8]) -> Tag {
        (self.apply)(&self.key, nonce.try_into().expect("16 bytes"), buf);
        [0; 16]
    }

    /// The caller's counter was stored just now, in four bytes: it is read so, and the block that lay ready for it is taken.
    #[inline(always)]
    fn open(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8], _tag: &Tag) -> bool {
        let (front, last) = nonce.split_last_chunk::<4>().expect("16 bytes");
        let number = u32::from_be_bytes(*last);
        let block = &mut self.expected[number as usize % READY];
        if block[..12] != *front || block[12..] != *last {
            *block = nonce.try_into().expect("16 bytes");
        }
        (self.apply)(&self.key, block, buf);
        block[12..].copy_from_slice(&number.wrapping_add(READY as u32).to_be_bytes());
        true
    }
}

fn ctr<K: 'static>(
    cpu: Cpu,
    key_bits: u32,
    build: fn(Cpu, &[u8]) -> Result<K, combseal::Error>,
    apply: fn(&K, &[u8; 16], &mut [u8]),
) -> Implementation {
    let key = move |bytes: &[u8]| build(cpu, bytes).expect("a key of the scheme's length");
    let name = format!("combseal {}", cpu.name());
    Implementation::new(Scheme::of("ctr"), key_bits, name, width(cpu), move |bytes| Counter::new(key(bytes), apply))
        .timing_setup(key)
        .ours(cpu.name(), Some(size_of::<K>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counter mode has the same path for short messages as the schemes that are compared with it: no
    /// counter block is one that was used before, and each is the one that is told.
    #[test]
    fn counter_blocks_are_counted() {
        fn note(_: &(), iv: &[u8; 16], buf: &mut [u8]) {
            buf.copy_from_slice(iv);
        }
        let mut counter = Counter::new((), note);
        assert_eq!(counter.counted(), None);
        let (mut nonce, mut seen) = (CountingNonce::new(16, 1), std::collections::BTreeSet::new());
        for _ in 0..3 * READY + 5 {
            let mut block = [0; 16];
            counter.seal_next(&mut nonce, b"", &mut block);
            assert_eq!(counter.counted().as_deref(), Some(&block[..]));
            assert!(seen.insert(block));
        }
    }

    /// Whichever messages are opened, each is under the block it came with.
    #[test]
    fn opened_under_the_block_that_is_given() {
        fn note(_: &(), iv: &[u8; 16], buf: &mut [u8]) {
            buf.copy_from_slice(iv);
        }
        let mut counter = Counter::new((), note);
        for (front, number) in
            (0..40).map(|i| (1, i)).chain([(1, 7), (2, 7), (2, 23), (1, 39), (1, u32::MAX), (1, 15), (0, 0)])
        {
            let mut nonce = [front; 16];
            nonce[12..].copy_from_slice(&u32::to_be_bytes(number));
            let mut block = [9; 16];
            assert!(counter.open(&nonce, b"", &mut block, &[0; 16]));
            assert_eq!(block, nonce);
        }
    }
}
