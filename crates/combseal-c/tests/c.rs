//! The tests in C and C++ (`tests/c`): compiled with all warnings as errors, and run plain against
//! the shared library, under AddressSanitizer against the static one, and under valgrind. What this
//! machine has not is skipped, aloud.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where Cargo has put the libraries: beside this test.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_path_buf()
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A command by the environment's name for it, or the usual one.
fn tool(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.into())
}

fn works(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|it| it.status.success())
}

/// Says that something was not tested.
fn skip(what: &str) {
    eprintln!("SKIPPED {what}");
}

/// What a Rust static library wants of the system.
const SYSTEM: &[&str] = if cfg!(target_os = "macos") {
    &["-liconv", "-lSystem", "-lc", "-lm"]
} else {
    &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]
};

/// Which of the libraries a program is linked to.
#[derive(Clone, Copy, PartialEq)]
enum Link {
    Shared,
    Static,
}

/// Compiles one of the programs, or says why that cannot be done here.
fn compile(source: &str, libs: &[&str], link: Link, flags: &[&str]) -> Option<PathBuf> {
    let cpp = source.ends_with(".cpp");
    let compiler = if cpp { tool("CXX", "c++") } else { tool("CC", "cc") };
    if !cfg!(unix) || !works(&compiler) {
        skip(&format!("{source}: there is no `{compiler}`"));
        return None;
    }
    let kind = if link == Link::Shared { "shared" } else { "static" };
    let name =
        format!("c-test-{}-{kind}{}", source.replace(['.', '/'], "-"), flags.concat().replace(['/', '=', ','], "-"));
    let program = libraries().join(name);
    let mut command = Command::new(&compiler);
    command
        .args([if cpp { "-std=c++11" } else { "-std=c99" }, "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1", "-g"])
        .args(["-D_DEFAULT_SOURCE", "-D_DARWIN_C_SOURCE"])
        .args(if cfg!(feature = "stream") { &[][..] } else { &["-DNO_STREAMS"] })
        .args(flags)
        .arg("-I")
        .arg(here("include"))
        .arg("-I")
        .arg(here("../combseal-ae/include"))
        .arg(here(source))
        .arg("-o")
        .arg(&program);
    for lib in libs {
        match link {
            Link::Static => command.arg(libraries().join(format!("lib{lib}.a"))),
            Link::Shared => command.arg(format!("-l{lib}")),
        };
    }
    if link == Link::Shared {
        let folder = libraries();
        command.arg("-L").arg(&folder).arg(format!("-Wl,-rpath,{}", folder.display())).arg("-lpthread");
    } else {
        command.args(SYSTEM);
    }
    succeeded(&format!("compiling {source}"), command.output().unwrap());
    Some(program)
}

/// A program of ours, which is to find the libraries where it was told and not where Cargo says, which
/// may have others from a build before.
fn start(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    for variable in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"] {
        command.env_remove(variable);
    }
    command
}

#[track_caller]
fn succeeded(what: &str, it: Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(it.status.success(), "{what}: {}\n{}\n{}", it.status, text(&it.stdout), text(&it.stderr));
    print!("{}", text(&it.stdout));
}

