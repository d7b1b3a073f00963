//! Samples of many points: in random order, by our method or by those of the papers.

mod campaign;
mod methods;

pub use campaign::{Campaign, Point, Sample, Summary};
