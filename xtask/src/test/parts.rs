//! The parts of a test run: what each checks, what it needs, and how it runs.

use super::{Run, lints, times};
use crate::args::Tier;
use crate::build::Shrinking;
use crate::error::{Error, Result};
use crate::{browser, build, graphics, paths, process, size, tools, visit};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds that the browser may take for all wasm tests of one binary.
const WASM_TEST_SECONDS: &str = "1200";

/// A part of the test run.
pub struct Part {
    /// What `--only` calls it.
    pub name: &'static str,
    /// What it checks, for the table.
    pub what: &'static str,
    /// The least tier that runs it.
    pub tier: Tier,
    /// The parts whose results it uses.
    pub needs: &'static [&'static str],
    /// The one part that may compile there at a time: Cargo locks each of its build directories.
    pub directory: Option<&'static str>,
    /// Whether it uses every core, or is disturbed by what runs beside it.
    pub all_cores: bool,
    /// Does it.
    pub run: fn(&Run) -> Result<()>,
}

/// Cargo's build directories: native, the browser's for tests, and the browser's as it ships.
const NATIVE: Option<&str> = Some("debug");
const BROWSER: Option<&str> = Some("wasm/debug");
const SHIPPED: Option<&str> = Some("wasm/wasm");

const PLAIN: Part = Part {
    name: "",
    what: "",
    tier: Tier::Quick,
    needs: &["tools"],
    directory: None,
    all_cores: false,
    run: |_| Ok(()),
};

/// In this order where several could start: what others wait for, or what takes longest, comes
/// first, so that the lanes end together.
pub const PARTS: &[Part] = &[
    Part {
        name: "tools",
        what: "set-up: what is missing is installed",
        needs: &[],
        all_cores: true,
        run: |_| tools_part(),
        ..PLAIN
    },
    Part { name: "format", what: "cargo fmt --check", run: |_| format(), ..PLAIN },
    Part {
        name: "build",
        what: "dist/site and dist/npm",
        directory: SHIPPED,
        run: |run| build::build(shrinking(run.tier)),
        ..PLAIN
    },
    Part {
        name: "rust-build",
        what: "Rust tests, compiled and linted by clippy",
        directory: NATIVE,
        run: rust_build,
        ..PLAIN
    },
    Part {
        name: "rust",
        what: "Rust tests, the native GPU's on lavapipe",
        needs: &["rust-build"],
        all_cores: true,
        run: rust,
        ..PLAIN
    },
    Part {
        name: "unit",
        what: "TypeScript unit tests of the package",
        needs: &["build"],
        run: |run| unit(run, "unit", &["js"]),
        ..PLAIN
    },
    Part {
        name: "page",
        what: "Playwright on the built page",
        needs: &["build"],
        all_cores: true,
        run: page,
        ..PLAIN
    },
    Part {
        name: "wasm",
        what: "Rust for the browser, linted by clippy; in full its tests in Chromium",
        tier: Tier::Landing,
        directory: BROWSER,
        run: wasm,
        ..PLAIN
    },
    Part {
        name: "unit-page",
        what: "TypeScript unit tests of the page and of benchmarks",
        needs: &["build"],
        run: |run| unit(run, "unit-page", &["web", "bench"]),
        ..PLAIN
    },
    Part {
        name: "consumers",
        what: "the packed package in its users' projects",
        tier: Tier::Landing,
        needs: &["build"],
        run: consumers,
        ..PLAIN
    },
    Part {
        name: "swiftshader",
        what: "kernels on the browser's driver",
        tier: Tier::Landing,
        needs: &["rust-build"],
        run: swiftshader,
        ..PLAIN
    },
    Part { name: "types", what: "TypeScript, every workspace", needs: &["build"], run: |_| types(), ..PLAIN },
    Part {
        name: "examples",
        what: "examples in Rust's documentation",
        tier: Tier::Landing,
        needs: &["rust-build"],
        directory: NATIVE,
        run: |_| examples(),
        ..PLAIN
    },
    Part {
        name: "size",
        what: "what the package and a visit to the site download",
        tier: Tier::Landing,
        needs: &["build"],
        run: size_part,
        ..PLAIN
    },
];

