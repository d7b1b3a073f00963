use super::{Buffers, room};
use crate::measure::{Bench, Width};
use crate::subjects::{Candidate, Implementation, Op, Scheme, Tag};

/// A toy that keeps count of what it is asked: XOR with the nonce's last byte.
struct Toy;

impl Candidate for Toy {
    fn seal(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8]) -> Tag {
        buf.iter_mut().for_each(|b| *b ^= nonce[11]);
        [nonce[11]; 16]
    }
    fn open(&mut self, nonce: &[u8], _ad: &[u8], buf: &mut [u8], tag: &Tag) -> bool {
        buf.iter_mut().for_each(|b| *b ^= nonce[11]);
        *tag == [nonce[11]; 16]
    }
}

fn toy() -> Implementation {
    Implementation::new(Scheme::of("gcm"), 128, "toy", Width::W128, |_| Toy)
}

#[test]
fn every_loop_runs_and_open_finds_what_prepare_sealed() {
    for bytes in [0, 1, 64, 100, 1500, 16384, 20000] {
        let mut bench = Bench::new(bytes);
        for buffers in [Buffers::One, Buffers::Ring] {
            for op in Op::ALL.into_iter().filter(|op| op.applies_to(Scheme::of("gcm"))) {
                let mut work = toy().work(op, bytes, buffers);
                let burst = work.burst().unwrap_or(300);
                for _ in 0..3 {
                    work.prepare(&mut bench);
                    work.run(&mut bench, burst);
                }
                // The toy's one-byte tags collide with the forged one once in 256.
                let allowed = if op == Op::Reject { 4 } else { 0 };
                assert!(work.faults() <= allowed, "{op:?} {bytes}: {}", work.faults());
            }
        }
    }
}

#[test]
fn data_and_mixes_and_keys() {
    let mut bench = Bench::new(room(&[40, 1500, 0, 100]));
    let mut all = toy().keys(&[1, 8], 100);
    // The list of four messages goes round until each of ten keys had its turn.
    all.push(toy().work_on_mix_under(10, &[40, 1500, 0, 100]));
    all.push(toy().keys_in_turn(10, 100));
    assert_eq!((all[2].burst(), all[3].burst()), (Some(12), Some(10)));
    for op in [Op::Seal, Op::Open] {
        all.push(toy().work_with_data(op, 100, 20));
        all.push(toy().work_on_mix(op, &[40, 1500, 0, 100]));
        all.push(toy().work(op, 100, Buffers::Single));
    }
    for work in &mut all {
        for _ in 0..3 {
            work.prepare(&mut bench);
            work.run(&mut bench, work.burst().unwrap_or(300));
        }
        assert_eq!(work.faults(), 0);
    }
    assert_eq!(all.len(), 10);
}

#[test]
fn opening_without_sealing_first_is_noticed() {
    let mut bench = Bench::new(64);
    let mut work = toy().work(Op::Open, 64, Buffers::Ring);
    work.run(&mut bench, work.burst().unwrap());
    assert!(work.faults() > 0);
}
