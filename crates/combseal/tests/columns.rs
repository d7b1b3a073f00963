//! Columns give what one value at a time gives: every scheme, every tier, keys and associated data
//! one or each, any nonces; what is forged, cut off or too long fails alone.

mod common;

use combseal::{Aead, Algorithm, Batch, Columns, Cpu, Error, Key, NonceCounter, Nonces, Sealer, Values};
use common::noise;

/// Values of these lengths, and where they begin.
fn values(seed: usize, lens: &[usize]) -> (Vec<u8>, Vec<u32>) {
    let mut offsets = vec![0];
    for &len in lens {
        offsets.push(offsets.last().unwrap() + len as u32);
    }
    (noise(seed, *offsets.last().unwrap() as usize), offsets)
}

/// All lengths to a group's and beyond, in no order; long ones between short ones.
fn lengths() -> Vec<usize> {
    let mut lens: Vec<usize> = (0..80).map(|i| i * 37 % 81).collect();
    lens.extend([16; 40]);
    lens.extend([15, 17, 255, 256, 257, 5000, 0, 0, 1, 300, 700, 31, 32, 33, 240, 128]);
    lens.extend((0..7).map(|i| i * 5));
    // Runs about as long as lanes are worth, of values about as long.
    lens.extend([48, 49, 64, 65, 160, 161, 256].into_iter().enumerate().flat_map(|(i, len)| vec![len; 7 + i % 3]));
    lens
}

/// Each value by itself.
fn sealed_alone(key: &Key, nonce: Option<&[u8]>, ad: &[u8], value: &[u8]) -> Vec<u8> {
    let Some(nonce) = nonce else {
        let mut text = value.to_vec();
        let mut whole = key.seal_vectored(&[ad], &mut text).unwrap().as_bytes().to_vec();
        whole.extend(text);
        return whole;
    };
    key.seal(nonce, ad, value).unwrap()
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    Counted,
    Given,
    None,
}

