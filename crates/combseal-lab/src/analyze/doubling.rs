//! The cost of doubling in GF(2^128), with the comb paper's four ways to ask for the top bit
//! (Bogdanov, Lauridsen and Tischhauser 2014, sect. 6.5, Listing 1.1 and the table beside it), and
//! with ours.
//!
//! The paper's figures spread from 5.6 to 16.7 cycles. The question itself costs less of that than
//! the jump that follows it: the bit is as good as random, so a processor mispredicts every second
//! jump. A compiler of today makes much the same code of all four questions. Therefore each is
//! measured twice: with a jump that the compiler may not remove, and without one.

use super::timer::{Cost, Timer};
use combseal::Cpu;
use combseal::cpu::{Backend, Block, Kernel};
use std::hint::black_box;

/// How the top bit is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// (i) Its byte is extracted and tested.
    Extract,
    /// (ii) All but it is masked off, and the register tested for zero.
    Test,
    /// (iii) The top bits of both halves are extracted, and its one tested.
    Mask,
    /// (iv) The half with it is compared with zero as a signed number.
    Compare,
    /// Not asked for: the signs of both halves, exchanged, carry and reduce.
    Spread,
    /// In general registers, by shifts and a carry.
    Scalar,
}

impl Way {
    /// The paper's four, and two more.
    pub const ALL: [Way; 6] = [Way::Extract, Way::Test, Way::Mask, Way::Compare, Way::Spread, Way::Scalar];

    /// In words, with the paper's number.
    pub fn name(self) -> &'static str {
        match self {
            Way::Extract => "(i) extract a byte",
            Way::Test => "(ii) test a register",
            Way::Mask => "(iii) mask of top bits",
            Way::Compare => "(iv) compare",
            Way::Spread => "signs spread, no question",
            Way::Scalar => "general registers",
        }
    }

    /// The paper's cycles on a Core i5-4300U (Haswell), where it has them.
    pub fn published(self) -> Option<f64> {
        match self {
            Way::Extract | Way::Test => Some(15.4),
            Way::Mask => Some(16.7),
            Way::Compare => Some(5.6),
            Way::Spread | Way::Scalar => None,
        }
    }

    /// Whether it asks for the bit, so that a jump can follow.
    fn asks(self) -> bool {
        !matches!(self, Way::Spread | Way::Scalar)
    }
}

/// One way.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which.
    pub way: Way,
    /// Cycles a doubling, each waiting for the one before, the bit made a mask.
    pub free: Cost,
    /// The same with a jump on the bit.
    pub jump: Option<Cost>,
}

/// Measures all ways, on the instructions of this machine's best tier.
pub fn measure(timer: &mut Timer) -> Vec<Row> {
    const TURNS: usize = 2048;
    let mut one = |way, jump| {
        let mut x = 0x0123_4567_89ab_cdef_8899_aabb_ccdd_eeff;
        timer.cost(TURNS, || x = double(way, jump, black_box(x), TURNS))
    };
    Way::ALL.map(|way| Row { way, free: one(way, false), jump: way.asks().then(|| one(way, true)) }).to_vec()
}

/// `x` doubled `turns` times.
fn double(way: Way, jump: bool, x: u128, turns: usize) -> u128 {
    let cpu = Cpu::detect();
    macro_rules! ask {
        ($top:expr) => {
            if jump {
                cpu.run(Asking::<_, true> { x, turns, top: $top })
            } else {
                cpu.run(Asking::<_, false> { x, turns, top: $top })
            }
        };
    }
    match way {
        Way::Extract => ask!(Extract),
        Way::Test => ask!(Test),
        Way::Mask => ask!(Mask),
        Way::Compare => ask!(Compare),
        Way::Spread => cpu.run(Spread { x, turns }),
        Way::Scalar => cpu.run(Scalar { x, turns }),
    }
}

/// A question for the top bit of a block.
trait Top: Copy {
    fn is_set<B: Backend>(self, b: B, v: B::V) -> bool;
}

#[derive(Clone, Copy)]
struct Extract;
#[derive(Clone, Copy)]
struct Test;
#[derive(Clone, Copy)]
struct Mask;
#[derive(Clone, Copy)]
struct Compare;

