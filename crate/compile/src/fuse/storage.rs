//! Candidates for storage: the nodes that may have to be stored, and what each computes on the
//! spot.
//!
//! What is computed on the spot is bounded in every way in which it could grow: operations,
//! bindings, how deep reads at other coordinates nest (views, gathers), and how much is written out
//! when every read at other coordinates is written out by itself. The last two bound the code for
//! stacks of views and for sums of shifted copies, which are few nodes and many paths.

use crate::cluster::compared::mark_compared;
use crate::cluster::{Pattern, row_length};
use crate::device::FusionModel;
use crate::family::user::reads_own_element;
use crate::family::{Unfused, computes_again, loop_inside, more_bindings, pattern};
use crate::limits::{Limits, MAX_MOVES, MAX_OPERATIONS};
use crate::lower::eval::UNROLL;
use weft_ir::op::region::{self, Bound};
use weft_ir::op::{Class, Coefficient, Op, View, facts};
use weft_ir::order;
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, HashMap};

/// Nodes looked at in any case to see whether what reads a value comes together again.
const NEAR_READERS: usize = 16;
/// Operations that a Fourier transform computes for each element it reads: complex products and
/// views, but no draw of random numbers. Its kernels write each read out.
const MOST_TRANSFORMED: usize = 112;
/// Operations that a user's kernel may compute for its own element, and with those on indices; and
/// operations on indices where it reads any.
const CHEAP_OWN: (usize, usize) = (16, 32);
const CHEAP_VIEW: usize = 8;
/// Operations written out for one element, with what is read at several places written out for
/// each.
const MAX_SPREAD: usize = 512;
/// Why a node is stored whose index or whose copies have become too much.
const TANGLED: &str = "its index has grown past what is worth computing for every element";

/// What computing a node on the spot takes: the nodes inlined and the stored nodes read. Sorted.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Cone {
    /// Inlined nodes that cost anything.
    pub nodes: Vec<ProgramId>,
    /// Leaves and candidates that are read.
    pub loads: Vec<ProgramId>,
    /// Operations of the inlined nodes; views and constants are free, functions expensive.
    pub operations: usize,
    /// Inlined nodes that are evaluated at the node's own coordinates, and the first of each path
    /// that leaves them.
    near: Vec<ProgramId>,
    /// Operations when every read at other coordinates is written out by itself, those on indices
    /// included.
    pub spread: usize,
    /// Reads at other coordinates on the longest path.
    pub moves: usize,
}

/// The nodes that may have to be stored.
pub struct StorageCandidates {
    /// Whether a node has a kernel built around it.
    pub heavy: Vec<bool>,
    /// Whether a node is one.
    pub is_candidate: Vec<bool>,
    /// Why, for people.
    pub reason: Vec<Option<&'static str>>,
    /// Whether a node is compared with what was made of it: whatever reads it reads what was
    /// stored.
    pub once: Vec<bool>,
    /// What each node takes.
    pub cones: Vec<Cone>,
    /// The patterns that families have recognised, by the nodes that they are around.
    pub patterns: HashMap<ProgramId, Pattern>,
    /// Whether a node is computed on the way in one, and never stored.
    on_the_way: Vec<bool>,
    /// What is computed again rather than stored.
    model: &'static FusionModel,
}

/// Which nodes have a kernel built around them: contractions, scatters, scans, sorts, and
/// reductions, but for short ones whose result is not repeated along what was reduced, or is cheap
/// and goes into a long sum; those are written out wherever they are read.
pub fn heavy(unfused: &Unfused<'_>) -> Vec<bool> {
    let Unfused { program, readers, .. } = *unfused;
    let is_heavy = |id: ProgramId| match facts(&program[id].op).class {
        Class::Contraction | Class::Scatter | Class::Line | Class::Region => true,
        Class::Reduction => {
            let is_arg = matches!(program[id].op, Op::Reduce { op, .. } if op.is_arg());
            let again = || is_repeated(program, readers, id) && !computes_again(unfused, id);
            is_arg || row_length(program, id) > UNROLL || again()
        }
        Class::Leaf | Class::Elementwise | Class::View | Class::Gather | Class::Identity | Class::Part => {
            false
        }
    };
    program.ids().map(is_heavy).collect()
}

