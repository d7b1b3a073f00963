//! CMAC: known answers, and every tier as every other.

use crate::common::noise;
use crate::known::{Case, known, lengths};
use crate::tiers;
use combseal::cpu::Aes;
use combseal::hazmat::Cmac;
use combseal::{Aes128, Aes192, Aes256, Cpu, Error};

#[test]
fn known_answers() {
    fn of<A: Aes>(cpu: Cpu, case: &Case) {
        let at = format!("{} {cpu:?}", case.label);
        let Ok(key) = Cmac::<A>::build(cpu, &case.key, 16) else { return assert!(!case.valid, "{at}") };
        assert_eq!(key.tag(&case.msg) == case.tag[..], case.valid, "{at}");
        assert_eq!(key.verify(&case.msg, &case.tag).is_ok(), case.valid, "{at}");
    }
    known(&["aes_cmac", "wycheproof/aes_cmac_test"], |cpu, case| match case.key.len() {
        24 => of::<Aes192>(cpu, case),
        32 => of::<Aes256>(cpu, case),
        _ => of::<Aes128>(cpu, case),
    });
}

#[test]
fn tiers_agree_and_forgeries_fail() {
    let key = noise(0, 16);
    let first = Cmac::<Aes128>::new(key[..].try_into().unwrap());
    for cpu in tiers() {
        let it = Cmac::<Aes128>::build(cpu, &key, 16).unwrap();
        for n in lengths(cpu) {
            let mut msg = noise(n, n);
            let tag = it.tag(&msg);
            assert_eq!(tag, first.tag(&msg), "{cpu:?} {n}");
            it.verify(&msg, tag.as_bytes()).unwrap();
            assert_eq!(it.verify(&msg, &tag.as_bytes()[1..]), Err(Error::TagLength));
            if n > 0 {
                msg[n / 2] ^= 1;
                assert_eq!(it.verify(&msg, tag.as_bytes()), Err(Error::Forged), "{cpu:?} {n}");
            }
        }
    }
}

#[test]
fn wrong_lengths() {
    let build = |key, tag| Cmac::<Aes128>::build(Cpu::detect(), &vec![0; key], tag).err();
    assert_eq!(build(17, 16), Some(Error::KeyLength));
    assert_eq!(build(16, 12), Some(Error::TagLength));
}
