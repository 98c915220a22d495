//! Incremental steps of the build.
//!
//! A step is fresh when its outputs are there and its inputs have the names, sizes and times that
//! they had when it last ran.

use crate::error::{Error, Result};
use crate::paths;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Folders that never hold inputs: what tools write beside sources.
const NOT_INPUTS: [&str; 4] = ["node_modules", "dist", "test-results", "playwright-report"];

/// One step: from files to files.
pub struct Step<'a> {
    /// Names the step, and the file in which its last inputs are remembered.
    pub name: &'a str,
    /// Files and directories it reads.
    pub inputs: &'a [PathBuf],
    /// What else decides the outcome: versions and options.
    pub options: &'a str,
    /// Files it writes.
    pub outputs: &'a [PathBuf],
}

impl Step<'_> {
    /// Runs `work` unless the outputs are as they would become.
    pub fn run(&self, work: impl FnOnce() -> Result<()>) -> Result<()> {
        self.run_in(&paths::state(), work)
    }

    fn run_in(&self, state: &Path, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let stamp = state.join(format!("{}.stamp", self.name));
        let inputs = self.fingerprint()?;
        let is_fresh = self.outputs.iter().all(|output| output.exists())
            && fs::read_to_string(&stamp).is_ok_and(|last| last == inputs);
        if is_fresh {
            return Ok(());
        }
        let start = Instant::now();
        work()?;
        if let Some(missing) = self.outputs.iter().find(|output| !output.exists()) {
            return Err(Error::Check(format!("{} did not write {}", self.name, missing.display())));
        }
        println!("  {:<10} {:>6.1} s", self.name, start.elapsed().as_secs_f64());
        paths::make_dir(state)?;
        // The fingerprint from before the work: an input changed meanwhile makes the next run do it
        // again.
        fs::write(&stamp, inputs).map_err(Error::file("write", &stamp))
    }

    fn fingerprint(&self) -> Result<String> {
        let mut hasher = DefaultHasher::new();
        self.options.hash(&mut hasher);
        for input in self.inputs {
            for file in paths::files_under(input, &NOT_INPUTS)? {
                let meta = fs::metadata(&file).map_err(Error::file("read", &file))?;
                file.hash(&mut hasher);
                meta.len().hash(&mut hasher);
                meta.modified().map_err(Error::file("read the time of", &file))?.hash(&mut hasher);
            }
        }
        Ok(format!("{:016x}", hasher.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;
    use std::cell::Cell;

    #[test]
    fn a_step_runs_again_only_when_something_changed() {
        let scratch = Scratch::new();
        let inputs = [scratch.join("in")];
        let outputs = [scratch.join("out.txt")];
        scratch.write("in/a.txt", "a");
        let runs = Cell::new(0);
        let run = |options: &str| {
            let step = Step { name: "copy", inputs: &inputs, options, outputs: &outputs };
            step.run_in(&scratch.join("state"), || {
                runs.set(runs.get() + 1);
                scratch.write("out.txt", "");
                Ok(())
            })
            .unwrap();
            runs.get()
        };
        assert_eq!(run("-O3"), 1);
        assert_eq!(run("-O3"), 1, "nothing changed");
        assert_eq!(run("-Os"), 2, "other options");
        scratch.write("in/b.txt", "b");
        assert_eq!(run("-Os"), 3, "a new input");
        fs::remove_file(scratch.join("in/b.txt")).unwrap();
        assert_eq!(run("-Os"), 4, "an input less");
        fs::remove_file(scratch.join("out.txt")).unwrap();
        assert_eq!(run("-Os"), 5, "the output gone");
        assert_eq!(run("-Os"), 5);
    }

    #[test]
    fn a_step_that_fails_or_writes_nothing_is_not_fresh() {
        let scratch = Scratch::new();
        let outputs = [scratch.join("out.txt")];
        let step = Step { name: "idle", inputs: &[], options: "", outputs: &outputs };
        let error = step.run_in(&scratch, || Ok(())).unwrap_err().to_string();
        assert!(error.contains("idle did not write"), "{error}");
        assert!(step.run_in(&scratch, || Err(Error::Check("no".into()))).is_err());
        assert!(!scratch.join("idle.stamp").exists());
    }
}
