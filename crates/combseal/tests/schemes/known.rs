//! Known answers, and what is asked of CCM, EAX and SIV, which have plain references beside them.

use crate::common::noise;
use crate::tiers;
use combseal::cpu::Aes;
use combseal::{Aead, Ccm, Cpu, Eax, Error, Gcm, Siv};
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

impl Case {
    /// One that a reference gives.
    pub fn made(nonce: &[u8], ad: &[u8], msg: &[u8], ct: Vec<u8>, tag: [u8; 16]) -> Self {
        Self {
            label: format!("{} bytes, {} of AD, {} of nonce", msg.len(), ad.len(), nonce.len()),
            key: Vec::new(),
            nonce: nonce.to_vec(),
            ads: vec![ad.to_vec()],
            msg: msg.to_vec(),
            ct,
            tag: tag.to_vec(),
            tag_len: 16,
            valid: true,
        }
    }
}

/// The known answers of a file in the repository's `vectors`, in the
/// project's format or Wycheproof's.
pub fn load(name: &str) -> Vec<Case> {
    let path = format!("{}/../../vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let own = std::slice::from_ref(&file);
    let groups = file["testGroups"].as_array().map_or(own, |g| g);
    let tag_len = file["parameters"]["tag_bytes"].as_u64();
    let tests = |group: &'_ Value| -> Vec<Case> {
        let tests = group["tests"].as_array().unwrap().iter();
        tests.map(|test| case(name, test, tag_len, group["type"] == "MacWithIvTest")).collect()
    };
    let cases: Vec<Case> = groups.iter().flat_map(tests).collect();
    assert!(!cases.is_empty());
    assert!(file["numberOfTests"].is_null() || file["numberOfTests"] == cases.len());
    cases
}

/// `mac`: what is authenticated is called the message, and nothing is encrypted.
fn case(name: &str, t: &Value, tag_len: Option<u64>, mac: bool) -> Case {
    let get = |names: [&str; 2]| names.iter().find_map(|n| t[n].as_str()).map_or(Vec::new(), unhex);
    assert!(t["key"].is_string() && t["msg"].is_string(), "{name} {t}");
    assert!(t["result"].is_null() || t["result"] == "valid" || t["result"] == "invalid", "{name} {t}");
    let msg = get(["msg", "msg"]);
    let (ad, msg) = if mac { (msg, Vec::new()) } else { (get(["ad", "aad"]), msg) };
    let ads = match t["ads"].as_array() {
        Some(list) => list.iter().map(|ad| unhex(ad.as_str().unwrap())).collect(),
        None => vec![ad],
    };
    Case {
        label: format!("{name} {}{}", t["id"], t["tcId"]),
        key: get(["key", "key"]),
        nonce: get(["nonce", "iv"]),
        ads,
        msg,
        ct: get(["ct", "ct"]),
        tag: get(["tag", "tag"]),
        tag_len: tag_len.map_or(get(["tag", "tag"]).len(), |n| n as usize),
        valid: t["valid"] != false && t["result"] != "invalid",
    }
}

fn unhex(s: &str) -> Vec<u8> {
    (0..s.len()).step_by(2).map(|i| u8::from_str_radix(&s[i..i + 2], 16).unwrap()).collect()
}

/// Does `each` with every known answer of the files, on every tier.
pub fn known(names: &[&str], each: impl Fn(Cpu, &Case)) {
    for case in names.iter().flat_map(|name| load(name)) {
        tiers().for_each(|cpu| each(cpu, &case));
    }
}

/// A typed key whose nonces may have many lengths.
pub trait AnyNonces: Aead + Sized {
    /// The same key for nonces of `len` bytes, short ones too.
    fn for_nonces(self, len: usize) -> Result<Self, Error>;
}
macro_rules! any_nonces {
    ($($scheme:ident $($short:ident)?;)*) => {$(
        impl<A: Aes> AnyNonces for $scheme<A>
        where
            Self: Aead,
        {
            fn for_nonces(mut self, len: usize) -> Result<Self, Error> {
                $(self.$short();)?
                self.set_nonce_len(len).map(|()| self)
            }
        }
    )*};
}
any_nonces! {
    Gcm hazmat_allow_short_nonces;
    Eax hazmat_allow_short_nonces;
    Ccm;
    Siv;
}

/// The same where a case that is not valid may have a key, a tag or a nonce of a length for which there is no key.
pub fn check_if_made<K: Aead>(key: Result<K, Error>, case: &Case) {
    match key {
        Ok(key) => check(&key, case),
        Err(_) => assert!(!case.valid, "{}", case.label),
    }
}

/// Seals and opens a known answer, in place and into another buffer. What is not valid is refused: by a length
/// that the scheme has not, and then nothing is touched, or as forged, which leaves zeros.
pub fn check<K: Aead>(key: &K, case: &Case) {
    let Case { label, nonce, msg, ct, tag, .. } = case;
    let (ad, cpu) = (&case.ads[0], key.cpu());
    let mut buf = ct.clone();
    let opened = key.open_in_place(nonce, ad, &mut buf, tag);
    if !case.valid {
        let zero = buf.iter().all(|&byte| byte == 0);
        let by_length = matches!(opened, Err(Error::NonceLength | Error::TagLength)) && buf == *ct;
        assert!(opened == Err(Error::Forged) && zero || by_length, "{label} {cpu:?}");
        return;
    }
    assert_eq!((opened, &buf), (Ok(()), msg), "{label} {cpu:?}");
    let made = key.seal_in_place(nonce, ad, &mut buf).unwrap();
    assert_eq!((&buf, made.as_bytes()), (ct, &tag[..]), "{label} {cpu:?}");
    let mut apart = vec![0xaa; msg.len()];
    let made = key.seal_to(nonce, ad, msg, &mut apart).unwrap();
    assert_eq!((&apart, made.as_bytes()), (ct, &tag[..]), "{label} {cpu:?}");
    key.open_to(nonce, ad, ct, &mut apart, tag).unwrap();
    assert_eq!(apart, *msg, "{label} {cpu:?}");
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

/// What is asked on every tier: to seal as `reference` does
/// (nonce, associated data, message to tag and ciphertext), in place as
/// into another buffer; to open what it sealed; and to refuse it with one
/// bit changed anywhere, leaving zeros.
pub fn properties<S: AnyNonces>(
    build: impl Fn(Cpu) -> S,
    nonce_lens: &[usize],
    reference: impl Fn(&[u8], &[u8], &[u8]) -> (Vec<u8>, Vec<u8>),
) {
    for cpu in tiers() {
        for (i, n) in lengths(cpu).into_iter().enumerate() {
            let nonce = noise(i, nonce_lens[i % nonce_lens.len()]);
            let it = build(cpu).for_nonces(nonce.len()).unwrap();
            let ad = noise(i + 1, [0, 13, 16, i * 7 % 200][i % 4]);
            let msg = noise(i + 2, n);
            let at = format!("{cpu:?}, {n} bytes, {} of AD, {} of nonce", ad.len(), nonce.len());
            let (tag, ct) = reference(&nonce, &ad, &msg);
            let from = it.body_range(n + tag.len()).unwrap().start;
            let sealed = if from > 0 { [&tag[..], &ct] } else { [&ct[..], &tag] }.concat();
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
                assert_eq!(sealed[from..from + n], vec![0; n], "{at}");
            }
        }
    }
}
