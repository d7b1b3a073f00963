//! The subcommands: arguments in, text out, an exit code back.

pub mod check;
pub mod schemes;
pub mod study;

/// Everything asked for was found right.
pub const OK: u8 = 0;
/// A test failed.
pub const FAILED: u8 = 1;
/// An input could not be read, or an argument makes no sense.
pub const UNREADABLE: u8 = 2;
