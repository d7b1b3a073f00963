//! Memory that is used again for other borrowers: a batch's, from one run to the next.
#![allow(unsafe_code)]

use alloc::{boxed::Box, vec::Vec};

/// Things that borrow messages, and what is kept when the messages have gone: in one box,
/// so that both move as one word.
#[repr(C)]
pub(crate) struct Lent<L, K> {
    pub lent: L,
    pub kept: K,
}

/// The same box for other borrowers, of the same size: `change` makes them of the old ones.
#[inline(always)]
pub(crate) fn relend<L, N, K>(it: Box<Lent<L, K>>, change: impl FnOnce(L) -> N) -> Box<Lent<N, K>> {
    const { assert!(size_of::<L>() == size_of::<N>() && align_of::<L>() == align_of::<N>()) };
    let at = Box::into_raw(it);
    // SAFETY: the place is a box's own; what is read here is written over below. (If `change`
    // panics, the box is not freed: that is all.)
    let lent = change(unsafe { (&raw const (*at).lent).read() });
    let at = at.cast::<Lent<N, K>>();
    // SAFETY: both forms of the box have one layout, as the fields are in order (`repr(C)`)
    // and the first ones have the same size and alignment; the other is as it was.
    unsafe {
        (&raw mut (*at).lent).write(lent);
        Box::from_raw(at)
    }
}

/// An empty vector's memory, for values of the same form that borrow something else.
#[inline(always)]
pub(crate) fn emptied<T, U>(mut v: Vec<T>) -> Vec<U> {
    const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) };
    v.clear();
    let mut v = core::mem::ManuallyDrop::new(v);
    let (first, room) = (v.as_mut_ptr().cast(), v.capacity());
    // SAFETY: the allocation is given up by `v`, which is not dropped; it was made for
    // as many values of that size and alignment, and none of it is taken for a value.
    unsafe { Vec::from_raw_parts(first, 0, room) }
}