/// Whether the compiler's AddressSanitizer is there: its header may be, and its library not.
fn has_asan() -> bool {
    static HAS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *HAS.get_or_init(|| {
        let program = libraries().join("c-test-asan");
        let source = libraries().join("c-test-asan.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
        let built =
            Command::new(tool("CC", "cc")).arg("-fsanitize=address").arg(&source).arg("-o").arg(&program).output();
        built.is_ok_and(|it| it.status.success()) && Command::new(&program).output().is_ok_and(|it| it.status.success())
    })
}

/// Compiles and runs a program in every way.
fn run(source: &str, libs: &[&str]) {
    let Some(program) = compile(source, libs, Link::Shared, &[]) else { return };
    succeeded(source, start(program).output().unwrap());

    if has_asan() {
        let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        if let Some(program) = compile(source, libs, Link::Static, &flags) {
            let out = start(program).env("ASAN_OPTIONS", "detect_leaks=1").output().unwrap();
            succeeded(&format!("{source} under AddressSanitizer"), out);
        }
    } else {
        skip(&format!("{source} under AddressSanitizer: the compiler has none that works"));
    }

    if works("valgrind") {
        // It tells programs of a CPU that it can imitate, and so the library takes that one's tier.
        let Some(program) = compile(source, libs, Link::Static, &[]) else { return };
        let mut command = start("valgrind");
        command.args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
        succeeded(&format!("{source} under valgrind"), command.arg(program).output().unwrap());
    } else {
        skip(&format!("{source} under valgrind: it is not installed"));
    }
}

macro_rules! programs {
    ($($name:ident = $source:literal $libs:expr;)*) => {$(
        #[test]
        fn $name() {
            run($source, &$libs);
        }
    )*};
}
programs! {
    answers = "tests/c/answers.c" ["combseal_c"];
    misuse = "tests/c/misuse.c" ["combseal_c"];
    every = "tests/c/every.c" ["combseal_c"];
    counted = "tests/c/counted.c" ["combseal_c"];
    many = "tests/c/many.c" ["combseal_c"];
    threads = "tests/c/threads.c" ["combseal_c"];
    cplusplus = "tests/c/cplusplus.cpp" ["combseal_c"];
    ae = "tests/c/ae.c" ["combseal_ae"];
    ae_parts = "tests/c/ae_parts.c" ["combseal_ae"];
    // Two Rust static libraries in one program.
    both = "tests/c/both.c" ["combseal_c", "combseal_ae"];
    packets_example = "examples/c/packets.c" ["combseal_c"];
    batch_example = "examples/c/batch.c" ["combseal_c"];
}

/// The lines of C in the project's README, with what they speak of declared.
#[test]
fn readme() {
    let document = std::fs::read_to_string(here("../../README.md")).unwrap();
    let (_, lines) = document.split_once("```c\n").unwrap();
    let (lines, _) = lines.split_once("```\n").unwrap();
    assert!(lines.contains("combseal_seal("));
    let source = libraries().join("c-test-readme.c");
    let program = format!(
        "#include <combseal.h>\n#include <stdio.h>\n#include <string.h>\n\n\
        int main(void) {{\n\
        uint8_t bytes[16] = {{7}}, nonce[12] = {{1}}, ad[3] = {{2}}, message[5] = \"text\", tag[16];\n\
        size_t ad_len = sizeof ad, len = sizeof message;\n\
        {lines}\
        return code != 0 || memcmp(message, \"text\", len) == 0;\n}}\n"
    );
    std::fs::write(&source, program).unwrap();
    run(source.to_str().unwrap(), &["combseal_c"]);
}

#[cfg(feature = "stream")]
programs! {
    streams = "tests/c/streams.c" ["combseal_c"];
}

/// The example of a file, which takes names.
#[cfg(feature = "stream")]
#[test]
fn file_example() {
    let Some(program) = compile("examples/c/file.c", &["combseal_c"], Link::Shared, &[]) else { return };
    let at = |name: &str| libraries().join(format!("c-test-{name}"));
    let text: Vec<u8> = (0..300_000u32).flat_map(u32::to_le_bytes).collect();
    std::fs::write(at("plain"), &text).unwrap();
    std::fs::write(at("key"), [7; 32]).unwrap();
    let run = |verb: &str, from: &str, to: &str| {
        let mut command = start(&program);
        command.arg(verb).arg(at("key")).arg(at(from)).arg(at(to)).output().unwrap()
    };
    succeeded("sealing a file", run("seal", "plain", "sealed"));
    succeeded("opening a file", run("open", "sealed", "opened"));
    assert!(std::fs::read(at("opened")).unwrap() == text);
    let mut sealed = std::fs::read(at("sealed")).unwrap();
    sealed.pop();
    std::fs::write(at("cut"), &sealed).unwrap();
    let cut = run("open", "cut", "opened");
    assert!(!cut.status.success());
    assert!(!at("opened").exists(), "what was not whole is left behind");
}

/// Nothing of a key in memory that is given back: with `free` taken over, as GNU's linker can.
#[test]
fn freed() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return skip("tests/c/freed.c: it wants glibc and GNU's linker");
    }
    let streams = if cfg!(feature = "stream") { "-DSTREAMS" } else { "-DNO_STREAMS" };
    if let Some(program) =
        compile("tests/c/freed.c", &["combseal_c", "combseal_ae"], Link::Static, &["-Wl,--wrap=free", streams])
    {
        succeeded("tests/c/freed.c", start(program).output().unwrap());
    }
}

/// Names of functions that a header declares: the words that are followed by a parenthesis.
fn declared(header: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut code = String::new();
    for (i, part) in header.split("/*").enumerate() {
        code += if i == 0 { part } else { part.split_once("*/").unwrap().1 };
    }
    let bytes = code.as_bytes();
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    for (at, _) in code.match_indices('(') {
        let start = (0..at).rev().take_while(|&i| is_word(bytes[i])).last().unwrap_or(at);
        if code[start..at].starts_with(prefix) {
            found.insert(code[start..at].to_string());
        }
    }
    found
}

