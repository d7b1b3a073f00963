//! How a call fails: numbers that never change their meaning, and a sentence and a name for each.
//! They are those of `combseal.h`; a test compares the two.

#![allow(unsafe_code)] // `no_mangle`.

use core::ffi::{CStr, c_char, c_int};

macro_rules! codes {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        /// What a function of `combseal.h` returns: 0, or a negative number for good.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct Code(c_int);

        impl Code {
            // A build without streams has no use for theirs.
            $(#[doc = $text] #[cfg_attr(not(feature = "stream"), allow(dead_code))] pub const $name: Self = Self($number);)*

            /// The sentence.
            fn text(self) -> &'static CStr {
                const ALL: &[(c_int, &str)] = &[$(($number, concat!($text, "\0"))),*];
                look_up(ALL, self.0).unwrap_or(c"an error of no known number")
            }

            /// The macro's name in the header.
            fn name(self) -> &'static CStr {
                const ALL: &[(c_int, &str)] = &[$(($number, concat!("COMBSEAL_", stringify!($name), "\0"))),*];
                look_up(ALL, self.0).unwrap_or(c"COMBSEAL_ERROR_UNKNOWN")
            }
        }

        /// All names and numbers, for the test that compares them with the header.
        #[cfg(test)]
        const ALL: &[(&str, c_int)] = &[$((stringify!($name), $number)),*];
    };
}

codes! {
    OK = 0, "success";
    ERROR_FORGED = -1, "the message is not authentic";
    ERROR_KEY_LENGTH = -2, "the key has the wrong length";
    ERROR_NONCE_LENGTH = -3, "the nonce has a length that this key does not take";
    ERROR_PREFIX_LENGTH = -4, "the prefix must be eight bytes shorter than the nonce";
    ERROR_TAG_LENGTH = -5, "the tag has a length that this key does not take";
    ERROR_BUFFER_LENGTH = -6, "the buffers' lengths, or offsets into them, do not fit";
    ERROR_MESSAGE_TOO_LONG = -7, "the message is longer than the scheme allows";
    ERROR_AD_TOO_LONG = -8, "the associated data is longer than the scheme allows";
    ERROR_EXHAUSTED = -9, "nothing more may be sealed under this key";
    ERROR_NONCE_REPEATED = -10, "the batch has this nonce under this key already";
    ERROR_REPLAYED = -11, "the message was accepted before, or is older than the replay window";
    ERROR_NONCE_PREFIX = -12, "the nonce is not of the sender that is watched for replays";
    ERROR_UNSUPPORTED = -13, "the scheme, or this build, has no such form";
    ERROR_UNKNOWN_NAME = -14, "no algorithm or tier here has that name";
    ERROR_NOT_RUN = -15, "the batch did not come to this job";
    ERROR_NULL = -16, "a pointer is NULL and must not be";
    ERROR_OVERLAP = -17, "buffers overlap that must be the same or apart";
    ERROR_HANDLE = -18, "the object is not initialised, was freed, or is of another kind";
    ERROR_MEMORY = -19, "there is not enough memory";
    ERROR_PLACE = -20, "the memory for the object is too small or not aligned";
    ERROR_OPTION = -21, "a field of an options structure has no such value";
    ERROR_NOT_SEALED = -32, "this is not a sealed stream";
    ERROR_TEXT_DAMAGED = -33, "the sealed stream was changed by something that took it for text";
    ERROR_OVER_CAP = -34, "the stream's header asks for more than is allowed";
    ERROR_DAMAGED_HEADER = -35, "the stream's header is damaged";
    ERROR_WRONG_KEY = -36, "the key or passphrase is not one of this stream's";
    ERROR_WRONG_CONTEXT = -37, "the context is not the one that the stream was sealed with";
    ERROR_DAMAGED = -38, "a segment of the stream is damaged";
    ERROR_CUT_OR_DAMAGED = -39, "the stream was cut short, or its end is damaged";
    ERROR_TRUNCATED = -40, "the stream was cut short";
    ERROR_LOCKS = -41, "a stream has from 1 to 16 keys and passphrases, and no more than slots";
    ERROR_SAME_LOCK = -42, "the same key or passphrase twice";
    ERROR_SEGMENT_LENGTH = -43, "segments are powers of two from 4 KiB to 16 MiB";
    ERROR_COSTS = -44, "the passphrase's costs are too low, or not Argon2's";
    ERROR_THREADS = -45, "the threads could not be started";
    ERROR_RANDOM = -46, "the operating system gave no random bytes";
    ERROR_IO = -47, "the caller's function failed to read or to write";
    ERROR_FAILED = -48, "an earlier call on this stream failed, or it is finished";
    ERROR_OTHER = -99, "an error that this version has no number for";
}

/// The text of a number, from a table in which each ends with a NUL.
fn look_up(all: &'static [(c_int, &'static str)], number: c_int) -> Option<&'static CStr> {
    let (_, text) = all.iter().find(|(n, _)| *n == number)?;
    CStr::from_bytes_with_nul(text.as_bytes()).ok()
}

