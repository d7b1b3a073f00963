//! Messages that are handed over together: the library's batch, as one of the study's timed loops.

use super::raw;
use crate::measure::{Bench, Work};
use crate::subjects::batches::{self, Mode, Way};
use crate::subjects::op::Op;
use combseal::{Aead, Algorithm, Batch, Cpu, Error, Key};
use combseal_archive as archive;

/// What is done with a batch: how many messages go side by side, and under how many keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doing {
    /// Sealing, or opening, which needs lanes.
    pub(crate) op: Op,
    /// On lanes, or one message after the other.
    pub(crate) way: Way,
    /// Keys that take turns.
    pub(crate) keys: usize,
}

/// A batch counts its messages. Where it has fewer than there are keys, the next batch goes on with the next key: all
/// keys are in use then, and the messages lie in no more memory than those of one key.
struct Together {
    batch: Box<dyn Work>,
    /// So many batches give each of many keys its turn; 0 for one key.
    turns: u64,
    messages: u64,
}

impl Work for Together {
    fn burst(&self) -> Option<u64> {
        self.batch.burst()
    }

    fn prepare(&mut self, bench: &mut Bench) {
        self.batch.prepare(bench);
    }

    /// Each of many keys has its turn, as with single messages.
    fn warm(&mut self, bench: &mut Bench) {
        for _ in 0..self.turns {
            self.prepare(bench);
            self.run(bench, 1);
        }
    }

    fn together(&self) -> u64 {
        self.messages
    }

    fn run(&mut self, bench: &mut Bench, batches: u64) {
        self.batch.run(bench, batches);
    }

    fn faults(&self) -> u64 {
        self.batch.faults()
    }
}

/// The loop that seals or opens messages of these lengths on a tier.
///
/// # Errors
/// If a batch gives another answer than one message after the other would, or opens a forged one; or if the mode
/// cannot be opened here.
pub(crate) fn batch(mode: Mode, tier: &str, doing: Doing, lengths: &[usize]) -> Result<Box<dyn Work>, String> {
    let cpu = Cpu::by_name(tier).ok_or("no such tier here")?;
    let Doing { op, way, keys } = doing;
    let agrees = match mode {
        _ if mode.is_raw() => raw::agrees(mode, cpu, way, keys, lengths),
        Mode::Aead(algorithm) => agrees(algorithm, cpu, way, keys, lengths),
        Mode::Archived(scheme) => archived_agrees(scheme, cpu, way, keys, lengths),
        _ => Ok(()),
    };
    agrees.map_err(|e| format!("in batches: {e}"))?;
    let messages = lengths.len() as u64;
    let batch = match (op, way) {
        (Op::Seal, _) => batches::work(mode, cpu, way, keys, lengths),
        (Op::Open, Way::Comb(lanes)) => {
            batches::opening(mode, cpu, lanes, keys, lengths).ok_or("nothing opens in this mode")?
        }
        _ => return Err("batches are sealed, or opened on lanes".into()),
    };
    let turns = if keys > 1 { (keys as u64).div_ceil(messages.max(1)) } else { 0 };
    Ok(Box::new(Together { batch, turns, messages }))
}

/// Keys as the batches take them, to be compared under: as many as messages, if there are more.
fn keys_of<K>(keys: usize, lengths: &[usize], build: impl Fn(&[u8; 64]) -> Result<K, Error>) -> Result<Vec<K>, String> {
    let key = |i: usize| {
        let mut bytes = [0x42; 64];
        bytes[..8].copy_from_slice(&(i as u64).to_le_bytes());
        build(&bytes).map_err(|e| e.to_string())
    };
    (0..keys.min(lengths.len()).max(1)).map(key).collect()
}

/// A batch on the lanes of a way, empty.
fn jobs_on<'a>(way: Way) -> Batch<'a> {
    match way {
        Way::Comb(Some(lanes)) => Batch::with_lanes(lanes),
        _ => Batch::new(),
    }
}

/// The same of the archive.
fn archived_jobs_on<'a>(way: Way) -> archive::Batch<'a> {
    match way {
        Way::Comb(Some(lanes)) => archive::Batch::with_lanes(lanes),
        _ => archive::Batch::new(),
    }
}

