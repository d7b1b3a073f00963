//! One key on several threads: each has a sealer with a prefix of its own, and all share one
//! expansion of the key.
//!
//!     cargo run --release -p combseal --example threads

use combseal::{Aead, Algorithm, Error, Key, Nonce, NonceCounter, Sealer};
use std::sync::Arc;
use std::thread;

fn main() -> Result<(), Error> {
    let key = Arc::new(Key::new(Algorithm::GcmAes256, &[7; 32])?);
    let mut workers = Vec::new();
    for number in 0..4u32 {
        let key = Arc::clone(&key);
        workers.push(thread::spawn(move || {
            // Two senders with one prefix would use the same nonces: a thread's number is its own.
            let mut sealer = Sealer::new(key, NonceCounter::new(&number.to_be_bytes())?)?;
            let mut sealed = Vec::new();
            for i in 0..100 {
                let mut record = format!("record {i} of thread {number}").into_bytes();
                let nonce = *sealer.seal_buffer(b"", &mut record)?; // grows by the tag
                sealed.push((nonce, record));
            }
            Ok::<_, Error>(sealed)
        }));
    }
    for (number, worker) in workers.into_iter().enumerate() {
        let Ok(sealed) = worker.join() else { panic!("a thread panicked") };
        for (i, (nonce, record)) in sealed?.into_iter().enumerate() {
            assert_eq!(nonce[..], Nonce::counted(&(number as u32).to_be_bytes(), i as u64)?[..]);
            assert_eq!(key.open(&nonce, b"", &record)?, format!("record {i} of thread {number}").as_bytes());
        }
    }
    println!("400 records of 4 threads under one key, and no nonce twice");
    Ok(())
}

#[test]
fn runs() -> Result<(), Error> {
    main()
}
