//! The schemes of our own library, on each of its tiers. To add a scheme is to add one line to
//! `schemes`.

use super::candidate::{Candidate, CountingNonce, Tag};
use super::implementation::Implementation;
use super::scheme::Scheme;
use crate::measure::Width;
use combseal::Algorithm::*;
use combseal::hazmat::Ctr;
use combseal::*;

/// The tiers that `tiers` names; if it names none, every one that this machine really has, the
/// best first. Models and other stand-ins have to be named.
pub fn tiers(tiers: &[String]) -> Vec<Cpu> {
    let real = |name: &str| name != "soft64" && !name.starts_with("model") && !name.starts_with("split");
    let wanted = |name: &str| if tiers.is_empty() { real(name) } else { tiers.iter().any(|tier| tier == name) };
    Cpu::all().filter(|cpu| wanted(cpu.name())).collect()
}

/// Every scheme of ours on these [`tiers`].
pub fn implementations(names: &[String]) -> Vec<Implementation> {
    tiers(names).into_iter().flat_map(schemes).collect()
}

/// The schemes, on one tier: those that most people ask for by the typed keys, as those take
/// them who want speed; the others by the run-time door, whose code is in the library already
/// and need not be made once more here. Their setup and context are the typed key's all the same:
/// moving a key that could be of any scheme would be timed with it.
fn schemes(cpu: Cpu) -> Vec<Implementation> {
    macro_rules! key {
        ($scheme:ident $bits:literal $nonce:literal $algorithm:ident $context:ty) => {
            of::<_, $nonce>(cpu, Scheme::$scheme, $bits, size_of::<$context>(), |cpu, key| {
                Key::build(cpu, $algorithm, key, 16)
            })
            .timing_setup(move |key| <$context>::build(cpu, key, 16).expect("a key of the scheme's length"))
        };
    }
    macro_rules! typed {
        ($scheme:ident $bits:literal $nonce:literal $key:ty) => {
            of::<$key, $nonce>(cpu, Scheme::$scheme, $bits, size_of::<$key>(), |cpu, key| <$key>::build(cpu, key, 16))
        };
    }
    vec![
        typed!(Ocb3 128 12 Ocb3<Aes128>),
        key!(Ocb3 192 12 Ocb3Aes192 Ocb3<Aes192>),
        key!(Ocb3 256 12 Ocb3Aes256 Ocb3<Aes256>),
        typed!(Gcm 128 12 Gcm<Aes128>),
        key!(Gcm 192 12 GcmAes192 Gcm<Aes192>),
        key!(Gcm 256 12 GcmAes256 Gcm<Aes256>),
        typed!(GcmSiv 128 12 GcmSiv<Aes128>),
        key!(GcmSiv 256 12 GcmSivAes256 GcmSiv<Aes256>),
        typed!(Ccm 128 12 Ccm<Aes128>),
        key!(Ccm 256 12 CcmAes256 Ccm<Aes256>),
        key!(Eax 128 16 EaxAes128 Eax<Aes128>),
        key!(Eax 256 16 EaxAes256 Eax<Aes256>),
        key!(Siv 128 16 SivAes128 Siv<Aes128>),
        key!(Siv 256 16 SivAes256 Siv<Aes256>),
        key!(Aegis128 128 16 Aegis128 combseal::Aegis128),
        typed!(Aegis128L 128 16 combseal::Aegis128L),
        key!(Aegis128X2 128 16 Aegis128X2 combseal::Aegis128X2),
        key!(Aegis128X4 128 16 Aegis128X4 combseal::Aegis128X4),
        key!(Aegis256 256 32 Aegis256 combseal::Aegis256),
        key!(Aegis256X2 256 32 Aegis256X2 combseal::Aegis256X2),
        key!(Aegis256X4 256 32 Aegis256X4 combseal::Aegis256X4),
        key!(ChaCha20Poly1305 256 12 ChaCha20Poly1305 combseal::ChaCha20Poly1305),
        key!(XChaCha20Poly1305 256 24 XChaCha20Poly1305 combseal::XChaCha20Poly1305),
        ctr(cpu, 128, Ctr::<Aes128>::build, Ctr::apply),
        ctr(cpu, 192, Ctr::<Aes192>::build, Ctr::apply),
        ctr(cpu, 256, Ctr::<Aes256>::build, Ctr::apply),
    ]
}

