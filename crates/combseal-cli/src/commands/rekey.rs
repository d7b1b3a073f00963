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
    one_standard_input(&[], &[args.now.standard_inputs(), args.new.standard_inputs()])?;
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
    let len = Header::read(&mut file).map_err(of_file)?.header_len();
    let mut header = vec![0; len];
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

fn read_header(file: &mut File, header: &mut [u8]) -> io::Result<()> {
    file.rewind()?;
    io::Read::read_exact(file, header)
}

/// Writes the steps, each of which is on the disk before the next one begins: so the file opens
/// whenever this is interrupted.
fn write(file: &mut File, steps: &[Step]) -> io::Result<()> {
    for step in steps {
        file.seek(SeekFrom::Start(step.offset))?;
        file.write_all(&step.bytes)?;
        file.sync_all()?;
    }
    Ok(())
}
