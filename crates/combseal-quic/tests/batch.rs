//! Packets of a batch are as they would be one at a time, in every suite.

mod common;

use combseal_quic::number::encoded_len;
use combseal_quic::{Error, Incoming, Opener, Outgoing, Sealer, Suite};
use common::{Random, long, secret, short};

/// A packet of some length and kind of header, and of as many bytes of the packet number as it needs
/// or more.
fn packet(random: &mut Random, i: usize, number: u64, acked: Option<u64>) -> (Vec<u8>, usize) {
    let len = match i % 5 {
        0 => random.under(40),
        1 => 1200,
        2 => random.under(1500),
        _ => 64 + random.under(300),
    };
    let least = encoded_len(number, acked).unwrap();
    let (pn_len, id_len) = (least + random.under(5 - least), random.under(21));
    let payload = random.bytes(len.max(4 - pn_len));
    if i.is_multiple_of(7) { long(id_len, pn_len, &payload) } else { short(id_len, pn_len, &payload) }
}

#[test]
fn as_one_at_a_time() {
    let mut random = Random(1);
    for suite in Suite::ALL {
        let secret = secret(suite, 3);
        let (mut one, mut many) = (Sealer::new(&secret), Sealer::new(&secret));
        let (mut open_one, mut open_many) = (Opener::with_key_updates(&secret), Opener::with_key_updates(&secret));
        let mut number = 0;
        // The batches share their memory.
        for n in [1, 2, 64, 0, 17, 5, 33, 100] {
            let numbers: Vec<u64> = (0..n as u64).map(|i| number + i + i / 9).collect();
            let acked = open_one.largest();
            let plain: Vec<(Vec<u8>, usize)> =
                numbers.iter().enumerate().map(|(i, &number)| packet(&mut random, i, number, acked)).collect();
            number += 2 * n as u64;
            let mut apart = plain.clone();
            for ((packet, at), &number) in apart.iter_mut().zip(&numbers) {
                one.seal(packet, *at, number).unwrap();
            }
            let mut together = plain.clone();
            let mut outgoing: Vec<_> = together
                .iter_mut()
                .zip(&numbers)
                .map(|((packet, at), &number)| Outgoing { packet, pn_offset: *at, number })
                .collect();
            many.seal_batch(&mut outgoing).unwrap();
            assert!(apart == together, "{suite:?} {n}");
            assert_eq!((one.next_number(), one.packets_left()), (many.next_number(), many.packets_left()));

            // Some are forged, some cut too short, some have no place for a number.
            for i in (0..n).filter(|i| i % 6 == 4) {
                match random.under(4) {
                    0 => {
                        let (packet, at) = &mut together[i];
                        packet.truncate(19 + *at);
                    }
                    1 => together[i].1 = 0,
                    2 => *together[i].0.last_mut().unwrap() ^= 1,
                    _ => {
                        let at = random.under(together[i].0.len());
                        together[i].0[at] ^= 1 << random.under(8);
                    }
                }
            }
            let mut apart = together.clone();
            let singly: Vec<_> = apart.iter_mut().map(|(packet, at)| open_one.open(packet, *at)).collect();
            let mut incoming: Vec<_> =
                together.iter_mut().map(|(packet, at)| Incoming { packet, pn_offset: *at }).collect();
            let results = open_many.open_batch(&mut incoming).to_vec();
            assert_eq!(results, singly, "{suite:?} {n}");
            assert!(apart == together, "{suite:?} {n}");
            for (i, result) in results.iter().enumerate() {
                match result {
                    Ok(opened) => {
                        assert_eq!(opened.number, numbers[i]);
                        assert_eq!(together[i].0[opened.payload()], plain[i].0[opened.payload()], "{suite:?} {i}");
                        assert!(i % 6 != 4);
                    }
                    Err(_) => assert!(i % 6 == 4, "{suite:?} {n} {i}"),
                }
            }
            assert_eq!((open_one.forgeries(), open_one.largest()), (open_many.forgeries(), open_many.largest()));
        }
        assert!(open_many.forgeries() > 5);
    }
}

