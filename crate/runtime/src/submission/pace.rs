//! Pacing: how long the work in flight will take, by estimates that measurements correct, and how
//! much more should be submitted now.
//!
//! An estimate starts from what devices of its kind can do at least. The news that work is done may
//! come late, when JavaScript was busy meanwhile, never early: so a measurement that says "faster"
//! counts for much, and one that says "slower" for little. Behind late news the next comes at once,
//! and seems to show work that took no time: no measurement makes a device more than twice as
//! fast as it was thought to be. Kernels that are run in pieces have a pace of their own, because
//! operations are not alike, and loops that may end early count as if they never did; theirs
//! follows every measurement, since each piece predicts the next. None is thought to be slower than
//! the time since a piece was submitted says, which is never too short.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use weft_compile::device::SubmissionModel;

/// Nanoseconds of work that should be in flight at most, beyond the first two submits: enough that
/// the device does not idle while news of it travels, little enough that a page still gets its turn
/// and Stop is quick.
const AHEAD: f64 = 100e6;
/// Nanoseconds that a piece should take.
const PIECE: f64 = 40e6;
/// Nanoseconds, at the estimate, below which nothing is measured: they tell more of the way there
/// than of the work.
const LEAST_MEASURED: f64 = 2e6;
/// By how much a kernel may seem faster than the device when its first piece is done.
const AT_FIRST: f64 = 8.0;
/// By how much faster than it was thought to be a kernel may be after a piece of it: the next piece
/// is so much longer, and its workgroups may have more to do.
const AT_ONCE: f64 = 16.0;
/// With so many submits in flight, a pass that is open waits for more when there is news of one;
/// with fewer it is submitted.
const FREE_SUBMITS: usize = 4;

/// How much there is to do.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Work {
    /// Operations, as the compiler counts them.
    pub operations: f64,
    /// Dispatches.
    pub dispatches: f64,
}

impl Work {
    /// Adds one dispatch.
    pub fn add(&mut self, operations: f64) {
        self.operations += operations;
        self.dispatches += 1.0;
    }
}

/// Nanoseconds per operation of one kernel, once measured.
pub(crate) type KernelPace = Rc<Cell<Option<f64>>>;

/// A submit that is not known to be finished.
struct Submit {
    /// The last item of the queue that begins in it.
    number: u64,
    work: Work,
    /// For a piece, its kernel's pace.
    kernel: Option<KernelPace>,
    submitted: f64,
    /// Nanoseconds.
    estimate: f64,
}

/// See the module.
pub(crate) struct Pace {
    model: &'static SubmissionModel,
    /// Nanoseconds per operation, as measured so far.
    operation: f64,
    /// Operations of a piece, instead of [`PIECE`]; then every run is cut.
    piece_operations: Option<f64>,
    flights: VecDeque<Submit>,
    /// When what is in flight should be finished.
    busy_until: f64,
    /// When the last submit known to be finished was.
    last_finish: f64,
}

impl Pace {
    /// The pace of a device before anything is measured.
    pub fn new(model: &'static SubmissionModel, piece_operations: Option<u64>) -> Pace {
        Pace {
            model,
            operation: model.operation,
            piece_operations: piece_operations.map(|operations| operations as f64),
            flights: VecDeque::new(),
            busy_until: 0.0,
            last_finish: 0.0,
        }
    }

    fn estimate(&self, work: Work, kernel: Option<&KernelPace>) -> f64 {
        let operation = kernel.and_then(|pace| pace.get()).unwrap_or(self.operation);
        work.operations * operation + work.dispatches * self.model.dispatch
    }

    /// Whether a run of so much work is to be cut into pieces.
    pub fn is_long(&self, work: Work) -> bool {
        self.piece_operations.is_some()
            || (work.operations > self.model.whole_run && self.estimate(work, None) > 2.0 * PIECE)
    }

    /// Whether so much work is enough for a piece.
    pub fn fills_piece(&self, work: Work) -> bool {
        match self.piece_operations {
            Some(operations) => work.operations >= operations,
            None => self.estimate(work, None) >= PIECE,
        }
    }

