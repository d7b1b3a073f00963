//! What a message in parts keeps on the heap between two of them, after it was freed: all of it must be zero,
//! the one-time authenticator's sums and powers too, which no search could know.

use crate::common::Random;
use crate::place::Faults;
use crate::secrets::Secrets;
use crate::spy::Armed;
use crate::{here, real_tiers};
use combseal::hazmat::OpenUnverified;
use combseal::{Algorithm, Cpu, SealParts};

/// The smaller of the two blocks: what every scheme keeps. Nothing else that is freed here is so large.
const STATE: usize = 200;
/// The larger one, which ChaCha20-Poly1305 has besides where a tier has 32 registers.
const SUMS: usize = 2048;

/// Of messages that are finished and of those that are dropped in the middle, in both directions.
#[test]
fn dropped_parts_are_zero() {
    let mut random = Random::new(116);
    let mut faults = Faults::default();
    let [mut all, mut sums] = [0, 0];
    for name in ["ChaCha20-Poly1305", "XChaCha20-Poly1305", "OCB3-AES-128", "AES-256-GCM", "AES-128-EAX"] {
        let algorithm = Algorithm::by_name(name).unwrap();
        let bytes = random.bytes(64);
        let secrets = Secrets::of(algorithm, &bytes);
        for cpu in real_tiers() {
            let key = here(cpu, algorithm, &bytes);
            let nonce = &[0x5a; 24][..algorithm.nonce_len()];
            let (message, mut out) = (random.bytes(3000), vec![0; 3000]);
            for (open, finishes) in [(false, false), (false, true), (true, false), (true, true)] {
                for least in [STATE, SUMS] {
                    let armed = Armed::new(&secrets).zero_from(least);
                    // A long part, a short one that waits behind it, and some that is held back.
                    if open {
                        let mut it = OpenUnverified::new(&key, nonce, b"ad").unwrap();
                        let n = it.update(&message[..2048], &mut out).unwrap();
                        it.update(&message[2048..2217], &mut out[n..]).unwrap();
                        if finishes {
                            assert!(it.finish(&[0; 16], &mut out).is_err());
                        }
                    } else {
                        let mut it = SealParts::new(&key, nonce, b"ad").unwrap();
                        let n = it.update(&message[..2048], &mut out).unwrap();
                        it.update(&message[2048..2217], &mut out[n..]).unwrap();
                        if finishes {
                            let _ = it.finish(&mut out).unwrap();
                        }
                    }
                    let what = format!("{name} on {cpu:?}, opened: {open}, finished: {finishes}");
                    let [seen, left] = armed.large();
                    armed.end(&mut faults, &what);
                    if left > 0 {
                        faults.add("memory given back that is not zero", what);
                    }
                    *if least == SUMS { &mut sums } else { &mut all } += seen;
                    assert!(least == SUMS || seen > 0, "{name} on {cpu:?}: nothing as large was given back");
                }
            }
        }
    }
    // Nothing was looked at in vain: sums are kept on this machine's best tier, if that has 32 registers.
    assert!(all > 0 && (sums > 0 || !Cpu::detect().name().contains("512")), "{all} {sums}");
}
