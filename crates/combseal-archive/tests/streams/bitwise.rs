//! Trivium, Grain v1, Grain-128 and MICKEY-128: ciphers made for hardware, a bit a step.

use crate::{known, properties, reference};
use combseal_archive::streams::grain_128::Grain128;
use combseal_archive::streams::grain_v1::GrainV1;
use combseal_archive::streams::mickey_128::Mickey128;
use combseal_archive::streams::trivium::{Registers, Trivium};

#[test]
fn trivium() {
    known::check::<Trivium>("trivium");
    properties::check::<Trivium>(reference::trivium::keystream);
    known::check::<Registers>("trivium");
    properties::check::<Registers>(reference::trivium::keystream);
    properties::check_many::<Registers>();
}

#[test]
fn grain_v1() {
    known::check::<GrainV1>("grain-v1");
    properties::check::<GrainV1>(reference::grain_v1::keystream);
    properties::check_many::<GrainV1>();
}

#[test]
fn grain_128() {
    known::check::<Grain128>("grain-128");
    properties::check::<Grain128>(reference::grain_128::keystream);
    properties::check_many::<Grain128>();
}

#[test]
fn mickey_128() {
    known::check::<Mickey128>("mickey-128-2.0");
    properties::check::<Mickey128>(reference::mickey_128::keystream);
    properties::check_many::<Mickey128>();
}
