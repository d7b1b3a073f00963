//! The keyring as Python has it: numbers and states, and ciphers for domains, but no secret.

use super::cipher::{Cipher, Sealing};
use super::fault::{Fault, Result};
use super::open::Keys;
use super::ring::{Entry, Purpose, SEALED, Secrets, State, TOKENS};
use combseal::{Algorithm, Key};
use pyo3::prelude::*;

/// Secrets with numbers and states. They cannot be read, pickled or copied from Python, and are wiped
/// with the ring.
#[pyclass(frozen, module = "combseal._native", name = "ColumnSecrets")]
pub struct Ring(Secrets);

/// How another program writes its tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    Ours,
    Tink,
    Siv,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn front(form: u8, id: u32) -> [u8; 5] {
    let [a, b, c, d] = id.to_be_bytes();
    [form, a, b, c, d]
}

impl Ring {
    fn opening(&self) -> impl Iterator<Item = &Entry> {
        self.0.entries.iter().filter(|it| it.state != State::Destroyed)
    }

    fn token_key(entry: &Entry, purpose: Purpose, domain: &str) -> Result<Key> {
        let key = entry.domain_key(purpose, domain, purpose.algorithm.key_len())?;
        Ok(Key::new(purpose.algorithm, &key)?)
    }

    fn foreign(entry: &Entry) -> Result<Key> {
        if entry.secret.len() != 64 {
            return Err(Fault::Value(format!("key {} has not the 64 bytes that this wire form is of", entry.id)));
        }
        Ok(Key::new(Algorithm::SivAes256, &entry.secret)?)
    }

    fn one(&self, wire: Wire, entry: &Entry, purpose: Purpose, domain: &str) -> Result<Sealing> {
        Ok(match wire {
            Wire::Ours => Sealing::Token {
                key: Self::token_key(entry, purpose, domain)?.into(),
                front: front(purpose.form, entry.id).to_vec(),
            },
            Wire::Tink if !entry.bare => {
                Sealing::Token { key: Self::foreign(entry)?.into(), front: front(1, entry.id).to_vec() }
            }
            Wire::Tink | Wire::Siv => Sealing::Token { key: Self::foreign(entry)?.into(), front: Vec::new() },
        })
    }

    fn all_tokens(
        &self,
        domain: &str,
        id: Option<u32>,
        wire: Wire,
        ad: Option<Vec<u8>>,
        aes_128: bool,
    ) -> Result<Cipher> {
        let purpose = TOKENS[usize::from(aes_128)];
        let chosen = self.0.chosen(domain, id)?;
        let mut keys = Keys::default();
        let mut others = Vec::new();
        for entry in self.opening() {
            // Another program's keys beside ours, or ours beside its, are for other columns.
            if entry.secret.len() != if wire == Wire::Ours { 32 } else { 64 } && entry.id != chosen.id {
                continue;
            }
            if entry.id != chosen.id && entry.state != State::Destroyed {
                others.push((entry.id, self.one(wire, entry, purpose, domain)?));
            }
            match wire {
                Wire::Ours => {
                    for purpose in TOKENS {
                        let key = Self::token_key(entry, purpose, domain)?;
                        keys.tokens.push((front(purpose.form, entry.id), key));
                    }
                }
                Wire::Tink if !entry.bare => keys.tokens.push((front(1, entry.id), Self::foreign(entry)?)),
                Wire::Tink | Wire::Siv => keys.bare.push(Self::foreign(entry)?),
            }
        }
        let name = if wire == Wire::Ours { purpose.algorithm.name() } else { Algorithm::SivAes256.name() };
        let metadata = vec![
            ("combseal.version".into(), "1".into()),
            ("combseal.mode".into(), "tokens".into()),
            ("combseal.domain".into(), domain.into()),
            ("combseal.algorithm".into(), name.into()),
        ];
        let exact = match wire {
            Wire::Ours => None,
            _ => Some(ad),
        };
        let sealing = self.one(wire, chosen, purpose, domain)?;
        Ok(Cipher { id: chosen.id, sealing, keys, others, exact, metadata })
    }
}

#[pymethods]
impl Ring {
    /// From the text of a keyring of ours, or (`tink`) of Tink's JSON keyset in clear.
    #[new]
    fn new(text: &[u8], tink: bool) -> PyResult<Self> {
        Ok(Self(if tink { Secrets::tink(text)? } else { Secrets::parse(text)? }))
    }

    /// Number, state and check value of each entry.
    #[getter]
    fn entries(&self) -> PyResult<Vec<(u32, &'static str, String)>> {
        let all = self.0.entries.iter().map(|it| {
            let check = if it.state == State::Destroyed { String::new() } else { hex(&it.check()?) };
            Ok((it.id, it.state.name(), check))
        });
        Ok(all.collect::<Result<Vec<_>>>()?)
    }

    /// The number of the key that a domain is sealed with.
    fn chosen(&self, domain: &str, id: Option<u32>) -> PyResult<u32> {
        Ok(self.0.chosen(domain, id)?.id)
    }

    /// The keys of a domain's tokens; `wire` is `""`, `"tink"` or `"siv"`.
    fn tokens(
        &self,
        domain: &str,
        id: Option<u32>,
        wire: &str,
        associated_data: Option<Vec<u8>>,
        aes_128: bool,
    ) -> PyResult<Cipher> {
        let wire = match wire {
            "" => Wire::Ours,
            "tink" => Wire::Tink,
            "siv" => Wire::Siv,
            _ => return Err(Fault::value("wire is None, \"tink\" or \"siv\"").into()),
        };
        Ok(self.all_tokens(domain, id, wire, associated_data, aes_128)?)
    }

    /// The keys of a domain's cells; `scheme` is the name of one.
    fn sealed(&self, domain: &str, id: Option<u32>, scheme: &str) -> PyResult<Cipher> {
        let algorithm = Algorithm::by_name(scheme);
        let purpose = SEALED.into_iter().find(|it| Some(it.algorithm) == algorithm);
        let purpose = purpose.ok_or(Fault::value("scheme is OCB3-AES-256, AES-256-GCM or AES-256-GCM-SIV"))?;
        let chosen = self.0.chosen(domain, id)?;
        let mut keys = Keys::default();
        for entry in self.opening().filter(|it| it.secret.len() == 32) {
            for purpose in SEALED {
                keys.cells.push((purpose, entry.id, entry.domain_key(purpose, domain, 32)?));
            }
        }
        let metadata = vec![
            ("combseal.version".into(), "1".into()),
            ("combseal.mode".into(), "sealed".into()),
            ("combseal.domain".into(), domain.into()),
        ];
        let sealing = Sealing::Cells { domain_key: chosen.domain_key(purpose, domain, 32)?, purpose };
        Ok(Cipher { id: chosen.id, sealing, keys, others: Vec::new(), exact: None, metadata })
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(Fault::kind("secrets are not pickled; a KeyRef is").into())
    }

    fn __copy__(&self) -> PyResult<()> {
        Err(Fault::kind("secrets are not copied").into())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(Fault::kind("secrets are not copied").into())
    }
}

/// HKDF as the columns' keys are derived, for test vectors: `parts` behind the label, `len` bytes.
#[pyfunction]
pub fn derive(secret: &[u8], parts: Vec<Vec<u8>>, len: usize) -> PyResult<Vec<u8>> {
    let parts: Vec<&[u8]> = parts.iter().map(|it| &it[..]).collect();
    let mut out = vec![0; len.min(255 * 32)];
    super::ring::derive(secret, &parts, &mut out)?;
    Ok(out)
}
