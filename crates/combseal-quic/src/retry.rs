//! Retry packets' integrity tag (RFC 9001, 5.8), under a key that everyone knows: it finds
//! damaged packets, and ties them to the packet that they answer.

use crate::error::Error;
use crate::secret::MAX_CONNECTION_ID_LEN;
use crate::suite::{MAX_PACKET_LEN, TAG_LEN, Version};
use combseal::{Aead, Aes128, Gcm, Tag};

/// The tag of a Retry packet, `retry`, which still lacks it; `original_dst_connection_id` is the
/// Destination Connection ID of the packet that it answers.
///
/// # Errors
/// [`Error::ConnectionIdLength`], [`Error::PacketTooLong`].
pub fn retry_tag(version: Version, original_dst_connection_id: &[u8], retry: &[u8]) -> Result<Tag, Error> {
    let id = original_dst_connection_id;
    if id.len() > MAX_CONNECTION_ID_LEN {
        return Err(Error::ConnectionIdLength);
    }
    if retry.len() > MAX_PACKET_LEN {
        return Err(Error::PacketTooLong);
    }
    let pseudo_packet = [&[id.len() as u8], id, retry].concat();
    let (key, nonce) = version.retry();
    Ok(Gcm::<Aes128>::new(key).seal_in_place(nonce, &pseudo_packet, &mut [])?)
}

/// Checks the tag at the end of a Retry packet.
///
/// # Errors
/// [`Error::Forged`], and the packet is to be dropped; [`Error::PacketTooShort`] if it is shorter
/// than a tag; those of [`retry_tag`].
pub fn check_retry(version: Version, original_dst_connection_id: &[u8], packet: &[u8]) -> Result<(), Error> {
    let Some((retry, tag)) = packet.split_last_chunk::<TAG_LEN>() else { return Err(Error::PacketTooShort) };
    if retry_tag(version, original_dst_connection_id, retry)? == *tag { Ok(()) } else { Err(Error::Forged) }
}
