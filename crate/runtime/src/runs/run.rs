//! One run of a prepared program: bind leaves, take buffers from the pool, encode every dispatch
//! into one pass, give the temporaries back, submit once. A run that would keep the device for long
//! is several passes, and its long dispatches are cut into pieces.

use super::loop_polling::LoopPolling;
use super::measure::Timing;
use super::pipeline_wait::PipelineWait;
use super::profile::PassQueries;
use super::progress::{Progress, RunState, Stop, add_scalars, write_block, write_blocks};
use crate::device::health::{PendingErrorSet, PendingErrors, same_pending_errors};
use crate::memory::pool::BufferId;
use crate::pipelines::prepare::{Prepared, Step, check_binding};
use crate::submission::pace::Work;

use crate::device::stats::count;
use crate::memory::uniforms::Scalars;
use crate::runtime::{Inner, Runtime};
use crate::submission::queue::{Item, Long, Open};
use std::rc::Rc;
use weft_compile::Slot;
use weft_compile::plan::walk::Walk;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::{BindGroup, ComputePass, SubmissionIndex};

const OP: &str = "run";
/// Dispatches of a run that share a pass: what loops for long is submitted a part at a time.
const MOST_IN_PASS: u32 = 1 << 14;

impl Runtime {
    /// Runs a program: binds `leaves` to its buffer leaves and `scalars`, one 32-bit pattern each,
    /// to its scalar leaves, and returns one value per output, each held once by the caller. An
    /// output that is a leaf, or was written over one, is that leaf's value held once more. What a
    /// program does not write of an output is undefined.
    ///
    /// Returns as soon as the work is submitted or, where much is in flight, put into the queue.
    /// Errors: `Disposed` for a leaf that is gone, `OutOfMemory`, `DeviceLost`, `Internal` for a
    /// program the device refused; nothing was run then.
    pub fn run(&self, prepared: &Rc<Prepared>, leaves: &[ValueId], scalars: &[u32]) -> Result<Vec<ValueId>> {
        self.inner.run(prepared, leaves, scalars, None).map(|(values, _)| values)
    }
}

impl Inner {
    /// [`Runtime::run`], in a submit of its own where it is timed.
    pub fn run(
        &self,
        prepared: &Rc<Prepared>,
        leaves: &[ValueId],
        scalars: &[u32],
        timing: Option<Timing<'_>>,
    ) -> Result<(Vec<ValueId>, Option<SubmissionIndex>)> {
        self.gpu.health.check(OP)?;
        if !std::ptr::eq(prepared.home.as_ptr(), self) {
            return Err(Error::new(ErrorKind::Internal, OP, "the program was prepared for another device"));
        }
        if leaves.len() < prepared.leaves || scalars.len() < prepared.scalars {
            let message = format!(
                "the program takes {} tensors and {} numbers and is given {} and {}",
                prepared.leaves,
                prepared.scalars,
                leaves.len(),
                scalars.len()
            );
            return Err(Error::new(ErrorKind::Internal, OP, message));
        }
        let slots = &mut *self.slots.borrow_mut();
        let pending_errors = match self.bind(prepared, leaves, slots) {
            // What waits keeps memory from being given up.
            Err(error) if error.kind == ErrorKind::OutOfMemory && self.drain() => {
                self.bind(prepared, leaves, slots)?
            }
            bound => bound?,
        };
        let index = self.encode(prepared, scalars, slots, &pending_errors, timing);
        self.settle();
        Ok((self.conclude(prepared, leaves, slots, pending_errors), index))
    }

