//! Races between candidate kernels (`weft_compile::tune`). While the device is idle, candidates
//! race a few milliseconds at a time, on memory of their own. Programs that are compiled later use
//! the winners, and compiled ones are compiled anew in idle moments. Users drive races by
//! `tune.rs`.

use crate::device::backend::Compiled;
use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::rc::{Rc, Weak};
use weft_compile::family::{Candidate, Choice, Problem, cheapest};
use weft_compile::tune::{Entry, Key, Outcome, Race, Table, Workload};
use weft_compile::{Executable, compile_for};
use weft_ir::program::TensorProgram;
use weft_ir::{Error, ErrorKind, Result};
use weft_runtime::{Prepared, Runtime};

/// Programs with more nodes are not compiled anew: that would delay the next call.
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
    changes: Cell<u32>,
    /// What `changes` was when no program was left that would be compiled otherwise.
    settled: Cell<u32>,
    /// The programs that were made by the table.
    made: RefCell<Vec<Weak<Compiled>>>,
    wishes: RefCell<Vec<Wish>>,
    racing: RefCell<Option<Racing>>,
    /// Whether a slice is under way.
    is_busy: Cell<bool>,
    /// How many races were held.
    races: Cell<u32>,
    /// The races that are over, as users are shown them.
    records: RefCell<Vec<String>>,
    /// Called when there is something to do in idle moments and was nothing before.
    wake: RefCell<Option<Rc<dyn Fn()>>>,
}

/// What a compiled program was made with: for each key, who served then.
#[derive(Default)]
pub(crate) struct Tuned {
    served: RefCell<Vec<(Key, Choice)>>,
    /// [`Tuner::changes`] when they were last compared.
    seen: Cell<u32>,
}

struct Wish {
    key: Key,
    workload: Workload,
    /// The choice that runs meanwhile.
    serving: Choice,
}

/// A race that is on.
struct Racing {
    key: Key,
    workload: Workload,
    race: Race,
    /// Each is made ready when its turn comes.
    runners: Vec<(Choice, Option<Rc<Prepared>>)>,
}

impl Tuner {
    pub fn new(runtime: &Runtime) -> Tuner {
        let facts = runtime.adapter();
        let table = Table::new(&facts.vendor, &facts.architecture, &facts.description, runtime.limits());
        Tuner {
            is_on: Cell::new(false),
            table: RefCell::new(table),
            changes: Cell::new(0),
            settled: Cell::new(0),
            made: RefCell::default(),
            wishes: RefCell::default(),
            racing: RefCell::default(),
            races: Cell::new(0),
            is_busy: Cell::new(false),
            records: RefCell::default(),
            wake: RefCell::default(),
        }
    }

    /// Whether candidates may race.
    pub fn switch(&self, is_on: bool) {
        self.is_on.set(is_on);
        if !is_on {
            self.wishes.take();
            self.racing.take();
            self.table.borrow_mut().give_up();
        }
    }

    /// Whom to call when there is something to do in idle moments and was nothing before.
    pub fn wake_by(&self, wake: Rc<dyn Fn()>) {
        self.wake.replace(Some(wake));
    }

    fn wake(&self) {
        let wake = self.wake.borrow().clone();
        if let Some(wake) = wake {
            wake();
        }
    }

    /// The table as text.
    pub fn winners(&self) -> String {
        self.table.borrow().to_string()
    }

    /// Takes a table as text: how many entries were new, and how many could not be read.
    pub fn read(&self, text: &str) -> Result<(usize, usize)> {
        let was_idle = !self.has_more();
        let taken = self.table.borrow_mut().read(text)?;
        if taken.0 > 0 {
            self.changes.set(self.changes.get() + 1);
        }
        if was_idle && self.has_more() {
            self.wake();
        }
        Ok(taken)
    }

    /// The races that are remembered.
    pub fn records(&self) -> Vec<String> {
        self.records.borrow().clone()
    }

    /// How many races were held.
    pub fn races(&self) -> u32 {
        self.races.get()
    }

    /// Makes a program ready with the winners that are known, and wishes for races where none are.
    pub fn prepare(
        &self,
        runtime: &Runtime,
        program: &TensorProgram,
        donated: &[usize],
    ) -> Result<(Rc<Prepared>, Tuned)> {
        let choose = |problem: &Problem<'_>, candidates: &[Candidate]| self.choose(problem, candidates);
        let mut executable = compile_for(program, runtime.limits(), donated, &choose, runtime)?;
        let tuned = Tuned { served: RefCell::default(), seen: Cell::new(self.changes.get()) };
        if program.nodes.len() <= MOST_NODES && (self.is_on.get() || !self.table.borrow().is_empty()) {
            tuned.served.replace(self.wish(runtime, &mut executable));
        }
        Ok((runtime.prepare(executable)?, tuned))
    }

