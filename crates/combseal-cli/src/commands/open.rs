//! `combseal open`: sealed files to what was sealed, all of it or a range.

use super::each;
use super::seal::ENDING;
use crate::files::ends::{Destination, Input, Output, STANDARD, one_folder};
use crate::files::failure::Failure;
use crate::files::named::{Named, failure};
use crate::files::options::{CapArgs, Common, Range, grouped, range, unlock};
use crate::files::pending::Mode;
use crate::files::plan::{Job, Written, plan};
use crate::files::progress::Progress;
use crate::files::secrets::{Secret, SecretArgs, one_standard_input};
use combseal::stream::{Error, Header, OpenedFile, Opening, open_all, open_all_detached};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// After so many bytes of a range it is shown how far it has come.
const CHUNK: u64 = 8 << 20;

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
    each(|tell| open(args, tell))
}

fn open(args: &Args, tell: &mut dyn FnMut(Failure)) -> Result<(), Failure> {
    one_standard_input(args.files.iter().chain(&args.secrets.paths()))?;
    args.secrets.some("open with what?")?;
    let several = args.files.len() > 1;
    if args.range.is_some() && several {
        return Err(Failure::usage("a range is of one file"));
    }
    if several && !args.output.as_deref().is_none_or(Path::is_dir) {
        return Err(one_folder());
    }
    // The most segments of a file, if that is known of all.
    let segments = Cell::new(Some(1));
    let to = |input: &Path| {
        let of_input = look(input)?;
        segments.set(segments.get().zip(of_input).map(|(most, n)| n.max(most)));
        to(args, input, several)
    };
    let jobs = plan(&args.files, args.common.force, to, &mut *tell)?;
    if jobs.is_empty() {
        return Ok(());
    }
    args.common.start(segments.get())?;
    let secrets = args.secrets.all(false)?;
    let mut written = Written::default();
    for Job { input, to } in &jobs {
        match one(args, &secrets, input, to.as_ref(), &written) {
            Ok(()) => to.iter().for_each(|to| written.add(to)),
            Err(failure) => tell(failure),
        }
    }
    Ok(())
}

/// What can be seen without the key is seen before anybody types a passphrase: whether it is a
/// sealed file. How many segments it has; `None` of a pipe, which can be read only once.
fn look(input: &Path) -> Result<Option<u64>, Failure> {
    let about = std::fs::metadata(input).ok().filter(|about| about.is_file());
    let Some(about) = about.filter(|_| input.as_os_str() != STANDARD) else { return Ok(None) };
    let mut file = File::open(input).map_err(|error| Failure::path(input, &error))?;
    let header = Header::read(&mut file).map_err(|error| Failure::from(error).of(input.display()))?;
    Ok(Some(header.segments(about.len()).unwrap_or(1)))
}

/// Where the opened file goes, if it is not only verified.
fn to(args: &Args, input: &Path, several: bool) -> Result<Option<Destination>, Failure> {
    let standard = Path::new(STANDARD);
    let output = args.output.as_deref().or(args.range.map(|_| standard));
    if args.verify && output.is_none() {
        return Ok(None);
    }
    let to = Destination::new(input, output, several, |path| match path.extension() {
        Some(ending) if ending == ENDING && path.file_stem().is_some() => Ok(path.with_extension("")),
        _ => Err(Failure::usage(format!("does not end in .{ENDING}, so the opened file has no name"))
            .of(path.display())
            .hint("give it one with -o FILE, or -o - for standard output")),
    });
    to.map(Some)
}

fn one(
    args: &Args,
    secrets: &[Secret],
    path: &Path,
    to: Option<&Destination>,
    written: &Written,
) -> Result<(), Failure> {
    let input = Input::open(path)?;
    if to.is_some() && args.verify {
        input.seekable("--verify with an output")?;
    }
    if args.range.is_some() {
        input.seekable("--range")?;
    }
    let (secret, start) = chosen(args, secrets, &input)?;
    if args.verify {
        let count = whole(args, secret, &input, &start, io::sink(), "").map_err(|(failure, _)| failure)?;
        input.again();
        if to.is_none() && !args.common.quiet {
            let said = writeln!(io::stdout(), "{}: whole and authentic, {} bytes", input.name, grouped(count));
            return said.map_err(|error| Failure::io("standard output", &error));
        }
    }
    let Some(to) = to else { return Ok(()) };
    written.check(to)?;
    let mut output = Output::open(to, args.common.force, Mode::Private, &input)?;
    let (writer, name) = output.writer();
    let released = match args.range {
        Some(range) => part(args, secret, &input, range, writer, name),
        None => whole(args, secret, &input, &start, writer, name).map(|_| ()),
    };
    match released {
        Ok(()) => output.finish(),
        Err((failure, count)) if count > 0 && output.is_direct() && !failure.silent => {
            Err(failure.note(format!("{} bytes that were authentic had been written before", grouped(count))))
        }
        Err((failure, _)) => Err(failure),
    }
}

