//! What a scheme keeps of a message that comes in parts. What a scheme does with a part is
//! declared in [`Scheme`](super::scheme::Scheme).

use crate::cpu::Block;
#[cfg(all(feature = "alloc", feature = "chacha20-poly1305"))]
use {
    crate::raw::poly1305::waiting::{LastPass, Waiting},
    alloc::boxed::Box,
};

/// What is known of a message between two of its parts. It does not wipe itself when it is dropped, but for what is boxed:
/// whoever holds it keeps it in an `Erased` (`memory/blank.rs`), which drops it and then zeroes its place. (`secret!`
/// zeroes first and drops the fields then: the pointers would be gone, and what they lead to would be neither
/// wiped nor freed.)
///
/// A block does not lie in two cache lines, and any allocator aligns so much at no cost.
#[repr(C, align(16))]
pub struct Progress {
    /// What the scheme keeps: offset and checksum, say, or counter and hash.
    pub(crate) blocks: [Block; 8],
    /// The last group of blocks that GCM has encrypted, if its hash waits for the next part.
    #[cfg(feature = "gcm")]
    pub(crate) group: [Block; 16],
    /// Bytes of the message that have been done.
    pub(crate) done: [u8; 8],
    /// Bytes of associated data.
    pub(crate) ad_len: [u8; 8],
    /// Whether [`group`](Self::group) waits.
    #[cfg(feature = "gcm")]
    pub(crate) group_waits: bool,
    /// What ChaCha20-Poly1305 keeps besides: some 3 KiB, which no other scheme is to begin with and to wipe.
    #[cfg(all(feature = "alloc", feature = "chacha20-poly1305"))]
    pub(crate) waiting: Option<Box<Waiting>>,
    /// What it keeps instead where there are sixteen vector registers: half a KiB.
    #[cfg(all(feature = "alloc", feature = "chacha20-poly1305"))]
    pub(crate) last_pass: Option<Box<LastPass>>,
}

impl Progress {
    /// Of no message yet: nothing of it is secret, so that it may be moved to where it will be.
    pub(crate) fn blank() -> Self {
        Self {
            blocks: [[0; 16]; 8],
            #[cfg(feature = "gcm")]
            group: [[0; 16]; 16],
            #[cfg(feature = "gcm")]
            group_waits: false,
            done: [0; 8],
            ad_len: [0; 8],
            #[cfg(all(feature = "alloc", feature = "chacha20-poly1305"))]
            waiting: None,
            #[cfg(all(feature = "alloc", feature = "chacha20-poly1305"))]
            last_pass: None,
        }
    }

    /// Before the first part.
    pub(crate) fn begin(&mut self, ad_len: usize) {
        self.ad_len = (ad_len as u64).to_le_bytes();
    }

    /// Bytes of the message that have been done.
    #[inline(always)]
    pub(crate) fn done(&self) -> u64 {
        u64::from_le_bytes(self.done)
    }

    /// `len` more have been.
    #[inline(always)]
    pub(crate) fn advance(&mut self, len: usize) {
        self.done = self.done().wrapping_add(len as u64).to_le_bytes();
    }

    /// Bytes of associated data.
    #[inline(always)]
    pub(crate) fn ad_len(&self) -> u64 {
        u64::from_le_bytes(self.ad_len)
    }
}
