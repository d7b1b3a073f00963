//! The smallest forgery of Inoue, Iwata, Minematsu and Poettering ("Cryptanalysis of OCB2:
//! Attacks on Authenticity and Confidentiality", CRYPTO 2019) against our OCB2, and the same
//! attempt against the library's OCB3.
//!
//! One message is asked for: the two blocks len(16 bytes) and M2. Its first block goes through
//! the cipher as `E(len ^ 2D)`, and so does the length of a message of one block; its last one
//! as `E(len ^ 4D)`, and so does, since 2D + 3(2D) = 4D, the checksum of that message of one
//! block. Both outputs are known from the ciphertext, hence a ciphertext and a tag that nobody
//! has asked for.

use combseal::{Aead, Aes128, Ocb3};
use combseal_archive::{Cpu, Error, Key, Scheme};

type Block = [u8; 16];

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The length of a block, in bits.
const LEN: Block = 128u128.to_be_bytes();

/// The message to ask for, and what of its ciphertext makes the forgery: ciphertext and tag.
fn asked(last: &[u8]) -> Vec<u8> {
    [&LEN, last].concat()
}
fn forged(last: &[u8], ciphertext: &[u8]) -> (Vec<u8>, Vec<u8>) {
    (xor(&ciphertext[..16], &LEN), xor(last, &ciphertext[16..32]))
}

#[test]
fn ocb2_is_forged() {
    for cpu in Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)) {
        for n in 0..100u128 {
            let (secret, nonce) = ((n * n + 7).to_be_bytes(), (n << 64 | 1).to_be_bytes());
            let key = Key::build(cpu, Scheme::Ocb2, &secret).unwrap();
            let last: Block = (n * 0x0123_4567_89ab_cdef_fedc).to_be_bytes();
            let sealed = key.seal(&nonce, b"", &asked(&last)).unwrap();
            let (ciphertext, tag) = forged(&last, &sealed);
            assert_ne!(tag, &sealed[32..]);
            // It opens, as a message that was never sealed.
            let opened = key.open(&nonce, b"", &[&ciphertext[..], &tag].concat(), 16).unwrap();
            // Who sees the message then knows the offset 2D, and with it what the cipher makes
            // of every block of the nonce.
            let offset = xor(&opened, &LEN);
            let aes = crate::reference::Aes::new(&secret);
            assert_eq!(offset, crate::reference::dbl(aes.e(nonce)));
            // A tag that is a bit off is no forgery.
            let wrong = xor(&tag, &[&[1][..], &[0; 15]].concat());
            let attempt = key.open(&nonce, b"", &[&ciphertext[..], &wrong].concat(), 16);
            assert_eq!(attempt, Err(Error::Forged));
        }
    }
}

#[test]
fn ocb3_is_not() {
    for n in 0..100u128 {
        let key = Ocb3::<Aes128>::new(&(n * n + 7).to_be_bytes());
        let nonce: [u8; 12] = core::array::from_fn(|i| n as u8 ^ i as u8);
        let last: Block = (n * 0x0123_4567_89ab_cdef_fedc).to_be_bytes();
        let sealed = key.seal(&nonce, b"", &asked(&last)).unwrap();
        let (ciphertext, tag) = forged(&last, &sealed);
        let attempt = key.open(&nonce, b"", &[&ciphertext[..], &tag].concat());
        assert_eq!(attempt, Err(Error::Forged));
    }
}

/// OCB1, which takes the length at an offset that no other block has.
#[test]
fn ocb1_is_not() {
    for n in 0..100u128 {
        let key = Key::new(Scheme::Ocb1, &(n * n + 7).to_be_bytes()).unwrap();
        let nonce = (n << 64 | 1).to_be_bytes();
        let last: Block = (n * 0x0123_4567_89ab_cdef_fedc).to_be_bytes();
        let sealed = key.seal(&nonce, b"", &asked(&last)).unwrap();
        let (ciphertext, tag) = forged(&last, &sealed);
        let attempt = key.open(&nonce, b"", &[&ciphertext[..], &tag].concat(), 16);
        assert_eq!(attempt, Err(Error::Forged));
    }
}
