//! The table of schemes, and `Key`.

use combseal::hazmat::Relaxed;
use combseal::{Aead, Algorithm, Cpu, Error, Key};

/// The table says of each scheme what its key says.
#[test]
fn table_is_true() {
    for &a in Algorithm::ALL {
        assert_eq!(Algorithm::by_name(&a.name().to_lowercase()), Some(a));
        let bytes = [7; 64];
        for n in 0..=64 {
            assert_eq!(Key::build(Cpu::detect(), a, &bytes[..n], a.tag_lens()[0]).is_ok(), n == a.key_len(), "{a} {n}");
        }
        for n in 0..=40 {
            let key = Key::build(Cpu::detect(), a, &bytes[..a.key_len()], n);
            assert_eq!(key.is_ok(), a.tag_lens().contains(&n), "{a} {n}");
            let same = Key::with_tag_len(a, &bytes[..a.key_len()], n);
            assert_eq!(same.map(|key| key.tag_len()).ok(), key.is_ok().then_some(n), "{a} {n}");
            let Ok(key) = key else { continue };
            assert_eq!((key.name(), key.tag_len(), key.nonce_len()), (a.name(), n, a.nonce_len()), "{a}");
            let nonce = &bytes[..a.nonce_len()];
            let sealed = key.seal(nonce, b"ad", b"message").unwrap();
            assert_eq!(sealed.len(), 7 + n);
            assert_eq!(key.open(nonce, b"ad", &sealed).unwrap(), b"message");
        }
    }
}

/// Short tags, short nonces and the form of FSE 2011 need a hazmat name, and a scheme
/// that has no such rule says so.
#[test]
fn hazmat_rules() {
    let (cpu, bytes) = (Cpu::detect(), [7; 64]);
    for &a in Algorithm::ALL {
        let key = &bytes[..a.key_len()];
        let build = |tag_len, rules: &[Relaxed]| Key::hazmat_build(cpu, a, key, tag_len, rules);
        let (ocb3, usual) = (a.name().starts_with("OCB3"), a.tag_lens()[0]);
        let gcm = a.name().ends_with("-GCM");
        let short: &[usize] = match a.name() {
            name if ocb3 || name.ends_with("EAX") => &[1, 2, 3, 4, 5, 6, 7],
            name if name.ends_with("CCM") => &[4, 6],
            _ if gcm => &[4, 8],
            _ => &[],
        };
        assert_eq!(
            {
                let mut it = a.short_tag_lens().to_vec();
                it.reverse();
                it
            },
            short,
            "{a}"
        );
        for n in 0..=40 {
            let (usual, hazmat) = (a.tag_lens().contains(&n), short.contains(&n));
            assert_eq!(Key::build(cpu, a, key, n).is_ok(), usual, "{a} {n}");
            assert_eq!(build(n, &[]).is_ok(), usual, "{a} {n}");
            match build(n, &[Relaxed::ShortTags]) {
                Ok(key) => assert!((usual || hazmat) && !short.is_empty() && key.tag_len() == n, "{a} {n}"),
                Err(Error::Unsupported) => assert!(short.is_empty(), "{a}"),
                Err(e) => assert!(e == Error::TagLength && !usual && !hazmat, "{a} {n}"),
            }
        }
        let error = |rule| build(usual, &[rule]).err();
        let shorts = ocb3 || gcm || a.name().ends_with("EAX");
        assert_eq!(error(Relaxed::Fse2011), (!ocb3).then_some(Error::Unsupported), "{a}");
        assert_eq!(error(Relaxed::ShortNonces), (!shorts).then_some(Error::Unsupported), "{a}");
        if shorts {
            assert_eq!(Key::build(cpu, a, key, usual).unwrap().set_nonce_len(5), Err(Error::NonceLength));
            let mut key = build(usual, &[Relaxed::ShortNonces]).unwrap();
            key.set_nonce_len(5).unwrap();
            assert_eq!(key.nonce_len(), 5);
            key.seal(b"five!", b"", b"").unwrap();
        }
        assert_eq!(Key::hazmat_build(cpu, a, &bytes[..5], usual, &[]).err(), Some(Error::KeyLength));
        if !a.name().ends_with("SIV") || a.name().ends_with("GCM-SIV") {
            let key = Key::build(cpu, a, key, usual).unwrap();
            let mut buf = *b"as it was";
            assert_eq!(key.seal_vectored(&[b"ad"], &mut buf), Err(Error::Unsupported), "{a}");
            assert_eq!(key.open_vectored(&[b"ad"], &mut buf, &[0; 16]), Err(Error::Unsupported), "{a}");
            assert_eq!(&buf, b"as it was");
        }
    }
}