/// Columns against values one at a time: keys and associated data one or each, any nonces, bytes in
/// front. What was sealed is opened, with some values forged and some cut off.
fn check(keys: &[&Key], each_key: bool, each_ad: bool, given: Kind, front: usize, lens: &[usize]) {
    let (key, count) = (keys[0], lens.len());
    let what = format!("{:?} {:?} {each_key} {each_ad} {given:?} {front}", key.algorithm(), key.cpu());
    let of = |i: usize| if each_key { keys[i % keys.len()] } else { key };
    let all_keys: Vec<&Key> = (0..count).map(of).collect();
    let (data, offsets) = values(1, lens);
    let plain = Values::new(&data, &offsets).unwrap();
    let ad_lens: Vec<usize> = (0..count).map(|i| i % 20).collect();
    let (ad_data, ad_offsets) = values(2, &ad_lens);
    let ads = Values::new(&ad_data, &ad_offsets).unwrap();
    let ad = |i: usize| if each_ad { ads.get(i) } else { &ad_data[..9] };
    let columns = if each_key { Columns::with_keys(&all_keys).unwrap() } else { Columns::new(key) }.front(front);
    let columns = if each_ad { columns.ads(ads) } else { columns.ad(&ad_data[..9]) };

    let n = key.nonce_len();
    let prefix = noise(3, n.saturating_sub(8).min(24));
    let first = (1 << 24) - 40;
    let all_nonces: Vec<u8> = match given {
        Kind::Counted => (0..count).flat_map(|i| [&prefix[..], &(first + i as u64).to_be_bytes()].concat()).collect(),
        _ => noise(4, n * count),
    };
    let nonce = |i: usize| (given != Kind::None).then(|| &all_nonces[i * n..(i + 1) * n]);

    let expected: Vec<Vec<u8>> =
        (0..count).map(|i| [vec![0xaa; front], sealed_alone(of(i), nonce(i), ad(i), plain.get(i))].concat()).collect();
    let mut counter = NonceCounter::starting_at(&prefix, first, 0).unwrap();
    let nonces = match given {
        Kind::Counted => Nonces::counted(&mut counter),
        Kind::Given => Nonces::given(&all_nonces),
        Kind::None => Nonces::none(),
    };
    let mut sealed = vec![0xaa; columns.sealed_len(&plain).unwrap()];
    let returned = columns.seal(&plain, nonces, &mut sealed).unwrap();
    assert_eq!(returned, if given == Kind::Counted { first } else { 0 }, "{what}");
    let mut cells = vec![0u64; count + 1];
    columns.sealed_offsets(&plain, &mut cells).unwrap();
    for (i, expected) in expected.iter().enumerate() {
        assert!(sealed[cells[i] as usize..cells[i + 1] as usize] == expected[..], "{what}: value {i} of {}", lens[i]);
    }

    // And against jobs.
    if given != Kind::None {
        let mut whole: Vec<Vec<u8>> = (0..count).map(|i| vec![0; expected[i].len() - front]).collect();
        let mut batch = Batch::new();
        for (i, whole) in whole.iter_mut().enumerate() {
            let body = of(i).body_range(whole.len()).unwrap();
            whole[body].copy_from_slice(plain.get(i));
            batch.seal_attached(of(i), nonce(i).unwrap(), ad(i), whole).unwrap();
        }
        batch.run().all().unwrap();
        for (i, whole) in whole.iter().enumerate() {
            assert!(sealed[cells[i] as usize + front..cells[i + 1] as usize] == whole[..], "{what}: job {i}");
        }
    }

    let opening = || match given {
        Kind::Counted => Nonces::counted_from(&prefix, first).unwrap(),
        Kind::Given => Nonces::given(&all_nonces),
        Kind::None => Nonces::none(),
    };
    let mut opened = vec![1; data.len()];
    let mut bits = vec![0; count.div_ceil(8)];
    columns.open(&Values::new(&sealed, &cells).unwrap(), opening(), &mut opened, &mut bits).unwrap();
    assert!(opened == data, "{what}");
    assert!((0..8 * bits.len()).all(|i| (bits[i / 8] >> (i % 8) & 1 == 1) == (i < count)), "{what}");

    // Every fifth forged, in text, tag or nothing but the front; every eleventh too short.
    let (mut damaged, mut places, mut wanted, mut good) = (Vec::new(), vec![0i64], Vec::new(), Vec::new());
    for (i, cell) in expected.iter().enumerate() {
        let mut cell = cell.clone();
        let (mut right, mut plain) = (true, plain.get(i).to_vec());
        if i % 5 == 2 {
            let at = front + i * 7 % (cell.len() - front);
            cell[at] ^= 1 << (i % 8);
            (right, plain) = (false, vec![0; plain.len()]);
        } else if i % 11 == 3 {
            cell.truncate(i % (columns.overhead()));
            (right, plain) = (false, Vec::new());
        } else if front > 0 {
            cell[0] ^= 1;
        }
        damaged.extend(cell);
        places.push(damaged.len() as i64);
        wanted.extend(plain);
        good.push(right);
    }
    let cells = Values::new(&damaged, &places).unwrap();
    let mut opened = vec![1; columns.opened_len(&cells)];
    let done = columns.open(&cells, opening(), &mut opened, &mut bits);
    assert_eq!(done, Err(Error::Forged), "{what}");
    assert!(opened == wanted, "{what}: forged");
    assert!((0..count).all(|i| (bits[i / 8] >> (i % 8) & 1 == 1) == good[i]), "{what}: bits");
}

/// Every scheme, on every tier.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn equal_one_at_a_time() {
    let lens = lengths();
    for &algorithm in Algorithm::ALL {
        for cpu in Cpu::all() {
            let key = |i: usize, nonce_len: usize| {
                let usual = algorithm.tag_lens()[0];
                let mut it = Key::build(cpu, algorithm, &noise(i, algorithm.key_len()), usual).unwrap();
                it.set_nonce_len(nonce_len).unwrap();
                it
            };
            let usual: Vec<Key> = (0..7).map(|i| key(i, algorithm.nonce_len())).collect();
            let keys: Vec<&Key> = usual.iter().collect();
            let siv = algorithm.description().tag_first;
            for (each_key, each_ad, given, front) in [
                (false, false, Kind::Counted, 0),
                (true, false, Kind::Given, 5),
                (false, true, Kind::Given, 0),
                (true, true, Kind::Counted, 3),
                (false, false, Kind::None, 4),
                (true, false, Kind::None, 0),
                (true, true, Kind::None, 0),
            ] {
                if (given != Kind::None || siv) && (cpu.is_hardware() || !each_ad) {
                    check(&keys, each_key, each_ad, given, front, &lens);
                }
            }
            if algorithm.description().family == "ocb3" {
                for nonce_len in [8, 15] {
                    let (a, b) = (key(1, nonce_len), key(2, nonce_len));
                    check(&[&a, &b], true, false, Kind::Counted, 0, &lens[40..]);
                    check(&[&a], false, false, Kind::Counted, 0, &lens[40..]);
                }
            }
        }
    }
}

