//! Keys of winners. Clusters with equal keys share one: what is computed around which node, sizes
//! to the nearest power of two, and how operands lie. A key does not name the family.

use crate::family::Problem;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;
use weft_ir::op::{Op, View, facts};
use weft_ir::program::{ProgramId, TensorProgram};

/// Extents up to this are kept exactly: 10 columns are not 8.
const SMALL: usize = 16;
/// What all sizes of a round problem are multiples of: no tile of such is cut off at an edge.
const ROUND: usize = 32;
/// The time of more matrices is extrapolated from this many: it grows with their number.
const MOST_BATCHES: usize = 256;

/// What a choice is remembered under. Prints as it is stored: words, and sizes with their names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key(Rc<str>);

impl Key {
    /// The key of a problem.
    pub fn of(problem: &Problem<'_>) -> Key {
        let (program, cluster) = (problem.program, problem.cluster());
        let domain = &cluster.domain;
        let mut text = String::new();
        for &id in &cluster.members {
            let name = facts(&program[id].op).name;
            let is_new = !text.split('+').any(|known| known == name);
            if is_new && domain.walks_for(id, problem.clusters.heavy[id.index()]) {
                push(&mut text, "+", name);
            }
        }
        let (mut loads, mut operations, mut turned) = (0, 0, false);
        problem.visit(&mut |id, is_loaded| match &problem.program[id].op {
            _ if is_loaded => loads += 1,
            Op::View(view) => turned |= matches!(view, View::Permute(_)),
            _ => operations += 1,
        });
        let mut word = |is_so: bool, word: &str| push(&mut text, " ", if is_so { word } else { "" });
        let sizes = if let Some((id, Op::Contract(axes))) = domain.anchor.map(|id| (id, &program[id].op)) {
            let operands = &program[id].inputs;
            let [left, right] = [0, 1].map(|side| &program[operands[side]].shape);
            let of_left = |pairs: &[(usize, usize)]| pairs.iter().map(|pair| left[pair.0]).product::<usize>();
            let (batch, k) = (of_left(&axes.batch), of_left(&axes.contract));
            let [m, n] = [left, right].map(|side| side.size() / (batch * k));
            let last = axes.contract.last().copied().unwrap_or_default();
            word(true, if last.0 + 1 == left.rank() { "a" } else { "aᵀ" });
            word(true, if last.1 + 1 == right.rank() { "bᵀ" } else { "b" });
            word((m | n | k).is_multiple_of(ROUND), "round");
            word(operands.iter().any(|&id| is_broadcast(program, id)), "broadcast");
            domain.pattern.iter().for_each(|pattern| word(true, pattern.name));
            [("m", m), ("k", k), ("n", n), ("batch", batch.min(MOST_BATCHES))]
        } else if let Some(axes) = &domain.axes {
            let along = axes.last().is_some_and(|last| last + 1 == domain.shape.rank());
            word(true, if along { "along" } else { "apart" });
            [("rows", domain.kept().size()), ("length", domain.walked().size()), ("", 0), ("", 0)]
        } else if let Some((id, Op::Loop(it))) = domain.anchor.map(|id| (id, &program[id].op)) {
            let elements = program[id].inputs.first().map_or(0, |&state| program[state].shape.size());
            let (iterations, inside) = (it.iterations.unwrap_or(0), it.body.nodes.len());
            [("elements", elements), ("iterations", iterations), ("inside", inside), ("", 0)]
        } else {
            word(true, "map");
            // A scatter's time is that of its updates.
            let updates = cluster.members.iter().find_map(|&id| match program[id].op {
                Op::Scatter { .. } => Some(("updates", program[program[id].inputs[2]].shape.size())),
                _ => None,
            });
            [("elements", domain.shape.size()), updates.unwrap_or_default(), ("", 0), ("", 0)]
        };
        word(turned, "turned");
        word(true, cluster.outputs.first().map_or("", |id| program[*id].dtype.name()));
        let counts = [("loads", loads), ("stores", cluster.outputs.len()), ("operations", operations)];
        for &(name, size) in sizes.iter().chain(&counts).filter(|(name, _)| !name.is_empty()) {
            push(&mut text, " ", name);
            push(&mut text, "=", &anchored(size).to_string());
        }
        Key(text.into())
    }

    /// A key that was stored.
    pub fn stored(text: &str) -> Key {
        Key(text.into())
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Adds a word, if there is one, behind others after a mark.
fn push(text: &mut String, mark: &str, word: &str) {
    if !text.is_empty() && !word.is_empty() {
        text.push_str(mark);
    }
    text.push_str(word);
}

/// Whether several of a node's elements are one of what it is a view of.
fn is_broadcast(program: &TensorProgram, mut id: ProgramId) -> bool {
    while let Op::View(view) = &program[id].op {
        if matches!(view, View::Expand(_)) {
            return true;
        }
        id = program[id].inputs[0];
    }
    false
}

/// A size, or the power of two that is nearest to it by ratio.
fn anchored(size: usize) -> usize {
    if size <= SMALL {
        return size;
    }
    let below = 1 << size.ilog2();
    // Above below·√2 the next one is nearer.
    let is_nearer = size as f64 > below as f64 * std::f64::consts::SQRT_2;
    if is_nearer { 2 * below } else { below }
}
