//! One run of a prepared program: bind leaves, take buffers from the pool, encode every dispatch into one pass, give the temporaries
//! back, submit once. A run that would keep the device for long is several passes, and its long dispatches are cut into pieces.

use crate::health::{DoubtSet, Doubts, same_doubts};
use crate::pace::Work;
use crate::pool::BufferId;
use crate::prepare::{Prepared, Step, Word, check_binding};
use crate::profile::Timestamps;
use crate::queue::Open;
use crate::queue::{Item, Long};
use crate::runtime::{Inner, Runtime};
use crate::stats::count;
use crate::uniforms::Scalars;
use std::rc::Rc;
use weft_compile::Slot;
use weft_compile::walk::Walk;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::{BindGroup, ComputePass, SubmissionIndex};

const OP: &str = "run";
/// Dispatches of a run that share a pass: what loops for long is submitted a part at a time.
const MOST_IN_PASS: u32 = 1 << 14;

impl Runtime {
    /// Runs a program: binds `leaves` to its buffer leaves and `scalars`, one 32-bit pattern each, to its scalar leaves, and
    /// returns one value per output, each held once by the caller. An output that is a leaf, or was written over one, is that
    /// leaf's value held once more. What a program does not write of an output is undefined.
    ///
    /// Returns as soon as the work is submitted or, where much is in flight, put into the queue. Errors: `Disposed` for a leaf that is gone, `OutOfMemory`, `DeviceLost`,
    /// `Internal` for a program the device refused; nothing was run then.
    pub fn run(&self, prepared: &Prepared, leaves: &[ValueId], scalars: &[u32]) -> Result<Vec<ValueId>> {
        self.inner.run(prepared, leaves, scalars, None).map(|(values, _)| values)
    }
}

impl Inner {
    /// [`Runtime::run`], timing each dispatch in a pass of its own where `timestamps` are given.
    pub fn run(
        &self,
        prepared: &Prepared,
        leaves: &[ValueId],
        scalars: &[u32],
        timestamps: Option<&Timestamps>,
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
        let doubts = match self.bind(prepared, leaves, slots) {
            // What waits keeps memory from being given up.
            Err(error) if error.kind == ErrorKind::OutOfMemory && self.drain() => {
                self.bind(prepared, leaves, slots)?
            }
            bound => bound?,
        };
        let index = self.encode(prepared, scalars, slots, &doubts, timestamps);
        self.settle();
        Ok((self.conclude(prepared, leaves, slots, doubts), index))
    }