/// Whether a node is expanded, at once or after a reshape.
fn is_repeated(program: &TensorProgram, readers: &[Vec<ProgramId>], id: ProgramId) -> bool {
    let (mut stack, mut seen) = (vec![id], 0);
    while let Some(id) = stack.pop() {
        for &reader in &readers[id.index()] {
            match &program[reader].op {
                Op::View(View::Expand(_)) => return true,
                Op::View(View::Reshape(_)) => stack.push(reader),
                // A mean is expanded after its division: look a little further.
                op if op.is_elementwise() && program[reader].shape == program[id].shape && seen < 8 => {
                    seen += 1;
                    stack.push(reader);
                }
                _ => {}
            }
        }
    }
    false
}

/// Whether all that reads a value comes together in one node after at most `most` others, over
/// elementwise nodes alone: then an element of that needs one element of the value, however often.
fn meet(
    program: &TensorProgram,
    readers: &[Vec<ProgramId>],
    is_result: &[bool],
    id: ProgramId,
    most: usize,
) -> bool {
    let mut open: Vec<ProgramId> = readers[id.index()].clone();
    for passed in 0..most {
        order::sort_by_key(&mut open, |reader| u64::from(reader.0));
        open.dedup();
        // Readers come later, so that what is left alone is what all paths go through.
        let Some(&first) = open.first() else { return false };
        if !program[first].op.is_elementwise() || program[first].shape != program[id].shape {
            return false;
        }
        if open.len() == 1 {
            return true;
        }
        if is_result[first.index()] || open.len() > most - passed {
            return false;
        }
        open.remove(0);
        open.extend(&readers[first.index()]);
    }
    false
}

/// Operations on indices that a view takes for one element.
fn index_operations(program: &TensorProgram, id: ProgramId) -> usize {
    let node = &program[id];
    let long = |shape: &[usize]| shape.iter().copied().filter(|&extent| extent != 1).collect::<Vec<_>>();
    // What is no view reads at its own coordinates, or at such as it computes.
    let Op::View(view) = &node.op else { return 0 };
    match view {
        View::Reshape(to) => {
            let from = long(&program[node.inputs[0]].shape);
            if from == long(to) { 0 } else { 2 * from.len() }
        }
        View::Slice { starts, steps, .. } => {
            let moved = |(start, &step): (&Coefficient, &i64)| *start != Coefficient::Const(0) || step != 1;
            starts.iter().zip(steps).filter(|&pair| moved(pair)).count()
        }
        View::Window(windows) => 2 * windows.len(),
        View::Permute(_) | View::Expand(_) | View::Pad { .. } => 0,
    }
}

/// Operations one node costs by itself.
fn operations(program: &TensorProgram, id: ProgramId) -> usize {
    let facts = facts(&program[id].op);
    if facts.class != Class::Reduction {
        return facts.cost;
    }
    // Long ones are loops: the code is as long as for one element.
    let length = row_length(program, id);
    facts.cost * if length <= UNROLL { length } else { 1 }
}