/// Tags of other lengths, and associated data that are too long for the lanes.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn unusual_lengths() {
    let (data, offsets) = values(1, &lengths());
    let plain = Values::new(&data, &offsets).unwrap();
    for cpu in Cpu::all() {
        for (tag_len, ad) in [(8, &b""[..]), (12, &[3; 16]), (15, &[4; 100])] {
            let keys = [0, 1].map(|i| Key::build(cpu, Algorithm::Ocb3Aes128, &noise(i, 16), tag_len).unwrap());
            let each: Vec<&Key> = (0..plain.count()).map(|i| &keys[i % 2]).collect();
            for one_key in [true, false] {
                let columns = if one_key { Columns::new(&keys[0]) } else { Columns::with_keys(&each).unwrap() }.ad(ad);
                let mut sealed = vec![0; columns.sealed_len(&plain).unwrap()];
                let mut counter = NonceCounter::new(b"abcd").unwrap();
                columns.seal(&plain, Nonces::counted(&mut counter), &mut sealed).unwrap();
                let mut at = 0;
                for i in 0..plain.count() {
                    let key = if one_key { &keys[0] } else { each[i] };
                    let nonce = [&b"abcd"[..], &(i as u64).to_be_bytes()].concat();
                    let one = key.seal(&nonce, ad, plain.get(i)).unwrap();
                    assert!(sealed[at..at + one.len()] == one, "{cpu:?} {tag_len} {i}");
                    at += one.len();
                }
            }
        }
    }
}

/// Given nonces of every length of OCB3, under one key and under a key each, some of which name their nonces as RFC 7253 does
/// and some as FSE 2011 did.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn nonces_of_all_lengths() {
    use combseal::hazmat::Relaxed::{Fse2011, ShortNonces};
    let (data, offsets) = values(1, &[16, 16, 16, 5, 16, 40, 0, 16, 16, 16, 16, 16, 16, 16, 33, 16, 16, 16, 16, 16]);
    let plain = Values::new(&data, &offsets).unwrap();
    for cpu in Cpu::all() {
        for nonce_len in 0..=15 {
            let keys = [&[ShortNonces][..], &[ShortNonces, Fse2011]].map(|rules| {
                let mut key = Key::hazmat_build(cpu, Algorithm::Ocb3Aes128, &noise(7, 16), 16, rules).unwrap();
                key.set_nonce_len(nonce_len).unwrap();
                key
            });
            let each: Vec<&Key> = (0..plain.count()).map(|i| &keys[i / 3 % 2]).collect();
            let nonces = noise(nonce_len, nonce_len * plain.count());
            for one_key in [true, false] {
                let columns = if one_key { Columns::new(&keys[0]) } else { Columns::with_keys(&each).unwrap() };
                let mut sealed = vec![0; columns.sealed_len(&plain).unwrap()];
                columns.seal(&plain, Nonces::given(&nonces), &mut sealed).unwrap();
                let alone = |i: usize| {
                    let key = if one_key { &keys[0] } else { each[i] };
                    key.seal(&nonces[i * nonce_len..(i + 1) * nonce_len], b"", plain.get(i)).unwrap()
                };
                let expected: Vec<u8> = (0..plain.count()).flat_map(alone).collect();
                assert!(sealed == expected, "{cpu:?} {nonce_len} {one_key}");
                let mut cells: Vec<u32> = vec![0; plain.count() + 1];
                columns.sealed_offsets(&plain, &mut cells).unwrap();
                let (mut opened, mut authentic) = (vec![0; data.len()], [0; 3]);
                let values = Values::new(&sealed, &cells).unwrap();
                columns.open(&values, Nonces::given(&nonces), &mut opened, &mut authentic).unwrap();
                assert!(opened == data && authentic == [0xff, 0xff, 0x0f]);
            }
        }
    }
}

