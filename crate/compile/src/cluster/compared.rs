//! Values that are compared with what was made of them, and therefore computed once.
//!
//! Drivers contract a·b + c in one kernel and not in another, and perhaps in one of two places of
//! the same kernel: a value that is computed twice may differ from itself in its last bit. Where
//! results are continuous in it nobody sees that. A comparison of each element with the largest of
//! its row does: it has to hold for one of them. So does the sign, the floor or the equality with 0
//! of their difference, and the difference itself where its exact 0 matters ([`super::meetings`]).
//!
//! From each node whose result jumps, a walk goes down to what it depends on and notes where each
//! node is computed for it: at the node's own coordinates, at those that a view or a gather leads
//! to, or by the kernel of something that is stored. A value that is computed in two places, and
//! not by operations whose result is the same wherever they are compiled, is stored, and all of
//! them read it. Sums and products of many elements end the walk: that one of them ties with an
//! element is a matter of rounding anyway.

use super::meetings::meetings;
use weft_ir::op::rounding::{self, Bits, mixes};
use weft_ir::op::{Binary, Class, Op, View, facts};
use weft_ir::program::{ProgramId, ProgramNode, TensorProgram};
use weft_ir::{HashMap, HashSet, Shape};

/// Nodes that one walk looks at. Where it has come to several places by then, what it would look at
/// next is computed once.
const MOST_VISITED: usize = 512;

/// A place where nodes are computed for the node that a walk begins at.
type Place = usize;

/// The node's own coordinates.
const HERE: Place = 0;

/// How a place follows from another.
#[derive(PartialEq, Eq, Hash)]
enum Move<'a> {
    /// By a view of what has this shape. Two nodes that are the same view of two tensors read both
    /// at the same coordinates.
    View(&'a View, &'a Shape),
    /// By what a node reads of an input.
    Input(ProgramId, usize),
}

/// What a walk knows of a node.
#[derive(Clone, Copy)]
struct Demand {
    place: Place,
    /// Another place, if there are several.
    other: Option<Place>,
    /// Whether it is added to something on the way up, into which a product may be contracted.
    is_added: bool,
}

/// What is known of nodes while walks are made.
pub struct Comparisons<'a> {
    program: &'a TensorProgram,
    /// Whether a node has a kernel built around it, which computes it once.
    heavy: &'a [bool],
    /// Whether a node may be stored.
    marked: &'a [bool],
    bits: Vec<Bits>,
    /// Whether a node, or what it depends on, has bits that hang on kernels.
    open: Vec<bool>,
    /// Whether a walk from a node comes to other places with such.
    leaves: Vec<bool>,
}

/// Adds to `once` the nodes that are to be computed once. Says whether there are any more.
pub fn mark_compared(program: &TensorProgram, heavy: &[bool], marked: &[bool], once: &mut [bool]) -> bool {
    let mut found = Comparisons {
        program,
        heavy,
        marked,
        bits: Vec::with_capacity(program.nodes.len()),
        open: Vec::with_capacity(program.nodes.len()),
        leaves: Vec::with_capacity(program.nodes.len()),
    };
    let meets = meetings(program);
    let mut any = false;
    for id in program.ids() {
        found.enter(id, once);
        if found.leaves[id.index()] && (jumps(program, id) || meets[id.index()]) {
            any |= found.walk(id, once);
        }
    }
    any
}

