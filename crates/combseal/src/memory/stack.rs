//! Zeroing the stack below a call: where values made of keys were moved from and spilled to,
//! which no name reaches any more.

use zeroize::optimization_barrier;

/// Zeroes `N` bytes of the stack below the caller's frame: where what it called before had its
/// frames.
#[inline(never)]
pub fn clear_stack<const N: usize>() {
    let cleared = [0u8; N];
    optimization_barrier(&cleared);
}

/// `then` in frames of its own, and the first `N` bytes of them zeroed after it.
///
/// A value that is moved leaves a copy behind, and a register that is spilled too. A structure
/// that is made on the stack later takes what stood there along, in the bytes between its
/// fields: to the heap, if it goes there (those of channels and of rayon's pools have hundreds
/// of such bytes).
#[cfg(feature = "stream")]
pub(crate) fn apart<const N: usize, R>(then: impl FnOnce() -> R) -> R {
    #[inline(never)]
    fn frame<R>(then: impl FnOnce() -> R) -> R {
        then()
    }
    let out = frame(then);
    clear_stack::<N>();
    out
}

/// Bytes below what makes keys, which are moved several times.
#[cfg(feature = "stream")]
pub(crate) const KEYS: usize = 32 << 10;

/// Bytes below a message's kernel, which spills registers.
#[cfg(feature = "stream")]
pub(crate) const KERNEL: usize = 4 << 10;
