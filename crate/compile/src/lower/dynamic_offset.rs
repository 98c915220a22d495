//! Results stored at a dynamic offset: inside a larger tensor, at an index that is known when the
//! program runs.
//!
//! What each iteration of a loop stacks is, among those of the others. So is what a scatter puts at
//! one index over a donated base that nothing else reads, where the index is a number that the
//! program is given: the scatter is then no more than its updates, which fuse as any result does,
//! and the rest of the base is where it was. A loss that is written down so takes no kernel.

use super::eval::Evaluator;
use weft_ir::kernel::{BinaryOp, Expr, ExprId};
use weft_ir::op::{Op, ScatterOp, View};
use weft_ir::program::{ProgramId, ProgramNode, TensorProgram};
use weft_ir::{DType, HashMap};

/// Where a result is stored.
#[derive(Clone, Debug)]
pub struct DynamicOffset {
    /// Its index along an axis of the larger tensor, a scalar leaf.
    index: ProgramId,
    /// The extent of that axis.
    extent: usize,
    /// How many elements of the result lie side by side there.
    width: usize,
    /// Of what a scatter puts there; the index of a loop's iterations lies inside, and no other is
    /// the same.
    scatter: Option<Scatter>,
}

/// What else there is to a place that a scatter names: its index may lie outside.
#[derive(Clone, Debug)]
struct Scatter {
    /// The leaf that is written over.
    base: ProgramId,
    /// The indices of what is put there later, which counts.
    later: Vec<ProgramId>,
}

impl DynamicOffset {
    /// Of a result with so many elements, behind that of the iteration before, so many iterations
    /// in all.
    pub fn stacked(index: ProgramId, iterations: usize, size: usize) -> DynamicOffset {
        DynamicOffset { index, extent: iterations, width: size, scatter: None }
    }

    /// Whose buffer it is stored in: all that is put over one leaf has one binding. Without a word
    /// it has one of its own.
    pub fn buffer(&self) -> Option<ProgramId> {
        self.scatter.as_ref().map(|scatter| scatter.base)
    }

    /// Opens a block in which the element at `flat` of the result has a place, with the condition
    /// for it unless it always has; and that place.
    pub fn open(&self, eval: &mut Evaluator<'_>, flat: ExprId) -> (Option<ExprId>, ExprId) {
        let own = eval.uniform(self.index);
        let (mut index, mut inside) = (eval.b.expr(Expr::Uniform(own)), None);
        match &self.scatter {
            None => index = eval.b.index_uniform(own, 0, self.extent as i64 - 1),
            Some(Scatter { later, .. }) => {
                index = eval.b.cast(DType::I32, index);
                let (zero, end) = (eval.b.index_const(0), eval.b.index_const(self.extent as i64));
                let above = eval.b.binary(BinaryOp::Ge, index, zero);
                let below = eval.b.binary(BinaryOp::Lt, index, end);
                let mut holds = eval.b.both(above, below);
                for &later in later {
                    let other = eval.uniform(later);
                    let other = eval.b.expr(Expr::Uniform(other));
                    let other = eval.b.cast(DType::I32, other);
                    let apart = eval.b.binary(BinaryOp::Ne, index, other);
                    holds = eval.b.both(holds, apart);
                }
                eval.open();
                index = eval.b.bind_anew("place", index);
                eval.b.index.set_range(index, 0, self.extent as i64 - 1);
                inside = Some(holds);
            }
        }
        let before = eval.b.index_div(flat, self.width as i64);
        let before = eval.b.index_scale(before, (self.extent as i64 - 1) * self.width as i64);
        let within = eval.b.index_scale(index, self.width as i64);
        let place = eval.b.index_add(before, within);
        (inside, eval.b.index_add(place, flat))
    }
}

/// Makes scatters their updates where those can be stored in place, in donated leaves, and tells
/// where. Scatters over what a scatter yields are such, too; all but the last of them become
/// results behind the program's own.
///
/// That nothing else reads base or result is what makes it right whenever a kernel runs that
/// computes updates.
pub fn dynamic_offsets(program: &mut TensorProgram, donated: &[usize]) -> HashMap<ProgramId, DynamicOffset> {
    let mut found = HashMap::default();
    if donated.is_empty() {
        return found;
    }
    let (leaves, readers) = (program.buffer_leaves(), program.readers());
    for leaf in donated.iter().filter_map(|&n| leaves.get(n).copied()) {
        let mut chain: Vec<(ProgramId, DynamicOffset)> = Vec::new();
        let mut last = leaf;
        while let [reader] = readers[last.index()][..]
            && !program.outputs.contains(&last)
            && let Some(offset) = offset_of_scatter(program, reader, last, leaf)
            && chain.first().is_none_or(|(_, first)| first.width == offset.width)
        {
            let before = chain.iter_mut().filter_map(|(_, before)| before.scatter.as_mut());
            before.for_each(|before| before.later.push(offset.index));
            chain.push((reader, offset));
            last = reader;
        }
        // What becomes of the last is asked for, and read by nothing here.
        if !readers[last.index()].is_empty() || !program.outputs.contains(&last) {
            continue;
        }
        for (id, offset) in chain {
            let updates = program[id].inputs[2];
            let ProgramNode { shape, dtype, site, .. } = program[updates].clone();
            let op = Op::View(View::Reshape(shape.clone()));
            program.nodes[id.index()] = ProgramNode { op, inputs: vec![updates], shape, dtype, site };
            if id != last {
                program.outputs.push(id);
            }
            found.insert(id, offset);
        }
    }
    found
}

/// Where a node puts its updates, if it is a scatter that sets them at one index, a number, over
/// this, which is to be a leaf.
fn offset_of_scatter(
    program: &TensorProgram,
    id: ProgramId,
    over: ProgramId,
    base: ProgramId,
) -> Option<DynamicOffset> {
    let node = &program[id];
    let Op::Scatter { axis, op: ScatterOp::Set } = node.op else { return None };
    let mut index = node.inputs[1];
    while let Op::View(View::Reshape(_) | View::Expand(_)) = program[index].op {
        index = program[index].inputs[0];
    }
    let is_one = program[node.inputs[1]].shape.size() == 1 && node.shape.size() > 0;
    (is_one && node.inputs[0] == over && matches!(program[index].op, Op::Scalar(_))).then(|| DynamicOffset {
        index,
        extent: node.shape[axis],
        width: node.shape[axis + 1..].iter().product(),
        scatter: Some(Scatter { base, later: Vec::new() }),
    })
}
