//! Bernstein's programme of 2007 has a results file of its own. On the report's page it belongs to the run of
//! the same machine: it is taken if it is among the inputs, or lies beside one of them.

use crate::results::Run;
use crate::study2007;
use std::path::{Path, PathBuf};

/// What was taken, and what was not.
#[derive(Debug, Default)]
pub struct Joined {
    /// The files that lay beside the inputs.
    pub found: Vec<PathBuf>,
    /// A sentence for each that could not be taken.
    pub warnings: Vec<String>,
}

/// Gives each run the programme of its machine: from the files in `given`, or from those beside `usual`.
pub fn join(runs: &mut [Run], given: &[PathBuf], usual: &[PathBuf]) -> Joined {
    let mut joined = Joined::default();
    for path in usual.iter().map(|path| path.with_file_name(study2007::RESULTS)) {
        if !given.contains(&path) && !joined.found.contains(&path) && study2007::is_results(&path) {
            joined.found.push(path);
        }
    }
    for path in given {
        match take(runs, path) {
            Ok(true) => {}
            Ok(false) => {
                joined.warnings.push(format!("{}: of a machine that has no other results here", path.display()))
            }
            Err(why) => joined.warnings.push(format!("{}: {why}", path.display())),
        }
    }
    // Nobody asked for these: what is not of this machine, or cannot be read, is not missed.
    joined.found.retain(|path| take(runs, path).unwrap_or(false));
    joined
}

/// Whether a run took it.
fn take(runs: &mut [Run], path: &Path) -> std::io::Result<bool> {
    let programme = study2007::read(path)?;
    let mut taken = false;
    for run in runs.iter_mut().filter(|run| run.machine.cpu == programme.machine.cpu && run.programme.is_none()) {
        run.programme = Some(programme.clone());
        taken = true;
    }
    Ok(taken && !programme.systems.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixture;
    use crate::study2007::{Chosen, Machine, Record};

    fn file(path: &Path, cpu: &str) {
        let machine =
            Machine { cpu: cpu.into(), tier: "vaes512".into(), unit: "core cycles".into(), ..Machine::default() };
        let system = Chosen { name: "phelix".into(), ..Chosen::default() };
        let lines =
            [Record::Machine(machine), Record::System(system)].map(|r| serde_json::to_string(&r).unwrap() + "\n");
        std::fs::write(path, lines.concat()).unwrap();
    }

    #[test]
    fn the_same_machines_programme_alone() {
        let folder = std::env::temp_dir().join(format!("combseal-programme-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (usual, beside, given) =
            (folder.join("results.jsonl"), folder.join(study2007::RESULTS), folder.join("2007"));
        let cpu = fixture::run().machine.cpu;
        let mut runs = [fixture::run()];
        assert!(join(&mut runs, &[], std::slice::from_ref(&usual)).found.is_empty() && runs[0].programme.is_none());

        file(&beside, &cpu);
        let joined = join(&mut runs, &[], &[usual.clone(), usual.clone()]);
        assert_eq!((joined.found, joined.warnings.len()), (vec![beside.clone()], 0));
        assert_eq!(runs[0].programme.as_ref().unwrap().systems[0].name, "phelix");

        let mut runs = [fixture::run()];
        file(&given, "another");
        file(&beside, "another");
        let joined = join(&mut runs, std::slice::from_ref(&given), &[usual]);
        assert!(
            joined.found.is_empty() && joined.warnings[0].contains("no other results") && runs[0].programme.is_none()
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
