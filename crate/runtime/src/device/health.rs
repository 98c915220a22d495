//! Device errors: loss, errors that a device reports after the call that caused them, and errors
//! that belong to no call; and who must hear of each. [`Notify`] wakes the futures that wait for a
//! callback of the device.
//!
//! A [`Check`] is the verdict on one creation (a pipeline, a buffer), pending until the device has
//! answered: at once natively, in a later turn of the event loop in a browser. Values computed
//! through what is not yet proven carry their [`PendingErrors`], so that exactly the reads that are
//! affected fail. A program that never gives the browser a turn has thousands of checks pending:
//! many become one, which is answered when they are.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use weft_ir::error::{Error, ErrorKind, Result};
use wgpu::{Device, ErrorFilter, ErrorScopeGuard};

type PendingVerdict = Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>;

/// Errors kept for the next future that is awaited; more than this tell nothing new.
const KEPT_ERRORS: usize = 16;

/// More checks than these become one, so that what a value carries stays small however long nothing
/// is answered.
const MOST_DOUBTS: usize = 16;

/// The verdict on something that was created on the device, or on several such things.
#[derive(Default)]
pub(crate) struct Check {
    verdict: RefCell<Option<Result<()>>>,
    /// What passes only when this and others have.
    dependents: RefCell<Vec<Rc<Check>>>,
    /// How many others must pass before this does.
    awaited: Cell<usize>,
}

impl Check {
    /// One that passes when all of these have, and fails as soon as one does.
    fn all(checks: Vec<Rc<Check>>) -> Rc<Check> {
        let all = Rc::new(Check::default());
        for check in checks.iter().filter(|check| check.pending()) {
            check.dependents.borrow_mut().push(all.clone());
            all.awaited.set(all.awaited.get() + 1);
        }
        match checks.iter().find_map(|check| check.failure()) {
            Some(error) => all.settle(Err(error)),
            None if all.awaited.get() == 0 => all.settle(Ok(())),
            None => {}
        }
        all
    }

    /// Notes the answer, and that of whatever hung on it alone.
    fn settle(&self, verdict: Result<()>) {
        self.verdict.replace(Some(verdict.clone()));
        let mut settled = vec![(self.dependents.take(), verdict)];
        while let Some((dependents, verdict)) = settled.pop() {
            for one in dependents.into_iter().filter(|one| one.pending()) {
                one.awaited.set(one.awaited.get() - 1);
                if verdict.is_err() || one.awaited.get() == 0 {
                    one.verdict.replace(Some(verdict.clone()));
                    settled.push((one.dependents.take(), verdict.clone()));
                }
            }
        }
    }

    /// The error, if the device has answered with one.
    pub fn failure(&self) -> Option<Error> {
        self.verdict.borrow().clone().and_then(Result::err)
    }

    /// Whether the device has answered, and well.
    pub fn passed(&self) -> bool {
        matches!(*self.verdict.borrow(), Some(Ok(())))
    }

    fn pending(&self) -> bool {
        self.verdict.borrow().is_none()
    }
}

/// The checks that a value's contents depend upon and that had not passed when it was computed.
/// `None` is the usual case.
pub(crate) type PendingErrors = Option<Rc<[Rc<Check>]>>;

/// Whether two hold the same checks.
pub(crate) fn same_pending_errors(a: &PendingErrors, b: &PendingErrors) -> bool {
    let (a, b) = (a.as_deref().unwrap_or_default(), b.as_deref().unwrap_or_default());
    let has = |all: &[Rc<Check>], one: &Rc<Check>| all.iter().any(|other| Rc::ptr_eq(one, other));
    a.len() == b.len() && a.iter().all(|one| has(b, one))
}

/// Collects the pending errors of a run from its pipelines, buffers and inputs.
#[derive(Default)]
pub(crate) struct PendingErrorSet(Vec<Rc<Check>>);

