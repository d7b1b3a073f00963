//! A file a scheme: its first lines say where it is from, what became of it, and what it is
//! kept for.

pub mod cloc;
pub mod cwc;
pub mod julius;
pub mod mcoe;
pub mod ocb1;
pub mod ocb2;