    /// The choice for a problem: the winner, or else the candidate estimated cheapest.
    pub fn choose(&self, problem: &Problem<'_>, candidates: &[Candidate]) -> Choice {
        let table = self.table.borrow();
        let known = (candidates.len() > 1 && !table.is_empty()).then(|| Key::of(problem));
        let known = known.and_then(|key| Some(table.get(&key)?.choice));
        let is_candidate = |known: &Choice| candidates.iter().any(|candidate| candidate.choice == *known);
        known.filter(is_candidate).unwrap_or_else(|| cheapest(problem, candidates))
    }

    /// Asks for races between the candidates of an executable's clusters. Yields the choices in use
    /// so far.
    fn wish(&self, runtime: &Runtime, executable: &mut Executable) -> Vec<(Key, Choice)> {
        let was_idle = !self.has_more();
        let fused = Rc::new(std::mem::take(&mut executable.fused));
        let mut served: Vec<(Key, Choice)> = Vec::new();
        let mut last = None;
        for dispatch in &executable.dispatches {
            let Some(serving) = dispatch.choice else { continue };
            if last.replace(dispatch.cluster) == Some(dispatch.cluster) {
                continue;
            }
            let workload = Workload { fused: Rc::clone(&fused), cluster: dispatch.cluster };
            let key = workload.key(runtime.limits());
            let mut wishes = self.wishes.borrow_mut();
            if self.is_on.get()
                && wishes.len() < MOST_WISHES
                && self.table.borrow_mut().set(key.clone(), None)
            {
                wishes.push(Wish { key: key.clone(), workload, serving });
            }
            served.push((key, serving));
        }
        if was_idle && self.has_more() {
            self.wake();
        }
        served
    }

    /// Looks after a program from now on.
    pub fn follow(&self, compiled: &Rc<Compiled>) {
        let mut made = self.made.borrow_mut();
        made.retain(|other| other.strong_count() > 0);
        made.push(Rc::downgrade(compiled));
    }

    /// Whether a program would be compiled otherwise now.
    fn is_stale(&self, tuned: &Tuned) -> bool {
        if tuned.seen.replace(self.changes.get()) == self.changes.get() {
            return false;
        }
        let table = self.table.borrow();
        let served = tuned.served.borrow();
        served.iter().any(|(key, served)| table.get(key).is_some_and(|entry| entry.choice != *served))
    }

    /// Compiles a program anew that would be compiled otherwise now; whether there was one. One
    /// that fails stays as it was.
    ///
    /// Deferred: races run in idle moments.
    #[inline(never)]
    fn renew(&self, runtime: &Runtime) -> bool {
        let made = self.made.borrow().clone();
        let stale = made.iter().filter_map(Weak::upgrade).find(|compiled| self.is_stale(&compiled.tuned));
        match stale.as_deref() {
            Some(Compiled { program, donated, prepared, tuned, .. }) => {
                if let Ok((made, other)) = self.prepare(runtime, program, donated) {
                    prepared.replace(Some(made));
                    tuned.served.replace(other.served.take());
                }
            }
            None => self.settled.set(self.changes.get()),
        }
        stale.is_some()
    }

    fn has_more(&self) -> bool {
        let races = self.is_busy.get() || self.racing.borrow().is_some() || !self.wishes.borrow().is_empty();
        races || self.settled.get() != self.changes.get()
    }

    /// Goes on with the race that is on, or begins the next, if nothing is asked of the device;
    /// once all are over, compiles what would be compiled otherwise now. Tells whether there is
    /// more to do.
    pub async fn slice(&self, runtime: &Runtime) -> Result<bool> {
        check_device(runtime)?;
        if runtime.in_flight() > 0 || self.is_busy.get() {
            return Ok(self.has_more());
        }
        let racing = self.racing.take().or_else(|| self.begin(runtime));
        let Some(mut racing) = racing else {
            if self.wishes.borrow().is_empty() {
                self.renew(runtime);
            }
            return Ok(self.has_more());
        };
        let busy = Busy::begin(&self.is_busy);
        let went_on = self.step(runtime, &mut racing).await;
        drop(busy);
        check_device(runtime)?;
        if self.is_on.get() {
            match went_on {
                Ok(true) => _ = self.racing.replace(Some(racing)),
                Ok(false) => self.finish(racing),
                // A race that cannot be held, for lack of memory for example, is given up.
                Err(_) => {}
            }
        }
        Ok(self.has_more())
    }

