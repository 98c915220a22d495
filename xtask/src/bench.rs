//! The benchmark, beside the machine's limits.
//!
//! Builds, packs `bench/` into files that need nothing else, and runs the page among them in
//! Chromium; or only leaves the files.

use crate::args::Bench;
use crate::error::{Error, Result};
use crate::{browser, build, paths, process};
use std::path::{self, Path};
use std::process::ExitCode;

/// Packs, and unless that was all that is wanted, runs; the exit code tells whether every workload
/// ran and computed the same as the CPU.
pub fn bench(options: &Bench) -> Result<ExitCode> {
    let chrome = match &options.pack {
        Some(_) => None,
        None => Some(browser::chromium(options.chrome.as_deref())?),
    };
    build::build(build::Shrinking::Full)?;
    let folder = match &options.pack {
        Some(folder) => path::absolute(folder).map_err(Error::file("find", folder))?,
        None => paths::state().join("bench"),
    };
    process::run(script("pack.mjs").arg(&folder))?;
    let Some(chrome) = chrome else {
        println!("packed into {}", folder.display());
        println!("with Dawn:    DAWN=dawn.node node bench-node.mjs [--only REGEX] [--json FILE]");
        println!("in a browser: bench.html, from localhost or https");
        return Ok(ExitCode::SUCCESS);
    };
    run(&folder, &chrome, &options.passed)
}

fn run(folder: &Path, chrome: &Path, passed: &[String]) -> Result<ExitCode> {
    let mut runner = script("headless.mjs");
    runner.arg(folder).args(passed).arg("--chrome").arg(chrome);
    let status = runner.status().map_err(|source| Error::Start { program: "node".into(), source })?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn script(name: &str) -> std::process::Command {
    let mut node = process::command("node");
    node.arg(paths::root().join("bench").join(name));
    node
}
