//! What this library is: its version, the CPU's tiers, the algorithms by name.
#![allow(unsafe_code)] // C's strings.

use crate::edge;
use combseal::{Algorithm, Cpu};
use core::ffi::{CStr, c_char};
use std::ffi::CString;
use std::sync::OnceLock;

/// The version, as Cargo has it.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

/// `combseal_version`: of the library that runs, which may be another than the header's.
#[unsafe(no_mangle)]
pub extern "C" fn combseal_version() -> *const c_char {
    CStr::from_bytes_with_nul(VERSION.as_bytes()).unwrap_or(c"").as_ptr()
}

/// Names with a NUL at their ends, made once.
fn terminated(names: impl Iterator<Item = &'static str>) -> Vec<CString> {
    names.map(|name| CString::new(name).unwrap_or_default()).collect()
}

/// The name at a place of a list, or NULL.
fn at(names: &'static [CString], i: usize) -> *const c_char {
    names.get(i).map_or(core::ptr::null(), |name| name.as_ptr())
}

/// The tiers of this machine, the best first; those that tests pretend are none.
fn tiers() -> impl Iterator<Item = Cpu> {
    let best = Cpu::detect();
    std::iter::once(best).chain(Cpu::all().filter(move |&cpu| cpu != best && !cpu.is_pretended()))
}

fn tier_names() -> &'static [CString] {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    NAMES.get_or_init(|| terminated(tiers().map(Cpu::name)))
}

/// `combseal_tier_name`: of the tiers that this machine has, the best first; NULL behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn combseal_tier_name(i: usize) -> *const c_char {
    at(tier_names(), i)
}

/// The name of a tier, for C.
pub(crate) fn tier_name(cpu: Cpu) -> *const c_char {
    let place = tiers().position(|other| other == cpu);
    place.map_or(core::ptr::null(), |i| at(tier_names(), i))
}

/// The tier of that name, if this machine has it.
pub(crate) fn tier(name: &str) -> Option<Cpu> {
    tiers().find(|cpu| cpu.name() == name)
}

fn algorithm_names() -> &'static [CString] {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    NAMES.get_or_init(|| terminated(Algorithm::ALL.iter().map(|algorithm| algorithm.name())))
}

/// `combseal_algorithm_name`: NULL behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn combseal_algorithm_name(i: usize) -> *const c_char {
    at(algorithm_names(), i)
}

/// The name of an algorithm, for C.
pub(crate) fn algorithm_name(algorithm: Algorithm) -> *const c_char {
    let place = Algorithm::ALL.iter().position(|&other| other == algorithm);
    place.map_or(core::ptr::null(), |i| at(algorithm_names(), i))
}

/// What is known of the algorithm of that name, or zero.
///
/// # Safety
/// As [`edge::name`].
unsafe fn known(name: *const c_char, of: impl FnOnce(Algorithm) -> usize) -> usize {
    // SAFETY: as the caller promises.
    unsafe { edge::name(name) }.ok().and_then(Algorithm::by_name).map_or(0, of)
}

macro_rules! lengths {
    ($($(#[$doc:meta])* $name:ident = $of:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(name: *const c_char) -> usize {
            // SAFETY: as combseal.h asks of the caller: NULL or a string.
            unsafe { known(name, $of) }
        }
    )*};
}
lengths! {
    /// `combseal_algorithm_key_len`
    combseal_algorithm_key_len = |a| a.key_len();
    /// `combseal_algorithm_nonce_len`
    combseal_algorithm_nonce_len = |a| a.nonce_len();
    /// `combseal_algorithm_tag_len`
    combseal_algorithm_tag_len = |a| a.tag_lens()[0];
    /// `combseal_algorithm_tag_first`
    combseal_algorithm_tag_first = |a| a.description().tag_first.into();
}
