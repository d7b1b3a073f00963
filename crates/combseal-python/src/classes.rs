//! The classes of pyca's shape. Each is a cipher with the rules of its class; what they do is in
//! `cipher.rs`, `siv.rs` and `many.rs`.

use crate::cipher::{Cipher, Rules};
use crate::{many, siv};
use combseal::Algorithm;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

/// What every class has besides its own methods: nobody gets a copy of a key, nor sees one.
macro_rules! class {
    ($name:ident, $doc:literal, $algorithms:expr, nonces $nonces:expr, short tags $short:expr, { $($methods:tt)* }) => {
        #[doc = $doc]
        #[pyclass(frozen, module = "combseal")]
        pub struct $name(Cipher);

        impl $name {
            const RULES: Rules =
                Rules { name: stringify!($name), algorithms: &$algorithms, nonces: $nonces, short_tags: $short };
        }

        #[pymethods]
        impl $name {
            $($methods)*

            fn __repr__(&self) -> String {
                format!("<combseal.{}, {} bits of key>", self.0.name(), self.0.key_bits())
            }
            fn __reduce__(&self) -> PyResult<()> {
                Err(secret(self.0.name()))
            }
            fn __reduce_ex__(&self, _protocol: &Bound<'_, PyAny>) -> PyResult<()> {
                Err(secret(self.0.name()))
            }
            fn __copy__(&self) -> PyResult<()> {
                Err(secret(self.0.name()))
            }
            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<()> {
                Err(secret(self.0.name()))
            }
        }
    };
}

#[cold]
fn secret(name: &str) -> PyErr {
    PyTypeError::new_err(format!("combseal.{name} holds a key: it cannot be pickled or copied"))
}

/// A class whose messages have nonces.
macro_rules! aead {
    ($name:ident, $doc:literal, $algorithms:expr, nonces $nonces:expr, short tags $short:expr, { $($methods:tt)* }) => {
        class!($name, $doc, $algorithms, nonces $nonces, short tags $short, {
            $($methods)*

            /// Seals `data` and returns it with its tag behind it.
            fn encrypt<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                self.0.encrypt(py, nonce, data, associated_data)
            }
            /// Opens what `encrypt` returned; raises `InvalidTag` if it is not authentic.
            fn decrypt<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyBytes>> {
                self.0.decrypt(py, nonce, data, associated_data)
            }
            /// Seals `data` into `buf`, which has exactly the length that it needs, and returns that.
            fn encrypt_into<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: &Bound<'py, PyAny>,
                buf: &Bound<'py, PyAny>,
            ) -> PyResult<usize> {
                self.0.encrypt_into(py, nonce, data, associated_data, buf)
            }
            /// Opens `data` into `buf`, which has exactly the length that it needs, and returns that.
            /// If `InvalidTag` is raised, `buf` is all zero.
            fn decrypt_into<'py>(
                &self,
                py: Python<'py>,
                nonce: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: &Bound<'py, PyAny>,
                buf: &Bound<'py, PyAny>,
            ) -> PyResult<usize> {
                self.0.decrypt_into(py, nonce, data, associated_data, buf)
            }
            /// Seals many messages in one call: a nonce and associated data each, or one associated
            /// data for all of them.
            #[pyo3(signature = (nonces, data, associated_data=None))]
            fn encrypt_many<'py>(
                &self,
                py: Python<'py>,
                nonces: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyList>> {
                many::encrypt(&self.0, py, nonces, data, associated_data)
            }
            /// Opens many messages in one call. Forged ones raise `InvalidTag`, which has their
            /// `indices`, or with `errors="none"` are `None` in the list.
            #[pyo3(signature = (nonces, data, associated_data=None, *, errors="raise"))]
            fn decrypt_many<'py>(
                &self,
                py: Python<'py>,
                nonces: &Bound<'py, PyAny>,
                data: &Bound<'py, PyAny>,
                associated_data: Option<&Bound<'py, PyAny>>,
                errors: &str,
            ) -> PyResult<Bound<'py, PyList>> {
                many::decrypt(&self.0, py, nonces, data, associated_data, errors)
            }
        });

        impl Holder for $name {
            fn cipher(&self) -> &Cipher {
                &self.0
            }
        }
    };
}

