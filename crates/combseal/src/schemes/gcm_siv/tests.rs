//! GCM-SIV against published vectors and POLYVAL by way of GHASH, on every tier.

use super::*;
use crate::cpu::Cpu;
use crate::raw::ctr::Ctr;
use crate::schemes::gcm::tests::{bytes, check, ghash, known, wycheproof};
use crate::testing::noise;

/// `check` with the key's AES, on every tier.
fn all_tiers(key: &[u8], nonce: &[u8], ad: &[u8], msg: Option<&[u8]>, ct: &[u8], tag: &[u8]) {
    for cpu in Cpu::all() {
        match key.len() {
            16 => check(&GcmSiv::<Aes128>::build(cpu, key, 16).unwrap(), nonce, ad, msg, ct, tag),
            _ => check(&GcmSiv::<Aes256>::build(cpu, key, 16).unwrap(), nonce, ad, msg, ct, tag),
        }
    }
}

#[test]
fn known_answers() {
    known("gcm_siv_aes128.json", all_tiers);
    known("gcm_siv_aes256.json", all_tiers);
}

#[test]
fn wycheproof_answers() {
    wycheproof("wycheproof/aes_gcm_siv_test.json", all_tiers);
}

/// GCM-SIV by the book, POLYVAL as GHASH of reversed blocks (RFC 8452, appendix A).
fn reference<A: Aes>(key: &[u8], nonce: &[u8], ad: &[u8], buf: &mut [u8]) -> Block {
    let encrypt = |key: &[u8], mut block: Block| {
        let mut x = [0; 16];
        Ctr::<A>::build(Cpu::detect(), key).unwrap().apply(&block, &mut x);
        block = x;
        block
    };
    let half = |i: u32| {
        let mut b = [0; 16];
        b[..4].copy_from_slice(&i.to_le_bytes());
        b[4..].copy_from_slice(nonce);
        encrypt(key, b)[..8].to_vec()
    };
    let auth = [half(0), half(1)].concat();
    let enc: Vec<u8> = (2..2 + A::KEY_LEN as u32 / 8).flat_map(half).collect();
    let reversed = |data: &[u8]| -> Vec<u8> {
        let mut out = data.to_vec();
        out.resize(data.len().next_multiple_of(16), 0);
        out.chunks_mut(16).for_each(|b| b.reverse());
        out
    };
    let h = u128::from_le_bytes(auth.try_into().unwrap());
    let h = h >> 1 ^ (0xe1 << 120) & 0u128.wrapping_sub(h & 1);
    let lengths = ((8 * buf.len() as u128) << 64 | 8 * ad.len() as u128).to_be_bytes();
    let s = ghash(h, &[&reversed(ad), &reversed(buf), &lengths]);
    let mut s = s.to_le_bytes();
    s.iter_mut().zip(nonce).for_each(|(s, n)| *s ^= n);
    s[15] &= 0x7f;
    let tag = encrypt(&enc, s);
    let mut counter = tag;
    counter[15] |= 0x80;
    for block in buf.chunks_mut(16) {
        block.iter_mut().zip(encrypt(&enc, counter)).for_each(|(x, p)| *x ^= p);
        let low = u32::from_le_bytes([counter[0], counter[1], counter[2], counter[3]]).wrapping_add(1);
        counter[..4].copy_from_slice(&low.to_le_bytes());
    }
    tag
}

fn agrees<A: SivAes>(len: usize, ad: &[u8], slow: bool) {
    let (key, nonce) = (bytes(A::KEY_LEN, 7), bytes(12, len as u8));
    let plain = bytes(len, 2);
    let mut expected = plain.clone();
    let tag = reference::<A>(&key, &nonce, ad, &mut expected);
    for cpu in Cpu::all().filter(|cpu| slow || cpu.is_hardware()) {
        check(&GcmSiv::<A>::build(cpu, &key, 16).unwrap(), &nonce, ad, Some(&plain), &expected, &tag);
    }
}

