//! Key updates (RFC 9001, 6): followed in any order that packets may arrive in, and refused where
//! keys and numbers do not go together.

mod common;

use combseal_quic::{Error, Incoming, Opened, Opener, Outgoing, Sealer, Suite};
use common::{Random, secret, short};

type Packet = (Vec<u8>, usize);

fn seal(sealer: &mut Sealer, number: u64) -> Packet {
    let (mut packet, at) = short(4, 4, format!("packet {number}").as_bytes());
    sealer.seal(&mut packet, at, number).unwrap();
    (packet, at)
}

fn open(opener: &mut Opener, (packet, at): &Packet) -> Result<Opened, Error> {
    let mut copy = packet.clone();
    let result = opener.open(&mut copy, *at);
    match result {
        Ok(opened) => {
            assert_eq!(copy[opened.payload()], *format!("packet {}", opened.number).as_bytes());
            // The key phase is its generation's.
            assert_eq!(copy[0] & 4 != 0, opened.generation % 2 == 1);
        }
        // The header is as it was, the payload zero.
        Err(_) => {
            assert_eq!(copy[..9], packet[..9]);
            assert!(copy[9..copy.len() - 16].iter().all(|&b| b == 0));
        }
    }
    result
}

#[test]
fn updates_are_followed() {
    for suite in Suite::ALL {
        let secret = secret(suite, 6);
        let (mut sealer, mut opener) = (Sealer::new(&secret), Opener::with_key_updates(&secret));
        for generation in 0..5 {
            let first = 10 * generation;
            let packets: Vec<_> = (first..first + 8).map(|number| seal(&mut sealer, number)).collect();
            sealer.update();
            let next = seal(&mut sealer, first + 9);
            // In any order, and two of them only after the next phase has begun.
            for i in [3, 0, 7, 1, 2, 5] {
                let opened = open(&mut opener, &packets[i]).unwrap();
                assert_eq!((opened.number, opened.generation), (first + i as u64, generation));
            }
            assert_eq!(opener.generation(), generation);
            assert_eq!(open(&mut opener, &next).unwrap().generation, generation + 1);
            assert_eq!((opener.generation(), opener.keeps_old_keys()), (generation + 1, true));
            assert_eq!(open(&mut opener, &packets[6]).unwrap().generation, generation);
            opener.retire();
            assert!(!opener.keeps_old_keys());
            // The old keys are gone: those of that phase are the next ones now.
            assert_eq!(open(&mut opener, &packets[4]), Err(Error::Forged));
            opener.retire();
        }
        assert_eq!((opener.largest(), opener.forgeries()), (Some(49), 5));
    }
}

/// A second update before the old keys were retired does not open, and does no harm.
#[test]
fn too_soon() {
    let secret = secret(Suite::Aes256Gcm, 7);
    let (mut sealer, mut opener) = (Sealer::new(&secret), Opener::with_key_updates(&secret));
    let zero = seal(&mut sealer, 0);
    sealer.update();
    let one = seal(&mut sealer, 1);
    sealer.update();
    let two = seal(&mut sealer, 2);
    open(&mut opener, &zero).unwrap();
    open(&mut opener, &one).unwrap();
    assert_eq!(open(&mut opener, &two), Err(Error::Forged));
    opener.retire();
    assert_eq!(open(&mut opener, &two).unwrap().generation, 2);
}

/// A forged packet of the other phase changes nothing; and without key updates the phase is not
/// looked at.
#[test]
fn forged_phases() {
    let secret = secret(Suite::ChaCha20Poly1305, 8);
    let (mut sealer, mut opener) = (Sealer::new(&secret), Opener::with_key_updates(&secret));
    for number in 0..40 {
        let (mut packet, at) = seal(&mut sealer, number);
        packet[0] ^= 4;
        assert_eq!(open(&mut opener, &(packet, at)), Err(Error::Forged));
        assert_eq!((opener.generation(), opener.largest()), (0, None));
    }
    assert_eq!(opener.forgeries(), 40);
    sealer.update();
    assert_eq!(Opener::new(&secret).open(&mut seal(&mut sealer, 40).0, 5), Err(Error::Forged));
}

