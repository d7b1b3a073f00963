//! A column of any values, some of them forged: `combseal_cli::fuzz::columns`.
#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| combseal_cli::fuzz::columns(data));
