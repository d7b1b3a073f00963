//! Sealed streams as callers use them: every form gives the same, and what was changed, cut,
//! reordered, spliced or sealed for another context is found.

mod common;

use combseal::Algorithm;
use combseal::stream::{
    Argon2Caps, Argon2Costs, Change, Cost, Error, Header, Lock, OpenedFile, Opening, Sealing, Settings, SlotKind,
    Unlock, Unsupported, open_all, open_all_detached, open_to, open_vec, rekey, seal_all, seal_all_detached, seal_to,
    seal_vec,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

const KEY: [u8; 32] = [7; 32];
const SEGMENT: usize = 4096;

/// Bytes that differ from place to place.
fn noise(n: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15u64 ^ n as u64;
    let mut next = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (x >> 56) as u8
    };
    (0..n).map(|_| next()).collect()
}

fn settings() -> Settings {
    Settings::new().segment_len(SEGMENT).threads(1).context(b"context")
}

fn sealed(n: usize) -> Vec<u8> {
    seal_vec(&noise(n), &settings(), &[Lock::Key(&KEY)]).unwrap()
}

fn open(sealed: &[u8]) -> Result<Vec<u8>, Error> {
    open_vec(sealed, Unlock::Key(&KEY), b"context", 1)
}

/// What `Opening` gives, and how it ends.
fn read(sealed: &[u8], threads: usize) -> (Vec<u8>, Result<(), Error>) {
    let mut out = Vec::new();
    let opening = Opening::new(sealed, Unlock::Key(&KEY), b"context", threads);
    let done = opening.and_then(|mut it| Ok(it.read_to_end(&mut out).map(drop)?));
    (out, done)
}

/// Around segments' borders and the groups that one or two threads take.
fn lengths() -> Vec<usize> {
    let mut all = vec![0, 1, 15, 16, 17, 100];
    for n in [SEGMENT, 2 * SEGMENT, 5 * SEGMENT, 64 * SEGMENT, 256 * SEGMENT] {
        all.extend([n - 1, n, n + 1]);
    }
    all
}

#[test]
fn every_form_gives_the_same() {
    for n in lengths() {
        let plain = noise(n);
        for threads in [1, 2] {
            let settings = settings().threads(threads);
            let sealed = seal_vec(&plain, &settings, &[Lock::Key(&KEY)]).unwrap();
            assert_eq!(sealed.len() as u64, settings.sealed_len(n as u64, 1).unwrap());
            assert_eq!(sealed.len(), 1024 + n + 16 * (n / SEGMENT + 1));
            assert_eq!(open_vec(&sealed, Unlock::Key(&KEY), b"context", threads).unwrap(), plain, "{n}");
            let (opened, done) = read(&sealed, threads);
            done.unwrap();
            assert!(opened == plain, "{n}");

            // In pieces of many lengths, some flushed.
            let mut sealing = Sealing::new(Vec::new(), &settings, &[Lock::Key(&KEY)]).unwrap();
            let (mut rest, mut step) = (&plain[..], 1);
            while !rest.is_empty() {
                let (now, later) = rest.split_at(step.min(rest.len()));
                sealing.write_all(now).unwrap();
                if step % 7 == 3 {
                    sealing.flush().unwrap();
                }
                (rest, step) = (later, step * 3 % 70_001);
                assert_eq!(sealing.written() as usize, n - rest.len());
            }
            let streamed = sealing.finish().unwrap();
            assert_eq!(streamed.len(), sealed.len());
            assert!(open(&streamed).unwrap() == plain, "{n}");
            let mut file = OpenedFile::new(Cursor::new(&streamed), Unlock::Key(&KEY), b"context", threads).unwrap();
            assert_eq!(file.len(), n as u64);
            let mut opened = Vec::new();
            file.read_to_end(&mut opened).unwrap();
            assert!(opened == plain, "{n}");
            file.verify().unwrap();

            // Over threads of their own for reading and writing.
            let (mut streamed, mut told) = (Vec::new(), Vec::new());
            let locks = [Lock::Key(&KEY)];
            let sealed_bytes = seal_all(&plain[..], &mut streamed, &settings, &locks, |n| told.push(n)).unwrap();
            assert_eq!((sealed_bytes, told.last()), (n as u64, Some(&(n as u64))));
            assert!(told.is_sorted() && open(&streamed).unwrap() == plain, "{n}");
            let mut opened = Vec::new();
            let with = Unlock::Key(&KEY);
            let count = open_all(&sealed[..], &mut opened, with, b"context", threads, |_| ()).unwrap();
            assert!(count == n as u64 && opened == plain, "{n}");
        }
    }
}

