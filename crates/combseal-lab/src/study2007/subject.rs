//! What is timed: packets encrypted, decrypted and refused, keys expanded; and before that, whether
//! a system's tunings are right and which of them is the fastest.

use super::record::{Failed, Operation, Tuning};
use crate::measure::{Bench, Clock, Random, Work, stats};
use combseal_archive::Error;
use combseal_archive::streams::named::{StreamSystem, SystemKey};
use std::hint::black_box;
use std::rc::Rc;

/// Bytes that the paper chooses a tuning by.
const CHOICE: u64 = 1536;
/// Single timings of a point.
pub(super) const SINGLES: usize = 15;
/// Packets that are encrypted before as many are decrypted: they stay in the first cache.
const RING_BYTES: usize = 8192;
const RING_PACKETS: usize = 32;
/// Lengths at which answers are compared before anything is timed.
const CHECKED: [usize; 8] = [0, 1, 15, 16, 40, 64, 576, 1500];

/// A nonce that counts up; it stays empty where a cipher takes none.
#[derive(Clone)]
struct Nonce(Vec<u8>);

impl Nonce {
    #[inline(always)]
    fn bump(&mut self) -> &[u8] {
        for byte in &mut self.0 {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
        &self.0
    }
}

/// Expanded keys of random bytes.
///
/// # Errors
/// That of a system which refuses its own length.
pub(super) fn keys(system: &'static StreamSystem, count: u64, seed: u64) -> Result<Rc<Vec<SystemKey>>, Error> {
    let (mut random, mut bytes) = (Random::new(seed), vec![0; system.key_len()]);
    let key = |_| {
        random.fill(&mut bytes);
        SystemKey::new(system, &bytes)
    };
    Ok(Rc::new((0..count).map(key).collect::<Result<_, _>>()?))
}

/// The loop of an operation on packets of `bytes` bytes, under the first of `keys` or, to encrypt,
/// under one of the first `count` for each packet. `alone`: one packet at a time.
pub(super) fn work(keys: &Rc<Vec<SystemKey>>, count: u64, op: Operation, bytes: u64, alone: bool) -> Box<dyn Work> {
    let (keys, system) = (Rc::clone(keys), keys[0].system());
    let (nonce, bytes) = (Nonce(vec![0; system.nonce_len()]), bytes as usize);
    match op {
        Operation::ExpandKey => Box::new(Expand { system, bytes: vec![0x36; system.key_len()] }),
        Operation::Encrypt => Box::new(Encrypt { keys, count, draw: 1, nonce, bytes, faults: 0 }),
        Operation::Reject => Box::new(Reject { keys, nonce, bytes, faults: 0 }),
        Operation::Decrypt => {
            let ring = if alone { 1 } else { (RING_BYTES / bytes.max(1)).clamp(1, RING_PACKETS) };
            Box::new(Decrypt { keys, nonce, bytes, tags: vec![[0; 16]; ring], faults: 0 })
        }
    }
}

struct Encrypt {
    keys: Rc<Vec<SystemKey>>,
    count: u64,
    /// A linear congruence, so that drawing costs a product and no memory.
    draw: u64,
    nonce: Nonce,
    bytes: usize,
    faults: u64,
}

impl Work for Encrypt {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        for _ in 0..messages {
            let mut one = 0;
            if self.count > 1 {
                self.draw = self.draw.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                one = ((self.draw >> 32) * self.count) >> 32;
            }
            let data = black_box(bench.at(0, self.bytes));
            let done = self.keys[one as usize].encrypt_in_place(self.nonce.bump(), b"", data);
            self.faults += u64::from(black_box(done).is_err());
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

/// Packets are encrypted by [`prepare`](Work::prepare); a burst decrypts them all.
struct Decrypt {
    keys: Rc<Vec<SystemKey>>,
    nonce: Nonce,
    bytes: usize,
    tags: Vec<[u8; 16]>,
    faults: u64,
}

impl Work for Decrypt {
    fn burst(&self) -> Option<u64> {
        Some(self.tags.len() as u64)
    }

    fn prepare(&mut self, bench: &mut Bench) {
        // The burst counts the same nonces again.
        let mut nonce = self.nonce.clone();
        for (i, tag) in self.tags.iter_mut().enumerate() {
            match self.keys[0].encrypt_in_place(nonce.bump(), b"", bench.at(i * self.bytes, self.bytes)) {
                Ok(made) => *tag = made,
                Err(_) => self.faults += 1,
            }
        }
    }