impl Comparisons<'_> {
    /// Notes what is to be known of a node before walks come by.
    fn enter(&mut self, id: ProgramId, once: &[bool]) {
        let program = self.program;
        let inputs = &program[id].inputs;
        let below = inputs.iter().map(|input| self.bits[input.index()]).max().unwrap_or(Bits::Same);
        let node = &program[id];
        let bits = match self.is_firm(id, once) {
            true => Bits::Same,
            false => rounding::bits(&node.op, node.dtype, below),
        };
        let mixes = mixes(&program[id].op);
        let open = |input: &ProgramId| self.open[input.index()];
        let is_open = bits >= Bits::Product || (!mixes && inputs.iter().any(open));
        let moves = !program[id].op.is_elementwise() || self.is_kernel(id, once);
        let leaves = |input: &ProgramId| {
            let is_boundary = moves || self.is_kernel(*input, once);
            open(input) && (is_boundary || self.leaves[input.index()])
        };
        let is_left = !mixes && inputs.iter().any(leaves);
        self.bits.push(bits);
        self.open.push(is_open);
        self.leaves.push(is_left);
    }

    /// Whether a node is computed in one place for all of its readers.
    fn is_firm(&self, id: ProgramId, once: &[bool]) -> bool {
        self.heavy[id.index()]
            || once[id.index()]
            || matches!(facts(&self.program[id].op).class, Class::Region | Class::Part)
    }

    /// Whether a node may be computed by a kernel of its own.
    fn is_kernel(&self, id: ProgramId, once: &[bool]) -> bool {
        self.marked[id.index()] || self.is_firm(id, once)
    }

    /// The walk from one node.
    fn walk(&self, root: ProgramId, once: &mut [bool]) -> bool {
        let program = self.program;
        let mut walk = Walk::default();
        let is_sum = is_sum(&program[root]);
        for &input in &program[root].inputs {
            walk.demand(input, HERE, is_sum);
        }
        let (mut any, mut visited) = (false, 0);
        while let Some((id, demand)) = walk.next() {
            if !self.open[id.index()] {
                continue;
            }
            visited += 1;
            let is_cut = visited > MOST_VISITED;
            if is_cut && demand.other.is_none() && walk.is_at(demand.place) {
                break;
            }
            let op = &program[id].op;
            let least = if demand.is_added { Bits::Product } else { Bits::Loose };
            // Of a view its source is stored, which is no larger in all but few cases.
            let is_value = self.bits[id.index()] >= least && !matches!(op, Op::View(_));
            if is_value && !once[id.index()] && (is_cut || demand.other.is_some()) {
                once[id.index()] = true;
                any = true;
            }
            if !mixes(op) && !is_cut {
                self.descend(&mut walk, id, demand, once);
            }
        }
        any
    }

    /// Demands what a node is computed from.
    fn descend<'a>(&'a self, walk: &mut Walk<'a>, id: ProgramId, demand: Demand, once: &[bool]) {
        let program = self.program;
        let node = &program[id];
        if self.is_kernel(id, once) {
            // Its kernel computes all of it in one place, however often: nothing within is
            // compared.
            let place = walk.kernel(id);
            node.inputs.iter().for_each(|&input| walk.demand(input, place, false));
            return;
        }
        let is_added = demand.is_added || is_sum(node);
        for from in std::iter::once(demand.place).chain(demand.other) {
            for (n, &input) in node.inputs.iter().enumerate() {
                let place = match &node.op {
                    op if op.is_elementwise() || facts(op).class == Class::Identity => from,
                    Op::View(view) if node.inputs.len() == 1 => {
                        walk.moved(from, Move::View(view, &program[input].shape))
                    }
                    Op::Gather { .. } => walk.moved(from, Move::Input(node.inputs[1], n)),
                    _ => walk.moved(from, Move::Input(id, n)),
                };
                walk.demand(input, place, is_added);
            }
        }
    }
}

/// The nodes that a walk has still to look at, and the places it has come to.
#[derive(Default)]
struct Walk<'a> {
    /// Oldest first: a walk has few at a time.
    waiting: Vec<(ProgramId, Demand)>,
    moved: HashMap<(Place, Move<'a>), Place>,
    /// Places that are a kernel's: its views lead to no other.
    kernels: HashSet<Place>,
    count: Place,
}

impl<'a> Walk<'a> {
    /// The latest node that waits: all that read it have been looked at.
    fn next(&mut self) -> Option<(ProgramId, Demand)> {
        self.waiting.pop()
    }

    /// Whether all that waits is computed in one place.
    fn is_at(&self, place: Place) -> bool {
        self.waiting.iter().all(|(_, demand)| demand.place == place && demand.other.is_none())
    }

    fn demand(&mut self, id: ProgramId, place: Place, is_added: bool) {
        let at = self.waiting.partition_point(|(other, _)| *other < id);
        if self.waiting.get(at).is_none_or(|(other, _)| *other != id) {
            self.waiting.insert(at, (id, Demand { place, other: None, is_added }));
        }
        let demand = &mut self.waiting[at].1;
        demand.is_added |= is_added;
        if demand.place != place {
            demand.other.get_or_insert(place);
        }
    }

    /// The place that a move leads to.
    fn moved(&mut self, from: Place, by: Move<'a>) -> Place {
        if self.kernels.contains(&from) {
            return from;
        }
        let count = &mut self.count;
        *self.moved.entry((from, by)).or_insert_with(|| {
            *count += 1;
            *count
        })
    }

    /// The place where a node's own kernel computes what it needs.
    fn kernel(&mut self, id: ProgramId) -> Place {
        let place = self.moved(HERE, Move::Input(id, 0));
        self.kernels.insert(place);
        place
    }
}

/// Whether a driver may contract a node with a product that it adds.
fn is_sum(node: &ProgramNode) -> bool {
    matches!(node.op, Op::Binary(Binary::Add | Binary::Sub)) && node.dtype.is_float()
}

/// Whether a node's result jumps where what it is computed from moves by little.
fn jumps(program: &TensorProgram, id: ProgramId) -> bool {
    let node = &program[id];
    rounding::jumps(&node.op, node.inputs.first().map(|&input| program[input].dtype))
}