#[inline(always)]
fn number<B: Backend>(b: B, v: B::V) -> u128 {
    let mut bytes = [0; 16];
    b.store(&mut bytes, v);
    u128::from_le_bytes(bytes)
}

impl Top for Extract {
    #[inline(always)]
    fn is_set<B: Backend>(self, b: B, v: B::V) -> bool {
        (number(b, v) >> 120) as u8 & 0x80 != 0
    }
}

impl Top for Test {
    #[inline(always)]
    fn is_set<B: Backend>(self, b: B, v: B::V) -> bool {
        static TOP: Block = (1u128 << 127).to_le_bytes();
        number(b, b.and(v, b.splat(&TOP))) != 0
    }
}

impl Top for Mask {
    #[inline(always)]
    fn is_set<B: Backend>(self, b: B, v: B::V) -> bool {
        let tops = number(b, b.shr64(v, 63));
        (tops as u64 | (tops >> 64 << 1) as u64) & 2 != 0
    }
}

impl Top for Compare {
    #[inline(always)]
    fn is_set<B: Backend>(self, b: B, v: B::V) -> bool {
        ((number(b, v) >> 64) as i64) < 0
    }
}

/// The polynomial without x^128.
static POLYNOMIAL: Block = 135u128.to_le_bytes();
/// Ones in the high half.
static HIGH: Block = ((u64::MAX as u128) << 64).to_le_bytes();

/// The paper's listing, with a question in line 6.
struct Asking<T, const JUMP: bool> {
    x: u128,
    turns: usize,
    top: T,
}

impl<T: Top, const JUMP: bool> Kernel for Asking<T, JUMP> {
    type Out = u128;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> u128 {
        let b = b.one();
        let mut v = b.load(&self.x.to_le_bytes());
        for _ in 0..self.turns {
            let carry = b.and(b.swap(b.shr64(v, 63)), b.load(&HIGH));
            let shifted = b.xor(b.shl64(v, 1), carry);
            let top = self.top.is_set(b, v);
            v = if !JUMP {
                b.xor(shifted, b.load(&(0u128.wrapping_sub(top.into()) & 135).to_le_bytes()))
            } else if top {
                // The compiler cannot make a select of a jump over this.
                black_box(());
                b.xor(shifted, b.load(&POLYNOMIAL))
            } else {
                shifted
            };
        }
        number(b, v)
    }
}

/// The top bits of both halves change sides: one is the carry, and the other becomes the
/// polynomial by four shifts, with nothing to ask.
struct Spread {
    x: u128,
    turns: usize,
}

impl Kernel for Spread {
    type Out = u128;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, b: B) -> u128 {
        let b = b.one();
        let low = b.load(&(u64::MAX as u128).to_le_bytes());
        let mut v = b.load(&self.x.to_le_bytes());
        for _ in 0..self.turns {
            let bits = b.swap(b.shr64(v, 63));
            let more = b.xor(b.shl64(bits, 1), b.xor(b.shl64(bits, 2), b.shl64(bits, 7)));
            v = b.xor(b.xor(b.shl64(v, 1), bits), b.and(more, low));
        }
        number(b, v)
    }
}

struct Scalar {
    x: u128,
    turns: usize,
}

impl Kernel for Scalar {
    type Out = u128;
    #[inline(always)]
    fn run<B: Backend, const N: usize>(self, _: B) -> u128 {
        (0..self.turns).fold(self.x, |x, _| x << 1 ^ 0u128.wrapping_sub(x >> 127) & 135)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::gf2;

    #[test]
    fn every_way_doubles() {
        let mut x = 0x8123_4567_89ab_cdef_8899_aabb_ccdd_eeff;
        for _ in 0..300 {
            for (way, jump) in Way::ALL.into_iter().flat_map(|way| [(way, false), (way, true)]) {
                assert_eq!(double(way, jump, x, 1), gf2::mul(x, 2, 0x87), "{way:?} of {x:032x}");
                assert_eq!(double(way, jump, x, 5), gf2::mul(x, 32, 0x87), "{way:?}, five times");
            }
            x = gf2::mul(x, 0x0003_0000_0001, 0x87);
        }
    }
}
