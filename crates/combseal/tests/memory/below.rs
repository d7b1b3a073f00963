//! What a call leaves on the stack below it.

use core::hint::black_box;

/// Bytes that are looked at: more than anything here uses.
pub const WHOLE: usize = 64 << 10;
/// Bytes between the frame of who looks and those that are looked at, in which what looks has its
/// own frames.
const APART: usize = 4 << 10;
/// What stands there before.
const PAINT: u8 = 0xa5;

/// `f` so much further down.
#[inline(never)]
fn deeper(f: &mut dyn FnMut()) {
    let between = [0u8; APART];
    black_box(&between);
    f();
    black_box(&between);
}

#[inline(never)]
fn paint() {
    let all = [PAINT; WHOLE];
    black_box(&all);
}

/// What `f` leaves on the stack, from the lowest byte up.
#[inline(never)]
pub fn left_by(f: &mut dyn FnMut()) -> Vec<u8> {
    let mark = 0u8;
    let mut left = vec![0; WHOLE];
    deeper(&mut paint);
    deeper(f);
    let end = black_box(&raw const mark).expose_provenance() - APART;
    for (i, to) in left.iter_mut().enumerate() {
        // SAFETY: the stack of this thread, which `paint` has used further down. Nothing is
        // there that is in use; the volatile read is for whatever stands there.
        *to = unsafe { core::ptr::with_exposed_provenance::<u8>(end - WHOLE + i).read_volatile() };
    }
    left
}

/// A function that wipes nothing.
#[inline(never)]
pub fn careless(secret: &[u8; 64]) {
    let copy = *secret;
    black_box(&copy);
}

/// What `f` returns, computed on a thread whose stack is painted over before it ends: stacks are
/// used again by threads that come after, and with them what stood there.
pub fn elsewhere<R: Send + 'static>(f: impl FnOnce() -> R + Send + 'static) -> R {
    #[inline(never)]
    fn frame<R>(f: impl FnOnce() -> R) -> R {
        f()
    }
    let thread = std::thread::spawn(|| {
        let out = frame(f);
        paint();
        out
    });
    thread.join().unwrap()
}
