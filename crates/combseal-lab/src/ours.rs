//! Our own schemes, tier by tier. A scheme is added with one line in `schemes`.

use crate::limits::Width;
use crate::subject::{Candidate, CountingNonce, Implementation, Scheme, Tag};
use combseal::{Aead, Aegis128L, Aes128, Algorithm, Ccm, Cpu, Gcm, GcmSiv, Key, NonceCounter, Ocb3, Opener, Sealer};

/// Every scheme of ours on every tier that this machine has and that `tiers` names; on all
/// of them if it names none.
pub fn implementations(tiers: &[String]) -> Vec<Implementation> {
    let wanted = |cpu: &Cpu| tiers.is_empty() || tiers.iter().any(|name| name == cpu.name());
    Cpu::all().filter(wanted).flat_map(schemes).collect()
}

/// The schemes, on one tier: AES-128 by the typed keys, as those take them who
/// want speed; the others by the run-time door, whose code is in the library
/// already and need not be made once more here.
fn schemes(cpu: Cpu) -> Vec<Implementation> {
    vec![
        of::<_, 12>(cpu, Scheme::Ocb3, 128, |cpu, key| Ocb3::<Aes128>::build(cpu, key, 16)),
        of::<_, 12>(cpu, Scheme::Ocb3, 192, |cpu, key| Key::build(cpu, Algorithm::Ocb3Aes192, key, 16)),
        of::<_, 12>(cpu, Scheme::Ocb3, 256, |cpu, key| Key::build(cpu, Algorithm::Ocb3Aes256, key, 16)),
        of::<_, 12>(cpu, Scheme::Gcm, 128, |cpu, key| Gcm::<Aes128>::build(cpu, key, 16)),
        of::<_, 12>(cpu, Scheme::Gcm, 192, |cpu, key| Key::build(cpu, Algorithm::GcmAes192, key, 16)),
        of::<_, 12>(cpu, Scheme::Gcm, 256, |cpu, key| Key::build(cpu, Algorithm::GcmAes256, key, 16)),
        of::<_, 12>(cpu, Scheme::GcmSiv, 128, |cpu, key| GcmSiv::<Aes128>::build(cpu, key, 16)),
        of::<_, 12>(cpu, Scheme::GcmSiv, 256, |cpu, key| Key::build(cpu, Algorithm::GcmSivAes256, key, 16)),
        of::<_, 12>(cpu, Scheme::Ccm, 128, |cpu, key| Ccm::<Aes128>::build(cpu, key, 16)),
        of::<_, 12>(cpu, Scheme::Ccm, 256, |cpu, key| Key::build(cpu, Algorithm::CcmAes256, key, 16)),
        of::<_, 16>(cpu, Scheme::Aegis128L, 128, |cpu, key| Aegis128L::build(cpu, key, 16)),
    ]
}

/// The sealer's nonces begin with this, as far as they are longer than its 8-byte counter.
const PREFIX: &[u8; 8] = b"combseal";

/// A key as its users hold it: a sealer that counts nonces and an opener, both with what they
/// keep between messages; and the bare key, where the nonce is the caller's.
struct Ours<A: Aead, const NONCE: usize> {
    key: A,
    sealer: Sealer<A>,
    opener: Opener<A>,
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
    fn seal_next(&mut self, _: &mut CountingNonce, ad: &[u8], buf: &mut [u8]) -> Tag {
        let mut tag = [0; 16];
        self.sealer.seal_detached(ad, buf, &mut tag).expect("far from the key's limit");
        tag
    }

    fn counted(&self) -> Option<Vec<u8>> {
        let mut nonce = PREFIX[..NONCE - 8].to_vec();
        nonce.extend((self.sealer.next_counter() - 1).to_be_bytes());
        Some(nonce)
    }
}

#[inline(always)]
fn array(tag: combseal::Tag) -> Tag {
    tag[..].try_into().expect("a 16-byte tag")
}

/// `A` on a tier, with 16-byte tags and nonces of `NONCE` bytes.
fn of<A: Aead + 'static, const NONCE: usize>(
    cpu: Cpu,
    scheme: Scheme,
    key_bits: u32,
    build: fn(Cpu, &[u8]) -> Result<A, combseal::Error>,
) -> Implementation {
    let width = match cpu.blocks() {
        4 => Width::W512,
        2 => Width::W256,
        _ => Width::W128,
    };
    let key = move |bytes: &[u8]| build(cpu, bytes).expect("a key of the scheme's length");
    let name = format!("combseal {}", cpu.name());
    Implementation::new(scheme, key_bits, name, width, move |bytes| {
        let prefix = &PREFIX[..NONCE - 8];
        let counter = NonceCounter::new(prefix).expect("room for the counter");
        Ours::<A, NONCE> {
            key: key(bytes),
            sealer: Sealer::new(key(bytes), counter).expect("room for the counter"),
            opener: Opener::new(key(bytes)),
        }
    })
    .timing_setup(key)
}
