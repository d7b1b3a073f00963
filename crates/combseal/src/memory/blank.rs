//! Keys are built in zeroed memory, field by field, and zeroed to the last byte when
//! they are dropped, padding included: no byte of a key comes from the stack that it
//! was built on, and none stays behind in the place where it was dropped. (What a move
//! leaves behind elsewhere, that of a constructor's result among them, nobody wipes.)
#![allow(unsafe_code)]

use core::mem::{ManuallyDrop, MaybeUninit};
use zeroize::optimization_barrier;

/// A type that may begin as zeros: what keys consist of.
///
/// # Safety
/// All-zero bytes are a value of the type, and such a value may be dropped.
pub unsafe trait Blank: Sized {}

// SAFETY: of numbers and arrays of them, all bytes are values.
unsafe impl Blank for u8 {}
// SAFETY: as above.
unsafe impl Blank for u32 {}
// SAFETY: as above.
unsafe impl<const N: usize> Blank for [u8; N] {}
// SAFETY: as above.
unsafe impl<const N: usize> Blank for [[u8; 16]; N] {}
/// A value made of zeros and filled in by `fill`, where it is.
#[inline(always)]
pub fn filled<T: Blank>(fill: impl FnOnce(&mut T)) -> T {
    let mut it = MaybeUninit::<T>::zeroed();
    // SAFETY: `T` is `Blank`: zeros are a value.
    fill(unsafe { it.assume_init_mut() });
    // SAFETY: as above, and what `fill` did left a value.
    unsafe { it.assume_init() }
}

/// Zeroes every byte of `it`, padding too; the compiler may not leave it out.
#[inline(always)]
pub fn erase<T: Blank>(it: &mut T) {
    // SAFETY: `it` is valid for writes, and `T` is `Blank`: zeros are a value.
    unsafe { core::ptr::write_bytes(it, 0, 1) };
    optimization_barrier(it);
}

/// Memory for a value of any of several types, which is zero where the value is not; and
/// a byte at its end that tells which type it is.
///
/// Bytes, not a union or an enum, so that a move copies all of them, padding too. The last
/// byte may lie in the value's own padding behind its last field, and often does: it must
/// not make a key a cache line longer.
#[repr(C, align(64))]
pub(crate) struct Room<const N: usize>([MaybeUninit<u8>; N]);

// SAFETY: any bytes are a value of `MaybeUninit<u8>`, and dropping them does nothing.
unsafe impl<const N: usize> Blank for Room<N> {}

impl<const N: usize> Room<N> {
    /// Makes a value that is zero, and has it filled in by `fill`, which must not replace
    /// it as a whole; its fields end before byte `end`. Then `mark` stands behind it.
    #[inline(always)]
    pub(crate) fn begin<T: Blank>(&mut self, end: usize, mark: u8, fill: impl FnOnce(&mut T)) {
        const { assert!(size_of::<T>() <= N && align_of::<T>() <= 64) };
        assert!(end < N);
        self.0.fill(MaybeUninit::zeroed());
        // SAFETY: the room is large and aligned enough, all of it is zero, and zeros are
        // a value of `T`, which is `Blank`.
        fill(unsafe { &mut *self.0.as_mut_ptr().cast::<T>() });
        self.0[N - 1] = MaybeUninit::new(mark);
    }

    /// The byte that `begin` put at the end; zero before.
    #[inline(always)]
    pub(crate) fn mark(&self) -> u8 {
        // SAFETY: rooms begin as zeros (`filled`), and `begin` writes this byte.
        unsafe { self.0[N - 1].assume_init() }
    }

    /// The value.
    ///
    /// # Safety
    /// It was made by [`begin`](Self::begin), as a `T`.
    #[inline(always)]
    pub(crate) unsafe fn get<T: Blank>(&self) -> &T {
        const { assert!(size_of::<T>() <= N && align_of::<T>() <= 64) };
        // SAFETY: `begin` made a `T` of these bytes, as the caller says. If the mark is
        // among them, it is in the padding, which may hold anything.
        unsafe { &*self.0.as_ptr().cast::<T>() }
    }

    /// The value, whose fields may be changed; as a whole it must not be.
    ///
    /// # Safety
    /// As [`get`](Self::get).
    #[inline(always)]
    pub(crate) unsafe fn get_mut<T: Blank>(&mut self) -> &mut T {
        const { assert!(size_of::<T>() <= N && align_of::<T>() <= 64) };
        // SAFETY: as in `get`.
        unsafe { &mut *self.0.as_mut_ptr().cast::<T>() }
    }
}

