//! One run of a prepared program: bind leaves, take buffers from the pool, write the scalars, encode every dispatch into
//! one pass, submit once, give the temporaries back.

use crate::device::{Inner, Runtime};
use crate::health::{DoubtSet, Doubts};
use crate::hold::Open;
use crate::pool::BufferId;
use crate::prepare::{Prepared, check_binding};
use crate::profile::Timestamps;
use crate::stats::count;
use std::rc::Rc;
use weft_compile::Slot;
use weft_ir::error::{Error, ErrorKind, Result};
use weft_ir::graph::ValueId;
use wgpu::{CommandEncoder, ComputePass, SubmissionIndex};

const OP: &str = "run";

/// Memory that every run uses anew.
#[derive(Default)]
pub(crate) struct Scratch {
    slots: Vec<BufferId>,
    blocks: Vec<u8>,
}

impl Runtime {
    /// Runs a program: binds `leaves` to its buffer leaves and `scalars`, one 32-bit pattern each, to its scalar leaves, and
    /// returns one value per output, each held once by the caller. An output that is a leaf, or was written over one, is that
    /// leaf's value held once more. What a program does not write of an output is undefined.
    ///
    /// Returns as soon as the work is submitted. Errors: `Disposed` for a leaf that is gone, `OutOfMemory`, `DeviceLost`,
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
        self.health.check(OP)?;
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
        let Scratch { slots, blocks } = &mut *self.scratch.borrow_mut();
        let doubts = match self.bind(prepared, leaves, slots) {
            // What is held back keeps memory from being given up.
            Err(error) if error.kind == ErrorKind::OutOfMemory && self.submit_held() => {
                self.bind(prepared, leaves, slots)?
            }
            bound => bound?,
        };
        let index = self.encode(prepared, scalars, slots, blocks, &doubts, timestamps);
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
            check_binding(self, OP, pool.class(value.buffer))?;
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
            return Err(self.health.tell(error));
        }
        for (n, slot) in prepared.slots.iter().enumerate() {
            let buffer = match *slot {
                Slot::Leaf(leaf) => Ok(values.get(OP, leaves[leaf])?.buffer),
                Slot::Output(bytes) | Slot::Temporary(bytes) => pool.acquire(self.maker(), OP, bytes),
            };
            match buffer {
                Ok(buffer) => {
                    doubts.add(pool.check(buffer));
                    slots.push(buffer);
                }
                Err(error) => {
                    let taken = prepared.slots[..n].iter().zip(slots.iter());
                    taken
                        .filter(|(slot, _)| !matches!(slot, Slot::Leaf(_)))
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
        blocks: &mut Vec<u8>,
        doubts: &Doubts,
        timestamps: Option<&Timestamps>,
    ) -> Option<SubmissionIndex> {
        self.forget_destroyed();
        if prepared.steps.is_empty() {
            return None;
        }
        // What may fail is submitted by itself, where an error is caught.
        if doubts.is_some() || timestamps.is_some() {
            self.submit_held();
        }
        let hush = self.health.hush(&self.device, doubts);
        let base = self.write_scalars(prepared, scalars, blocks);
        let new_encoder = || self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        if let Some(timestamps) = timestamps {
            let mut encoder = new_encoder();
            for n in 0..prepared.steps.len() {
                let mut pass = self.begin_pass(&mut encoder, timestamps.of_pass(n));
                self.encode_step(&mut pass, prepared, n, true, slots, base);
            }
            timestamps.resolve(&mut encoder);
            let index = self.submit(encoder.finish());
            hush.end();
            return Some(index);
        }
        let mut open = self.take_open().unwrap_or_else(|| {
            let mut encoder = new_encoder();
            let pass = self.begin_pass(&mut encoder, None).forget_lifetime();
            Open { encoder, pass }
        });
        for n in 0..prepared.steps.len() {
            let changed = n == 0 || !Rc::ptr_eq(&prepared.steps[n].pipeline, &prepared.steps[n - 1].pipeline);
            self.encode_step(&mut open.pass, prepared, n, changed, slots, base);
        }
        self.keep_open(open);
        let index = if self.holds() && doubts.is_none() {
            None
        } else {
            self.finish_held().map(|commands| self.submit(commands))
        };
        hush.end();
        index
    }

    /// Writes the distinct blocks of scalars into the ring, and gives the offset of the first.
    fn write_scalars(&self, prepared: &Prepared, scalars: &[u32], blocks: &mut Vec<u8>) -> u32 {
        if prepared.blocks.is_empty() {
            return 0;
        }
        let stride = prepared.block_stride as usize;
        blocks.clear();
        for (n, block) in prepared.blocks.iter().enumerate() {
            blocks.resize(n * stride, 0);
            blocks.extend(block.iter().flat_map(|&scalar| scalars[scalar].to_le_bytes()));
        }
        // The last binding spans whole vec4s.
        blocks.resize(blocks.len().next_multiple_of(16), 0);
        if !self.ring.borrow().has_room(blocks.len()) {
            self.submit_held();
        }
        self.ring.borrow_mut().write(&self.device, &self.queue, &self.counters, blocks)
    }

    fn begin_pass<'a>(
        &self,
        encoder: &'a mut CommandEncoder,
        timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> ComputePass<'a> {
        count(&self.counters.passes, 1);
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes })
    }

    fn encode_step(
        &self,
        pass: &mut ComputePass<'_>,
        prepared: &Prepared,
        n: usize,
        changed: bool,
        slots: &[BufferId],
        base: u32,
    ) {
        let step = &prepared.steps[n];
        if changed {
            pass.set_pipeline(&step.pipeline.compute);
        }
        let (ring, pool) = (self.ring.borrow(), self.pool.borrow());
        let mut groups = self.bind_groups.borrow_mut();
        let buffers = step.bindings.iter().map(|&slot| slots[slot]);
        let group = groups.get(&self.device, &step.pipeline.layout, &ring, &pool, buffers);
        match step.block {
            Some(block) => pass.set_bind_group(0, group, &[base + block as u32 * prepared.block_stride]),
            None => pass.set_bind_group(0, group, &[]),
        }
        // A dispatch that would run for so long that a watchdog resets the device could be split here, by workgroup offset.
        let [x, y, z] = step.workgroups;
        pass.dispatch_workgroups(x, y, z);
        count(&self.counters.dispatches, 1);
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
            (Slot::Output(bytes) | Slot::Temporary(bytes), None) => {
                let value = values.insert(slots[slot], bytes, doubts.clone());
                named[slot] = Some(value);
                value
            }
        });
        let outputs = outputs.collect();
        for (n, slot) in prepared.slots.iter().enumerate() {
            if !matches!(slot, Slot::Leaf(_)) && named[n].is_none() {
                pool.give_back(slots[n]);
            }
        }
        pool.note_run();
        outputs
    }
}
