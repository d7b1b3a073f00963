//! The file between a study and those who read it: what its lines say, how it is written and
//! read, and how two of them are compared.

mod compare;
mod file;
#[cfg(test)]
pub(crate) mod fixture;
pub mod json;
mod record;
#[cfg(test)]
mod tests;

pub(crate) use compare::describe;
pub use compare::{Basis, Change, Comparison, Incomparable, Wanted, compare};
pub use file::{Contents, Error, Writer, read, read_all};
pub use record::{
    Axis, ClockState, Context, End, FEWEST_CLEAN, Failed, Machine, Piece, Point, Record, Run, Unit, WidthLimits, runs,
};
