//! Fails if source files of a crate name each other in a circle: then none of them can be read,
//! tested or moved without the others.
//!
//!     cargo run -p combseal-rooms [-- [--floors] PATH ...]
//!
//! A PATH is a crate's folder of sources or the root file of a program; without any, all crates
//! of this workspace are looked at, from its root. `--floors` also lists the files by height:
//! those that need no other first.
//!
//! One file names another if a path in it leads into the other's module (`tree.rs` says how it is
//! followed). What is for tests alone does not count, and neither does declaring a module. Names
//! that come by macros or by methods of a type are not seen.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod graph;
mod scan;
mod tokens;
mod tree;

/// The workspace's crates.
const CRATES: [&str; 11] = [
    "crates/combseal/src",
    "crates/combseal-c/src",
    "crates/combseal-ae/src",
    "crates/combseal-quic/src",
    "crates/combseal-python/src",
    "crates/combseal-rustls/src",
    "crates/combseal-lab/src",
    "crates/combseal-cli/src",
    "crates/combseal-archive/src",
    "crates/combseal-guard/src",
    "crates/combseal-rooms/src",
];

fn main() -> ExitCode {
    let (options, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| *option != "--floors") {
        eprintln!("error: no option {unknown}; there is --floors");
        return ExitCode::from(2);
    }
    let given = if paths.is_empty() { CRATES.map(String::from).to_vec() } else { paths };
    let mut circles = 0;
    for path in &given {
        match look(Path::new(path), !options.is_empty()) {
            Ok(found) => circles += found,
            Err(why) => {
                eprintln!("error: {why}");
                return ExitCode::from(2);
            }
        }
    }
    if circles == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints what is found in a folder of sources, or from a root file on, and returns how many
/// circles there are.
///
/// # Errors
/// If there is nothing to read.
fn look(path: &Path, floors: bool) -> Result<usize, String> {
    let mut circles = 0;
    for root in roots(path)? {
        let graph = tree::graph(&root, &|file| std::fs::read_to_string(file).ok())?;
        let found = graph.circles();
        println!("{}: {} files, {} circles", root.display(), graph.len(), found.len());
        for files in &found {
            println!("  a circle of {} files:", files.len());
            for (from, to, path) in graph.arrows().filter(|(from, to, _)| files.contains(from) && files.contains(to)) {
                println!("    {} -> {}  ({path})", graph.name(from), graph.name(to));
            }
        }
        if floors {
            for (height, files) in graph.floors().iter().enumerate() {
                let names: Vec<&str> = files.iter().map(|&file| graph.name(file)).collect();
                println!("  floor {height}: {}", names.join(" "));
            }
        }
        circles += found.len();
    }
    Ok(circles)
}

/// The root files of the library and the programs in a folder of sources.
fn roots(path: &Path) -> Result<Vec<PathBuf>, String> {
    if path.is_file() {
        return Ok(vec![path.into()]);
    }
    let mut roots: Vec<PathBuf> = ["lib.rs", "main.rs"].iter().map(|name| path.join(name)).collect();
    let programs = std::fs::read_dir(path.join("bin")).into_iter().flatten().flatten().map(|entry| entry.path());
    roots.extend(programs.map(|program| if program.is_dir() { program.join("main.rs") } else { program }));
    roots.retain(|root| root.is_file());
    if roots.is_empty() {
        return Err(format!("{} has neither lib.rs nor main.rs; is this the workspace's root?", path.display()));
    }
    Ok(roots)
}
