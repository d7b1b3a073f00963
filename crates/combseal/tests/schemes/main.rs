//! Every scheme, by its typed key, against published vectors, and against a plain reference or its other tiers, on every tier of
//! this machine; and the forms of the calls, under every scheme.

mod aegis;
mod agreement;
mod buffers;
mod cached;
mod ccm;
mod chacha20_poly1305;
mod cmac;
#[path = "../common/mod.rs"]
mod common;
mod eax;
mod gcm;
mod gcm_siv;
mod keys;
mod known;
mod ocb3;
mod siv;

use combseal::Cpu;

/// The tiers of this machine, without the pretended ones.
fn tiers() -> impl Iterator<Item = Cpu> {
    Cpu::all().filter(|cpu| !cpu.is_pretended())
}

#[test]
fn names() {
    assert_eq!(Cpu::by_name("soft"), Some(Cpu::soft()));
    assert_eq!(Cpu::by_name("no such tier"), None);
    assert_eq!(Cpu::all().next(), Some(Cpu::detect()));
    for cpu in Cpu::all() {
        assert_eq!(Cpu::by_name(cpu.name()), Some(cpu));
        assert!(!cpu.description().is_empty());
    }
    // `.ci/far` says which tiers another machine must have: one that is not found is not tested.
    if let Ok(wanted) = std::env::var("COMBSEAL_TIERS")
        && !wanted.is_empty()
    {
        let there: Vec<&str> = tiers().map(Cpu::name).collect();
        assert_eq!(there.join(" "), wanted);
    }
    // No software tier goes before one with AES instructions, and of those the widest is the first.
    let real: Vec<Cpu> = tiers().collect();
    assert!(real.is_sorted_by_key(|cpu| !cpu.is_hardware()), "{real:?}");
    let soft: Vec<usize> = real.iter().filter(|cpu| !cpu.is_hardware()).map(|cpu| cpu.blocks()).collect();
    assert!(soft.is_sorted_by(|a, b| a > b), "{real:?}");
}
