//! Looks at the machine code of the library's kernels. Inlining is a heuristic, and a kernel that
//! loses it runs eight times slower without any test noticing.
//!
//! A *door* is the function through which a kernel is entered on one tier of instructions
//! (`docs/architecture.md`). The program links all of them, then reads and decodes its own image, or
//! with `--image FILE` that of the same program as it was built for another machine.
//! It fails if an intrinsic was not inlined (a symbol with `core_arch`), if a door calls anything
//! but a panic or what `expect.rs` allows, or if a main loop does not have the AES instructions
//! that it should have. It prints a table of what it found.
//!
//! Run it by `.ci/guard`: it needs a release build with `v0` symbol names, since others do not say
//! which kernel a door belongs to.

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod arm;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod code;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod counts;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod door;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod doors;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod expect;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod image;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod table;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod turn;
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
mod x86;

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;
    if cfg!(debug_assertions) {
        eprintln!("error: this is a debug build, whose code says nothing; run .ci/guard");
        return ExitCode::from(2);
    }
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let markdown = arguments.iter().any(|a| a == "--markdown");
    let image = arguments.iter().position(|a| a == "--image");
    let image = image.and_then(|at| arguments.get(at + 1)).map(std::path::PathBuf::from);
    match look(image, markdown) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

/// Prints the table and the faults, and returns how many there are.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux"))]
fn look(image: Option<std::path::PathBuf>, markdown: bool) -> Result<usize, Box<dyn std::error::Error>> {
    doors::open_all()?;
    let file = std::fs::read(image.map_or_else(std::env::current_exe, Ok)?)?;
    let image = image::Image::read(&file)?;
    let mut doors: Vec<_> =
        image.functions.iter().filter_map(|f| Some((door::Door::parse(&f.name)?, code::list(f, &image)))).collect();
    doors.sort_by(|a, b| a.0.cmp(&b.0));
    // A kernel that two crates instantiate is there twice.
    doors.dedup_by(|a, b| a.0 == b.0 && a.1.bytes == b.1.bytes);
    if doors.is_empty() {
        return Err("no door found; run .ci/guard, which asks for v0 symbol names".into());
    }
    print!("{}", table::table(&doors, markdown));
    let mut faults = Vec::new();
    // By the function's own path: a type of register may stand among what it is generic over.
    let own = |name: &str| name.split("::<").next().unwrap_or_default().contains("core_arch");
    for f in image.functions.iter().filter(|f| own(&f.name) && !expect::detection(&f.name)) {
        faults.push(format!("an intrinsic was not inlined: {}", f.name));
    }
    for (door, listing) in &doors {
        let found = expect::faults(door, listing).into_iter().chain(turn::faults(door, listing));
        faults.extend(found.map(|f| format!("{} on {}: {f}", door.kernel, door.tier)));
    }
    // Every entry of the tables must have a door on each tier of the image's machine.
    let is_arm = image.machine == image::Machine::Arm;
    let tiers = expect::tiers(is_arm);
    faults.extend(expect::idle(&doors, tiers));
    if is_arm {
        faults.extend(turn::idle(&doors, tiers));
    }
    // What must fail does: five registers more than there are, and on ARM a turn with more of each kind.
    let more: Vec<_> =
        doors.iter().filter_map(|(door, listing)| Some((door, expect::control(door, listing)?))).collect();
    if more.is_empty() {
        faults.push("the control: no door has a number of registers to be doubted".into());
    }
    for (door, _) in more.iter().filter(|(_, failed)| !failed) {
        faults.push(format!("the control: {} on {} has a loop with five registers more", door.kernel, door.tier));
    }
    let spoilt: Vec<_> = doors.iter().flat_map(|(door, listing)| turn::control(door, listing)).collect();
    for kind in turn::KINDS.iter().filter(|_| is_arm) {
        if !spoilt.iter().any(|fault| fault.contains(kind)) {
            faults.push(format!("the control: one more is not found of: {kind}"));
        }
    }
    print!("{}", turn::note(&doors));
    for fault in &faults {
        eprintln!("FAULT: {fault}");
    }
    let known = doors.iter().filter(|(door, _)| expect::known(door).is_some()).count();
    eprintln!("{} doors, {known} with a main loop that is known, {} faults", doors.len(), faults.len());
    eprintln!(
        "as a control, {} of them fail if they must have five registers more; {} faults if turns have one more of each kind",
        more.len(),
        spoilt.len()
    );
    Ok(faults.len())
}

#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux")))]
fn main() {
    eprintln!("nothing to look at: the guard reads ELF images on x86-64 and AArch64 Linux only");
}