/// Wrong arguments are errors, and nothing is used up by them.
#[test]
fn refusals() {
    let key = Key::new(Algorithm::Ocb3Aes128, &[7; 16]).unwrap();
    let siv = Key::new(Algorithm::SivAes128, &[7; 32]).unwrap();
    let columns = Columns::new(&key);
    let plain = Values::fixed(&[1; 48], 16).unwrap();
    let mut counter = NonceCounter::new(b"abcd").unwrap();
    let mut out = [0; 96];
    let mut bits = [0; 1];
    assert_eq!(columns.seal(&plain, Nonces::counted(&mut counter), &mut out[1..]), Err(Error::BufferLength));
    assert_eq!(columns.seal(&plain, Nonces::none(), &mut out), Err(Error::Unsupported));
    assert_eq!(columns.seal(&plain, Nonces::counted_from(b"abcd", 0).unwrap(), &mut out), Err(Error::Unsupported));
    assert_eq!(columns.seal(&plain, Nonces::given(&[0; 35]), &mut out), Err(Error::NonceLength));
    let mut other = NonceCounter::new(b"abc").unwrap();
    assert_eq!(columns.seal(&plain, Nonces::counted(&mut other), &mut out), Err(Error::PrefixLength));
    let one_ad = Values::fixed(&[1; 16], 16).unwrap();
    assert_eq!(columns.ads(one_ad).seal(&plain, Nonces::counted(&mut counter), &mut out), Err(Error::BufferLength));
    let keys = [&key, &key];
    let few = Columns::with_keys(&keys).unwrap();
    assert_eq!(few.seal(&plain, Nonces::counted(&mut counter), &mut out), Err(Error::BufferLength));
    assert!(matches!(Columns::with_keys(&[&key, &siv]), Err(Error::Unsupported)));
    assert_eq!(counter.next_counter(), 0);
    assert_eq!(columns.seal(&plain, Nonces::counted(&mut counter), &mut out), Ok(0));
    assert_eq!(columns.seal(&plain, Nonces::counted(&mut counter), &mut out), Ok(3));
    assert_eq!(counter.next_counter(), 6);

    let cells = Values::fixed(&out, 32).unwrap();
    let mut plain = [0; 48];
    assert_eq!(columns.open(&cells, Nonces::counted(&mut counter), &mut plain, &mut bits), Err(Error::Unsupported));
    let from = |n| Nonces::counted_from(b"abcd", n).unwrap();
    assert_eq!(columns.open(&cells, from(3), &mut plain, &mut []), Err(Error::BufferLength));
    assert_eq!(columns.open(&cells, from(u64::MAX), &mut plain, &mut bits), Err(Error::Exhausted));
    assert_eq!(columns.open(&cells, from(3), &mut plain, &mut bits), Ok(()));
    assert_eq!((plain, bits), ([1; 48], [7]));
    assert_eq!(columns.open(&cells, from(4), &mut plain, &mut bits), Err(Error::Forged));
    assert_eq!((plain, bits), ([0; 48], [0]));

    // At the end of the key's messages.
    let end = key.limits().key_messages;
    let mut late = NonceCounter::starting_at(b"abcd", end - 2, 0).unwrap();
    let plain = Values::fixed(&[1; 48], 16).unwrap();
    assert_eq!(columns.seal(&plain, Nonces::counted(&mut late), &mut out), Err(Error::Exhausted));
    assert_eq!(late.next_counter(), end - 2);

    // No values: nothing happens.
    let none = Values::new(&[], &[0u32; 0]).unwrap();
    assert_eq!(Columns::with_keys(&[]).unwrap().seal(&none, Nonces::none(), &mut []), Ok(0));
    assert_eq!(columns.open(&none, Nonces::given(&[]), &mut [], &mut []), Ok(()));
}

