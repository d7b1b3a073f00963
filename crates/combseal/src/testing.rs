//! What the tests of many schemes share: known answers, and what is asked of every scheme.

use crate::cpu::{Block, Cpu};
use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::interface::scheme::{Keyed, Relaxed};
use serde_json::Value;

/// A known answer.
pub struct Case {
    pub label: String,
    pub key: Vec<u8>,
    pub nonce: Vec<u8>,
    /// The associated strings; one, unless the file has a list.
    pub ads: Vec<Vec<u8>>,
    pub msg: Vec<u8>,
    pub ct: Vec<u8>,
    pub tag: Vec<u8>,
    /// The length of tags under this key.
    pub tag_len: usize,
    pub valid: bool,
}

/// The known answers of a file in the repository's `vectors`, in the
/// project's format or Wycheproof's.
pub fn load(name: &str) -> Vec<Case> {
    let path = format!("{}/../../vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let own = std::slice::from_ref(&file);
    let groups = file["testGroups"].as_array().map_or(own, |g| g);
    let tests = groups.iter().flat_map(|g| g["tests"].as_array().unwrap());
    let tag_len = file["parameters"]["tag_bytes"].as_u64();
    let cases: Vec<Case> = tests.map(|t| case(name, t, tag_len)).collect();
    assert!(!cases.is_empty());
    cases
}

fn case(name: &str, t: &Value, tag_len: Option<u64>) -> Case {
    let get = |names: [&str; 2]| names.iter().find_map(|n| t[n].as_str()).map_or(Vec::new(), unhex);
    let ads = match t["ads"].as_array() {
        Some(list) => list.iter().map(|ad| unhex(ad.as_str().unwrap())).collect(),
        None => vec![get(["ad", "aad"])],
    };
    Case {
        label: format!("{name} {}{}", t["id"], t["tcId"]),
        key: get(["key", "key"]),
        nonce: get(["nonce", "iv"]),
        ads,
        msg: get(["msg", "msg"]),
        ct: get(["ct", "ct"]),
        tag: get(["tag", "tag"]),
        tag_len: tag_len.map_or(get(["tag", "tag"]).len(), |n| n as usize),
        valid: t["valid"] != false && t["result"] != "invalid",
    }
}

fn unhex(s: &str) -> Vec<u8> {
    (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
}

/// Seals and opens a known answer; says whether it held. A key that could
/// not be built serves for a forgery only.
pub fn holds<S: Aead + Keyed>(key: Result<S, Error>, case: &Case) -> bool {
    let Ok(mut key) = key else { return !case.valid };
    let _ = key.relax(Relaxed::ShortNonces);
    if key.set_nonce_len(case.nonce.len()).is_err() {
        return !case.valid;
    }
    let mut buf = case.ct.clone();
    let opened = key.open_in_place(&case.nonce, &case.ads[0], &mut buf, &case.tag);
    if !case.valid {
        return opened == Err(Error::Forged) && buf.iter().all(|&x| x == 0)
            || opened == Err(Error::TagLength) && buf == case.ct;
    }
    opened.unwrap();
    assert_eq!(buf, case.msg, "{}", case.label);
    key.seal_in_place(&case.nonce, &case.ads[0], &mut buf).unwrap() == case.tag[..] && buf == case.ct
}

/// A wrong bit in a round key of those tiers that `COMBSEAL_BREAK` names, if it does: `soft`, `armv8`, `armv8sha3`. The
/// tests must find it, on whatever runs them; `.ci/far` asks them to.
pub fn broken(tiers: &str, keys: &mut [Block]) {
    if std::env::var("COMBSEAL_BREAK").is_ok_and(|named| named == tiers) {
        keys[3][0] ^= 1;
    }
}

/// The tiers that this machine has. Kernels of schemes are not made for the pretended ones here ([`Kernel::MODELS`](crate::cpu::Kernel)).
pub fn tiers() -> impl Iterator<Item = Cpu> {
    Cpu::all().filter(|cpu| !cpu.is_pretended())
}

/// Bytes that differ from place to place, and for each `seed`.
pub fn noise(seed: usize, n: usize) -> Vec<u8> {
    let mut x = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut next = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (x >> 56) as u8
    };
    (0..n).map(|_| next()).collect()
}

/// Lengths 0 to 300, then around every power of two to 16 KiB; a few of
/// them where the cipher is slow.
pub fn lengths(cpu: Cpu) -> Vec<usize> {
    if cpu.is_hardware() {
        (0..=300).chain((9..=14).flat_map(|i| [(1 << i) - 1, 1 << i, (1 << i) + 1])).collect()
    } else {
        // On the wide software tiers a group of OCB3 is up to 512 bytes.
        let wide: &[usize] = if cpu.is_wide_soft() { &[511, 512, 513, 1040] } else { &[] };
        (0..70).chain([95, 96, 97, 255, 256, 257, 300]).chain(wide.iter().copied()).collect()
    }
}

/// What is asked of every scheme on every tier: to seal as `reference` does
/// (nonce, associated data, message to tag and ciphertext), in place as
/// into another buffer; to open what it sealed; and to refuse it with one
/// bit changed anywhere, leaving zeros.
pub fn properties<S: Aead + Keyed>(
    build: impl Fn(Cpu) -> S,
    nonce_lens: &[usize],
    reference: impl Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>),
) {
    for cpu in tiers() {
        let mut it = build(cpu);
        let _ = it.relax(Relaxed::ShortNonces);
        for (i, n) in lengths(cpu).into_iter().enumerate() {
            let nonce = noise(i, nonce_lens[i % nonce_lens.len()]);
            it.set_nonce_len(nonce.len()).unwrap();
            let ad = noise(i + 1, [0, 13, 16, i * 7 % 200][i % 4]);
            let msg = noise(i + 2, n);
            let at = format!("{cpu:?}, {n} bytes, {} of AD, {} of nonce", ad.len(), nonce.len());
            let (tag, ct) = reference(&nonce, &ad, &msg);
            let sealed = if S::DESCRIPTION.tag_first { [&tag[..], &ct] } else { [&ct[..], &tag] }.concat();
            assert_eq!(it.seal(&nonce, &ad, &msg).unwrap(), sealed, "{at}");
            let mut buf = msg.clone();
            assert_eq!(it.seal_in_place(&nonce, &ad, &mut buf).unwrap(), tag[..], "{at}");
            assert_eq!(buf, ct, "{at}");
            assert_eq!(it.open(&nonce, &ad, &sealed).unwrap(), msg, "{at}");
            it.open_in_place(&nonce, &ad, &mut buf, &tag).unwrap();
            assert_eq!(buf, msg, "{at}");
            let every = match n {
                0..=40 if cpu.is_hardware() => 1,
                0..=40 => 61,
                _ => 1 + 67 * n,
            };
            let all = [&nonce[..], &ad, &sealed].concat();
            for bit in (i % every..8 * all.len()).step_by(every) {
                let at = format!("{at}, bit {bit}");
                let mut all = all.clone();
                all[bit / 8] ^= 1 << (bit % 8);
                let (nonce, rest) = all.split_at_mut(nonce.len());
                let (ad, sealed) = rest.split_at_mut(ad.len());
                assert_eq!(it.open(nonce, ad, sealed), Err(Error::Forged), "{at}");
                assert_eq!(it.open_attached(nonce, ad, sealed), Err(Error::Forged), "{at}");
                let from = if S::DESCRIPTION.tag_first { tag.len() } else { 0 };
                assert_eq!(sealed[from..from + n], vec![0; n], "{at}");
            }
        }
    }
}
