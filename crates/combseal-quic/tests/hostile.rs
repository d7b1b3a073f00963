//! Packets that nobody sealed: none opens, none panics, and what is left of them shows nothing.

mod common;

use combseal_quic::{Error, HeaderKey, Incoming, Opener, Outgoing, PacketKey, Sealer, Suite, TAG_LEN};
use common::{long, secret, short};
use proptest::prelude::*;

/// What a failed packet must be like: as it was, or its payload zero and its header as it was.
fn is_clean(before: &[u8], after: &[u8], pn_offset: usize, error: Error) -> bool {
    match error {
        Error::Forged => {
            let end = after.len() - TAG_LEN;
            // The header ends somewhere within the four bytes that its number may have.
            after.len() == before.len()
                && after[..=pn_offset] == before[..=pn_offset]
                && (pn_offset + 1..=pn_offset + 4)
                    .any(|at| at <= end && after[..at] == before[..at] && after[at..end].iter().all(|&b| b == 0))
        }
        _ => after == before,
    }
}

/// A packet cut to each shorter length, its header and offset as they were, and one with a byte
/// more.
#[test]
fn cut_packets() {
    for suite in Suite::ALL {
        let secret = secret(suite, 1);
        for (mut packet, at) in [short(0, 1, &[7; 40]), short(20, 4, &[7; 3]), long(8, 2, &[7; 40])] {
            Sealer::new(&secret).seal(&mut packet, at, 0).unwrap();
            let mut opener = Opener::with_key_updates(&secret);
            for len in (0..packet.len()).chain([packet.len() + 1]) {
                let mut cut = packet.clone();
                cut.resize(len, 0);
                let before = cut.clone();
                let error = opener.open(&mut cut, at).unwrap_err();
                assert_eq!(error, if len < at + 20 { Error::PacketTooShort } else { Error::Forged }, "{len}");
                assert!(is_clean(&before, &cut, at, error), "{suite:?} {len}");
            }
            assert!(opener.open(&mut packet, at).is_ok());
        }
    }
}

/// Every bit of a packet counts.
#[test]
fn each_bit() {
    for suite in Suite::ALL {
        let secret = secret(suite, 2);
        let (mut packet, at) = short(3, 2, b"a short payload");
        Sealer::new(&secret).seal(&mut packet, at, 0).unwrap();
        let mut opener = Opener::with_key_updates(&secret);
        for bit in 0..8 * packet.len() {
            let mut changed = packet.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let before = changed.clone();
            assert_eq!(opener.open(&mut changed, at), Err(Error::Forged), "{suite:?} {bit}");
            assert!(is_clean(&before, &changed, at, Error::Forged), "{suite:?} {bit}");
        }
        assert_eq!(opener.forgeries(), 8 * packet.len() as u64);
        assert!(opener.open(&mut packet, at).is_ok());
    }
}

/// The shortest packets that can be sealed, and those one byte too short.
#[test]
fn shortest() {
    for suite in Suite::ALL {
        let secret = secret(suite, 3);
        let (mut sealer, mut opener) = (Sealer::new(&secret), Opener::with_key_updates(&secret));
        let mut number = 0;
        for pn_len in 1..=4 {
            let (mut packet, at) = short(0, pn_len, &vec![1; 4 - pn_len]);
            sealer.seal(&mut packet, at, number).unwrap();
            assert_eq!(packet.len(), 21);
            let opened = opener.open(&mut packet, at).unwrap();
            assert_eq!(packet[opened.payload()], vec![1; 4 - pn_len]);
            number += 1;
            packet.pop();
            let before = packet.clone();
            assert_eq!(sealer.seal(&mut packet, at, number), Err(Error::PacketTooShort));
            assert_eq!(packet, before);
        }
        // The longest there is, and one byte more.
        let (mut packet, at) = short(20, 4, &vec![1; 65_535 - 25 - TAG_LEN]);
        sealer.seal(&mut packet, at, number).unwrap();
        opener.open(&mut packet, at).unwrap();
        packet.push(0);
        assert_eq!(sealer.seal(&mut packet, at, number + 1), Err(Error::PacketTooLong));
        assert_eq!(opener.open(&mut packet, at), Err(Error::PacketTooLong));
    }
}

/// Numbers: the largest one, one too many, and one twice.
#[test]
fn numbers() {
    let secret = secret(Suite::Aes128Gcm, 4);
    let mut sealer = Sealer::new(&secret);
    let last = combseal_quic::number::MAX;
    let mut seal = |number| {
        let (mut packet, at) = short(8, 4, b"payload");
        let before = packet.clone();
        let result = sealer.seal(&mut packet, at, number);
        assert_eq!(result.is_err(), packet == before);
        result
    };
    assert_eq!(seal(5), Ok(()));
    assert_eq!(seal(5), Err(Error::PacketNumberRepeated));
    assert_eq!(seal(4), Err(Error::PacketNumberRepeated));
    assert_eq!(seal(last + 1), Err(Error::PacketNumber));
    assert_eq!(seal(u64::MAX), Err(Error::PacketNumber));
    assert_eq!(seal(last), Ok(()));
    assert_eq!(seal(last), Err(Error::PacketNumberRepeated));
}