#[test]
fn equals_the_reference() {
    for len in 0..=300 {
        agrees::<Aes128>(len, &bytes(len * 7 % 67, 1), len % 4 == 0 || len < 40);
        agrees::<Aes256>(len, &[], false);
    }
    for near in [512usize, 1024, 2048, 4096, 8192, 65536] {
        for len in near - 17..near + 18 {
            agrees::<Aes256>(len, &bytes(len % 20, 1), false);
        }
    }
    for len in [512, 517, 1000, 1024, 1500] {
        agrees::<Aes128>(len, &bytes(13, 1), true);
    }
    agrees::<Aes128>((1 << 20) + 5, &bytes(5, 1), false);
    for len in 0..=600 {
        agrees::<Aes128>(len % 5 * 16, &bytes(len, 3), len % 32 == 3);
    }
}

/// Messages of all lengths to 300 in lanes, with their own keys, some of them forged, and a few
/// long ones: as one at a time.
#[cfg(feature = "alloc")]
#[test]
fn lanes() {
    use crate::testing::lanes_as_alone;
    use crate::{Algorithm, Key};
    for (algorithm, lengths) in
        [(Algorithm::GcmSivAes128, 301), (Algorithm::GcmSivAes256, 301), (Algorithm::GcmSivAes128, 1501)]
    {
        lanes_as_alone(lengths, |cpu, i| {
            let key: Vec<u8> = (0..algorithm.key_len()).map(|at| (at * 31 + i * 77) as u8).collect();
            Key::build(cpu, algorithm, &key, 16).unwrap()
        });
    }
}

/// Columns of `lens` and this associated data, as one value at a time; opened with some values forged, which fail alone.
#[cfg(feature = "alloc")]
fn column_as_alone(keys: &[&crate::Key], lens: &[usize], ad: &[u8], counted: bool) {
    use crate::{Columns, NonceCounter, Nonces, Values};
    let (count, first) = (lens.len(), (1 << 31) - 9);
    let at = format!("{:?} {:?}, {count} values, {} of AD", keys[0].algorithm(), keys[0].cpu(), ad.len());
    let each: Vec<&crate::Key> = (0..count).map(|i| keys[i % keys.len()]).collect();
    let columns = if keys.len() > 1 { Columns::with_keys(&each).unwrap() } else { Columns::new(keys[0]) }.ad(ad);
    let mut offsets = vec![0u64];
    lens.iter().for_each(|&len| offsets.push(offsets.last().unwrap() + len as u64));
    let data = noise(count, *offsets.last().unwrap() as usize);
    let plain = Values::new(&data, &offsets).unwrap();
    let nonces: Vec<u8> = match counted {
        true => {
            (first..first + count as u64).flat_map(|i| [&b"\xff\xfe\x01\x80"[..], &i.to_be_bytes()].concat()).collect()
        }
        false => noise(7, 12 * count),
    };
    let mut cells: Vec<Vec<u8>> =
        (0..count).map(|i| each[i].seal(&nonces[12 * i..][..12], ad, plain.get(i)).unwrap()).collect();
    let mut sealed = vec![1; columns.sealed_len(&plain).unwrap()];
    let mut counter = NonceCounter::starting_at(&nonces[..4.min(nonces.len())], first, 0);
    let by = match &mut counter {
        Ok(counter) if counted => Nonces::counted(counter),
        _ => Nonces::given(&nonces),
    };
    columns.seal(&plain, by, &mut sealed).unwrap();
    assert!(sealed == cells.concat(), "{at}");

    let mut expected = data.clone();
    let forged = |i: usize| i % 3 == 1;
    for i in (0..count).filter(|&i| forged(i)) {
        let bit = (i * 29 + ad.len()) % (8 * cells[i].len());
        cells[i][bit / 8] ^= 1 << (bit % 8);
        expected[offsets[i] as usize..offsets[i + 1] as usize].fill(0);
    }
    let mut places = vec![0u64; count + 1];
    columns.sealed_offsets(&plain, &mut places).unwrap();
    let (mut opened, mut bits) = (vec![1; expected.len()], vec![255; count.div_ceil(8)]);
    let by = if counted { Nonces::counted_from(&nonces[..4], first).unwrap() } else { Nonces::given(&nonces) };
    let done = columns.open(&Values::new(&cells.concat(), &places).unwrap(), by, &mut opened, &mut bits);
    assert_eq!(done.is_ok(), count < 2, "{at}");
    assert!(opened == expected, "{at}, opened");
    assert!((0..8 * bits.len()).all(|i| (bits[i / 8] >> (i % 8) & 1 == 1) == (i < count && !forged(i))), "{at}, bits");
}

