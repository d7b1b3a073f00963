//! Messages in parts by the functions that C calls, short enough for Miri, which knows whether a message
//! under way may refer to the key beside it (`.ci/miri`); and what the calls leave on the stack. The tests in
//! C ask the rest.
#![allow(unsafe_code)] // It calls what C calls.

#[cfg(not(miri))]
#[path = "../../combseal/tests/memory/below.rs"]
#[allow(dead_code)]
mod below;

use crate::context::{ae_allocate, ae_allow_unverified_plaintext, ae_clear, ae_free, ae_init};
use crate::message::{ae_decrypt, ae_encrypt};
use core::ffi::c_int;
use core::ptr::{null, null_mut};

/// Between two parts of a message anything may be asked of its context; what comes out is one message.
#[test]
fn parts() {
    let (key, nonce, message, ad) = ([5u8; 16], [6u8; 12], [7u8; 70], *b"associated data");
    let (mut whole, mut cut, mut back) = ([0u8; 86], [0u8; 86], [0u8; 70]);
    let int = |len: usize| c_int::try_from(len).unwrap();
    // SAFETY: a context that lives until it is freed, and lengths that go with the pointers.
    unsafe {
        let ctx = ae_allocate(null_mut());
        let (nonce, data) = (nonce.as_ptr().cast(), ad.as_ptr());
        assert_eq!(ae_init(ctx, key.as_ptr().cast(), 16, 12, 16), 0);
        let seal = |nonce, from: usize, len: usize, ad_from: usize, ad_len: usize, to: &mut [u8; 86], last| {
            let (from, to) = (message.as_ptr().add(from), to.as_mut_ptr().add(from));
            let ad = data.add(ad_from).cast();
            ae_encrypt(ctx, nonce, from.cast(), int(len), ad, int(ad_len), to.cast(), null_mut(), last)
        };
        assert_eq!(seal(nonce, 0, 70, 0, 15, &mut whole, 1), 86);
        for _ in 0..2 {
            assert_eq!(seal(nonce, 0, 16, 0, 4, &mut cut, 0), 16);
            // A failed `ae_init` leaves the context as it was.
            assert_eq!(ae_init(ctx, key.as_ptr().cast(), 5, 12, 16), -2);
            assert_eq!(seal(null(), 16, 32, 4, 9, &mut cut, 0), 32);
            assert_eq!(seal(null(), 48, 22, 13, 2, &mut cut, 1), 38);
            assert_eq!(cut, whole);
            cut = [0; 86];
        }

        assert_eq!(ae_allow_unverified_plaintext(ctx, 1), 0);
        let mut open = |nonce, from: usize, len: usize, ad_len: c_int, last| {
            let (from, to) = (whole.as_ptr().add(from), back.as_mut_ptr().add(from));
            ae_decrypt(ctx, nonce, from.cast(), int(len), data.cast(), ad_len, to.cast(), null(), last)
        };
        assert_eq!(open(nonce, 0, 64, 15, 0), 64);
        assert_eq!(open(null(), 64, 22, 0, 1), 6);
        // Lost in the middle: by another message, by a new key, by the end.
        assert_eq!(open(nonce, 0, 64, 15, 0), 64);
        assert_eq!(seal(nonce, 0, 16, 0, 15, &mut cut, 0), 16);
        assert_eq!(ae_clear(ctx), 0);
        assert_eq!(ae_init(ctx, key.as_ptr().cast(), 16, 12, 16), 0);
        assert_eq!(seal(nonce, 0, 16, 0, 0, &mut cut, 0), 16);
        // What a message under way has on the heap is lost with its context, as ae.h says. Miri would say so too.
        if cfg!(miri) {
            assert_eq!(ae_clear(ctx), 0);
        }
        assert_eq!(ae_init(ctx, key.as_ptr().cast(), 16, 12, 16), 0);
        assert_eq!(seal(null(), 16, 16, 0, 0, &mut cut, 0), -2);
        assert_eq!(seal(nonce, 0, 16, 0, 15, &mut cut, 0), 16);
        assert_eq!(seal(nonce, 0, 70, 0, 15, &mut cut, 1), 86);
        assert_eq!(seal(nonce, 0, 16, 0, 15, &mut cut, 0), 16);
        assert_eq!(ae_clear(ctx), 0);
        assert_eq!(ae_init(ctx, key.as_ptr().cast(), 16, 12, 16), 0);
        assert_eq!(seal(nonce, 0, 16, 0, 15, &mut cut, 0), 16);
        ae_free(ctx);
    }
    assert_eq!(back, message);
}

/// Nothing of a key is left below `ae_init`, and nothing of a message below the calls with its parts: what they
/// held back is wiped where it was.
#[cfg(not(miri))]
#[test]
fn stack() {
    let random = |i: usize| (i as u32).wrapping_mul(0x9e37_79b9).wrapping_add(0x1234_5678).swap_bytes() as u8;
    let (key, message): ([u8; 32], [u8; 30]) =
        (core::array::from_fn(random), core::array::from_fn(|i| random(i + 100)));
    let found = |left: Vec<u8>, secret: &[u8]| {
        let pieces = || secret.windows(8);
        left.windows(8).position(|it| pieces().any(|piece| piece == it)).map(|at| below::WHOLE - at)
    };
    let careless = below::left_by(&mut || below::careless(&core::array::from_fn(random)));
    assert!(found(careless, &key).is_some());
    // SAFETY: a context that lives until it is freed, and lengths that go with the pointers.
    unsafe {
        let ctx = ae_allocate(null_mut());
        for len in [16, 24, 32] {
            let left = below::left_by(&mut || assert_eq!(ae_init(ctx, key.as_ptr().cast(), len, 12, 16), 0));
            assert_eq!(found(left, &key[..len as usize]), None, "a key of {len} bytes");
            let left = below::left_by(&mut || assert_eq!(ae_init(ctx, key.as_ptr().cast(), len, 12, 17), -2));
            assert_eq!(found(left, &key[..len as usize]), None, "a key that was refused");
        }
        assert_eq!(ae_allow_unverified_plaintext(ctx, 1), 0);
        let (nonce, at, mut sealed, mut back) = ([6u8; 12], message.as_ptr(), [0u8; 46], [0u8; 46]);
        let to = sealed.as_mut_ptr();
        let left = below::left_by(&mut || {
            let nonce = nonce.as_ptr().cast();
            assert_eq!(ae_encrypt(ctx, nonce, at.cast(), 16, null(), 0, to.cast(), null_mut(), 0), 16);
            let (at, to) = (at.add(16).cast(), to.add(16).cast());
            assert_eq!(ae_encrypt(ctx, null(), at, 14, null(), 0, to, null_mut(), 1), 30);
        });
        assert_eq!(found(left, &message[16..]), None, "sealed in parts");
        sealed[45] ^= 1;
        let (at, to) = (sealed.as_ptr(), back.as_mut_ptr());
        let left = below::left_by(&mut || {
            let nonce = nonce.as_ptr().cast();
            assert_eq!(ae_decrypt(ctx, nonce, at.cast(), 16, null(), 0, to.cast(), null(), 0), 16);
            let (at, to) = (at.add(16).cast(), to.add(16).cast());
            assert_eq!(ae_decrypt(ctx, null(), at, 30, null(), 0, to, null(), 1), -1);
        });
        assert_eq!(found(left, &message[16..]), None, "a forgery opened in parts");
        ae_free(ctx);
    }
}
