//! Which kernels are really the fastest on this device? While nothing else is asked of it, candidates race (`weft_compile::tune`), a few
//! milliseconds at a time, on memory of their own; programs that are compiled later, and those that run again, use the winners.
//! What users and the device's own parts ask of it is in `tune.rs`.

use crate::cache;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;
use weft_compile::family::{Candidate, Choice, Problem, cheapest};
use weft_compile::tune::{Contest, Entry, Key, Outcome, Race, Table, contest, warm};
use weft_compile::{Executable, compile_with};
use weft_ir::graph::ValueId;
use weft_ir::program::TensorProgram;
use weft_ir::{Error, ErrorKind, HashSet, Result};
use weft_runtime::{Prepared, Runtime};

/// Programs with more nodes are not compiled again for a race, which would hold up whoever comes then.
const MOST_NODES: usize = 4096;
/// Races that may wait.
const MOST_WISHES: usize = 256;
/// Races that are remembered for people.
const MOST_RECORDS: usize = 256;

/// The winners of a GPU, and the races for them.
pub(crate) struct Tuner {
    is_on: Cell<bool>,
    table: RefCell<Table>,
    /// Grows whenever the table has learned something.
    changes: Cell<u64>,
    wishes: RefCell<VecDeque<Wish>>,
    /// Keys for which there was a wish.
    wished: RefCell<HashSet<Key>>,
    racing: RefCell<Option<Racing>>,
    /// Whether a step of it is under way.
    is_stepping: Cell<bool>,
    /// How many races were held.
    races: Cell<u64>,
    records: RefCell<VecDeque<TuneRecord>>,
    /// Called when there is something to race for and was nothing before.
    wake: RefCell<Option<Rc<dyn Fn()>>>,
}

/// What a compiled program was made with: for each key, who served then.
#[derive(Default)]
pub(crate) struct Tuned {
    served: Vec<(Key, Choice)>,
    /// [`Tuner::changes`] when they were last compared.
    seen: Cell<u64>,
}

struct Wish {
    key: Key,
    program: Rc<TensorProgram>,
}

/// A race that is on.
struct Racing {
    runtime: Runtime,
    key: Key,
    race: Race,
    runners: Vec<(Choice, Runner)>,
    leaves: Vec<ValueId>,
    scalars: Vec<u32>,
}

enum Runner {
    Waiting(Executable),
    Ready(Rc<Prepared>),
    Gone,
}

/// A race that is over, for people: [`Device::tune_log`](crate::Device::tune_log).
#[derive(Clone, PartialEq, Debug)]
pub struct TuneRecord {
    /// What alike clusters have in common.
    pub key: String,
    /// Who won.
    pub winner: String,
    /// Who was chosen by estimates before.
    pub before: String,
    /// How far the winner's measurements lie apart: half of what the middle ones span, in thousandths of the median.
    pub spread: u32,
    /// Who took part, and the median of each in nanoseconds; `None` for those that left before they were timed well.
    pub medians: Vec<(String, Option<u64>)>,
}

impl Display for TuneRecord {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.key)?;
        for (name, median) in &self.medians {
            let mark = if *name == self.winner { ">" } else { " " };
            match median {
                Some(time) => {
                    writeln!(f, "{mark} {name}: {}.{:03} ms", time / 1_000_000, time / 1000 % 1000)?
                }
                None => writeln!(f, "{mark} {name}: left")?,
            }
        }
        Ok(())
    }
}

impl Tuner {
    pub fn new(runtime: &Runtime) -> Tuner {
        let facts = runtime.adapter();
        let adapter = format!("{} {} {}", facts.vendor, facts.architecture, facts.description);
        let mut table = Table::new(&adapter, runtime.limits());
        warm(&mut table, &facts.vendor, &facts.architecture);
        Tuner {
            is_on: Cell::new(false),
            table: RefCell::new(table),
            changes: Cell::new(0),
            wishes: RefCell::default(),
            wished: RefCell::default(),
            racing: RefCell::default(),
            races: Cell::new(0),
            is_stepping: Cell::new(false),
            records: RefCell::default(),
            wake: RefCell::default(),
        }
    }

    /// Whether candidates may race.
    pub fn switch(&self, is_on: bool) {
        self.is_on.set(is_on);
        if !is_on {
            self.wishes.borrow_mut().clear();
            self.wished.borrow_mut().clear();
        }
    }

    /// Whom to call when there is something to race for and was nothing before.
    pub fn wake_by(&self, wake: Rc<dyn Fn()>) {
        self.wake.replace(Some(wake));
    }

    /// The table as text.
    pub fn winners(&self) -> String {
        self.table.borrow().to_string()
    }

