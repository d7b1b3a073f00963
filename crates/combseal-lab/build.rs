//! Keeps the compiler's version, which every results file names, and finds those peers that
//! are libraries of the system.

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output();
    let version = output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default();
    println!("cargo:rustc-env=COMBSEAL_COMPILER={version}");
    println!("cargo:rerun-if-changed=build.rs");

    #[cfg(feature = "peer-libgcrypt")]
    find("libgcrypt", "1.10", "apt install libgcrypt20-dev (dnf install libgcrypt-devel, brew install libgcrypt)");
    #[cfg(feature = "peer-libsodium")]
    find("libsodium", "1.0.12", "apt install libsodium-dev (dnf install libsodium-devel, brew install libsodium)");
    #[cfg(feature = "peer-ipsec-mb")]
    ipsec_mb();
}

/// Compiles our few lines over ipsec-mb, which has no entry for pkg-config.
#[cfg(feature = "peer-ipsec-mb")]
fn ipsec_mb() {
    println!("cargo:rerun-if-changed=src/subjects/peers/ipsec_mb.c");
    match cc::Build::new().file("src/subjects/peers/ipsec_mb.c").opt_level(3).try_compile("combseal_ipsec_mb") {
        Ok(()) => println!("cargo:rustc-link-lib=IPSec_MB"),
        Err(why) => {
            println!("cargo:warning={why}");
            println!(
                "cargo::error=the feature peer-ipsec-mb wants ipsec-mb: apt install libipsec-mb-dev (dnf install intel-ipsec-mb-devel)"
            );
        }
    }
}

/// Links a library of the system, or says in a line what installs it.
#[cfg(any(feature = "peer-libgcrypt", feature = "peer-libsodium"))]
fn find(name: &str, version: &str, install: &str) {
    if let Err(why) = pkg_config::Config::new().atleast_version(version).probe(name) {
        println!("cargo:warning={why}");
        println!("cargo::error=the feature peer-{name} wants {name} {version} or later: {install}");
    }
}