/// Does a batch seal as single messages do, which were compared with known answers, open what these sealed, and
/// refuse one that is forged among them?
fn agrees(algorithm: Algorithm, cpu: Cpu, way: Way, keys: usize, lengths: &[usize]) -> Result<(), String> {
    let keys = keys_of(keys, lengths, |bytes| Key::build(cpu, algorithm, &bytes[..algorithm.key_len()], 16))?;
    let key = |i: usize| &keys[i % keys.len()];
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
    let mut sealing = jobs_on(way);
    for (i, (buf, tag)) in together.iter_mut().zip(&mut tags).enumerate() {
        sealing.seal(key(i), nonce(i), b"", buf, tag);
    }
    if sealing.run().iter().any(Result::is_err) {
        return Err("a job is refused".into());
    }
    for (i, mut single) in messages().into_iter().enumerate() {
        let tag = key(i).seal_in_place(nonce(i), b"", &mut single).map_err(|e| e.to_string())?;
        if tag != tags[i] || single != together[i] {
            return Err(format!("another ciphertext at {} bytes", single.len()));
        }
    }
    let forged = forge(tags.iter_mut().map(|tag| &mut tag[..]));
    let mut opening = jobs_on(way);
    for (i, (buf, tag)) in together.iter_mut().zip(&tags).enumerate() {
        opening.open(key(i), nonce(i), b"", buf, tag);
    }
    let results: Vec<bool> = opening.run().iter().map(Result::is_ok).collect();
    opened(&results, forged, together.iter().map(|message| &message[..]))
}

/// The same of a scheme of the archive.
fn archived_agrees(scheme: archive::Scheme, cpu: Cpu, way: Way, keys: usize, lengths: &[usize]) -> Result<(), String> {
    let about = scheme.about();
    let keys = keys_of(keys, lengths, |bytes| archive::Key::build(cpu, scheme, &bytes[..about.key_len]))?;
    let key = |i: usize| &keys[i % keys.len()];
    let nonces: Vec<[u8; 16]> = (0..lengths.len()).map(|i| (i as u128).to_be_bytes()).collect();
    let nonce = |i: usize| &nonces[i][16 - about.nonce_len..];
    let sealed = |n: &usize| (vec![0x5a; *n], vec![0; scheme.tail_len(*n)]);
    let mut together: Vec<_> = lengths.iter().map(sealed).collect();
    let mut sealing = archived_jobs_on(way);
    for (i, (buf, tail)) in together.iter_mut().enumerate() {
        sealing.seal(key(i), nonce(i), b"", buf, tail);
    }
    if sealing.run().iter().any(Result::is_err) {
        return Err("a job is refused".into());
    }
    for (i, mut single) in lengths.iter().map(sealed).enumerate() {
        key(i).seal_in_place(nonce(i), b"", &mut single.0, &mut single.1).map_err(|e| e.to_string())?;
        if single != together[i] {
            return Err(format!("another ciphertext at {} bytes", single.0.len()));
        }
    }
    let forged = forge(together.iter_mut().map(|(_, tail)| &mut tail[..]));
    let mut opening = archived_jobs_on(way);
    for (i, (buf, tail)) in together.iter_mut().enumerate() {
        opening.open(key(i), nonce(i), b"", buf, tail);
    }
    let results: Vec<bool> = opening.run().iter().map(Result::is_ok).collect();
    opened(&results, forged, together.iter().map(|(message, _)| &message[..]))
}

/// Turns a bit of the tag of the message in the middle, and says which that is.
fn forge<'a>(tags: impl ExactSizeIterator<Item = &'a mut [u8]>) -> Option<usize> {
    let middle = tags.len() / 2;
    let tag = tags.into_iter().nth(middle)?;
    *tag.last_mut()? ^= 1;
    Some(middle)
}

