//! Sealed files through the command, as a user has them: what is written, what is left behind
//! when something fails, and by which exit code.
#![cfg(unix)]

mod context;
mod damage;
mod ends;
mod failing;
mod keys;
mod killed;
mod rekeyed;
mod terminal;
mod whole;
