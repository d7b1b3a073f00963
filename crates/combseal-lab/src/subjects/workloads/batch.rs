//! Messages that are handed over together: the library's batch, as one of the study's timed loops.

use super::raw;
use crate::measure::{Bench, Work};
use crate::subjects::batches::{self, Mode, Way};
use combseal::{Aead, Algorithm, Batch, Cpu, Key};
use combseal_archive as archive;

/// A batch counts its messages.
struct Together {
    batch: Box<dyn Work>,
    messages: u64,
}

impl Work for Together {
    fn together(&self) -> u64 {
        self.messages
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        self.batch.run(bench, messages);
    }
}

/// The loop that seals messages of these lengths under one key on a tier: together, or one after the other.
///
/// # Errors
/// If the batch seals otherwise than one message after the other would.
pub(crate) fn batch(mode: Mode, tier: &str, way: Way, lengths: &[usize]) -> Result<Box<dyn Work>, String> {
    let cpu = Cpu::by_name(tier).ok_or("no such tier here")?;
    let agrees = match mode {
        _ if mode.is_raw() => raw::agrees(mode, cpu, way, lengths),
        Mode::Aead(algorithm) => agrees(algorithm, cpu, way, lengths),
        Mode::Archived(scheme) => archived_agrees(scheme, cpu, way, lengths),
        _ => Ok(()),
    };
    agrees.map_err(|e| format!("in batches: {e}"))?;
    Ok(Box::new(Together { batch: batches::work(mode, cpu, way, 1, lengths), messages: lengths.len() as u64 }))
}

/// Does a batch give what single messages do, which were compared with known answers?
fn agrees(algorithm: Algorithm, cpu: Cpu, way: Way, lengths: &[usize]) -> Result<(), String> {
    let key = Key::build(cpu, algorithm, &[0x42; 64][..algorithm.key_len()], 16).map_err(|e| e.to_string())?;
    // A batch refuses a nonce that it has seen: a byte would not count to 512 messages.
    let nonces: Vec<[u8; 40]> = (0..lengths.len())
        .map(|i| {
            let mut nonce = [0; 40];
            nonce[32..].copy_from_slice(&(i as u64).to_be_bytes());
            nonce
        })
        .collect();
    let nonce = |i: usize| &nonces[i][40 - algorithm.nonce_len()..];
    let messages = || lengths.iter().map(|&n| vec![0x5a; n]).collect::<Vec<_>>();
    let (mut together, mut tags) = (messages(), vec![[0; 16]; lengths.len()]);
    let mut batch = match way {
        Way::Comb(Some(lanes)) => Batch::with_lanes(lanes),
        _ => Batch::new(),
    };
    for (i, (buf, tag)) in together.iter_mut().zip(&mut tags).enumerate() {
        batch.seal(&key, nonce(i), b"", buf, tag);
    }
    if batch.run().iter().any(Result::is_err) {
        return Err("a job is refused".into());
    }
    for (i, mut single) in messages().into_iter().enumerate() {
        let tag = key.seal_in_place(nonce(i), b"", &mut single).map_err(|e| e.to_string())?;
        if tag != tags[i] || single != together[i] {
            return Err(format!("another ciphertext at {} bytes", single.len()));
        }
    }
    Ok(())
}

/// The same of a scheme of the archive.
fn archived_agrees(scheme: archive::Scheme, cpu: Cpu, way: Way, lengths: &[usize]) -> Result<(), String> {
    let about = scheme.about();
    let key = archive::Key::build(cpu, scheme, &[0x42; 64][..about.key_len]).map_err(|e| e.to_string())?;
    let nonces: Vec<[u8; 16]> = (0..lengths.len()).map(|i| (i as u128).to_be_bytes()).collect();
    let nonce = |i: usize| &nonces[i][16 - about.nonce_len..];
    let sealed = |n: &usize| (vec![0x5a; *n], vec![0; scheme.tail_len(*n)]);
    let mut together: Vec<_> = lengths.iter().map(sealed).collect();
    let mut batch = match way {
        Way::Comb(Some(lanes)) => archive::Batch::with_lanes(lanes),
        _ => archive::Batch::new(),
    };
    for (i, (buf, tail)) in together.iter_mut().enumerate() {
        batch.seal(&key, nonce(i), b"", buf, tail);
    }
    if batch.run().iter().any(Result::is_err) {
        return Err("a job is refused".into());
    }
    for (i, mut single) in lengths.iter().map(sealed).enumerate() {
        key.seal_in_place(nonce(i), b"", &mut single.0, &mut single.1).map_err(|e| e.to_string())?;
        if single != together[i] {
            return Err(format!("another ciphertext at {} bytes", single.0.len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_with_batches_is_found_and_agrees() {
        let mut found = 0;
        let archived = archive::Scheme::ALL.iter().map(|scheme| scheme.about().name);
        for name in Algorithm::ALL.iter().map(|algorithm| algorithm.name()).chain(archived) {
            let Some(mode) = Mode::of_scheme(name) else { continue };
            let mut work = batch(mode, Cpu::detect().name(), Way::Comb(None), &[64, 0, 1500, 100]).unwrap();
            assert_eq!(work.together(), 4);
            work.run(&mut Bench::new(64), 2);
            found += 1;
        }
        assert_eq!(found, 10 + archive::Scheme::ALL.len());
        let many = [16; 600];
        for name in ["OCB3-AES-128", "AES-128-GCM", "ChaCha20-Poly1305"] {
            let mode = Mode::of_scheme(name).unwrap();
            assert!(batch(mode, Cpu::detect().name(), Way::Comb(None), &many).is_ok(), "{name}");
        }
        assert!(Mode::of_scheme("AES-128-CBC").is_none());
        assert!(batch(Mode::PAPER[6], "no tier", Way::Single, &[64]).is_err());
    }

    /// On every number of lanes, on each of which a mode may go wrong by itself.
    #[test]
    fn every_mode_of_the_paper_agrees_on_all_lanes() {
        for mode in Mode::PAPER {
            for lanes in [2, 3, 7, 8, 12, 16] {
                let work = batch(mode, Cpu::detect().name(), Way::Comb(Some(lanes)), &[64, 100, 16, 1500, 33, 64, 0]);
                assert_eq!(work.unwrap_or_else(|e| panic!("{e}, {mode:?}")).together(), 7);
            }
        }
    }
}
