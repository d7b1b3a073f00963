//! `combseal open`: sealed files to what was sealed, all of it or a range.

use super::seal::ENDING;
use super::{OK, failed, first};
use crate::files::ends::{Destination, Input, Output, STANDARD};
use crate::files::failure::Failure;
use crate::files::named::{Named, failure};
use crate::files::options::{CapArgs, Common, Range, grouped, range, unlock};
use crate::files::pending::Mode;
use crate::files::progress::Progress;
use crate::files::secrets::{Secret, SecretArgs, one_standard_input};
use combseal::stream::{Error, Header, OpenedFile, open_all};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Bytes of a range that are written at once.
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
    let input = Input::open(path)?;
    if args.verify {
        if args.output.is_some() || args.range.is_some() {
            input.seekable("--verify with an output")?;
        }
        let count = whole(args, secret, &input, io::sink(), "").map_err(|(failure, _)| failure)?;
        if args.output.is_none() && args.range.is_none() {
            if !args.common.quiet {
                println!("{}: whole and authentic, {} bytes", input.name, grouped(count));
            }
            return Ok(());
        }
        input.again();
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
    let mut output = Output::open(&to, args.common.force, Mode::Private, &input)?;
    let (writer, name) = output.writer();
    let released = match args.range {
        Some(range) => part(args, secret, &input, range, writer, name),
        None => whole(args, secret, &input, writer, name).map(|_| ()),
    };
    match released {
        Ok(()) => output.finish(),
        Err((failure, count)) if count > 0 && output.is_direct() && !failure.silent => {
            Err(failure.note(format!("{} bytes that were authentic had been written before", grouped(count))))
        }
        Err((failure, _)) => Err(failure),
    }
}

/// Opens all of it and says how many bytes were sealed in it. Fails with how many were written
/// before.
fn whole(
    args: &Args,
    secret: &Secret,
    input: &Input,
    to: impl Write + Send,
    to_name: &str,
) -> Result<u64, (Failure, u64)> {
    // A little longer than what comes out, which is known only behind the header.
    let mut progress = Progress::new(&input.name, input.len, !args.common.quiet);
    let (read, written) = Default::default();
    let from = Named::new(&input.file, &input.name, &read);
    let to = Named::new(to, to_name, &written);
    let unlock = unlock(secret, args.caps.caps());
    open_all(from, to, unlock, args.common.context(), 0, |done| progress.reach(done)).map_err(|error| {
        let failure = failure(&input.name, &error);
        (located(failure, &error, input), written.load(Ordering::Relaxed))
    })
}

/// Says where in the file the damage is, if the file can be looked at again.
fn located(failure: Failure, error: &Error, input: &Input) -> Failure {
    let &(Error::Damaged { segment } | Error::CutOrDamaged { segment }) = error else { return failure };
    let header = input.again().then(|| Header::read(&mut &input.file).ok()).flatten();
    let begin = header.and_then(|header| {
        let stride = (header.segment_len() + header.tag_len()) as u64;
        segment.checked_mul(stride)?.checked_add(header.header_len() as u64)
    });
    match begin {
        Some(begin) => failure.note(format!("segment {segment} begins at byte {} of the file", grouped(begin))),
        None => failure,
    }
}

/// Opens a range. Fails with how many bytes were written before.
fn part(
    args: &Args,
    secret: &Secret,
    input: &Input,
    range: Range,
    mut to: impl Write,
    to_name: &str,
) -> Result<(), (Failure, u64)> {
    let sealed = |error: Error, done| (located(Failure::from(&error).of(&input.name), &error, input), done);
    let unlock = unlock(secret, args.caps.caps());
    let mut file = OpenedFile::new(&input.file, unlock, args.common.context(), 0).map_err(|error| sealed(error, 0))?;
    let (from, count) = range.within(file.len()).map_err(|failure| (failure.of(&input.name), 0))?;
    file.seek(SeekFrom::Start(from)).map_err(|error| sealed(error.into(), 0))?;
    let mut progress = Progress::new(&input.name, Some(count), !args.common.quiet);
    let mut chunk = vec![0; usize::try_from(count).unwrap_or(CHUNK).min(CHUNK)];
    let mut done = 0;
    while done < count {
        let most = chunk.len().min(usize::try_from(count - done).unwrap_or(CHUNK));
        let len = match file.read(&mut chunk[..most]) {
            // The length was verified: the file has changed since.
            Ok(0) => return Err(sealed(Error::Truncated, done)),
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(sealed(error.into(), done)),
        };
        to.write_all(&chunk[..len]).map_err(|error| (Failure::io(to_name, &error), done))?;
        done += len as u64;
        progress.reach(done);
    }
    Ok(())
}
