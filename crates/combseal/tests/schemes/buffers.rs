//! Buffers that grow by a tag and shrink by it, under every scheme.

use combseal::{Aead, Algorithm, Error, Key, NonceCounter, Opener, Sealer};

/// A buffer that grows has what `seal` gives and shrinks to what was sealed; after a forgery
/// nothing is in it, after a refusal what was.
#[test]
fn growing_buffers() {
    for &algorithm in Algorithm::ALL {
        let key = Key::new(algorithm, &[7; 64][..algorithm.key_len()]).unwrap();
        let nonce = [1; 32];
        let nonce = &nonce[..key.nonce_len()];
        for len in [0, 1, 15, 16, 17, 40, 100] {
            let message: Vec<u8> = (0..len).collect();
            let mut buf = message.clone();
            key.seal_buffer(nonce, b"ad", &mut buf).unwrap();
            let sealed = key.seal(nonce, b"ad", &message).unwrap();
            assert_eq!(buf, sealed, "{algorithm} {len}");
            let body = key.body_range(buf.len()).unwrap();
            assert_eq!(key.open_attached(nonce, b"ad", &mut buf.clone()).unwrap().len(), body.len());

            // With room behind: what is left there is neither tag nor message.
            let mut roomy = Vec::with_capacity(300);
            roomy.extend_from_slice(&buf);
            key.open_buffer(nonce, b"ad", &mut roomy).unwrap();
            assert_eq!(roomy, message);
            let n = buf.len();
            roomy.resize(n, 0);
            assert!(roomy[message.len()..].iter().all(|&byte| byte == 0));

            for wrong in 0..2 {
                let mut bad = buf.clone();
                *(if wrong == 0 { bad.first_mut() } else { bad.last_mut() }).unwrap() ^= 1;
                assert_eq!(key.open_buffer(nonce, b"ad", &mut bad), Err(Error::Forged));
                assert_eq!(bad, b"");
            }
            let mut short = buf[..key.tag_len() - 1].to_vec();
            assert_eq!(key.open_buffer(nonce, b"ad", &mut short), Err(Error::BufferLength));
            assert_eq!(short, buf[..key.tag_len() - 1]);
            let mut refused = buf.clone();
            assert_eq!(key.open_buffer(&[1; 200], b"ad", &mut refused), Err(Error::NonceLength));
            assert_eq!(refused, buf);
            let mut refused = message.clone();
            assert_eq!(key.seal_buffer(&[1; 200], b"ad", &mut refused), Err(Error::NonceLength));
            assert_eq!(refused, message);

            let prefix = &[2; 24][..key.nonce_len() - 8];
            let mut sealer = Sealer::new(&key, NonceCounter::new(prefix).unwrap()).unwrap();
            let mut opener = Opener::new(&key);
            let mut buf = message.clone();
            let nonce = *sealer.seal_buffer(b"ad", &mut buf).unwrap();
            assert_eq!(buf, key.seal(&nonce, b"ad", &message).unwrap());
            let mut bad = buf.clone();
            bad[0] ^= 1;
            assert_eq!(opener.open_buffer(&nonce, b"ad", &mut bad), Err(Error::Forged));
            assert_eq!((bad.len(), opener.forgeries(), sealer.next_counter()), (0, 1, 1));
            opener.open_buffer(&nonce, b"ad", &mut buf).unwrap();
            assert_eq!(buf, message);
        }
    }
}
