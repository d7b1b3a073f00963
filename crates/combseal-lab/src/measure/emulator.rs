//! Whether this program runs under an emulator. There, times are those of another machine's
//! instructions, so that they say nothing of this one: they are marked and nobody ranks them.

use std::path::Path;

/// Where nothing can be noticed, one can say it: anything but nothing and `0` is the emulator's name.
pub const VARIABLE: &str = "COMBSEAL_EMULATED";

/// The emulator's name, if there is one, as far as it can be told from within.
///
/// * Somebody says so: [`VARIABLE`].
/// * QEMU's user mode and its like (Valgrind too) answer `/proc/self/exe` with the program that they
///   interpret, but the kernel answers `/proc/thread-self/exe` with the emulator.
/// * The kernel describes a processor of another architecture than this program's: an x86's maker to a program
///   for another, an ARM core's to one that is not for ARM (FEX, box64, Rosetta for Linux).
/// * QEMU, when it emulates a whole machine, says so to x86 by CPUID and to ARM by a maker numbered zero.
pub fn emulator() -> Option<String> {
    let said = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty() && name != "0");
    said.or_else(interpreter).or_else(|| another(&info())).or_else(machine)
}

/// The emulator that interprets this process, by its file's name.
fn interpreter() -> Option<String> {
    let link = |path: &str| std::fs::read_link(path).ok();
    differs(&link("/proc/self/exe")?, &link("/proc/thread-self/exe")?)
}

fn differs(claimed: &Path, real: &Path) -> Option<String> {
    (claimed != real).then(|| real.file_name().unwrap_or(real.as_os_str()).to_string_lossy().into_owned())
}

fn info() -> String {
    std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
}

/// An x86 under a program for something else, an ARM core under one, or QEMU's ARM that nobody has made.
fn another(info: &str) -> Option<String> {
    let has = |field: &str, value: &str| {
        info.lines().any(|line| line.starts_with(field) && line.split_once(':').is_some_and(|(_, v)| v.trim() == value))
    };
    let x86 = cfg!(any(target_arch = "x86", target_arch = "x86_64"));
    if !x86 && ["AuthenticAMD", "GenuineIntel"].iter().any(|maker| has("vendor_id", maker)) {
        return Some("an emulator on x86".into());
    }
    // Programs of ARM's 32 bits run on its cores of 64 as they are.
    let arm = cfg!(any(target_arch = "arm", target_arch = "aarch64", target_arch = "arm64ec"));
    if has("CPU implementer", "0x00") {
        return Some("QEMU".into());
    }
    let core = info.lines().any(|line| line.starts_with("CPU implementer"));
    (!arm && core).then(|| "an emulator on ARM".into())
}

/// The hypervisor that is none: QEMU without KVM.
#[cfg(target_arch = "x86_64")]
fn machine() -> Option<String> {
    use core::arch::x86_64::__cpuid;
    // Whether there is a hypervisor's leaf at all.
    if __cpuid(1).ecx >> 31 & 1 == 0 {
        return None;
    }
    let name = __cpuid(0x4000_0000);
    let bytes: Vec<u8> = [name.ebx, name.ecx, name.edx].iter().flat_map(|word| word.to_le_bytes()).collect();
    (bytes == b"TCGTCGTCGTCG").then(|| "QEMU".into())
}

#[cfg(not(target_arch = "x86_64"))]
fn machine() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_an_emulator() {
        let program = Path::new("/home/me/combseal");
        assert_eq!(differs(program, program), None);
        assert_eq!(differs(program, Path::new("/usr/bin/qemu-aarch64-static")).unwrap(), "qemu-aarch64-static");
        assert_eq!(another("CPU implementer\t: 0x00\nCPU part\t: 0x051\n").unwrap(), "QEMU");
        // A Neoverse N1, and an Apple core as a Linux guest sees it: under a program for x86 a translator.
        for core in ["CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "CPU implementer\t: 0x61\nCPU part\t: 0x000\n"] {
            assert_eq!(another(core).is_none(), cfg!(any(target_arch = "arm", target_arch = "aarch64")));
        }
        let amd = another("vendor_id\t: AuthenticAMD\n");
        assert_eq!(amd.is_none(), cfg!(any(target_arch = "x86", target_arch = "x86_64")));
    }
}