/// A cell that is longer than its scheme makes any fails alone, one of just the longest message opens;
/// to seal a message that is too long is an error of the whole call.
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn too_long_alone() {
    for cpu in [Cpu::detect(), Cpu::soft()] {
        // Nonces of 13 bytes leave two for the length of a message.
        let mut key = Key::build(cpu, Algorithm::CcmAes128, &[7; 16], 16).unwrap();
        key.set_nonce_len(13).unwrap();
        let columns = Columns::new(&key).front(3);
        let (data, offsets) = values(1, &[5, 65535, 40, 7]);
        let plain = Values::new(&data, &offsets).unwrap();
        let mut counter = NonceCounter::new(b"abcde").unwrap();
        let mut sealed = vec![0; columns.sealed_len(&plain).unwrap()];
        columns.seal(&plain, Nonces::counted(&mut counter), &mut sealed).unwrap();

        let mut cells = [0u32; 5];
        columns.sealed_offsets(&plain, &mut cells).unwrap();
        // The third one and 65,500 bytes, so that its message would have 65,540.
        sealed.splice(cells[3] as usize..cells[3] as usize, noise(9, 65500));
        cells[3] += 65500;
        cells[4] += 65500;
        let it = Values::new(&sealed, &cells).unwrap();
        let mut opened = vec![1; columns.opened_len(&it)];
        let (nonces, mut bits) = (Nonces::counted_from(b"abcde", 0).unwrap(), [255]);
        assert_eq!(columns.open(&it, nonces, &mut opened, &mut bits), Err(Error::Forged));
        assert_eq!(bits, [0b1011], "{cpu:?}");
        let (before, behind) = data.split_at(5 + 65535 + 40);
        assert!(opened == [&before[..5 + 65535], &[0; 65540], behind].concat());

        let (data, offsets) = values(1, &[5, 65536]);
        let plain = Values::new(&data, &offsets).unwrap();
        let mut out = vec![1; columns.sealed_len(&plain).unwrap()];
        let done = columns.seal(&plain, Nonces::counted(&mut counter), &mut out);
        assert_eq!((done, counter.next_counter()), (Err(Error::MessageTooLong), 4));
        assert!(out.iter().all(|&byte| byte == 1));
    }
}

/// As many bytes in front as a number can say: an error where cells are to be made, forgeries where
/// they are read.
#[test]
fn any_front() {
    let ocb3 = Key::new(Algorithm::Ocb3Aes128, &[7; 16]).unwrap();
    let siv = Key::new(Algorithm::SivAes128, &[7; 32]).unwrap();
    let gcm = Key::new(Algorithm::GcmAes128, &[7; 16]).unwrap();
    let cells = Values::fixed(&[1; 96], 32).unwrap();
    let none = Values::new(&[], &[0u32]).unwrap();
    for key in [&ocb3, &siv, &gcm] {
        for front in [usize::MAX, usize::MAX - 15, usize::MAX - 16, usize::MAX / 2, usize::MAX / 3, 33, 17] {
            let columns = Columns::new(key).front(front);
            let nonces = vec![3; 3 * key.nonce_len()];
            let given = || Nonces::given(&nonces);
            if front > 33 {
                assert_eq!(columns.sealed_len(&cells), Err(Error::BufferLength), "{front}");
                assert_eq!(columns.seal(&cells, given(), &mut [1; 96]), Err(Error::BufferLength), "{front}");
                assert_eq!(columns.sealed_offsets(&cells, &mut [0usize; 4]), Err(Error::BufferLength), "{front}");
            }
            let mut places = [1u64; 4];
            columns.opened_offsets(&cells, &mut places).unwrap();
            assert_eq!((columns.opened_len(&cells), places), (0, [0; 4]), "{front}");
            let mut bits = [255];
            assert_eq!(columns.open(&cells, given(), &mut [], &mut bits), Err(Error::Forged), "{front}");
            assert_eq!(bits, [0], "{front}");
            assert_eq!(columns.sealed_len(&none), Ok(0));
            assert_eq!(columns.seal(&none, Nonces::given(&[]), &mut []), Ok(0));
            assert_eq!(columns.open(&none, Nonces::given(&[]), &mut [], &mut []), Ok(()));
        }
    }
}

/// Whatever was in the bits before, none is left after an error.
#[test]
fn stale_bits() {
    let key = Key::new(Algorithm::Ocb3Aes128, &[7; 16]).unwrap();
    let columns = Columns::new(&key);
    let cells = Values::fixed(&[1; 96], 32).unwrap();
    let from = || Nonces::counted_from(b"abcd", 0).unwrap();
    for (out, wrong, bits) in [
        (47, from(), &mut [255][..]),
        (48, from(), &mut [255; 2]),
        (48, Nonces::none(), &mut [255]),
        (48, Nonces::given(&[]), &mut [255]),
        (48, from(), &mut [255]),
    ] {
        assert!(columns.open(&cells, wrong, &mut vec![1; out], bits).is_err());
        assert!(bits.iter().all(|&byte| byte == 0));
    }
    #[cfg(feature = "rayon")]
    for (out, wrong) in [(47, from()), (48, Nonces::none()), (48, from())] {
        let mut bits = [255];
        assert!(columns.open_parallel(&cells, wrong, &mut vec![1; out], &mut bits).is_err());
        assert_eq!(bits, [0]);
    }
}

