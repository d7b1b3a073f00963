//! Everything that measures: the clock and the signs that a sample was disturbed, what this
//! machine's units can do, and the campaign that takes samples of many points in random order.
//! It knows nothing of what is measured.

mod bench;
mod clock;
pub mod emulator;
mod limits;
pub mod machine;
mod method;
mod random;
mod sampler;
pub mod stats;
mod work;

pub use bench::Bench;
pub(crate) use bench::{RING_BYTES, RING_MESSAGES};
pub use clock::{Clock, Ratio, Reading, Stopwatch, Unit};
pub use limits::{AesUnit, AtWidth, Limits, Speed, Width};
pub use method::Method;
pub use random::Random;
pub use sampler::{Campaign, Point, Sample, Summary};
pub use work::Work;