    /// Finds or takes the buffer of every slot, and collects what the results will depend upon.
    fn bind(
        &self,
        prepared: &Prepared,
        leaves: &[ValueId],
        slots: &mut Vec<BufferId>,
    ) -> Result<PendingErrors> {
        let values = self.values.borrow();
        let mut pool = self.pool.borrow_mut();
        let mut pending_errors = PendingErrorSet::default();
        slots.clear();
        for &leaf in leaves {
            let value = values.get(OP, leaf)?;
            check_binding(&self.gpu, OP, pool.class(value.buffer))?;
            pending_errors.add_all(&value.pending_errors);
        }
        for &(a, b) in &prepared.apart {
            if values.get(OP, leaves[a])?.buffer == values.get(OP, leaves[b])?.buffer {
                let message =
                    format!("leaves {a} and {b} are one tensor, and a kernel writes one and binds both");
                return Err(Error::new(ErrorKind::Internal, OP, message));
            }
        }
        for step in &prepared.steps {
            pending_errors.add(&step.pipeline.check);
        }
        if let Some(error) = pending_errors.failure() {
            return Err(self.gpu.health.tell(error));
        }
        for (n, slot) in prepared.slots.iter().enumerate() {
            let buffer = match *slot {
                Slot::Leaf(leaf) => Ok(values.get(OP, leaves[leaf])?.buffer),
                Slot::Output(bytes) | Slot::Temporary(bytes) => pool.acquire(&self.gpu, OP, bytes),
                Slot::Alias(of) => Ok(slots[of]),
            };
            match buffer {
                Ok(buffer) => {
                    pending_errors.add(pool.check(buffer));
                    slots.push(buffer);
                }
                Err(error) => {
                    let taken = prepared.slots[..n].iter().zip(slots.iter());
                    taken
                        .filter(|(slot, _)| !matches!(slot, Slot::Leaf(_) | Slot::Alias(_)))
                        .for_each(|(_, &b)| pool.give_back(b));
                    return Err(error);
                }
            }
        }
        Ok(pending_errors.into_pending_errors())
    }

    fn encode(
        &self,
        prepared: &Rc<Prepared>,
        scalars: &[u32],
        slots: &[BufferId],
        pending_errors: &PendingErrors,
        timing: Option<Timing<'_>>,
    ) -> Option<SubmissionIndex> {
        self.forget_destroyed();
        if prepared.steps.is_empty() {
            return None;
        }
        if let Some(timing) = timing {
            return Some(self.encode_timed(prepared, scalars, slots, pending_errors, timing));
        }
        let long = self.flights.pace.borrow().is_long(prepared.work);
        let is_unlike = |open: &Open| !same_pending_errors(&open.pending_errors, pending_errors);
        // What may fail shares commands only with what fails by the same; what is long has pieces
        // of its own.
        let is_first = !prepared.asks && prepared.is_fresh();
        if long || prepared.asks || is_first || self.open.pass.borrow().as_ref().is_some_and(is_unlike) {
            self.close_pass();
        }
        let offset = self.set_scalars_aside(prepared);
        let number = self.profile.begin_run();
        let course = RunState { prepared, scalars, slots, pending_errors, offset, long, number };
        if prepared.asks {
            self.enqueue(Item::LoopPolling(LoopPolling::new(self, prepared, &course)));
        } else if is_first {
            self.enqueue(Item::LoopPolling(PipelineWait::new(prepared, &course)));
        } else {
            let mut progress = Progress::new(prepared);
            loop {
                let mut open = self.open.pass.take();
                let stop = self.encode_some(&course, &mut progress, &mut open);
                self.open.pass.replace(open);
                match stop {
                    Stop::End | Stop::Asks(_) => break,
                    Stop::Full => self.close_pass(),
                    Stop::Long(n) => {
                        self.close_pass();
                        self.enqueue(Item::Long(self.long(&course, n, &progress)));
                    }
                }
            }
        }
        self.freeze_pool();
        if long {
            self.close_pass();
        }
        None
    }

    /// Encodes the steps that come next into the open pass, if there is one, or another.
    pub fn encode_some(
        &self,
        course: &RunState<'_>,
        progress: &mut Progress,
        open: &mut Option<Open>,
    ) -> Stop {
        let &RunState { prepared, scalars, slots, pending_errors, offset, long, number } = course;
        let Progress { walk, next, blocks, in_pass, changed } = progress;
        let fills_piece = |work| long && self.flights.pace.borrow().fills_piece(work);
        while let Some(n) = next.take().or_else(|| walk.next()) {
            let step = &prepared.steps[n];
            let work = step.work();
            if step.in_pieces && step.counted.is_none() && fills_piece(work) {
                *changed = true;
                return Stop::Long(n);
            }
            if std::mem::take(&mut walk.began) {
                blocks.forget_varying(prepared);
            }
            if !*changed && blocks.is_full(prepared, step) {
                (*changed, *next) = (true, Some(n));
                return Stop::Full;
            }
            let queries = self.profile.queries(number, n);
            if let Some(queries) = &queries {
                self.begin_timed(open, offset, pending_errors, queries);
            }
            let open = open.get_or_insert_with(|| self.open_pass(offset, pending_errors, None));
            if *changed {
                open.runs += 1;
                add_scalars(&mut open.scalars, prepared, scalars, offset);
                blocks.begin(prepared);
                *in_pass = 0;
            }
            let place = blocks.place(&mut open.scalars, prepared, step, scalars, walk, offset);
            if open.pipeline.as_ref().is_none_or(|set| !Rc::ptr_eq(set, &step.pipeline)) {
                open.pass.set_pipeline(step.pipeline.compute(&self.gpu));
                open.pipeline = Some(step.pipeline.clone());
            }
            self.encode_step(&mut open.pass, step, slots, pending_errors, walk, place);
            *in_pass += 1;
            open.work.add(work.operations);
            *changed = fills_piece(open.work) || *in_pass >= MOST_IN_PASS;
            if *changed {
                return Stop::Full;
            }
        }
        walk.asks.map_or(Stop::End, |slot| Stop::Asks(walk.means[slot]))
    }

