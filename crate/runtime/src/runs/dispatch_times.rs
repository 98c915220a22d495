//! Times of dispatches: reading what a profile (`profile.rs`) has noted. On devices without
//! timestamps only the end of a run is noted, by the clock.
//!
//! Deferred: profiles are asked for by hand.

use super::profile::{BYTES, MOST_DISPATCHES};
use crate::device::clock::now;
use crate::device::health::PendingErrorSet;
use crate::pipelines::prepare::Prepared;
use crate::read_back::read::{Copied, Transfer, in_memory, room};
use crate::runtime::Runtime;
use crate::submission::pace::Work;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use weft_ir::error::Result;
use wgpu::Features;

/// When a dispatch ran, in nanoseconds of the device's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DispatchTime {
    /// The number of its run, see [`Runtime::profiled_run`].
    pub run: u32,
    /// Which dispatch of the program; in a loop it comes again.
    pub step: u32,
    /// When it began.
    pub start: f64,
    /// When it had ended.
    pub end: f64,
}

/// What a profile has noted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DispatchTimes {
    /// In the order in which they ran; none on a device without timestamps.
    pub times: Vec<DispatchTime>,
    /// The step of the device's clock in nanoseconds, as far as the times tell; 0 without times.
    pub quantum: f64,
}

/// When a run has ended, by the clock; 0 until then.
#[derive(Clone, Debug, Default)]
pub struct EndOfRun(Arc<AtomicU64>);

impl EndOfRun {
    /// In nanoseconds of [`crate::clock`].
    pub fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

impl Prepared {
    /// The name of the kernel of each dispatch.
    pub fn kernel_names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| step.pipeline.name.as_str())
    }
}

impl Runtime {
    /// Times dispatches from now on, or no more. What was noted before is forgotten.
    pub fn set_profiling(&self, is_on: bool) {
        self.inner.drain();
        self.inner.profile.switch(&self.inner.gpu, is_on);
    }

    /// Whether the device has timestamps.
    pub fn has_timestamps(&self) -> bool {
        self.inner.gpu.features.contains(Features::TIMESTAMP_QUERY)
    }

    /// The number of the run that was asked for last.
    pub fn profiled_run(&self) -> u32 {
        self.inner.profile.run.get()
    }

    /// Notes when all that was asked for so far has run, by the clock.
    pub fn note_end(&self) -> EndOfRun {
        let end = EndOfRun::default();
        self.inner.drain();
        let noted = end.0.clone();
        self.inner.gpu.queue.on_submitted_work_done(move || noted.store(now().to_bits(), Ordering::Relaxed));
        end
    }

    /// The milliseconds that compiling the pipeline of each step took, 0 where that is not known.
    pub fn compile_times(&self, prepared: &Prepared) -> Vec<f64> {
        prepared.steps.iter().map(|step| step.pipeline.took() / 1e6).collect()
    }

