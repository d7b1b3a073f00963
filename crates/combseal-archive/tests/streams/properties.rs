//! What holds for every key stream, whoever makes it.

use combseal_archive::streams::cipher::{Cipher, Stream};
use combseal_archive::streams::side_by_side::{Lane, SideBySide, xor_many};
use combseal_archive::streams::system::{System, TAG};
use combseal_archive::streams::with_poly1305::{Packet, R, WithPoly1305, open_many, seal_many};

/// Numbers that look random, the same every time.
pub struct Numbers(pub u64);
impl Numbers {
    /// The next.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
    /// `n` bytes.
    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next() as u8).collect()
    }
}

/// Any split of a stream is the whole, and all of it is as `reference(key, nonce, len)` says, for
/// every length of key and nonce.
pub fn check<C: Cipher>(reference: impl Fn(&[u8], &[u8], usize) -> Vec<u8>) {
    const LEN: usize = 1100;
    let mut numbers = Numbers(C::BLOCK as u64);
    for &key_len in C::ABOUT.key_lens {
        for &nonce_len in C::ABOUT.nonce_lens {
            let (key, nonce) = (numbers.bytes(key_len), numbers.bytes(nonce_len));
            let whole = reference(&key, &nonce, LEN);
            for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
                let cipher = C::expand(cpu, &key);
                for len in (0..=300).chain([511, 512, 513, 1023, 1024, 1025, LEN]) {
                    let mut data = numbers.bytes(len);
                    let expected: Vec<u8> = data.iter().zip(&whole).map(|(a, b)| a ^ b).collect();
                    let mut stream = Stream::new(&cipher, &nonce);
                    let mut rest = &mut data[..];
                    // Whole at first, then in pieces that differ each time.
                    let longest = if len % 2 == 0 { LEN } else { 1 + numbers.next() as usize % 100 };
                    while !rest.is_empty() {
                        let n = if longest == LEN {
                            rest.len()
                        } else {
                            (numbers.next() as usize % (longest + 1)).min(rest.len())
                        };
                        let (now, then) = rest.split_at_mut(n);
                        stream.xor(now);
                        rest = then;
                    }
                    assert!(data == expected, "{} {:?} {cpu:?} {len}", C::ABOUT.name, C::ABOUT.tuning);
                    // And as a system takes it.
                    let (mut first, mut data) = ([1; 16], vec![0; len.saturating_sub(16)]);
                    cipher.masked(&nonce, &mut first, &mut data);
                    assert!(first == whole[..16], "{} {:?} {cpu:?} {len}", C::ABOUT.name, C::ABOUT.tuning);
                    assert!(
                        data == whole[16..16 + data.len()],
                        "{} {:?} {cpu:?} {len}",
                        C::ABOUT.name,
                        C::ABOUT.tuning
                    );
                }
            }
        }
    }
}

/// Many at once are as one at a time: mixed lengths, each under its own key and nonce, on every tier.
pub fn check_many<C: SideBySide>() {
    let mut numbers = Numbers(1 + C::BLOCK as u64);
    let about = C::ABOUT;
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        for count in [1, 2, C::GROUP - 1, C::GROUP, C::GROUP + 1, 3 * C::GROUP + 2] {
            for &longest in &[1, 40, 600, 1600] {
                let keys: Vec<C> = (0..count)
                    .map(|i| C::expand(cpu, &numbers.bytes(about.key_lens[i % about.key_lens.len()])))
                    .collect();
                let nonces: Vec<Vec<u8>> =
                    (0..count).map(|i| numbers.bytes(about.nonce_lens[i % about.nonce_lens.len()])).collect();
                let mut data: Vec<Vec<u8>> = (0..count)
                    .map(|_| {
                        let len = numbers.next() as usize % (longest + 1);
                        numbers.bytes(len)
                    })
                    .collect();
                let expected: Vec<([u8; 16], Vec<u8>)> = (0..count)
                    .map(|i| {
                        let (mut first, mut data) = ([0; 16], data[i].clone());
                        let mut stream = Stream::new(&keys[i], &nonces[i]);
                        stream.xor(&mut first);
                        stream.xor(&mut data);
                        (first, data)
                    })
                    .collect();
                let mut lanes: Vec<Lane<'_, C>> = data
                    .iter_mut()
                    .enumerate()
                    .map(|(i, data)| Lane { cipher: &keys[i], nonce: &nonces[i], first: [0; 16], data })
                    .collect();
                xor_many(cpu, &mut lanes);
                for lane in &lanes {
                    let i = keys.iter().position(|key| std::ptr::eq(key, lane.cipher)).unwrap();
                    assert!(lane.first == expected[i].0, "{} {cpu:?} {count} {longest} {i}", about.name);
                    assert!(*lane.data == expected[i].1, "{} {cpu:?} {count} {longest} {i}", about.name);
                }
            }
        }
    }
}

/// Packets of many are as one at a time, and of those that were changed on their way nothing is
/// left but zeros.
pub fn check_packets<C: SideBySide>() {
    let mut numbers = Numbers(2 + C::BLOCK as u64);
    let (about, count) = (C::ABOUT, 2 * C::GROUP + 3);
    for cpu in combseal::Cpu::all().filter(|&cpu| combseal_archive::runs_on(cpu)) {
        let systems: Vec<WithPoly1305<C>> = (0..count)
            .map(|i| WithPoly1305::expand(cpu, &numbers.bytes(R + about.key_lens[i % about.key_lens.len()])))
            .collect();
        let nonces: Vec<Vec<u8>> =
            (0..count).map(|i| numbers.bytes(about.nonce_lens[i % about.nonce_lens.len()])).collect();
        let messages: Vec<Vec<u8>> = (0..count)
            .map(|_| {
                let len = numbers.next() as usize % 300;
                numbers.bytes(len)
            })
            .collect();
        let mut data = messages.clone();
        let mut packets: Vec<Packet<'_, C>> = data
            .iter_mut()
            .enumerate()
            .map(|(i, data)| Packet { system: &systems[i], nonce: &nonces[i], data, tag: [0; TAG], authentic: false })
            .collect();
        seal_many(cpu, &mut packets);
        for (i, packet) in packets.iter().enumerate() {
            let (mut data, mut tag) = (messages[i].clone(), [0; TAG]);
            systems[i].encrypt(&nonces[i], &[], &mut data, &mut tag);
            assert!(*packet.data == data && packet.tag == tag, "{} {cpu:?} {i}", about.name);
        }
        // Each third packet is changed, in its tag or its data.
        for (i, packet) in packets.iter_mut().enumerate().step_by(3) {
            match packet.data.first_mut() {
                Some(byte) if i % 2 == 0 => *byte ^= 1,
                _ => packet.tag[i % TAG] ^= 4,
            }
        }
        open_many(cpu, &mut packets);
        for (i, packet) in packets.iter().enumerate() {
            assert_eq!(packet.authentic, i % 3 != 0, "{} {cpu:?} {i}", about.name);
            let expected = if packet.authentic { messages[i].clone() } else { vec![0; messages[i].len()] };
            assert!(*packet.data == expected, "{} {cpu:?} {i}", about.name);
        }
    }
}
