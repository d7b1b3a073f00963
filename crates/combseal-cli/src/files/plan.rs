//! Which input goes where, worked out for all of them before a passphrase is typed and anything is
//! written: two inputs that would go to one file, and an input that another's output would
//! replace, are refused.

use super::ends::{Destination, Identity, STANDARD, folder_of, input_identity};
use super::failure::{Failure, printable};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// An input and where its output goes, if there is one.
pub struct Job<'a> {
    /// A file's name, or `-`.
    pub input: &'a Path,
    /// Where its output goes.
    pub to: Option<Destination>,
}

/// Where an output will be.
#[derive(PartialEq, Eq, Hash)]
enum Target {
    /// In the place of this.
    There(Identity),
    /// Under a name that is free, in a folder by its only name.
    Free(PathBuf, OsString),
}

/// Plans all inputs; `to` says where each one's output goes. What is wrong with one of them alone
/// is told to `tell`, and the others are done.
///
/// # Errors
/// When two outputs, or an output and another's input, would be one file.
pub fn plan<'a>(
    inputs: &'a [PathBuf],
    force: bool,
    to: impl Fn(&Path) -> Result<Option<Destination>, Failure>,
    mut tell: impl FnMut(Failure),
) -> Result<Vec<Job<'a>>, Failure> {
    let mut jobs = Vec::new();
    let mut targets: HashMap<Target, &Path> = HashMap::new();
    for input in inputs {
        let planned = readable(input).and_then(|()| to(input)).and_then(|to| {
            let there = to.as_ref().map(|to| to.check(force, input)).transpose()?.flatten();
            Ok((to, there))
        });
        let (to, there) = match planned {
            Ok(planned) => planned,
            Err(failure) => {
                tell(failure);
                continue;
            }
        };
        let target = match (there, &to) {
            (Some(identity), _) => Some(Target::There(identity)),
            (None, Some(Destination::Path(path))) => free(path),
            (None, _) => None,
        };
        if let Some(other) = target.and_then(|target| targets.insert(target, input)) {
            let names = format!("{} and {}", printable(other.display()), printable(input.display()));
            return Err(Failure::usage(format!("{names} would become one file"))
                .hint("give them one at a time, each with a -o of its own"));
        }
        jobs.push(Job { input, to });
    }
    for input in inputs {
        let other = input_identity(input).and_then(|identity| targets.get(&Target::There(identity)).copied());
        if let Some(other) = other {
            return Err(
                Failure::usage(format!("is an input, and the output of {}", other.display())).of(input.display())
            );
        }
    }
    Ok(jobs)
}

/// That there is such an input, and no folder; whether it may be read is seen when it is.
fn readable(input: &Path) -> Result<(), Failure> {
    if input.as_os_str() == STANDARD {
        return Ok(());
    }
    match fs::metadata(input) {
        Ok(about) if about.is_dir() => Err(Failure::folder(input.display())),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::path(input, &error)),
    }
}

/// A name that is free. Pipes and devices, to which several may write, have names that are not.
fn free(path: &Path) -> Option<Target> {
    if path.symlink_metadata().is_ok() {
        return None;
    }
    Some(Target::Free(fs::canonicalize(folder_of(path)).ok()?, path.file_name()?.to_os_string()))
}

/// The files that were written, none of which may be replaced by the next one: file systems take
/// names for one that are not the same.
#[derive(Default)]
pub struct Written(HashSet<Identity>);

impl Written {
    /// That this was not written before.
    ///
    /// # Errors
    /// When it was.
    pub fn check(&self, to: &Destination) -> Result<(), Failure> {
        match to {
            Destination::Path(path) if Identity::at(path).is_some_and(|it| self.0.contains(&it)) => {
                Err(Failure::usage("is the output of another input already").of(path.display()))
            }
            _ => Ok(()),
        }
    }

    /// This was written.
    pub fn add(&mut self, to: &Destination) {
        if let Destination::Path(path) = to {
            self.0.extend(Identity::at(path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::failure::Cause;

    /// What two inputs come to, whose outputs have these names.
    fn two(folder: &Path, force: bool, outputs: [&str; 2]) -> (Option<Cause>, usize) {
        let inputs = ["one", "two"].map(|name| folder.join(name));
        let to = |input: &Path| {
            let output = outputs[usize::from(input.ends_with("two"))];
            Ok(Some(Destination::Path(folder.join(output))))
        };
        let mut told = 0;
        let done = plan(&inputs, force, to, |_| told += 1);
        (done.err().map(|failure| failure.cause), told)
    }

    #[test]
    fn one_output_of_two() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["one", "two", "there"] {
            fs::write(folder.join(name), name).unwrap();
        }
        fs::create_dir(folder.join("in")).unwrap();
        fs::hard_link(folder.join("there"), folder.join("hard")).unwrap();
        for force in [true, false] {
            assert_eq!(two(folder, force, ["a", "b"]), (None, 0));
            assert_eq!(two(folder, force, ["a", "a"]), (Some(Cause::Usage), 0));
            assert_eq!(two(folder, force, ["a", "in/../a"]), (Some(Cause::Usage), 0));
            assert_eq!(two(folder, force, ["a", "in/a"]), (None, 0));
        }
        assert_eq!(two(folder, true, ["there", "hard"]), (Some(Cause::Usage), 0));
        assert_eq!(two(folder, false, ["there", "hard"]), (None, 2));
        // One's output is the other's input.
        assert_eq!(two(folder, true, ["two", "a"]), (Some(Cause::Usage), 0));
        assert_eq!(two(folder, true, ["one", "a"]), (None, 1));

        // Names that are free now, and are one file when they are written.
        let (mut written, to) = (Written::default(), |name: &str| Destination::Path(folder.join(name)));
        written.check(&to("there")).unwrap();
        written.add(&to("there"));
        assert_eq!(written.check(&to("hard")).unwrap_err().cause, Cause::Usage);
        written.check(&to("one")).unwrap();
    }
}