/// Blocks are counted as a `Sealer` counts them, with offsets of any type, and the limit is met to the
/// block.
#[test]
fn blocks() {
    let key = Key::new(Algorithm::Ocb3Aes128, &[7; 16]).unwrap();
    let (data, offsets) = values(1, &lengths());
    let wide: Vec<i64> = offsets.iter().map(|&at| at.into()).collect();
    let (narrow, wide) = (Values::new(&data, &offsets).unwrap(), Values::new(&data, &wide).unwrap());
    let fixed = Values::fixed(&data[..33 * 40], 33).unwrap();
    let (ad_data, ad_offsets) = values(2, &lengths());
    let ads = Values::new(&ad_data, &ad_offsets).unwrap();
    for plain in [narrow, wide, fixed, narrow.slice(7..8), narrow.slice(9..9), fixed.slice(3..5)] {
        let ads = ads.slice(0..plain.count());
        for (columns, one_ad) in [
            (Columns::new(&key), Some(&[][..])),
            (Columns::new(&key).ad(&[1; 17]), Some(&[1; 17])),
            (Columns::new(&key).ads(ads), None),
        ] {
            let mut sealer = Sealer::new(&key, NonceCounter::new(b"abcd").unwrap()).unwrap();
            for i in 0..plain.count() {
                let ad = one_ad.unwrap_or_else(|| ads.get(i));
                let _sealed = sealer.seal_in_place(ad, &mut plain.get(i).to_vec()).unwrap();
            }
            let mut out = vec![0; columns.sealed_len(&plain).unwrap()];
            let mut counter = NonceCounter::new(b"abcd").unwrap();
            columns.seal(&plain, Nonces::counted(&mut counter), &mut out).unwrap();
            let used = sealer.blocks_used();
            assert_eq!((counter.next_counter(), counter.blocks_used()), (sealer.next_counter(), used));

            let limit = key.limits().key_blocks;
            let mut last = NonceCounter::starting_at(b"abcd", 0, limit - used).unwrap();
            assert!(columns.seal(&plain, Nonces::counted(&mut last), &mut out).is_ok());
            assert_eq!(last.blocks_used(), limit);
            if used > 0 {
                let mut last = NonceCounter::starting_at(b"abcd", 0, limit - used + 1).unwrap();
                let done = columns.seal(&plain, Nonces::counted(&mut last), &mut out);
                assert_eq!((done, last.next_counter()), (Err(Error::Exhausted), 0));
            }
        }
    }
}

/// Without associated data is with empty ones, for SIV's tokens too; and a nonce of no bytes is not the
/// same as none.
#[test]
fn tokens() {
    let mut key = Key::new(Algorithm::SivAes128, &[7; 32]).unwrap();
    key.set_nonce_len(0).unwrap();
    let values = Values::fixed(b"Ann Bob Ann ", 4).unwrap();
    let sealed = |columns: Columns<'_>, nonces| {
        let mut out = vec![0; 60];
        columns.seal(&values, nonces, &mut out).unwrap();
        assert_eq!(out[..20], out[40..]);
        out
    };
    let tokens = sealed(Columns::new(&key), Nonces::none());
    assert!(tokens == sealed(Columns::new(&key).ad(b""), Nonces::none()));
    assert!(tokens != sealed(Columns::new(&key), Nonces::given(&[])));
    let (mut with, mut without) = (*b"Ann ", *b"Ann ");
    assert_eq!(key.seal_vectored(&[b""], &mut with).unwrap(), tokens[..16]);
    assert_eq!(with, tokens[16..20]);
    assert_ne!(key.seal_vectored(&[], &mut without).unwrap(), tokens[..16]);
    // What was set last counts.
    let (a, ads) = (Columns::new(&key).ad(b"a"), Values::fixed(b"aaa", 1).unwrap());
    let one = sealed(a, Nonces::none());
    assert!(one == sealed(Columns::new(&key).ad(b"b").ads(ads), Nonces::none()));
    assert!(one == sealed(Columns::new(&key).ads(Values::fixed(b"bbb", 1).unwrap()).ad(b"a"), Nonces::none()));
}

