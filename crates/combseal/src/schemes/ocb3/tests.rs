//! What is private of OCB3: the multiples of L, and what a cache leaves. All else is in `tests/schemes`.

use super::masks::{Masks, times_x};
use super::{theta::*, *};
use crate::cpu::{Aes128, Models};

/// What a key's masks give, as blocks.
struct Given<'a>(&'a Masks);
impl Kernel for Given<'_> {
    const MODELS: Models = Models::All;
    type Out = (Vec<Block>, Vec<Block>, Vec<Block>);
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> Self::Out {
        let one = b.one();
        let offset = (0..64).map(|i| one.block(b.split(self.0.distance(b, i))[B::BLOCKS - 1])).collect();
        let register = |v| b.split(v).into_iter().take(B::BLOCKS).map(|v| one.block(v));
        // Every lane of each, one after the other.
        let l = (3..60).flat_map(|i| register(self.0.l(b, i))).collect();
        let offsets = self.0.distances::<B, 8>(b).into_iter().flat_map(register).collect();
        (l, offset, offsets)
    }
}

#[test]
fn multiples_of_l() {
    let ocb = Ocb3::<Aes128>::build(Cpu::soft(), &[1; 16], 16).unwrap();
    let star = u128::from_be_bytes(*ocb.key.masks.star());
    assert_eq!(times_x(star, 1).to_be_bytes(), *ocb.key.masks.dollar());
    let number = |i| times_x(star, i + 2).to_be_bytes();
    for i in 0..60 {
        assert_eq!(ocb.key.masks.number(i), number(i), "{i}");
    }
    for cpu in Cpu::every() {
        let (l, distance, distances) = cpu.run(Given(&ocb.key.masks));
        let lanes = l.len() / 57;
        assert!(lanes > 0 && l.chunks(lanes).zip(3..).all(|(l, i)| l.iter().all(|l| *l == number(i))), "{cpu:?}");
        // RFC 7253, sect. 4.2: Offset_i = Offset_{i-1} xor L_{ntz(i)}.
        let mut expected = [0; 16];
        assert_eq!(distance[0], expected);
        for i in 1..64u32 {
            expected = crate::cpu::xor_block(&expected, &number(i.trailing_zeros()));
            assert_eq!(distance[i as usize], expected, "{cpu:?} {i}");
            if let Some(it) = distances.get(i as usize - 1) {
                assert_eq!(*it, expected, "{cpu:?} {i}");
            }
        }
    }
}

/// A cache has Ktop and the hash of the associated data, and leaves neither behind where it
/// was: by itself too, as a batch has it. Here on `soft`; a cache is dropped in the same way whatever tier filled it.
/// (`tests/memory` looks at those within senders and receivers, which are zeroed as a whole, on every tier.)
#[test]
fn a_cache_is_wiped() {
    use crate::hazmat::Ctr;
    use crate::memory::blank::places::before_and_after;
    let (key, nonce, ad) = ([1; 16], [9; 12], [3; 16]);
    // E(nonce block), its last six bits zero, and E(A ^ offset of block 1).
    let mut ktop = [0; 16];
    let mut top = [&[0, 0, 0, 1], &nonce[..]].concat();
    top[15] &= !63;
    Ctr::<Aes128>::new(&key).apply(top.as_slice().try_into().unwrap(), &mut ktop);
    let tw = Tw::<Aes128>::new(Cpu::detect(), &key, 16).unwrap();
    let hash = tw.encipher(Tweak::new(None, 1, false, false).unwrap(), ad);
    let both_ways = |mut it: Block| {
        let forwards = it;
        it.reverse();
        [forwards, it]
    };
    let ocb = Ocb3::<Aes128>::build(Cpu::soft(), &key, 16).unwrap();
    let mut cache = Cache::default();
    let io = InOut::in_place(&mut []);
    let _ = ocb.seal_raw(Some(&mut cache), &nonce, &ad, io, &mut [0; 16]);
    let [before, after] = before_and_after(cache);
    for secret in [ktop, hash] {
        // Halves, since they may stand in either order.
        let halves = both_ways(secret).map(|it| it.as_chunks::<8>().0.to_vec()).concat();
        let has = |bytes: &[u8]| bytes.windows(8).any(|piece| halves.iter().any(|half| half == piece));
        assert!(has(&before) && !has(&after));
    }
}
