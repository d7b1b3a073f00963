//! Plain references of archived modes, each compared with its known answers. Each mode's test is at the bottom of its
//! own file in `reference`.

mod reference;
