//! Pointers and lengths as C may give them: `combseal_c::fuzz::c_edge`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_c::fuzz::c_edge(data));
