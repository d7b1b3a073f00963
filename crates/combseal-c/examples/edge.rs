//! What the edge costs: one message sealed or opened by the library's own functions, and the same one
//! through `combseal.h` and `ae.h`.
//!
//!     cargo run --profile c -p combseal-c --no-default-features --features combseal/gcm --example edge
//!
//! All take turns in one program, in the same places in memory, of which there are several: what lies where
//! can cost a message more than the edge does.
#![allow(unsafe_code)] // C's functions.

use combseal::{Aead, Aes128, Algorithm, Cached, Cpu, Key, NonceCounter, Ocb3, Opener, Sealer};
use combseal_ae as _;
use combseal_c as _;
use core::ffi::{c_char, c_int, c_void};
use core::ptr::{null, null_mut};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

type Bytes = *const u8;

unsafe extern "C" {
    fn combseal_key_new(out: *mut *mut Opaque, algorithm: *const c_char, key: Bytes, len: usize) -> c_int;
    fn combseal_key_free(key: *mut Opaque);
    fn combseal_sealer_new(out: *mut *mut Opaque, key: *const Opaque, prefix: Bytes, len: usize) -> c_int;
    fn combseal_sealer_free(sealer: *mut Opaque);
    fn combseal_opener_new(out: *mut *mut Opaque, key: *const Opaque, form: c_int, base: Bytes, len: usize) -> c_int;
    fn combseal_opener_free(opener: *mut Opaque);
    fn combseal_seal(
        key: *const Opaque,
        nonce: Bytes,
        nonce_len: usize,
        ad: Bytes,
        ad_len: usize,
        input: Bytes,
        len: usize,
        output: *mut u8,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int;
    fn combseal_open(
        key: *const Opaque,
        nonce: Bytes,
        nonce_len: usize,
        ad: Bytes,
        ad_len: usize,
        input: Bytes,
        len: usize,
        output: *mut u8,
        tag: Bytes,
        tag_len: usize,
    ) -> c_int;
    fn combseal_sealer_seal(
        sealer: *mut Opaque,
        ad: Bytes,
        ad_len: usize,
        input: Bytes,
        len: usize,
        output: *mut u8,
        tag: *mut u8,
        tag_len: usize,
        nonce: *mut u8,
        nonce_len: usize,
    ) -> c_int;
    fn combseal_opener_open(
        opener: *mut Opaque,
        nonce: Bytes,
        nonce_len: usize,
        ad: Bytes,
        ad_len: usize,
        input: Bytes,
        len: usize,
        output: *mut u8,
        tag: Bytes,
        tag_len: usize,
    ) -> c_int;
    fn ae_allocate(misc: *mut c_void) -> *mut c_void;
    fn ae_free(ctx: *mut c_void);
    fn ae_init(ctx: *mut c_void, key: *const c_void, key_len: c_int, nonce_len: c_int, tag_len: c_int) -> c_int;
    fn ae_encrypt(
        ctx: *mut c_void,
        nonce: *const c_void,
        pt: *const c_void,
        pt_len: c_int,
        ad: *const c_void,
        ad_len: c_int,
        ct: *mut c_void,
        tag: *mut c_void,
        last: c_int,
    ) -> c_int;
}

/// Bytes in the key, which is the same for all.
const KEY: [u8; 16] = [7; 16];

/// Places in memory, and depths of the stack, at which each function is timed.
const PLACES: usize = 9;

/// How often each function has its turn in each place.
const TURNS: usize = 7;

/// A message's memory: where it is, where it is written to if not in place, and what goes with it.
struct Place<'a> {
    buf: &'a mut [u8],
    out: &'a mut [u8],
    tag: &'a mut [u8; 16],
    nonce: &'a mut [u8; 12],
}