    /// All steps so often in one pass, submitted at once.
    fn encode_timed(
        &self,
        prepared: &Prepared,
        scalars: &[u32],
        slots: &[BufferId],
        pending_errors: &PendingErrors,
        Timing { timestamps, times }: Timing<'_>,
    ) -> SubmissionIndex {
        self.drain();
        let scope = self.gpu.health.error_scope(&self.gpu.device, pending_errors);
        let offset = self.set_scalars_aside(prepared);
        let mut bytes = self.waiting.spare();
        write_blocks(prepared, scalars, &mut bytes);
        self.write_scalars(&Scalars { offset, bytes, ring: None });
        let mut encoder = self.gpu.encoder();
        let walk = Walk::new(&Rc::default(), prepared.steps.len(), &prepared.slots);
        let mut pass = self.gpu.begin_pass(&mut encoder, timestamps.map(|own| own.of_pass()));
        for _ in 0..times {
            for step in &prepared.steps {
                let place = offset + step.block.unwrap_or(0) as u32 * prepared.block_stride;
                pass.set_pipeline(step.pipeline.compute(&self.gpu));
                self.encode_step(&mut pass, step, slots, pending_errors, &walk, place);
            }
        }
        drop(pass);
        if let Some(timestamps) = timestamps {
            timestamps.resolve(&mut encoder);
        }
        let mut work = prepared.work;
        work.operations *= f64::from(times);
        work.dispatches *= f64::from(times);
        let index = self.flights.submit(&self.gpu, encoder.finish(), self.waiting.number(), work, None);
        scope.end();
        index
    }

    /// Begins a pass that is timed, behind the open one.
    ///
    /// Deferred: profiles are asked for by hand.
    #[inline(never)]
    fn begin_timed(
        &self,
        open: &mut Option<Open>,
        offset: u32,
        pending_errors: &PendingErrors,
        queries: &PassQueries,
    ) {
        *open = Some(match open.take() {
            None => self.open_pass(offset, pending_errors, Some(queries)),
            Some(Open { pass, mut encoder, scalars, work, runs, pending_errors, .. }) => {
                drop(pass);
                let pass = self.gpu.begin_pass(&mut encoder, Some(queries.writes())).forget_lifetime();
                Open { pass, encoder, scalars, work, runs, pending_errors, pipeline: None }
            }
        });
    }

    /// A pass for what has its scalars from `offset` on.
    fn open_pass(&self, offset: u32, pending_errors: &PendingErrors, queries: Option<&PassQueries>) -> Open {
        let mut encoder = self.gpu.encoder();
        let pass = self.gpu.begin_pass(&mut encoder, queries.map(PassQueries::writes)).forget_lifetime();
        let scalars = Scalars { offset, bytes: self.waiting.spare(), ring: None };
        Open {
            pass,
            encoder,
            scalars,
            work: Work::default(),
            runs: 0,
            pending_errors: pending_errors.clone(),
            pipeline: None,
        }
    }

    /// A step that is to be submitted in pieces.
    pub fn long(&self, course: &RunState<'_>, n: usize, progress: &Progress) -> Box<Long> {
        let &RunState { prepared, scalars, slots, pending_errors, offset, .. } = course;
        let step = &prepared.steps[n];
        let block = step.block.expect("the number of the first workgroup is in it");
        let mut bytes = Vec::new();
        write_block(&prepared.blocks[block], scalars, &progress.walk, &mut bytes);
        let offset = offset + block as u32 * prepared.block_stride;
        let [x, y, _] = step.workgroups;
        Box::new(Long {
            pipeline: step.pipeline.clone(),
            group: self.with_bind_group(step, slots, pending_errors, &progress.walk, BindGroup::clone),
            scalars: Scalars { offset, bytes, ring: None },
            pending_errors: pending_errors.clone(),
            grid: [x, y],
            done: 0,
            operations: step.operations,
            place: (course.number, n),
        })
    }

