//! The stream ciphers of 2007 against what others say of them: known answers, plain references
//! written from their texts, and the properties that every stream has.

mod known;
mod properties;
mod reference;
mod words32;