    fn run(&mut self, bench: &mut Bench, _: u64) {
        for (i, tag) in self.tags.iter().enumerate() {
            let data = black_box(bench.at(i * self.bytes, self.bytes));
            let done = self.keys[0].decrypt_in_place(self.nonce.bump(), b"", data, tag);
            self.faults += u64::from(black_box(done).is_err());
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

/// Whatever the buffer holds, the authenticator is wrong.
struct Reject {
    keys: Rc<Vec<SystemKey>>,
    nonce: Nonce,
    bytes: usize,
    faults: u64,
}

impl Work for Reject {
    fn run(&mut self, bench: &mut Bench, messages: u64) {
        for _ in 0..messages {
            let data = black_box(bench.at(0, self.bytes));
            let done = self.keys[0].decrypt_in_place(self.nonce.bump(), b"", data, black_box(&[0x5a; 16]));
            self.faults += u64::from(black_box(done).is_ok());
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

/// An expanded key is made and, since that belongs to it, wiped.
struct Expand {
    system: &'static StreamSystem,
    bytes: Vec<u8>,
}

impl Work for Expand {
    fn run(&mut self, _: &mut Bench, messages: u64) {
        for _ in 0..messages {
            drop(black_box(SystemKey::new(self.system, black_box(&self.bytes))));
        }
    }
}

/// Fifteen single timings, none left out and none before them untimed.
pub(super) fn singles(work: &mut dyn Work, bench: &mut Bench, clock: &mut Clock) -> Vec<f64> {
    let one = |_| {
        let reading = clock.measure(&mut |watch| {
            work.prepare(bench);
            watch.time(|| work.run(bench, 1));
        });
        reading.amount
    };
    (0..SINGLES).map(one).collect()
}

/// A system in the tuning that is measured.
pub(super) struct Subject {
    /// The tuning.
    pub system: &'static StreamSystem,
    /// All that gave right answers, with what they took.
    pub tunings: Vec<Tuning>,
    /// Cycles to expand a key, for an empty packet, and for each byte of a packet.
    pub costs: [f64; 3],
}

/// Checks a system's tunings, times them as the paper does, and takes the fastest. Nothing, if none
/// gives right answers.
pub(super) fn choose(
    tunings: &[&'static StreamSystem],
    clock: &mut Clock,
    bench: &mut Bench,
    failed: &mut Vec<Failed>,
) -> Option<Subject> {
    let mut all = Vec::new();
    let mut best: Option<(f64, Subject)> = None;
    let reference = *tunings.first()?;
    for &system in tunings {
        if let Err(why) = check(system, reference) {
            let (name, tuning) = (system.name().into(), system.about().tuning.into());
            failed.push(Failed { name, tuning, why });
            continue;
        }
        let Ok(keys) = keys(system, 1, 1) else { continue };
        let mut time = |op, bytes| {
            let mut work = work(&keys, 1, op, bytes, true);
            work.run(bench, 2);
            stats::median(&singles(work.as_mut(), bench, clock))
        };
        let (setup, start) = (time(Operation::ExpandKey, 0), time(Operation::Encrypt, 0));
        let cycles = time(Operation::Encrypt, CHOICE);
        let a_byte = ((cycles - start) / CHOICE as f64).max(0.0);
        let about = system.about();
        all.push(Tuning { tuning: about.tuning.into(), constant_time: about.constant_time, cycles });
        if best.as_ref().is_none_or(|(least, _)| cycles < *least) {
            best = Some((cycles, Subject { system, tunings: Vec::new(), costs: [setup, start, a_byte] }));
        }
    }
    best.map(|(_, subject)| Subject { tunings: all, ..subject })
}

/// Whether a tuning gives the packets of `reference`, opens them, and refuses what is forged.
fn check(system: &'static StreamSystem, reference: &'static StreamSystem) -> Result<(), String> {
    let mut random = Random::new(7);
    let mut bytes = vec![0; system.key_len()];
    random.fill(&mut bytes);
    let keys = (SystemKey::new(system, &bytes), SystemKey::new(reference, &bytes));
    let (Ok(key), Ok(other)) = keys else { return Err("it refuses a key of its length".into()) };
    let mut nonce = Nonce(vec![0; system.nonce_len()]);
    for len in CHECKED {
        let mut message = vec![0; len];
        random.fill(&mut message);
        let nonce = nonce.bump();
        let packet = key.encrypt(nonce, b"", &message).map_err(|e| format!("{len} bytes: {e}"))?;
        if other.encrypt(nonce, b"", &message).as_ref() != Ok(&packet) {
            return Err(format!("{len} bytes: the tunings differ"));
        }
        if key.decrypt(nonce, b"", &packet).as_ref() != Ok(&message) {
            return Err(format!("{len} bytes: its own packet does not open"));
        }
        let mut forged = packet;
        if let Some(last) = forged.last_mut() {
            *last ^= 1;
        }
        if key.decrypt(nonce, b"", &forged) != Err(Error::Forged) {
            return Err(format!("{len} bytes: a forgery is not refused"));
        }
    }
    Ok(())
}
