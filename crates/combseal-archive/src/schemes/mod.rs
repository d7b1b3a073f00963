//! A file a scheme, or a folder where it has several forms: its first lines say where it is
//! from, what became of it, and what it is kept for.

pub mod cloc;
pub mod colm;
pub mod copa;
pub mod cwc;
pub mod deoxys_ii;
pub mod etm;
pub mod jambu;
pub mod julius;
pub mod mcoe;
pub mod ocb1;
pub mod ocb2;
pub mod otr;
pub mod poet;
pub mod silc;
