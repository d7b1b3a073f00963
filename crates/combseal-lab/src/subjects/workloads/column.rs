//! Values that lie in one buffer: the library's columns, as one of the study's timed loops.

use crate::measure::{Bench, Random, Work};
use crate::subjects::op::Op;
use combseal::{Aead, Algorithm, Columns, Cpu, Key, NonceCounter, Nonces, Values};
use std::hint::black_box;

/// The associated data of all values: a name, as a table's column has.
const AD: &[u8] = b"column";
/// What counted nonces begin with, as much of it as they have room for.
const PREFIX: [u8; 24] = [7; 24];

/// A column of values of one length, to be sealed or opened whole.
struct Column {
    /// One, or one for each value in turn.
    keys: Vec<Key>,
    count: usize,
    len: usize,
    op: Op,
    plain: Vec<u8>,
    sealed: Vec<u8>,
    opened: Vec<u8>,
    authentic: Vec<u8>,
    counter: NonceCounter,
    /// The counter with which `sealed` was sealed last.
    first: u64,
}

/// The loop that seals or opens `count` values of `len` bytes by a tier, under as many `keys`.
///
/// # Errors
/// If there is no such scheme or tier, or columns give another answer than one value at a time.
pub fn column(
    scheme: &str,
    tier: &str,
    op: Op,
    len: usize,
    count: usize,
    keys: usize,
) -> Result<Box<dyn Work>, String> {
    let algorithm = Algorithm::by_name(scheme).ok_or("has no columns")?;
    let cpu = Cpu::by_name(tier).ok_or("no such tier here")?;
    let key = |i: usize| {
        let mut bytes = [0x42; 64];
        bytes[..8].copy_from_slice(&(i as u64).to_le_bytes());
        Key::build(cpu, algorithm, &bytes[..algorithm.key_len()], algorithm.tag_lens()[0]).map_err(|e| e.to_string())
    };
    let keys: Vec<Key> = (0..keys).map(key).collect::<Result<_, _>>()?;
    let mut plain = vec![0; len * count];
    Random::new(2007).fill(&mut plain);
    let prefix = &PREFIX[..algorithm.nonce_len() - 8];
    let mut it = Column {
        sealed: vec![0; (len + keys[0].tag_len()) * count],
        opened: vec![0; len * count],
        authentic: vec![0; count.div_ceil(8)],
        counter: NonceCounter::new(prefix).map_err(|e| e.to_string())?,
        first: 0,
        keys,
        count,
        len,
        op,
        plain,
    };
    it.run_once(Op::Seal)?;
    it.check()?;
    it.run_once(Op::Open)?;
    if it.opened == it.plain { Ok(Box::new(it)) } else { Err("a column opens to something else".into()) }
}

impl Column {
    /// SIV as data columns have it: deterministic.
    fn has_nonces(&self) -> bool {
        !self.keys[0].algorithm().description().tag_first
    }

    fn prefix(&self) -> &'static [u8] {
        &PREFIX[..self.keys[0].nonce_len().saturating_sub(8).min(PREFIX.len())]
    }

    /// Each value by itself, which was compared with known answers.
    fn check(&self) -> Result<(), String> {
        let cells = self.sealed.chunks(self.sealed.len() / self.count);
        for (i, (value, cell)) in self.plain.chunks(self.len).zip(cells).enumerate() {
            let key = &self.keys[i % self.keys.len()];
            let nonce = [self.prefix(), &(self.first + i as u64).to_be_bytes()].concat();
            let alone = if self.has_nonces() {
                key.seal(&nonce, AD, value).map_err(|e| e.to_string())?
            } else {
                let mut text = value.to_vec();
                let tag = key.seal_vectored(&[AD], &mut text).map_err(|e| e.to_string())?;
                [tag.as_bytes(), &text].concat()
            };
            if alone != cell {
                return Err(format!("a column seals value {i} to something else"));
            }
        }
        Ok(())
    }

    /// The whole column once, and what went wrong.
    fn run_once(&mut self, op: Op) -> Result<(), String> {
        // With a key for each value, the list of them is part of the cost.
        let each: Vec<&Key> = match self.keys.len() {
            1 => Vec::new(),
            many => (0..self.count).map(|i| &self.keys[i % many]).collect(),
        };
        let columns = if each.is_empty() { Ok(Columns::new(&self.keys[0])) } else { Columns::with_keys(&each) };
        let columns = columns.map_err(|e| e.to_string())?.ad(AD);
        let (has_nonces, prefix) = (self.has_nonces(), self.prefix());
        let done = if op == Op::Open {
            let cells = Values::fixed(&self.sealed, self.sealed.len() / self.count).map_err(|e| e.to_string())?;
            let from = Nonces::counted_from(prefix, self.first).map_err(|e| e.to_string())?;
            let nonces = if has_nonces { from } else { Nonces::none() };
            columns.open(&cells, nonces, &mut self.opened, &mut self.authentic).map(|()| self.first)
        } else {
            let values = Values::fixed(&self.plain, self.len).map_err(|e| e.to_string())?;
            let nonces = if has_nonces { Nonces::counted(&mut self.counter) } else { Nonces::none() };
            columns.seal(&values, nonces, &mut self.sealed)
        };
        self.first = done.map_err(|e| e.to_string())?;
        Ok(())
    }
}

impl Work for Column {
    fn together(&self) -> u64 {
        self.count as u64
    }

    fn run(&mut self, _: &mut Bench, columns: u64) {
        for _ in 0..columns {
            self.run_once(self.op).expect("a column that was sealed before");
            black_box((&mut self.sealed, &mut self.opened));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_has_columns_that_agree() {
        for algorithm in Algorithm::ALL {
            for (op, keys) in [(Op::Seal, 1), (Op::Open, 1), (Op::Seal, 10)] {
                let mut work = column(algorithm.name(), Cpu::detect().name(), op, 16, 40, keys).unwrap();
                assert_eq!(work.together(), 40);
                work.run(&mut Bench::new(64), 2);
            }
        }
        assert!(column("OCB2", Cpu::detect().name(), Op::Seal, 16, 8, 1).is_err());
        assert!(column("OCB3-AES-128", "no tier", Op::Seal, 16, 8, 1).is_err());
    }
}
