//! The ciphers of large secret tables: HC-128, HC-256, RC4 and the Py family.

use super::reference::py::Form;
use super::{known, properties, reference};
use combseal_archive::streams::cipher::Cipher;
use combseal_archive::streams::{hc_128, hc_256, py, rc4};

#[test]
fn hc_128() {
    known::check::<hc_128::Hc128>("hc-128");
    properties::check::<hc_128::Hc128>(reference::hc_128::keystream);
    properties::check_many::<hc_128::Hc128>();
}

#[test]
fn hc_256() {
    known::check::<hc_256::Hc256>("hc-256");
    properties::check::<hc_256::Hc256>(reference::hc_256::keystream);
}

#[test]
fn rc4() {
    known::check::<rc4::Rc4>("rc4");
    properties::check::<rc4::Rc4>(reference::rc4::keystream);
}

fn rolling<C: Cipher>(name: &str, form: Form) {
    assert_eq!(C::ABOUT.name, name);
    known::check::<C>(name);
    properties::check::<C>(|key, nonce, len| reference::py::keystream(form, key, nonce, len));
}

#[test]
fn py() {
    rolling::<py::Py>("py", reference::py::PY);
    rolling::<py::Py6>("py6", reference::py::PY6);
    rolling::<py::Pypy>("pypy", reference::py::PYPY);
}

#[test]
fn tweaked_py() {
    rolling::<py::TPy>("tpy", reference::py::TPY);
    rolling::<py::TPy6>("tpy6", reference::py::TPY6);
    rolling::<py::TPypy>("tpypy", reference::py::TPYPY);
}
