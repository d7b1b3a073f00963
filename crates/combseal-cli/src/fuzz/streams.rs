//! Sealed streams: any header, any change to a stream, any bytes as other people's streams.

use combseal::stream::{
    Argon2Caps, Change, Cobblestone, Error, Header, Lock, OpenedFile, Opening, Settings, TinkKeyset, Unlock, open_all,
    open_vec, rekey, seal_vec,
};
use std::io::{Cursor, Read, Seek, SeekFrom};

const KEY: [u8; 32] = [7; 32];

/// Any bytes as a header, behind a right magic too, with a key and with a passphrase that may
/// cost little.
///
/// # Panics
/// If what a header says of itself does not add up, or if a header opens that nobody sealed.
pub fn header(data: &[u8]) {
    let mut right = b"\x89CMB\r\n\x1a\n\x01".to_vec();
    right.extend(data);
    for bytes in [data, &right] {
        let parsed = Header::parse(bytes);
        let read = Header::read(&mut &bytes[..]);
        assert_eq!(parsed.is_ok(), read.is_ok());
        let caps = Argon2Caps { memory_kib: 64, passes: 1, lanes: 1, work: 64 };
        for unlock in [Unlock::Key(&KEY), Unlock::Passphrase { passphrase: b"guess", caps }] {
            assert!(open_vec(bytes, unlock, b"", 1).is_err());
            assert!(rekey(bytes, unlock, &Change::Remove(0)).is_err());
        }
        let Ok(header) = parsed else { continue };
        assert!(header.header_len() <= bytes.len() && header.slots().len() <= 16);
        assert!((4096..=16 << 20).contains(&header.segment_len()));
        for len in [0, bytes.len() as u64, u64::MAX] {
            if let Ok(plain) = header.plaintext_len(len) {
                let segments = header.segments(len).unwrap_or(0);
                let tags = segments * header.tag_len() as u64;
                assert_eq!(header.header_len() as u64 + plain + tags, len);
            }
        }
    }
}

/// A stream, sealed with a scheme and of a length that `data` chooses, and then changed as
/// `data` says: bytes changed, cut off or put behind it. Every way to open it tells the same, and
/// nothing is given out that is not a beginning of what was sealed.
///
/// # Panics
/// If not.
pub fn open(data: &[u8]) {
    let mut input = data.iter().copied();
    let mut byte = || usize::from(input.next().unwrap_or(0));
    let all = combseal::Algorithm::ALL;
    let algorithm = all[byte() % all.len()];
    let len = (byte() << 8 | byte()) % 20_000;
    let plain: Vec<u8> = (0..len).map(|i| (i * 31 >> 3) as u8).collect();
    let settings = Settings::new().scheme(algorithm).segment_len(4096).threads(1).slots(1 + (byte() % 16) as u8);
    let Ok(sealed) = seal_vec(&plain, &settings, &[Lock::Key(&KEY)]) else { panic!("{algorithm} does not seal") };
    let mut changed = sealed.clone();
    for _ in 0..byte() % 4 {
        let (at, by) = (byte() << 16 | byte() << 8 | byte(), byte());
        match byte() % 8 {
            0 => changed.truncate(at % (changed.len() + 1)),
            1 => changed.extend(std::iter::repeat_n(by as u8, at % 9000)),
            2 if !changed.is_empty() => {
                let (from, n) = (at % changed.len(), by * 16);
                let copy = changed[from..(from + n).min(changed.len())].to_vec();
                changed.extend(copy);
            }
            _ if !changed.is_empty() => {
                let n = changed.len();
                changed[at % n] ^= by as u8;
            }
            _ => {}
        }
    }
    let right = changed == sealed;
    let whole = open_vec(&changed, Unlock::Key(&KEY), b"", 1);
    assert_eq!(whole.is_ok(), right);
    assert!(whole.is_err() || whole.is_ok_and(|it| it == plain));
    let mut out = Vec::new();
    let streamed = Opening::new(&changed[..], Unlock::Key(&KEY), b"", 1).map_err(std::io::Error::from);
    let streamed = streamed.and_then(|mut it| it.read_to_end(&mut out));
    assert!(streamed.is_ok() == right && out == plain[..out.len()] && (!right || out.len() == len));
    let mut copied = Vec::new();
    let done = open_all(&changed[..], &mut copied, Unlock::Key(&KEY), b"", 1, |_| ());
    assert!(done.is_ok() == right && copied == out);
    if let Ok(mut file) = OpenedFile::new(Cursor::new(&changed), Unlock::Key(&KEY), b"", 1) {
        let at = byte() * 97 % (len + 1);
        let mut part = Vec::new();
        let read = file.seek(SeekFrom::Start(at as u64)).and_then(|_| file.read_to_end(&mut part));
        // A range of segments that nobody touched reads, whatever was done to others.
        let stride = 4096 + 16;
        let header = sealed.len() - len - 16 * (len / 4096 + 1);
        let (first, last) = (at / 4096, (at + 5000).min(len).saturating_sub(1).max(at) / 4096);
        let bytes = header + first * stride..(header + (last + 1) * stride).min(sealed.len());
        let untouched = at < len && changed.len() >= bytes.end && changed[bytes.clone()] == sealed[bytes];
        let mut range = Vec::new();
        let ranged = file.read_range(at as u64..at as u64 + 5000, &mut range);
        // The last segment is itself only where the file ends as it did.
        if untouched && changed.len() == sealed.len() {
            assert!(ranged.is_ok() && range == plain[at..(at + 5000).min(len)]);
        }
        assert!(plain[at..].starts_with(&range));
        // Who changes a file behind its end moves the end; what is read is what was sealed there.
        assert!(plain[at..].starts_with(&part) && (!right || read.is_ok()));
        assert_eq!(file.verify().is_ok(), right);
    }
}

/// Any bytes as Cobblestone's and Tink's streams and as Tink's keysets.
///
/// # Panics
/// If any opens under a key that nobody sealed with, or if a keyset that was read is not the one
/// that is written.
pub fn others(data: &[u8]) {
    let Ok(key) = Cobblestone::new(&KEY) else { panic!("a key of 32 bytes is one") };
    assert!(matches!(key.open_vec(data, b"", 1), Err(Error::WrongKey | Error::Truncated)));
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(keyset) = TinkKeyset::from_json(text)
    {
        let json = keyset.to_json();
        let Ok(again) = TinkKeyset::from_json(&json) else { panic!("a keyset that is written is read") };
        assert_eq!(again.to_json(), json);
    }
    if let Ok(keyset) = TinkKeyset::generate(16, 41 + data.len() % 100) {
        assert!(keyset.opening(data, b"").is_err());
        // With the header's length where it belongs, too.
        let bytes = [&[24], data].concat();
        assert!(keyset.opening(&bytes[..], b"").is_err());
    }
}