impl Code {
    /// The number of a result.
    #[inline(always)]
    pub fn of(done: Result<(), Self>) -> c_int {
        match done {
            Ok(()) => Self::OK.0,
            Err(code) => code.0,
        }
    }
}

impl From<combseal::Error> for Code {
    fn from(error: combseal::Error) -> Self {
        use combseal::Error;
        match error {
            Error::Forged => Self::ERROR_FORGED,
            Error::KeyLength => Self::ERROR_KEY_LENGTH,
            Error::NonceLength => Self::ERROR_NONCE_LENGTH,
            Error::PrefixLength => Self::ERROR_PREFIX_LENGTH,
            Error::TagLength => Self::ERROR_TAG_LENGTH,
            Error::BufferLength => Self::ERROR_BUFFER_LENGTH,
            Error::MessageTooLong => Self::ERROR_MESSAGE_TOO_LONG,
            Error::AdTooLong => Self::ERROR_AD_TOO_LONG,
            Error::Exhausted => Self::ERROR_EXHAUSTED,
            Error::NonceRepeated => Self::ERROR_NONCE_REPEATED,
            Error::Replayed => Self::ERROR_REPLAYED,
            Error::NoncePrefix => Self::ERROR_NONCE_PREFIX,
            Error::Unsupported => Self::ERROR_UNSUPPORTED,
            Error::UnknownName => Self::ERROR_UNKNOWN_NAME,
            Error::NotRun => Self::ERROR_NOT_RUN,
            _ => Self::ERROR_OTHER,
        }
    }
}

#[cfg(feature = "stream")]
impl From<combseal::stream::Error> for Code {
    fn from(error: combseal::stream::Error) -> Self {
        use combseal::stream::Error;
        match error {
            Error::NotSealed => Self::ERROR_NOT_SEALED,
            Error::TextDamaged => Self::ERROR_TEXT_DAMAGED,
            Error::Unsupported(_) => Self::ERROR_UNSUPPORTED,
            Error::OverCap { .. } => Self::ERROR_OVER_CAP,
            Error::DamagedHeader => Self::ERROR_DAMAGED_HEADER,
            Error::WrongKey => Self::ERROR_WRONG_KEY,
            Error::WrongContext => Self::ERROR_WRONG_CONTEXT,
            Error::Damaged { .. } => Self::ERROR_DAMAGED,
            Error::CutOrDamaged { .. } => Self::ERROR_CUT_OR_DAMAGED,
            Error::Truncated => Self::ERROR_TRUNCATED,
            Error::TooLong => Self::ERROR_MESSAGE_TOO_LONG,
            Error::Locks => Self::ERROR_LOCKS,
            Error::SegmentLength => Self::ERROR_SEGMENT_LENGTH,
            Error::Costs => Self::ERROR_COSTS,
            Error::KeyLength => Self::ERROR_KEY_LENGTH,
            Error::SameLock => Self::ERROR_SAME_LOCK,
            Error::BufferLength => Self::ERROR_BUFFER_LENGTH,
            Error::Memory => Self::ERROR_MEMORY,
            Error::Threads => Self::ERROR_THREADS,
            Error::Random => Self::ERROR_RANDOM,
            Error::Failed => Self::ERROR_FAILED,
            Error::Io(_) => Self::ERROR_IO,
            _ => Self::ERROR_OTHER,
        }
    }
}

/// `combseal_strerror`: a sentence for any number.
#[unsafe(no_mangle)]
pub extern "C" fn combseal_strerror(code: c_int) -> *const c_char {
    Code(code).text().as_ptr()
}

/// `combseal_error_name`: the macro's name of any number.
#[unsafe(no_mangle)]
pub extern "C" fn combseal_error_name(code: c_int) -> *const c_char {
    Code(code).name().as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header and this file have the same codes, each with its number.
    #[test]
    fn header_has_the_same() {
        let header = include_str!("../include/combseal.h");
        let in_header: Vec<(String, c_int)> = header
            .lines()
            .filter_map(|line| {
                let mut words = line.strip_prefix("#define COMBSEAL_")?.split_whitespace();
                let name = words.next()?;
                let number = words.next()?.trim_matches(['(', ')']).parse().ok()?;
                (name == "OK" || name.starts_with("ERROR_")).then(|| (name.to_string(), number))
            })
            .collect();
        let here: Vec<_> = ALL.iter().map(|&(name, number)| (name.to_string(), number)).collect();
        assert_eq!(here, in_header);
    }

    /// Every number has one name and a sentence of its own, and others have the last word.
    #[test]
    fn texts() {
        for (i, &(name, number)) in ALL.iter().enumerate() {
            assert_eq!(Code(number).name().to_str().unwrap(), format!("COMBSEAL_{name}"));
            assert!(ALL[..i].iter().all(|&(_, other)| other != number && Code(other).text() != Code(number).text()));
        }
        for unknown in [1, -1000, c_int::MIN, c_int::MAX] {
            assert_eq!(Code(unknown).name(), c"COMBSEAL_ERROR_UNKNOWN");
        }
    }
}
