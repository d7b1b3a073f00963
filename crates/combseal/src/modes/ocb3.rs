//! OCB3.
/// What a sender keeps.
#[derive(Default)]
pub struct Cache;
