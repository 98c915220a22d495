//! Dispatches of loops and branches. Their programs' dispatches lie within those of the program
//! around them: repeated, or behind a gate.
//!
//! Deferred: few programs have loops or branches.

use super::donate;
use super::executable::{Carried, Dispatch, Repeat, Slot, Uniform};
use super::gate;
use super::gate::Gate;
use super::{Assembly, Environment, Plan};
use crate::control::lower::with_own_outputs;
use crate::family::FEW_UPDATES;
use crate::fuse::fuse;
use crate::lower::dynamic_offset::{DynamicOffset, dynamic_offsets};
use crate::simplify::simplify;
use weft_ir::build::{Build, ProgramBuilder};
use weft_ir::op::{Binary, Compare, Loop, Op, ScatterOp, View};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Literal, Result, Shape};

/// Bytes of one word.
const WORD: u64 = 4;
/// Iterations of a loop without a limit before it is asked for the first time.
const FIRST_POLL: usize = 2;

impl Assembly<'_> {
    /// Adds the dispatches of a loop's body, and that they are repeated. A function of its own, for
    /// few programs need it.
    ///
    /// Deferred: few programs have loops or branches.
    #[inline(never)]
    pub(crate) fn add_loop(
        &mut self,
        plan: &mut Plan<'_>,
        own: usize,
        id: ProgramId,
        it: &Loop,
    ) -> Result<()> {
        let program = plan.program;
        let parts = plan.clusters.clusters[own].parts(program, it.body.outputs.len());
        let iterations = it.iterations.unwrap_or(FIRST_POLL);
        let mut body = with_own_outputs(it.body.clone(), it.carried, |n| parts[n].is_none());
        let (mut leaves, given) = self.leaves(plan, &body, 1, &program[id].inputs);
        let is_kept = |n: usize| n < it.carried || parts[n].is_some();
        let overwritten =
            if iterations > 1 { self.overwritten(&body, it.carried, is_kept) } else { Vec::new() };
        let mut spare = Vec::new();
        self.copy_states(plan, &overwritten, &parts, &program[id].inputs, &mut leaves, &mut spare)?;
        let has_gate = it.condition.is_some() && it.iterations.is_some();
        let mut ending = has_gate.then(|| self.begin_ending((plan.number, own)));
        let until = if it.iterations.is_none() { Some(self.temporary(WORD)) } else { None };
        let number = self.executable.repeats.len();
        let first = self.executable.dispatches.len();
        let repeat = Repeat {
            first,
            end: first,
            iterations: iterations as u32,
            until,
            reverse: it.reverse,
            carried: Vec::new(),
        };
        self.executable.repeats.push(repeat);
        let (mut outputs, mut results) = (Vec::new(), Vec::new());
        let mut carried = Vec::new();
        let own_leaves: Vec<ProgramId> = body.leaves().collect();
        let scalars = [&[Uniform::Index(number)], &given[..]].concat();
        let mut picked = Vec::new();
        for (n, &output) in body.outputs.iter().enumerate() {
            let node = &body[output];
            if n >= it.carried {
                // Stacks that nobody reads are not made.
                let Some(part) = parts[n] else { continue };
                results.push(self.stored(plan, part));
                outputs.push(output);
                continue;
            }
            outputs.push(output);
            if output == own_leaves[n + 1] || overwritten.contains(&n) {
                // It stays what it was, or where it was.
                results.push(leaves[n]);
                continue;
            }
            let bytes = node.dtype.stored_bytes(node.shape.size().max(1));
            let last = match parts[n] {
                // Which of two it is when the loop ends is known then.
                Some(part) if ending.is_none() => self.stored(plan, part),
                _ => self.temporary(bytes),
            };
            if ending.is_some() || parts[n].is_none() {
                spare.push(last);
            }
            let other = self.temporary(bytes);
            spare.push(other);
            let pair = if iterations % 2 == 1 { [last, other] } else { [other, last] };
            let (read, write) = (self.add_slot(Slot::Alias(pair[0])), self.add_slot(Slot::Alias(pair[0])));
            if let Some(part) = parts[n].filter(|_| ending.is_some()) {
                // Of one iteration there is no odd one.
                let odd = if iterations == 1 { pair[0] } else { pair[1] };
                picked.push((part, [leaves[n], pair[0], odd]));
            }
            carried.push(Carried { from: leaves[n], read, write, pair });
            leaves[n] = read;
            results.push(write);
        }
        body.outputs = outputs;
        if let (Some(condition), Some(ending)) = (&it.condition, &mut ending) {
            self.add_condition(condition, ending, &leaves, &scalars)?;
        }
        let after = until.map(|_| [&results[..it.carried], &leaves[it.carried..]].concat());
        let environment = Environment {
            leaves,
            scalars: scalars.clone(),
            donated: &overwritten,
            results: Some((results, it.carried, iterations)),
        };
        self.add(&body, environment)?;
        if let (Some(condition), Some(until), Some(leaves)) = (&it.condition, until, after) {
            self.add_poll(
                (plan.number, own),
                condition,
                until,
                Environment { leaves, scalars, donated: &[], results: None },
            )?;
            spare.push(until);
        }
        let end = self.executable.dispatches.len();
        if end > first {
            let repeat = &mut self.executable.repeats[number];
            (repeat.end, repeat.carried) = (end, carried);
        } else {
            // Empty tensors are all there is to it, and nothing within repeats anything.
            self.executable.repeats.truncate(number);
        }
        if let Some(ending) = ending {
            self.end(&ending);
            self.pick(plan, &picked, ending.taken)?;
            spare.extend([ending.holds, ending.taken]);
        }
        spare.into_iter().for_each(|slot| self.release(slot));
        self.release_ended(plan, own);
        Ok(())
    }

    /// Which carried tensors are scattered into, each iteration a few places, and read by nothing
    /// else in it: they stay where they are, and so cost what is updated. Where fusion leaves
    /// another reader after all, they go between two buffers, as others do.
    fn overwritten(
        &self,
        body: &TensorProgram,
        carried: usize,
        is_kept: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let leaves: Vec<ProgramId> = body.leaves().skip(1).collect();
        let mut reads = vec![0; body.nodes.len()];
        body.nodes.iter().flat_map(|node| &node.inputs).for_each(|input| reads[input.index()] += 1);
        let through = |mut id: ProgramId| {
            while let Op::View(View::Reshape(_)) = body[id].op {
                id = body[id].inputs[0];
            }
            id
        };
        let is_patched = |n: &usize| {
            let node = &body[through(body.outputs[*n])];
            let Op::Scatter { op, .. } = node.op else { return false };
            let few = body[node.inputs[1]].shape.size() <= FEW_UPDATES;
            (few || op == ScatterOp::Set)
                && through(node.inputs[0]) == leaves[*n]
                && reads[leaves[*n].index()] == 1
        };
        let mut found: Vec<usize> = (0..carried).filter(is_patched).collect();
        if found.is_empty() {
            return found;
        }
        // What becomes of the body is the same when it is added.
        let outputs = (0..body.outputs.len()).filter(|&n| is_kept(n)).map(|n| body.outputs[n]).collect();
        let simplified = simplify(&TensorProgram { outputs, ..body.clone() }, self.limits);
        let leaves = simplified.buffer_leaves();
        loop {
            let mut program = simplified.clone();
            let offsets = dynamic_offsets(&mut program, &found);
            let pairs = donate::in_place(&program, &fuse(&program, self.limits), &found);
            let before = found.len();
            let stays = |leaf, result| {
                pairs.get(leaf) == Some(result)
                    || offsets.get(result).and_then(DynamicOffset::buffer) == Some(*leaf)
            };
            found.retain(|&n| stays(&leaves[n], &program.outputs[n]));
            if found.len() == before {
                return found;
            }
        }
    }

    /// Copies states that a loop writes over to where their result is to be.
    fn copy_states(
        &mut self,
        plan: &mut Plan<'_>,
        overwritten: &[usize],
        parts: &[Option<ProgramId>],
        states: &[ProgramId],
        leaves: &mut [usize],
        spare: &mut Vec<usize>,
    ) -> Result<()> {
        if overwritten.is_empty() {
            return Ok(());
        }
        let mut builder = ProgramBuilder::default();
        let (mut outputs, mut results) = (Vec::new(), Vec::new());
        let from = overwritten.iter().map(|&n| leaves[n]).collect();
        for &n in overwritten {
            let node = &plan.program[states[n]];
            let state = builder.input(&node.shape, node.dtype)?;
            outputs.push(builder.op(Op::Cut, &[state])?);
            leaves[n] = match parts[n] {
                Some(part) => self.stored(plan, part),
                None => {
                    let slot = self.temporary(node.dtype.stored_bytes(node.shape.size().max(1)));
                    spare.push(slot);
                    slot
                }
            };
            results.push(leaves[n]);
        }
        let program = builder.finish(&outputs, &[]);
        let results = Some((results, outputs.len(), 0));
        self.add(&program, Environment { leaves: from, scalars: Vec::new(), donated: &[], results })?;
        Ok(())
    }

    /// Adds what says after an iteration of a loop without a limit whether it goes on: not within
    /// what was not chosen, whatever its state is there.
    fn add_poll(
        &mut self,
        cluster: (usize, usize),
        condition: &TensorProgram,
        until: usize,
        environment: Environment<'_>,
    ) -> Result<()> {
        let condition = with_own_outputs(condition.clone(), 1, |_| false);
        let holds = if self.gates.is_empty() { until } else { self.temporary(WORD) };
        self.add(&condition, Environment { results: Some((vec![holds], 1, 0)), ..environment })?;
        if let Some(around) = self.gates.last() {
            let kernel = gate::before_poll(around);
            let at = self.place_gate(cluster, vec![holds, until], None);
            self.executable.dispatches[at].kernel = self.kernel(kernel, None);
            self.release(holds);
        }
        Ok(())
    }

    /// Opens the gate of a loop that may end before its last iteration.
    fn begin_ending(&mut self, cluster: (usize, usize)) -> Ending {
        let (taken, holds, slot) =
            (self.temporary(WORD), self.temporary(WORD), self.add_slot(Slot::Temporary(WORD)));
        let before = self.place_gate(cluster, vec![slot, taken], None);
        self.gates.push(Gate::new(slot, 1));
        Ending { cluster, before, within: before, taken, holds }
    }

    /// Adds what says whether there is another iteration, and the gate that asks it.
    fn add_condition(
        &mut self,
        condition: &TensorProgram,
        ending: &mut Ending,
        leaves: &[usize],
        scalars: &[Uniform],
    ) -> Result<()> {
        let condition = with_own_outputs(condition.clone(), 1, |_| false);
        let results = Some((vec![ending.holds], 1, 0));
        let environment =
            Environment { leaves: leaves.to_vec(), scalars: scalars.to_vec(), donated: &[], results };
        self.add(&condition, environment)?;
        let slot = self.gates.last().expect("the loop's is open").slot;
        let own = vec![ending.holds, slot, ending.taken];
        ending.within = self.executable.dispatches.len();
        self.executable.dispatches.push(gate_of(ending.cluster, own, None));
        Ok(())
    }

    /// Closes the gate of a loop, all of whose dispatches are added.
    fn end(&mut self, ending: &Ending) {
        let gate = self.close_gate();
        let before = gate::before_loop(&gate, self.gates.last());
        let within = gate::of_iteration(&gate);
        self.executable.dispatches[ending.before].kernel = self.kernel(before, None);
        self.executable.dispatches[ending.within].kernel = self.kernel(within, None);
    }

    /// Adds what stores the states of a loop where they were left by the last iteration that was
    /// taken: each in one of three slots, which are where it was before, and what even and odd
    /// iterations write.
    fn pick(&mut self, plan: &mut Plan<'_>, picked: &[(ProgramId, [usize; 3])], taken: usize) -> Result<()> {
        if picked.is_empty() {
            return Ok(());
        }
        let mut builder = ProgramBuilder::default();
        let emit: &mut dyn Build = &mut builder;
        let count = emit.input(&Shape::scalar(), DType::U32)?;
        let one = emit.op(Op::Constant(Literal::U32(1)), &[])?;
        let is_odd = emit.binary(Binary::And, count, one)?;
        let [any, is_odd] = [count, is_odd].map(|number| emit.compare_number(Compare::Ne, number, 0.0));
        let (any, is_odd) = (any?, is_odd?);
        let (mut leaves, mut outputs, mut results) = (vec![taken], Vec::new(), Vec::new());
        for &(part, slots) in picked {
            let node = &plan.program[part];
            let mut input = || emit.input(&node.shape, node.dtype);
            let [before, even, odd] = [input()?, input()?, input()?];
            let (any, is_odd) = (emit.repeat(any, &node.shape)?, emit.repeat(is_odd, &node.shape)?);
            let last = emit.select(is_odd, even, odd)?;
            outputs.push(emit.select(any, last, before)?);
            leaves.extend(slots);
            results.push(self.stored(plan, part));
        }
        let program = builder.finish(&outputs, &[]);
        let results = Some((results, outputs.len(), 0));
        self.add(&program, Environment { leaves, scalars: Vec::new(), donated: &[], results })?;
        Ok(())
    }

    /// Adds the dispatches of a branch's programs, behind a gate that opens for one of them. All
    /// store in the same slots. A function of its own as well.
    ///
    /// Deferred: few programs have loops or branches.
    #[inline(never)]
    pub(crate) fn add_branch(
        &mut self,
        plan: &mut Plan<'_>,
        own: usize,
        id: ProgramId,
        programs: &[TensorProgram],
    ) -> Result<()> {
        let count = programs[0].outputs.len();
        let parts = plan.clusters.clusters[own].parts(plan.program, count);
        let inputs = &plan.program[id].inputs;
        let (leaves, scalars) = self.leaves(plan, &programs[0], 0, &inputs[1..]);
        let results: Vec<usize> = parts.iter().flatten().map(|&part| self.stored(plan, part)).collect();
        let slot = self.add_slot(Slot::Temporary(WORD));
        let own = (plan.number, own);
        let at = self.place_gate(own, vec![plan.slots[&inputs[0]], slot], Some(inputs[0]));
        self.gates.push(Gate::new(slot, programs.len()));
        for (alternative, program) in programs.iter().enumerate() {
            if let Some(gate) = self.gates.last_mut() {
                gate.alternative = alternative;
            }
            let mut program = with_own_outputs(program.clone(), count, |_| false);
            let wanted = program.outputs.iter().zip(&parts).filter(|(_, part)| part.is_some());
            program.outputs = wanted.map(|(&output, _)| output).collect();
            let results = Some((results.clone(), count, 0));
            let environment =
                Environment { leaves: leaves.clone(), scalars: scalars.clone(), donated: &[], results };
            self.add(&program, environment)?;
        }
        let gate = self.close_gate();
        let kernel = gate::of_branch(&gate, self.gates.last());
        self.executable.dispatches[at].kernel = self.kernel(kernel, None);
        self.release_ended(plan, own.1);
        Ok(())
    }

    /// Where the leaves of a region's program after the first `bound` are: the slots of buffers,
    /// and the numbers of scalars.
    fn leaves(
        &self,
        plan: &Plan<'_>,
        program: &TensorProgram,
        bound: usize,
        inputs: &[ProgramId],
    ) -> (Vec<usize>, Vec<Uniform>) {
        let (mut leaves, mut scalars) = (Vec::new(), Vec::new());
        for (leaf, input) in program.leaves().skip(bound).zip(inputs) {
            match program[leaf].op {
                Op::Scalar(_) => scalars.push(plan.scalars[input]),
                _ => leaves.push(plan.slots[input]),
            }
        }
        (leaves, scalars)
    }

    /// Adds a gate's dispatch, whose kernel is known when what is behind it is; it binds these, and
    /// the gate around it.
    fn place_gate(
        &mut self,
        cluster: (usize, usize),
        mut bindings: Vec<usize>,
        asks: Option<ProgramId>,
    ) -> usize {
        bindings.extend(self.gates.last().map(|around| around.slot));
        self.executable.dispatches.push(gate_of(cluster, bindings, asks));
        self.executable.dispatches.len() - 1
    }

    /// Takes the innermost gate away, now that all that is behind it is added.
    fn close_gate(&mut self) -> Gate {
        let gate = self.gates.pop().expect("it was opened");
        self.executable.slots[gate.slot] = Slot::Temporary(gate.bytes());
        self.release(gate.slot);
        gate
    }
}

/// The dispatch of a region's gate, but for its kernel. `asks` is the node of which the first
/// binding holds the value, if it is one.
fn gate_of(cluster: (usize, usize), bindings: Vec<usize>, asks: Option<ProgramId>) -> Dispatch {
    let holds = (0..bindings.len()).map(|n| asks.filter(|_| n == 0)).collect();
    Dispatch {
        kernel: 0,
        bindings,
        holds,
        uniforms: Vec::new(),
        in_pieces: false,
        workgroups: [1; 3],
        counted: None,
        is_gate: true,
        cluster,
        choice: None,
    }
}

/// What a loop that may end early has besides others: its gates, and the slots of how many
/// iterations were taken, and of whether there is another.
struct Ending {
    cluster: (usize, usize),
    before: usize,
    within: usize,
    taken: usize,
    holds: usize,
}
