//! CryptMT (Matsumoto, Saito, Nishimura and Hagita, eSTREAM, 2005 to 2007): a linear generator of a
//! long period, filtered through a chain of products. Its second version and its third are different
//! ciphers.

pub mod v2;
pub mod v3;
