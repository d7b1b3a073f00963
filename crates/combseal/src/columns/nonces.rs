//! Where a column's nonces come from: counted, given, or none.

use crate::counter::NonceCounter;
use crate::interface::aead::Aead;
use crate::interface::error::Error;
use crate::interface::tag::{self, COUNTER_LEN, MAX_NONCE_LEN};
use crate::key::Key;
use crate::pipeline::column::Nonce;

/// The nonces of a column's values: see [`Columns`](crate::Columns).
#[derive(Debug)]
pub struct Nonces<'a>(Kind<'a>);

#[derive(Debug)]
enum Kind<'a> {
    Counted(&'a mut NonceCounter),
    From { prefix: &'a [u8], first: u64 },
    Given(&'a [u8]),
    None,
}

impl<'a> Nonces<'a> {
    /// For sealing: each value's is the counter's next. The counter stops at the key's limits; if
    /// there is a key for each value, at those of one.
    ///
    /// No nonce comes twice from one counter, as long as it lives. What was sealed under the key
    /// with other counters it does not know: each needs a prefix of its own, and who goes on after a
    /// restart must say where ([`NonceCounter::starting_at`]), by
    /// [`next_counter`](NonceCounter::next_counter) and
    /// [`blocks_used`](NonceCounter::blocks_used) as they were after the last column, written down
    /// before its cells left. Opening needs the prefix and what
    /// [`Columns::seal`](crate::Columns::seal) returned.
    pub fn counted(counter: &'a mut NonceCounter) -> Self {
        Self(Kind::Counted(counter))
    }

    /// For opening what was sealed with [`counted`](Self::counted) nonces: those of a prefix, from
    /// the counter on that [`Columns::seal`](crate::Columns::seal) returned.
    ///
    /// # Errors
    /// [`Error::PrefixLength`] if no scheme's nonces have room for the prefix and a counter.
    pub fn counted_from(prefix: &'a [u8], first: u64) -> Result<Self, Error> {
        if prefix.len() > MAX_NONCE_LEN - COUNTER_LEN {
            return Err(Error::PrefixLength);
        }
        Ok(Self(Kind::From { prefix, first }))
    }

    /// One for each value, of the key's nonce length, one behind the other.
    ///
    /// **When sealing, none may repeat under its key**, in this column or elsewhere, and this is not
    /// looked for here; with SIV and GCM-SIV a repeated one shows no more than that a value was
    /// repeated. Nor are messages and blocks counted: to keep the key's limits is the caller's part.
    ///
    /// They may lie anywhere but are one buffer: see [`Columns::front`](crate::Columns::front).
    pub fn given(nonces: &'a [u8]) -> Self {
        Self(Kind::Given(nonces))
    }

    /// None: SIV only, whose tag then is S2V of the associated data and the value (RFC 5297), so
    /// that equal values under one key and equal associated data are sealed to equal bytes.
    ///
    /// That is not the same as [`given`](Self::given) nonces of no bytes, which a key takes after
    /// [`set_nonce_len(0)`](Key::set_nonce_len): these are deterministic too, but an empty nonce is
    /// one more string of S2V, so that they make other tokens. Messages and blocks are not counted:
    /// to keep the key's limits is the caller's part.
    pub fn none() -> Self {
        Self(Kind::None)
    }

    /// As the pipeline has them for `count` values, and the first counter. `blocks` says how many
    /// blocks are in all values and their associated data.
    pub(super) fn for_values(
        self,
        key: &Key,
        count: usize,
        blocks: impl FnOnce() -> u64,
        open: bool,
    ) -> Result<(Nonce<'a>, u64), Error> {
        let nonce_len = key.nonce_len();
        let counted = |prefix: &[u8], first: u64| {
            if !(COUNTER_LEN..=MAX_NONCE_LEN).contains(&nonce_len) {
                return Err(Error::NonceLength);
            }
            if prefix.len() + COUNTER_LEN != nonce_len {
                return Err(Error::PrefixLength);
            }
            Ok(Nonce::Counted { begun: tag::Nonce::begin(prefix), first })
        };
        match (self.0, open) {
            (Kind::Counted(counter), false) => {
                if counter.is_xored() {
                    return Err(Error::Unsupported);
                }
                let (prefix, first) = counter.state();
                let nonces = counted(prefix, first)?;
                let first = counter.take(&key.limits(), count as u64, blocks())?;
                Ok((nonces, first))
            }
            (Kind::From { prefix, first }, true) => {
                if first.checked_add(count as u64).is_none() {
                    return Err(Error::Exhausted);
                }
                Ok((counted(prefix, first)?, first))
            }
            (Kind::Given(all), _) => {
                if nonce_len.checked_mul(count) != Some(all.len()) {
                    return Err(Error::NonceLength);
                }
                Ok((Nonce::Given(all), 0))
            }
            (Kind::None, _) if key.algorithm().description().tag_first => Ok((Nonce::None, 0)),
            _ => Err(Error::Unsupported),
        }
    }
}
