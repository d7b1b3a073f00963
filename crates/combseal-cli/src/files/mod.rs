//! Sealed files for the command: where bytes come from and go to, keys and passphrases, what is
//! left behind when something fails. The format and the cipher are `combseal::stream`'s.

pub mod descriptor;
pub mod ends;
pub mod failure;
pub mod interrupt;
pub mod named;
pub mod options;
pub mod pending;
pub mod plan;
pub mod progress;
pub mod secrets;