fn tools_part() -> Result<()> {
    tools::rust_component("fmt")?;
    tools::rust_component("clippy")?;
    tools::wasm_target()?;
    tools::nextest()?;
    browser::everything()?;
    tools::npm_packages()?;
    tools::npm_packages_of(&paths::consumers())?;
    tools::wasm_bindgen("wasm-bindgen").map(drop)
}

fn format() -> Result<()> {
    process::run(process::cargo().args(["fmt", "--all", "--check"]))
}

/// Nothing that is quick looks at sizes.
fn shrinking(tier: Tier) -> Shrinking {
    if tier == Tier::Quick { Shrinking::Names } else { Shrinking::Full }
}

/// Rust tests, as `cargo nextest` runs them, with the features that all of them share: other
/// features would compile wgpu once more. For the unit tests inside of a library it is compiled a
/// second time, which takes an eighth of all of them: a landing has them.
fn nextest(run: &Run, words: &[&str]) -> Result<Command> {
    let targets: &[&str] = match run.tier {
        Tier::Quick => &["--bins", "--test", "*"],
        Tier::Landing | Tier::Full => &["--lib", "--bins", "--tests"],
    };
    let mut cargo = lints::cargo()?;
    cargo.arg("nextest").args(words).arg("--workspace").args(targets);
    Ok(cargo)
}

/// Examples are compiled, which lints them, and not run.
fn rust_build(run: &Run) -> Result<()> {
    process::run(nextest(run, &["run", "--no-run"])?.arg("--examples"))
}

/// Runs a profile of `.config/nextest.toml`, and keeps the times.
fn run_profile(
    run: &Run,
    part: &str,
    profile: &str,
    point: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<()> {
    let mut tests = nextest(run, &["run", "--profile", profile])?;
    point(&mut tests);
    let outcome = process::run(run.tell(&mut tests));
    times::keep_junit(part, &paths::target().join("nextest").join(profile).join("junit.xml"))?;
    outcome
}

fn rust(run: &Run) -> Result<()> {
    browser::vulkan()?;
    run_profile(run, "rust", run.tier.name(), |tests| {
        // Most of the time goes into Mesa's compiler, and most kernels run once: without LLVM's
        // passes it takes a third less. They change no result.
        if run.tier != Tier::Full {
            tests.env("GALLIVM_PERF", "nopt");
        }
        graphics::for_native(tests)
    })
}

/// Random programs that the browser's driver, which takes seconds for a kernel, tries for a
/// landing.
const PROGRAMS_ON_SWIFTSHADER: &str = "60";

/// Kernels on another driver than lavapipe, the browser's, whose subgroups are of four and not of
/// eight.
fn swiftshader(run: &Run) -> Result<()> {
    let chrome = browser::chromium(None)?;
    let profile = if run.tier == Tier::Full { "swiftshader-full" } else { "swiftshader" };
    run_profile(run, "swiftshader", profile, |tests| {
        if run.tier != Tier::Full {
            tests.env("WEFT_FUZZ", PROGRAMS_ON_SWIFTSHADER);
        }
        graphics::for_node(tests, &chrome)
    })
}

fn examples() -> Result<()> {
    process::run(graphics::for_native(&mut lints::cargo()?).args(["test", "--workspace", "--doc"]))
}

fn size_part(run: &Run) -> Result<()> {
    if shrinking(run.tier) != Shrinking::Full {
        return Err(Error::Usage("sizes are those of a build without `--quick`".to_owned()));
    }
    let (package, places) = (paths::package(), paths::of_this_machine()?);
    let files = size::measure(&package)?;
    size::check(&files)?;
    size::check_places(&package, &files, &places)?;
    visit::check(&visit::measure(&paths::site())?)
}

fn types() -> Result<()> {
    process::run(process::npm().args(["run", "check", "--workspaces", "--if-present"]))
}

fn unit(run: &Run, part: &str, workspaces: &[&str]) -> Result<()> {
    let chrome = browser::chromium(None)?;
    let mut outcome = Ok(());
    for &workspace in workspaces {
        let mut npm = process::npm();
        npm.args(["test", "--workspace", workspace]).env("CHROME", &chrome);
        let junit = times::junit_file(workspace);
        if workspace != "bench" {
            npm.args(["--", "--reporter=default", "--reporter=junit", "--outputFile.junit"]).arg(&junit);
        }
        let one = process::run(run.tell(graphics::for_node(&mut npm, &chrome)));
        if workspace != "bench" {
            times::keep_junit(part, &junit)?;
            times::failures(&junit)?.iter().for_each(|line| println!("{line}"));
        }
        outcome = outcome.and(one);
    }
    outcome
}

/// Below a full run it only lints: compiling it all for the browser once more takes minutes, and
/// the tests of JavaScript and of the page run the same code there as it ships.
fn wasm(run: &Run) -> Result<()> {
    let mut cargo = lints::cargo()?;
    let full = run.tier == Tier::Full;
    cargo.args([if full { "test" } else { "check" }, "--target", tools::WASM_TARGET]);
    // In one go, which compiles what both share once. No documentation tests: they would each be a
    // browser of their own. Of the runtime, only what was written for the browser: its unit tests
    // are all native. Those of the other crate are in its test of conformance.
    cargo.args(["--package", "weft-runtime", "--package", "weft-wasm"]);
    if !full {
        return process::run(cargo.args(["--lib", "--test", "web", "--test", "conformance"]));
    }
    cargo.args(["--test", "web", "--test", "conformance"]);
    let capabilities = webdriver_file()?;
    cargo.env(runner_variable(), tools::wasm_bindgen("wasm-bindgen-test-runner")?);
    cargo.env("CHROMEDRIVER", browser::chromedriver()?);
    cargo.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &capabilities);
    cargo.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS);
    process::run(run.tell(&mut cargo))
}