/// If one packet cannot be sealed, none is; and no number is used.
#[test]
fn nothing_is_sealed_in_part() {
    let secret = secret(Suite::Aes128Gcm, 4);
    let mut sealer = Sealer::new(&secret);
    let plain: Vec<(Vec<u8>, usize)> = (0..5).map(|i| short(8, 2, &[i; 50])).collect();
    let mut refused = |numbers: [u64; 5], change: fn(&mut Vec<(Vec<u8>, usize)>), expected: (usize, Error)| {
        let mut packets = plain.clone();
        change(&mut packets);
        let before = packets.clone();
        let mut outgoing: Vec<_> = packets
            .iter_mut()
            .zip(numbers)
            .map(|((packet, at), number)| Outgoing { packet, pn_offset: *at, number })
            .collect();
        assert_eq!(sealer.seal_batch(&mut outgoing), Err(expected));
        assert!(packets == before);
        assert_eq!((sealer.next_number(), sealer.packets_left()), (0, 1 << 23));
    };
    refused([0, 1, 1, 2, 3], |_| (), (2, Error::PacketNumberRepeated));
    refused([0, 1, 5, 4, 6], |_| (), (3, Error::PacketNumberRepeated));
    refused([0, 1, 2, 3, 1 << 62], |_| (), (4, Error::PacketNumber));
    refused([0, 1, 2, 3, 4], |it| it[1].0.truncate(9 + 19), (1, Error::PacketTooShort));
    refused([0, 1, 2, 3, 4], |it| it[0].1 = 0, (0, Error::PacketNumberOffset));
    refused([0, 1, 2, 3, 4], |it| it[4].1 = usize::MAX, (4, Error::PacketTooShort));
    refused([0, 1, 2, 3, 4], |it| it[3].0.resize(65_536, 0), (3, Error::PacketTooLong));
}

/// The limits, at the packet that reaches them: a batch does as single calls do.
#[test]
fn limits() {
    let secret = secret(Suite::ChaCha20Poly1305, 5);
    let mut sealer = Sealer::new(&secret);
    sealer.lower_limit(10);
    sealer.lower_limit(99);
    let mut packets: Vec<(Vec<u8>, usize)> = (0..12).map(|i| short(8, 2, &[i; 50])).collect();
    fn outgoing(packets: &mut [(Vec<u8>, usize)], from: u64) -> Vec<Outgoing<'_>> {
        let number = (from..).zip(packets);
        number.map(|(number, (packet, at))| Outgoing { packet, pn_offset: *at, number }).collect()
    }
    sealer.seal_batch(&mut outgoing(&mut packets[..7], 0)).unwrap();
    let before = packets.clone();
    assert_eq!(sealer.seal_batch(&mut outgoing(&mut packets[7..], 7)), Err((3, Error::ConfidentialityLimit)));
    assert!(packets == before);
    sealer.seal_batch(&mut outgoing(&mut packets[7..10], 7)).unwrap();
    let (mut one, at) = short(8, 2, b"one more");
    let before = one.clone();
    assert_eq!(sealer.seal(&mut one, at, 10), Err(Error::ConfidentialityLimit));
    assert_eq!((one, sealer.packets_left()), (before, 0));
    sealer.update();
    assert_eq!((sealer.packets_left(), sealer.generation()), (10, 1));
    sealer.seal_batch(&mut outgoing(&mut packets[10..], 10)).unwrap();

    // Every third is forged; with two forgeries allowed, nothing opens after the second.
    for together in [false, true] {
        let mut opener = Opener::with_key_updates(&secret);
        opener.lower_limit(2);
        let mut packets = packets.clone();
        packets.iter_mut().step_by(3).for_each(|(packet, _)| *packet.last_mut().unwrap() ^= 1);
        let before = packets.clone();
        let results: Vec<_> = if together {
            let mut incoming: Vec<_> =
                packets.iter_mut().map(|(packet, at)| Incoming { packet, pn_offset: *at }).collect();
            opener.open_batch(&mut incoming).to_vec()
        } else {
            packets.iter_mut().map(|(packet, at)| opener.open(packet, *at)).collect()
        };
        let errors: Vec<_> = results.iter().map(|result| result.err()).collect();
        assert_eq!(errors[..4], [Some(Error::Forged), None, None, Some(Error::Forged)]);
        assert!(errors[4..].iter().all(|&e| e == Some(Error::IntegrityLimit)));
        assert!(packets[4..] == before[4..]);
        assert_eq!(opener.forgeries(), 2);
    }
}