    /// How many of `left` workgroups make a piece, given the operations of each. At least one.
    pub fn workgroups(&self, left: u64, operations: f64, kernel: &KernelPace) -> u64 {
        let piece = match (self.piece_operations, kernel.get()) {
            (Some(piece), _) => piece,
            (None, Some(pace)) => PIECE / pace,
            // The first predicts those that follow.
            (None, None) => PIECE / 4.0 / self.operation,
        };
        ((piece / operations) as u64).clamp(1, left.max(1))
    }

    /// Notes a submit.
    pub fn submitted(&mut self, now: f64, number: u64, work: Work, kernel: Option<KernelPace>) {
        let estimate = self.estimate(work, kernel.as_ref());
        self.busy_until = self.busy_until.max(now) + estimate;
        self.flights.push_back(Submit { number, work, kernel, submitted: now, estimate });
    }

    /// Notes that the oldest `count` submits in flight were finished at `time`, and learns from it.
    pub fn finished(&mut self, count: usize, time: f64) {
        let mut operations = 0.0;
        let mut begin = self.last_finish;
        let mut pieces = true;
        for n in 0..count {
            let Some(flight) = self.flights.pop_front() else { break };
            if n == 0 {
                begin = begin.max(flight.submitted);
            }
            pieces &= flight.kernel.is_some();
            operations += flight.work.operations;
            if let Some(kernel) = flight.kernel {
                let operations = flight.work.operations.max(1.0);
                if count == 1 {
                    let measured = (time - begin).max(0.0) / operations;
                    let least = self.operation / AT_FIRST;
                    kernel.set(Some(
                        kernel.get().map_or(measured.max(least), |known| between(known, measured)),
                    ));
                }
                // It took no longer than since it was submitted, however often its loops could
                // have run.
                let most = (time - flight.submitted).max(0.0) / operations;
                let known = kernel.get().unwrap_or(self.operation);
                if most < known {
                    kernel.set(Some(most.max(known / AT_ONCE)));
                }
            }
        }
        if operations * self.operation >= LEAST_MEASURED {
            let measured = (time - begin).max(0.0) / operations;
            // News of work that nobody waits for comes late: only pieces say that the device is
            // slow.
            if pieces || measured < self.operation {
                self.learn(measured);
            }
        }
        self.last_finish = time;
        self.busy_until = time + self.flights.iter().map(|flight| flight.estimate).sum::<f64>();
    }

    fn learn(&mut self, measured: f64) {
        let SubmissionModel { operation, .. } = *self.model;
        let known = self.operation;
        let learnt = if measured < known { between(known, measured) } else { measured.min(known * 1.1) };
        self.operation = learnt.max(operation / 256.0).min(operation * 8.0);
    }

    /// Whether more should be submitted now.
    pub fn has_room(&self, now: f64) -> bool {
        self.flights.len() < 2 || self.busy_until - now < AHEAD
    }

    /// Whether enough submits are in flight that what is open may wait for more.
    pub fn is_crowded(&self) -> bool {
        self.flights.len() >= FREE_SUBMITS
    }

    /// How many submits are in flight.
    pub fn in_flight(&self) -> usize {
        self.flights.len()
    }

    /// The item that the oldest submit in flight belongs to, or finishes.
    pub fn oldest(&self) -> Option<u64> {
        self.flights.front().map(|flight| flight.number)
    }
}

