use super::{Buffers, room};
use crate::measure::{Bench, Width};
use crate::subjects::{Candidate, Implementation, Op, Scheme, Tag};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

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
    all.push(toy().work_on_mix_under(10, &[40, 1500, 0, 100]));
    all.push(toy().keys_in_turn(10, 100));
    assert_eq!((all[2].burst(), all[3].burst()), (Some(4), None));
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

/// Keys that take turns go on where they were, from sample to sample, however short these are: a key comes again after
/// all others. Before a sample each has its turn.
#[test]
fn keys_go_on_where_they_were() {
    /// Says which one it is.
    struct Told(u8, Rc<RefCell<Vec<u8>>>);
    impl Candidate for Told {
        fn seal(&mut self, _nonce: &[u8], _ad: &[u8], _buf: &mut [u8]) -> Tag {
            self.1.borrow_mut().push(self.0);
            [0; 16]
        }
        fn open(&mut self, _nonce: &[u8], _ad: &[u8], _buf: &mut [u8], _tag: &Tag) -> bool {
            true
        }
    }
    let (heard, made) = (Rc::new(RefCell::new(Vec::new())), Rc::new(Cell::new(0)));
    let told = {
        let (heard, made) = (Rc::clone(&heard), Rc::clone(&made));
        move |_: &[u8]| Told(made.replace(made.get() + 1), Rc::clone(&heard))
    };
    let told = Implementation::new(Scheme::of("gcm"), 128, "told", Width::W128, told);
    let mut bench = Bench::new(room(&[40, 1500, 0, 100]));
    for mixed in [false, true] {
        made.set(0);
        let mut work =
            if mixed { told.work_on_mix_under(10, &[40, 1500, 0, 100]) } else { told.keys_in_turn(10, 2048) };
        heard.take();
        work.warm(&mut bench);
        let warm = heard.borrow().len();
        assert!((10..14).contains(&warm), "each key once, and as few more as may be: {warm}");
        for _ in 0..5 {
            work.run(&mut bench, 4);
        }
        let turns = heard.take();
        assert_eq!(turns.len(), warm + 20);
        assert!(turns.iter().enumerate().all(|(i, &key)| usize::from(key) == i % 10), "{turns:?}");
    }
}

#[test]
fn opening_without_sealing_first_is_noticed() {
    let mut bench = Bench::new(64);
    let mut work = toy().work(Op::Open, 64, Buffers::Ring);
    work.run(&mut bench, work.burst().unwrap());
    assert!(work.faults() > 0);
}