/// No function of a header is left out where all are called wrongly.
#[test]
fn every_function_is_called_wrongly() {
    let text = |path: &str| std::fs::read_to_string(here(path)).unwrap();
    for (header, prefix, tests) in [
        ("include/combseal.h", "combseal_", &["tests/c/every.c"][..]),
        ("../combseal-ae/include/ae.h", "ae_", &["tests/c/ae.c", "tests/c/ae_parts.c"]),
    ] {
        let called: BTreeSet<_> = tests.iter().flat_map(|it| declared(&text(it), prefix)).collect();
        let missing: Vec<_> = declared(&text(header), prefix).into_iter().filter(|it| !called.contains(it)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

/// The shared libraries export what their headers declare, and nothing besides.
#[test]
fn exports() {
    if !cfg!(target_os = "linux") || !works("nm") {
        return skip("what the shared libraries export: there is no `nm`, or this is not Linux");
    }
    let headers = [
        ("combseal_c", here("include/combseal.h"), "combseal_"),
        ("combseal_ae", here("../combseal-ae/include/ae.h"), "ae_"),
    ];
    for (library, header, prefix) in headers {
        let file = libraries().join(format!("lib{library}.so"));
        let out = Command::new("nm").args(["--dynamic", "--defined-only"]).arg(file).output().unwrap();
        assert!(out.status.success());
        let text = String::from_utf8(out.stdout).unwrap();
        let exported: BTreeSet<String> = text.lines().map(|it| it.rsplit(' ').next().unwrap().to_string()).collect();
        let mut declared = declared(&std::fs::read_to_string(header).unwrap(), prefix);
        if cfg!(not(feature = "stream")) {
            declared.retain(|it| !it.starts_with("combseal_sealing") && !it.starts_with("combseal_opening"));
        }
        assert!(declared.len() > 6);
        assert_eq!(exported, declared, "{library}");
    }
}

/// Each header by itself, before anything else, in C99, C11, C++11 and C++17.
#[test]
fn headers_alone() {
    for (compiler, standards) in [(tool("CC", "cc"), ["c99", "c11"]), (tool("CXX", "c++"), ["c++11", "c++17"])] {
        if !works(&compiler) {
            skip(&format!("the headers by themselves: there is no `{compiler}`"));
            continue;
        }
        for (standard, header) in
            standards.iter().flat_map(|it| ["include/combseal.h", "../combseal-ae/include/ae.h"].map(|h| (it, h)))
        {
            let mut command = Command::new(&compiler);
            // Microsoft's C has no variable-length arrays.
            command.arg(format!("-std={standard}")).args(["-pedantic-errors", "-Wall", "-Wextra", "-Wvla", "-Werror"]);
            command.args(["-fsyntax-only", "-x", if standard.contains("++") { "c++-header" } else { "c-header" }]);
            succeeded(&format!("{header} as {standard}"), command.arg(here(header)).output().unwrap());
        }
    }
}

/// Each header by the rules of Microsoft's compiler, as far as Clang imitates it, with and without the DLL.
#[test]
fn headers_for_windows() {
    let clang = tool("CLANG", "clang");
    if !works(&clang) {
        return skip("the headers for Windows: there is no `clang`");
    }
    for header in ["include/combseal.h", "../combseal-ae/include/ae.h"] {
        for (language, standard) in [("c", "c99"), ("c", "c11"), ("c++", "c++14"), ("c++", "c++17")] {
            for dll in ["-DCOMBSEAL_DLL", "-DCOMBSEAL_STATIC"] {
                let mut command = Command::new(&clang);
                command.args([
                    "--target=x86_64-pc-windows-msvc",
                    "-fsyntax-only",
                    "-fms-extensions",
                    "-fms-compatibility",
                ]);
                command.args([
                    "-ffreestanding",
                    "-pedantic-errors",
                    "-Wall",
                    "-Wextra",
                    "-Wvla",
                    "-Werror",
                    "-x",
                    language,
                ]);
                command.arg(format!("-std={standard}")).arg(dll).arg(here(header));
                succeeded(&format!("{header} for Windows as {standard}"), command.output().unwrap());
            }
        }
    }
}

/// The numbers of the version are the crate's.
#[test]
fn version() {
    let header = std::fs::read_to_string(here("include/combseal.h")).unwrap();
    let parts = ["MAJOR", "MINOR", "PATCH"].map(|part| {
        let line = header.lines().find_map(|it| it.strip_prefix(&format!("#define COMBSEAL_VERSION_{part} ")));
        line.unwrap().to_string()
    });
    assert_eq!(parts.join("."), env!("CARGO_PKG_VERSION"));
    assert!(header.contains(&format!("#define COMBSEAL_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"))));
}

/// `make install` to a folder, and an example that is built with what it put there, by pkg-config and
/// by CMake, with each kind of library.
#[test]
fn installed() {
    let missing = ["make", "pkg-config"].into_iter().find(|it| !works(it));
    if let Some(missing) = missing.filter(|_| cfg!(unix)).or((!cfg!(unix)).then_some("Unix")) {
        return skip(&format!("`make install`: there is no {missing}"));
    }
    let compiler = tool("CC", "cc");
    if !works(&compiler) {
        return skip("`make install`: there is no C compiler");
    }
    let prefix = libraries().join("c-test-installed");
    let _ = std::fs::remove_dir_all(&prefix);
    let mut make = Command::new("make");
    make.arg("-f").arg(here("Makefile")).arg("install");
    make.arg(format!("PREFIX={}", prefix.display())).arg(format!("BUILT={}", libraries().display()));
    // Cargo's own, of this test's build.
    make.env_remove("CARGO_TARGET_DIR").env_remove("MAKEFLAGS");
    succeeded("make install", make.output().unwrap());

    let flags = |options: &[&str]| {
        let mut command = Command::new("pkg-config");
        command.args(options).args(["combseal", "combseal-ae"]).env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        let out = command.output().unwrap();
        let text = String::from_utf8(out.stdout.clone()).unwrap();
        succeeded("pkg-config", out);
        text.split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(flags(&["--modversion"])[0], env!("CARGO_PKG_VERSION"));
    for link in [Link::Shared, Link::Static] {
        let program = prefix.join(if link == Link::Shared { "shared" } else { "static" });
        let mut command = Command::new(&compiler);
        command.arg(here("tests/c/both.c")).arg("-I").arg(here("tests/c")).arg("-o").arg(&program);
        if link == Link::Shared {
            command.args(flags(&["--cflags", "--libs"])).arg(format!("-Wl,-rpath,{}/lib", prefix.display()));
        } else {
            // The archives themselves: who has both kinds gets the shared ones by `-l`.
            command
                .args(flags(&["--cflags"]))
                .args(["combseal", "combseal-ae"].map(|name| prefix.join(format!("lib/lib{name}.a"))));
            command.args(flags(&["--static", "--libs"]).iter().filter(|it| !it.starts_with("-lcombseal")));
        }
        succeeded("compiling by pkg-config", command.output().unwrap());
        succeeded("what pkg-config linked", start(&program).output().unwrap());
    }

    // The two lines for make that docs/c.md has.
    let by_make = prefix.join("by-make");
    std::fs::create_dir_all(&by_make).unwrap();
    let document = std::fs::read_to_string(here("../../docs/c.md")).unwrap();
    let lines = document.split("```make\n").nth(1).and_then(|it| it.split("```").next()).unwrap();
    std::fs::write(by_make.join("Makefile"), lines.to_string() + "\npackets: packets.c\n").unwrap();
    std::fs::copy(here("examples/c/packets.c"), by_make.join("packets.c")).unwrap();
    let mut make = Command::new("make");
    make.arg("-C").arg(&by_make).arg("packets").env_remove("MAKEFLAGS").env("CC", &compiler);
    make.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    make.env("LDFLAGS", format!("-Wl,-rpath,{}/lib", prefix.display()));
    succeeded("make with the lines of docs/c.md", make.output().unwrap());
    succeeded("what make linked", start(by_make.join("packets")).output().unwrap());

    if !works("cmake") {
        return skip("find_package(combseal): there is no cmake");
    }
    let project = prefix.join("project");
    std::fs::create_dir_all(&project).unwrap();
    let lists = format!(
        "cmake_minimum_required(VERSION 3.10)\nproject(uses C)\nfind_package(combseal {} REQUIRED)\n\
         add_executable(uses {})\ntarget_link_libraries(uses combseal::combseal combseal::ae)\n",
        env!("CARGO_PKG_VERSION"),
        here("tests/c/both.c").display()
    );
    std::fs::write(project.join("CMakeLists.txt"), lists).unwrap();
    for shared in ["ON", "OFF"] {
        let build = prefix.join(format!("build-{shared}"));
        let mut cmake = Command::new("cmake");
        cmake.arg("-S").arg(&project).arg("-B").arg(&build).arg(format!("-DBUILD_SHARED_LIBS={shared}"));
        succeeded("cmake", cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())).output().unwrap());
        succeeded("cmake --build", Command::new("cmake").arg("--build").arg(&build).output().unwrap());
        succeeded("what CMake linked", start(build.join("uses")).output().unwrap());
    }
}
