//! Sealed streams as callers use them: every form gives the same, and what was changed, cut,
//! reordered, spliced or sealed for another context is found.


use combseal::stream::{
    Argon2Caps, Argon2Costs, Change, Error, Header, Lock, OpenedFile, Opening, Sealing, Settings, Step, Unlock,
    open_to, open_vec, rekey, seal_vec,
};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

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
        }
    }
}