/// The first of the secrets that opens it, or the last if none does, which then says so. Of a
/// pipe also the bytes that had to be read to know.
fn chosen<'a>(args: &Args, secrets: &'a [Secret], input: &Input) -> Result<(&'a Secret, Vec<u8>), Failure> {
    let mut start = Vec::new();
    let (last, others) = match secrets {
        [others @ .., last] => (last, others),
        [] => return Err(Failure::usage("open with what?")),
    };
    if others.is_empty() {
        return Ok((last, start));
    }
    let mut read = |len: usize| (&input.file).take(len as u64).read_to_end(&mut start).map(|_| start.clone());
    let fail = |error: io::Error| Failure::io(&input.name, &error);
    if let Ok(len) = Header::len_from_start(&read(Header::START_LEN).map_err(fail)?) {
        read(len - Header::START_LEN).map_err(fail)?;
    }
    let opens = |secret: &&Secret| {
        let unlock = unlock(secret, args.caps.caps());
        !matches!(Opening::new(&start[..], unlock, args.common.context(), 1), Err(Error::WrongKey))
    };
    let found = others.iter().find(opens).unwrap_or(last);
    if input.again() {
        start.clear();
    }
    Ok((found, start))
}

/// Opens all of it, of which `start` was read already, and says how many bytes were sealed in it. Fails with how many were written
/// before.
fn whole(
    args: &Args,
    secret: &Secret,
    input: &Input,
    start: &[u8],
    to: impl Write + Send,
    to_name: &str,
) -> Result<u64, (Failure, u64)> {
    // A little longer than what comes out, which is known only behind the header.
    let mut progress = Progress::new(&input.name, input.len, !args.common.quiet);
    let (read, written) = Default::default();
    let file = input.file.try_clone().map_err(|error| (Failure::io(&input.name, &error), 0))?;
    let from = Named::new(io::Cursor::new(start.to_vec()).chain(file), &input.name, &read);
    let to = Named::new(to, to_name, &written);
    let (unlock, context) = (unlock(secret, args.caps.caps()), args.common.context());
    let reach = |done| progress.reach(done);
    // A file is read to its end, and may be looked at again then; for a pipe that has nothing to
    // give nobody waits if writing fails.
    let opened = match input.len {
        Some(_) => open_all(from, to, unlock, context, 0, reach),
        None => open_all_detached(from, to, unlock, context, 0, reach),
    };
    opened.map_err(|error| {
        let failure = failure(&input.name, &error);
        (located(failure, &error, input), written.get())
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
    to: impl Write,
    to_name: &str,
) -> Result<(), (Failure, u64)> {
    let written = Default::default();
    let mut to = Named::new(to, to_name, &written);
    let sealed = |error: Error| {
        let failure = failure(&input.name, &error);
        (located(failure, &error, input), written.get())
    };
    let unlock = unlock(secret, args.caps.caps());
    let mut file = OpenedFile::new(&input.file, unlock, args.common.context(), 0).map_err(sealed)?;
    let (from, count) = range.within(file.len()).map_err(|failure| (failure.of(&input.name), 0))?;
    let mut progress = Progress::new(&input.name, Some(count), !args.common.quiet);
    let mut done = 0;
    while done < count {
        let most = CHUNK.min(count - done);
        let at = from + done;
        match file.read_range(at..at + most, &mut to).map_err(sealed)? {
            // The length was verified: the file has changed since.
            0 => return Err(sealed(Error::Truncated)),
            len => done += len,
        }
        progress.reach(done);
    }
    Ok(())
}
