//! The body of the fuzz target `c_edge`: pointers and lengths anywhere in one small memory, against
//! the plain definition of what overlaps and the library's own function. The tests run it, seeded.
#![allow(unsafe_code)] // It calls what C calls.

use crate::handle::Handle;
use crate::message::{combseal_open, combseal_seal};
use combseal::{Aead, Algorithm, Key};
use core::ffi::c_int;
use core::ops::Range;
use std::sync::OnceLock;

/// Bytes that calls are made in.
const MEMORY: usize = 192;

/// A key as C has it, and as Rust has it.
fn keys() -> &'static (usize, Key) {
    static KEYS: OnceLock<(usize, Key)> = OnceLock::new();
    KEYS.get_or_init(|| {
        let make = || Key::new(Algorithm::Ocb3Aes128, &[7; 16]);
        let mut handle = core::ptr::null_mut();
        // SAFETY: a place for the pointer.
        unsafe { Handle::create(&mut handle, || Ok(make()?)) }.expect("16 bytes");
        (handle.expose_provenance(), make().expect("16 bytes"))
    })
}

/// Seals and opens between places that `data` chooses: three bytes a buffer, one for the direction and
/// one for what is forged.
///
/// # Panics
/// If overlapping buffers are taken or others refused, if the result is not the library's own, if after
/// an error an output is not zero, or if anything else was touched.
pub fn c_edge(data: &[u8]) {
    outcome(data);
}

/// The same, and what the call returned.
fn outcome(data: &[u8]) -> c_int {
    let byte = |i: usize| data.get(i).map_or(0, |&byte| usize::from(byte));
    let place = |i: usize, most: usize| {
        let at = byte(2 * i) % MEMORY;
        at..(at + byte(2 * i + 1) % most).min(MEMORY)
    };
    let at_least = |range: Range<usize>, len: usize| range.start.min(MEMORY - len)..range.start.min(MEMORY - len) + len;
    // Lengths that are right, as a rule; else any.
    let exact = |range: Range<usize>, len: usize, i: usize| if byte(i) < 240 { at_least(range, len) } else { range };
    let (nonce, tag) = (exact(place(0, 16), 12, 10), exact(place(1, 20), 16, 11));
    let (ad, input) = (place(2, 40), place(3, 80));
    let output = if byte(12) < 80 { input.clone() } else { at_least(place(4, 80), input.len()) };
    let open = byte(13) % 2 == 1;

    let mut memory: [u8; MEMORY] = core::array::from_fn(|i| byte(14 + i).wrapping_add(i * 31) as u8);
    let before = memory;
    let apart = |a: &Range<usize>, b: &Range<usize>| a.clone().all(|i| !b.contains(&i));
    let writes: &[&Range<usize>] = if open { &[&output] } else { &[&output, &tag] };
    let reads: &[&Range<usize>] = if open { &[&nonce, &ad, &tag] } else { &[&nonce, &ad] };
    let mut right = writes.iter().all(|write| reads.iter().all(|read| apart(write, read)));
    right &= input.start == output.start || apart(&input, &output);
    right &= open || apart(&output, &tag) && apart(&input, &tag);

    // What the library says of the same bytes.
    let (handle, key) = keys();
    let mut expected = before[input.clone()].to_vec();
    let mut expected_tag = before[tag.clone()].to_vec();
    let done = if open {
        key.open_in_place(&before[nonce.clone()], &before[ad.clone()], &mut expected, &expected_tag)
    } else {
        key.seal_detached(&before[nonce.clone()], &before[ad.clone()], &mut expected, &mut expected_tag)
    };

    let base = memory.as_mut_ptr();
    let pointer = |range: &Range<usize>| base.wrapping_add(range.start);
    let handle = core::ptr::with_exposed_provenance(*handle);
    let call = if open {
        // SAFETY: a key that lives, and places within the memory, which nothing else borrows.
        |key, n, nl, a, al, i, l, o, t: *mut u8, tl| unsafe { combseal_open(key, n, nl, a, al, i, l, o, t, tl) }
    } else {
        // SAFETY: as above.
        |key, n, nl, a, al, i, l, o, t: *mut u8, tl| unsafe { combseal_seal(key, n, nl, a, al, i, l, o, t, tl) }
    };
    let code: c_int = call(
        handle,
        pointer(&nonce).cast_const(),
        nonce.len(),
        pointer(&ad).cast_const(),
        ad.len(),
        pointer(&input).cast_const(),
        input.len(),
        pointer(&output),
        pointer(&tag),
        tag.len(),
    );

    let wanted = if right { done.map_err(crate::code::Code::from) } else { Err(crate::code::Code::ERROR_OVERLAP) };
    assert_eq!(code, crate::code::Code::of(wanted), "{nonce:?} {ad:?} {input:?} {output:?} {tag:?} {open}");
    if wanted.is_err() {
        expected.fill(0);
        expected_tag.fill(0);
    }
    // As it must be: what it was, and in the places that are written the output and the tag.
    let mut after = before;
    after[output.clone()].copy_from_slice(&expected);
    if !open {
        after[tag].copy_from_slice(&expected_tag);
    }
    assert_eq!(memory, after);
    code
}

#[cfg(test)]
mod tests {
    use crate::code::Code;

    /// Seeded input; there is enough of each kind of outcome.
    #[test]
    fn c_edge() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut codes = std::collections::BTreeMap::new();
        for _ in 0..20_000 {
            let data: [u8; 40] = core::array::from_fn(|_| {
                state = state.wrapping_mul(0xd129_42ad_59c3_1ac5).wrapping_add(0x6a09_e667_f3bc_c909);
                (state >> 56) as u8
            });
            *codes.entry(super::outcome(&data)).or_insert(0) += 1;
        }
        let errors = [Code::ERROR_OVERLAP, Code::ERROR_FORGED, Code::ERROR_NONCE_LENGTH, Code::ERROR_TAG_LENGTH];
        for code in errors.map(|it| Code::of(Err(it))).into_iter().chain([0]) {
            assert!(codes.get(&code).is_some_and(|&n| n > 50), "{codes:?}");
        }
    }
}