/// The candidates of a program. `read_by` says how many nodes read each.
pub fn storage_candidates(program: &TensorProgram, limits: &Limits, read_by: &[u32]) -> StorageCandidates {
    let count = program.nodes.len();
    let model = &limits.model.fusion;
    let readers = program.readers();
    let mut is_result = vec![false; count];
    program.outputs.iter().for_each(|output| is_result[output.index()] = true);
    let mut candidates = StorageCandidates {
        heavy: heavy(&Unfused { program, limits, readers: &readers, is_stored: &is_result }),
        is_candidate: vec![false; count],
        reason: vec![None; count],
        once: vec![false; count],
        cones: vec![Cone::default(); count],
        patterns: HashMap::default(),
        on_the_way: vec![false; count],
        model,
    };
    for &output in &program.outputs {
        candidates.set(program, output, "it is a result");
    }
    mark_compared(program, &candidates.heavy, &candidates.is_candidate, &mut candidates.once);
    for id in program.ids().filter(|id| candidates.once[id.index()]).collect::<Vec<_>>() {
        candidates.set(program, id, "it is compared with what was made of it");
    }
    // What is stored is not computed on the way.
    let is_kept: Vec<bool> =
        is_result.iter().zip(&candidates.once).map(|(&result, &once)| result || once).collect();
    candidates.find_patterns(&Unfused { program, limits, readers: &readers, is_stored: &is_kept });
    let (tails, behind) = (tails(program, &readers, &is_result), behind_views(program));
    let repeated = repeated(program, &behind, model.repetitions);
    for id in program.ids() {
        if let Some(&(body, Bound { bound, first })) = region::leaves(&program[id].op).first() {
            let inside = if let Op::Loop(it) = &program[id].op { loop_inside(it, limits) } else { None };
            // What stands for a scalar is bound as one.
            let is_stored = |&leaf: &ProgramId| !matches!(body[leaf].op, Op::Scalar(_));
            let inputs = &program[id].inputs;
            let stored = body.leaves().skip(bound).zip(&inputs[first..]).filter(|(leaf, _)| is_stored(leaf));
            for &input in stored.map(|(_, input)| input).chain(&inputs[..first]) {
                // Inside a kernel the element at hand is computed on the spot.
                if inside.as_ref() != Some(&program[input].shape) {
                    candidates.set(program, input, "a loop or branch reads all of it");
                }
            }
        }
        if facts(&program[id].op).class == Class::Part {
            candidates.set(program, id, "a loop or branch yields it");
        }
        if candidates.heavy[id.index()] {
            candidates.set(program, id, "its readers need all of it");
            candidates.set(program, tails[id.index()], "its readers need all of it");
        }
    }
    for id in program.ids() {
        if let Op::Contract(_) = program[id].op {
            for &operand in &program[id].inputs {
                let source = behind[operand.index()];
                if !candidates.is_load(program, source) && !candidates.is_cheap_operand(program, source) {
                    candidates.set(program, source, "a contraction reads it many times");
                }
            }
        }
        if let Op::Fourier { .. } = program[id].op {
            let source = behind[program[id].inputs[0].index()];
            let is_long = candidates.cones[source.index()].operations > MOST_TRANSFORMED;
            if is_long && !candidates.is_load(program, source) {
                candidates.set(program, source, "a transform would write it out wherever it reads");
            }
        }
        if let Op::Kernel(call) = &program[id].op {
            for (number, &input) in program[id].inputs[..call.kernel.tensors.len()].iter().enumerate() {
                let own = program[input].shape == call.grid && reads_own_element(&call.kernel, number);
                let whole = call.kernel.source.is_some();
                if !candidates.is_load(program, input)
                    && (whole || !candidates.is_cheap_in_kernel(input, own))
                {
                    candidates.set(program, input, "a kernel reads it anywhere");
                }
            }
        }
        if matches!(program[id].op, Op::Cut) {
            candidates.set(program, id, "a cut was asked for");
        }
        if let Op::View(View::Expand(shape)) = &program[id].op {
            let source = behind[program[id].inputs[0].index()];
            let size = program[source].shape.size();
            let expensive = candidates.cones[source.index()].operations >= model.expensive_repeated;
            let is_repeated = size > 1 && shape.size() >= model.repetitions * size;
            if expensive && is_repeated && !candidates.is_load(program, source) {
                candidates.set(program, source, "it is repeated many times and expensive to compute again");
            }
        }
        candidates.cones[id.index()] = candidates.bounded_cone(program, limits, id);
        let operations = candidates.cones[id.index()].operations;
        // One kernel holds what comes together. A round of a hash reads two values of the round
        // before; all rounds come together at the end.
        let most = NEAR_READERS.max((MAX_OPERATIONS * 3 / 4).saturating_sub(operations));
        let expensive = operations >= model.expensive;
        if read_by[id.index()] > 1 && expensive && !meet(program, &readers, &is_result, id, most) {
            // Of a view that repeats elements each is stored once.
            let source = behind[id.index()];
            let is_smaller = program[source].shape.size() < program[id].shape.size();
            if !is_smaller && candidates.is_cheap_without(program, id, &repeated) {
                continue;
            }
            let stored = if is_smaller { source } else { id };
            candidates.set(program, stored, "it is read more than once and expensive to compute again");
            candidates.cones[id.index()] = candidates.bounded_cone(program, limits, id);
        }
    }
    // Candidates that are set after a reader's cone was made (outputs and operands are found late)
    // change cones: make them again. A cone that reads a candidate, and what that is made of too,
    // binds more than before, so that more may have to be one.
    loop {
        let before = candidates.is_candidate.clone();
        for id in program.ids() {
            candidates.cones[id.index()] = candidates.bounded_cone(program, limits, id);
        }
        if candidates.is_candidate == before {
            return candidates;
        }
    }
}

/// For each node, the last of the elementwise nodes that follow it one after another.
fn tails(program: &TensorProgram, readers: &[Vec<ProgramId>], is_result: &[bool]) -> Vec<ProgramId> {
    let mut tails: Vec<ProgramId> = program.ids().collect();
    for id in program.ids().rev().filter(|id| !is_result[id.index()]) {
        if let [reader, others @ ..] = &readers[id.index()][..]
            && others.iter().all(|other| other == reader)
            && program[*reader].op.is_elementwise()
        {
            tails[id.index()] = tails[reader.index()];
        }
    }
    tails
}