    /// Sets bytes of the ring aside for the scalars of a run, behind those of the open pass.
    fn set_scalars_aside(&self, prepared: &Prepared) -> u32 {
        let length = prepared.room * prepared.block_stride as usize;
        if length == 0 {
            return self.open.pass.borrow().as_ref().map_or(0, |open| open.scalars.offset);
        }
        if self.ring.borrow().is_too_small(length) {
            self.submit_ready();
        }
        if !self.ring.borrow().follows(length) {
            self.close_pass();
        }
        let mut ring = self.ring.borrow_mut();
        if ring.is_too_small(length)
            && let Some((buffer, _)) = ring.buffer()
        {
            self.waiting.keep_ring(buffer);
        }
        ring.reserve(&self.gpu.device, &self.gpu.counters, length)
    }

    /// Encodes a step, whose pipeline is set and whose scalars lie at `place`.
    fn encode_step(
        &self,
        pass: &mut ComputePass<'_>,
        step: &Step,
        slots: &[BufferId],
        pending_errors: &PendingErrors,
        walk: &Walk,
        place: u32,
    ) {
        let offsets: &[u32] = if step.block.is_some() { &[place] } else { &[] };
        self.with_bind_group(step, slots, pending_errors, walk, |group| {
            pass.set_bind_group(0, group, offsets)
        });
        let [x, y, z] = step.workgroups;
        match step.counted {
            Some((slot, byte)) => {
                let pool = self.pool.borrow();
                pass.dispatch_workgroups_indirect(pool.buffer(slots[walk.means[slot]]), byte);
            }
            None => pass.dispatch_workgroups(x, y, z),
        }
        count(&self.gpu.counters.dispatches, 1);
    }

    fn with_bind_group<R>(
        &self,
        step: &Step,
        slots: &[BufferId],
        pending_errors: &PendingErrors,
        walk: &Walk,
        f: impl FnOnce(&BindGroup) -> R,
    ) -> R {
        let (ring, pool) = (self.ring.borrow(), self.pool.borrow());
        let mut groups = self.bind_groups.borrow_mut();
        let buffers = step.bindings.iter().map(|&slot| slots[walk.means[slot]]);
        let layout = &step.pipeline.layout;
        if let Some(group) = groups.find(layout, &ring, &pool, buffers.clone()) {
            return f(group);
        }
        f(groups.make(&self.gpu, layout, &ring, &pool, buffers, pending_errors))
    }

    /// After the submit: temporaries go back to the pool, outputs become values.
    fn conclude(
        &self,
        prepared: &Prepared,
        leaves: &[ValueId],
        slots: &[BufferId],
        pending_errors: PendingErrors,
    ) -> Vec<ValueId> {
        let mut values = self.values.borrow_mut();
        let mut pool = self.pool.borrow_mut();
        for &leaf in &prepared.written {
            if let Some(value) = values.get_mut(leaves[leaf]) {
                value.pending_errors = pending_errors.clone();
            }
        }
        let mut named: Vec<Option<ValueId>> = vec![None; slots.len()];
        let outputs = prepared.outputs.iter().map(|&slot| match (prepared.slots[slot], named[slot]) {
            (Slot::Leaf(leaf), _) => {
                values.retain(leaves[leaf]);
                leaves[leaf]
            }
            (_, Some(value)) => {
                values.retain(value);
                value
            }
            (Slot::Alias(_), None) => unreachable!("loops leave their results in slots of their own"),
            (Slot::Output(bytes) | Slot::Temporary(bytes), None) => {
                let value = values.insert(slots[slot], bytes, pending_errors.clone());
                named[slot] = Some(value);
                value
            }
        });
        let outputs = outputs.collect();
        for (n, slot) in prepared.slots.iter().enumerate() {
            if !matches!(slot, Slot::Leaf(_) | Slot::Alias(_)) && named[n].is_none() {
                pool.give_back(slots[n]);
            }
        }
        pool.note_run();
        outputs
    }
}
