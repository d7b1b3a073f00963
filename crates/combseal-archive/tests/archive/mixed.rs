//! Batches of everything at once: schemes, tiers, keys, both directions, lengths, forgeries and
//! lengths that are refused, mixed; each job must come out as it does by itself. And what a
//! repeated nonce gives away, as each scheme's description says.

use super::agreement::noise;
use combseal_archive::{Batch, Cpu, Error, Key, RepeatedNonce, Scheme};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// What is asked of a batch and of a key alone.
#[derive(Clone)]
struct Task {
    key: usize,
    open: bool,
    nonce: Vec<u8>,
    ad: Vec<u8>,
    buf: Vec<u8>,
    tail: Vec<u8>,
}

impl Task {
    fn draw(random: &mut Random, keys: &[Key]) -> Self {
        let key = random.below(keys.len());
        let about = keys[key].scheme().about();
        // As many short messages as long ones.
        let most = *random.of(&[0, 17, 64, 300]);
        let len = random.below(most + 1);
        let most = *random.of(&[1, 20, 100]);
        let ad = random.below(most).min(about.longest_ad as usize);
        let mut it = Self {
            key,
            open: random.below(2) == 0,
            nonce: noise(random.below(1000), about.nonce_len),
            ad: noise(random.below(1000), ad),
            buf: noise(random.below(1000), len),
            tail: vec![0xee; keys[key].scheme().tail_len(len)],
        };
        if it.open {
            keys[key].seal_in_place(&it.nonce, &it.ad, &mut it.buf, &mut it.tail).unwrap();
            // One in three is forged, in any place.
            let some = &mut [&mut it.nonce, &mut it.ad, &mut it.buf, &mut it.tail][random.below(4)];
            if !some.is_empty() && random.below(3) == 0 {
                let bit = random.below(8 * some.len());
                some[bit / 8] ^= 1 << (bit % 8);
            }
        }
        // One in ten has a length that is refused.
        match random.below(20) {
            0 => it.nonce.push(0),
            1 => it.tail.push(1),
            _ => {}
        }
        it
    }

    /// By itself. (Who refuses a job in a batch zeroes what was to be sealed; alone it stays.)
    fn alone(mut self, keys: &[Key]) -> (Result<(), Error>, Vec<u8>, Vec<u8>) {
        let key = &keys[self.key];
        let done = if self.open {
            key.open_in_place(&self.nonce, &self.ad, &mut self.buf, &self.tail)
        } else {
            key.seal_in_place(&self.nonce, &self.ad, &mut self.buf, &mut self.tail)
        };
        if done == Err(Error::Forged) {
            assert!(self.buf.iter().all(|&byte| byte == 0));
        } else if done.is_err() && !self.open {
            self.buf.fill(0);
            self.tail.fill(0);
        }
        (done, self.buf, self.tail)
    }
}

#[test]
fn everything_in_one_batch() {
    let mut random = Random(2014);
    let tiers: Vec<Cpu> = Cpu::all().filter(|cpu| combseal_archive::runs_on(*cpu)).collect();
    for round in 0..60 {
        // Some schemes at a time, so that there are enough of each to go side by side; serial ones
        // as often as the others. Two keys each.
        let kinds: Vec<(Scheme, Cpu)> = (0..1 + round % 6)
            .map(|i| {
                let fits = |scheme: &&Scheme| i % 2 == 1 || scheme.is_serial();
                let schemes: Vec<Scheme> = Scheme::ALL.iter().filter(fits).copied().collect();
                (*random.of(&schemes), *random.of(&tiers))
            })
            .collect();
        let keys: Vec<Key> = kinds
            .iter()
            .flat_map(|&(scheme, cpu)| {
                [1, 2].map(|i| Key::build(cpu, scheme, &noise(i, scheme.about().key_len)).unwrap())
            })
            .collect();
        let tasks: Vec<Task> = (0..40 * kinds.len()).map(|_| Task::draw(&mut random, &keys)).collect();
        let mut together = tasks.clone();
        let mut batch = if round % 3 == 0 { Batch::with_lanes(1 + random.below(16)) } else { Batch::new() };
        for Task { key, open, nonce, ad, buf, tail } in &mut together {
            if *open {
                batch.open(&keys[*key], nonce, ad, buf, tail);
            } else {
                batch.seal(&keys[*key], nonce, ad, buf, tail);
            }
        }
        let done = batch.run();
        assert_eq!(done.len(), tasks.len());
        for ((task, it), done) in tasks.into_iter().zip(together).zip(done) {
            let key = &keys[task.key];
            let what = format!(
                "round {round}, {} on {:?}, {} bytes, {} of associated data, {}",
                key.scheme().about().name,
                key.cpu(),
                task.buf.len(),
                task.ad.len(),
                if task.open { "opened" } else { "sealed" }
            );
            assert!((done, it.buf, it.tail) == task.alone(&keys), "{what}");
        }
    }
}

/// Two messages under one nonce show what the scheme's description says, and no more of the same
/// kind.
#[test]
fn repeated_nonces() {
    for &scheme in Scheme::ALL {
        let about = scheme.about();
        let key = Key::new(scheme, &noise(1, about.key_len)).unwrap();
        let nonce = noise(2, about.nonce_len);
        let seal = |message: &[u8]| key.seal(&nonce, b"", message).unwrap();
        let first = noise(3, 320);
        let mut second = first.clone();
        // The first 64 bytes are the same, those in the middle are not, the last are.
        second[64..100].copy_from_slice(&noise(4, 36));
        let (a, b) = (seal(&first), seal(&second));
        let xor = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| a ^ b).collect::<Vec<u8>>();
        let (of_messages, of_sealed) = (xor(&first, &second), xor(&a, &b));
        let begins_alike = of_sealed[..64].iter().all(|&byte| byte == 0);
        let xor_of_first = of_sealed[64..72] == of_messages[64..72];
        let xor_of_all = of_sealed[..320] == of_messages[..];
        let found = (begins_alike, xor_of_first, xor_of_all);
        // With changes that leave the sum of the blocks as it is, in both halves of a message, the
        // first half of the one and the second of the other.
        let mut changed = first.clone();
        for (block, bit) in [(1, 1), (3, 1), (9, 2), (11, 2)] {
            changed[16 * block] ^= bit;
        }
        let mut mixed = a.clone();
        mixed[..128].copy_from_slice(&seal(&changed)[..128]);
        let forged = key.open(&nonce, b"", &mixed, 320).is_ok();
        let wanted = match about.repeated_nonce {
            RepeatedNonce::Equality => (false, false, false, false),
            RepeatedNonce::Prefix => (true, false, false, false),
            RepeatedNonce::PrefixAndXor => (true, true, false, false),
            RepeatedNonce::Xor => (true, true, true, false),
            // What is equal shows behind the change too; the change does not show.
            RepeatedNonce::BlocksAndForgeries => (true, false, false, true),
            other => panic!("{other:?}"),
        };
        assert_eq!((found.0, found.1, found.2, forged), wanted, "{}", about.name);
        let behind = of_sealed[128..256].iter().all(|&byte| byte == 0);
        let expected = matches!(about.repeated_nonce, RepeatedNonce::BlocksAndForgeries | RepeatedNonce::Xor);
        assert_eq!(behind, expected, "{}", about.name);
    }
}
