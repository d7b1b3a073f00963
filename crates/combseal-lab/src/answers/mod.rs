//! What results and proofs say to somebody who has to choose: which scheme is the fastest for some
//! traffic, which has what is needed, and how much may be sealed under one key.

mod advise;
pub mod bounds;
pub mod facts;
pub mod rank;

pub use advise::{Advice, Need, advise};