/// Newer keys on a smaller number than older ones had, in each order of arrival (RFC 9001, 6.4).
#[test]
fn numbers_against_keys() {
    for suite in Suite::ALL {
        let secret = secret(suite, 9);
        let with = |generation: u64, number: u64| {
            let mut sealer = Sealer::new(&secret);
            (0..generation).for_each(|_| sealer.update());
            seal(&mut sealer, number)
        };
        let update = Err(Error::KeyUpdate);
        // The next keys, though a larger number had the present ones.
        let mut opener = Opener::with_key_updates(&secret);
        open(&mut opener, &with(0, 10)).unwrap();
        assert_eq!(open(&mut opener, &with(1, 9)), update);
        assert_eq!((opener.generation(), opener.largest(), opener.forgeries()), (0, Some(10), 0));
        // The old keys on a number larger than one of the present ones.
        open(&mut opener, &with(1, 20)).unwrap();
        assert_eq!(open(&mut opener, &with(0, 21)), update);
        open(&mut opener, &with(0, 15)).unwrap();
        // The present keys on a number smaller than one that the old ones have had since.
        assert_eq!(open(&mut opener, &with(1, 14)), update);
        open(&mut opener, &with(1, 16)).unwrap();
        assert_eq!(open(&mut opener, &with(0, 17)), update);
        assert_eq!(opener.largest(), Some(20));
    }
}

/// Batches with updates in them, in random order: as one at a time.
#[test]
fn batches_across_updates() {
    let mut random = Random(2);
    let (mut updates, mut refused) = (0, 0);
    for turn in 0..60 {
        let secret = secret(Suite::ALL[turn % 4], turn as u8);
        let mut sealer = Sealer::new(&secret);
        let (mut one, mut many) = (Opener::with_key_updates(&secret), Opener::with_key_updates(&secret));
        let mut number = 0;
        for round in 0..6 {
            let n = 1 + random.under(30);
            let when = random.under(2 * n);
            let mut packets: Vec<Packet> = (0..n).map(|i| short(4, 4, &[i as u8; 30])).collect();
            for (i, (packet, at)) in packets.iter_mut().enumerate() {
                if i == when {
                    sealer.update();
                }
                sealer.seal(packet, *at, number).unwrap();
                number += 1 + random.under(3) as u64;
            }
            // Out of order, some forged; and now and then a sender that breaks the rule.
            for i in (1..n).rev() {
                packets.swap(i, random.under(i + 1));
            }
            packets.iter_mut().step_by(11).skip(1).for_each(|(packet, _)| packet[12] ^= 1);
            if turn % 3 == 0 && round == 4 {
                let mut clumsy = Sealer::new(&secret);
                (0..=sealer.generation()).for_each(|_| clumsy.update());
                let (mut packet, at) = short(4, 4, b"from the future");
                clumsy.seal_batch(&mut [Outgoing { packet: &mut packet, pn_offset: at, number: number / 2 }]).unwrap();
                packets.insert(random.under(n), (packet, at));
            }
            let mut copies = packets.clone();
            let singly: Vec<_> = copies.iter_mut().map(|(packet, at)| one.open(packet, *at)).collect();
            let mut incoming: Vec<_> =
                packets.iter_mut().map(|(packet, at)| Incoming { packet, pn_offset: *at }).collect();
            assert_eq!(many.open_batch(&mut incoming), singly, "{turn} {round}");
            assert!(packets == copies, "{turn} {round}");
            refused += singly.iter().filter(|&&it| it == Err(Error::KeyUpdate)).count();
            let all = |it: &Opener| (it.generation(), it.largest(), it.forgeries(), it.keeps_old_keys());
            assert_eq!(all(&one), all(&many));
            updates += usize::from(many.keeps_old_keys());
            one.retire();
            many.retire();
        }
    }
    assert!(updates > 50 && refused > 3, "{updates} {refused}");
}
