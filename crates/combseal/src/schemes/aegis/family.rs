//! The members of the AEGIS family: which form of the state each has, for one message and for
//! several side by side; and what both ways take of a message besides.

use super::state::State;
use super::state128::State128;
use super::state128l::State128L;
use super::state256::State256;
#[cfg(feature = "alloc")]
use crate::cpu::Cpu;
use crate::cpu::{Backend, Block};

/// A member of the family: says on which form of a backend its state lives.
pub(super) trait Family<const K: usize>: 'static {
    /// Of one message.
    fn run<B: Backend, T: Task<K>>(b: B, task: T) -> T::Out;

    /// Whether there is something to be gained by [`many`](Self::many).
    #[cfg(feature = "alloc")]
    const TOGETHER: bool = false;

    /// Whether on this tier.
    #[cfg(feature = "alloc")]
    fn together(_: Cpu) -> bool {
        false
    }

    /// Of several, a lane each.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn many<B: Backend, T: Task<K>>(_: B, _: T) -> T::Out {
        unreachable!("messages side by side, of a scheme whose states already are")
    }
}

/// What is to be done, once the family has said with which state.
pub(super) trait Task<const K: usize> {
    type Out;
    fn run<B: Backend, S: State<B, K, R, W>, const R: usize, const W: usize>(self, b: B) -> Self::Out;
}

/// AEGIS-128, which has one block a word.
pub(super) struct Short;
impl Family<1> for Short {
    #[inline(always)]
    fn run<B: Backend, T: Task<1>>(b: B, task: T) -> T::Out {
        task.run::<_, State128<_, 1>, 1, 1>(b.one())
    }

    #[cfg(feature = "alloc")]
    const TOGETHER: bool = true;

    /// With registers of one block, two states fit into 32 of them, not into 16.
    #[cfg(feature = "alloc")]
    fn together(cpu: Cpu) -> bool {
        !cpu.is_wide_soft() && (cpu.blocks() > 1 || cpu.is_roomy())
    }

    /// Two registers, as the five rounds of one leave half of the AES unit idle.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn many<B: Backend, T: Task<1>>(b: B, task: T) -> T::Out {
        task.run::<_, State128<_, 2>, 2, 2>(b)
    }
}

/// AEGIS-128L and 128X: `D` states side by side, `D / BLOCKS` registers a word.
pub(super) struct Long<const D: usize>;
impl<const D: usize> Family<1> for Long<D> {
    #[inline(always)]
    fn run<B: Backend, T: Task<1>>(b: B, task: T) -> T::Out {
        match (D, B::Two::BLOCKS, B::BLOCKS) {
            (1, _, _) => task.run::<_, State128L<_, 1, 1>, 1, 2>(b.one()),
            (2, 2, _) => task.run::<_, State128L<_, 2, 1>, 1, 2>(b.two()),
            (2, _, _) => task.run::<_, State128L<_, 2, 2>, 2, 4>(b.two()),
            (_, _, 4) => task.run::<_, State128L<_, 4, 1>, 1, 2>(b),
            (_, _, 2) => task.run::<_, State128L<_, 4, 2>, 2, 4>(b),
            _ => task.run::<_, State128L<_, 4, 4>, 4, 8>(b),
        }
    }

    #[cfg(feature = "alloc")]
    const TOGETHER: bool = D == 1;

    /// One message alone keeps the AES unit busy, if its registers have one block.
    #[cfg(feature = "alloc")]
    fn together(cpu: Cpu) -> bool {
        D == 1 && !cpu.is_wide_soft() && cpu.blocks() > 1
    }

    /// One register: the eight rounds of a state fill the AES unit.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn many<B: Backend, T: Task<1>>(b: B, task: T) -> T::Out {
        task.run::<_, State128L<_, 1, 1>, 1, 2>(b)
    }
}

/// AEGIS-256 and 256X: `D` states side by side, `D / BLOCKS` registers a word.
pub(super) struct Wide<const D: usize>;
impl<const D: usize> Family<2> for Wide<D> {
    #[inline(always)]
    fn run<B: Backend, T: Task<2>>(b: B, task: T) -> T::Out {
        match (D, B::Two::BLOCKS, B::BLOCKS) {
            (1, _, _) => task.run::<_, State256<_, 1, 1>, 1, 1>(b.one()),
            (2, 2, _) => task.run::<_, State256<_, 2, 1>, 1, 1>(b.two()),
            (2, _, _) => task.run::<_, State256<_, 2, 2>, 2, 2>(b.two()),
            (_, _, 4) => task.run::<_, State256<_, 4, 1>, 1, 1>(b),
            (_, _, 2) => task.run::<_, State256<_, 4, 2>, 2, 2>(b),
            _ => task.run::<_, State256<_, 4, 4>, 4, 4>(b),
        }
    }

    #[cfg(feature = "alloc")]
    const TOGETHER: bool = D == 1;

    #[cfg(feature = "alloc")]
    fn together(cpu: Cpu) -> bool {
        D == 1 && !cpu.is_wide_soft() && (cpu.blocks() > 1 || cpu.is_roomy())
    }

    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn many<B: Backend, T: Task<2>>(b: B, task: T) -> T::Out {
        task.run::<_, State256<_, 1, 2>, 2, 2>(b)
    }
}

/// le64(bits of A) || le64(bits of M).
#[inline(always)]
pub(super) fn lengths(ad_len: usize, len: usize) -> Block {
    ((ad_len as u128 * 8) | (len as u128 * 8) << 64).to_le_bytes()
}

/// The nonce as blocks; its length has been checked.
#[inline(always)]
pub(super) fn blocks<const K: usize>(nonce: &[u8]) -> &[Block; K] {
    match nonce.as_chunks().0.try_into() {
        Ok(blocks) => blocks,
        Err(_) => unreachable!("a nonce of a length that `check` refuses"),
    }
}
