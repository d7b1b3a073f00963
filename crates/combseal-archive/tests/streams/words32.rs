//! The ciphers on words of 32 bits: SOSEMANUK, SNOW 2.0, Rabbit, Dragon.

use crate::{known, properties, reference};
use combseal_archive::streams::{dragon, rabbit, snow_2_0, sosemanuk};

#[test]
fn rabbit() {
    known::check::<rabbit::Rabbit>("rabbit");
    properties::check::<rabbit::Rabbit>(reference::rabbit::keystream);
    properties::check_many::<rabbit::Rabbit>();
}

#[test]
fn snow_2_0() {
    known::check::<snow_2_0::Tables>("snow-2.0");
    properties::check::<snow_2_0::Tables>(reference::snow_2_0::keystream);
}

#[test]
fn snow_2_0_by_aesenc() {
    known::check::<snow_2_0::Aesenc>("snow-2.0");
    properties::check::<snow_2_0::Aesenc>(reference::snow_2_0::keystream);
    properties::check_many::<snow_2_0::Aesenc>();
}

#[test]
fn dragon() {
    known::check::<dragon::Dragon>("dragon");
    properties::check::<dragon::Dragon>(reference::dragon::keystream);
}

#[test]
fn sosemanuk() {
    known::check::<sosemanuk::Sosemanuk>("sosemanuk");
    properties::check::<sosemanuk::Sosemanuk>(reference::sosemanuk::keystream);
    properties::check_many::<sosemanuk::Sosemanuk>();
}
