//! The schemes of the archive, on each of our tiers. They take part where somebody asks for them:
//! in a full study, or by name.

use super::candidate::{CountingNonce, Tailed};
use super::implementation::Implementation;
use super::ours::{tiers, width};
use super::scheme::Scheme;
use combseal::Cpu;
use combseal_archive::{Key, Scheme as Archived, runs_on};

/// Every scheme of the archive on these [`tiers`].
pub fn implementations(names: &[String]) -> Vec<Implementation> {
    let on = |cpu| Archived::ALL.iter().map(move |&scheme| of(cpu, scheme));
    tiers(names).into_iter().filter(|&cpu| runs_on(cpu)).flat_map(on).collect()
}

/// A scheme on a tier.
fn of(cpu: Cpu, archived: Archived) -> Implementation {
    let (scheme, key_bits) = Scheme::named(archived.about().name).expect("every scheme of the archive is known");
    let key = move |bytes: &[u8]| Key::build(cpu, archived, bytes).expect("a key of the scheme's length");
    Implementation::tailed(scheme, key_bits, format!("combseal {}", cpu.name()), width(cpu), key)
        .ours(cpu.name(), Some(archived.context_len()))
}

impl Tailed for Key {
    fn nonce_len(&self) -> usize {
        self.scheme().about().nonce_len
    }

    fn tail_len(&self, bytes: usize) -> usize {
        self.scheme().tail_len(bytes)
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        self.seal_in_place(nonce, ad, buf, tail).expect("legal lengths");
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tail: &[u8]) -> bool {
        self.open_in_place(nonce, ad, buf, tail).is_ok()
    }

    #[inline(always)]
    fn seal_next(&mut self, nonce: &mut CountingNonce, ad: &[u8], buf: &mut [u8], tail: &mut [u8]) {
        Tailed::seal(self, nonce.bump(), ad, buf, tail);
    }

    fn counted(&self) -> Option<Vec<u8>> {
        None
    }
}
