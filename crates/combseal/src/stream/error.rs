//! How sealing and opening a stream fails, told apart as far as the bytes allow: a wrong key is
//! not damage, and a stream that was cut is neither.

use core::fmt;
use std::io;

/// Why a stream could not be sealed or opened.
///
/// Through [`Read`](io::Read) and [`Write`](io::Write) it travels inside an [`io::Error`], from
/// which `io::Error::downcast::<stream::Error>` takes it out again. The `io::Error` has the kind
///
/// - of the error within, for [`Io`](Self::Io), and is that error;
/// - `UnexpectedEof` for [`Truncated`](Self::Truncated) and [`CutOrDamaged`](Self::CutOrDamaged);
/// - `InvalidData` for [`NotSealed`](Self::NotSealed), [`TextDamaged`](Self::TextDamaged),
///   [`OverCap`](Self::OverCap), [`DamagedHeader`](Self::DamagedHeader),
///   [`WrongContext`](Self::WrongContext) and [`Damaged`](Self::Damaged);
/// - `PermissionDenied` for [`WrongKey`](Self::WrongKey);
/// - `Unsupported` for [`Unsupported`](Self::Unsupported), `FileTooLarge` for
///   [`TooLong`](Self::TooLong), `OutOfMemory` for [`Memory`](Self::Memory);
/// - `Other` for [`Threads`](Self::Threads), [`Random`](Self::Random) and
///   [`Failed`](Self::Failed);
/// - `InvalidInput` for the others, which are all about what the caller gave.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input does not begin as a sealed stream does.
    NotSealed,
    /// The input was a sealed stream before it went through something that treats bytes as text
    /// (line ends converted, a high bit lost, another encoding). What is left cannot be opened.
    TextDamaged,
    /// The header asks for something that this version, or this build, does not have.
    Unsupported(Unsupported),
    /// The header asks for more than the caller allows, which was found before any of it was
    /// spent.
    OverCap {
        /// What is asked for.
        of: Cost,
        /// How much of it.
        asked: u64,
        /// How much is allowed.
        cap: u64,
    },
    /// The header was changed: its checksum, its MAC or a field is wrong.
    DamagedHeader,
    /// No slot of the header opens with this key or passphrase.
    WrongKey,
    /// The key is right, and the context is not the one that the stream was sealed with.
    WrongContext,
    /// A full segment is not authentic: the stream was changed there.
    Damaged {
        /// The segment's number, from 0.
        segment: u64,
    },
    /// The stream's end is not authentic. It was cut within this segment, or the segment was
    /// changed, or something was put behind it: which of these, nobody can tell.
    CutOrDamaged {
        /// The segment's number, from 0.
        segment: u64,
    },
    /// The stream ends where no stream can end: it was cut.
    Truncated,
    /// More data than this scheme may seal under one key in segments of this length.
    TooLong,
    /// No lock, or more of them than the header has slots for. At most 16 are possible.
    Locks,
    /// The length of segments is not a power of two from 4 KiB to 16 MiB, or longer than the
    /// scheme's messages may be.
    SegmentLength,
    /// The costs are not Argon2's, or too low to seal with.
    Costs,
    /// The key's length in bytes is not one that this kind of stream has.
    KeyLength,
    /// The keyset is not one that can be read, or its parameters are not legal.
    Keyset,
    /// The same key or passphrase twice: each opens one slot. Who replaces it replaces that one.
    SameLock,
    /// There is no slot of this number, or it is free.
    NoSlot,
    /// The slot is the only one in use: without it nobody could open the stream.
    LastSlot,
    /// A change of the slots was interrupted, and the key or passphrase is of the slots before it,
    /// while [`Header::slots`](super::Header::slots) numbers those after it. Any other change
    /// than taking a slot away by its number ends the interrupted one first.
    Interrupted,
    /// The buffers' lengths do not fit.
    BufferLength,
    /// The memory that the passphrase's function or the segments need cannot be had.
    Memory,
    /// The threads could not be started.
    Threads,
    /// The operating system gave no random bytes.
    Random,
    /// An earlier call on this stream failed, and it cannot go on.
    Failed,
    /// Reading or writing failed.
    Io(io::Error),
}

/// What a header may ask for that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// This version of the format.
    Version(u8),
    /// A scheme of this number, which is unknown.
    Scheme(u8),
    /// A scheme that this build was made without.
    NotBuilt(&'static str),
    /// Segments of 2 to the power of this number of bytes.
    Segment(u8),
    /// This number of slots.
    Slots(u8),
    /// Bits that mean nothing in this version.
    Reserved,
    /// A slot of this kind.
    SlotKind(u8),
}