    /// Takes a table as text: how many entries were new, and how many could not be read.
    pub fn read(&self, text: &str) -> Result<(usize, usize)> {
        let taken = self.table.borrow_mut().read(text)?;
        self.changes.set(self.changes.get() + u64::from(taken.0 > 0));
        Ok(taken)
    }

    /// The races that are remembered.
    pub fn records(&self) -> Vec<TuneRecord> {
        self.records.borrow().iter().cloned().collect()
    }

    /// How many races were held.
    pub fn races(&self) -> u64 {
        self.races.get()
    }

    /// Compiles a program with the winners that are known, and wishes for races where none are.
    pub fn compile(&self, runtime: &Runtime, key: &cache::Key) -> Result<(Executable, Tuned)> {
        let served = RefCell::new(Vec::new());
        let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
            let (key, choice) = self.choose(problem, candidates);
            if let Some(key) = key {
                let mut served = served.borrow_mut();
                served.retain(|(other, _)| *other != key);
                served.push((key, choice));
            }
            choice
        };
        let executable = compile_with(&key.program, runtime.limits(), &key.donated, &choose)?;
        let tuned = Tuned { served: served.into_inner(), seen: Cell::new(self.changes.get()) };
        self.wish(&tuned, &key.program);
        Ok((executable, tuned))
    }

    /// Who serves a problem: the winner, or who is estimated cheapest; with the key, where there is something to choose.
    pub fn choose(&self, problem: &Problem<'_>, candidates: &[Candidate]) -> (Option<Key>, Choice) {
        let estimated = cheapest(problem, candidates);
        if !self.is_on.get() || candidates.len() < 2 {
            return (None, estimated);
        }
        let key = Key::of(problem);
        let known = self.table.borrow().get(&key).map(|entry| entry.choice);
        let is_candidate = |known: &Choice| candidates.iter().any(|candidate| candidate.choice == *known);
        (Some(key), known.filter(is_candidate).unwrap_or(estimated))
    }

    fn wish(&self, tuned: &Tuned, program: &Rc<TensorProgram>) {
        if program.nodes.len() > MOST_NODES {
            return;
        }
        let (table, mut wishes) = (self.table.borrow(), self.wishes.borrow_mut());
        let was_idle = wishes.is_empty() && self.racing.borrow().is_none();
        for (key, _) in &tuned.served {
            let is_new = table.get(key).is_none() && wishes.len() < MOST_WISHES;
            if is_new && self.wished.borrow_mut().insert(key.clone()) {
                wishes.push_back(Wish { key: key.clone(), program: Rc::clone(program) });
            }
        }
        let wake = self.wake.borrow().clone().filter(|_| was_idle && !wishes.is_empty());
        drop((table, wishes));
        if let Some(wake) = wake {
            wake();
        }
    }

    /// Whether a program would be compiled otherwise now.
    pub fn is_stale(&self, tuned: &Tuned) -> bool {
        let now = self.changes.get();
        if tuned.seen.get() == now || !self.is_on.get() {
            return false;
        }
        let table = self.table.borrow();
        let is_other =
            |(key, served): &(Key, Choice)| table.get(key).is_some_and(|entry| entry.choice != *served);
        let is_stale = tuned.served.iter().any(is_other);
        // What is stale is so until it is compiled anew, for all who hold it.
        tuned.seen.set(if is_stale { tuned.seen.get() } else { now });
        is_stale
    }

    fn has_more(&self) -> bool {
        let races = self.is_stepping.get() || self.racing.borrow().is_some();
        self.is_on.get() && (races || !self.wishes.borrow().is_empty())
    }

    /// Goes on with the race that is on, or begins the next, if nothing is asked of the device. Tells whether there is more to race for.
    pub async fn slice(&self, runtime: &Runtime) -> Result<bool> {
        runtime_is_there(runtime)?;
        if runtime.in_flight() > 0 || self.is_stepping.get() {
            return Ok(self.has_more());
        }
        let Some(mut racing) = self.racing.take() else {
            if self.has_more() {
                // What cannot be had, the memory for example, is not raced for.
                let _ = self.begin(runtime);
            }
            return Ok(self.has_more());
        };
        let stepping = Stepping::begin(&self.is_stepping);
        let went_on = if self.is_on.get() { self.step(&mut racing).await } else { Ok(false) };
        drop(stepping);
        if let Ok(true) = went_on {
            self.racing.replace(Some(racing));
            return Ok(true);
        }
        if went_on.is_ok()
            && self.is_on.get()
            && let Some(outcome) = racing.race.outcome()
        {
            self.finish(&racing, outcome);
        }
        runtime_is_there(runtime)?;
        Ok(self.has_more())
    }

    /// Begins the next race, if there is one to be had.
    fn begin(&self, runtime: &Runtime) -> Result<()> {
        let Some(Wish { key, program }) = self.wishes.borrow_mut().pop_front() else { return Ok(()) };
        if self.table.borrow().get(&key).is_some() {
            // It was read meanwhile.
            return Ok(());
        }
        let found: RefCell<Option<Option<Contest>>> = RefCell::new(None);
        let choose = |problem: &Problem<'_>, candidates: &[Candidate]| {
            if found.borrow().is_none() && candidates.len() > 1 && Key::of(problem) == key {
                found.replace(Some(contest(problem, candidates)));
            }
            cheapest(problem, candidates)
        };
        compile_with(&program, runtime.limits(), &[], &choose)?;
        let Some(Some(contest)) = found.into_inner() else { return Ok(()) };
        let race = Race::new(contest.runners.len(), 0);
        let runners = contest.runners.into_iter().map(|(choice, made)| (choice, Runner::Waiting(made)));
        let runners = runners.collect();
        let (runtime, scalars) = (runtime.clone(), contest.scalars);
        let mut racing = Racing { runtime, key, race, runners, leaves: Vec::new(), scalars };
        for bytes in contest.leaves {
            racing.leaves.push(racing.runtime.zeros(bytes)?);
        }
        self.racing.replace(Some(racing));
        Ok(())
    }

    /// One step of the race that is on: a runner is made ready, or a heat is timed.
    async fn step(&self, racing: &mut Racing) -> Result<bool> {
        let runtime = &racing.runtime;
        let Some(heat) = racing.race.next_heat() else { return Ok(false) };
        let runner = &mut racing.runners[heat.runner].1;
        if matches!(runner, Runner::Waiting(_)) {
            let Runner::Waiting(made) = std::mem::replace(runner, Runner::Gone) else { return Ok(true) };
            // Its first turn is not timed: pipelines are made then.
            let first = async {
                let prepared = runtime.prepare(made)?;
                runtime.time(&prepared, &racing.leaves, &racing.scalars, 1)?.await?;
                Ok::<Rc<Prepared>, Error>(prepared)
            };
            match first.await {
                Ok(prepared) => *runner = Runner::Ready(prepared),
                Err(_) => racing.race.withdraw(heat.runner),
            }
            return runtime_is_there(runtime).map(|()| true);
        }
        let Runner::Ready(prepared) = runner else {
            racing.race.withdraw(heat.runner);
            return Ok(true);
        };
        let before = runtime.stats().submits;
        let time = runtime.time(prepared, &racing.leaves, &racing.scalars, heat.turns)?.await?;
        // What was asked for meanwhile disturbed it.
        if runtime.stats().submits == before + 1 {
            racing.race.tell(heat, time);
        }
        Ok(true)
    }

    /// Notes who won.
    fn finish(&self, racing: &Racing, outcome: Outcome) {
        let name = |n: usize| racing.runners[n].0.to_string();
        let whole = |time: f64| time.round() as u64;
        let choice = racing.runners[outcome.winner].0;
        let nanoseconds = outcome.medians[outcome.winner].unwrap_or(0.0);
        self.table.borrow_mut().set(racing.key.clone(), Entry { choice, nanoseconds });
        self.changes.set(self.changes.get() + 1);
        self.races.set(self.races.get() + 1);
        let mut records = self.records.borrow_mut();
        if records.len() == MOST_RECORDS {
            records.pop_front();
        }
        records.push_back(TuneRecord {
            key: racing.key.to_string(),
            winner: name(outcome.winner),
            before: name(0),
            spread: (outcome.spread * 1000.0).round() as u32,
            medians: outcome.medians.iter().enumerate().map(|(n, m)| (name(n), m.map(whole))).collect(),
        });
    }
}

fn runtime_is_there(runtime: &Runtime) -> Result<()> {
    match runtime.is_lost() {
        true => Err(Error::new(ErrorKind::DeviceLost, "tune", "the device was lost")),
        false => Ok(()),
    }
}

impl Drop for Racing {
    fn drop(&mut self) {
        self.leaves.iter().for_each(|&leaf| self.runtime.release(leaf));
    }
}

/// While it lives, a step is under way.
struct Stepping<'a>(&'a Cell<bool>);

impl<'a> Stepping<'a> {
    fn begin(is_stepping: &'a Cell<bool>) -> Stepping<'a> {
        is_stepping.set(true);
        Stepping(is_stepping)
    }
}

impl Drop for Stepping<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}