    /// Finds or takes the buffer of every slot, and collects what the results will depend upon.
    fn bind(&self, prepared: &Prepared, leaves: &[ValueId], slots: &mut Vec<BufferId>) -> Result<Doubts> {
        let values = self.values.borrow();
        let mut pool = self.pool.borrow_mut();
        let mut doubts = DoubtSet::default();
        slots.clear();
        for &leaf in leaves {
            let value = values.get(OP, leaf)?;
            check_binding(&self.gpu, OP, pool.class(value.buffer))?;
            doubts.add_all(&value.doubts);
        }
        for &(a, b) in &prepared.apart {
            if values.get(OP, leaves[a])?.buffer == values.get(OP, leaves[b])?.buffer {
                let message =
                    format!("leaves {a} and {b} are one tensor, and a kernel writes one and binds both");
                return Err(Error::new(ErrorKind::Internal, OP, message));
            }
        }
        for step in &prepared.steps {
            doubts.add(&step.pipeline.check);
        }
        if let Some(error) = doubts.failure() {
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
                    doubts.add(pool.check(buffer));
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
        Ok(doubts.into_doubts())
    }

    fn encode(
        &self,
        prepared: &Prepared,
        scalars: &[u32],
        slots: &[BufferId],
        doubts: &Doubts,
        timestamps: Option<&Timestamps>,
    ) -> Option<SubmissionIndex> {
        self.forget_destroyed();
        if prepared.steps.is_empty() {
            return None;
        }
        if let Some(timestamps) = timestamps {
            return Some(self.encode_timed(prepared, scalars, slots, doubts, timestamps));
        }
        let long = self.flights.pace.borrow().is_long(prepared.work);
        // What may fail shares commands only with what fails by the same; what is long has pieces of its own.
        if long || self.open.pass.borrow().as_ref().is_some_and(|open| !same_doubts(&open.doubts, doubts)) {
            self.close_pass();
        }
        let scope = self.gpu.health.error_scope(&self.gpu.device, doubts);
        let offset = self.set_scalars_aside(prepared);
        let mut changed = true;
        let mut walk = Walk::new(&prepared.repeats, prepared.steps.len(), &prepared.slots);
        let mut blocks = Blocks::default();
        let (mut before, mut in_pass) = (None, 0);
        while let Some(n) = walk.next() {
            let step = &prepared.steps[n];
            let work = step.work();
            if long
                && step.in_pieces
                && step.counted.is_none()
                && self.flights.pace.borrow().fills_piece(work)
            {
                self.close_pass();
                self.enqueue_long(prepared, n, scalars, slots, &walk, offset, doubts);
                changed = true;
                continue;
            }
            if std::mem::take(&mut walk.turned) {
                blocks.forget_turning(prepared);
            }
            if !changed && blocks.is_full(prepared, step) {
                self.close_pass();
                changed = true;
            }
            let mut open = self.open.pass.take().unwrap_or_else(|| self.open_pass(offset, doubts));
            if changed {
                open.runs += 1;
                add_scalars(&mut open.scalars, prepared, scalars, offset);
                blocks.begin(prepared);
                (before, in_pass) = (None, 0);
            }
            let place = blocks.place(&mut open.scalars, prepared, step, scalars, &walk, offset);
            let same = before.is_some_and(|m: usize| Rc::ptr_eq(&step.pipeline, &prepared.steps[m].pipeline));
            self.encode_step(&mut open.pass, step, !same, slots, &walk, place);
            (before, in_pass) = (Some(n), in_pass + 1);
            open.work.add(work.operations);
            let full = (long && self.flights.pace.borrow().fills_piece(open.work)) || in_pass >= MOST_IN_PASS;
            self.open.pass.replace(Some(open));
            if full {
                self.close_pass();
            }
            changed = full;
        }
        self.freeze_pool();
        if long {
            self.close_pass();
        }
        scope.end();
        None
    }

    /// Each step in a pass of its own, submitted at once.
    fn encode_timed(
        &self,
        prepared: &Prepared,
        scalars: &[u32],
        slots: &[BufferId],
        doubts: &Doubts,
        timestamps: &Timestamps,
    ) -> SubmissionIndex {
        self.drain();
        let scope = self.gpu.health.error_scope(&self.gpu.device, doubts);
        let offset = self.set_scalars_aside(prepared);
        let mut bytes = self.waiting.spare();
        write_blocks(prepared, scalars, &mut bytes);
        self.write_scalars(&Scalars { offset, bytes });
        let mut encoder = self.gpu.encoder();
        let walk = Walk::new(&[], prepared.steps.len(), &prepared.slots);
        for (n, step) in prepared.steps.iter().enumerate() {
            let mut pass = self.gpu.begin_pass(&mut encoder, timestamps.of_pass(n));
            let place = offset + step.block.unwrap_or(0) as u32 * prepared.block_stride;
            self.encode_step(&mut pass, step, true, slots, &walk, place);
        }
        timestamps.resolve(&mut encoder);
        let index =
            self.flights.submit(&self.gpu, encoder.finish(), self.waiting.number(), prepared.work, None);
        scope.end();
        index
    }

    /// A pass for what has its scalars from `offset` on.
    fn open_pass(&self, offset: u32, doubts: &Doubts) -> Open {
        let mut encoder = self.gpu.encoder();
        let pass = self.gpu.begin_pass(&mut encoder, None).forget_lifetime();
        let scalars = Scalars { offset, bytes: self.waiting.spare() };
        Open { pass, encoder, scalars, work: Work::default(), runs: 0, doubts: doubts.clone() }
    }

    /// Puts a step into the queue that is to be submitted in pieces.
    #[expect(clippy::too_many_arguments, reason = "a step, and what a run knows of itself")]
    fn enqueue_long(
        &self,
        prepared: &Prepared,
        n: usize,
        scalars: &[u32],
        slots: &[BufferId],
        walk: &Walk<'_>,
        offset: u32,
        doubts: &Doubts,
    ) {
        let step = &prepared.steps[n];
        let block = step.block.expect("the number of the first workgroup is in it");
        let mut bytes = Vec::new();
        write_block(&prepared.blocks[block], scalars, walk, &mut bytes);
        let group = self.with_bind_group(step, slots, walk, BindGroup::clone);
        let [x, y, _] = step.workgroups;
        self.enqueue(Item::Long(Box::new(Long {
            pipeline: step.pipeline.clone(),
            group,
            scalars: Scalars { offset: offset + block as u32 * prepared.block_stride, bytes },
            doubts: doubts.clone(),
            grid: [x, y],
            done: 0,
            operations: step.operations,
        })));
    }

    /// Sets bytes of the ring aside for the scalars of a run, behind those of the open pass.
    fn set_scalars_aside(&self, prepared: &Prepared) -> u32 {
        let length = prepared.room * prepared.block_stride as usize;
        if length == 0 {
            return self.open.pass.borrow().as_ref().map_or(0, |open| open.scalars.offset);
        }
        if self.ring.borrow().is_too_small(length) {
            self.drain();
        }
        if !self.ring.borrow().follows(length) {
            self.close_pass();
        }
        self.ring.borrow_mut().reserve(&self.gpu.device, &self.gpu.counters, length)
    }

    /// Encodes a step whose scalars lie at `place`.
    fn encode_step(
        &self,
        pass: &mut ComputePass<'_>,
        step: &Step,
        changed: bool,
        slots: &[BufferId],
        walk: &Walk<'_>,
        place: u32,
    ) {
        if changed {
            pass.set_pipeline(&step.pipeline.compute);
        }
        let offsets: &[u32] = if step.block.is_some() { &[place] } else { &[] };
        self.with_bind_group(step, slots, walk, |group| pass.set_bind_group(0, group, offsets));
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
        walk: &Walk<'_>,
        f: impl FnOnce(&BindGroup) -> R,
    ) -> R {
        let (ring, pool) = (self.ring.borrow(), self.pool.borrow());
        let mut groups = self.bind_groups.borrow_mut();
        let buffers = step.bindings.iter().map(|&slot| slots[walk.means[slot]]);
        f(groups.get(&self.gpu.device, &step.pipeline.layout, &ring, &pool, buffers))
    }

    /// After the submit: temporaries go back to the pool, outputs become values.
    fn conclude(
        &self,
        prepared: &Prepared,
        leaves: &[ValueId],
        slots: &[BufferId],
        doubts: Doubts,
    ) -> Vec<ValueId> {
        let mut values = self.values.borrow_mut();
        let mut pool = self.pool.borrow_mut();
        for &leaf in &prepared.written {
            if let Some(value) = values.get_mut(leaves[leaf]) {
                value.doubts = doubts.clone();
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
                let value = values.insert(slots[slot], bytes, doubts.clone());
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

/// Where the blocks of scalars lie that a run's commands in the open pass look for. Those that are the same in every turn come first,
/// then one after the other those of turns, as they are needed: when there is no room left, another pass begins anew.
#[derive(Default)]
struct Blocks {
    /// Blocks that lie there.
    used: usize,
    /// For each block of turns, where it lies for the present one.
    places: Vec<Option<u32>>,
}

impl Blocks {
    /// Begins with a pass that has those that are the same in all turns.
    fn begin(&mut self, prepared: &Prepared) {
        self.used = prepared.steady;
        self.forget_turning(prepared);
    }

    /// Another turn began.
    fn forget_turning(&mut self, prepared: &Prepared) {
        self.places.clear();
        self.places.resize(prepared.blocks.len() - prepared.steady, None);
    }

    /// Whether there is no room for what a step needs.
    fn is_full(&self, prepared: &Prepared, step: &Step) -> bool {
        let turning = step.block.and_then(|block| block.checked_sub(prepared.steady));
        turning.is_some_and(|n| self.places[n].is_none()) && self.used >= prepared.room
    }

    /// Where a step's block lies; written behind the others if it is not there.
    fn place(
        &mut self,
        of_pass: &mut Scalars,
        prepared: &Prepared,
        step: &Step,
        scalars: &[u32],
        walk: &Walk<'_>,
        offset: u32,
    ) -> u32 {
        let Some(block) = step.block else { return offset };
        let Some(turning) = block.checked_sub(prepared.steady) else {
            return offset + block as u32 * prepared.block_stride;
        };
        if let Some(place) = self.places[turning] {
            return place;
        }
        let place = offset + self.used as u32 * prepared.block_stride;
        of_pass.bytes.resize((place - of_pass.offset) as usize, 0);
        write_block(&prepared.blocks[block], scalars, walk, &mut of_pass.bytes);
        self.places[turning] = Some(place);
        self.used += 1;
        place
    }
}

/// Adds the scalars of a run that are the same in all turns, which its commands look for from `offset` on, to those of the pass.
fn add_scalars(of_pass: &mut Scalars, prepared: &Prepared, scalars: &[u32], offset: u32) {
    if prepared.blocks.is_empty() {
        return;
    }
    if of_pass.bytes.is_empty() {
        of_pass.offset = offset;
    }
    of_pass.bytes.resize((offset - of_pass.offset) as usize, 0);
    write_blocks(prepared, scalars, &mut of_pass.bytes);
}

/// Appends the distinct blocks of a run that are the same in all turns.
fn write_blocks(prepared: &Prepared, scalars: &[u32], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    let walk = Walk::new(&[], 0, &[]);
    for (n, block) in prepared.blocks[..prepared.steady].iter().enumerate() {
        bytes.resize(start + n * prepared.block_stride as usize, 0);
        write_block(block, scalars, &walk, bytes);
    }
}

/// Appends a block, in whole vec4s, as bindings span them.
fn write_block(block: &[Word], scalars: &[u32], walk: &Walk<'_>, bytes: &mut Vec<u8>) {
    for word in block {
        let word = match *word {
            Word::Scalar(n) => scalars[n],
            Word::FirstWorkgroup => 0,
            Word::Index(repeat) => walk.index(repeat),
        };
        bytes.extend(word.to_le_bytes());
    }
    bytes.resize(bytes.len().next_multiple_of(16), 0);
}