impl PendingErrorSet {
    /// Adds one check, unless it has passed.
    pub fn add(&mut self, check: &Rc<Check>) {
        if !check.passed() && !self.0.iter().any(|known| Rc::ptr_eq(known, check)) {
            self.0.push(check.clone());
        }
        if self.0.len() > MOST_DOUBTS {
            self.0 = vec![Check::all(std::mem::take(&mut self.0))];
        }
    }

    /// Adds the pending errors of an input.
    pub fn add_all(&mut self, pending_errors: &PendingErrors) {
        for check in pending_errors.iter().flat_map(|checks| checks.iter()) {
            self.add(check);
        }
    }

    /// The first failure among them.
    pub fn failure(&self) -> Option<Error> {
        self.0.iter().find_map(|check| check.failure())
    }

    /// What results must carry.
    pub fn into_pending_errors(self) -> PendingErrors {
        (!self.0.is_empty()).then(|| self.0.into())
    }
}

/// Wakes the futures that wait for something a callback will say.
#[derive(Clone, Default)]
pub(crate) struct Notify(Arc<Mutex<Vec<Waker>>>);

impl Notify {
    /// Wakes everyone.
    pub fn notify_all(&self) {
        let sleepers = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        sleepers.into_iter().for_each(Waker::wake);
    }

    /// Waits until `ready` gives a value. It is asked again after each [`Notify::notify_all`].
    pub async fn until<T>(&self, mut ready: impl FnMut() -> Option<T>) -> T {
        poll_fn(|context| match ready() {
            Some(value) => Poll::Ready(value),
            None => {
                self.0.lock().unwrap_or_else(PoisonError::into_inner).push(context.waker().clone());
                Poll::Pending
            }
        })
        .await
    }
}

/// What callbacks of the device write, possibly from another thread.
#[derive(Default)]
struct Reports {
    lost: Option<String>,
    /// Errors that no scope caught.
    stray: Vec<Error>,
}

/// The state of one device.
pub(crate) struct Health {
    reports: Arc<Mutex<Reports>>,
    pub notify: Notify,
    /// Failed checks that no future has returned yet.
    failures: Rc<RefCell<Vec<Error>>>,
    /// Checks not yet answered.
    unanswered: Rc<Cell<usize>>,
}

