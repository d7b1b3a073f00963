//! Messages of many lengths, one after the other, as in real traffic, where nobody can learn the
//! length of the next. A burst is the whole list, so that all samples are of the same messages. Under more keys than it
//! has messages, the next burst goes on with the next key.

use super::keys::behind;
use crate::measure::{Bench, Work};
use crate::subjects::candidate::{CountingNonce, Keyed};
use crate::subjects::op::Op;
use std::hint::black_box;

struct Mix {
    /// One, or as many as take turns: a message has the next one's key.
    keyed: Vec<Box<dyn Keyed>>,
    /// The place of the next message's.
    next: usize,
    op: Op,
    nonce: CountingNonce,
    /// Where each message lies, and its length.
    places: Vec<(usize, usize)>,
    /// The tails of all messages, one behind the other.
    tails: Vec<u8>,
    /// Where each message's tail ends.
    ends: Vec<usize>,
    faults: u64,
}

/// The loop of sealing or opening messages of `lengths` under keys in turn, each in a place of its own: opening in
/// place wants that, and sealing has the same so that both can be compared. The messages come from
/// the L2 cache as a rule, as they do in a batch.
pub(crate) fn mix(keyed: Vec<Box<dyn Keyed>>, op: Op, lengths: &[usize]) -> Box<dyn Work> {
    assert!(matches!(op, Op::Seal | Op::Open), "messages are sealed or opened");
    let one = keyed.first().expect("messages have a key");
    let nonce = CountingNonce::new(one.nonce_len(), 1);
    let places = places(lengths);
    let mut end = 0;
    let ends = lengths.iter().map(|&bytes| {
        end += one.tail_len(bytes);
        end
    });
    let ends: Vec<usize> = ends.collect();
    Box::new(Mix { keyed, next: 0, op, nonce, places, tails: vec![0; end], ends, faults: 0 })
}

/// The bytes that opening `lengths` needs: what a campaign must make room for.
pub fn room(lengths: &[usize]) -> usize {
    places(lengths).last().map_or(0, |&(at, bytes)| at + bytes)
}

/// Messages one behind the other at cache lines.
fn places(lengths: &[usize]) -> Vec<(usize, usize)> {
    let mut at = 0;
    let place = |&bytes: &usize| {
        let place = (at, bytes);
        at += bytes.next_multiple_of(64).max(64);
        place
    };
    lengths.iter().map(place).collect()
}

impl Work for Mix {
    fn burst(&self) -> Option<u64> {
        Some(self.places.len() as u64)
    }

    /// Each of many keys has its turn, as with messages of one length.
    fn warm(&mut self, bench: &mut Bench) {
        if self.keyed.len() > 1 {
            for _ in 0..self.keyed.len().div_ceil(self.places.len().max(1)) {
                self.prepare(bench);
                self.run(bench, self.places.len() as u64);
            }
        }
    }

    fn prepare(&mut self, bench: &mut Bench) {
        if self.op == Op::Open {
            let (mut nonce, mut next) = (self.nonce.clone(), self.next);
            let mut tail = 0;
            for (&(at, bytes), &end) in self.places.iter().zip(&self.ends) {
                self.keyed[next].seal(nonce.bump(), b"", bench.at(at, bytes), &mut self.tails[tail..end]);
                (tail, next) = (end, behind(next, self.keyed.len()));
            }
        }
    }

    fn run(&mut self, bench: &mut Bench, messages: u64) {
        debug_assert_eq!(Some(messages), self.burst());
        let Mix { keyed, next, op, nonce, places, tails, ends, faults } = self;
        let mut tail = 0;
        for (&(at, bytes), &end) in places.iter().zip(&*ends) {
            let (buf, its) = (black_box(bench.at(at, bytes)), &mut tails[tail..end]);
            let one = &mut keyed[*next];
            if *op == Op::Seal {
                one.seal_next(nonce, black_box(b""), buf, black_box(its));
            } else {
                let good = one.open(nonce.bump(), black_box(b""), buf, its);
                *faults += u64::from(!black_box(good));
            }
            (tail, *next) = (end, behind(*next, keyed.len()));
        }
    }

    fn faults(&self) -> u64 {
        self.faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_do_not_overlap() {
        let lengths = [100, 1, 64, 0, 3000];
        assert_eq!(places(&lengths), [(0, 100), (128, 1), (192, 64), (256, 0), (320, 3000)]);
        assert_eq!(room(&lengths), 3320);
        assert_eq!(room(&[]), 0);
    }
}