/// A class with keys of several sizes and tags of 16 bytes.
macro_rules! sized {
    ($name:ident, $doc:literal, $algorithms:expr, nonces $nonces:expr) => {
        aead!($name, $doc, $algorithms, nonces $nonces, short tags false, {
            #[new]
            fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
                Cipher::new(&Self::RULES, key, None).map(Self)
            }
            /// A new random key of `bit_length` bits.
            #[staticmethod]
            fn generate_key<'py>(
                py: Python<'py>,
                bit_length: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                Self::RULES.generate(py, Some(bit_length))
            }
        });
    };
}

/// A class with keys of several sizes and tags of several lengths.
macro_rules! sized_tagged {
    ($name:ident, $doc:literal, $algorithms:expr, nonces $nonces:expr, short tags $short:expr) => {
        aead!($name, $doc, $algorithms, nonces $nonces, short tags $short, {
            #[new]
            #[pyo3(signature = (key, tag_length=None), text_signature = "(key, tag_length=16)")]
            fn new(key: &Bound<'_, PyAny>, tag_length: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
                Cipher::new(&Self::RULES, key, tag_length).map(Self)
            }
            /// A new random key of `bit_length` bits.
            #[staticmethod]
            fn generate_key<'py>(
                py: Python<'py>,
                bit_length: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                Self::RULES.generate(py, Some(bit_length))
            }
        });
    };
}

/// A class with keys of one size.
macro_rules! one_size {
    ($name:ident, $doc:literal, $algorithm:expr, nonces $nonce:expr) => {
        aead!($name, $doc, [$algorithm], nonces ($nonce, $nonce), short tags false, {
            #[new]
            fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
                Cipher::new(&Self::RULES, key, None).map(Self)
            }
            /// A new random key.
            #[staticmethod]
            fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                Self::RULES.generate(py, None)
            }
        });
    };
    (tags $name:ident, $doc:literal, $algorithm:expr, nonces $nonce:expr) => {
        aead!($name, $doc, [$algorithm], nonces ($nonce, $nonce), short tags false, {
            #[new]
            #[pyo3(signature = (key, tag_length=None), text_signature = "(key, tag_length=16)")]
            fn new(key: &Bound<'_, PyAny>, tag_length: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
                Cipher::new(&Self::RULES, key, tag_length).map(Self)
            }
            /// A new random key.
            #[staticmethod]
            fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                Self::RULES.generate(py, None)
            }
        });
    };
}

sized_tagged!(
    AESOCB3,
    "OCB3 (RFC 7253) with AES of 128, 192 or 256 bits; nonces of 12 to 15 bytes, tags of 8 to 16.",
    [Algorithm::Ocb3Aes128, Algorithm::Ocb3Aes192, Algorithm::Ocb3Aes256],
    nonces(12, 15), short tags false
);
sized!(
    AESGCM,
    "GCM (NIST SP 800-38D) with AES of 128, 192 or 256 bits; nonces of 8 to 128 bytes, 12 as a rule.",
    [Algorithm::GcmAes128, Algorithm::GcmAes192, Algorithm::GcmAes256],
    nonces(8, 128)
);
sized_tagged!(
    AESCCM,
    "CCM (NIST SP 800-38C) with AES of 128, 192 or 256 bits; nonces of 7 to 13 bytes, tags of 4 to 16, even.",
    [Algorithm::CcmAes128, Algorithm::CcmAes192, Algorithm::CcmAes256],
    nonces(7, 13), short tags true
);
sized!(
    AESGCMSIV,
    "GCM-SIV (RFC 8452) with AES of 128 or 256 bits; nonces of 12 bytes, which may repeat.",
    [Algorithm::GcmSivAes128, Algorithm::GcmSivAes256],
    nonces(12, 12)
);
sized_tagged!(
    AESEAX,
    "EAX (Bellare, Rogaway and Wagner 2004) with AES of 128, 192 or 256 bits; nonces of 8 to 128 bytes, 16 as a rule, \
     tags of 8 to 16.",
    [Algorithm::EaxAes128, Algorithm::EaxAes192, Algorithm::EaxAes256],
    nonces(8, 128), short tags false
);
one_size!(
    ChaCha20Poly1305,
    "ChaCha20-Poly1305 (RFC 8439); keys of 32 bytes, nonces of 12.",
    Algorithm::ChaCha20Poly1305,
    nonces 12
);
one_size!(
    XChaCha20Poly1305,
    "XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03); keys of 32 bytes, nonces of 24, which may be random.",
    Algorithm::XChaCha20Poly1305,
    nonces 24
);
one_size!(
    tags AEGIS128L,
    "AEGIS-128L (draft-irtf-cfrg-aegis-aead); keys of 16 bytes, nonces of 16, tags of 16 or 32.",
    Algorithm::Aegis128L,
    nonces 16
);
one_size!(
    tags AEGIS256,
    "AEGIS-256 (draft-irtf-cfrg-aegis-aead); keys of 32 bytes, nonces of 32, which may be random, tags of 16 or 32.",
    Algorithm::Aegis256,
    nonces 32
);