impl Health {
    /// Starts listening to a device.
    pub fn listen(device: &Device) -> Health {
        let reports = Arc::new(Mutex::new(Reports::default()));
        let notify = Notify::default();
        let (written, waiting) = (reports.clone(), notify.clone());
        device.set_device_lost_callback(move |reason, message| {
            let reason =
                if message.is_empty() { format!("{reason:?}").to_ascii_lowercase() } else { message };
            lock(&written).lost.get_or_insert(reason);
            waiting.notify_all();
        });
        let written = reports.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            let stray = &mut lock(&written).stray;
            if stray.len() < KEPT_ERRORS {
                stray.push(translate(error, "device", "the device reported"));
            }
        }));
        Health { reports, notify, failures: Rc::default(), unanswered: Rc::default() }
    }

    /// Whether the device was lost.
    pub fn is_lost(&self) -> bool {
        lock(&self.reports).lost.is_some()
    }

    /// Notes a loss that Weft itself caused.
    pub fn lose(&self, reason: &str) {
        lock(&self.reports).lost.get_or_insert_with(|| reason.to_owned());
        self.notify.notify_all();
    }

    /// Fails when the device is lost; every public call begins with this.
    pub fn check(&self, op: &str) -> Result<()> {
        match &lock(&self.reports).lost {
            None => Ok(()),
            Some(reason) => Err(Error::new(
                ErrorKind::DeviceLost,
                op,
                format!("the GPU device was lost ({reason}); open a new one and make its tensors again"),
            )),
        }
    }

    /// Creates something under error scopes. `describe` turns what the device said into the error
    /// people get.
    pub fn watch<T>(
        &self,
        device: &Device,
        filters: &[ErrorFilter],
        describe: impl FnOnce(wgpu::Error) -> Error + 'static,
        create: impl FnOnce() -> T,
    ) -> (T, Rc<Check>) {
        let check = Rc::new(Check::default());
        (self.watch_for(&check, device, filters, describe, create), check)
    }

    /// [`Health::watch`], for a check that there is already.
    pub fn watch_for<T>(
        &self,
        check: &Rc<Check>,
        device: &Device,
        filters: &[ErrorFilter],
        describe: impl FnOnce(wgpu::Error) -> Error + 'static,
        create: impl FnOnce() -> T,
    ) -> T {
        let scopes: Vec<ErrorScopeGuard> = filters.iter().map(|f| device.push_error_scope(*f)).collect();
        let created = create();
        // Scopes are a stack: popped here, newest first, and awaited later.
        let verdicts: Vec<PendingVerdict> =
            scopes.into_iter().rev().map(|s| Box::pin(s.pop()) as PendingVerdict).collect();
        self.settle_later(verdicts, Box::new(describe), check.clone());
        created
    }

    // Not generic: three callers would have a copy each in the first download.
    fn settle_later(&self, verdicts: Vec<PendingVerdict>, describe: Describe, check: Rc<Check>) {
        let (failures, unanswered, notify) =
            (self.failures.clone(), self.unanswered.clone(), self.notify.clone());
        unanswered.set(unanswered.get() + 1);
        let settle = async move {
            let mut first = None;
            for verdict in verdicts {
                let error = verdict.await;
                first = first.or(error);
            }
            let verdict = first.map(describe).map_or(Ok(()), Err);
            if let Err(error) = &verdict
                && failures.borrow().len() < KEPT_ERRORS
            {
                failures.borrow_mut().push(error.clone());
            }
            check.settle(verdict);
            unanswered.set(unanswered.get() - 1);
            notify.notify_all();
        };
        spawn(settle);
    }

    /// Scopes that swallow what follows from a creation that may have failed: the check itself
    /// reports it.
    pub fn error_scope(&self, device: &Device, pending_errors: &PendingErrors) -> ErrorScope {
        ErrorScope(pending_errors.as_ref().map(|_| device.push_error_scope(ErrorFilter::Validation)))
    }

    /// Waits until these checks are answered, and gives the first failure, which is not reported
    /// a second time.
    pub async fn resolve(&self, pending_errors: &PendingErrors) -> Result<()> {
        let Some(checks) = pending_errors else { return Ok(()) };
        self.notify.until(|| (!checks.iter().any(|c| c.pending()) || self.is_lost()).then_some(())).await;
        match checks.iter().find_map(|c| c.failure()) {
            None => Ok(()),
            Some(error) => Err(self.tell(error)),
        }
    }

    /// Notes that an error is given to the caller, so that [`Health::resolve_all`] does not give it
    /// again.
    pub fn tell(&self, error: Error) -> Error {
        self.failures.borrow_mut().retain(|known| *known != error);
        error
    }

    /// Waits until every check is answered, and gives the first failure that no call has returned.
    pub async fn resolve_all(&self) -> Result<()> {
        self.notify.until(|| (self.unanswered.get() == 0 || self.is_lost()).then_some(())).await;
        let failures = std::mem::take(&mut *self.failures.borrow_mut());
        failures.into_iter().next().map_or(Ok(()), Err)
    }

    /// Whether there is an error that no scope caught and no call has returned.
    pub fn has_stray(&self) -> bool {
        !lock(&self.reports).stray.is_empty()
    }

    /// The first error that no scope caught, if any came since the last call.
    pub fn stray(&self) -> Result<()> {
        let stray = std::mem::take(&mut lock(&self.reports).stray);
        stray.into_iter().next().map_or(Ok(()), Err)
    }
}

/// What turns what the device said into the error people get.
type Describe = Box<dyn FnOnce(wgpu::Error) -> Error>;

/// See [`Health::error_scope`].
pub(crate) struct ErrorScope(Option<ErrorScopeGuard>);

