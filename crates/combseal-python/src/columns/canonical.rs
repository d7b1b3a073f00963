//! The byte string that stands for a value under the cipher. Whole numbers of any width have one form,
//! moments and spans of any unit too, so that equal values have equal tokens wherever they come from.

use super::input::View;
use super::number::{i64_of, nanoseconds, wide};
use super::types::{Logical, Type};

/// `n` in units that are `per` as long; `None` if they do not divide it, since what is left over was authenticated too.
fn divided(n: i64, per: i64) -> Option<i64> {
    (n % per == 0).then_some(n / per)
}

/// Whole seconds and the nanoseconds behind them.
fn moment(n: i64, per_second: i64) -> [u8; 12] {
    let mut it = [0; 12];
    it[..8].copy_from_slice(&n.div_euclid(per_second).to_be_bytes());
    let nanos = n.rem_euclid(per_second) * (1_000_000_000 / per_second);
    it[8..].copy_from_slice(&(nanos as u32).to_be_bytes());
    it
}

/// Whether a decimal fraction fits sixteen bytes.
fn narrow(it: &[u8; 32]) -> bool {
    let fill = if it[15] >= 128 { 255 } else { 0 };
    it[16..].iter().all(|&byte| byte == fill)
}

impl View<'_> {
    /// Bytes that [`canonical`](Self::canonical) appends for value `i`.
    #[inline]
    pub fn canonical_len(&self, i: usize) -> usize {
        match self.ty.logical {
            Logical::Null => 0,
            Logical::Bytes { .. } | Logical::Float(_) => self.bytes(i).len(),
            Logical::Bool => 1,
            Logical::Int { signed } => 8 + usize::from(!signed && wide(self.bytes(i), false)[7] >= 128),
            Logical::Date { .. } | Logical::Time { .. } => 8,
            Logical::Timestamp { .. } | Logical::Duration { .. } => 12,
            Logical::Decimal { .. } => {
                if narrow(&wide(self.bytes(i), true)) {
                    16
                } else {
                    32
                }
            }
        }
    }

    /// Appends the canonical bytes of value `i`, which is not null.
    #[inline]
    pub fn canonical(&self, i: usize, to: &mut Vec<u8>) {
        match self.ty.logical {
            Logical::Null => {}
            Logical::Bytes { .. } => to.extend_from_slice(self.bytes(i)),
            Logical::Float(_) => to.extend(self.bytes(i).iter().rev()),
            Logical::Bool => to.push(self.truth(i).into()),
            Logical::Int { signed } => {
                let it = wide(self.bytes(i), signed);
                if !signed && it[7] >= 128 {
                    to.push(0);
                }
                to.extend(it[..8].iter().rev());
            }
            Logical::Date { millis } => {
                let n = i64_of(self.bytes(i));
                // Of milliseconds that are no whole days, the day.
                to.extend(if millis { n.div_euclid(86_400_000) } else { n }.to_be_bytes());
            }
            Logical::Time { per_second } => {
                // Times without such a number were refused when the array was looked at.
                to.extend(nanoseconds(self.bytes(i), per_second).unwrap_or(i64::MAX).to_be_bytes());
            }
            Logical::Timestamp { per_second, .. } | Logical::Duration { per_second } => {
                to.extend(moment(i64_of(self.bytes(i)), per_second));
            }
            Logical::Decimal { .. } => {
                let it = wide(self.bytes(i), true);
                let len = if narrow(&it) { 16 } else { 32 };
                to.extend(it[..len].iter().rev());
            }
        }
    }
}

/// A big-endian number as a little-endian one of `width` bytes; `None` if it does not fit.
fn narrowed(bytes: &[u8], width: usize, signed: bool) -> Option<[u8; 32]> {
    let mut reversed = [0; 33];
    let room = reversed.get_mut(..bytes.len())?;
    room.copy_from_slice(bytes);
    room.reverse();
    let it = wide(&reversed[..bytes.len().min(32)], true);
    let negative = it[31] >= 128;
    let top = it.get(width.checked_sub(1)?)? >= &128;
    let fill = if negative { 255 } else { 0 };
    let fits = it[width..].iter().all(|&byte| byte == fill) && if signed { top == negative } else { !negative };
    fits.then_some(it)
}

impl Type {
    /// Appends the value that has these canonical bytes as it lies in memory (of a bit, a byte), or
    /// says that it has none of this type, and appends nothing.
    pub fn restore(&self, canonical: &[u8], to: &mut Vec<u8>) -> bool {
        let super::types::Layout::Fixed(width) = self.layout else {
            let ok = self.logical == Logical::Bool && matches!(canonical, [0 | 1]);
            to.extend(canonical.first().filter(|_| ok));
            return ok;
        };
        let number = || narrowed(canonical, 8, true).map(|it| i64_of(&it[..8]));
        let number = match self.logical {
            Logical::Bytes { .. } | Logical::Float(_) => {
                if canonical.len() != width {
                    return false;
                }
                to.extend_from_slice(canonical);
                if matches!(self.logical, Logical::Float(_)) {
                    let from = to.len() - width;
                    to[from..].reverse();
                }
                return true;
            }
            Logical::Int { signed } => {
                let whole = canonical.len() == 8 || canonical.len() == 9 && canonical[0] == 0;
                let it = narrowed(canonical, width, signed).filter(|_| whole);
                if let Some(it) = it {
                    to.extend_from_slice(&it[..width]);
                }
                return it.is_some();
            }
            Logical::Decimal { .. } => {
                let it = narrowed(canonical, width, true).filter(|_| canonical.len() >= 16);
                if let Some(it) = it {
                    to.extend_from_slice(&it[..width]);
                }
                return it.is_some();
            }
            Logical::Date { millis } => number().and_then(|n| n.checked_mul(if millis { 86_400_000 } else { 1 })),
            Logical::Time { per_second } => number().and_then(|n| divided(n, 1_000_000_000 / per_second)),
            Logical::Timestamp { per_second, .. } | Logical::Duration { per_second } => {
                let seconds = canonical.get(..8).and_then(|it| it.try_into().ok()).map(i64::from_be_bytes);
                let nanos = canonical.get(8..12).and_then(|it| it.try_into().ok()).map(u32::from_be_bytes);
                seconds.zip(nanos).filter(|_| canonical.len() == 12).and_then(|(seconds, nanos)| {
                    let more = divided(i64::from(nanos), 1_000_000_000 / per_second)?;
                    i64::try_from(i128::from(seconds) * i128::from(per_second) + i128::from(more)).ok()
                })
            }
            Logical::Null | Logical::Bool => None,
        };
        let Some(number) = number else { return false };
        let Some(it) = narrowed(&number.to_be_bytes(), width, true) else { return false };
        to.extend_from_slice(&it[..width]);
        true
    }
}
