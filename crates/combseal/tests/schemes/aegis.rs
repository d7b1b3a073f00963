//! AEGIS: known answers, and every tier as every other.

use crate::agreement::{agree, around_powers, flips, lengths};
use crate::known::{check, known};
use combseal::{Aead, Aegis128, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4, Error};

macro_rules! family {
    ($($test:ident, $name:ident, $bytes:literal, $($tag:literal $file:literal),+;)*) => {$(
        mod $test {
            use super::*;

            #[test]
            fn known_answers() {
                $(known(&[$file], |cpu, case| check(&$name::build(cpu, &case.key, $tag).unwrap(), case));)+
            }

            #[test]
            fn tiers_agree() {
                $(
                    agree($name::build, $bytes, $tag, 0..=300);
                    agree($name::build, $bytes, $tag, around_powers());
                )+
            }

            #[test]
            fn forgeries() {
                $(flips($name::build, $bytes, $tag);)+
            }

            #[test]
            fn wrong_lengths() {
                lengths($name::build, $bytes, &[$($tag),+]);
            }

            #[test]
            fn doors() {
                let key = [9; $bytes];
                assert_eq!($name::new(&key).tag_len(), 16);
                $(assert_eq!($name::with_tag_len(&key, $tag).unwrap().tag_len(), $tag);)+
                assert_eq!($name::with_tag_len(&key, 0).err(), Some(Error::TagLength));
                assert_eq!($name::new(&key).nonce_len(), $bytes);
                assert!(!format!("{:?}", $name::new(&key)).contains('9'));
            }
        }
    )*};
}
family! {
    aegis128, Aegis128, 16, 16 "aegis128";
    aegis128l, Aegis128L, 16, 16 "aegis128l", 32 "aegis128l_tag256";
    aegis256, Aegis256, 32, 16 "aegis256", 32 "aegis256_tag256";
    aegis128x2, Aegis128X2, 16, 16 "aegis128x2_tag128", 32 "aegis128x2_tag256";
    aegis128x4, Aegis128X4, 16, 16 "aegis128x4_tag128", 32 "aegis128x4_tag256";
    aegis256x2, Aegis256X2, 32, 16 "aegis256x2_tag128", 32 "aegis256x2_tag256";
    aegis256x4, Aegis256X4, 32, 16 "aegis256x4_tag128", 32 "aegis256x4_tag256";
}

#[test]
fn wycheproof_files() {
    known(&["wycheproof/aegis128_test"], |cpu, case| check(&Aegis128::build(cpu, &case.key, 16).unwrap(), case));
    known(&["wycheproof/aegis128L_test"], |cpu, case| check(&Aegis128L::build(cpu, &case.key, 16).unwrap(), case));
    known(&["wycheproof/aegis256_test"], |cpu, case| check(&Aegis256::build(cpu, &case.key, 16).unwrap(), case));
}