impl ErrorScope {
    /// Ends the scope.
    pub fn end(self) {
        // The verdict is of no interest: dropping the guard pops the scope.
        drop(self.0);
    }
}

fn lock(reports: &Mutex<Reports>) -> std::sync::MutexGuard<'_, Reports> {
    reports.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(target_arch = "wasm32")]
fn spawn(task: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(task);
}

/// Natively a scope's verdict is there when the scope is popped, so the task ends at its first
/// poll.
#[cfg(not(target_arch = "wasm32"))]
fn spawn(task: impl Future<Output = ()> + 'static) {
    let mut task = Box::pin(task);
    let mut context = std::task::Context::from_waker(Waker::noop());
    while task.as_mut().poll(&mut context).is_pending() {
        std::thread::yield_now();
    }
}

/// What a device said, as Weft's error: `before` tells what it was about.
pub(crate) fn translate(error: wgpu::Error, op: &str, before: &str) -> Error {
    let kind = match error {
        wgpu::Error::OutOfMemory { .. } => ErrorKind::OutOfMemory,
        wgpu::Error::Validation { .. } | wgpu::Error::Internal { .. } => ErrorKind::Internal,
    };
    Error::new(kind, op, format!("{before}: {}", error.to_string().trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error() -> Error {
        Error::new(ErrorKind::OutOfMemory, "add", "no memory")
    }

    fn checks(count: usize) -> Vec<Rc<Check>> {
        (0..count).map(|_| Rc::default()).collect()
    }

    fn pending_errors(checks: &[Rc<Check>], before: &PendingErrors) -> PendingErrors {
        let mut set = PendingErrorSet::default();
        set.add_all(before);
        checks.iter().for_each(|check| set.add(check));
        set.into_pending_errors()
    }

    fn failure(pending_errors: &PendingErrors) -> Option<Error> {
        pending_errors.iter().flat_map(|all| all.iter()).find_map(|check| check.failure())
    }

    fn all_passed(pending_errors: &PendingErrors) -> bool {
        pending_errors.iter().flat_map(|all| all.iter()).all(|check| check.passed())
    }

    #[test]
    fn a_long_chain_of_doubts_stays_small_and_knows_of_each() {
        for failing in [None, Some(0), Some(1), Some(500), Some(999)] {
            let checks = checks(1000);
            let mut steps: Vec<PendingErrors> = Vec::new();
            for check in &checks {
                let before = steps.last().cloned().flatten();
                steps.push(pending_errors(std::slice::from_ref(check), &before));
            }
            assert!(steps.iter().flatten().all(|all| all.len() <= MOST_DOUBTS));
            for (n, check) in checks.iter().enumerate() {
                assert!(steps[n..].iter().all(|step| !all_passed(step)));
                check.settle(if failing == Some(n) { Err(error()) } else { Ok(()) });
            }
            for (n, step) in steps.iter().enumerate() {
                let fails = failing.is_some_and(|failing| failing <= n);
                assert_eq!((failure(step).is_some(), all_passed(step)), (fails, !fails), "step {n}");
            }
        }
    }

    #[test]
    fn a_joint_check_fails_as_soon_as_one_does_and_passes_last() {
        let checks = checks(20);
        let all = pending_errors(&checks, &None);
        checks[3].settle(Ok(()));
        assert!(failure(&all).is_none() && !all_passed(&all));
        checks[7].settle(Err(error()));
        assert_eq!(failure(&all), Some(error()));
        checks.iter().filter(|check| check.pending()).for_each(|check| check.settle(Ok(())));
        assert_eq!(failure(&all), Some(error()));
        assert_eq!(failure(&pending_errors(&[], &all)), Some(error()));
    }

    #[test]
    fn what_has_passed_is_no_doubt() {
        let checks = checks(40);
        checks[..39].iter().for_each(|check| check.settle(Ok(())));
        assert_eq!(pending_errors(&checks, &None).map(|all| all.len()), Some(1));
        checks[39].settle(Ok(()));
        assert!(pending_errors(&checks, &None).is_none());
    }
}
