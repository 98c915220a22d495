//! Schedule of a test run: parts run beside each other on as many lanes as there are cores, each as
//! a process of its own with its output in a file.

use super::parts::{self, Part};
use crate::error::{Error, Result};
use crate::paths;
use std::collections::HashSet;
use std::fs::{self, File};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// How often the schedule looks whether a part has ended.
const PACE: Duration = Duration::from_millis(50);

/// How a part went.
pub struct Outcome {
    /// The part's name.
    pub name: &'static str,
    /// What it checks.
    pub what: &'static str,
    /// How long it ran.
    pub took: Duration,
    /// Why it failed, if it did.
    pub error: Option<String>,
}

/// A part that runs.
struct Running {
    part: &'static Part,
    child: Child,
    start: Instant,
}

/// What has happened so far, from which follows what can start.
struct Schedule {
    waiting: Vec<&'static Part>,
    running: Vec<Running>,
    passed: HashSet<&'static str>,
    lanes: usize,
}

impl Schedule {
    /// The place in `waiting` of the next part to start: the first whose needs are met and which
    /// those that run leave room for. A part that uses all cores waits until nothing runs: what
    /// takes one core comes before it, beside what else does.
    fn next(&self) -> Option<usize> {
        if self.running.len() >= self.lanes || self.running.iter().any(|running| running.part.all_cores) {
            return None;
        }
        self.waiting.iter().position(|part| {
            let free = self
                .running
                .iter()
                .all(|other| part.directory.is_none() || other.part.directory != part.directory);
            let room = !part.all_cores || self.running.is_empty();
            free && room && part.needs.iter().all(|need| self.passed.contains(need))
        })
    }

    /// Takes a part out that can no longer run, with the part it needs that did not pass.
    fn hopeless(&mut self) -> Option<(&'static Part, &'static str)> {
        let lives = |name: &str| {
            self.passed.contains(name)
                || self.waiting.iter().any(|part| part.name == name)
                || self.running.iter().any(|running| running.part.name == name)
        };
        let (at, need) = self
            .waiting
            .iter()
            .enumerate()
            .find_map(|(at, part)| part.needs.iter().find(|need| !lives(need)).map(|need| (at, *need)))?;
        Some((self.waiting.remove(at), need))
    }
}

/// Runs parts, each by `command`, and reports each with `done` as it ends.
pub fn run(
    chosen: &[&'static Part],
    lanes: usize,
    command: impl Fn(&Part) -> Command,
    mut done: impl FnMut(&Outcome),
) -> Result<Vec<Outcome>> {
    paths::make_dir(&parts::folder("log"))?;
    let mut schedule =
        Schedule { waiting: chosen.to_vec(), running: Vec::new(), passed: HashSet::new(), lanes };
    let mut outcomes = Vec::new();
    while !schedule.waiting.is_empty() || !schedule.running.is_empty() {
        while let Some((part, need)) = schedule.hopeless() {
            let error = Some(format!("not run: it needs `{need}`, which failed"));
            let outcome = Outcome { name: part.name, what: part.what, took: Duration::ZERO, error };
            done(&outcome);
            outcomes.push(outcome);
        }
        while let Some(at) = schedule.next() {
            let part = schedule.waiting.remove(at);
            schedule.running.push(start(part, command(part))?);
        }
        thread::sleep(PACE);
        let mut still = Vec::new();
        for mut running in std::mem::take(&mut schedule.running) {
            let status = running.child.try_wait();
            let status = status.map_err(|source| Error::Start { program: "xtask".into(), source })?;
            let Some(status) = status else {
                still.push(running);
                continue;
            };
            let (name, what) = (running.part.name, running.part.what);
            if status.success() {
                schedule.passed.insert(name);
            }
            let error = (!status.success()).then(|| format!("failed; see {}", parts::log(name).display()));
            let outcome = Outcome { name, what, took: running.start.elapsed(), error };
            done(&outcome);
            outcomes.push(outcome);
        }
        schedule.running = still;
    }
    Ok(outcomes)
}

fn start(part: &'static Part, mut command: Command) -> Result<Running> {
    let log = parts::log(part.name);
    let file = File::create(&log).map_err(Error::file("write", &log))?;
    let errors = file.try_clone().map_err(Error::file("write", &log))?;
    println!("{:<12} starts: {}", part.name, part.what);
    let child = command.stdout(file).stderr(errors).spawn();
    let child = child.map_err(|source| Error::Start { program: "xtask".into(), source })?;
    Ok(Running { part, child, start: Instant::now() })
}

/// What a part printed.
pub fn output(name: &str) -> String {
    fs::read(parts::log(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// As many lanes as the machine has cores, but two at least: some parts wait for one core alone.
pub fn lanes() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Tier;

    const fn part(name: &'static str, needs: &'static [&'static str]) -> Part {
        Part { name, what: "", tier: Tier::Quick, needs, directory: None, all_cores: false, run: |_| Ok(()) }
    }

    static FIRST: Part = part("schedule-first", &[]);
    static SECOND: Part = part("schedule-second", &["schedule-first"]);
    static THIRD: Part = part("schedule-third", &["schedule-second"]);
    static WIDE: Part = Part { all_cores: true, ..part("schedule-wide", &[]) };
    static ONE: Part = Part { directory: Some("d"), ..part("schedule-one", &[]) };
    static OTHER: Part = Part { directory: Some("d"), ..part("schedule-other", &[]) };

    fn status(code: i32) -> Command {
        let mut shell = Command::new(if cfg!(windows) { "cmd" } else { "sh" });
        shell.args([if cfg!(windows) { "/C" } else { "-c" }, &format!("exit {code}")]);
        shell
    }

    fn ran(chosen: &[&'static Part], failing: &str) -> Vec<(&'static str, bool)> {
        let command = |part: &Part| status(i32::from(part.name == failing));
        let outcomes = run(chosen, 2, command, |_| ()).unwrap();
        outcomes.iter().map(|outcome| (outcome.name, outcome.error.is_none())).collect()
    }

    #[test]
    fn parts_wait_for_those_they_need() {
        let found = ran(&[&THIRD, &SECOND, &FIRST], "");
        assert_eq!(found, [("schedule-first", true), ("schedule-second", true), ("schedule-third", true)]);
    }

    #[test]
    fn what_needs_a_part_that_failed_is_not_run_and_the_rest_is() {
        let found = ran(&[&FIRST, &SECOND, &THIRD, &WIDE], "schedule-first");
        assert_eq!(found.iter().filter(|(_, passed)| *passed).count(), 1);
        assert_eq!(found.len(), 4);
        assert!(found.contains(&("schedule-third", false)) && found.contains(&("schedule-wide", true)));
    }

    #[test]
    fn parts_share_neither_all_cores_nor_a_build_directory() {
        let busy = |part: &'static Part| Schedule {
            waiting: vec![&WIDE, &ONE],
            running: vec![Running { part, child: status(0).spawn().unwrap(), start: Instant::now() }],
            passed: HashSet::new(),
            lanes: 2,
        };
        assert_eq!(busy(&WIDE).next(), None);
        assert_eq!(busy(&OTHER).next(), None);
        assert_eq!(busy(&FIRST).next(), Some(1));
    }
}