/// What a slot's passphrase may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cost {
    /// Memory in KiB.
    Memory,
    /// Passes over the memory.
    Passes,
    /// Lanes, which may be done at once.
    Lanes,
    /// Memory in KiB times passes, summed over all the slots that one passphrase is tried on.
    Work,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSealed => f.write_str("this is not a sealed stream"),
            Self::TextDamaged => {
                f.write_str("the sealed stream was changed by something that took it for text; transfer it as binary")
            }
            Self::Unsupported(what) => write!(f, "{what}"),
            Self::OverCap { of, asked, cap } => {
                write!(f, "the header asks for {asked} {of}, and no more than {cap} are allowed")
            }
            Self::DamagedHeader => f.write_str("the header is damaged"),
            Self::WrongKey => f.write_str("the key or passphrase is not one of this stream's"),
            Self::WrongContext => f.write_str("the context is not the one that was sealed with"),
            Self::Damaged { segment } => write!(f, "segment {segment} is damaged"),
            Self::CutOrDamaged { segment } => {
                write!(f, "the stream was cut short or its end is damaged (segment {segment})")
            }
            Self::Truncated => f.write_str("the stream was cut short"),
            Self::TooLong => f.write_str("this is more than the scheme may seal under one key in such segments"),
            Self::Locks => {
                f.write_str("a stream has from 1 to as many keys as its header has slots, of which 16 are the most")
            }
            Self::SegmentLength => {
                f.write_str("segments are powers of two from 4 KiB to 16 MiB, and no longer than the scheme's messages")
            }
            Self::Costs => f.write_str("the passphrase's costs are too low, or not Argon2's"),
            Self::KeyLength => f.write_str("the key has the wrong length"),
            Self::Keyset => f.write_str("the keyset is not one of AES-GCM-HKDF streaming keys, or is damaged"),
            Self::SameLock => f.write_str("the same key or passphrase twice; one slot is enough for it"),
            Self::NoSlot => f.write_str("there is no such key slot, or it is free"),
            Self::LastSlot => f.write_str("this is the last key slot; without it nobody could open the stream"),
            Self::Interrupted => f.write_str(
                "a change of the key slots was interrupted, and this key is of the slots before it; end that change by another one first",
            ),
            Self::BufferLength => f.write_str("the buffers' lengths do not fit"),
            Self::Memory => f.write_str("there is not enough memory"),
            Self::Threads => f.write_str("the threads could not be started"),
            Self::Random => f.write_str("the operating system gave no random bytes"),
            Self::Failed => f.write_str("the stream failed before"),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(n) => write!(f, "version {n} of the format is not known here"),
            Self::Scheme(n) => write!(f, "scheme number {n} is not known here"),
            Self::NotBuilt(name) => write!(f, "this build has no {name}"),
            Self::Segment(n) => {
                write!(f, "segments of 2^{n} bytes are outside of 4 KiB to 16 MiB, or of the scheme's messages")
            }
            Self::Slots(n) => write!(f, "{n} key slots are none, or more than 16"),
            Self::Reserved => f.write_str("the header has bits that mean nothing in this version"),
            Self::SlotKind(n) => write!(f, "key slots of kind {n} are not known here"),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "KiB of memory for a passphrase",
            Self::Passes => "passes for a passphrase",
            Self::Lanes => "lanes for a passphrase",
            Self::Work => "KiB times passes for a passphrase",
        })
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    /// Takes a stream's error out of the `io::Error` that carries it.
    fn from(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(own) => own,
            Err(other) => Self::Io(other),
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        use io::ErrorKind as Kind;
        let kind = match error {
            Error::Io(error) => return error,
            Error::Truncated | Error::CutOrDamaged { .. } => Kind::UnexpectedEof,
            Error::Unsupported(_) => Kind::Unsupported,
            Error::Memory => Kind::OutOfMemory,
            Error::TooLong => Kind::FileTooLarge,
            Error::WrongKey => Kind::PermissionDenied,
            Error::Locks
            | Error::SegmentLength
            | Error::KeyLength
            | Error::Keyset
            | Error::Costs
            | Error::SameLock
            | Error::NoSlot
            | Error::LastSlot
            | Error::Interrupted
            | Error::BufferLength => Kind::InvalidInput,
            Error::Threads | Error::Random | Error::Failed => Kind::Other,
            Error::NotSealed
            | Error::TextDamaged
            | Error::OverCap { .. }
            | Error::DamagedHeader
            | Error::WrongContext
            | Error::Damaged { .. } => Kind::InvalidData,
        };
        Self::new(kind, error)
    }
}