impl<'a> Place<'a> {
    /// A message of `len` bytes in `memory`, on a boundary of cache lines, `lines` of them away from the first.
    fn new(memory: &'a mut [u8], len: usize, lines: usize) -> Self {
        let from = memory.as_ptr().align_offset(64) + 64 * lines;
        let (head, rest) = memory[from..].split_at_mut(64);
        let (nonce, tag) = head.split_at_mut(16);
        let (buf, out) = rest.split_at_mut(len.next_multiple_of(64));
        let (Some(nonce), Some(tag)) = (nonce.first_chunk_mut(), tag.first_chunk_mut()) else { unreachable!() };
        Self { buf: &mut buf[..len], out: &mut out[..len], tag, nonce }
    }

    /// The next nonce.
    #[inline(always)]
    fn count(&mut self, i: u32) {
        self.nonce[8..].copy_from_slice(&i.to_be_bytes());
    }

    /// Seals the message that is there, for who opens it again and again.
    fn sealed(&mut self, key: &Key) {
        key.seal_detached(self.nonce, &[], self.buf, self.tag).expect("lengths are right");
    }
}

/// Runs `run` with `depth` frames more of the stack in use.
#[inline(never)]
fn deeper(depth: usize, run: &mut dyn FnMut()) {
    let frame = black_box([0u8; 72]);
    if depth == 0 {
        run();
    } else {
        deeper(depth - 1, run);
    }
    black_box(&frame);
}

/// Times `calls` calls.
#[inline(always)]
fn timed(calls: u32, run: impl FnMut(u32)) -> Duration {
    let start = Instant::now();
    (0..calls).for_each(run);
    start.elapsed()
}

