//! One number a scheme, over its ciphertexts and tags of messages of many lengths: every
//! tier gives it, and every machine, whatever its words' width and byte order. A few short
//! messages have their own, for Miri.

mod common;

use combseal::hazmat::Relaxed;
use combseal::{Aead, Algorithm, Cpu, Key};
use common::Random;

/// FNV-1a of 128 bits: not for secrets, but every byte and its place count.
struct Digest(u128);

impl Digest {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(1 << 88 | 0x13b);
        }
    }
}

/// Bytes for a scheme's messages, of a series of their own.
fn random(algorithm: Algorithm, series: u64) -> Random {
    Random::new(algorithm.name().bytes().fold(series, |n, b| n << 3 ^ u64::from(b)))
}

/// The digest of messages of `lens` bytes on one tier, each with some associated data and a
/// nonce of `nonce_len(i)` bytes. What is sealed is opened again.
fn digest(
    cpu: Cpu,
    algorithm: Algorithm,
    tag_len: usize,
    random: &mut Random,
    lens: &[usize],
    nonce_len: impl Fn(usize) -> usize,
) -> u128 {
    let bytes = random.bytes(algorithm.key_len());
    let mut key = Key::hazmat_build(cpu, algorithm, &bytes, tag_len, &[Relaxed::ShortNonces])
        .or_else(|_| Key::build(cpu, algorithm, &bytes, tag_len))
        .unwrap();
    let mut digest = Digest::new();
    for (i, &len) in lens.iter().enumerate() {
        key.set_nonce_len(nonce_len(i)).unwrap();
        let (nonce, ad, msg) = (random.bytes(nonce_len(i)), random.bytes(len * 7 % 67), random.bytes(len));
        let mut buf = msg.clone();
        let tag = key.seal_in_place(&nonce, &ad, &mut buf).unwrap();
        digest.add(&buf);
        digest.add(tag.as_bytes());
        if cfg!(miri) && len < 40 {
            continue;
        }
        key.open_in_place(&nonce, &ad, &mut buf, tag.as_bytes())
            .unwrap_or_else(|e| panic!("{algorithm} on {cpu:?}: {e}"));
        assert!(buf == msg, "{algorithm} on {cpu:?}: message {len}");
    }
    digest.0
}

/// Every fourth message has a nonce of another length than the usual one, where there is a choice.
fn nonce_len(algorithm: Algorithm, i: usize) -> usize {
    match algorithm.name() {
        name if i % 4 != 3 || name.contains("-SIV") => algorithm.nonce_len(),
        name if name.starts_with("OCB3") => 6 + i / 4 % 10,
        name if name.ends_with("-GCM") || name.ends_with("-EAX") => 1 + i / 4 % 40,
        name if name.ends_with("-CCM") => 7 + i / 4 % 7,
        _ => algorithm.nonce_len(),
    }
}

/// The name; the digest of many messages; of each of a few, half of it.
const EXPECTED: &[(&str, u128, [u64; 3])] = &[
    ("OCB3-AES-128", 0x83472591307327fecf07ea6ec6473fd6, [0x2867f5b91d30f2cd, 0x1d269c7d51a04928, 0x659f80c4d029bd64]),
    ("OCB3-AES-192", 0x6a58b198595dd9f98c3cd8d6d41e9e1c, [0xc1ecf15b1aa8e6f0, 0x5e93f5d2c75648a9, 0x44e9493a207a0345]),
    ("OCB3-AES-256", 0x907a3902af4ff1b739292998a582cf34, [0x93fccff56d8d571d, 0x9ef2e79efd15fbef, 0xbfcc61a10eac7184]),
    ("AES-128-GCM", 0xb0196309c540c24a2e10b73ec1da3355, [0xcc7c04e809977a11, 0x96a99897694a30de, 0xcddec22f4d1f012d]),
    ("AES-192-GCM", 0x668250e6ddbc4bca1f4594353fc58623, [0xf12e7b88a4575d7f, 0x0f407c2deefbb9c6, 0xbabe99fde8013bae]),
    ("AES-256-GCM", 0xa862f7bf59fe6205d82f84b1ea26c64f, [0x293fd4fcc389d9ab, 0xacbe592f8346cf3c, 0x578290bc9a973786]),
    (
        "AES-128-GCM-SIV",
        0x739b26f415873a4ec07135b019d5ac32,
        [0x22856e339ff1ed73, 0x151616cd3f5df815, 0x982a2079858c1110],
    ),
    (
        "AES-256-GCM-SIV",
        0x041ca525c9dc1fedc40609c506578d6b,
        [0x2f50973f55cb278e, 0x33898b89d61776f8, 0xcda39774eca7d0f2],
    ),
    ("AES-128-CCM", 0x572102e71880fe0045c9fc4ccb4fdfc5, [0x0ac429bdd8b9a26f, 0x711025980f356e02, 0xc8eeb1c3f5112bbd]),
    ("AES-192-CCM", 0x1e667181eaf0c5e79856e84dbe1762d8, [0x12f6178c6054cfee, 0xda081a74d8708a56, 0x05a9291e24b440ba]),
    ("AES-256-CCM", 0x6224ba9fbbfa48698e6511302ea6325d, [0x5ddda20611b6e913, 0x632e0f95d43ebd8b, 0x551c0eec6dadf52a]),
    ("AES-128-EAX", 0x13c0826c19435912ab3de287dd84a157, [0x6c3f56308669f6cd, 0x412c7751fb1a07a9, 0xbd514e077df30dad]),
    ("AES-192-EAX", 0xdf8ef0e8c6c4f62f5aa46e1b57071b6b, [0x0058946678d1b441, 0x512fa402f6ecd425, 0xe117d86223e866da]),
    ("AES-256-EAX", 0x4717c5d491d12eaed5f911ac17a6dd09, [0xe4284385c442bade, 0xdada6199a32e30af, 0x1352447756dfb347]),
    ("AES-128-SIV", 0x6c11dad836e6364ee317ba968d0ceb3e, [0x1ddee7ffbb4a3682, 0x29672aec79b5bb38, 0xf4e3101a1edcf95f]),
    ("AES-192-SIV", 0x03d0a7f08e98c83459ca3abbba8ce631, [0x750c62698dee8152, 0xbff9ab3c59f36fde, 0x049324a898acccbc]),
    ("AES-256-SIV", 0x392820a6349a8d2005473f2449bb9f43, [0xb98bfe29b37a33c4, 0xf34c208f6368865d, 0x763cca20808c4fff]),
    ("AEGIS-128", 0x62a1d9cf6e0624c4ff121eb6279fa27b, [0xa6e2e0283c56589d, 0x4ccd60ade201e59e, 0xbe46cf3817296319]),
    ("AEGIS-128L", 0x157ae145e5e192270ebecc978b7054a5, [0xb714b7275aede028, 0xf0cd634e56983ab8, 0x7387b003915a87c8]),
    ("AEGIS-128X2", 0x51ae1a631fadffb0759afcf92262b497, [0x185603d3d8423755, 0xf86897189e05e096, 0x9fa4366626825324]),
    ("AEGIS-128X4", 0xb12a4657bf2f6666d12d4572f7368527, [0xd00d5403dde9df5d, 0xe17075661abf5ad4, 0xb47e367add2e0dc8]),
    ("AEGIS-256", 0x630dd3c4a77f741d7096cba895faddad, [0x992b079f0c8d6b41, 0x330e1be38c295ecd, 0x22ce010ddb80b367]),
    ("AEGIS-256X2", 0xfa8b840a91a3b586b5246c2ba0cbe5ec, [0xa92048f78bf7cafd, 0x9a81759e756b0859, 0x1485fb9a6aae3c12]),
    ("AEGIS-256X4", 0x411a55fd7dc1d4bcd0f176ee2561091b, [0x856aebb8a13934d7, 0x45b652dd37fa90c2, 0x3fc258d1e89fb351]),
    (
        "ChaCha20-Poly1305",
        0xd70a4d8944757790be487284cde70a00,
        [0x9328761fa20f23a4, 0x8a1ec6c60ffdc72f, 0xa21cd2d566fdae95],
    ),
    (
        "XChaCha20-Poly1305",
        0x0a8a45b9c024fbb440a59a9b595e5482,
        [0x16f5d74cb2fde676, 0x319b42e663a0b6a9, 0x3053b097a0d4feb9],
    ),
];

