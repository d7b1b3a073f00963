//! Every stream cipher and every system of 2007 by name, in each of its tunings: a cipher is a file
//! or a folder beside this one, and a line here.

use super::named::{StreamCipher, StreamSystem};
use super::with_poly1305::WithPoly1305;
use super::*;
use combseal::{Aes128, Aes256};

/// Bytes of Poly1305's r, in front of the cipher's key.
const R: usize = 16;

/// Ciphers, of which each makes a system with Poly1305; and systems that authenticate by
/// themselves. Of several tunings the one that should be the fastest is the first. A cipher with a kernel
/// for several messages says so behind its type.
macro_rules! registry {
    (
        ciphers: $($name:literal = $cipher:ty $(: $side_by_side:ident)?,)*
        systems: $($system_name:literal = $system:ty,)*
    ) => {
        /// Every cipher, the tunings of one behind each other.
        pub static CIPHERS: &[StreamCipher] = &[$(registry!(cipher $cipher $(: $side_by_side)?),)*];

        /// Every system, the tunings of one behind each other: those with Poly1305 first.
        pub static SYSTEMS: &[StreamSystem] = &[
            $(registry!(system concat!($name, "-poly1305"), $cipher $(: $side_by_side)?),)*
            $(StreamSystem::of::<$system>($system_name, 0),)*
        ];
    };
    (cipher $cipher:ty) => { StreamCipher::of::<$cipher>() };
    (cipher $cipher:ty: side_by_side) => {
        StreamCipher::side_by_side::<$cipher>(together::streams::<$cipher>)
    };
    (system $name:expr, $cipher:ty) => { StreamSystem::of::<WithPoly1305<$cipher>>($name, R) };
    (system $name:expr, $cipher:ty: side_by_side) => {
        StreamSystem::side_by_side::<$cipher>($name, R, together::packets::<$cipher>)
    };
}

registry! {
    ciphers:
    "abc-v3" = abc::Windows8,
    "abc-v3" = abc::Windows4,
    "abc-v3" = abc::Windows12,
    "abc-v3" = abc::Bits,
    "aes-128" = aes_ctr::AesCtr<Aes128>,
    "aes-256" = aes_ctr::AesCtr<Aes256>,
    "cryptmt-v2" = cryptmt::v2::CryptMtV2,
    "cryptmt-v3" = cryptmt::v3::CryptMtV3,
    "dicing-v2" = dicing::Dicing,
    "dragon" = dragon::Dragon,
    "grain-128" = grain_128::Grain128: side_by_side,
    "grain-v1" = grain_v1::GrainV1: side_by_side,
    "hc-128" = hc_128::Hc128: side_by_side,
    "hc-256" = hc_256::Hc256,
    "lex-v1" = lex::Lex<1>: side_by_side,
    "lex-v2" = lex::Lex<2>: side_by_side,
    "mickey-128-2.0" = mickey_128::Mickey128: side_by_side,
    "nls-v1" = nls::NlsV1,
    "nls-v2" = nls::NlsV2,
    "py" = py::Py,
    "py6" = py::Py6,
    "pypy" = py::Pypy,
    "tpy" = py::TPy,
    "tpy6" = py::TPy6,
    "tpypy" = py::TPypy,
    "rabbit" = rabbit::Rabbit: side_by_side,
    "rc4" = rc4::Rc4,
    "salsa20-8" = salsa20::Salsa20<8>: side_by_side,
    "salsa20-12" = salsa20::Salsa20<12>: side_by_side,
    "salsa20" = salsa20::Salsa20<20>: side_by_side,
    "snow-2.0" = snow_2_0::Aesenc: side_by_side,
    "snow-2.0" = snow_2_0::Tables,
    "sosemanuk" = sosemanuk::Sosemanuk: side_by_side,
    "trivium" = trivium::Registers: side_by_side,
    "trivium" = trivium::Trivium,
    systems:
    "nls-v1-ae" = nls::NlsV1Ae,
    "nls-v2-ae" = nls::NlsV2Ae,
    "phelix" = phelix::Phelix,
}

/// Phelix with shorter authenticators, whose length enters its key schedule: those that have known
/// answers. The bytes of an authenticator behind them are zero and are not looked at.
static SHORT: [(usize, StreamSystem); 4] = [
    (8, StreamSystem::of::<phelix::Phelix<8>>("phelix", 0)),
    (10, StreamSystem::of::<phelix::Phelix<10>>("phelix", 0)),
    (12, StreamSystem::of::<phelix::Phelix<12>>("phelix", 0)),
    (14, StreamSystem::of::<phelix::Phelix<14>>("phelix", 0)),
];

impl StreamCipher {
    /// The cipher of that name, upper or lower case, in all its tunings.
    pub fn by_name(name: &str) -> impl Iterator<Item = &'static Self> {
        CIPHERS.iter().filter(move |cipher| cipher.about().name.eq_ignore_ascii_case(name))
    }
}

impl StreamSystem {
    /// The system of that name, upper or lower case, in all its tunings.
    pub fn by_name(name: &str) -> impl Iterator<Item = &'static Self> {
        SYSTEMS.iter().filter(move |system| system.name().eq_ignore_ascii_case(name))
    }

    /// The variant of this system that authenticates by `len` bytes, where it has one: for known
    /// answers. A system that only cuts its authenticator is its own variant.
    pub fn with_tag_len(&'static self, len: usize) -> &'static Self {
        let of_length = SHORT.iter().find(|(n, system)| *n == len && system.name() == self.name());
        of_length.map_or(self, |(_, system)| system)
    }
}
