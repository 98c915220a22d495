//! What has gone wrong with a device, and who must be told: loss, errors that a device reports after the call that caused them,
//! and errors that belong to no call.
//!
//! A [`Check`] is the verdict on one creation (a pipeline, a buffer), pending until the device has answered: at once
//! natively, in a later turn of the event loop in a browser. Values computed through what is not yet proven carry their
//! [`Doubts`], so that exactly the reads that are affected fail.

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

/// The verdict on something that was created on the device.
#[derive(Default)]
pub(crate) struct Check {
    verdict: RefCell<Option<Result<()>>>,
}

impl Check {
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

/// The checks that a value's contents depend upon and that had not passed when it was computed. `None` is the usual case.
pub(crate) type Doubts = Option<Rc<[Rc<Check>]>>;

/// Whether two hold the same checks.
pub(crate) fn same_doubts(a: &Doubts, b: &Doubts) -> bool {
    let (a, b) = (a.as_deref().unwrap_or_default(), b.as_deref().unwrap_or_default());
    let has = |all: &[Rc<Check>], one: &Rc<Check>| all.iter().any(|other| Rc::ptr_eq(one, other));
    a.len() == b.len() && a.iter().all(|one| has(b, one))
}

/// Collects the doubts of a run from its pipelines, buffers and inputs.
#[derive(Default)]
pub(crate) struct DoubtSet(Vec<Rc<Check>>);

impl DoubtSet {
    /// Adds one check, unless it has passed.
    pub fn add(&mut self, check: &Rc<Check>) {
        if !check.passed() && !self.0.iter().any(|known| Rc::ptr_eq(known, check)) {
            self.0.push(check.clone());
        }
    }

    /// Adds the doubts of an input.
    pub fn add_all(&mut self, doubts: &Doubts) {
        for check in doubts.iter().flat_map(|checks| checks.iter()) {
            self.add(check);
        }
    }

    /// The first failure among them.
    pub fn failure(&self) -> Option<Error> {
        self.0.iter().find_map(|check| check.failure())
    }

    /// What results must carry.
    pub fn into_doubts(self) -> Doubts {
        (!self.0.is_empty()).then(|| self.0.into())
    }
}

/// Wakes the futures that wait for something a callback will say.
#[derive(Clone, Default)]
pub(crate) struct Bell(Arc<Mutex<Vec<Waker>>>);

impl Bell {
    /// Wakes everyone.
    pub fn ring(&self) {
        let sleepers = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        sleepers.into_iter().for_each(Waker::wake);
    }

    /// Waits until `ready` gives a value. It is asked again whenever the bell rings.
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
    pub bell: Bell,
    /// Failed checks that no future has told of yet.
    failures: Rc<RefCell<Vec<Error>>>,
    /// Checks not yet answered.
    unanswered: Rc<Cell<usize>>,
}

impl Health {
    /// Starts listening to a device.
    pub fn listen(device: &Device) -> Health {
        let reports = Arc::new(Mutex::new(Reports::default()));
        let bell = Bell::default();
        let (told, ring) = (reports.clone(), bell.clone());
        device.set_device_lost_callback(move |reason, message| {
            let reason =
                if message.is_empty() { format!("{reason:?}").to_ascii_lowercase() } else { message };
            lock(&told).lost.get_or_insert(reason);
            ring.ring();
        });
        let told = reports.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            let stray = &mut lock(&told).stray;
            if stray.len() < KEPT_ERRORS {
                stray.push(translate(error, "device", "the device reported"));
            }
        }));
        Health { reports, bell, failures: Rc::default(), unanswered: Rc::default() }
    }

    /// Why the device was lost, if it was.
    pub fn lost(&self) -> Option<String> {
        lock(&self.reports).lost.clone()
    }

    /// Notes a loss that Weft itself caused.
    pub fn lose(&self, reason: &str) {
        lock(&self.reports).lost.get_or_insert_with(|| reason.to_owned());
        self.bell.ring();
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

    /// Creates something under error scopes. `describe` turns what the device said into the error people get.
    pub fn watch<T>(
        &self,
        device: &Device,
        filters: &[ErrorFilter],
        describe: impl FnOnce(wgpu::Error) -> Error + 'static,
        create: impl FnOnce() -> T,
    ) -> (T, Rc<Check>) {
        let scopes: Vec<ErrorScopeGuard> = filters.iter().map(|f| device.push_error_scope(*f)).collect();
        let created = create();
        // Scopes are a stack: popped here, newest first, and awaited later.
        let verdicts: Vec<PendingVerdict> =
            scopes.into_iter().rev().map(|s| Box::pin(s.pop()) as PendingVerdict).collect();
        let check = Rc::new(Check::default());
        self.settle_later(verdicts, describe, check.clone());
        (created, check)
    }

    fn settle_later(
        &self,
        verdicts: Vec<PendingVerdict>,
        describe: impl FnOnce(wgpu::Error) -> Error + 'static,
        check: Rc<Check>,
    ) {
        let (failures, unanswered, bell) =
            (self.failures.clone(), self.unanswered.clone(), self.bell.clone());
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
            check.verdict.replace(Some(verdict));
            unanswered.set(unanswered.get() - 1);
            bell.ring();
        };
        spawn(settle);
    }

    /// Scopes that swallow what follows from a creation that may have failed: the check itself tells of it.
    pub fn error_scope(&self, device: &Device, doubts: &Doubts) -> ErrorScope {
        ErrorScope(doubts.as_ref().map(|_| device.push_error_scope(ErrorFilter::Validation)))
    }

    /// Waits until these checks are answered, and gives the first failure. What is told so is not told again.
    pub async fn resolve(&self, doubts: &Doubts) -> Result<()> {
        let Some(checks) = doubts else { return Ok(()) };
        self.bell
            .until(|| (!checks.iter().any(|c| c.pending()) || self.lost().is_some()).then_some(()))
            .await;
        match checks.iter().find_map(|c| c.failure()) {
            None => Ok(()),
            Some(error) => Err(self.tell(error)),
        }
    }

    /// Notes that an error is given to the caller, so that [`Health::resolve_all`] does not give it again.
    pub fn tell(&self, error: Error) -> Error {
        self.failures.borrow_mut().retain(|known| *known != error);
        error
    }

    /// Waits until every check is answered, and gives the first failure nobody was told of.
    pub async fn resolve_all(&self) -> Result<()> {
        self.bell.until(|| (self.unanswered.get() == 0 || self.lost().is_some()).then_some(())).await;
        let failures = std::mem::take(&mut *self.failures.borrow_mut());
        failures.into_iter().next().map_or(Ok(()), Err)
    }

    /// Whether there is an error that no scope caught and nobody was told of.
    pub fn has_stray(&self) -> bool {
        !lock(&self.reports).stray.is_empty()
    }

    /// The first error that no scope caught, if any came since the last call.
    pub fn stray(&self) -> Result<()> {
        let stray = std::mem::take(&mut lock(&self.reports).stray);
        stray.into_iter().next().map_or(Ok(()), Err)
    }
}

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

/// Natively a scope's verdict is there when the scope is popped, so the task ends at its first poll.
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