/// Offsets of every type; those out of order, negative or beyond the end are refused.
#[test]
fn offsets() {
    let data = [1, 2, 3, 4, 5];
    let places = [1i32, 1, 4, 5];
    let it = Values::new(&data, &places).unwrap();
    assert_eq!((it.count(), it.total()), (3, 4));
    assert_eq!((it.get(0), it.get(1), it.get(2)), (&[][..], &[2, 3, 4][..], &[5][..]));
    assert_eq!(it.slice(1..3).get(0), [2, 3, 4]);
    assert_eq!([0, 1, 2].map(|i| it.value_len(i)), [0, 3, 1]);
    assert_eq!(it.slice(2..2).count(), 0);
    assert_eq!(Values::new(&data, &[0usize, 5]).unwrap().get(0), data);
    assert_eq!(Values::new(&data, &[0u64, 5]).unwrap().get(0), data);
    for wrong in [&[-1i64, 3][..], &[0, 6], &[3, 2], &[0, 4, 3], &[0, -1, 3], &[0, 9, 5], &[i64::MAX, i64::MAX]] {
        assert_eq!(Values::new(&data, wrong).err(), Some(Error::BufferLength), "{wrong:?}");
    }
    assert_eq!(Values::fixed(&data, 5).unwrap().slice(1..1).total(), 0);
    assert!(Values::fixed(&data, 2).is_err() && Values::fixed(&data, 0).is_err());
    let mut narrow = [0i32; 2];
    let key = Key::new(Algorithm::Ocb3Aes128, &[7; 16]).unwrap();
    assert_eq!(Columns::new(&key).sealed_offsets(&it, &mut narrow), Err(Error::BufferLength));
    assert_eq!(format!("{it:?}"), "3 values of 4 bytes in all");
}

/// Over threads, the same.
#[cfg(feature = "rayon")]
#[test]
#[cfg_attr(miri, ignore = "takes long")]
fn parallel() {
    let lens: Vec<usize> = (0..5000).map(|i| i * 7 % 60).collect();
    let (data, offsets) = values(1, &lens);
    let plain = Values::new(&data, &offsets).unwrap();
    for algorithm in [Algorithm::Ocb3Aes128, Algorithm::GcmAes128] {
        let key = Key::new(algorithm, &[7; 16]).unwrap();
        let columns = Columns::new(&key).front(2);
        let sealed = |threads: bool| {
            let mut counter = NonceCounter::new(b"abcd").unwrap();
            let mut out = vec![0; columns.sealed_len(&plain).unwrap()];
            let nonces = Nonces::counted(&mut counter);
            if threads {
                columns.seal_parallel(&plain, nonces, &mut out)
            } else {
                columns.seal(&plain, nonces, &mut out)
            }
            .unwrap();
            out
        };
        let mut out = sealed(true);
        assert!(out == sealed(false));
        let mut cells = vec![0u32; lens.len() + 1];
        columns.sealed_offsets(&plain, &mut cells).unwrap();
        let (mut opened, mut bits) = (vec![0; data.len()], vec![0; lens.len().div_ceil(8)]);
        let nonces = || Nonces::counted_from(b"abcd", 0).unwrap();
        let it = Values::new(&out, &cells).unwrap();
        assert_eq!(columns.open_parallel(&it, nonces(), &mut opened, &mut bits), Ok(()));
        assert!(opened == data && bits.iter().all(|&byte| byte == 255));
        out[cells[4321] as usize + 2] ^= 1;
        let it = Values::new(&out, &cells).unwrap();
        assert_eq!(columns.open_parallel(&it, nonces(), &mut opened, &mut bits), Err(Error::Forged));
        assert!((0..5000).all(|i| (bits[i / 8] >> (i % 8) & 1 == 1) == (i != 4321)));
    }
}

/// Columns of `lens` and this associated data, as one value at a time; opened with some values forged, which fail alone.
fn column_as_alone(keys: &[&Key], lens: &[usize], ad: &[u8], counted: bool) {
    let (count, first) = (lens.len(), (1 << 31) - 9);
    let at = format!("{:?} {:?}, {count} values, {} of AD", keys[0].algorithm(), keys[0].cpu(), ad.len());
    let each: Vec<&Key> = (0..count).map(|i| keys[i % keys.len()]).collect();
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
#[test]
fn gcm_siv_of_all_lengths() {
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