/// Has every message opened to what was sealed, but the forged one, which has left nothing?
fn opened<'a>(results: &[bool], forged: Option<usize>, messages: impl Iterator<Item = &'a [u8]>) -> Result<(), String> {
    for (i, (message, &is_good)) in messages.zip(results).enumerate() {
        let is_forged = forged == Some(i);
        if is_good == is_forged {
            let what = if is_forged { "a forgery is opened" } else { "a message is refused" };
            return Err(format!("{what} at {} bytes", message.len()));
        }
        let byte = if is_forged { 0 } else { 0x5a };
        if message.iter().any(|&it| it != byte) {
            return Err(format!("another plaintext at {} bytes", message.len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sealing under one key.
    fn sealing(way: Way) -> Doing {
        Doing { op: Op::Seal, way, keys: 1 }
    }

    #[test]
    fn every_scheme_with_batches_is_found_and_agrees() {
        let mut found = 0;
        let archived = archive::Scheme::ALL.iter().map(|scheme| scheme.about().name);
        for name in Algorithm::ALL.iter().map(|algorithm| algorithm.name()).chain(archived) {
            let Some(mode) = Mode::of_scheme(name) else { continue };
            for op in [Op::Seal, Op::Open] {
                let doing = Doing { op, ..sealing(Way::Comb(None)) };
                let mut work = batch(mode, Cpu::detect().name(), doing, &[64, 0, 1500, 100]).unwrap();
                assert_eq!(work.together(), 4);
                for _ in 0..2 {
                    work.prepare(&mut Bench::new(64));
                    work.run(&mut Bench::new(64), work.burst().unwrap_or(2));
                }
                assert_eq!(work.faults(), 0, "{name}");
            }
            found += 1;
        }
        assert_eq!(found, 10 + archive::Scheme::ALL.len());
        let many = [16; 600];
        for name in ["OCB3-AES-128", "AES-128-GCM", "ChaCha20-Poly1305"] {
            let mode = Mode::of_scheme(name).unwrap();
            assert!(batch(mode, Cpu::detect().name(), sealing(Way::Comb(None)), &many).is_ok(), "{name}");
        }
        assert!(Mode::of_scheme("AES-128-CBC").is_none());
        assert!(batch(Mode::PAPER[6], "no tier", sealing(Way::Single), &[64]).is_err());
    }

    /// On few lanes and many, on each number of which a mode may go wrong by itself, under one key and under many.
    #[test]
    fn every_mode_of_the_paper_agrees_on_all_lanes() {
        for mode in Mode::PAPER {
            for (lanes, keys) in [(2, 1), (3, 9), (7, 1), (8, 1000), (12, 2), (16, 1), (16, 1000)] {
                let doing = Doing { keys, ..sealing(Way::Comb(Some(lanes))) };
                let work = batch(mode, Cpu::detect().name(), doing, &[64, 100, 16, 1500, 33, 64, 0]);
                // However many keys: the next batch goes on with the next key.
                assert_eq!(work.unwrap_or_else(|e| panic!("{e}, {mode:?}")).together(), 7);
            }
        }
    }

    /// What cannot be opened, or is no operation of batches, is no loop.
    #[test]
    fn what_is_not_opened_is_said() {
        let tier = Cpu::detect().name();
        let of = |mode, op, way| batch(mode, tier, Doing { op, ..sealing(way) }, &[64]).map(|_| ());
        assert!(of(Mode::Cbc, Op::Open, Way::Comb(None)).is_err_and(|e| e.contains("nothing opens")));
        assert!(of(Mode::PAPER[6], Op::Open, Way::Single).is_err());
        assert!(of(Mode::PAPER[6], Op::Reject, Way::Comb(None)).is_err());
    }

    /// A forgery that opens, a message that does not, and one that opens to something else are told.
    #[test]
    fn wrong_openings_are_noticed() {
        let (good, zero, bad) = (&[0x5a; 3][..], &[0; 3][..], &[0x5a, 1, 0x5a][..]);
        let say = |results: &[bool], messages: [&'static [u8]; 3]| opened(results, Some(1), messages.into_iter());
        assert_eq!(say(&[true, false, true], [good, zero, good]), Ok(()));
        assert!(say(&[true, true, true], [good, good, good]).is_err_and(|e| e.contains("forgery")));
        assert!(say(&[false, false, true], [zero, zero, good]).is_err_and(|e| e.contains("refused")));
        assert!(say(&[true, false, true], [good, zero, bad]).is_err_and(|e| e.contains("another plaintext")));
        assert!(say(&[true, false, true], [good, good, good]).is_err_and(|e| e.contains("another plaintext")));
    }
}