    /// Begins the next race, if there is one to be had.
    ///
    /// Deferred: races run in idle moments.
    fn begin(&self, runtime: &Runtime) -> Option<Racing> {
        let mut wishes = self.wishes.borrow_mut();
        let Wish { key, workload, serving } = (!wishes.is_empty()).then(|| wishes.remove(0))?;
        if self.table.borrow().get(&key).is_some() {
            // Its winner was read from the store meanwhile.
            return None;
        }
        let mut runners: Vec<(Choice, Option<Rc<Prepared>>)> = vec![(serving, None)];
        for choice in workload.runners(runtime.limits()) {
            if choice != serving {
                runners.push((choice, None));
            }
        }
        (runners.len() > 1).then(|| Racing { key, workload, race: Race::new(runners.len(), 0), runners })
    }

    /// One step of the race that is on: a runner is made ready, or a heat is timed. Whether it goes
    /// on.
    async fn step(&self, runtime: &Runtime, racing: &mut Racing) -> Result<bool> {
        let Some(heat) = racing.race.next_heat() else { return Ok(false) };
        let (choice, prepared) = &mut racing.runners[heat.runner];
        let Some(ready) = prepared else {
            match make_ready(runtime, &racing.workload, *choice).await {
                Ok(ready) => *prepared = Some(ready),
                // Without the current kernel there is no race.
                Err(error) if heat.runner == 0 => return Err(error),
                Err(_) => racing.race.withdraw(heat.runner),
            }
            return Ok(true);
        };
        let own = (Rc::clone(ready), heat.repeats);
        let serving = &racing.runners[racing.race.serving()].1;
        let beside = serving.as_ref().filter(|_| heat.beside > 0);
        let runs: Vec<_> = beside.map(|it| (Rc::clone(it), heat.beside)).into_iter().chain([own]).collect();
        let before = runtime.stats().submits;
        let times = runtime.time_in_turn(&runs).await?;
        // Times count only if nothing else was submitted meanwhile.
        if runtime.stats().submits == before + runs.len() as u64 {
            racing.race.record(heat, times[runs.len() - 1], times[0]);
        }
        Ok(true)
    }

    /// Notes who won.
    ///
    /// Deferred: races run in idle moments.
    fn finish(&self, Racing { key, race, runners, .. }: Racing) {
        let Some(Outcome { winner, medians, spread }) = race.outcome() else { return };
        let mut text = key.to_string();
        for ((choice, _), median) in runners.iter().zip(&medians) {
            let _ = match median {
                Some(time) => write!(text, "\n{choice} => {}ms", decimal(time / 10.0, 5)),
                None => write!(text, "\n{choice} => left"),
            };
        }
        let choice = runners[winner].0;
        let _ = write!(text, "\nFastest: {choice} ±{}%", decimal(spread * 1000.0, 1));
        let mut records = self.records.borrow_mut();
        if records.len() == MOST_RECORDS {
            records.remove(0);
        }
        records.push(text);
        let entry = Entry { choice, nanoseconds: medians[winner].unwrap_or(0.0) as u32 };
        self.table.borrow_mut().set(key, Some(entry));
        self.changes.set(self.changes.get() + 1);
        self.races.set(self.races.get() + 1);
    }
}

/// A candidate that has run once, which is not timed: pipelines are made then.
async fn make_ready(runtime: &Runtime, workload: &Workload, choice: Choice) -> Result<Rc<Prepared>> {
    let made = workload.runner(runtime.limits(), choice);
    let made = made.ok_or_else(|| Error::new(ErrorKind::OutOfMemory, "tune", "it is too much for a race"))?;
    let prepared = runtime.prepare(made)?;
    runtime.compiled(&prepared).await;
    runtime.time(&prepared, &[], 1)?.await?;
    Ok(prepared)
}

/// A number with a given number of digits after the point.
fn decimal(number: f64, digits: u32) -> String {
    let (number, one) = (number as u32, 10u32.pow(digits));
    format!("{}.{:0width$}", number / one, number % one, width = digits as usize)
}

fn check_device(runtime: &Runtime) -> Result<()> {
    match runtime.is_lost() {
        true => Err(Error::new(ErrorKind::DeviceLost, "tune", "the device was lost")),
        false => Ok(()),
    }
}

/// While it lives, a slice is under way.
struct Busy<'a>(&'a Cell<bool>);

impl<'a> Busy<'a> {
    fn begin(is_busy: &'a Cell<bool>) -> Busy<'a> {
        is_busy.set(true);
        Busy(is_busy)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}