/// Columns of all lengths to 300 and of one, of fewer and more values than there are lanes, with associated data to
/// beyond what is hashed in lanes, under one key and many.
#[cfg(feature = "alloc")]
#[test]
fn columns() {
    use crate::{Algorithm, Key};
    for algorithm in [Algorithm::GcmSivAes128, Algorithm::GcmSivAes256] {
        for cpu in Cpu::all() {
            let fast = cpu.is_hardware() && !cpu.is_pretended();
            let keys: Vec<Key> = (0..if fast { 1000 } else { 40 })
                .map(|i| Key::build(cpu, algorithm, &noise(i, algorithm.key_len()), 16).unwrap())
                .collect();
            let keys: Vec<&Key> = keys.iter().collect();
            let mixed: Vec<usize> = (0..301).map(|i| i * 37 % 301).collect();
            column_as_alone(&keys, &mixed, &noise(1, 20), true);
            column_as_alone(&keys[..1], &mixed, &[], false);
            column_as_alone(&keys, &vec![16; keys.len() + 5], &noise(2, 6), true);
            for count in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33] {
                for len in [0, 1, 15, 16, 17, 32, 47, 256] {
                    column_as_alone(&keys[..1], &vec![len; count], &noise(3, count), count % 2 == 0);
                    column_as_alone(&keys, &vec![len; count], &noise(3, len), count % 2 == 1);
                }
            }
            for ad in (0..=258).filter(|ad| fast || ad % 43 == 0) {
                column_as_alone(
                    &keys[..if ad % 2 == 0 { 1 } else { 3 }],
                    &mixed[ad % 200..][..19],
                    &noise(4, ad),
                    ad % 3 > 0,
                );
            }
        }
    }
}

/// The known answers, each among values of other lengths.
#[cfg(feature = "alloc")]
#[test]
fn known_answers_in_columns() {
    use crate::testing::load;
    use crate::{Algorithm, Columns, Key, Nonces, Values};
    for name in ["gcm_siv_aes128", "gcm_siv_aes256", "wycheproof/aes_gcm_siv_test"] {
        for (i, case) in load(name).iter().enumerate().filter(|(_, case)| case.valid) {
            for cpu in Cpu::all() {
                let algorithm = if case.key.len() > 16 { Algorithm::GcmSivAes256 } else { Algorithm::GcmSivAes128 };
                let key = Key::build(cpu, algorithm, &case.key, 16).unwrap();
                let (before, behind) = (i % 17, i % 23);
                let (data, n) = ([&vec![3; before][..], &case.msg, &[5; 40]].concat(), case.msg.len());
                let mut offsets: Vec<usize> = (0..=before).collect();
                offsets.extend((0..=behind).map(|i| before + n + i));
                let data = &data[..before + n + behind];
                let plain = Values::new(data, &offsets).unwrap();
                let columns = Columns::new(&key).ad(&case.ads[0]);
                let mut sealed = vec![0; columns.sealed_len(&plain).unwrap()];
                let nonces = case.nonce.repeat(plain.count());
                columns.seal(&plain, Nonces::given(&nonces), &mut sealed).unwrap();
                let from = offsets[before] + 16 * before;
                assert!(sealed[from..from + n + 16] == [&case.ct[..], &case.tag].concat(), "{} {cpu:?}", case.label);
            }
        }
    }
}
