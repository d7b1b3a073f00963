//! The archive's schemes: their plain references against known answers, themselves against
//! both, and what is asked of each of them besides.

mod agreement;
mod forgeries;
mod known_answers;
mod limits;
mod mixed;
mod ocb2_forgery;
mod reference;
