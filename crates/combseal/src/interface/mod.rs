//! What a scheme is: its description, its errors, its tags, the few functions that it
//! writes ([`scheme`]) and the many forms of them that callers use ([`aead`]).

pub mod aead;
pub mod description;
pub mod error;
pub mod parts;
pub mod scheme;
pub mod tag;
