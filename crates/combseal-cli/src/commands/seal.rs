//! `combseal seal`: files to sealed files.

use super::{OK, failed, first};
use crate::files::ends::{Destination, Input, Output};
use crate::files::failure::Failure;
use crate::files::named::{Named, failure};
use crate::files::options::{Common, CostArgs, locks, scheme, size};
use crate::files::pending::Mode;
use crate::files::progress::Progress;
use crate::files::secrets::{Secret, SecretArgs, one_standard_input};
use combseal::Algorithm;
use combseal::stream::{Argon2Costs, Lock, Settings, seal_all};
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
    #[command(flatten)]
    costs: CostArgs,
    #[command(flatten)]
    common: Common,
}

/// Runs the command and returns the exit code, of several files that of the first that failed. Each
/// is sealed even if another fails.
pub fn run(args: &Args) -> u8 {
    match prepare(args) {
        Ok((settings, secrets, costs)) => {
            let locks = locks(&secrets, costs);
            let all = args.files.iter().map(|file| one(args, &settings, &locks, file));
            all.filter_map(Result::err).map(|failure| failed(&failure)).fold(OK, first)
        }
        Err(failure) => failed(&failure),
    }
}

/// All that is the same for every file.
fn prepare(args: &Args) -> Result<(Settings, Vec<Secret>, Argon2Costs), Failure> {
    one_standard_input(&args.files, &[args.secrets.standard_inputs()])?;
    args.costs.only_with(args.secrets.has_passphrase())?;
    let costs = args.costs.costs()?;
    let segment = usize::try_from(args.segment).unwrap_or(usize::MAX);
    let settings = Settings::new().scheme(args.scheme).segment_len(segment).context(args.common.context());
    // What the settings lack is said before anybody types a passphrase.
    settings.sealed_len(0, 1)?;
    args.common.start()?;
    Ok((settings, args.secrets.all()?, costs))
}

fn one(args: &Args, settings: &Settings, locks: &[Lock<'_>], path: &Path) -> Result<(), Failure> {
    let input = Input::open(path)?;
    let to = Destination::new(path, args.output.as_deref(), args.files.len() > 1, |path| {
        if !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
            return Err(Failure::usage("is no regular file").of(path.display()).hint("name the output with -o"));
        }
        let mut name = path.as_os_str().to_os_string();
        name.push(".");
        name.push(ENDING);
        Ok(name.into())
    })?;
    let mut output = Output::open(&to, args.common.force, Mode::Public, &input)?;
    if output.is_terminal() && args.output.is_none() {
        return Err(Failure::usage("sealed data is not for a terminal")
            .hint("name the output with -o FILE; -o - shows it on the terminal all the same"));
    }
    let mut progress = Progress::new(&input.name, input.len, !args.common.quiet);
    let (read, written) = Default::default();
    let (to, to_name) = output.writer();
    let from = Named::new(&input.file, &input.name, &read);
    let to = Named::new(to, to_name, &written);
    seal_all(from, to, settings, locks, |done| progress.reach(done)).map_err(|error| failure(&input.name, &error))?;
    output.finish()
}