class!(
    AESSIV,
    "SIV (RFC 5297) with two AES keys, of 256, 384 or 512 bits together; no nonce, a list of associated data, \
     and the tag before the ciphertext.",
    [Algorithm::SivAes128, Algorithm::SivAes192, Algorithm::SivAes256],
    nonces(16, 16), short tags false,
    {
        #[new]
        fn new(key: &Bound<'_, PyAny>) -> PyResult<Self> {
            Cipher::new(&Self::RULES, key, None).map(Self)
        }
        /// A new random key of `bit_length` bits: 256, 384 or 512.
        #[staticmethod]
        fn generate_key<'py>(py: Python<'py>, bit_length: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            Self::RULES.generate(py, Some(bit_length))
        }
        /// Seals `data` and returns it with its tag before it.
        fn encrypt<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: &Bound<'py, PyAny>,
        ) -> PyResult<Bound<'py, PyBytes>> {
            siv::encrypt(&self.0, py, data, associated_data)
        }
        /// Opens what `encrypt` returned; raises `InvalidTag` if it is not authentic.
        fn decrypt<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: &Bound<'py, PyAny>,
        ) -> PyResult<Bound<'py, PyBytes>> {
            siv::decrypt(&self.0, py, data, associated_data)
        }
        /// Seals `data` into `buf`, which has exactly the length that it needs, and returns that.
        fn encrypt_into<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: &Bound<'py, PyAny>,
            buf: &Bound<'py, PyAny>,
        ) -> PyResult<usize> {
            siv::encrypt_into(&self.0, py, data, associated_data, buf)
        }
        /// Opens `data` into `buf`, which has exactly the length that it needs, and returns that.
        /// If `InvalidTag` is raised, `buf` is all zero.
        fn decrypt_into<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: &Bound<'py, PyAny>,
            buf: &Bound<'py, PyAny>,
        ) -> PyResult<usize> {
            siv::decrypt_into(&self.0, py, data, associated_data, buf)
        }
        /// Seals many messages in one call: a list of associated data each, or one for all of them.
        #[pyo3(signature = (data, associated_data=None))]
        fn encrypt_many<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyList>> {
            many::encrypt_siv(&self.0, py, data, associated_data)
        }
        /// Opens many messages in one call. Forged ones raise `InvalidTag`, which has their
        /// `indices`, or with `errors="none"` are `None` in the list.
        #[pyo3(signature = (data, associated_data=None, *, errors="raise"))]
        fn decrypt_many<'py>(
            &self,
            py: Python<'py>,
            data: &Bound<'py, PyAny>,
            associated_data: Option<&Bound<'py, PyAny>>,
            errors: &str,
        ) -> PyResult<Bound<'py, PyList>> {
            many::decrypt_siv(&self.0, py, data, associated_data, errors)
        }
    }
);

/// A class whose messages have nonces.
trait Holder {
    fn cipher(&self) -> &Cipher;
}

/// The cipher of an object of one of the classes that have nonces.
///
/// # Errors
/// `TypeError` of anything else.
pub fn cipher_of<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<&'a Cipher> {
    macro_rules! any {
        ($($name:ident)*) => {
            $(if let Ok(it) = object.cast::<$name>() {
                return Ok(it.get().cipher());
            })*
        };
    }
    any!(AESOCB3 AESGCM AESCCM AESGCMSIV AESEAX ChaCha20Poly1305 XChaCha20Poly1305 AEGIS128L AEGIS256);
    Err(PyTypeError::new_err("a combseal key whose messages have nonces is required"))
}

/// Puts the classes into the module.
///
/// # Errors
/// Python's.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<AESOCB3>()?;
    m.add_class::<AESGCM>()?;
    m.add_class::<AESCCM>()?;
    m.add_class::<AESSIV>()?;
    m.add_class::<AESGCMSIV>()?;
    m.add_class::<AESEAX>()?;
    m.add_class::<ChaCha20Poly1305>()?;
    m.add_class::<XChaCha20Poly1305>()?;
    m.add_class::<AEGIS128L>()?;
    m.add_class::<AEGIS256>()
}
