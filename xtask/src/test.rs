//! Is everything in order?
//!
//! Runs every check there is, each as a named part, goes on after failures, and ends with what ran, how long, and how it went.

use crate::args;
use crate::error::{Error, Result};
use crate::{browser, build, graphics, paths, process, size, tools};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// How long the browser may take for all wasm tests of one binary.
const WASM_TEST_SECONDS: &str = "1200";

/// A part of the test run.
struct Part {
    name: &'static str,
    what: &'static str,
    /// Whether it looks at what `build` writes.
    needs_build: bool,
    run: fn() -> Result<()>,
}

/// In this order: quick complaints first, and each compilation before what uses it.
const PARTS: [Part; 12] = [
    Part { name: "tools", what: "install what is missing", needs_build: false, run: tools_part },
    Part { name: "format", what: "cargo fmt --check", needs_build: false, run: format },
    Part { name: "clippy", what: "clippy, natively, warnings denied", needs_build: false, run: clippy },
    Part { name: "clippy-wasm", what: "clippy, for the browser", needs_build: false, run: clippy_wasm },
    Part { name: "rust", what: "Rust tests, the native GPU's included", needs_build: false, run: rust },
    Part { name: "build", what: "dist/site and dist/npm", needs_build: false, run: build::build },
    Part { name: "size", what: "the package's download", needs_build: true, run: size_part },
    Part { name: "types", what: "TypeScript, every workspace", needs_build: true, run: types },
    Part { name: "unit", what: "TypeScript unit tests", needs_build: true, run: unit },
    Part { name: "wasm", what: "Rust tests in headless Chromium", needs_build: false, run: wasm },
    Part { name: "page", what: "Playwright on the built page", needs_build: true, run: page },
    Part {
        name: "consumers",
        what: "the packed package in its users' projects",
        needs_build: true,
        run: consumers,
    },
];

/// How a part went.
struct Outcome {
    name: &'static str,
    what: &'static str,
    took: Duration,
    error: Option<String>,
}