/// Every scheme, with segments in one group and in several, and the tag before the ciphertext.
#[test]
fn every_scheme() {
    let plain = noise(300_000);
    for &algorithm in Algorithm::ALL {
        for (n, threads) in [(0, 1), (100, 1), (2 * SEGMENT, 2), (plain.len(), 1), (plain.len(), 2)] {
            let settings = settings().scheme(algorithm).threads(threads);
            let sealed = seal_vec(&plain[..n], &settings, &[Lock::Key(&KEY)]).unwrap();
            assert_eq!(Header::parse(&sealed).unwrap().algorithm(), algorithm);
            assert!(open(&sealed).unwrap() == plain[..n], "{algorithm}");
            let (opened, done) = read(&sealed, threads);
            assert!(done.is_ok() && opened == plain[..n], "{algorithm}");
            let mut sealing = Sealing::new(Vec::new(), &settings, &[Lock::Key(&KEY)]).unwrap();
            for piece in plain[..n].chunks(5000) {
                sealing.write_all(piece).unwrap();
                sealing.flush().unwrap();
            }
            let mut file = Cursor::new(sealing.finish().unwrap());
            file = OpenedFile::new(file, Unlock::Key(&KEY), b"context", threads).unwrap().into_inner();
            let mut opened = Vec::new();
            open_all(file.get_ref().as_slice(), &mut opened, Unlock::Key(&KEY), b"context", threads, |_| ()).unwrap();
            assert!(opened == plain[..n], "{algorithm}");
            let mut streamed = Vec::new();
            seal_all(&plain[..n], &mut streamed, &settings, &[Lock::Key(&KEY)], |_| ()).unwrap();
            assert!(open(&streamed).unwrap() == plain[..n], "{algorithm}");
        }
    }
}

/// Of a file cut anywhere, nothing but a beginning is seen, and the end is missed.
#[test]
fn every_truncation() {
    for n in [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT + 7] {
        let (plain, sealed) = (noise(n), sealed(n));
        for len in 0..sealed.len() {
            let cut = &sealed[..len];
            let certain = len < 1024 || (len - 1024) % (SEGMENT + 16) < 16;
            let error = open(cut).unwrap_err();
            match error {
                Error::Truncated => assert!(certain, "{n} {len}"),
                Error::CutOrDamaged { segment } => assert_eq!((segment, certain), ((len as u64 - 1024) / 4112, false)),
                other => panic!("{n} {len}: {other}"),
            }
            let (opened, done) = read(cut, 1);
            assert_eq!(done.unwrap_err().to_string(), error.to_string());
            assert_eq!(opened, plain[..opened.len()]);
            assert_eq!(opened.len(), len.saturating_sub(1024) / (SEGMENT + 16) * SEGMENT);
            assert!(OpenedFile::new(Cursor::new(cut), Unlock::Key(&KEY), b"context", 1).is_err());
        }
        open(&sealed).unwrap();
    }
}

/// 10,000 changes at random of header and body, each of 1 to 4 bytes: none opens, and what is
/// given out before it is found is a true beginning.
#[test]
fn random_mutations() {
    let (plain, sealed) = (noise(10_000), sealed(10_000));
    let mut x = 1u64;
    let mut next = |below: usize| {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((x >> 33) as usize) % below
    };
    for turn in 0..10_000 {
        let mut changed = sealed.clone();
        // Half of them in the header, which is a tenth of the file.
        let part = if turn % 2 == 0 { 1024 } else { sealed.len() };
        for _ in 0..=next(4) {
            changed[next(part)] ^= 1 + next(255) as u8;
        }
        if changed == sealed {
            continue;
        }
        assert!(open(&changed).is_err());
        let (opened, done) = read(&changed, 1);
        assert!(done.is_err() && opened == plain[..opened.len()]);
    }
}

