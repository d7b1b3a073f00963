//! Arrow's types as columns know them: how a value lies in memory, and which byte string stands for
//! it under the cipher, the same for every layout and width of one kind.

use super::fault::{Fault, Result};

/// How values lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// No buffers: all null.
    Null,
    /// A bit each.
    Bits,
    /// So many bytes each.
    Fixed(usize),
    /// Between offsets of 32 bits.
    Offsets32,
    /// Between offsets of 64 bits.
    Offsets64,
    /// Views: short ones in place, long ones in one of several buffers.
    Views,
}

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logical {
    /// Nothing but nulls.
    Null,
    /// Bytes; `text` if they are UTF-8. One kind, so that a text joins with its bytes.
    Bytes { text: bool },
    /// True or false.
    Bool,
    /// A whole number.
    Int { signed: bool },
    /// A binary fraction of so many bytes.
    Float(usize),
    /// Days, or milliseconds that are whole days.
    Date { millis: bool },
    /// Time of the day: so many to the second.
    Time { per_second: i64 },
    /// A moment: so many to the second, of a known zone (then it is UTC) or not.
    Timestamp { per_second: i64, zoned: bool },
    /// A span: so many to the second.
    Duration { per_second: i64 },
    /// A decimal fraction with so many digits behind the point.
    Decimal { scale: i8 },
}

/// A type, without its dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Arrow's format string.
    pub format: String,
    pub layout: Layout,
    pub logical: Logical,
}

fn unit(letter: Option<&u8>) -> Option<i64> {
    Some(match letter? {
        b's' => 1,
        b'm' => 1000,
        b'u' => 1_000_000,
        b'n' => 1_000_000_000,
        _ => return None,
    })
}

impl Type {
    /// Of Arrow's format string.
    ///
    /// # Errors
    /// Of a nested type, or one that has no canonical bytes.
    pub fn parse(format: &str) -> Result<Self> {
        let bytes = format.as_bytes();
        let refuse = || Fault::Type(format!("columns of Arrow's type {format:?} are not supported"));
        let int = |width: usize, signed| (Layout::Fixed(width), Logical::Int { signed });
        let (layout, logical) = match bytes {
            b"n" => (Layout::Null, Logical::Null),
            b"b" => (Layout::Bits, Logical::Bool),
            b"c" => int(1, true),
            b"C" => int(1, false),
            b"s" => int(2, true),
            b"S" => int(2, false),
            b"i" => int(4, true),
            b"I" => int(4, false),
            b"l" => int(8, true),
            b"L" => int(8, false),
            b"e" => (Layout::Fixed(2), Logical::Float(2)),
            b"f" => (Layout::Fixed(4), Logical::Float(4)),
            b"g" => (Layout::Fixed(8), Logical::Float(8)),
            b"z" => (Layout::Offsets32, Logical::Bytes { text: false }),
            b"u" => (Layout::Offsets32, Logical::Bytes { text: true }),
            b"Z" => (Layout::Offsets64, Logical::Bytes { text: false }),
            b"U" => (Layout::Offsets64, Logical::Bytes { text: true }),
            b"vz" => (Layout::Views, Logical::Bytes { text: false }),
            b"vu" => (Layout::Views, Logical::Bytes { text: true }),
            b"tdD" => (Layout::Fixed(4), Logical::Date { millis: false }),
            b"tdm" => (Layout::Fixed(8), Logical::Date { millis: true }),
            [b't', b't', rest @ ..] if rest.len() == 1 => {
                let per_second = unit(rest.first()).ok_or_else(refuse)?;
                (Layout::Fixed(if per_second <= 1000 { 4 } else { 8 }), Logical::Time { per_second })
            }
            [b't', b's', rest @ ..] if rest.get(1) == Some(&b':') => {
                let (per_second, zoned) = (unit(rest.first()).ok_or_else(refuse)?, rest.len() > 2);
                (Layout::Fixed(8), Logical::Timestamp { per_second, zoned })
            }
            [b't', b'D', rest @ ..] if rest.len() == 1 => {
                (Layout::Fixed(8), Logical::Duration { per_second: unit(rest.first()).ok_or_else(refuse)? })
            }
            [b'w', b':', ..] => {
                let width = format[2..].parse().map_err(|_| refuse())?;
                (Layout::Fixed(width), Logical::Bytes { text: false })
            }
            [b'd', b':', ..] => {
                let mut parts = format[2..].split(',');
                let _digits: u32 = parts.next().and_then(|text| text.parse().ok()).ok_or_else(refuse)?;
                let scale = parts.next().and_then(|text| text.parse().ok()).ok_or_else(refuse)?;
                let bits: usize = parts.next().map_or(Ok(128), str::parse).map_err(|_| refuse())?;
                if ![32, 64, 128, 256].contains(&bits) {
                    return Err(refuse());
                }
                (Layout::Fixed(bits / 8), Logical::Decimal { scale })
            }
            _ => return Err(refuse()),
        };
        Ok(Self { format: format.into(), layout, logical })
    }

    /// What tells the kinds apart in the associated data.
    pub fn tag(&self) -> [u8; 2] {
        match self.logical {
            Logical::Null => [b'0', 0],
            Logical::Bytes { .. } => [b'b', 0],
            Logical::Bool => [b't', 0],
            Logical::Int { .. } => [b'i', 0],
            Logical::Float(width) => [b'f', width as u8],
            Logical::Date { .. } => [b'd', 0],
            Logical::Time { .. } => [b'c', 0],
            Logical::Timestamp { zoned, .. } => [b's', zoned.into()],
            Logical::Duration { .. } => [b'p', 0],
            Logical::Decimal { scale } => [b'n', scale as u8],
        }
    }

    /// The type that an opened column has: of views, the same with offsets.
    pub fn restored(&self) -> Self {
        match &*self.format {
            "vu" => Self { format: "u".into(), layout: Layout::Offsets32, ..*self },
            "vz" => Self { format: "z".into(), layout: Layout::Offsets32, ..*self },
            _ => self.clone(),
        }
    }
}
