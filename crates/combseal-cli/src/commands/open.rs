//! `combseal open`: sealed files to what was sealed, all of it or a range.

use super::seal::ENDING;
use super::{OK, failed, first};
use crate::files::ahead::Ahead;
use crate::files::ends::{Destination, Input, Output, STANDARD};
use crate::files::failure::{Cause, Failure};
use crate::files::options::{CapArgs, Common, Range, grouped, range, unlock};
use crate::files::pending::Mode;
use crate::files::progress::Progress;
use crate::files::secrets::{Secret, SecretArgs, one_standard_input};
use combseal::stream::{Error, Header, OpenedFile, Opening};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes that are opened at once.
const CHUNK: usize = 1 << 20;

/// What to open, with what, and where to.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Sealed files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The opened file, a folder to put it in, or - for standard output [default: FILE without .sealed; standard output
    /// for a range]
    #[arg(short, long, value_name = "FILE|DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    secrets: SecretArgs,
    /// Only these bytes, from A to before B: 0..100, 1MiB.., ..4KiB; no more is read than their segments and the last
    #[arg(long, value_name = "A..B", value_parser = range)]
    range: Option<Range>,
    /// Read and verify all of the file first; without -o or --range write nothing
    #[arg(long)]
    verify: bool,
    #[command(flatten)]
    caps: CapArgs,
    #[command(flatten)]
    common: Common,
}

/// Runs the command and returns the exit code, of several files that of the first that failed. Each
/// is opened even if another fails.
pub fn run(args: &Args) -> u8 {
    match prepare(args) {
        Ok(secret) => {
            let all = args.files.iter().map(|file| one(args, &secret, file));
            all.filter_map(Result::err).map(|failure| failed(&failure)).fold(OK, first)
        }
        Err(failure) => failed(&failure),
    }
}

/// All that is the same for every file.
fn prepare(args: &Args) -> Result<Secret, Failure> {
    one_standard_input(&args.files, &[args.secrets.standard_inputs()])?;
    if args.range.is_some() && args.files.len() > 1 {
        return Err(Failure::usage("a range is of one file"));
    }
    args.common.start()?;
    args.secrets.one()
}

fn one(args: &Args, secret: &Secret, path: &Path) -> Result<(), Failure> {
    let mut input = Input::open(path)?;
    if args.verify {
        if args.output.is_some() || args.range.is_some() {
            input.seekable("--verify with an output")?;
        }
        let count = verify(args, secret, &input)?;
        if args.output.is_none() && args.range.is_none() {
            if !args.common.quiet {
                println!("{}: whole and authentic, {} bytes", input.name, grouped(count));
            }
            return Ok(());
        }
        input.file.rewind().map_err(|error| Failure::io(&input.name, &error))?;
    }
    if args.range.is_some() {
        input.seekable("--range")?;
    }
    let standard = Path::new(STANDARD);
    let output = args.output.as_deref().or(args.range.map(|_| standard));
    let to = Destination::new(path, output, args.files.len() > 1, |path| match path.extension() {
        Some(ending) if ending == ENDING && path.file_stem().is_some() => Ok(path.with_extension("")),
        _ => Err(Failure::usage(format!("does not end in .{ENDING}, so the opened file has no name"))
            .of(path.display())
            .hint("give it one with -o FILE, or -o - for standard output")),
    })?;
    let output = Output::open(&to, args.common.force, Mode::Private, &input)?;
    let released = match args.range {
        Some(range) => part(args, secret, input, range, &output),
        None => whole(args, secret, input, &output),
    };
    match released {
        Ok(()) => output.finish(),
        Err((failure, 0)) => Err(failure),
        Err((failure, count)) if output.is_direct() && !failure.silent => {
            Err(failure.note(format!("{} bytes that were authentic had been written before", grouped(count))))
        }
        Err((failure, _)) => Err(failure),
    }
}

/// Reads all of the file and says how many bytes were sealed in it.
fn verify(args: &Args, secret: &Secret, input: &Input) -> Result<u64, Failure> {
    let fail = |error| Failure::io(&input.name, &error);
    let from = Ahead::new(input.file.try_clone().map_err(fail)?).map_err(fail)?;
    copy(args, secret, from, (&input.name, input.len), (&mut std::io::sink(), "")).map_err(|(failure, _)| failure)
}