/// What is timed: so many calls, in a place.
type Run<'a> = &'a mut dyn FnMut(u32, &mut Place<'_>) -> Duration;

/// Nanoseconds a call over `len` bytes of each function: the least of its turns in each place, since the other
/// users of a machine slow a turn down and never speed one up, and of the places' the median.
fn nanoseconds<const N: usize>(len: usize, mut functions: [Run<'_>; N]) -> [f64; N] {
    let calls = (400_000 / (len as u32 + 500)).max(10);
    let mut memory = vec![1; 2 * len.next_multiple_of(64) + 64 * 66];
    let mut found = [[f64::INFINITY; PLACES]; N];
    for at in 0..PLACES {
        let mut place = Place::new(&mut memory, len, at * 23 % 64);
        deeper(at, &mut || {
            for _ in 0..TURNS {
                for (found, run) in found.iter_mut().zip(&mut functions) {
                    let took = run(calls, &mut place).as_nanos() as f64 / f64::from(calls);
                    found[at] = found[at].min(took);
                }
            }
        });
    }
    found.map(|mut it| {
        it.sort_by(f64::total_cmp);
        it[PLACES / 2]
    })
}

/// The same in a core's cycles: by a chain of multiplications, of three cycles each on every x86-64
/// of the last fifteen years, and of shifts and XORs of one.
fn cycles<const N: usize>(len: usize, functions: [Run<'_>; N]) -> [f64; N] {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15u64);
    let found = nanoseconds(len, functions);
    let [chain] = nanoseconds(
        0,
        [&mut |calls, _| {
            let took = timed(100 * calls, |_| {
                x = x.wrapping_mul(0xd129_42ad_59c3_1ac5);
                x ^= x >> 29;
            });
            black_box(x);
            took
        }],
    );
    found.map(|it| it / (chain / 500.0))
}

/// One scheme by the library's own functions, and by C's.
struct Subject {
    key: &'static Key,
    sealer: Sealer<&'static Key>,
    opener: Opener<&'static Key>,
    c_key: *mut Opaque,
    c_sealer: *mut Opaque,
    c_opener: *mut Opaque,
}

impl Subject {
    fn new(algorithm: Algorithm, name: &core::ffi::CStr) -> Self {
        let key: &'static Key = Box::leak(Box::new(Key::new(algorithm, &KEY).expect("16 bytes")));
        let sealer = Sealer::new(key, NonceCounter::new(b"edge").expect("4 bytes")).expect("a nonce of 12 bytes");
        let (mut c_key, mut c_sealer, mut c_opener) = (null_mut(), null_mut(), null_mut());
        // SAFETY: strings, bytes, and places for the pointers; the key outlives the others.
        let done = unsafe {
            combseal_key_new(&mut c_key, name.as_ptr(), KEY.as_ptr(), KEY.len())
                | combseal_sealer_new(&mut c_sealer, c_key, b"edge".as_ptr(), 4)
                | combseal_opener_new(&mut c_opener, c_key, -1, null(), 0)
        };
        assert_eq!(done, 0);
        Self { key, sealer, opener: Opener::new(key), c_key, c_sealer, c_opener }
    }

    /// Cycles to seal a message in place by Rust and by C, and the same of sealers, which tell their nonce.
    fn seal(&mut self, len: usize) -> [f64; 4] {
        let Self { key, sealer, c_key, c_sealer, .. } = self;
        cycles(
            len,
            [
                &mut |calls, it| {
                    timed(calls, |i| {
                        it.count(i);
                        let it = black_box(&mut *it);
                        black_box(*key).seal_detached(it.nonce, &[], it.buf, it.tag).expect("lengths are right");
                    })
                },
                &mut |calls, it| {
                    timed(calls, |i| {
                        it.count(i);
                        let it = black_box(&mut *it);
                        let (key, at, len) = (black_box(*c_key), it.buf.as_mut_ptr(), it.buf.len());
                        let (nonce, tag) = (it.nonce.as_ptr(), it.tag.as_mut_ptr());
                        // SAFETY: a key that lives, and buffers of these lengths.
                        assert_eq!(unsafe { combseal_seal(key, nonce, 12, null(), 0, at, len, at, tag, 16) }, 0);
                    })
                },
                &mut |calls, it| {
                    timed(calls, |_| {
                        let it = black_box(&mut *it);
                        let used = black_box(&mut *sealer).seal_detached(&[], it.buf, it.tag);
                        black_box(used.expect("far from the limit"));
                    })
                },
                &mut |calls, it| {
                    timed(calls, |_| {
                        let it = black_box(&mut *it);
                        let (sealer, at, len) = (black_box(*c_sealer), it.buf.as_mut_ptr(), it.buf.len());
                        let (nonce, tag) = (it.nonce.as_mut_ptr(), it.tag.as_mut_ptr());
                        // SAFETY: a sealer that lives, and buffers of these lengths.
                        let done = unsafe { combseal_sealer_seal(sealer, null(), 0, at, len, at, tag, 16, nonce, 12) };
                        assert_eq!(done, 0);
                    })
                },
            ],
        )
    }

    /// Cycles to open one message again and again, to another buffer, by Rust and by C, and the same of openers.
    fn open(&mut self, len: usize) -> [f64; 4] {
        let Self { key, opener, c_key, c_opener, .. } = self;
        cycles(
            len,
            [
                &mut |calls, it| {
                    it.sealed(key);
                    timed(calls, |_| {
                        let it = black_box(&mut *it);
                        black_box(*key).open_to(it.nonce, &[], it.buf, it.out, it.tag).expect("it is authentic");
                    })
                },
                &mut |calls, it| {
                    it.sealed(key);
                    timed(calls, |_| {
                        let it = black_box(&mut *it);
                        let (key, from, len, to) =
                            (black_box(*c_key), it.buf.as_ptr(), it.buf.len(), it.out.as_mut_ptr());
                        let (nonce, tag) = (it.nonce.as_ptr(), it.tag.as_ptr());
                        // SAFETY: a key that lives, and buffers of these lengths.
                        assert_eq!(unsafe { combseal_open(key, nonce, 12, null(), 0, from, len, to, tag, 16) }, 0);
                    })
                },
                &mut |calls, it| {
                    it.sealed(key);
                    timed(calls, |_| {
                        let it = black_box(&mut *it);
                        let done = black_box(&mut *opener).open_to(it.nonce, &[], it.buf, it.out, it.tag);
                        done.expect("it is authentic");
                    })
                },
                &mut |calls, it| {
                    it.sealed(key);
                    timed(calls, |_| {
                        let it = black_box(&mut *it);
                        let (opener, from, len) = (black_box(*c_opener), it.buf.as_ptr(), it.buf.len());
                        let (nonce, tag, to) = (it.nonce.as_ptr(), it.tag.as_ptr(), it.out.as_mut_ptr());
                        // SAFETY: an opener that lives, and buffers of these lengths.
                        let done =
                            unsafe { combseal_opener_open(opener, nonce, 12, null(), 0, from, len, to, tag, 16) };
                        assert_eq!(done, 0);
                    })
                },
            ],
        )
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        // SAFETY: made in `new`, and not used any more.
        unsafe {
            combseal_opener_free(self.c_opener);
            combseal_sealer_free(self.c_sealer);
            combseal_key_free(self.c_key);
        }
    }
}

/// Cycles to seal with OCB3-AES-128 under nonces of the caller's, Ktop kept as long as it is the same: by
/// `ae_encrypt`, by what of Rust does the same, and by that on the tier of AES-NI, as Krovetz's code has it.
fn krovetz(len: usize) -> [f64; 3] {
    let on = |cpu| Cached::new(Ocb3::<Aes128>::build(cpu, &KEY, 16).expect("16 bytes"));
    let (mut best, mut narrow) = (on(Cpu::detect()), on(Cpu::by_name("aesni").unwrap_or(Cpu::detect())));
    // SAFETY: a context that lives until it is freed, and buffers of these lengths.
    unsafe {
        let ctx = ae_allocate(null_mut());
        assert_eq!(ae_init(ctx, KEY.as_ptr().cast(), 16, 12, 16), 0);
        let found = cycles(
            len,
            [
                &mut |calls, it| {
                    timed(calls, |i| {
                        it.count(i);
                        let it = black_box(&mut *it);
                        let (at, n, tag) = (it.buf.as_mut_ptr().cast(), it.buf.len() as c_int, it.tag.as_mut_ptr());
                        let nonce = it.nonce.as_ptr().cast();
                        assert_eq!(ae_encrypt(ctx, nonce, at, n, null(), 0, at, tag.cast(), 1), n);
                    })
                },
                &mut |calls, it| timed(calls, |i| cached(black_box(&mut best), i, it)),
                &mut |calls, it| timed(calls, |i| cached(black_box(&mut narrow), i, it)),
            ],
        );
        ae_free(ctx);
        found
    }
}

/// Seals one message.
#[inline(always)]
fn cached(key: &mut Cached<Ocb3<Aes128>>, i: u32, it: &mut Place<'_>) {
    it.count(i);
    let it = black_box(it);
    key.seal_detached(it.nonce, &[], it.buf, it.tag).expect("lengths are right");
}

fn main() {
    println!("Cycles a call: Rust with a key that is chosen at run time, C, C - Rust.");
    println!("{:<13}{:>6}{:>24}{:>24}{:>24}{:>24}", "", "bytes", "seal", "sealer", "open", "opener");
    for (name, c_name) in [("OCB3-AES-128", c"OCB3-AES-128"), ("AES-128-GCM", c"AES-128-GCM")] {
        let Some(algorithm) = Algorithm::by_name(name) else { continue };
        let mut subject = Subject::new(algorithm, c_name);
        for len in [16, 64, 1500, 16384] {
            print!("{name:<13}{len:>6}");
            for it in [subject.seal(len), subject.open(len)] {
                for pair in it.as_chunks::<2>().0 {
                    print!("{:>8.1}{:>8.1}{:>8.1}", pair[0], pair[1], pair[1] - pair[0]);
                }
            }
            println!();
        }
    }
    println!("\nOCB3-AES-128 with nonces of the caller's, Ktop kept.");
    println!("{:>8}{:>12}{:>12}{:>14}", "bytes", "ae_encrypt", "Rust", "Rust, aesni");
    for len in [1, 16, 44, 64, 128, 256, 512, 552, 576, 1024, 1500, 2048, 4096, 8192, 16384, 65536, 1 << 20] {
        let [ae, rust, narrow] = krovetz(len);
        println!("{len:>8}{ae:>12.1}{rust:>12.1}{narrow:>14.1}");
    }
}