/// The scheme's line in the table, all zero if there is none.
fn expected(algorithm: Algorithm) -> (u128, [u64; 3]) {
    EXPECTED.iter().find(|it| it.0 == algorithm.name()).map(|it| (it.1, it.2)).unwrap_or_default()
}

/// Messages of up to 130 bytes and some around groups of registers; tags of several lengths.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn many_messages() {
    let long = [144, 159, 191, 192, 193, 255, 256, 257, 300, 383, 384, 511, 512, 513, 600, 767, 768, 769, 1000];
    let longer = [1008, 1023, 1024, 1025, 1040, 1088, 1103];
    let lens: Vec<usize> = (0..=130).chain(long).chain(longer).collect();
    let mut wrong = Vec::new();
    for &algorithm in Algorithm::ALL {
        let usual = algorithm.tag_lens()[0];
        let others = [32, 12].into_iter().filter(|n| *n != usual && algorithm.tag_lens().contains(n));
        let tag_lens: Vec<usize> = [usual].into_iter().chain(others).collect();
        for cpu in Cpu::all() {
            let mut random = random(algorithm, 1);
            let one = |n: &usize| digest(cpu, algorithm, *n, &mut random, &lens, |i| nonce_len(algorithm, i));
            let found = tag_lens.iter().map(one).fold(0, |sum: u128, it| sum.rotate_left(1) ^ it);
            if found != expected(algorithm).0 {
                wrong.push(format!("{algorithm} on {cpu:?}: {found:#034x}"));
            }
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
    assert_eq!(EXPECTED.len(), Algorithm::ALL.len());
}

/// Whether Miri, which takes a hundred thousand times as long, passes over a message: as a rule
/// one tier takes them all and the others some; of AEGIS, whose states take the longest to set
/// up, one is enough, and of the wide ones it is not opened again.
fn is_passed_over(algorithm: Algorithm, cpu: Cpu, turn: usize, i: usize) -> bool {
    match (algorithm.name(), cpu.name()) {
        (name, tier) if name.starts_with("AEGIS") && name.contains('X') => tier != "soft64" || i != 1,
        (name, "soft64") => name.starts_with("AEGIS") && i != 2,
        _ => turn % 9 != i,
    }
}

/// Few enough for Miri.
#[test]
fn few_messages() {
    let mut wrong = Vec::new();
    for (turn, &algorithm) in Algorithm::ALL.iter().enumerate() {
        for (tier, cpu) in Cpu::all().enumerate() {
            for (i, len) in [0, 20, 49].into_iter().enumerate() {
                if cfg!(miri) && is_passed_over(algorithm, cpu, turn + tier, i) {
                    continue;
                }
                let mut random = random(algorithm, 2 + i as u64);
                let usual = algorithm.tag_lens()[0];
                let found = digest(cpu, algorithm, usual, &mut random, &[len], |_| algorithm.nonce_len()) as u64;
                if found != expected(algorithm).1[i] {
                    wrong.push(format!("{algorithm} on {cpu:?}, {i}: {found:#018x}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "not as expected:\n{}", wrong.join("\n"));
}
