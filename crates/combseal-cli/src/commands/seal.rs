//! `combseal seal`: files to sealed files.

use super::each;
use crate::files::ends::{Destination, Input, Output, one_folder};
use crate::files::failure::Failure;
use crate::files::named::{Named, failure};
use crate::files::options::{Common, CostArgs, locks, scheme, size};
use crate::files::pending::Mode;
use crate::files::plan::{Job, Written, plan};
use crate::files::progress::Progress;
use crate::files::secrets::{SecretArgs, one_standard_input};
use combseal::Algorithm;
use combseal::stream::{Header, Lock, Settings, seal_all, seal_all_detached};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// What a sealed file's name ends in.
pub const ENDING: &str = "sealed";

/// What to seal, by what, and where to.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The sealed file, a folder to put it in, or - for standard output [default: FILE.sealed]
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    secrets: SecretArgs,
    /// How to seal: `combseal schemes` lists them
    #[arg(long, value_name = "NAME", default_value = "OCB3-AES-256", value_parser = scheme)]
    scheme: Algorithm,
    /// Bytes that are sealed as one piece, and the least that is read of the file: a power of two from 4KiB to 16MiB
    #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = size)]
    segment: u64,
    /// Room for so many keys and passphrases in all, 1 to 16, so that `combseal rekey --add` can add some [default: 4,
    /// or as many as there are]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=16))]
    slots: Option<u8>,
    #[command(flatten)]
    costs: CostArgs,
    #[command(flatten)]
    common: Common,
}

/// Runs the command and returns the exit code, of several files that of the first that failed. Each
/// is sealed even if another fails.
pub fn run(args: &Args) -> u8 {
    each(|tell| seal(args, tell))
}

fn seal(args: &Args, tell: &mut dyn FnMut(Failure)) -> Result<(), Failure> {
    one_standard_input(args.files.iter().chain(&args.secrets.paths()))?;
    args.secrets.some("seal by what?")?;
    args.costs.only_with(args.secrets.has_passphrase())?;
    let costs = args.costs.costs()?;
    let segment = usize::try_from(args.segment).unwrap_or(usize::MAX);
    let mut settings = Settings::new().scheme(args.scheme).segment_len(segment).context(args.common.context());
    if let Some(slots) = args.slots {
        settings = settings.slots(slots);
    }
    // What is wrong with settings and files is said before anybody types a passphrase.
    settings.sealed_len(0, args.secrets.count())?;
    let several = args.files.len() > 1;
    if several && !args.output.as_deref().is_none_or(Path::is_dir) {
        return Err(one_folder());
    }
    let jobs = plan(&args.files, args.common.force, |input| to(args, input, several).map(Some), &mut *tell)?;
    if jobs.is_empty() {
        return Ok(());
    }
    args.common.start(segments(&jobs, args.segment))?;
    let secrets = args.secrets.all(true)?;
    let locks = locks(&secrets, costs);
    let mut written = Written::default();
    for Job { input, to } in &jobs {
        let Some(to) = to else { continue };
        match one(args, &settings, &locks, input, to, &written) {
            Ok(()) => written.add(to),
            Err(failure) => tell(failure),
        }
    }
    Ok(())
}

/// Where the sealed file goes.
fn to(args: &Args, input: &Path, several: bool) -> Result<Destination, Failure> {
    if !args.common.force && is_sealed(input) {
        return Err(Failure::usage("is sealed already").of(input.display()).hint("--force seals it once more"));
    }
    let to = Destination::new(input, args.output.as_deref(), several, |path| {
        if !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
            return Err(Failure::usage("is no regular file").of(path.display()).hint("name the output with -o"));
        }
        let mut name = path.as_os_str().to_os_string();
        name.push(".");
        name.push(ENDING);
        Ok(name.into())
    })?;
    if to == Destination::Stdout && std::io::stdout().is_terminal() {
        return Err(Failure::usage("sealed data is not for a terminal")
            .hint("name the output with -o FILE, or send it on through a pipe"));
    }
    Ok(to)
}

/// Whether it is a sealed file by its name and by its first bytes: `seal *` in a folder where some
/// are sealed already means the others.
fn is_sealed(path: &Path) -> bool {
    let named = path.extension().is_some_and(|ending| ending == ENDING);
    // A pipe is not looked into: what is read of it is gone.
    if !named || !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return false;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(Header::START_LEN as u64).read_to_end(&mut start));
    read.is_ok() && Header::len_from_start(&start).is_ok()
}

/// The most segments that one of the files will have, if that is known of all.
fn segments(jobs: &[Job<'_>], segment: u64) -> Option<u64> {
    let of = |job: &Job<'_>| {
        let about = std::fs::metadata(job.input).ok().filter(|about| about.is_file());
        Some(about?.len() / segment.max(1) + 1)
    };
    jobs.iter().map(of).try_fold(1, |most, segments| Some(segments?.max(most)))
}

fn one(
    args: &Args,
    settings: &Settings,
    locks: &[Lock<'_>],
    path: &Path,
    to: &Destination,
    written: &Written,
) -> Result<(), Failure> {
    let input = Input::open(path)?;
    written.check(to)?;
    let mut output = Output::open(to, args.common.force, Mode::Public, &input)?;
    let mut progress = Progress::new(&input.name, input.len, !args.common.quiet);
    let (read, done) = Default::default();
    let (to, to_name) = output.writer();
    let from = Named::new(input.file, &input.name, &read);
    let to = Named::new(to, to_name, &done);
    let reach = |done| progress.reach(done);
    // A file is read to its end; for a pipe that has nothing to give nobody waits if writing fails.
    let sealed = match input.len {
        Some(_) => seal_all(from, to, settings, locks, reach),
        None => seal_all_detached(from, to, settings, locks, reach),
    };
    sealed.map_err(|error| failure(&input.name, &error))?;
    output.finish()
}