/// The sealer's nonces begin with this, as far as they are longer than its 8-byte counter.
const PREFIX: &[u8; 24] = b"combseal's counter nonce";

/// A key as its users hold it: a sealer that counts nonces and an opener, both with what they
/// keep between messages; and a key by itself for where the nonce is the caller's.
struct Ours<A: Aead, const NONCE: usize> {
    key: A,
    sending: Sending<A, NONCE>,
    opener: Opener<A>,
}

/// A sealer alone: what each of many keys in use needs.
struct Sending<A: Aead, const NONCE: usize>(Sealer<A>);

impl<A: Aead, const NONCE: usize> Sending<A, NONCE> {
    fn new(key: A) -> Self {
        let counter = NonceCounter::new(&PREFIX[..NONCE - 8]).expect("room for the counter");
        Sending(Sealer::new(key, counter).expect("room for the counter"))
    }
}

impl<A: Aead, const NONCE: usize> Candidate for Ours<A, NONCE> {
    const NONCE_LEN: usize = NONCE;

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
        self.sending.counted()
    }
}

impl<A: Aead, const NONCE: usize> Candidate for Sending<A, NONCE> {
    const NONCE_LEN: usize = NONCE;

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
        let mut nonce = PREFIX[..NONCE - 8].to_vec();
        nonce.extend((self.0.next_counter() - 1).to_be_bytes());
        Some(nonce)
    }
}

#[inline(always)]
fn array(tag: combseal::Tag) -> Tag {
    tag.as_bytes().try_into().expect("a 16-byte tag")
}

/// The widest registers of a tier.
fn width(cpu: Cpu) -> Width {
    match cpu.blocks() {
        4 => Width::W512,
        2 => Width::W256,
        _ => Width::W128,
    }
}

/// `A` on a tier, with 16-byte tags and nonces of `NONCE` bytes; a key is `context` bytes.
fn of<A: Aead + 'static, const NONCE: usize>(
    cpu: Cpu,
    scheme: Scheme,
    key_bits: u32,
    context: usize,
    build: fn(Cpu, &[u8]) -> Result<A, combseal::Error>,
) -> Implementation {
    let key = move |bytes: &[u8]| build(cpu, bytes).expect("a key of the scheme's length");
    let sending = move |bytes: &[u8]| Sending::<A, NONCE>::new(key(bytes));
    let name = format!("combseal {}", cpu.name());
    Implementation::new(scheme, key_bits, name, width(cpu), move |bytes| Ours::<A, NONCE> {
        key: key(bytes),
        sending: sending(bytes),
        opener: Opener::new(key(bytes)),
    })
    .timing_setup(key)
    .sending_with(sending)
    .ours(cpu.name(), context)
}

/// Counter mode as if it were an AEAD without tag: seals and opens alike.
struct Counter<K> {
    key: K,
    apply: fn(&K, &[u8; 16], &mut [u8]),
}

impl<K> Candidate for Counter<K> {
    const NONCE_LEN: usize = 16;

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8]) -> Tag {
        (self.apply)(&self.key, nonce.try_into().expect("16 bytes"), buf);
        [0; 16]
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], _tag: &Tag) -> bool {
        self.seal(nonce, ad, buf);
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
    Implementation::new(Scheme::Ctr, key_bits, name, width(cpu), move |bytes| Counter { key: key(bytes), apply })
        .timing_setup(key)
        .ours(cpu.name(), size_of::<K>())
}