/// Keys of wrong lengths, and the halves by themselves with what is too short for them.
#[test]
fn keys_by_themselves() {
    for suite in Suite::ALL {
        for n in 0..=40 {
            let right = n == suite.key_len();
            assert_eq!(PacketKey::new(suite, &vec![1; n], &[2; 12]).is_ok(), right);
            assert_eq!(HeaderKey::new(suite, &vec![1; n]).is_ok(), right);
        }
        let key = PacketKey::new(suite, &vec![1; suite.key_len()], &[2; 12]).unwrap();
        assert_eq!(key.open_in_place(0, b"header", &mut [0; 15]), Err(Error::PacketTooShort));
        assert_eq!(key.open_in_place(0, b"header", &mut [0; 16]), Err(Error::Forged));
        let header = HeaderKey::new(suite, &vec![1; suite.key_len()]).unwrap();
        for (len, at) in [(0, 0), (1, 1), (20, 1), (21, 2), (30, usize::MAX), (30, usize::MAX - 3), (30, 30)] {
            let mut packet = vec![0xff; len];
            let error = if at == 0 { Error::PacketNumberOffset } else { Error::PacketTooShort };
            assert_eq!(header.protect(&mut packet, at), Err(error), "{len} {at}");
            assert_eq!(header.unprotect(&mut packet, at), Err(error), "{len} {at}");
            assert!(packet.iter().all(|&b| b == 0xff));
        }
        let text = format!("{key:?} {header:?} {:?}", Sealer::new(&secret(suite, 0xab)));
        assert!(!text.contains("171") && !text.contains("ab,"), "{text}");
    }
}

/// Masks of many samples are those of each.
#[test]
fn masks() {
    for suite in Suite::ALL {
        let header = HeaderKey::new(suite, &vec![9; suite.key_len()]).unwrap();
        for n in 0..70 {
            let samples: Vec<[u8; 16]> = (0..n).map(|i| std::array::from_fn(|j| (i * 31 + j * 7) as u8)).collect();
            let mut blocks = samples.clone();
            header.masks(&mut blocks);
            for (block, sample) in blocks.iter().zip(&samples) {
                assert_eq!(block[..5], header.mask(sample), "{suite:?} {n}");
            }
        }
    }
}

/// A sealer can go to another thread.
#[test]
fn threads() {
    fn is_send<T: Send>() {}
    is_send::<Sealer>();
    is_send::<Opener>();
    fn is_sync<T: Sync>() {}
    is_sync::<PacketKey>();
    is_sync::<HeaderKey>();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Any bytes, any offsets, singly and in a batch.
    #[test]
    fn anything(
        packets in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 0..120), 0_usize..130), 0..20),
        suite in 0_usize..4,
    ) {
        let secret = secret(Suite::ALL[suite], 5);
        let (mut one, mut many) = (Opener::with_key_updates(&secret), Opener::with_key_updates(&secret));
        let mut apart = packets.clone();
        let mut singly = Vec::new();
        for ((packet, at), (before, _)) in apart.iter_mut().zip(&packets) {
            let error = one.open(packet, *at).unwrap_err();
            prop_assert!(is_clean(before, packet, *at, error));
            singly.push(Err(error));
        }
        let mut together = packets.clone();
        let mut incoming: Vec<_> =
            together.iter_mut().map(|(packet, at)| Incoming { packet, pn_offset: *at }).collect();
        prop_assert_eq!(many.open_batch(&mut incoming), singly);
        prop_assert!(together == apart);
        prop_assert_eq!(one.forgeries(), many.forgeries());

        // And sealed: whatever they are, they open again if they could be sealed.
        let mut sealer = Sealer::new(&secret);
        for (number, (packet, at)) in together.iter_mut().enumerate() {
            let (before, number) = (packet.clone(), number as u64);
            match sealer.seal_batch(&mut [Outgoing { packet, pn_offset: *at, number }]) {
                Ok(()) => {
                    let opened = Opener::with_key_updates(&secret).open(packet, *at).unwrap();
                    prop_assert_eq!(opened.number, number);
                    prop_assert_eq!(&packet[opened.payload()], &before[opened.payload()]);
                }
                Err(_) => prop_assert_eq!(&*packet, &before),
            }
        }
    }
}
