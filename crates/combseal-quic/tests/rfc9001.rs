//! The sample packets of RFC 9001, appendix A, and of RFC 9369, appendix A, which has the same for
//! version 2. (Their keys, A.1, are tested where they are made, in `secret.rs`.)

mod common;

use combseal_quic::{
    Error, InitialSecrets, Opener, Sealer, Secret, Suite, TAG_LEN, Version, check_retry, number, retry_tag,
};
use common::unhex;

const CONNECTION_ID: &str = "8394c8f03e515708";

fn initial(version: Version) -> InitialSecrets {
    Secret::initial(version, &unhex(CONNECTION_ID)).unwrap()
}

/// Seals and opens a packet both ways, and makes its mask.
fn check(secret: &Secret, header: &str, pn_offset: usize, number: u64, payload: &[u8], packet: &str, mask: [&str; 2]) {
    let (header, packet) = (unhex(header), unhex(packet));
    let [sample, mask] = mask.map(unhex);
    let mut buf = [&header, payload, &[0; TAG_LEN]].concat();
    // The sealer writes the number itself.
    buf[pn_offset..header.len()].fill(0xff);
    Sealer::new(secret).seal(&mut buf, pn_offset, number).unwrap();
    assert_eq!(buf, packet);

    assert_eq!(packet[pn_offset + 4..][..16], sample);
    assert_eq!(secret.header_key().mask(&sample.try_into().unwrap())[..], mask);

    // With the two halves by themselves.
    let (len, truncated) = secret.header_key().unprotect(&mut buf, pn_offset).unwrap();
    assert_eq!(buf[..header.len()], header);
    assert_eq!(number::decode(truncated, len, Some(number - 1)), Ok(number));
    let (head, rest) = buf.split_at_mut(header.len());
    assert_eq!(secret.packet_key().open_in_place(number, head, rest).unwrap(), payload);
}

/// A.2 and A.3, of both versions.
#[test]
fn initial_packets() {
    let mut client = unhex(include_str!("vectors/crypto_frame.hex"));
    client.resize(1162, 0);
    let server = unhex(
        "02000000000600405a020000560303eefce7f7b37ba1d1632e96677825ddf73988cfc79825df566dc5430b9a045a1200130100002e003300
         24001d00209d3c940d89690b84d08a60993c144eca684d1081287c834d5311bcf32bb9da1a002b00020304",
    );
    let known = [
        (
            Version::V1,
            ["c300000001088394c8f03e5157080000449e00000002", include_str!("vectors/v1_client_initial.hex")],
            ["d1b1c98dd7689fb8ec11d242b123dc9b", "437b9aec36"],
            [
                "c1000000010008f067a5502a4262b50040750001",
                "cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a5816b6394100f37a1c69797554780bb38cc5a99f
                 5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84022f8ef4cdd93795
                 d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc42158407dd074ee",
            ],
            ["2cd0991cd25b0aac406a5816b6394100", "2ec0d8356a"],
        ),
        (
            Version::V2,
            ["d36b3343cf088394c8f03e5157080000449e00000002", include_str!("vectors/v2_client_initial.hex")],
            ["ffe67b6abcdb4298b485dd04de806071", "94a0c95e80"],
            [
                "d16b3343cf0008f067a5502a4262b50040750001",
                "dc6b3343cf0008f067a5502a4262b5004075d92faaf16f05d8a4398c47089698baeea26b91eb761d9b89237bbf87263017915358
                 230035f7fd3945d88965cf17f9af6e16886c61bfc703106fbaf3cb4cfa52382dd16a393e42757507698075b2c984c707f0a0812d
                 8cd5a6881eaf21ceda98f4bd23f6fe1a3e2c43edd9ce7ca84bed8521e2e140",
            ],
            ["6f05d8a4398c47089698baeea26b91eb", "4dd92e91ea"],
        ),
    ];
    for (version, [client_header, client_packet], client_mask, [server_header, server_packet], server_mask) in known {
        let secrets = initial(version);
        check(&secrets.client, client_header, 18, 2, &client, client_packet, client_mask);
        check(&secrets.server, server_header, 18, 1, &server, server_packet, server_mask);
        for (secret, packet, payload, number) in
            [(&secrets.client, client_packet, &client, 2), (&secrets.server, server_packet, &server, 1)]
        {
            let mut packet = unhex(packet);
            let opened = Opener::new(secret).open(&mut packet, 18).unwrap();
            assert_eq!((opened.number, &packet[opened.payload()]), (number, &payload[..]));
            assert_eq!(opened.header().end, if number == 2 { 22 } else { 20 });
        }
    }
}

/// A.4, of both versions; and a tag, a packet and a connection ID that are not those.
#[test]
fn retry() {
    let known = [
        (Version::V1, "ff000000010008f067a5502a4262b5746f6b656e04a265ba2eff4d829058fb3f0f2496ba"),
        (Version::V2, "cf6b3343cf0008f067a5502a4262b5746f6b656ec8646ce8bfe33952d955543665dcc7b6"),
    ];
    let id = unhex(CONNECTION_ID);
    for (version, packet) in known {
        let mut packet = unhex(packet);
        let (retry, tag) = packet.split_last_chunk::<TAG_LEN>().unwrap();
        assert_eq!(retry_tag(version, &id, retry).unwrap().as_bytes(), tag);
        assert_eq!(check_retry(version, &id, &packet), Ok(()));
        assert_eq!(check_retry(version, &id[1..], &packet), Err(Error::Forged));
        for i in 0..packet.len() {
            packet[i] ^= 0x10;
            assert_eq!(check_retry(version, &id, &packet), Err(Error::Forged), "{i}");
            packet[i] ^= 0x10;
        }
        assert_eq!(check_retry(version, &id, &packet[..TAG_LEN - 1]), Err(Error::PacketTooShort));
        assert_eq!(check_retry(version, &[0; 21], &packet), Err(Error::ConnectionIdLength));
        assert_eq!(retry_tag(version, &id, &vec![0; 65_536]).err(), Some(Error::PacketTooLong));
    }
}

/// A.5, of both versions.
#[test]
fn short_header_packets() {
    let secret = unhex("9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b");
    let known = [
        (
            Version::V1,
            "4cfe4189655e5cd55c41f69080575d7999c25a5bfb",
            ["5e5cd55c41f69080575d7999c25a5bfb", "aefefe7d03"],
            "e0459b3474bdd0e46d417eb0",
        ),
        (
            Version::V2,
            "5558b1c60ae7b6b932bc27d786f4bc2bb20f2162ba",
            ["e7b6b932bc27d786f4bc2bb20f2162ba", "97580e32bf"],
            "a6b5bc6ab7dafce328ff4a29",
        ),
    ];
    for (version, packet, mask, nonce) in known {
        let secret = Secret::new(version, Suite::ChaCha20Poly1305, &secret).unwrap();
        check(&secret, "4200bff4", 1, 654_360_564, &[1], packet, mask);
        assert_eq!(secret.packet_key().nonce(654_360_564)[..], unhex(nonce));
    }
}
