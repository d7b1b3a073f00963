//! QUIC by rustls: handshakes in memory, with Combseal's packet protection on one side and ring's on the
//! other, and packets of every kind of key between them.

mod common;

use common::{config, name, suites};
use rustls::quic::{
    ClientConnection, Connection, DirectionalKeys, KeyChange, Keys, PacketKeySet, ServerConnection, Version,
};
use rustls::{Error, Side};

/// Seals a packet with one end's keys and opens it with the other's.
fn packet(from: &DirectionalKeys, to: &DirectionalKeys, number: u64, pn_len: usize, len: usize) {
    let payload: Vec<u8> = (0..len).map(|i| (i * 7) as u8).collect();
    for first in [0xc0, 0x40] {
        let mut header = vec![first | (pn_len as u8 - 1), 1, 2, 3, 4];
        let at = header.len();
        header.extend_from_slice(&(number as u32).to_be_bytes()[4 - pn_len..]);
        let mut body = payload.clone();
        let tag = from.packet.encrypt_in_place(number, &header, &mut body).unwrap();
        let mut packet = [&header[..], &body, tag.as_ref()].concat();
        let sample = |packet: &[u8]| packet[at + 4..][..from.header.sample_len()].to_vec();
        let (head, rest) = packet.split_at_mut(1);
        let taken = rest[at + 3..][..16].to_vec();
        from.header.encrypt_in_place(&taken, &mut head[0], &mut rest[at - 1..][..4]).unwrap();
        assert_ne!(packet[..at + pn_len], header);

        let taken = sample(&packet);
        let (head, rest) = packet.split_at_mut(1);
        to.header.decrypt_in_place(&taken, &mut head[0], &mut rest[at - 1..][..4]).unwrap();
        let (head, rest) = packet.split_at_mut(at + pn_len);
        assert_eq!(head, header);
        let before = rest.to_vec();
        assert_eq!(to.packet.decrypt_in_place(number, head, rest).unwrap(), payload);
        rest.copy_from_slice(&before);
        rest[0] ^= 1;
        assert_eq!(to.packet.decrypt_in_place(number, head, rest), Err(Error::DecryptError));
    }
}

fn both_ways(one: &Keys, other: &Keys) {
    for (number, pn_len, len) in [(0, 1, 3), (5, 4, 0), (0x1234, 2, 1200), (1 << 40, 3, 64)] {
        packet(&one.local, &other.remote, number, pn_len, len);
        packet(&other.local, &one.remote, number, pn_len, len);
    }
}

#[test]
fn handshakes_and_packets() {
    for suite in suites() {
        for (at_client, at_server) in [(true, true), (true, false), (false, true)] {
            for version in [Version::V1, Version::V2] {
                let client =
                    ClientConnection::new(config(suite, at_client).0, version, name(), b"client's".to_vec()).unwrap();
                let server = ServerConnection::new(config(suite, at_server).1, version, b"server's".to_vec()).unwrap();
                let (client, server) = (Connection::from(client), Connection::from(server));
                let mut ends = [client, server];
                let mut changes: [Vec<KeyChange>; 2] = [Vec::new(), Vec::new()];
                for turn in 0..8 {
                    // What has other keys comes by itself.
                    loop {
                        let (mut data, from) = (Vec::new(), turn % 2);
                        let change = ends[from].write_hs(&mut data);
                        ends[1 - from].read_hs(&data).unwrap();
                        if change.is_none() {
                            break;
                        }
                        changes[from].extend(change);
                    }
                }
                assert!(ends.iter().all(|end| !end.is_handshaking()));
                assert_eq!(ends[1].quic_transport_parameters(), Some(&b"client's"[..]));
                let [of_client, of_server] = changes;
                assert_eq!((of_client.len(), of_server.len()), (2, 2));
                for pair in of_client.into_iter().zip(of_server) {
                    match pair {
                        (KeyChange::Handshake { keys: one }, KeyChange::Handshake { keys: other }) => {
                            both_ways(&one, &other);
                        }
                        (
                            KeyChange::OneRtt { keys: one, next: mut after },
                            KeyChange::OneRtt { keys: other, next: mut others_after },
                        ) => {
                            both_ways(&one, &other);
                            for _ in 0..3 {
                                updated(&after.next_packet_keys(), &others_after.next_packet_keys());
                            }
                        }
                        _ => panic!("other keys at the two ends"),
                    }
                }
            }
        }
    }
}

/// After a key update.
fn updated(one: &PacketKeySet, other: &PacketKeySet) {
    let mut body = *b"some frames";
    let tag = one.local.encrypt_in_place(9, b"header", &mut body).unwrap();
    let mut sealed = [&body, tag.as_ref()].concat();
    assert_eq!(other.remote.decrypt_in_place(9, b"header", &mut sealed).unwrap(), b"some frames");
    let tag = other.local.encrypt_in_place_for_path(3, 9, b"header", &mut body).unwrap();
    let mut sealed = [&body, tag.as_ref()].concat();
    assert!(one.remote.decrypt_in_place_for_path(4, 9, b"header", &mut sealed.clone()).is_err());
    assert!(one.remote.decrypt_in_place_for_path(3, 9, b"header", &mut sealed).is_ok());
}

/// Initial keys, which every connection begins with; what both halves refuse; and the limits.
#[test]
fn initial_keys_and_refusals() {
    for (i, suite) in suites().into_iter().enumerate() {
        let quic = |suite: rustls::SupportedCipherSuite| suite.tls13().unwrap().quic_suite().unwrap();
        let (ours, theirs) = (quic(combseal_rustls::suite(suite)), quic(suite));
        for version in [Version::V1, Version::V2] {
            let client = ours.keys(b"connection id", Side::Client, version);
            both_ways(&client, &theirs.keys(b"connection id", Side::Server, version));
        }
        let (keys, others) = (ours.keys(b"", Side::Client, Version::V1), theirs.keys(b"", Side::Client, Version::V1));
        let all = |keys: &Keys| {
            let key = &keys.local.packet;
            (key.tag_len(), key.confidentiality_limit(), key.integrity_limit(), keys.local.header.sample_len())
        };
        assert_eq!(all(&keys), all(&others));
        assert_eq!(keys.local.packet.confidentiality_limit(), if i == 2 { u64::MAX } else { 1 << 23 });
        for (sample, number) in [(0, 4), (15, 4), (17, 4), (16, 5)] {
            let (mut first, mut bytes) = (0x43, vec![7; number]);
            let header = &keys.local.header;
            assert!(header.encrypt_in_place(&vec![1; sample], &mut first, &mut bytes).is_err());
            assert!(header.decrypt_in_place(&vec![1; sample], &mut first, &mut bytes).is_err());
            assert_eq!((first, bytes), (0x43, vec![7; number]));
        }
        for n in 0..16 {
            assert!(keys.remote.packet.decrypt_in_place(0, b"", &mut vec![0; n]).is_err());
        }
    }
}
