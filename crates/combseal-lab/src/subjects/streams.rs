//! The stream ciphers with Poly1305 that people still meet, on each of our tiers. The default study
//! has our best tier of them, at a few lengths, to stand beside what took their place.

use super::candidate::{Candidate, Tag};
use super::implementation::Implementation;
use super::ours::{tiers, width};
use super::scheme::Scheme;
use combseal::Cpu;
use combseal_archive::runs_on;
use combseal_archive::streams::named::{StreamSystem, SystemKey};

/// Each of them in the first of its tunings, which is the fastest, on these [`tiers`].
pub fn implementations(names: &[String]) -> Vec<Implementation> {
    tiers(names).into_iter().filter(|&cpu| runs_on(cpu)).flat_map(on).collect()
}

/// The same on the best of these tiers.
pub fn on_the_best(names: &[String]) -> Vec<Implementation> {
    tiers(names).into_iter().filter(|&cpu| runs_on(cpu)).take(1).flat_map(on).collect()
}

fn on(cpu: Cpu) -> impl Iterator<Item = Implementation> {
    let systems = Scheme::all().filter(|scheme| scheme.is_system());
    systems.filter_map(move |scheme| Some(of(cpu, scheme, StreamSystem::by_name(scheme.short()).next()?)))
}

fn of(cpu: Cpu, scheme: Scheme, system: &'static StreamSystem) -> Implementation {
    let key = move |bytes: &[u8]| SystemKey::build(cpu, system, bytes).expect("a key of the system's length");
    let key_bits = scheme.key_bits().next().unwrap_or(0);
    Implementation::new(scheme, key_bits, format!("combseal {}", cpu.name()), width(cpu), key)
        .ours(cpu.name(), Some(system.context_len()))
}

impl Candidate for SystemKey {
    fn nonce_len(&self) -> usize {
        self.system().nonce_len()
    }

    #[inline(always)]
    fn seal(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Tag {
        self.encrypt_in_place(nonce, ad, buf).expect("legal lengths")
    }

    #[inline(always)]
    fn open(&mut self, nonce: &[u8], ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        self.decrypt_in_place(nonce, ad, buf, tag).is_ok()
    }
}
