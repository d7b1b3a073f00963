//! What the archive does with the library's `unsafe` parts, with inputs so small that Miri can
//! follow them: messages in place and apart, on lanes, forged ones, blocks that are moved behind
//! one another.
//!
//! `.ci/miri` runs it, on the software tier.

use combseal_archive::{Batch, Cpu, Error, Key, Scheme};

/// A tier that Miri can follow; of 64-bit words it is quicker with.
fn quick() -> Cpu {
    let words = if cfg!(feature = "models") { Cpu::by_name("soft64") } else { None };
    words.unwrap_or(Cpu::soft())
}

/// Schemes that differ in how they go over memory: a serial one, one with intermediate tags and
/// one that is a block longer than its message, whose blocks are moved in place, CBC's padding.
const ALONE: [Scheme; 4] = [Scheme::ClocV1, Scheme::Colm127, Scheme::Julius, Scheme::CbcHmac];
/// On lanes: two chains, three schedules a key, products, a hash beside the lanes.
const TOGETHER: [Scheme; 4] = [Scheme::ClocV1, Scheme::PoetV1, Scheme::McoeG, Scheme::CbcHmac];

/// In place at an odd address, and apart; then forged.
#[test]
fn one_message() {
    for scheme in ALONE {
        let about = scheme.about();
        let key = Key::build(quick(), scheme, &vec![7; about.key_len]).unwrap();
        let (nonce, ad) = (vec![2; about.nonce_len], &[3; 5][..5.min(about.longest_ad as usize)]);
        let len = 37;
        let sealed = key.seal(&nonce, ad, &vec![1; len]).unwrap();
        let mut room = vec![1; len + 1];
        let (buf, mut tail) = (&mut room[1..], vec![0; scheme.tail_len(len)]);
        key.seal_in_place(&nonce, ad, buf, &mut tail).unwrap();
        assert_eq!([&buf[..], &tail].concat(), sealed, "{}", about.name);
        assert_eq!(key.open(&nonce, ad, &sealed, len).unwrap(), vec![1; len], "{}", about.name);
        tail[0] ^= 1;
        assert_eq!(key.open_in_place(&nonce, ad, buf, &tail), Err(Error::Forged), "{}", about.name);
        assert!(buf.iter().all(|&byte| byte == 0), "{}", about.name);
    }
}

/// Three messages of different lengths side by side, under two keys, one of them forged.
#[test]
fn on_lanes() {
    for scheme in TOGETHER {
        let about = scheme.about();
        let keys = [7, 8].map(|byte| Key::build(quick(), scheme, &vec![byte; about.key_len]).unwrap());
        let (nonce, ad) = (vec![2; about.nonce_len], [3; 33]);
        let mut bufs = [20, 0, 36].map(|len| vec![1; len]);
        let mut tails = bufs.each_ref().map(|buf| vec![0; scheme.tail_len(buf.len())]);
        let mut batch = Batch::new();
        for (i, (buf, tail)) in bufs.iter_mut().zip(&mut tails).enumerate() {
            batch.seal(&keys[i % 2], &nonce, &ad, buf, tail);
        }
        assert_eq!(batch.run(), [Ok(()); 3]);
        tails[0][0] ^= 1;
        let mut batch = Batch::new();
        for (i, (buf, tail)) in bufs.iter_mut().zip(&tails).enumerate() {
            batch.open(&keys[i % 2], &nonce, &ad, buf, tail);
        }
        assert_eq!(batch.run(), [Err(Error::Forged), Ok(()), Ok(())], "{}", about.name);
        assert_eq!(bufs, [vec![0; 20], vec![], vec![1; 36]], "{}", about.name);
    }
}
