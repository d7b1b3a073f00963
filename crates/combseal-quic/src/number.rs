//! Packet numbers: how many of their bytes are sent, and what they were (RFC 9000, 17.1 and
//! appendix A).

use crate::error::Error;

/// The largest packet number (RFC 9000, 12.3).
pub const MAX: u64 = (1 << 62) - 1;

/// How many bytes of `number` to send, 1 to 4, if `largest_acked` is the largest number that the
/// peer has acknowledged in this packet number space (RFC 9000, A.2). They go into the two low
/// bits of the packet's first byte, less one.
///
/// # Errors
/// [`Error::PacketNumber`] if the number is too large, is not behind the acknowledged one, or
/// is so far behind it that four bytes could be taken for another number.
pub fn encoded_len(number: u64, largest_acked: Option<u64>) -> Result<usize, Error> {
    let unacked = match largest_acked {
        Some(acked) => number.checked_sub(acked).filter(|&n| n > 0),
        None => number.checked_add(1),
    };
    match unacked {
        Some(n @ ..0x8000_0000) if number <= MAX => Ok(((n.ilog2() + 2).div_ceil(8)) as usize),
        _ => Err(Error::PacketNumber),
    }
}

/// The number of which `len` bytes, 1 to 4, were sent as `truncated`, if `largest` is the
/// largest number of an authentic packet in this packet number space (RFC 9000, A.3): the one
/// that is nearest to the number after it.
///
/// # Errors
/// [`Error::PacketNumber`] if `len` is another, or `truncated` or `largest` is too large for it.
pub fn decode(truncated: u32, len: usize, largest: Option<u64>) -> Result<u64, Error> {
    let known = largest.is_none_or(|n| n <= MAX);
    if !(1..=4).contains(&len) || !known || u64::from(truncated) >> (8 * len) != 0 {
        return Err(Error::PacketNumber);
    }
    Ok(nearest(truncated, len, largest))
}

/// The same of lengths and numbers that are in order.
#[inline]
pub(crate) fn nearest(truncated: u32, len: usize, largest: Option<u64>) -> u64 {
    let expected = largest.map_or(0, |n| n + 1);
    let window = 1 << (8 * len);
    let half = window / 2;
    let candidate = expected & !(window - 1) | u64::from(truncated);
    // Nothing here overflows: all is under 2^62 + 2^33.
    if candidate + half <= expected && candidate + window <= MAX {
        candidate + window
    } else if candidate >= window && (candidate > expected + half || candidate > MAX) {
        candidate - window
    } else {
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 9000, A.2 and A.3.
    #[test]
    fn examples() {
        assert_eq!(encoded_len(0xac5c02, Some(0xabe8b3)), Ok(2));
        assert_eq!(encoded_len(0xace8fe, Some(0xabe8b3)), Ok(3));
        assert_eq!(decode(0x9b32, 2, Some(0xa82f30ea)), Ok(0xa82f9b32));
        // RFC 9001, A.5: 49140 in three bytes.
        assert_eq!(decode(49140, 3, Some(654_360_563)), Ok(654_360_564));
    }

    /// What was acknowledged is at most what the receiver has seen, and that, in either order,
    /// lies within half a window: every number is understood.
    #[test]
    fn round_trips() {
        let around = |n: u64| [n.saturating_sub(2), n.saturating_sub(1), n, n + 1, n + 2];
        let starts = [0, 1 << 7, 1 << 8, 1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 40, MAX - (1 << 32), MAX - 300];
        let steps = [1, 2, 100, 127, 128, 129, 32_767, 32_768, 8_388_607, 8_388_608, 0x7fff_fffe, 0x7fff_ffff];
        let mut done = [0; 5];
        for acked in starts.into_iter().flat_map(around) {
            for step in steps {
                let number = acked + step;
                if number > MAX {
                    assert_eq!(encoded_len(number, Some(acked)), Err(Error::PacketNumber));
                    continue;
                }
                let len = encoded_len(number, Some(acked)).unwrap();
                let truncated = (number & ((1 << (8 * len)) - 1)) as u32;
                for largest in [acked, acked + step / 2, number - 1, number, (number + step / 2).min(MAX)] {
                    assert_eq!(decode(truncated, len, Some(largest)), Ok(number), "{number} after {largest}, {len}");
                }
                done[len] += 1;
            }
        }
        assert!(done[1..].iter().all(|&n| n > 20), "{done:?}");
        // The first packets, before anything is acknowledged or seen.
        for (number, len) in [(0, 1), (126, 1), (127, 2), (1 << 14, 2), (1 << 15, 3)] {
            assert_eq!(encoded_len(number, None), Ok(len), "{number}");
        }
        assert_eq!(decode(5, 1, None), Ok(5));
    }

    #[test]
    fn errors() {
        let error = Err(Error::PacketNumber);
        assert_eq!(encoded_len(5, Some(5)), error.map(|()| 0));
        assert_eq!(encoded_len(5, Some(6)), error.map(|()| 0));
        assert_eq!(encoded_len(5 + (1 << 31), Some(5)), error.map(|()| 0));
        assert_eq!(encoded_len((1 << 31) - 1, None), error.map(|()| 0));
        assert_eq!(encoded_len(u64::MAX, None), error.map(|()| 0));
        assert_eq!(encoded_len(MAX + 1, Some(MAX)), error.map(|()| 0));
        assert_eq!(encoded_len(MAX, Some(MAX - 1)), Ok(1));
        for (truncated, len, largest) in [
            (0, 0, None),
            (0, 5, None),
            (0, usize::MAX, None),
            (256, 1, None),
            (1 << 24, 3, None),
            (0, 1, Some(MAX + 1)),
        ] {
            assert_eq!(decode(truncated, len, largest), error.map(|()| 0), "{truncated} {len}");
        }
    }

    /// The same as RFC 9000's own lines, for any numbers; and never beyond the largest one.
    #[test]
    fn as_the_rfc_writes_it() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state ^ state >> 29
        };
        for i in 0..100_000 {
            let shift = 2 + random() % 60;
            let largest = if i % 3 == 0 { MAX - (random() >> shift).min(MAX) } else { random() >> shift };
            let len = 1 + (random() % 4) as usize;
            let truncated = (random() >> 8) & ((1 << (8 * len)) - 1);
            let (expected, win) = (i128::from(largest) + 1, 1_i128 << (8 * len));
            let candidate = expected & !(win - 1) | i128::from(truncated);
            let rfc = if candidate <= expected - win / 2 && candidate < (1 << 62) - win {
                candidate + win
            } else if candidate > expected + win / 2 && candidate >= win {
                candidate - win
            } else {
                candidate
            };
            let got = decode(truncated as u32, len, Some(largest)).unwrap();
            assert!(got <= MAX);
            if rfc <= i128::from(MAX) {
                assert_eq!(i128::from(got), rfc, "{largest} {truncated:x} {len}");
            }
        }
    }
}
