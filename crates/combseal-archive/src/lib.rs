//! The archive of authenticated-encryption modes.
//!
//! The library is empty. The plain, slow references of the archived modes are in `tests/reference`, one file a mode, to
//! be read beside the papers; `cargo test -p combseal-archive` compares them with the known answers in
//! `vectors/archive`.