/// Runs the parts asked for.
pub fn test(options: &args::Test) -> Result<ExitCode> {
    if options.list {
        for part in &PARTS {
            println!("{:<12} {}", part.name, part.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let parts = chosen(&options.only)?;
    let mut built: Option<bool> = None;
    let mut outcomes = Vec::new();
    for part in parts {
        println!("\n== {}: {}", part.name, part.what);
        let start = Instant::now();
        let mut result = Ok(());
        if part.needs_build {
            let done = *built.get_or_insert_with(|| build_quietly(&mut result));
            if !done && result.is_ok() {
                result = Err(Error::Check("there is no build to look at".into()));
            }
        }
        let result = result.and_then(|()| (part.run)());
        if part.name == "build" {
            built = Some(result.is_ok());
        }
        let error = result.err().map(|error| error.to_string());
        if let Some(error) = &error {
            println!("{}: {error}", part.name);
        }
        outcomes.push(Outcome { name: part.name, what: part.what, took: start.elapsed(), error });
    }
    print!("\n{}", report(&outcomes));
    let passed = outcomes.iter().all(|outcome| outcome.error.is_none());
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds for a part that is run without the part `build`.
fn build_quietly(result: &mut Result<()>) -> bool {
    *result = build::build();
    result.is_ok()
}

fn chosen(only: &[String]) -> Result<Vec<&'static Part>> {
    if let Some(name) = only.iter().find(|name| !PARTS.iter().any(|part| part.name == **name)) {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        return Err(Error::Usage(format!("there is no part `{name}`: there are {}", names.join(", "))));
    }
    let wanted = |part: &&Part| only.is_empty() || only.iter().any(|name| name == part.name);
    Ok(PARTS.iter().filter(wanted).collect())
}

fn report(outcomes: &[Outcome]) -> String {
    let mut report = String::new();
    for Outcome { name, what, took, error } in outcomes {
        let verdict = if error.is_none() { "passed" } else { "FAILED" };
        report += &format!("{name:<12} {verdict} {:>8.1} s  {what}\n", took.as_secs_f64());
        if let Some(error) = error {
            report += &format!("{:<12} {}\n", "", error.replace('\n', "\n             "));
        }
    }
    let total: Duration = outcomes.iter().map(|outcome| outcome.took).sum();
    let failed = outcomes.iter().filter(|outcome| outcome.error.is_some()).count();
    report += &format!("{:<12} {:>15.1} s\n", "total", total.as_secs_f64());
    report + &format!("{} passed, {failed} failed\n", outcomes.len() - failed)
}

fn tools_part() -> Result<()> {
    tools::rust_component("fmt")?;
    tools::rust_component("clippy")?;
    tools::wasm_target()?;
    browser::everything()?;
    tools::npm_packages()?;
    tools::wasm_bindgen("wasm-bindgen").map(drop)
}

fn format() -> Result<()> {
    tools::rust_component("fmt")?;
    process::run(process::cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    tools::rust_component("clippy")?;
    let lints = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
    process::run(process::cargo().args(lints))
}

fn clippy_wasm() -> Result<()> {
    tools::rust_component("clippy")?;
    tools::wasm_target()?;
    let package = ["clippy", "--package", "weft-wasm", "--all-targets"];
    let lints = ["--target", tools::WASM_TARGET, "--", "--deny", "warnings"];
    process::run(process::cargo().args(package).args(lints))
}

fn rust() -> Result<()> {
    browser::vulkan()?;
    // All that fails is told at once.
    let everything = ["test", "--workspace", "--no-fail-fast"];
    process::run(graphics::for_native(&mut process::cargo()).args(everything))?;
    // Kernels on another driver than lavapipe, the browser's, whose subgroups are of four and not of eight.
    let chrome = browser::chromium(None)?;
    let mut kernels = process::cargo();
    kernels.args(["test", "--package", "weft-runtime", "--no-fail-fast"]);
    kernels.args(["--test", "subgroups", "--test", "prelude", "--test", "kernels", "--test", "fuzz"]);
    process::run(graphics::for_node(&mut kernels, &chrome))
}

fn size_part() -> Result<()> {
    let (package, places) = (paths::package(), paths::of_this_machine()?);
    let files = size::measure(&package)?;
    size::check(&files)?;
    size::check_places(&package, &files, &places)
}

fn types() -> Result<()> {
    process::run(process::npm().args(["run", "check", "--workspaces", "--if-present"]))
}

fn unit() -> Result<()> {
    let chrome = browser::chromium(None)?;
    let mut npm = process::npm();
    npm.args(["test", "--workspace", "js", "--workspace", "web", "--workspace", "bench"])
        .env("CHROME", &chrome);
    process::run(graphics::for_node(&mut npm, &chrome))
}

fn wasm() -> Result<()> {
    tools::wasm_target()?;
    let runner = tools::wasm_bindgen("wasm-bindgen-test-runner")?;
    let driver = browser::chromedriver()?;
    let capabilities = webdriver_file()?;
    let mut cargo = process::cargo();
    // In one go, which compiles what both share once. No documentation tests: they would each be a browser of their own. Of the runtime, only what
    // was written for the browser: its unit tests are all native.
    cargo.args(["test", "--target", tools::WASM_TARGET]);
    cargo.args(["--package", "weft-runtime", "--package", "weft-wasm"]);
    cargo.args(["--lib", "--test", "web", "--test", "conformance"]);
    cargo.env(runner_variable(), &runner).env("CHROMEDRIVER", &driver);
    cargo.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &capabilities);
    cargo.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS);
    process::run(&mut cargo)
}

/// Cargo's variable for the program that runs tests of the browser's target.
fn runner_variable() -> String {
    format!("CARGO_TARGET_{}_RUNNER", tools::WASM_TARGET.to_uppercase().replace('-', "_"))
}

/// The runner's instructions to chromedriver, written anew: which browser there is differs between machines.
fn webdriver_file() -> Result<PathBuf> {
    let chrome = browser::chromium(None)?;
    let path = paths::state().join("webdriver.json");
    paths::make_dir(&paths::state())?;
    fs::write(&path, browser::capabilities(&chrome)).map_err(Error::file("write", &path))?;
    Ok(path)
}

fn page() -> Result<()> {
    let mut npm: Command = process::npm();
    npm.args(["test", "--workspace", "playwright"]);
    process::run(npm.env("CHROME", browser::chromium(None)?))
}

fn consumers() -> Result<()> {
    let projects = paths::consumers();
    tools::npm_packages_of(&projects)?;
    let mut npm = process::npm();
    npm.args(["test", "--prefix"]).arg(&projects);
    process::run(npm.env("CHROME", browser::chromium(None)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_ends_in_one_line_of_totals() {
        let outcome = |name, error: Option<&str>| Outcome {
            name,
            what: "something",
            took: Duration::from_millis(1500),
            error: error.map(str::to_owned),
        };
        let report = report(&[outcome("format", None), outcome("rust", Some("`cargo test` failed"))]);
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[0], "format       passed      1.5 s  something");
        assert_eq!(lines[1], "rust         FAILED      1.5 s  something");
        assert_eq!(lines[2], "             `cargo test` failed");
        assert_eq!(lines.last(), Some(&"1 passed, 1 failed"));
    }

    #[test]
    fn parts_are_run_in_their_order_whatever_order_is_asked_for() {
        let names = |only: &[&str]| -> Vec<&str> {
            let only: Vec<String> = only.iter().map(|name| name.to_string()).collect();
            chosen(&only).unwrap().iter().map(|part| part.name).collect()
        };
        assert_eq!(names(&["size", "format"]), ["format", "size"]);
        assert_eq!(names(&[]).len(), PARTS.len());
    }

    #[test]
    fn a_part_that_does_not_exist_is_named() {
        let error = chosen(&["formt".to_owned()]).err().unwrap().to_string();
        assert!(error.starts_with("there is no part `formt`: there are tools, format"), "{error}");
    }

    #[test]
    fn cargo_is_told_how_to_run_wasm() {
        assert_eq!(runner_variable(), "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER");
    }
}
