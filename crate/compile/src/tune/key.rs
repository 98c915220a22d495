//! When are two clusters alike enough to be run alike? When their keys are equal: what is computed around which node, sizes to the nearest
//! power of two, and how operands lie. It does not say by which family.

use crate::family::Problem;
use std::fmt::{self, Display, Formatter, Write};
use std::rc::Rc;
use weft_ir::op::{Op, facts};
use weft_ir::program::ProgramId;

/// Extents up to this are told as they are: 10 columns are not 8.
const SMALL: usize = 16;
/// What all sizes of a round problem are multiples of: no tile of such is cut off at an edge.
const ROUND: usize = 32;

/// What a choice is remembered under. Prints as it is stored: words, and sizes with their names.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Key(Rc<str>);

impl Key {
    /// The key of a problem.
    pub fn of(problem: &Problem<'_>) -> Key {
        let (program, cluster) = (problem.program, problem.cluster());
        let domain = &cluster.domain;
        let heavy = |id: &&ProgramId| domain.walks_for(**id, problem.clusters.heavy[id.index()]);
        let mut anchors: Vec<&str> = Vec::new();
        for id in cluster.members.iter().filter(heavy) {
            let name = facts(&program[*id].op).name;
            if !anchors.contains(&name) {
                anchors.push(name);
            }
        }
        let mut text = if anchors.is_empty() { "map".to_owned() } else { anchors.join("+") };
        let dtype = cluster.outputs.first().map(|id| program[*id].dtype);
        let _ = dtype.map_or(Ok(()), |dtype| write!(text, " {dtype}"));
        let mut sizes: Vec<(&str, usize)> = Vec::new();
        let mut layout = "";
        if let Some((id, Op::Contract(axes))) = domain.anchor.map(|id| (id, &program[id].op)) {
            let [left, right] = [0, 1].map(|side| &program[program[id].inputs[side]].shape);
            let product = |axes: Vec<usize>, of: &[usize]| axes.into_iter().map(|axis| of[axis]).product();
            sizes.push(("batch", product(axes.batch.iter().map(|pair| pair.0).collect(), left)));
            sizes.push(("m", product(axes.left_free(left.rank()), left)));
            sizes.push(("k", product(axes.contract.iter().map(|pair| pair.0).collect(), left)));
            sizes.push(("n", product(axes.right_free(right.rank()), right)));
            let last = axes.contract.last();
            let adjoin = [
                last.is_some_and(|pair| pair.0 + 1 == left.rank()),
                last.is_some_and(|pair| pair.1 + 1 == right.rank()),
            ];
            layout = match adjoin {
                [true, false] => " a·b",
                [true, true] => " a·bᵀ",
                [false, false] => " aᵀ·b",
                [false, true] => " aᵀ·bᵀ",
            };
            if sizes[1..].iter().all(|(_, size)| size.is_multiple_of(ROUND)) {
                text.push_str(" round");
            }
        } else if let Some(axes) = &domain.axes {
            sizes.push(("rows", domain.kept().size()));
            sizes.push(("length", domain.walked().size()));
            layout = if axes.contains(&domain.shape.rank().saturating_sub(1)) { " along" } else { " apart" };
        } else {
            sizes.push(("elements", domain.shape.size()));
        }
        text.push_str(layout);
        let (loads, operations) = problem.takes();
        let turned = problem.count(|op| matches!(op, Op::View(weft_ir::op::View::Permute(_))));
        if turned > 0 && domain.anchor.is_none() {
            text.push_str(" turned");
        }
        for (name, size) in sizes {
            let _ = write!(text, " {name}={}", Anchored(size));
        }
        let _ = write!(text, " loads={loads} stores={}", cluster.outputs.len());
        let _ = write!(text, " operations={}", Anchored(operations));
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

/// A size, or the power of two that is nearest to it by ratio.
struct Anchored(usize);

impl Display for Anchored {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let size = self.0;
        if size <= SMALL {
            return size.fmt(f);
        }
        let below = 1usize << size.ilog2();
        // Above below·√2 the next one is nearer.
        let nearer =
            if size as u128 * size as u128 > 2 * below as u128 * below as u128 { 2 * below } else { below };
        nearer.fmt(f)
    }
}