/// Opens all of it. Fails with how much was written before.
fn whole(args: &Args, secret: &Secret, input: Input, output: &Output) -> Result<(), (Failure, u64)> {
    let from = Ahead::new(input.file).map_err(|error| (Failure::io(&input.name, &error), 0))?;
    copy(args, secret, from, (&input.name, input.len), (&mut output.file(), &output.name)).map(|_| ())
}

/// Opens all that comes from `from` to `to`, and says how many bytes those were.
fn copy(
    args: &Args,
    secret: &Secret,
    from: Ahead,
    (name, len): (&str, Option<u64>),
    (to, to_name): (&mut dyn Write, &str),
) -> Result<u64, (Failure, u64)> {
    let settled = |error: combseal::stream::Error| (Failure::from(error).of(name), 0);
    let opening = Opening::new(from, unlock(secret, args.caps.caps()), args.common.context(), 0).map_err(settled)?;
    let read = Sealed { name, header: opening.header().cloned() };
    let total = len.and_then(|len| read.header.as_ref()?.plaintext_len(len).ok());
    let progress = Progress::new(name, total, !args.common.quiet);
    release((opening, &read), u64::MAX, progress, (to, to_name))
}

/// Opens a range.
fn part(args: &Args, secret: &Secret, input: Input, range: Range, output: &Output) -> Result<(), (Failure, u64)> {
    let settled = |error: combseal::stream::Error| (Failure::from(error).of(&input.name), 0);
    let unlock = unlock(secret, args.caps.caps());
    let mut file = OpenedFile::new(&input.file, unlock, args.common.context(), 0).map_err(settled)?;
    let (from, count) = range.within(file.len()).map_err(|failure| (failure.of(&input.name), 0))?;
    file.seek(SeekFrom::Start(from)).map_err(|error| (Failure::io(&input.name, &error), 0))?;
    let progress = Progress::new(&input.name, Some(count), !args.common.quiet);
    let read = Sealed { name: &input.name, header: Some(file.header().clone()) };
    let released = release((file, &read), count, progress, (&mut output.file(), &output.name))?;
    if released < count {
        return Err((Failure::new(Cause::Truncated, "the file has become shorter").of(&input.name), released));
    }
    Ok(())
}

/// A sealed file as messages speak of it.
struct Sealed<'a> {
    name: &'a str,
    /// Its header, which is authentic.
    header: Option<Header>,
}

impl Sealed<'_> {
    /// Why it could not be read, and where that is in the file.
    fn failed(&self, error: &io::Error) -> Failure {
        let failure = Failure::io(self.name, error);
        let own = error.get_ref().and_then(|inner| inner.downcast_ref());
        let (Some(Error::Damaged { segment } | Error::CutOrDamaged { segment }), Some(header)) = (own, &self.header)
        else {
            return failure;
        };
        let stride = (header.segment_len() + header.tag_len()) as u64;
        let begin = segment.checked_mul(stride).and_then(|at| at.checked_add(header.header_len() as u64));
        match begin {
            Some(begin) => failure.note(format!("segment {segment} begins at byte {} of the file", grouped(begin))),
            None => failure,
        }
    }
}

/// Writes `count` bytes, or all that there are, and says how many those were.
fn release(
    (mut from, sealed): (impl Read, &Sealed<'_>),
    count: u64,
    mut progress: Progress,
    (to, to_name): (&mut dyn Write, &str),
) -> Result<u64, (Failure, u64)> {
    let mut chunk = vec![0; usize::try_from(count).unwrap_or(CHUNK).min(CHUNK)];
    let mut done = 0;
    while done < count {
        let most = chunk.len().min(usize::try_from(count - done).unwrap_or(CHUNK));
        let len = match from.read(&mut chunk[..most]) {
            Ok(0) => break,
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err((sealed.failed(&error), done)),
        };
        to.write_all(&chunk[..len]).map_err(|error| (Failure::io(to_name, &error), done))?;
        done += len as u64;
        progress.advance(len as u64);
    }
    Ok(done)
}