    /// The times of the latest dispatches, once all that was asked for has run.
    pub fn dispatch_times(&self) -> impl Future<Output = Result<DispatchTimes>> + use<> {
        let (inner, idle) = (self.inner.clone(), self.idle());
        async move {
            idle.await?;
            let reading =
                inner.profile.queries.borrow().as_ref().filter(|own| !own.noted.is_empty()).map(|own| {
                    let pairs = own.noted.len() as u32;
                    let bytes = BYTES * u64::from(pairs);
                    let transfer = Transfer::new(&inner, bytes);
                    let mut encoder = inner.gpu.encoder();
                    encoder.resolve_query_set(&own.set, 0..2 * pairs, &own.resolved, 0);
                    encoder.copy_buffer_to_buffer(&own.resolved, 0, transfer.buffer(), 0, bytes);
                    let number = inner.waiting.number();
                    let index =
                        inner.flights.submit(&inner.gpu, encoder.finish(), number, Work::default(), None);
                    transfer.mapping().start(index);
                    // The oldest first.
                    let oldest = if pairs < MOST_DISPATCHES { 0 } else { own.next as usize };
                    (transfer, bytes, own.noted.clone(), oldest)
                });
            let Some((transfer, bytes, noted, oldest)) = reading else { return Ok(DispatchTimes::default()) };
            let mut pending_errors = PendingErrorSet::default();
            transfer.pending_error(&mut pending_errors);
            let mut taken = vec![room(bytes)?];
            let all = [Copied { range: (0, bytes), to: (0, 0) }];
            transfer.finish(&pending_errors.into_pending_errors(), &mut taken, all).await?;
            let taken = in_memory(taken)?;
            let (words, _) = taken[0].as_chunks::<8>();
            let ticks: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
            let period = f64::from(inner.gpu.queue.get_timestamp_period());
            // Times are relative to the first, so that they fit into a float.
            let origin = ticks.get(2 * oldest).copied().unwrap_or(0);
            let since = |tick: u64| (tick as i64).wrapping_sub(origin as i64) as f64 * period;
            let mut step = 0;
            for &tick in &ticks {
                step = common_divisor(step, tick.abs_diff(origin));
            }
            let places = (oldest..noted.len()).chain(0..oldest);
            let time = |at: usize| {
                let (run, step) = noted[at];
                DispatchTime { run, step, start: since(ticks[2 * at]), end: since(ticks[2 * at + 1]) }
            };
            let mut times: Vec<DispatchTime> = places.map(time).collect();
            separate(&mut times);
            Ok(DispatchTimes { times, quantum: step as f64 * period })
        }
    }
}

/// Makes the times of dispatches disjoint. A GPU notes that a pass begins while the one before
/// still stores its last results, and such times would add up to more than the GPU was busy: a
/// dispatch begins when the one before has ended. A device may put its clock back: no dispatch
/// takes less than nothing, and one that begins before the one before began says nothing about an
/// overlap.
fn separate(times: &mut [DispatchTime]) {
    let mut before: Option<(f64, f64)> = None;
    for time in times {
        let noted = time.start;
        if let Some((start, end)) = before
            && noted >= start
        {
            time.start = noted.max(end);
        }
        time.end = time.end.max(time.start);
        before = Some((noted, time.end));
    }
}

/// The greatest common divisor.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::{DispatchTime, separate};

    /// What is left of dispatches with these starts and ends.
    fn separated(noted: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut times: Vec<DispatchTime> =
            noted.iter().map(|&(start, end)| DispatchTime { run: 1, step: 0, start, end }).collect();
        separate(&mut times);
        times.iter().map(|time| (time.start, time.end)).collect()
    }

    #[test]
    fn dispatches_that_do_not_overlap_keep_their_times() {
        let noted = [(0.0, 10.0), (10.0, 30.0), (35.0, 40.0)];
        assert_eq!(separated(&noted), noted);
    }

    #[test]
    fn times_that_overlap_add_up_to_the_span() {
        // Three dispatches in 190 µs, each begun 10 µs before the one before it ended.
        let times = separated(&[(0.0, 70.0), (60.0, 130.0), (120.0, 190.0)]);
        assert_eq!(times, [(0.0, 70.0), (70.0, 130.0), (130.0, 190.0)]);
        assert_eq!(times.iter().map(|(start, end)| end - start).sum::<f64>(), 190.0);
    }

    #[test]
    fn a_dispatch_within_another_takes_nothing_and_those_behind_it_go_on() {
        let times = separated(&[(0.0, 100.0), (20.0, 60.0), (90.0, 120.0)]);
        assert_eq!(times, [(0.0, 100.0), (100.0, 100.0), (100.0, 120.0)]);
    }

    #[test]
    fn a_clock_that_was_put_back_moves_nothing() {
        let times = separated(&[(1_000.0, 1_100.0), (10.0, 30.0), (40.0, 35.0), (50.0, 60.0)]);
        assert_eq!(times, [(1_000.0, 1_100.0), (10.0, 30.0), (40.0, 40.0), (50.0, 60.0)]);
    }
}
