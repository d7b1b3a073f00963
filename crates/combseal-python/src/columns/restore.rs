//! From canonical bytes back to a column of the type that it had.

use super::fault::{Fault, Result};
use super::input::bit;
use super::open::Raw;
use super::output::{Buffer, Owned};
use super::pages::{Pages, bitmap};
use super::seal::ones;
use super::types::{Layout, Logical, Type};

/// The column, and its format: with offsets of 64 bits if others do not do. Rows whose bytes are no
/// value of the type are added to those that failed.
///
/// # Errors
/// If there is no memory.
pub fn restore(mut raw: Raw, ty: &Type, large: bool) -> Result<(Owned, Raw, String)> {
    let len = raw.offsets.len() - 1;
    let mut format = ty.format.clone();
    let buffers = match (ty.layout, ty.logical) {
        (Layout::Null, _) => {
            for i in 0..len {
                if bit(&raw.valid, i) {
                    fail(&mut raw, i);
                }
            }
            Vec::new()
        }
        (Layout::Offsets32 | Layout::Offsets64 | Layout::Views, logical) => {
            if logical == (Logical::Bytes { text: true }) {
                check_text(&mut raw);
            }
            let mut data = std::mem::take(&mut raw.data);
            data.truncate(raw.len);
            let large = large || ty.layout == Layout::Offsets64 || i32::try_from(raw.len).is_err();
            format = format.to_lowercase();
            let offsets = if large {
                format = format.to_uppercase();
                Buffer::I64(std::mem::take(&mut raw.offsets))
            } else {
                let mut narrow = Pages::zeros(raw.offsets.len())?;
                narrow.iter_mut().zip(&raw.offsets[..]).for_each(|(to, &at)| *to = at as i32);
                Buffer::I32(narrow)
            };
            vec![offsets, Buffer::Pages(data)]
        }
        (Layout::Bits, _) => {
            let mut bits = bitmap(len)?;
            let mut one = Vec::new();
            for i in 0..len {
                one.clear();
                if !bit(&raw.valid, i) {
                    continue;
                }
                if !ty.restore(raw.value(i), &mut one) {
                    fail(&mut raw, i);
                } else if one == [1] {
                    bits[i / 8] |= 1 << (i % 8);
                }
            }
            vec![Buffer::Bytes(bits)]
        }
        (Layout::Fixed(width), _) => {
            let mut values = Pages::zeros(len.checked_mul(width).ok_or(Fault::Memory)?)?;
            let mut one = Vec::new();
            for i in 0..len {
                if !bit(&raw.valid, i) {
                    continue;
                }
                one.clear();
                if ty.restore(raw.value(i), &mut one) {
                    values[i * width..(i + 1) * width].copy_from_slice(&one);
                } else {
                    fail(&mut raw, i);
                }
            }
            vec![Buffer::Pages(values)]
        }
    };
    let nulls = len - ones(&raw.valid);
    let validity = (nulls > 0 && ty.layout != Layout::Null).then(|| raw.valid.clone());
    Ok((Owned { len, nulls, validity, buffers, dictionary: None }, raw, format))
}

impl Raw {
    /// The canonical bytes of row `i`.
    pub fn value(&self, i: usize) -> &[u8] {
        &self.data[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }
}

fn fail(raw: &mut Raw, i: usize) {
    raw.valid[i / 8] &= !(1 << (i % 8));
    raw.failed[i / 8] |= 1 << (i % 8);
}

/// Values that are not UTF-8 fail, and become zeros.
fn check_text(raw: &mut Raw) {
    let len = raw.offsets.len() - 1;
    if let Ok(text) = std::str::from_utf8(&raw.data[..raw.len])
        && raw.offsets.iter().all(|&at| text.is_char_boundary(at as usize))
    {
        return;
    }
    for i in 0..len {
        if std::str::from_utf8(raw.value(i)).is_err() {
            let (from, end) = (raw.offsets[i] as usize, raw.offsets[i + 1] as usize);
            raw.data[from..end].fill(0);
            fail(raw, i);
        }
    }
}

/// A column of bits.
pub fn bits(bits: Vec<u8>, len: usize) -> Owned {
    Owned { len, nulls: 0, validity: None, buffers: vec![Buffer::Bytes(bits)], dictionary: None }
}