/// What to think after a measurement: the geometric mean of two rates, at most twice as fast as
/// before.
fn between(known: f64, measured: f64) -> f64 {
    (known * measured).sqrt().max(known / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_compile::device::{GPU, SOFTWARE};

    const MS: f64 = 1e6;

    fn work(operations: f64) -> Work {
        Work { operations, dispatches: 1.0 }
    }

    #[test]
    fn what_is_short_is_never_cut_however_slow_the_device_seems() {
        let mut pace = Pace::new(&GPU.submission, None);
        for n in 0..100 {
            let now = f64::from(n) * 1000.0 * MS;
            pace.submitted(now, 0, work(5e9), None);
            // The news came a second late.
            pace.finished(1, now + 1000.0 * MS);
        }
        assert!(!pace.is_long(work(6e10)));
        assert!(pace.is_long(work(1e12)));
    }

    #[test]
    fn many_small_submits_do_not_make_a_device_seem_fast() {
        let mut pace = Pace::new(&SOFTWARE.submission, None);
        for _ in 0..20 {
            (0..2000).for_each(|_| pace.submitted(0.0, 0, work(10_000.0), None));
            // Five times what the operations should take: most of it went into the submits.
            pace.last_finish = 0.0;
            pace.finished(2000, 50.0 * MS);
        }
        assert!(pace.is_long(work(3e9)), "{} ns each", pace.operation);
    }

    #[test]
    fn a_fast_device_soon_takes_large_work_whole() {
        let mut pace = Pace::new(&GPU.submission, None);
        let product = work(4e11);
        assert!(pace.is_long(product));
        let mut now = 0.0;
        for _ in 0..12 {
            pace.submitted(now, 0, product, None);
            now += 7.0 * MS;
            pace.finished(1, now);
        }
        assert!(!pace.is_long(product), "{} ns each", pace.operation);
    }

    #[test]
    fn pieces_come_to_the_length_wanted() {
        for nanoseconds in [0.01, 0.5, 20.0] {
            let mut pace = Pace::new(&SOFTWARE.submission, None);
            let kernel = KernelPace::default();
            let (mut left, mut now, mut longest, mut pieces) = (4_000_000u64, 0.0, 0.0f64, 0);
            while left > 0 && pieces < 10_000 {
                let count = pace.workgroups(left, 1000.0, &kernel);
                let operations = 1000.0 * count as f64;
                pace.submitted(now, 0, work(operations), Some(kernel.clone()));
                let took = operations * nanoseconds;
                if pieces > 0 {
                    longest = longest.max(took);
                }
                now += took;
                pace.finished(1, now);
                left -= count;
                pieces += 1;
            }
            assert!(longest < 60.0 * MS, "{nanoseconds} ns: a piece took {} ms", longest / MS);
            assert!(f64::from(pieces) < 8.0 + now / MS / 20.0, "{nanoseconds} ns: {pieces} pieces");
        }
    }

    #[test]
    fn a_kernel_whose_loops_end_early_is_soon_done() {
        let mut pace = Pace::new(&GPU.submission, None);
        let kernel = KernelPace::default();
        // Each workgroup counts 10¹⁷ operations, but its loops end after 200 ns.
        let (mut left, mut now, mut pieces) = (14_400u64, 0.0, 0);
        while left > 0 {
            let count = pace.workgroups(left, 1e17, &kernel);
            pace.submitted(now, 0, work(1e17 * count as f64), Some(kernel.clone()));
            // News takes 3 ms.
            now += 3.0 * MS + count as f64 * 200.0;
            pace.finished(1, now);
            left -= count;
            pieces += 1;
        }
        assert!(pieces < 12, "{pieces} pieces");
    }

    #[test]
    fn late_news_does_not_make_a_piece_long() {
        let mut pace = Pace::new(&SOFTWARE.submission, None);
        let kernel = KernelPace::default();
        let (mut done_at, mut before, mut longest) = (0.0f64, None::<f64>, 0.0f64);
        for piece in 0..60 {
            let operations = 1000.0 * pace.workgroups(1 << 40, 1000.0, &kernel) as f64;
            let now = before.unwrap_or(0.0);
            pace.submitted(now, 0, work(operations), Some(kernel.clone()));
            done_at += operations * 0.5;
            longest = longest.max(operations * 0.5);
            // JavaScript is busy every other time: the news of two pieces comes together, the
            // second as if it had taken no time.
            if piece % 2 == 1 {
                pace.finished(1, done_at);
                pace.finished(1, done_at + 0.01 * MS);
                before = Some(done_at);
            }
        }
        assert!(longest < 200.0 * MS, "a piece took {} ms", longest / MS);
    }

    #[test]
    fn few_are_in_flight_and_time_makes_room() {
        let mut pace = Pace::new(&SOFTWARE.submission, None);
        let step = work(30.0 * MS / 0.5);
        let mut count = 0;
        while pace.has_room(0.0) {
            count += 1;
            pace.submitted(0.0, count, step, None);
        }
        assert_eq!(count, 4);
        assert!(!pace.has_room(10.0 * MS), "90 ms of 120 would have to be done");
        // No news came, because JavaScript is busy, but time went by.
        assert!(pace.has_room(40.0 * MS));
        pace.finished(3, 120.0 * MS);
        assert_eq!((pace.in_flight(), pace.oldest()), (1, Some(4)));
        assert!(pace.has_room(120.0 * MS));
    }
}