/// For each node, what it is a view of, where nothing is filled in.
fn behind_views(program: &TensorProgram) -> Vec<ProgramId> {
    let mut behind: Vec<ProgramId> = program.ids().collect();
    for id in program.ids() {
        match &program[id].op {
            Op::View(View::Pad { .. }) => {}
            Op::View(_) => behind[id.index()] = behind[program[id].inputs[0].index()],
            _ => {}
        }
    }
    behind
}

/// Whether a node of several elements is repeated `many` times for something that reads it.
fn repeated(program: &TensorProgram, behind: &[ProgramId], many: usize) -> Vec<bool> {
    let mut repeated = vec![false; program.nodes.len()];
    for id in program.ids() {
        if let Op::View(View::Expand(shape)) = &program[id].op {
            let source = behind[program[id].inputs[0].index()];
            let size = program[source].shape.size();
            repeated[source.index()] |= size > 1 && shape.size() >= size.saturating_mul(many);
        }
    }
    repeated
}

impl StorageCandidates {
    /// Whether a node is cheap once what it repeats many times is stored, as a mean is that is
    /// subtracted; that is a candidate then.
    fn is_cheap_without(&mut self, program: &TensorProgram, id: ProgramId, repeated: &[bool]) -> bool {
        let size = program[id].shape.size();
        let is_small = |node: &&ProgramId| {
            repeated[node.index()]
                && program[**node].shape.size().saturating_mul(self.model.repetitions) <= size
        };
        let mut cone = self.cones[id.index()].clone();
        let small: Vec<ProgramId> = cone.nodes.iter().filter(is_small).copied().collect();
        let is_left = |node: &ProgramId| {
            let within = |small: &ProgramId| self.cones[small.index()].nodes.binary_search(node).is_ok();
            !small.iter().any(within)
        };
        cone.nodes.retain(is_left);
        cone.operations = cone.nodes.iter().map(|&node| operations(program, node)).sum();
        if small.is_empty() || cone.operations >= self.model.expensive {
            return false;
        }
        for &node in &small {
            self.set(program, node, "it is repeated many times where something is computed again");
        }
        merge(&mut cone.loads, &small);
        self.cones[id.index()] = cone;
        true
    }

    fn find_patterns(&mut self, unfused: &Unfused<'_>) {
        for id in unfused.program.ids() {
            if !self.heavy[id.index()] {
                continue;
            }
            let Some(pattern) = pattern(unfused, id) else { continue };
            for node in &pattern.inside {
                (self.on_the_way[node.index()], self.heavy[node.index()]) = (true, false);
            }
            self.patterns.insert(id, pattern);
        }
    }

    fn set(&mut self, program: &TensorProgram, id: ProgramId, reason: &'static str) {
        let may = !matches!(program[id].op, Op::Buffer(..)) && !self.on_the_way[id.index()];
        if may && !self.is_candidate[id.index()] {
            self.is_candidate[id.index()] = true;
            self.reason[id.index()] = Some(reason);
        }
    }

    /// Whether readers of `id` load it.
    fn is_load(&self, program: &TensorProgram, id: ProgramId) -> bool {
        self.is_candidate[id.index()] || matches!(program[id].op, Op::Buffer(..))
    }

    /// Whether a contraction may compute an operand at every read.
    fn is_cheap_operand(&self, program: &TensorProgram, id: ProgramId) -> bool {
        let cone = &self.cones[id.index()];
        let read: usize = cone.loads.iter().map(|load| program[*load].shape.size()).sum();
        // Words of them: windows are larger than what they slide over, too, and would compute the
        // same many times over.
        let of_words = cone.loads.iter().any(|load| program[*load].dtype == DType::U32);
        let is_unpacked = of_words && read.saturating_mul(self.model.unpacked) <= program[id].shape.size();
        cone.operations <= if is_unpacked { self.model.cheap_unpacked } else { self.model.cheap_operand }
    }

    /// Whether a user's kernel may compute what it reads wherever it does: what is there already,
    /// seen otherwise, or what costs little and is read at the invocation's `own` element alone.
    fn is_cheap_in_kernel(&self, id: ProgramId, own: bool) -> bool {
        let cone = &self.cones[id.index()];
        let (operations, spread) = if own { CHEAP_OWN } else { (0, CHEAP_VIEW) };
        cone.operations <= operations && cone.spread <= spread && cone.loads.len() <= 2
    }

