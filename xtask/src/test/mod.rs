//! A test run: its parts, their results, and what took longest.
//!
//! Three tiers say how much runs (`args::Tier`). Parts run beside each other (`schedule`), go on
//! after failures, and end in a table.

mod failures;
mod lints;
mod parts;
mod schedule;
mod times;

use crate::args::{self, Tier};
use crate::error::{Error, Result};
use crate::process;
use parts::{PARTS, Part};
use schedule::Outcome;
use std::collections::HashSet;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// How many of the slowest binaries and files the report names.
const SLOWEST: usize = 10;

/// What a test run was asked for, as its parts see it.
pub struct Run {
    tier: Tier,
    seed: u64,
}

impl Run {
    /// Lets tests know the tier and the seed.
    fn tell<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("WEFT_TIER", self.tier.name()).env("WEFT_SEED", self.seed.to_string())
    }
}

/// Runs the parts asked for.
pub fn test(options: &args::Test) -> Result<ExitCode> {
    let run = Run { tier: options.tier, seed: options.seed.unwrap_or_else(seed_of_commit) };
    if options.list {
        for part in PARTS.iter().filter(|part| part.tier <= run.tier) {
            println!("{:<12} {}", part.name, part.what);
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(name) = &options.alone {
        return (named(name)?.run)(&run).map(|()| ExitCode::SUCCESS);
    }
    let chosen = chosen(&options.only, run.tier)?;
    println!("seed {} (again with --seed {})", run.seed, run.seed);
    times::forget()?;
    let program = parts::own_copy()?;
    let command = |part: &Part| {
        let mut command = process::command(&program);
        command.args(["test", "--alone", part.name, "--seed", &run.seed.to_string()]);
        if run.tier != Tier::Landing {
            command.arg(format!("--{}", run.tier.name()));
        }
        command
    };
    let start = Instant::now();
    let outcomes = schedule::run(&chosen, schedule::lanes(), command, |outcome| {
        let Outcome { name, took, error, .. } = outcome;
        match error {
            None => println!("{name:<12} passed in {:.1} s", took.as_secs_f64()),
            Some(_) => {
                println!("\n== {name}, which failed, printed\n{}\n== end of {name}\n", schedule::output(name))
            }
        }
    })?;
    print!("\n{}", report(&outcomes, start.elapsed()));
    print!("{}", slowest(&times::ranked()?));
    println!("{}", totals(&outcomes));
    let passed = outcomes.iter().all(|outcome| outcome.error.is_none());
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A seed that changes with the commit, so that in the course of time much is tried; where there is
/// no repository, always the same.
fn seed_of_commit() -> u64 {
    let head = process::capture(process::command("git").args(["rev-parse", "--short=8", "HEAD"]));
    head.ok().and_then(|hash| u64::from_str_radix(hash.trim(), 16).ok()).unwrap_or(0)
}

fn named(name: &str) -> Result<&'static Part> {
    PARTS.iter().find(|part| part.name == name).ok_or_else(|| {
        let names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        Error::Usage(format!("there is no part `{name}`: there are {}", names.join(", ")))
    })
}

/// The parts of a tier, or those asked for with all that they need, in the order of the table.
fn chosen(only: &[String], tier: Tier) -> Result<Vec<&'static Part>> {
    let mut wanted: HashSet<&str> = HashSet::new();
    let mut open = only.iter().map(|name| named(name)).collect::<Result<Vec<_>>>()?;
    while let Some(part) = open.pop() {
        if wanted.insert(part.name) {
            open.extend(part.needs.iter().filter_map(|need| PARTS.iter().find(|part| part.name == *need)));
        }
    }
    let is_wanted =
        |part: &&Part| if only.is_empty() { part.tier <= tier } else { wanted.contains(part.name) };
    Ok(PARTS.iter().filter(is_wanted).collect())
}

/// What is set-up, which a machine pays once, rather than a check.
fn is_set_up(outcome: &Outcome) -> bool {
    outcome.name == "tools"
}

fn report(outcomes: &[Outcome], took: Duration) -> String {
    let mut report = String::new();
    for Outcome { name, what, took, error } in outcomes {
        let verdict = if error.is_none() { "passed" } else { "FAILED" };
        report += &format!("{name:<12} {verdict} {:>8.1} s  {what}\n", took.as_secs_f64());
        if let Some(error) = error {
            report += &format!("{:<12} {}\n", "", error.replace('\n', "\n             "));
            for failure in failures::named(&schedule::output(name)) {
                report += &format!("{:<12} {failure}\n", "");
            }
        }
    }
    let set_up: Duration =
        outcomes.iter().filter(|outcome| is_set_up(outcome)).map(|outcome| outcome.took).sum();
    let seconds = |duration: Duration| duration.as_secs_f64();
    report += &format!(
        "{:<12} {:>15.1} s  beside each other, after set-up\n",
        "total",
        seconds(took.saturating_sub(set_up))
    );
    report
}

fn slowest(times: &[times::Time]) -> String {
    if times.is_empty() {
        return String::new();
    }
    let mut report = format!("\nThe {SLOWEST} slowest binaries and files:\n");
    for time in times.iter().take(SLOWEST) {
        report += &format!("{:<12} {:>15.1} s  {}\n", time.part, time.seconds, time.name);
    }
    report + "\n"
}

fn totals(outcomes: &[Outcome]) -> String {
    let failed = outcomes.iter().filter(|outcome| outcome.error.is_some()).count();
    format!("{} passed, {failed} failed", outcomes.len() - failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_names_what_failed_and_ends_in_totals() {
        let outcome = |name, error: Option<&str>| Outcome {
            name,
            what: "something",
            took: Duration::from_millis(1500),
            error: error.map(str::to_owned),
        };
        let outcomes = [outcome("tools", None), outcome("absent", Some("failed; see a file"))];
        let report = report(&outcomes, Duration::from_millis(4500));
        let lines: Vec<&str> = report.lines().collect();
        assert_eq!(lines[0], "tools        passed      1.5 s  something");
        assert_eq!(lines[1], "absent       FAILED      1.5 s  something");
        assert_eq!(lines[2], "             failed; see a file");
        assert_eq!(lines[3], "total                    3.0 s  beside each other, after set-up");
        assert_eq!(totals(&outcomes), "1 passed, 1 failed");
    }

    #[test]
    fn the_slowest_are_named() {
        let time = |seconds: f64, name: &str| times::Time { seconds, part: "rust".into(), name: name.into() };
        let report = slowest(&[time(61.25, "weft::main ops::sizes"), time(2.0, "b")]);
        assert!(report.contains("rust                    61.2 s  weft::main ops::sizes\n"), "{report}");
        assert_eq!(slowest(&[]), "");
    }

    #[test]
    fn parts_come_with_those_they_need_in_their_order() {
        let names = |only: &[&str], tier: Tier| -> Vec<&str> {
            let only: Vec<String> = only.iter().map(|name| name.to_string()).collect();
            chosen(&only, tier).unwrap().iter().map(|part| part.name).collect()
        };
        assert_eq!(names(&["size", "format"], Tier::Landing), ["tools", "format", "build", "size"]);
        assert_eq!(names(&["wasm"], Tier::Quick), ["tools", "wasm"], "what is asked for runs in every tier");
        assert_eq!(names(&[], Tier::Full).len(), PARTS.len());
        assert!(names(&[], Tier::Quick).len() < names(&[], Tier::Landing).len());
    }

    #[test]
    fn a_part_that_does_not_exist_is_named() {
        let error = chosen(&["formt".to_owned()], Tier::Landing).err().unwrap().to_string();
        assert!(error.starts_with("there is no part `formt`: there are tools, format"), "{error}");
    }
}
