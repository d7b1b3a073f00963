//! The ways to time a point: ours, and those of the papers, so that figures can be compared with
//! theirs.

use serde::{Deserialize, Serialize};

/// How a point was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Ours: interleaved, calibrated, disturbed samples repeated.
    #[default]
    Campaign,
    /// Krovetz and Rogaway 2011: 65 messages minus one, on successive nonces.
    Kr65,
    /// Bogdanov and others 2014: the median of 91 averages of 200.
    Median91,
    /// Bernstein 2007: 15 single timings, none left out.
    Single15,
    /// Krovetz and Rogaway 2011, the portable one: processor time of about a second.
    ProcessTime,
}