/// Segments dropped, repeated, exchanged, or taken from another stream under the same key.
#[test]
fn reordered_and_spliced() {
    let (one, two) = (sealed(3 * SEGMENT + 5), sealed(3 * SEGMENT + 5));
    let piece = |of: &[u8], i: usize| of[1024 + i * 4112..(1024 + (i + 1) * 4112).min(of.len())].to_vec();
    let built = |pieces: &[(&[u8], usize)]| {
        let mut out = one[..1024].to_vec();
        pieces.iter().for_each(|&(of, i)| out.extend(piece(of, i)));
        out
    };
    let (a, b) = (&one[..], &two[..]);
    assert_eq!(built(&[(a, 0), (a, 1), (a, 2), (a, 3)]), one);
    type Pieces<'a> = &'a [(&'a [u8], usize)];
    let wrong: [(Pieces<'_>, u64); 7] = [
        (&[(a, 1), (a, 0), (a, 2), (a, 3)], 0),
        (&[(a, 0), (a, 2), (a, 3)], 1),
        (&[(a, 0), (a, 0), (a, 1), (a, 2), (a, 3)], 1),
        (&[(a, 0), (a, 1), (b, 2), (a, 3)], 2),
        (&[(b, 0), (b, 1), (b, 2), (b, 3)], 0),
        (&[(a, 0), (a, 1), (a, 2), (a, 0), (a, 3)], 3),
        (&[(a, 0), (a, 1), (a, 1), (a, 3)], 2),
    ];
    for (pieces, at) in wrong {
        let error = open(&built(pieces)).unwrap_err();
        assert!(matches!(error, Error::Damaged { segment } if segment == at), "{error}");
    }
    let ends: [Pieces<'_>; 3] =
        [&[(a, 0), (a, 1), (a, 2), (b, 3)], &[(a, 0), (a, 1), (a, 2), (a, 3), (a, 3)], &[(a, 0), (a, 1), (a, 3)]];
    for pieces in ends {
        assert!(matches!(open(&built(pieces)), Err(Error::CutOrDamaged { .. })));
    }
    // Behind the last segment so much that it becomes a full one.
    let mut long = one.clone();
    long.extend(piece(a, 0));
    assert!(matches!(open(&long), Err(Error::Damaged { segment: 3 })));
}

/// Wrong key, passphrase and context are told apart from damage and from each other.
#[test]
fn wrong_keys() {
    let sealed = sealed(10);
    let wrong = |with, context: &[u8]| open_vec(&sealed, with, context, 1).unwrap_err();
    assert!(matches!(wrong(Unlock::Key(&[8; 32]), b"context"), Error::WrongKey));
    assert!(matches!(wrong(Unlock::Key(&KEY), b""), Error::WrongContext));
    assert!(matches!(wrong(Unlock::Key(&KEY), b"contexts"), Error::WrongContext));
    let caps = Argon2Caps::default();
    assert!(matches!(wrong(Unlock::Passphrase { passphrase: b"a", caps }, b"context"), Error::WrongKey));
    let error = io::Error::from(Error::WrongKey);
    assert!(matches!(error.downcast::<Error>(), Ok(Error::WrongKey)));
    assert!(matches!(Error::from(io::Error::from(Error::Truncated)), Error::Truncated));
}

/// A passphrase opens, another does not, and what it costs is capped before it is spent.
#[test]
fn passphrases() {
    let costs = Argon2Costs::new(64 << 10, 1, 2).unwrap();
    let lock = Lock::Passphrase { passphrase: b"right", costs };
    let sealed = seal_vec(b"plain", &settings(), &[Lock::Key(&KEY), lock]).unwrap();
    let header = Header::parse(&sealed).unwrap();
    assert_eq!(header.slots(), [Some(SlotKind::Key), Some(SlotKind::Passphrase(costs)), None, None]);
    let caps = Argon2Caps::default();
    let opened = |passphrase: &[u8], caps| open_vec(&sealed, Unlock::Passphrase { passphrase, caps }, b"context", 1);
    assert_eq!(opened(b"right", caps).unwrap(), b"plain");
    assert_eq!(open(&sealed).unwrap(), b"plain");
    assert!(matches!(opened(b"wrong", caps), Err(Error::WrongKey)));
    let low = Argon2Caps { memory_kib: (64 << 10) - 1, ..caps };
    assert!(matches!(opened(b"right", low), Err(Error::OverCap { of: Cost::Memory, asked: 65536, cap: 65535 })));
    let low = Argon2Caps { lanes: 1, ..caps };
    assert!(matches!(opened(b"right", low), Err(Error::OverCap { of: Cost::Lanes, asked: 2, cap: 1 })));
    let low = Argon2Caps { work: 65535, ..caps };
    assert!(matches!(opened(b"right", low), Err(Error::OverCap { of: Cost::Work, .. })));
    for (memory, passes, lanes) in [(65535, 3, 4), (1 << 16, 0, 1), (1 << 16, 1, 0), (1 << 16, 17, 1), (3 << 20, 1, 1)]
    {
        assert!(matches!(Argon2Costs::new(memory, passes, lanes), Err(Error::Costs)), "{memory} {passes} {lanes}");
    }
}

/// Keys are added, changed and removed, and the data stays as it is.
#[test]
fn keys_change() {
    let (mut sealed, plain) = (sealed(9000), noise(9000));
    let data = sealed[1024..].to_vec();
    let apply = |sealed: &mut Vec<u8>, key: &[u8; 32], change: Change<'_>| -> Result<(), Error> {
        for step in rekey(sealed, Unlock::Key(key), &change)? {
            let at = step.offset as usize;
            assert!(at + step.bytes.len() <= 1024);
            sealed[at..at + step.bytes.len()].copy_from_slice(&step.bytes);
        }
        Ok(())
    };
    let opens = |sealed: &[u8], key| open_vec(sealed, Unlock::Key(key), b"context", 1);
    let keys: [[u8; 32]; 5] = core::array::from_fn(|i| [i as u8; 32]);
    for key in &keys[..3] {
        apply(&mut sealed, &KEY, Change::Add(Lock::Key(key))).unwrap();
        assert!(opens(&sealed, key).unwrap() == plain && opens(&sealed, &KEY).unwrap() == plain);
    }
    assert!(matches!(apply(&mut sealed, &KEY, Change::Add(Lock::Key(&keys[3]))), Err(Error::Locks)));
    for there in [&KEY, &keys[0], &keys[2]] {
        assert!(matches!(apply(&mut sealed, &keys[0], Change::Own(Lock::Key(&keys[1]))), Err(Error::SameLock)));
        let twice = [Lock::Key(there), Lock::Key(&keys[4]), Lock::Key(there)];
        assert!(matches!(apply(&mut sealed, &KEY, Change::All(&twice)), Err(Error::SameLock)));
    }
    assert!(matches!(apply(&mut sealed, &keys[3], Change::Remove(0)), Err(Error::WrongKey)));
    apply(&mut sealed, &keys[0], Change::Own(Lock::Key(&keys[3]))).unwrap();
    assert!(matches!(opens(&sealed, &keys[0]), Err(Error::WrongKey)));
    assert!(opens(&sealed, &keys[3]).unwrap() == plain);
    apply(&mut sealed, &keys[3], Change::Remove(0)).unwrap();
    for there in &keys[1..4] {
        assert!(matches!(apply(&mut sealed, &keys[1], Change::Add(Lock::Key(there))), Err(Error::SameLock)));
    }
    assert!(matches!(opens(&sealed, &KEY), Err(Error::WrongKey)));
    assert!(matches!(apply(&mut sealed, &keys[3], Change::Remove(0)), Err(Error::NoSlot)));
    assert!(matches!(apply(&mut sealed, &keys[3], Change::Remove(4)), Err(Error::NoSlot)));
    assert!(matches!(apply(&mut sealed, &keys[3], Change::All(&[])), Err(Error::Locks)));
    apply(&mut sealed, &keys[3], Change::All(&[Lock::Key(&keys[4])])).unwrap();
    assert!(matches!(apply(&mut sealed, &keys[4], Change::Remove(0)), Err(Error::LastSlot)));
    assert!(matches!(apply(&mut sealed, &keys[4], Change::Remove(1)), Err(Error::NoSlot)));
    for key in keys[..4].iter().chain([&KEY]) {
        assert!(matches!(opens(&sealed, key), Err(Error::WrongKey)));
    }
    assert!(opens(&sealed, &keys[4]).unwrap() == plain);
    assert!(sealed[1024..] == data);
    assert!(!Header::parse(&sealed).unwrap().interrupted());
}

/// What cannot be sealed is refused before anything is written.
#[test]
fn refused_settings() {
    let refused = |settings: Settings, locks: &[Lock<'_>]| {
        let mut out = Vec::new();
        let error = Sealing::new(&mut out, &settings, locks).err().expect("it is refused");
        assert!(out.is_empty());
        error
    };
    let one = [Lock::Key(&KEY)];
    for len in [0, 1, 2048, 4095, 4097, 65535, 1 << 25, 1 << (usize::BITS - 1), usize::MAX] {
        assert!(matches!(refused(settings().segment_len(len), &one), Error::SegmentLength), "{len}");
    }
    assert!(matches!(refused(settings(), &[]), Error::Locks));
    assert!(matches!(refused(settings(), &[one[0]; 17]), Error::Locks));
    assert!(matches!(refused(settings().slots(0), &one), Error::Locks));
    assert!(matches!(refused(settings().slots(17), &one), Error::Locks));
    let keys: [[u8; 32]; 16] = core::array::from_fn(|i| [i as u8; 32]);
    assert_eq!(seal_vec(b"", &settings(), &keys.each_ref().map(Lock::Key)).unwrap().len(), 3328 + 16);
    let costs = Argon2Costs::new(2 << 20, 4, 4).unwrap();
    let dear = |passphrase| Lock::Passphrase { passphrase, costs };
    assert!(matches!(refused(settings(), &[dear(b"a"), dear(b"b")]), Error::Costs));
    let cheap = |passphrase| Lock::Passphrase { passphrase, costs: Argon2Costs::new(64 << 10, 1, 1).unwrap() };
    assert!(matches!(refused(settings(), &[cheap(b"a"), one[0], cheap(b"a")]), Error::SameLock));
    assert!(matches!(refused(settings(), &[one[0], cheap(b"a"), one[0]]), Error::SameLock));
    assert!(matches!(refused(settings().threads(257), &one), Error::Threads));
    if let Some(ccm) = Algorithm::by_name("AES-128-CCM") {
        assert!(matches!(refused(settings().scheme(ccm).segment_len(1 << 24), &one), Error::SegmentLength));
        seal_vec(b"", &settings().scheme(ccm).segment_len(1 << 23), &one).unwrap();
    }
    let mut out = [9; 1044];
    for len in [1043, 1045] {
        let mut out = vec![9; len];
        assert!(matches!(seal_to(b"1234", &mut out, &settings(), &one), Err(Error::BufferLength)));
        assert_eq!(out, vec![9; len]);
    }
    seal_to(b"1234", &mut out, &settings(), &one).unwrap();
    assert!(matches!(open_to(&out, &mut [9; 3], Unlock::Key(&KEY), b"context", 1), Err(Error::BufferLength)));
    out[1030] ^= 1;
    let mut opened = [9; 4];
    assert!(matches!(
        open_to(&out, &mut opened, Unlock::Key(&KEY), b"context", 1),
        Err(Error::CutOrDamaged { segment: 0 })
    ));
    assert_eq!(opened, [0; 4]);
}

/// In memory a forged segment leaves nothing but zeros, whichever thread found it.
#[test]
fn zeros_after_a_forgery() {
    let mut sealed = sealed(100 * SEGMENT);
    for (at, threads) in [(1024 + 70 * 4112 + 9, 1), (1024 + 3 * 4112, 2)] {
        sealed[at] ^= 1;
        let mut out = vec![9; 100 * SEGMENT];
        let error = open_to(&sealed, &mut out, Unlock::Key(&KEY), b"context", threads).unwrap_err();
        assert!(matches!(error, Error::Damaged { segment } if segment == (at as u64 - 1024) / 4112), "{error}");
        assert!(out.iter().all(|&b| b == 0));
        sealed[at] ^= 1;
    }
}

/// A reader that gives one byte at a time, and is interrupted before each.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = self.0.len().min(out.len()).min(1);
        out[..n].copy_from_slice(&self.0[..n]);
        self.0 = &self.0[n..];
        Ok(n)
    }
}

#[test]
fn slow_readers() {
    let (plain, sealed) = (noise(9000), sealed(9000));
    let mut out = Vec::new();
    Opening::new(Slow(&sealed, false), Unlock::Key(&KEY), b"context", 1).unwrap().read_to_end(&mut out).unwrap();
    assert!(out == plain);
    out.clear();
    open_all(Slow(&sealed, false), &mut out, Unlock::Key(&KEY), b"context", 1, |_| ()).unwrap();
    assert!(out == plain);
    out.clear();
    seal_all(Slow(&plain, false), &mut out, &settings(), &[Lock::Key(&KEY)], |_| ()).unwrap();
    assert!(open(&out).unwrap() == plain);
}

/// A writer or reader that fails after some bytes.
struct Fails(usize);

impl Write for Fails {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self.0.min(data.len()) {
            0 => Err(io::ErrorKind::StorageFull.into()),
            n => {
                self.0 -= n;
                Ok(n)
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Fails {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.min(out.len()) {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            n => {
                out[..n].fill(1);
                self.0 -= n;
                Ok(n)
            }
        }
    }
}

/// A failing reader or writer ends the work with its own error, wherever it fails, and the
/// streams cannot go on.
#[test]
fn failing_readers_and_writers() {
    let (plain, sealed) = (noise(3_000_000), sealed(3_000_000));
    let kind = |error: Error| if let Error::Io(error) = error { error.kind() } else { panic!("{error}") };
    let locks = [Lock::Key(&KEY)];
    for at in [0, 100, 1024, 5000, 300_000, 2_500_000, sealed.len() - 1] {
        let error = seal_all(&plain[..], Fails(at), &settings(), &locks, |_| ()).unwrap_err();
        assert_eq!(kind(error), io::ErrorKind::StorageFull, "{at}");
        let ends = Sealing::new(Fails(at), &settings(), &locks);
        let ends = ends.and_then(|mut it| {
            let done = it.write_all(&plain);
            if done.is_err() {
                assert!(it.write(b"more").is_err() && it.flush().is_err());
            }
            done?;
            it.finish().map(drop)
        });
        assert_eq!(kind(ends.unwrap_err()), io::ErrorKind::StorageFull, "{at}");
    }
    for at in [0, 100, 3_000_000 - 1] {
        let error = open_all(&sealed[..], Fails(at), Unlock::Key(&KEY), b"context", 1, |_| ()).unwrap_err();
        assert_eq!(kind(error), io::ErrorKind::StorageFull, "{at}");
    }
    for at in [0, 100, 2_500_000] {
        let error = seal_all(Fails(at), io::sink(), &settings(), &locks, |_| ()).unwrap_err();
        assert_eq!(kind(error), io::ErrorKind::ConnectionReset, "{at}");
        let mut out = Vec::new();
        let input = (&sealed[..1024 + at]).chain(Fails(0));
        let error = open_all(input, &mut out, Unlock::Key(&KEY), b"context", 1, |_| ()).unwrap_err();
        assert_eq!(kind(error), io::ErrorKind::ConnectionReset, "{at}");
        assert!(out == plain[..out.len()]);
    }
    // A stream that failed fails again.
    let mut opening = Opening::new(&sealed[..5000], Unlock::Key(&KEY), b"context", 1).unwrap();
    let mut out = Vec::new();
    assert!(opening.read_to_end(&mut out).is_err() && opening.fill_buf().is_err() && !opening.is_whole());
}

/// What is opened to a writer before damage is found is a true beginning, to the segment.
#[test]
fn released_before_damage() {
    let (plain, mut sealed) = (noise(3_000_000), sealed(3_000_000));
    for segment in [0, 1, 511, 512, 700, 732] {
        let at = 1024 + segment * 4112 + 7;
        sealed[at] ^= 1;
        for threads in [1, 2] {
            let mut out = Vec::new();
            let error = open_all(&sealed[..], &mut out, Unlock::Key(&KEY), b"context", threads, |_| ()).unwrap_err();
            assert!(out == plain[..segment * SEGMENT], "{segment} {}", out.len());
            assert!(
                matches!(error, Error::Damaged { segment: n } | Error::CutOrDamaged { segment: n } if n == segment as u64)
            );
            let (opened, done) = read(&sealed, threads);
            assert!(done.is_err() && opened == out);
        }
        sealed[at] ^= 1;
    }
}

/// A reader that tells which of its bytes were read.
struct Watched {
    inner: Cursor<Vec<u8>>,
    read: u64,
}

impl Read for Watched {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(out)?;
        self.read += n as u64;
        Ok(n)
    }
}

impl Seek for Watched {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Any range of a file, from the reader's place on, and of other segments nothing is read.
#[test]
fn ranges() {
    let (plain, sealed) = (noise(40 * SEGMENT + 99), sealed(40 * SEGMENT + 99));
    let mut inner = Cursor::new([&b"before it"[..], &sealed].concat());
    inner.set_position(9);
    let watched = Watched { inner, read: 0 };
    let mut file = OpenedFile::new(watched, Unlock::Key(&KEY), b"context", 2).unwrap();
    assert_eq!(file.len(), plain.len() as u64);
    assert_eq!(file.header().unwrap().plaintext_len(sealed.len() as u64).unwrap(), plain.len() as u64);
    assert_eq!(file.header().unwrap().segments(sealed.len() as u64).unwrap(), 41);
    let len = plain.len();
    for (from, to) in [(0, 1), (4095, 4097), (50, 9000), (20_000, 20_000), (len - 1, len), (len - 5000, len), (0, len)]
    {
        assert_eq!(file.seek(SeekFrom::Start(from as u64)).unwrap(), from as u64);
        let mut out = vec![0; to - from];
        file.read_exact(&mut out).unwrap();
        assert!(out == plain[from..to], "{from} {to}");
    }
    assert_eq!(file.seek(SeekFrom::End(-3)).unwrap(), len as u64 - 3);
    let mut out = Vec::new();
    file.read_to_end(&mut out).unwrap();
    assert_eq!(out, plain[len - 3..]);
    assert_eq!(file.seek(SeekFrom::Current(10)).unwrap(), len as u64 + 10);
    assert_eq!(file.read(&mut [0; 5]).unwrap(), 0);
    assert!(file.seek(SeekFrom::Current(-(len as i64) - 11)).is_err());
    assert_eq!(file.stream_position().unwrap(), len as u64 + 10);
    // Header, last segment and one more.
    let watched = Watched { inner: Cursor::new(sealed), read: 0 };
    let mut file = OpenedFile::new(watched, Unlock::Key(&KEY), b"context", 2).unwrap();
    file.seek(SeekFrom::Start(20 * 4096 + 5)).unwrap();
    file.read_exact(&mut [0; 1]).unwrap();
    assert_eq!(file.into_inner().read, 1024 + (99 + 16) + 4112);
}

/// A file in which a segment is damaged still gives the others, and of that one nothing.
#[test]
fn ranges_beside_damage() {
    let (plain, mut sealed) = (noise(10 * SEGMENT + 1), sealed(10 * SEGMENT + 1));
    sealed[1024 + 5 * 4112 + 77] ^= 4;
    let mut file = OpenedFile::new(Cursor::new(sealed), Unlock::Key(&KEY), b"context", 1).unwrap();
    for segment in [4, 5, 6, 9, 5, 0] {
        file.seek(SeekFrom::Start((segment * SEGMENT + 3) as u64)).unwrap();
        let mut out = [0; 10];
        match file.read_exact(&mut out) {
            Ok(()) => assert!(segment != 5 && out == plain[segment * SEGMENT + 3..][..10], "{segment}"),
            Err(error) => {
                assert!(segment == 5 && out == [0; 10]);
                assert!(matches!(Error::from(error), Error::Damaged { segment: 5 }));
            }
        }
    }
    assert!(matches!(file.verify(), Err(Error::Damaged { segment: 5 })));
}

/// Who reads on gets all that stands before a damaged segment, over groups of any length, and then
/// the same error as often as he likes; what is behind it is there too.
#[test]
fn reading_on_to_damage() {
    let (plain, mut sealed) = (noise(600 * SEGMENT + 1), sealed(600 * SEGMENT + 1));
    for segment in [0, 1, 2, 63, 64, 65, 66, 300, 599] {
        let at = 1024 + segment * 4112 + 77;
        sealed[at] ^= 4;
        for threads in [1, 2] {
            let mut file = OpenedFile::new(Cursor::new(&sealed), Unlock::Key(&KEY), b"context", threads).unwrap();
            let mut out = Vec::new();
            for _ in 0..3 {
                let error = Error::from(file.read_to_end(&mut out).unwrap_err());
                assert!(matches!(error, Error::Damaged { segment: n } if n == segment as u64), "{segment} {error}");
                assert!(out == plain[..segment * SEGMENT], "{segment} {}", out.len());
                assert_eq!(file.stream_position().unwrap(), (segment * SEGMENT) as u64);
            }
            let behind = (segment + 1) * SEGMENT;
            file.seek(SeekFrom::Start(behind as u64)).unwrap();
            out.clear();
            file.read_to_end(&mut out).unwrap();
            assert!(out == plain[behind..]);
        }
        sealed[at] ^= 4;
    }
}

/// A range reads its segments and no others, whatever is in these; and before damage in it comes
/// what is authentic.
#[test]
fn ranges_touch_nothing_else() {
    let (plain, mut sealed) = (noise(300 * SEGMENT + 9), sealed(300 * SEGMENT + 9));
    for damaged in [7, 12] {
        sealed[1024 + damaged * 4112] ^= 1;
    }
    for threads in [1, 2] {
        let watched = Watched { inner: Cursor::new(sealed.clone()), read: 0 };
        let mut file = OpenedFile::new(watched, Unlock::Key(&KEY), b"context", threads).unwrap();
        file.seek(SeekFrom::Start(3)).unwrap();
        let segment = SEGMENT as u64;
        let len = plain.len() as u64;
        for (from, to) in [
            (10 * segment + 5, 12 * segment),
            (8 * segment, 12 * segment),
            (9 * segment, 9 * segment),
            (200 * segment + 1, len),
            (len - 1, len + 100),
            (13 * segment, 250 * segment),
            (len + 5, len + 9),
            (11, 4),
        ] {
            let mut out = Vec::new();
            let n = file.read_range(from..to, &mut out).unwrap();
            let expected = &plain[from.min(len) as usize..to.min(len).max(from.min(len)) as usize];
            assert!(n == expected.len() as u64 && out == expected, "{from} {to}");
        }
        let mut out = Vec::new();
        for _ in 0..2 {
            out.clear();
            let error = file.read_range(9 * segment + 1..20 * segment, &mut out).unwrap_err();
            assert!(matches!(error, Error::Damaged { segment: 12 }) && out == plain[9 * SEGMENT + 1..12 * SEGMENT]);
        }
        assert_eq!(file.stream_position().unwrap(), 3);
        let error = file.read_range(0..2 * segment, Fails(100)).unwrap_err();
        assert!(matches!(error, Error::Io(error) if error.kind() == io::ErrorKind::StorageFull));
        // Two segments, from a file that was opened anew.
        let mut inner = file.into_inner();
        (inner.read, inner.inner) = (0, Cursor::new(sealed.clone()));
        let mut file = OpenedFile::new(inner, Unlock::Key(&KEY), b"context", threads).unwrap();
        file.read_range(10 * segment + 5..12 * segment, io::sink()).unwrap();
        assert_eq!(file.into_inner().read, 1024 + (9 + 16) + 2 * 4112);
    }
}

/// Two streams of the same plaintext under the same key have nothing in common but what they say
/// of themselves.
#[test]
fn streams_differ() {
    let (one, two) = (sealed(3 * SEGMENT), sealed(3 * SEGMENT));
    assert_eq!(one[..16], two[..16]);
    // Salt, commitment; slot's salt, wrapped key, MAC; the table's MAC and checksum.
    for part in [16..48, 48..80, 160..176, 176..208, 208..240, 528..560, 560..576] {
        let (a, b) = (&one[part.clone()], &two[part.clone()]);
        assert!(a != b && a.iter().any(|&byte| byte != 0) && b.iter().any(|&byte| byte != 0), "{part:?}");
    }
    for i in 0..4 {
        let tag = 1024 + i * 4112 + if i < 3 { 4096 } else { 0 };
        assert_ne!(one[tag..tag + 16], two[tag..tag + 16]);
    }
    let same = one[16..96].iter().zip(&two[16..96]).chain(one[1024..].iter().zip(&two[1024..]));
    let same = same.filter(|(a, b)| a == b && **a != 0).count();
    assert!(same < 200, "{same} of 12,384 bytes are equal; 48 are to be expected");
}

/// A reader to which bytes come when somebody sends them.
struct Arriving {
    pieces: Receiver<Vec<u8>>,
    now: Cursor<Vec<u8>>,
}

impl Arriving {
    fn new() -> (Sender<Vec<u8>>, Self) {
        let (sender, pieces) = channel();
        (sender, Self { pieces, now: Cursor::default() })
    }
}

impl Read for Arriving {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.now.position() == self.now.get_ref().len() as u64 {
            // Nobody sends any more: the end.
            let Ok(next) = self.pieces.recv() else { return Ok(0) };
            self.now = Cursor::new(next);
        }
        self.now.read(out)
    }
}

/// A writer that tells how many bytes it was given in all.
struct Telling(Sender<usize>, usize);

impl Write for Telling {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.1 += data.len();
        let _ = self.0.send(self.1);
        Ok(data.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits until so many bytes were written; `so_far` of them are known to have been.
fn arrives(told: &Receiver<usize>, so_far: &mut usize, bytes: usize) {
    while *so_far < bytes {
        *so_far = told.recv_timeout(Duration::from_secs(60)).expect("whole segments do not wait for more");
    }
}

/// Segments that have arrived are sealed, opened and written before anything more comes: one, one
/// and a half, several, and those that come to exactly what a reader asks for.
#[test]
fn nothing_waits_for_more() {
    let plain = noise(700 * SEGMENT + 5);
    let sealed = seal_vec(&plain, &settings(), &[Lock::Key(&KEY)]).unwrap();
    let cuts = [1, SEGMENT, SEGMENT + 1, 3 * SEGMENT + 9, 4 * SEGMENT, 128 * SEGMENT, 256 * SEGMENT, 700 * SEGMENT + 4];
    for threads in [1, 2] {
        std::thread::scope(|scope| {
            let ((sender, reader), (tell, told)) = (Arriving::new(), channel());
            let settings = settings().threads(threads);
            let worker =
                scope.spawn(move || seal_all(reader, Telling(tell, 0), &settings, &[Lock::Key(&KEY)], |_| ()).unwrap());
            let (mut at, mut so_far) = (0, 0);
            for cut in cuts {
                sender.send(plain[at..cut].to_vec()).unwrap();
                arrives(&told, &mut so_far, 1024 + cut / SEGMENT * 4112);
                at = cut;
            }
            drop(sender);
            assert_eq!(worker.join().unwrap(), at as u64);
        });
        std::thread::scope(|scope| {
            let ((sender, reader), (tell, told)) = (Arriving::new(), channel());
            let with = Unlock::Key(&KEY);
            let worker =
                scope.spawn(move || open_all(reader, Telling(tell, 0), with, b"context", threads, |_| ()).unwrap_err());
            sender.send(sealed[..1024].to_vec()).unwrap();
            let (mut at, mut so_far) = (1024, 0);
            for cut in cuts {
                let end = 1024 + cut / SEGMENT * 4112 + cut % SEGMENT;
                sender.send(sealed[at..end].to_vec()).unwrap();
                arrives(&told, &mut so_far, cut / SEGMENT * SEGMENT);
                at = end;
            }
            drop(sender);
            assert!(matches!(worker.join().unwrap(), Error::Truncated));
        });
        // A reader that would wait: what came before it is given out, and nothing is lost.
        let (sender, reader) = Arriving::new();
        sender.send(sealed[..1024 + 2 * 4112 + 100].to_vec()).unwrap();
        let mut opening = Opening::new(reader, Unlock::Key(&KEY), b"context", threads).unwrap();
        let mut out = vec![0; 2 * SEGMENT];
        opening.read_exact(&mut out).unwrap();
        assert!(out == plain[..2 * SEGMENT]);
        sender.send(sealed[1024 + 2 * 4112 + 100..].to_vec()).unwrap();
        drop(sender);
        opening.read_to_end(&mut out).unwrap();
        assert!(out == plain && opening.is_whole());
    }
}

/// With a reader of its own a failure comes back while a `read` still waits.
#[test]
fn failures_leave_a_waiting_reader_behind() {
    let mut sealed = sealed(2 * SEGMENT);
    sealed[1024] ^= 1;
    let (sender, reader) = Arriving::new();
    sender.send(sealed[..1024 + 4112].to_vec()).unwrap();
    let error = open_all_detached(reader, io::sink(), Unlock::Key(&KEY), b"context", 1, |_| ()).unwrap_err();
    assert!(matches!(error, Error::Damaged { segment: 0 }));
    drop(sender);
    let (sender, reader) = Arriving::new();
    sender.send(noise(SEGMENT)).unwrap();
    let error = seal_all_detached(reader, Fails(1024), &settings(), &[Lock::Key(&KEY)], |_| ()).unwrap_err();
    assert!(matches!(error, Error::Io(error) if error.kind() == io::ErrorKind::StorageFull));
    drop(sender);
    let mut out = Vec::new();
    let plain = noise(900_000);
    seal_all_detached(Cursor::new(plain.clone()), &mut out, &settings(), &[Lock::Key(&KEY)], |_| ()).unwrap();
    let (with, mut opened) = (Unlock::Key(&KEY), Vec::new());
    open_all_detached(Cursor::new(out), &mut opened, with, b"context", 2, |_| ()).unwrap();
    assert!(opened == plain);
}

/// Where no thread can be started, what needs none works, and what does says so: no panic. In
/// a process of its own, in which threads want stacks that there is no room for.
#[test]
fn without_threads() {
    const CHILD: &str = "COMBSEAL_TEST_WITHOUT_THREADS";
    if std::env::var_os(CHILD).is_none() {
        let mut child = common::this_program();
        child.args(["--exact", "without_threads", "--test-threads=1"]);
        let done = child.env(CHILD, "1").env("RUST_MIN_STACK", (1u64 << 56).to_string()).output().unwrap();
        let told = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "the test is of no use where this works");
    let locks = [Lock::Key(&KEY)];
    let plain = noise(3_000_000);
    for _ in 0..2 {
        let sealed = seal_vec(&plain, &settings().threads(0), &locks).unwrap();
        assert!(open_vec(&sealed, Unlock::Key(&KEY), b"context", 0).unwrap() == plain);
        assert!(matches!(seal_vec(&plain, &settings().threads(2), &locks), Err(Error::Threads)));
        let done = seal_all(&plain[..], io::sink(), &settings().threads(0), &locks, |_| ());
        assert!(matches!(done, Err(Error::Threads)));
        let done = open_all_detached(Cursor::new(sealed), io::sink(), Unlock::Key(&KEY), b"context", 0, |_| ());
        assert!(matches!(done, Err(Error::Threads)));
    }
}

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap_or_default();
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// A known answer: the test in its file, its sealed bytes, its context and, if it opens, its plaintext.
type Known = (Value, Vec<u8>, Vec<u8>, Option<Vec<u8>>);

/// The known answers of a file in `vectors/stream`.
fn known(name: &str) -> Vec<Known> {
    let path = format!("{}/../../vectors/stream/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let tests = file["tests"].as_array().unwrap().iter().map(|test| {
        // SHA-256("plaintext" || 0) || SHA-256("plaintext" || 1) || …
        let block = |i: u64| Sha256::new().chain_update(b"plaintext").chain_update(i.to_be_bytes()).finalize();
        let whole = |len: u64| (0..len.div_ceil(32)).flat_map(block).take(len as usize).collect();
        let plain = test["error"].is_null().then(|| whole(test["length"].as_u64().unwrap()));
        (test.clone(), unhex(&test["sealed"]), unhex(&test["context"]), plain)
    });
    let tests: Vec<_> = tests.collect();
    assert!(!tests.is_empty());
    tests
}

/// The format's known answers, on this machine's best tier. (The unit tests look closer, but have `soft` alone.)
#[test]
fn known_answers() {
    for (test, sealed, context, plain) in ["good", "changing", "bad"].into_iter().flat_map(known) {
        let (key, passphrase): (Option<[u8; 32]>, _) =
            (unhex(&test["key"]).try_into().ok(), unhex(&test["passphrase"]));
        let with = match &key {
            Some(key) => Unlock::Key(key),
            None => Unlock::Passphrase { passphrase: &passphrase, caps: Argon2Caps::default() },
        };
        match open_vec(&sealed, with, &context, 1) {
            Err(Error::Unsupported(Unsupported::NotBuilt(_))) if cfg!(not(feature = "schemes")) => {}
            opened => assert_eq!(opened.ok(), plain, "{} {}", test["id"], test["comment"]),
        }
    }
}

/// Those of other people's formats.
#[cfg(feature = "stream-interop")]
#[test]
fn known_answers_of_others() {
    use combseal::stream::{Cobblestone, TinkKeyset};
    for (test, sealed, context, plain) in known("cobblestone") {
        let opened = Cobblestone::new(&unhex(&test["key"])).unwrap().open_vec(&sealed, &context, 1);
        assert_eq!(opened.ok(), plain, "{}", test["id"]);
    }
    for (test, sealed, context, plain) in known("tink") {
        let (keyset, mut opened) = (TinkKeyset::from_json(test["keyset"].as_str().unwrap()).unwrap(), Vec::new());
        keyset.opening(&sealed[..], &context).unwrap().read_to_end(&mut opened).unwrap();
        assert_eq!(Some(opened), plain, "{}", test["id"]);
    }
}
