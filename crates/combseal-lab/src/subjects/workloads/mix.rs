//! Messages of many lengths, one after the other, as in real traffic, where nobody can learn the
//! length of the next. A burst is the whole list, so that all samples are of the same messages.

use crate::measure::{Bench, Work};
use crate::subjects::candidate::{CountingNonce, Keyed};
use crate::subjects::op::Op;
use std::hint::black_box;

struct Mix {
    keyed: Box<dyn Keyed>,
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

/// The loop of sealing or opening messages of `lengths`, each in a place of its own: opening in
/// place wants that, and sealing has the same so that both can be compared. The messages come from
/// the L2 cache as a rule, as they do in a batch.
pub(crate) fn mix(keyed: Box<dyn Keyed>, op: Op, lengths: &[usize]) -> Box<dyn Work> {
    assert!(matches!(op, Op::Seal | Op::Open), "messages are sealed or opened");
    let nonce = CountingNonce::new(keyed.nonce_len(), 1);
    let places = places(lengths);
    let mut end = 0;
    let ends = lengths.iter().map(|&bytes| {
        end += keyed.tail_len(bytes);
        end
    });
    let ends: Vec<usize> = ends.collect();
    Box::new(Mix { keyed, op, nonce, places, tails: vec![0; end], ends, faults: 0 })
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

    fn prepare(&mut self, bench: &mut Bench) {
        if self.op == Op::Open {
            let mut nonce = self.nonce.clone();
            let mut tail = 0;
            for (&(at, bytes), &end) in self.places.iter().zip(&self.ends) {
                self.keyed.seal(nonce.bump(), b"", bench.at(at, bytes), &mut self.tails[tail..end]);
                tail = end;
            }
        }
    }

    fn run(&mut self, bench: &mut Bench, _messages: u64) {
        let Mix { keyed, op, nonce, places, tails, ends, faults } = self;
        let mut tail = 0;
        for (&(at, bytes), &end) in places.iter().zip(&*ends) {
            let (buf, its) = (black_box(bench.at(at, bytes)), &mut tails[tail..end]);
            if *op == Op::Seal {
                keyed.seal_next(nonce, black_box(b""), buf, black_box(its));
            } else {
                let good = keyed.open(nonce.bump(), black_box(b""), buf, its);
                *faults += u64::from(!black_box(good));
            }
            tail = end;
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
