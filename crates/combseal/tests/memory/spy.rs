//! An allocator that looks for secrets in what goes back to it, and has no memory for one size.

use crate::place::Faults;
use crate::secrets::{Secrets, bytes_at, find};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};

/// The tests' allocator: the system's, but that every block is searched before it goes back.
struct Spy;

#[global_allocator]
static SPY: Spy = Spy;

/// Of so many bytes there is never a block. (Nothing of these tests has as many by chance.)
pub const NEVER: usize = 54_321;

/// Whether blocks are searched.
static ARMED: AtomicBool = AtomicBool::new(false);
/// What for, as in [`Secrets`]; fixed, since the spy must not allocate.
static WANTED: [AtomicU64; 8192] = [const { AtomicU64::new(0) }; 8192];
static COUNT: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// Whether this thread is the one that armed the spy: the others' large blocks are none of what is tested.
    static MINE: Cell<bool> = const { Cell::new(false) };
    /// How many blocks this thread has asked for.
    static ASKED: Cell<usize> = const { Cell::new(0) };
}
/// Blocks of at least so many bytes must be zero to the last one when that thread gives them back; how many did, and
/// how many of them were not zero.
static LARGE: AtomicUsize = AtomicUsize::new(usize::MAX);
static LARGE_SEEN: AtomicUsize = AtomicUsize::new(0);
static NOT_ZERO: AtomicUsize = AtomicUsize::new(0);
/// Blocks that were searched, those that had something in them, and the last such one's size
/// and where in it that was.
static SEEN: AtomicUsize = AtomicUsize::new(0);
static FOUND: AtomicUsize = AtomicUsize::new(0);
static LAST: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

// SAFETY: the system's allocator does it all.
unsafe impl GlobalAlloc for Spy {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
        if layout.size() == NEVER {
            return core::ptr::null_mut();
        }
        // Zeroed, as what others left there, these tests' own copies of keys too, would be taken
        // for what the library leaves.
        // SAFETY: what the caller promises is what the system's allocator wants.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if ARMED.load(SeqCst) {
            let wanted = &WANTED[..COUNT.load(SeqCst)];
            let secret = |piece| wanted.binary_search_by(|it| it.load(SeqCst).cmp(&piece)).is_ok();
            SEEN.fetch_add(1, SeqCst);
            // SAFETY: the block has that size, and is the caller's until the end of this call.
            if let Some(at) = find(unsafe { bytes_at(block, layout.size()) }, secret) {
                FOUND.fetch_add(1, SeqCst);
                LAST[0].store(layout.size(), SeqCst);
                LAST[1].store(at, SeqCst);
            }
            if layout.size() >= LARGE.load(SeqCst) && MINE.try_with(Cell::get).unwrap_or(false) {
                LARGE_SEEN.fetch_add(1, SeqCst);
                // SAFETY: as above.
                let left = unsafe { bytes_at(block, layout.size()) }.any(|byte| byte != 0);
                NOT_ZERO.fetch_add(usize::from(left), SeqCst);
            }
        }
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(block, layout) }
    }

    // `realloc` is the trait's own, which allocates, copies and gives the old block back, so
    // that a block that moves is seen too.
}

/// How many blocks this thread asks for in `work`.
pub fn asked_for(work: impl FnOnce()) -> usize {
    let before = ASKED.get();
    work();
    ASKED.get() - before
}

/// While it lives, the blocks that any thread gives back are searched.
pub struct Armed(#[allow(dead_code)] MutexGuard<'static, ()>);

impl Armed {
    pub fn new(secrets: &Secrets) -> Self {
        // One test at a time; each has secrets of its own, so that the others' do not matter.
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(|e| e.into_inner());
        for (wanted, &piece) in WANTED.iter().zip(&secrets.0) {
            wanted.store(piece, SeqCst);
        }
        assert!(secrets.0.len() <= WANTED.len());
        COUNT.store(secrets.0.len(), SeqCst);
        SEEN.store(0, SeqCst);
        FOUND.store(0, SeqCst);
        LARGE.store(usize::MAX, SeqCst);
        ARMED.store(true, SeqCst);
        Self(turn)
    }

    /// Blocks of at least `bytes` must be zero besides, when this thread gives them back.
    pub fn zero_from(self, bytes: usize) -> Self {
        LARGE_SEEN.store(0, SeqCst);
        NOT_ZERO.store(0, SeqCst);
        LARGE.store(bytes, SeqCst);
        MINE.set(true);
        self
    }

    /// How many such blocks there were since [`zero_from`](Self::zero_from), and how many of them were not zero.
    pub fn large(&self) -> [usize; 2] {
        [LARGE_SEEN.load(SeqCst), NOT_ZERO.load(SeqCst)]
    }

    /// Says what was found; nothing more is looked at.
    pub fn end(self, faults: &mut Faults, what: &str) {
        ARMED.store(false, SeqCst);
        MINE.set(false);
        assert!(SEEN.load(SeqCst) > 0, "{what}: nothing was given back");
        if FOUND.load(SeqCst) > 0 {
            let [size, at] = [&LAST[0], &LAST[1]].map(|it| it.load(SeqCst));
            faults.add("secrets in memory given back", format!("{what}: at {at} of {size} bytes"));
        }
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        ARMED.store(false, SeqCst);
        LARGE.store(usize::MAX, SeqCst);
    }
}
