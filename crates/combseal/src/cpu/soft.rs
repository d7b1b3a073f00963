//! The software tier.
use super::model::Model;
/// The software tier's token.
pub type Soft = Model<1>;
