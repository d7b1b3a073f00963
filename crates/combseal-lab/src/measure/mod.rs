//! Whatever measures: the clock and the signs that a sample was disturbed, what this machine's
//! units can do, and the campaign that takes samples of many things in random order.

mod clock;
mod limits;
pub mod machine;
mod random;
mod sampler;
pub mod stats;

pub use clock::{Clock, Ratio, Reading, Stopwatch, Unit};
pub use limits::{AtWidth, Limits, Speed, Width};
pub use random::Random;
pub use sampler::{Campaign, Point, Sample, Summary};
