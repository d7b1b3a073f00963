//! `combseal rekey`: who can open a sealed file, changed in place; its data is not touched.

use super::{OK, failed};
use crate::files::failure::{Cause, Failure};
use crate::files::interrupt;
use crate::files::options::{CapArgs, CostArgs, locks, unlock};
use crate::files::secrets::{NewSecretArgs, SecretArgs, one_standard_input};
use combseal::stream::{Change, Header, Step, rekey};
use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Which file, what opens it now, and what shall.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The sealed file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    now: SecretArgs,
    #[command(flatten)]
    new: NewSecretArgs,
    #[command(flatten)]
    how: HowArgs,
    #[command(flatten)]
    costs: CostArgs,
    #[command(flatten)]
    caps: CapArgs,
}

/// What becomes of the keys and passphrases that there are; without any of these the new one takes
/// the place of the one that the file was opened with.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
struct HowArgs {
    /// The file opens with the new one and with those that there are
    #[arg(long)]
    add: bool,
    /// The file opens with the new ones and with nothing else
    #[arg(long)]
    only: bool,
    /// The file does not open any more with what is in this slot, as `combseal inspect` counts them
    #[arg(long, value_name = "SLOT")]
    remove: Option<usize>,
}

/// Runs the command and returns the exit code.
pub fn run(args: &Args) -> u8 {
    match change(args) {
        Ok(()) => OK,
        Err(failure) => failed(&failure),
    }
}

fn change(args: &Args) -> Result<(), Failure> {
    one_standard_input(args.now.paths().iter().chain(&args.new.paths()))?;
    args.now.some("open with what?")?;
    let expected = if args.how.remove.is_some() { 0..=0 } else { 1..=if args.how.only { 16 } else { 1 } };
    if !expected.contains(&args.new.count()) {
        return Err(match args.how.remove {
            Some(_) => Failure::usage("--remove takes a slot away; there is nothing new with it"),
            None if args.new.count() == 0 => Failure::usage("which key or passphrase shall open the file?")
                .hint("--new-passphrase, or --new-key-file FILE; --remove SLOT takes one away"),
            None => Failure::usage("one takes the place of another; --only takes several, and --add one at a time"),
        });
    }
    args.costs.only_with(args.new.has_passphrase())?;
    let costs = args.costs.costs()?;
    interrupt::watch().map_err(|error| Failure::io("signals", &error))?;
    let fail = |error: io::Error| Failure::path(&args.file, &error);
    if args.file.is_dir() {
        return Err(Failure::usage("is a directory").of(args.file.display()));
    }
    let mut file = File::options().read(true).write(true).open(&args.file).map_err(fail)?;
    if !file.metadata().map_err(fail)?.is_file() {
        return Err(Failure::usage("is no regular file: nothing can be changed in place").of(args.file.display()));
    }
    // Two at once would spoil each other's work. Where files cannot be locked nobody can tell.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(Failure::new(Cause::Io, "another rekey is at work on it").of(args.file.display()));
    }
    // What it says of itself is looked at before anybody types a passphrase.
    let of_file = |error: combseal::stream::Error| Failure::from(error).of(args.file.display());
    let about = Header::read(&mut file).map_err(of_file)?;
    room(args, &about).map_err(|failure| failure.of(args.file.display()))?;
    let mut header = vec![0; about.header_len()];
    read_header(&mut file, &mut header).map_err(fail)?;

    let now = args.now.one()?;
    let new = args.new.all()?;
    let steps = {
        let new = locks(&new, costs);
        let change = match (&args.how, &new[..]) {
            (HowArgs { remove: Some(slot), .. }, _) => Change::Remove(*slot),
            (HowArgs { only: true, .. }, new) => Change::All(new),
            (HowArgs { add: true, .. }, [new, ..]) => Change::Add(*new),
            (_, [new, ..]) => Change::Own(*new),
            (_, []) => return Err(Failure::usage("there is nothing new")),
        };
        rekey(&header, unlock(&now, args.caps.caps()), &change).map_err(of_file)?
    };
    write(&mut file, &steps).map_err(fail)?;
    read_header(&mut file, &mut header).map_err(fail)?;
    Header::parse(&header).map_err(of_file)?;
    Ok(())
}

/// That there is a slot to add to, or the one that is to be taken away and another besides.
fn room(args: &Args, header: &Header) -> Result<(), Failure> {
    // Which slots count then depends on the key.
    if header.interrupted() {
        return Ok(());
    }
    let slots = header.slots();
    let taken = slots.iter().flatten().count();
    match args.how.remove {
        None if args.how.add && taken == slots.len() => Err(Failure::usage(format!("all {taken} key slots are taken"))
            .hint("--remove SLOT makes room; for more slots seal the data anew, with seal --slots N")),
        None if args.how.only && args.new.count() > slots.len() => {
            Err(Failure::usage(format!("there are {} key slots, and more than that is new", slots.len()))
                .hint("for more slots seal the data anew, with seal --slots N"))
        }
        Some(slot) if !slots.get(slot).is_some_and(Option::is_some) => {
            Err(Failure::usage(format!("there is nothing in key slot {slot}")).hint("combseal inspect lists them"))
        }
        Some(slot) if taken == 1 => {
            Err(Failure::usage(format!("key slot {slot} is the last one: without it nothing would open the file")))
        }
        _ => Ok(()),
    }
}

fn read_header(file: &mut File, header: &mut [u8]) -> io::Result<()> {
    file.rewind()?;
    io::Read::read_exact(file, header)
}

/// What the steps are written to.
trait Disk {
    /// Writes bytes at this place.
    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Waits until all that was written would outlast a power cut.
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Writes the steps, each of which is on the disk before the next one begins: so the file opens
/// whenever this is interrupted.
fn write(disk: &mut impl Disk, steps: &[Step]) -> io::Result<()> {
    for step in steps {
        disk.write(step.offset, &step.bytes)?;
        disk.sync()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use combseal::stream::{Lock, Settings, Unlock, seal_vec};

    /// What a disk was asked for; it fails from the request of that number on.
    struct Recorder {
        asked: Vec<Option<(u64, usize)>>,
        fails: usize,
    }

    impl Recorder {
        fn ask(&mut self, what: Option<(u64, usize)>) -> io::Result<()> {
            if self.asked.len() == self.fails {
                return Err(io::Error::other("no"));
            }
            self.asked.push(what);
            Ok(())
        }
    }

    impl Disk for Recorder {
        fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
            self.ask(Some((offset, bytes.len())))
        }

        fn sync(&mut self) -> io::Result<()> {
            self.ask(None)
        }
    }

    /// Each step is synced before the next one, the last one too; and none follows one that failed.
    #[test]
    fn synced_in_order() {
        let (old, new) = ([1; 32], [2; 32]);
        let sealed = seal_vec(b"text", &Settings::new(), &[Lock::Key(&old)]).unwrap();
        let steps = rekey(&sealed, Unlock::Key(&old), &Change::Own(Lock::Key(&new))).unwrap();
        assert!(steps.len() > 1);
        let expected: Vec<_> = steps.iter().flat_map(|step| [Some((step.offset, step.bytes.len())), None]).collect();
        for fails in 0..=expected.len() {
            let mut disk = Recorder { asked: Vec::new(), fails };
            assert_eq!(write(&mut disk, &steps).is_ok(), fails == expected.len());
            assert_eq!(disk.asked, expected[..fails]);
        }
    }
}
