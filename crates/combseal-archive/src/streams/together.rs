//! Many messages by value, each under its own key and nonce: side by side where the cipher has a
//! kernel for that, else one after the other.

use super::named::{StreamJob, SystemJob};
use super::side_by_side::{Lane, SideBySide};
use super::system::TAG;
use super::with_poly1305::{Packet, WithPoly1305, open_many, seal_many};
use combseal::{Cpu, Error};
use std::cmp::Reverse;

/// Does any number of messages of one cipher in one tuning, each under its own key and nonce: side by
/// side where `StreamCipher::lanes` says so, else one after the other.
///
/// # Errors
/// [`Error::Unsupported`] if the keys are not all of one cipher, tuning and tier;
/// [`Error::NonceLength`], [`Error::MessageTooLong`]. Nothing was touched then.
pub fn xor_many(jobs: &mut [StreamJob<'_>]) -> Result<(), Error> {
    let Some(first) = jobs.first() else { return Ok(()) };
    let (cipher, cpu) = (first.key.cipher(), first.key.cpu);
    for job in jobs.iter() {
        if !std::ptr::eq(job.key.cipher(), cipher) || job.key.cpu != cpu {
            return Err(Error::Unsupported);
        }
        job.key.check(job.nonce, job.data.len())?;
    }
    if let Some(together) = cipher.together() {
        together(cpu, jobs);
        return Ok(());
    }
    for job in jobs {
        job.first = [0; 16];
        let mut stream = job.key.key.stream(job.nonce);
        stream.xor(&mut job.first);
        stream.xor(job.data);
    }
    Ok(())
}

/// Puts jobs of the cipher `C` side by side, those of like length together.
pub(super) fn streams<C: SideBySide + 'static>(cpu: Cpu, jobs: &mut [StreamJob<'_>]) {
    let mut order: Vec<&mut StreamJob<'_>> = jobs.iter_mut().collect();
    order.sort_by_key(|job| Reverse(job.data.len()));
    for group in order.chunks_mut(C::GROUP) {
        // (All keys are of this cipher: `xor_many` has looked.)
        let lanes = group.iter_mut().filter_map(|job| {
            let StreamJob { key, nonce, data, .. } = &mut **job;
            Some(Lane { cipher: key.key.as_any().downcast_ref::<C>()?, nonce, first: [0; 16], data })
        });
        let mut lanes: Vec<Lane<'_, C>> = lanes.collect();
        C::xor_group(cpu, &mut lanes);
        let firsts: Vec<[u8; 16]> = lanes.iter().map(|lane| lane.first).collect();
        group.iter_mut().zip(firsts).for_each(|(job, first)| job.first = first);
    }
}

/// Encrypts any number of messages of one system in one tuning, without associated data, and writes
/// their authenticators.
///
/// # Errors
/// [`Error::Unsupported`] if the keys are not all of one system, tuning and tier; those of
/// `StreamSystem::check`. Nothing was touched then.
pub fn encrypt_many(jobs: &mut [SystemJob<'_>]) -> Result<(), Error> {
    all(jobs, false)
}

/// Verifies and decrypts any number of packets likewise; what became of each is in its `done`, which
/// for a forgery is [`Error::Forged`], and its data are zero.
///
/// # Errors
/// As [`encrypt_many`].
pub fn decrypt_many(jobs: &mut [SystemJob<'_>]) -> Result<(), Error> {
    all(jobs, true)
}

fn all(jobs: &mut [SystemJob<'_>], open: bool) -> Result<(), Error> {
    let Some(first) = jobs.first() else { return Ok(()) };
    let (system, cpu) = (first.key.system(), first.key.cpu);
    for job in jobs.iter() {
        if !std::ptr::eq(job.key.system(), system) || job.key.cpu != cpu {
            return Err(Error::Unsupported);
        }
        system.check(job.nonce.len(), 0, job.data.len() as u64)?;
    }
    if let Some(together) = system.together() {
        together(cpu, jobs, open);
        return Ok(());
    }
    for job in jobs {
        job.done = if open {
            job.key.decrypt_in_place(job.nonce, b"", job.data, &job.tag)
        } else {
            job.key.encrypt_in_place(job.nonce, b"", job.data).map(|tag| job.tag = tag)
        };
    }
    Ok(())
}

/// Packets of the cipher `C` with Poly1305.
pub(super) fn packets<C: SideBySide + 'static>(cpu: Cpu, jobs: &mut [SystemJob<'_>], open: bool) {
    // (All keys are of this system: `all` has looked.)
    let packets = jobs.iter_mut().filter_map(|job| {
        let SystemJob { key, nonce, data, tag, .. } = job;
        let system = key.key.as_any().downcast_ref::<WithPoly1305<C>>()?;
        Some(Packet { system, nonce, data, tag: *tag, authentic: false })
    });
    let mut packets: Vec<Packet<'_, C>> = packets.collect();
    if open {
        open_many(cpu, &mut packets);
    } else {
        seal_many(cpu, &mut packets);
    }
    let results: Vec<([u8; TAG], bool)> = packets.iter().map(|packet| (packet.tag, packet.authentic)).collect();
    for (job, (tag, authentic)) in jobs.iter_mut().zip(results) {
        job.done = if authentic || !open { Ok(()) } else { Err(Error::Forged) };
        job.tag = tag;
    }
}
