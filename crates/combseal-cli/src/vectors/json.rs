//! JSON with a sense of place: every value knows how a person would point at
//! it, so that no error needs to be told where it happened.

use super::error::Error;
use serde_json::Value;

/// A value and the way to it.
#[derive(Clone)]
pub(super) struct At<'a> {
    value: &'a Value,
    place: String,
}

impl<'a> At<'a> {
    /// The file.
    pub fn root(value: &'a Value) -> Self {
        Self { value, place: String::new() }
    }

    /// The same value, called `place` from here on.
    pub fn called(mut self, place: impl Into<String>) -> Self {
        self.place = place.into();
        self
    }

    /// An error here.
    pub fn error(&self, what: impl Into<String>) -> Error {
        Error::new(&self.place, what)
    }

    fn wants<T>(&self, found: Option<T>, what: &str) -> Result<T, Error> {
        found.ok_or_else(|| {
            let is = match self.value {
                Value::Null => "null",
                Value::Bool(_) => "true or false",
                Value::Number(_) => "a number",
                Value::String(_) => "a string",
                Value::Array(_) => "a list",
                Value::Object(_) => "an object",
            };
            self.error(format!("{what} is wanted here, and this is {is}"))
        })
    }

    fn inside(&self, name: &str) -> String {
        if self.place.is_empty() { format!("\"{name}\"") } else { format!("{}: \"{name}\"", self.place) }
    }

    /// The field `name`, if it is there and not null.
    pub fn get(&self, name: &str) -> Result<Option<At<'a>>, Error> {
        let object = self.wants(self.value.as_object(), "an object")?;
        Ok(object.get(name).filter(|v| !v.is_null()).map(|value| At { value, place: self.inside(name) }))
    }

    /// The field `name`.
    pub fn field(&self, name: &str) -> Result<At<'a>, Error> {
        self.get(name)?.ok_or_else(|| self.error(format!("the field \"{name}\" is missing")))
    }

    /// The elements of a list, called `what` 1, 2, …
    pub fn list(&self, what: &str) -> Result<Vec<At<'a>>, Error> {
        let list = self.wants(self.value.as_array(), "a list")?;
        let prefix = if self.place.is_empty() || self.place.starts_with('"') {
            String::new()
        } else {
            format!("{}: ", self.place)
        };
        Ok((1..).zip(list).map(|(i, value)| At { value, place: format!("{prefix}{what} {i}") }).collect())
    }

    /// A string.
    pub fn str(&self) -> Result<&'a str, Error> {
        self.wants(self.value.as_str(), "a string")
    }

    /// True or false.
    pub fn bool(&self) -> Result<bool, Error> {
        self.wants(self.value.as_bool(), "true or false")
    }

    /// A number of bytes, bits or tests.
    pub fn number(&self) -> Result<u64, Error> {
        self.wants(self.value.as_u64(), "a whole number")
    }

    /// A number of bits that are whole bytes, as bytes.
    pub fn bits(&self) -> Result<usize, Error> {
        let bits = self.number()?;
        if bits % 8 != 0 || bits > 1 << 16 {
            return Err(self.error(format!("{bits} is not a number of bits that makes whole bytes")));
        }
        Ok(bits as usize / 8)
    }

    /// A name: a string or a number.
    pub fn id(&self) -> Result<String, Error> {
        match self.value {
            Value::String(s) => Ok(s.clone()),
            Value::Number(n) => Ok(n.to_string()),
            _ => self.wants(None, "a number or a string"),
        }
    }

    /// Bytes in hexadecimal.
    pub fn hex(&self) -> Result<Vec<u8>, Error> {
        let text = self.str()?.as_bytes();
        if let Some(i) = text.iter().position(|c| !c.is_ascii_hexdigit()) {
            let c = self.str()?[..].chars().find(|c| !c.is_ascii_hexdigit()).unwrap_or('?');
            return Err(self.error(format!("{c:?} at offset {i} is no hexadecimal digit")));
        }
        if text.len() % 2 != 0 {
            return Err(self.error(format!("{} hexadecimal digits, an odd number", text.len())));
        }
        let digit = |c: u8| (c as char).to_digit(16).unwrap_or(0) as u8;
        Ok(text.chunks_exact(2).map(|p| digit(p[0]) << 4 | digit(p[1])).collect())
    }

    /// The bytes of the field `name`, which must be there.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, Error> {
        self.field(name)?.hex()
    }

    /// The bytes of the field `name`, or none.
    pub fn maybe_bytes(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        self.get(name)?.map(|v| v.hex()).transpose()
    }
}