/// A value whose memory is zero once it is dropped, padding too: for what holds a key
/// and things besides that cannot begin as zeros.
pub(crate) struct Erased<T>(ManuallyDrop<T>);

impl<T> Erased<T> {
    #[inline(always)]
    pub(crate) fn new(it: T) -> Self {
        Self(ManuallyDrop::new(it))
    }
}

impl<T> Drop for Erased<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: dropped here and nowhere else; nothing reads it afterwards but as bytes.
        unsafe { ManuallyDrop::drop(&mut self.0) };
        // SAFETY: `self.0` is valid for writes, and from here on no more than memory.
        unsafe { core::ptr::write_bytes(&mut self.0, 0, 1) };
        optimization_barrier(&self.0);
    }
}

impl<T> core::ops::Deref for Erased<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> core::ops::DerefMut for Erased<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Declares that a type may begin as zeros. All fields are named, so that each is known
/// to be [`Blank`].
#[doc(hidden)]
#[macro_export]
macro_rules! blank {
    (@ $name:ident [$($generics:tt)*] [$($args:tt)*] $($field:ident),+) => {
        // SAFETY: every field is `Blank`, as the function below proves; and if the type has
        // a `drop`, it is `secret`'s, which only writes zeros.
        #[allow(unsafe_code)]
        unsafe impl $($generics)* $crate::memory::blank::Blank for $name $($args)* {}

        const _: () = {
            #[allow(dead_code)]
            fn every_field_is_blank $($generics)* (it: &$name $($args)*) {
                fn blank<T: $crate::memory::blank::Blank>(_: &T) {}
                let $name { $($field),+ } = it;
                $(blank($field);)+
            }
        };
    };
    ($name:ident { $($field:ident),+ }) => {
        $crate::memory::blank::blank!(@ $name [] [] $($field),+);
    };
}
pub use blank;

/// Nothing, at a multiple of 16 bytes: in a struct of C's order the next field begins there.
#[repr(C, align(16))]
pub(crate) struct At16 {
    none: [u8; 0],
}
blank!(At16 { none });

/// The same at a multiple of 64, where a cache line begins.
#[repr(C, align(64))]
pub(crate) struct At64 {
    none: [u8; 0],
}
blank!(At64 { none });

/// What every key type has besides its scheme: it may begin as zeros, its `Debug` shows
/// nothing of the key, and its `Drop` erases it.
#[doc(hidden)]
#[macro_export]
macro_rules! secret {
    (@ $name:ident [$($generics:tt)*] [$($args:tt)*] $($field:ident),+) => {
        $crate::memory::blank::blank!(@ $name [$($generics)*] [$($args)*] $($field),+);

        impl $($generics)* Drop for $name $($args)* {
            #[inline]
            fn drop(&mut self) {
                $crate::memory::blank::erase(self);
            }
        }
    };
    ($name:ident<$a:ident: $aes:ident> { $($field:ident),+ }) => {
        $crate::memory::blank::secret!(@ $name [<$a: $aes>] [<$a>] $($field),+);
        impl<$a: $aes> core::fmt::Debug for $name<$a> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).field("aes", &$a::NAME).finish_non_exhaustive()
            }
        }
    };
    ($name:ident { $($field:ident),+ }) => {
        $crate::memory::blank::secret!(@ $name [] [] $($field),+);
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    };
}
pub use secret;

/// What the tests of this crate look at places with.
#[cfg(test)]
pub(crate) mod places {
    use core::mem::MaybeUninit;

    /// The bytes of the place where a value is, and those that are there once it has been
    /// dropped; what it holds on the heap is not among them.
    pub(crate) fn before_and_after<T>(it: T) -> [alloc::vec::Vec<u8>; 2] {
        let mut place = MaybeUninit::<T>::zeroed();
        let place = place.write(it) as *mut T;
        // SAFETY: the place is good for reads of so many bytes; one that nothing was written
        // to is read as whatever stands there, which is what the volatile read is for.
        let bytes = || (0..size_of::<T>()).map(|i| unsafe { place.cast::<u8>().add(i).read_volatile() }).collect();
        let before = bytes();
        // SAFETY: the value was written above, is dropped here only, and only its bytes are
        // read from here on.
        unsafe { place.drop_in_place() };
        [before, bytes()]
    }
}
