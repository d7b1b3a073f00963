//! Associated data that a context keeps for the next message, without which "those of the message before"
//! could not be said. That message is the last one that was sealed, or opened and authentic: what was refused
//! or forged changes nothing.

use crate::edge::Refused;

/// Keeps these bytes.
///
/// # Errors
/// [`Refused::NotSupported`] if there is no memory for them.
#[inline(always)]
pub fn keep(kept: &mut Vec<u8>, ad: &[u8]) -> Result<(), Refused> {
    if ad.is_empty() {
        // Not compared: glibc's `memcmp` takes 600 cycles for no bytes at an empty vector's address,
        // which it reads by a mask that leaves all of them out, and that no page is there is found slowly.
        kept.clear();
    } else if kept != ad {
        kept.clear();
        append(kept, ad)?;
    }
    Ok(())
}

/// Has room for so many bytes in all, so that [`keep`] of as many cannot fail.
///
/// # Errors
/// As [`keep`].
pub fn room(kept: &mut Vec<u8>, len: usize) -> Result<(), Refused> {
    kept.try_reserve(len.saturating_sub(kept.len())).map_err(|_| Refused::NotSupported)
}

/// Keeps these bytes behind those that are kept.
///
/// # Errors
/// As [`keep`].
pub fn append(kept: &mut Vec<u8>, more: &[u8]) -> Result<(), Refused> {
    kept.try_reserve(more.len()).map_err(|_| Refused::NotSupported)?;
    kept.extend_from_slice(more);
    Ok(())
}