/// Cargo's variable for the program that runs tests of the browser's target.
fn runner_variable() -> String {
    format!("CARGO_TARGET_{}_RUNNER", tools::WASM_TARGET.to_uppercase().replace('-', "_"))
}

/// The runner's instructions to chromedriver, written anew: which browser there is differs between
/// machines.
fn webdriver_file() -> Result<PathBuf> {
    let chrome = browser::chromium(None)?;
    let path = paths::state().join("webdriver.json");
    paths::make_dir(&paths::state())?;
    fs::write(&path, browser::capabilities(&chrome)).map_err(Error::file("write", &path))?;
    Ok(path)
}

fn page(run: &Run) -> Result<()> {
    let mut npm: Command = process::npm();
    npm.args(["test", "--workspace", "playwright"]);
    npm.env("WEFT_TIMES", times::file("page")).env("CHROME", browser::chromium(None)?);
    process::run(run.tell(&mut npm))
}

fn consumers(run: &Run) -> Result<()> {
    let projects = paths::consumers();
    let mut npm = process::npm();
    npm.args(["test", "--prefix"]).arg(&projects);
    process::run(run.tell(npm.env("CHROME", browser::chromium(None)?)))
}

/// This program, where Cargo does not replace it while it tests.
pub fn own_copy() -> Result<PathBuf> {
    let current = env::current_exe().map_err(|source| Error::Start { program: "xtask".into(), source })?;
    let copy = paths::state().join("xtask").with_extension(env::consts::EXE_EXTENSION);
    if current != copy {
        // A run of another process may have it open: a new file in its place is not in its way.
        let _ = fs::remove_file(&copy);
        paths::copy(&current, &copy)?;
    }
    Ok(copy)
}

/// Where a part's output goes.
pub fn log(part: &str) -> PathBuf {
    folder("log").join(part).with_extension("log")
}

/// A folder of what a test run leaves.
pub fn folder(name: &str) -> PathBuf {
    paths::state().join(Path::new(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn parts_need_parts_that_are_there_and_run_as_early() {
        let names: HashSet<&str> = PARTS.iter().map(|part| part.name).collect();
        assert_eq!(names.len(), PARTS.len());
        for part in PARTS {
            for need in part.needs {
                let needed = PARTS.iter().find(|other| other.name == *need).expect(need);
                assert!(
                    needed.tier <= part.tier,
                    "{} needs {need}, which a lower tier leaves out",
                    part.name
                );
            }
        }
    }

    #[test]
    fn cargo_knows_how_to_run_wasm() {
        assert_eq!(runner_variable(), "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER");
    }
}
