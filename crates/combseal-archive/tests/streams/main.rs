//! The stream ciphers of 2007 against what others say of them: known answers, plain references
//! written from their texts, and the properties that every stream has.

mod abc_to_phelix;
mod authenticated;
mod bitwise;
mod known;
mod parallel;
mod properties;
mod reference;
mod registry;
mod tables;
mod words32;
