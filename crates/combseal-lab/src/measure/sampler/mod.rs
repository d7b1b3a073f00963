//! Takes samples of many points, by our own method or by those of the papers.

mod campaign;
mod methods;

pub use campaign::{Campaign, Point, Sample, Summary};
