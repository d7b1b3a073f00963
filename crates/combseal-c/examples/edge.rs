//! What the edge costs: one message sealed by the library's own function, and the same one through
//! `combseal.h` and `ae.h`, one after the other in one program.
//!
//!     cargo run --release -p combseal-c --example edge
#![allow(unsafe_code)] // C's functions.

use combseal::{Aead, Algorithm, Key};
use combseal_ae as _;
use combseal_c as _;
use core::ffi::{c_char, c_int, c_void};
use std::hint::black_box;
use std::time::Instant;

#[repr(C)]
struct CKey {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn combseal_key_new(out: *mut *mut CKey, algorithm: *const c_char, key: *const u8, len: usize) -> c_int;
    fn combseal_key_free(key: *mut CKey);
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
    fn combseal_seal(
        key: *const CKey,
        nonce: *const u8,
        nonce_len: usize,
        ad: *const u8,
        ad_len: usize,
        input: *const u8,
        len: usize,
        output: *mut u8,
        tag: *mut u8,
        tag_len: usize,
    ) -> c_int;
}

/// Nanoseconds a call, the least of several runs.
fn least(mut run: impl FnMut(u32), calls: u32) -> f64 {
    (0..15)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(&mut run);
            start.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .fold(f64::INFINITY, f64::min)
}

/// Nanoseconds of a core's cycle: a chain of multiplications, of three cycles each on every x86-64
/// of the last fifteen years, and of shifts and XORs of one.
fn cycle() -> f64 {
    let mut x = black_box(0x9e37_79b9_7f4a_7c15u64);
    let chain = least(
        |_| {
            x = x.wrapping_mul(0xd129_42ad_59c3_1ac5);
            x ^= x >> 29;
        },
        1 << 20,
    );
    black_box(x);
    chain / 5.0
}

fn main() {
    let (bytes, ad): (_, [u8; 0]) = ([7; 16], []);
    println!("{:<14} {:>6} {:>10} {:>10} {:>10} {:>10}", "cycles a call", "bytes", "Rust", "C", "C - Rust", "ae.h");
    for (name, c_name) in [("OCB3-AES-128", c"OCB3-AES-128"), ("AES-128-GCM", c"AES-128-GCM")] {
        let Some(algorithm) = Algorithm::by_name(name) else { continue };
        let key = Key::new(algorithm, &bytes).expect("16 bytes");
        let mut c_key = core::ptr::null_mut();
        // SAFETY: a string, 16 bytes, and a place for the pointer.
        assert_eq!(unsafe { combseal_key_new(&mut c_key, c_name.as_ptr(), bytes.as_ptr(), 16) }, 0);
        for len in [16, 64, 1500, 16384] {
            let (mut buf, mut tag, mut nonce) = (vec![1; len], [0; 16], [0; 12]);
            let calls = (20_000_000 / (len as u32 + 500)).max(1000);
            let rust = least(
                |i| {
                    nonce[8..].copy_from_slice(&i.to_be_bytes());
                    black_box(&key)
                        .seal_detached(&nonce, &ad, black_box(&mut buf), &mut tag)
                        .expect("lengths are right");
                    black_box(&tag);
                },
                calls,
            );
            let c = least(
                |i| {
                    nonce[8..].copy_from_slice(&i.to_be_bytes());
                    let at = black_box(&mut buf).as_mut_ptr();
                    // SAFETY: a key that lives, and buffers of these lengths.
                    let code = unsafe {
                        combseal_seal(
                            black_box(c_key),
                            nonce.as_ptr(),
                            12,
                            ad.as_ptr(),
                            0,
                            at,
                            len,
                            at,
                            tag.as_mut_ptr(),
                            16,
                        )
                    };
                    assert_eq!(code, 0);
                    black_box(&tag);
                },
                calls,
            );
            // SAFETY: as above; OCB3, which keeps Ktop from one counted nonce to the next.
            let ae = (name == "OCB3-AES-128").then(|| unsafe {
                let ctx = ae_allocate(core::ptr::null_mut());
                assert_eq!(ae_init(ctx, bytes.as_ptr().cast(), 16, 12, 16), 0);
                let ns = least(
                    |i| {
                        nonce[8..].copy_from_slice(&i.to_be_bytes());
                        let (at, none) = (black_box(&mut buf).as_mut_ptr().cast(), core::ptr::null());
                        let (nonce, tag) = (nonce.as_ptr().cast(), tag.as_mut_ptr().cast());
                        assert_eq!(ae_encrypt(ctx, nonce, at, len as c_int, none, 0, at, tag, 1), len as c_int);
                    },
                    calls,
                );
                ae_free(ctx);
                ns
            });
            let ns = cycle();
            let ae = ae.map_or(String::new(), |it| format!("{:10.1}", it / ns));
            println!("{name:<14} {len:>6} {:>10.1} {:>10.1} {:>10.1} {ae:>10}", rust / ns, c / ns, (c - rust) / ns);
        }
        // SAFETY: made above, and not used any more.
        unsafe { combseal_key_free(c_key) };
    }
}
