//! How the messages of a batch are done.

/// How a batch is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One message after the other.
    Single,
    /// On as many lanes as suit the tier, or on so many.
    Comb(Option<usize>),
}
