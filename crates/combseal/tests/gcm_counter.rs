//! GCM's counter has 32 bits and wraps without a carry. No 12-byte nonce brings a message of
//! less than 64 GiB there; one of 16 bytes, computed for the purpose, puts the wrap anywhere,
//! also in the middle of a long message's groups of registers, and between a message's parts.

mod common;

use aead::array::Array;
use aead::{AeadInOut, KeyInit, consts::U16};
use combseal::hazmat::{Ctr, OpenUnverified};
use combseal::{Aead, Algorithm, Cpu, Key, SealParts};
use common::{Random, is_model};

/// The product in GHASH's field (SP 800-38D, sect. 6.3): the first bit is the coefficient of x^0.
fn times(x: u128, mut v: u128) -> u128 {
    let mut z = 0;
    for i in (0..128).rev() {
        z ^= v & 0u128.wrapping_sub(x >> i & 1);
        v = v >> 1 ^ (0xe1 << 120) & 0u128.wrapping_sub(v & 1);
    }
    z
}

/// x^(2^128 - 2), the product of x^2, x^4, x^8, …
fn inverse(x: u128) -> u128 {
    let (mut power, mut z) = (x, 1 << 127);
    for _ in 1..128 {
        power = times(power, power);
        z = times(z, power);
    }
    z
}

/// The nonce of 16 bytes whose first counter block, GHASH of the nonce and of the number of
/// its bits, is `j0`.
fn nonce(j0: u128, unhash: u128) -> [u8; 16] {
    times(times(j0, unhash) ^ 128, unhash).to_be_bytes()
}

/// E(block).
fn encrypt(ctr: &Ctr<combseal::Aes128>, block: u128) -> u128 {
    let mut x = [0; 16];
    ctr.apply(&block.to_be_bytes(), &mut x);
    u128::from_be_bytes(x)
}

#[test]
fn field() {
    let (one, x) = (1u128 << 127, 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210);
    assert_eq!(times(one, x), x);
    assert_eq!(times(inverse(x), x), one);
    // SP 800-38D's test case 2 (McGrew and Viega): C * H, then with the lengths times H.
    let h = 0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e;
    let c = 0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78;
    assert_eq!(times(times(c, h) ^ 128, h), 0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885);
}

/// Beside RustCrypto's, and the ciphertext beside counter mode a block at a time.
#[test]
fn wraps_in_long_messages() {
    let mut random = Random::new(1);
    let bytes = random.bytes(16);
    let ctr = Ctr::<combseal::Aes128>::build(Cpu::soft(), &bytes).unwrap();
    let unhash = inverse(encrypt(&ctr, 0));
    let theirs = aes_gcm::AesGcm::<aes::Aes128, U16>::new_from_slice(&bytes).unwrap();
    let mut keys: Vec<Key> = Cpu::all().map(|cpu| Key::build(cpu, Algorithm::GcmAes128, &bytes, 16).unwrap()).collect();
    keys.iter_mut().for_each(|key| key.set_nonce_len(16).unwrap());

    // How many counters there are from J0's to the wrap, J0's not among them; a message's first
    // block has the one behind J0's.
    let near = 0..=40;
    let far = [47, 48, 49, 63, 64, 65, 95, 96, 97, 127, 128, 129, 160, 191, 192, 193, 224, 254, 255, 256, 257];
    let lens = [600, 767, 768, 769, 1023, 1024, 1025, 1040, 1536, 2047, 2049, 3000, 4096, 4097];
    for (round, left) in near.chain(far).enumerate() {
        for (turn, len) in lens.into_iter().enumerate() {
            // All lengths where the wrap is in a message's first groups, half of them beyond.
            if left > 40 && (round + turn) % 2 == 1 {
                continue;
            }
            let high: [u8; 12] = random.bytes(12).try_into().unwrap();
            let high = high.iter().fold(0, |n, &b| n << 8 | u128::from(b)) << 32;
            let low = u32::MAX - left;
            let nonce = nonce(high | u128::from(low), unhash);
            let (msg, ad) = (random.bytes(len), random.bytes(turn));
            let mut ct = msg.clone();
            let tag = theirs.encrypt_inout_detached(&Array::from(nonce), &ad, ct.as_mut_slice().into()).unwrap();
            // That the nonce is the one wanted: the blocks before and behind the wrap.
            for i in [left.saturating_sub(1), left, left + 1] {
                let at = 16 * i as usize;
                if at + 16 > len {
                    continue;
                }
                let pad = encrypt(&ctr, high | u128::from(low.wrapping_add(1).wrapping_add(i))).to_be_bytes();
                assert!((0..16).all(|j| ct[at + j] == msg[at + j] ^ pad[j]), "block {i} with {left} left");
            }
            for key in &keys {
                if is_model(key.cpu()) && (round + turn) % 4 != 0 {
                    continue;
                }
                let what = format!("{:?}: message {len}, {left} counters left", key.cpu());
                let mut buf = msg.clone();
                let found = key.seal_in_place(&nonce, &ad, &mut buf).unwrap();
                assert!(buf == ct, "{what}: ciphertext");
                assert_eq!(found, tag[..], "{what}: tag");
                key.open_in_place(&nonce, &ad, &mut buf, &tag).unwrap_or_else(|e| panic!("{what}: {e}"));
                assert!(buf == msg, "{what}: opened");
            }
        }
    }
}

/// The same of messages in parts, whose counter each part takes up anew: beside the whole, which the test above
/// has beside RustCrypto's.
#[test]
fn wraps_in_parts() {
    let mut random = Random::new(2);
    let bytes = random.bytes(16);
    let unhash = inverse(encrypt(&Ctr::<combseal::Aes128>::build(Cpu::soft(), &bytes).unwrap(), 0));
    let j0 = |left: u32| 0x1234_5678_9abc_def0_1122_3344_u128 << 32 | u128::from(u32::MAX - left);
    for cpu in Cpu::all() {
        let mut key = Key::build(cpu, Algorithm::GcmAes128, &bytes, 16).unwrap();
        key.set_nonce_len(16).unwrap();
        let some = if cpu == Cpu::soft() || is_model(cpu) { 5 } else { 1 };
        for left in (0..40).chain([63, 64, 65, 96, 127, 128, 160, 255, 256]).step_by(some) {
            let nonce = nonce(j0(left), unhash);
            for len in [16, 100, 777, 1024, 1536, 4500] {
                let message = random.bytes(len);
                let whole = key.seal(&nonce, b"header", &message).unwrap();
                for cut in [0, 1, 16, 17, 48, 64, 160, 512, 999, 1024].into_iter().filter(|&cut| cut <= len) {
                    let what = format!("{cpu:?}: message {len}, cut at {cut}, {left} counters left");
                    let (mut out, mut at) = (vec![0; len], 0);
                    let mut it = SealParts::new(&key, &nonce, b"header").unwrap();
                    for part in [&message[..cut], &message[cut..]] {
                        at += it.update(part, &mut out[at..]).unwrap();
                    }
                    let (_, tag) = it.finish(&mut out[at..]).unwrap();
                    out.extend_from_slice(tag.as_bytes());
                    assert!(out == whole, "{what}");

                    let (mut out, mut at) = (vec![0; len], 0);
                    let mut it = OpenUnverified::new(&key, &nonce, b"header").unwrap();
                    for part in [&whole[..cut], &whole[cut..len]] {
                        at += it.update(part, &mut out[at..]).unwrap();
                    }
                    it.finish(&whole[len..], &mut out[at..]).unwrap_or_else(|e| panic!("{what}: {e}"));
                    assert!(out == message, "{what}: opened");
                }
            }
        }
    }
}