    /// The cone of a node, with inputs made candidates until it respects the limits.
    fn bounded_cone(&mut self, program: &TensorProgram, limits: &Limits, id: ProgramId) -> Cone {
        let stores = if let Op::Loop(it) = &program[id].op {
            it.carried.max(2)
        } else if let Op::Kernel(call) = &program[id].op {
            call.shapes.len() + more_bindings(&program[id].op)
        } else {
            // Beside its result, which a sort stores too.
            2.max(1 + if self.heavy[id.index()] { more_bindings(&program[id].op) } else { 0 })
        };
        let loads = (limits.storage_buffers as usize).saturating_sub(stores);
        loop {
            let cone = self.cone(program, id);
            let crowded = cone.operations > MAX_OPERATIONS * 3 / 4 || cone.loads.len() > loads;
            let tangled = cone.spread > MAX_SPREAD || cone.moves > MAX_MOVES;
            if !crowded && !tangled {
                return cone;
            }
            let below = |i: &ProgramId| &self.cones[i.index()];
            // A leaf takes nothing by itself: stored, it would only be one thing more to bind.
            let is_made = |i: &&ProgramId| {
                !self.is_load(program, **i) && !program[**i].op.is_leaf() && !self.on_the_way[i.index()]
            };
            let inlined = program[id].inputs.iter().filter(is_made);
            let largest = if crowded {
                inlined.max_by_key(|i| (below(i).loads.len(), below(i).nodes.len()))
            } else {
                inlined.max_by_key(|i| (below(i).moves > MAX_MOVES / 2, below(i).spread, below(i).moves))
            };
            match largest {
                Some(&input) if crowded && (below(&input).nodes.len() > 1 || cone.loads.len() > loads) => {
                    self.set(program, input, "a cluster has a limit of operations and bindings");
                }
                Some(&input) if tangled && (below(&input).spread > 0 || below(&input).moves > 0) => {
                    self.set(program, input, TANGLED);
                }
                _ => return cone,
            }
        }
    }

    fn cone(&self, program: &TensorProgram, id: ProgramId) -> Cone {
        let mut cone = Cone::default();
        let own = operations(program, id);
        if own > 0 {
            cone.nodes.push(id);
        }
        let class = facts(&program[id].op).class;
        let moves = match class {
            Class::View
            | Class::Gather
            | Class::Scatter
            | Class::Reduction
            | Class::Line
            | Class::Contraction => true,
            Class::Leaf | Class::Elementwise | Class::Identity | Class::Region | Class::Part => false,
        };
        if own > 0 || moves {
            cone.near.push(id);
        }
        let mut elsewhere = 0usize;
        // Regions may read many.
        let mut direct = Vec::new();
        for &input in &program[id].inputs {
            if self.is_load(program, input) {
                direct.push(input);
            } else {
                let below = &self.cones[input.index()];
                merge(&mut cone.nodes, &below.nodes);
                merge(&mut cone.loads, &below.loads);
                cone.moves = cone.moves.max(below.moves);
                elsewhere = elsewhere.saturating_add(below.spread);
                if !moves {
                    merge(&mut cone.near, &below.near);
                }
            }
        }
        order::sort_by_key(&mut direct, |input| u64::from(input.0));
        direct.dedup();
        merge(&mut cone.loads, &direct);
        cone.operations = cone.nodes.iter().map(|&n| operations(program, n)).sum();
        if moves {
            cone.moves += 1;
            // Short reductions are written out, term by term, where they are not loops.
            let looped = self.heavy[id.index()] || class != Class::Reduction;
            let times = if looped { 1 } else { own };
            cone.spread = elsewhere.saturating_mul(times).saturating_add(own + index_operations(program, id));
        } else {
            let others = cone.near.iter().filter(|n| **n != id).map(|n| self.weight(program, *n));
            cone.spread = others.fold(own, usize::saturating_add);
        }
        cone
    }

    /// What a node adds to the spread of those that read it at their own coordinates.
    fn weight(&self, program: &TensorProgram, id: ProgramId) -> usize {
        if program[id].op.is_elementwise() { operations(program, id) } else { self.cones[id.index()].spread }
    }
}

/// Adds the members of one sorted set to another.
pub fn merge(into: &mut Vec<ProgramId>, from: &[ProgramId]) {
    if from.iter().all(|id| into.binary_search(id).is_ok()) {
        return;
    }
    let own = std::mem::take(into);
    let (mut own, mut from) = (own.into_iter().peekable(), from.iter().copied().peekable());
    while let Some(next) = own.peek().copied().into_iter().chain(from.peek().copied()).min() {
        own.next_if_eq(&next);
        from.next_if_eq(&next);
        into.push(next);
    }
}
