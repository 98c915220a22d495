//! Rules for contractions: they read through permutations and run over no needless axes; some
//! become products, sums, or several contractions.

use super::rewrite::Rewriter;
use super::{Rule, table};
use crate::device::RuleModel;
use crate::family::{Sums, keeps_whole};
use crate::limits::LONGEST_WALK;
use weft_ir::op::{Binary, Coefficient, ContractAxes, Op, ReduceOp, View};
use weft_ir::program::{ProgramId, ProgramNode};
use weft_ir::{Literal, Shape};

pub(super) const RULES: &[Rule] = table![
    "contract-nothing" Bits contract_nothing,
    "contract-one-element" SignOfZero contract_one_element,
    "contract-unit-axes" Bits contract_unit_axes,
    "contract-permuted" Bits contract_permuted,
    "contract-repeated" Bits contract_repeated,
    "contract-windows" Rounding contract_windows,
    "contract-to-few" Rounding contract_to_few,
    "contract-in-parts" Rounding contract_in_parts,
];

/// From this many terms on, a contraction with few results is a reduction.
const LONG_SUM: usize = 512;
/// The most elements that all parts take together.
const MOST_IN_PARTS: usize = 1 << 24;
/// Of matrices so wide and high, a batch of them together, tiles are larger, and it takes twice as
/// many: 128×4096×4096 takes 0.131 ms then and 0.167 otherwise, but 32×4096×4096 0.060 and 0.053
/// (NVIDIA H200, Dawn).
const WIDE: usize = 128;
/// Fewer parts are not worth it, and so many are worth filling up with zeros, where their lengths
/// do not divide the sum's.
const FEW_PARTS: usize = 4;
const MANY_PARTS: usize = 32;
/// Of so many results no more than those, so that one kernel adds them.
const MANY_SUMS: usize = 4096;
/// So few rows or columns make a product one of vectors with a matrix, which is as fast as the
/// matrix is read.
const NARROW: usize = 8;
/// From this many elements of a matrix on that matters.
const LARGE_MATRIX: u64 = 1 << 22;
/// The most parts for it to be on its way.
const MOST_PARTS: usize = 128;
/// Terms that a part should have at least, to be worth adding up its results.
const LONG_PART: usize = 64;
/// Lengths of parts are multiples of this many terms, so that tiles divide them.
const TILE: usize = 16;

/// The axes of a contraction as its operands see them: the operands' numbers, ranks and free axes.
struct Parts {
    axes: ContractAxes,
    operands: [ProgramId; 2],
    free: [Vec<usize>; 2],
    depth: usize,
}

fn parts(to: &Rewriter, node: &ProgramNode) -> Option<Parts> {
    let Op::Contract(axes) = &node.op else { return None };
    let operands = [node.inputs[0], node.inputs[1]];
    let [left, right] = operands.map(|x| &to[x].shape);
    let free = [axes.left_free(left.rank()), axes.right_free(right.rank())];
    let depth = axes.contract.iter().map(|pair| left[pair.0]).product();
    Some(Parts { axes: axes.clone(), operands, free, depth })
}

/// The axis that a pair names on one side: 0 is left, 1 is right.
fn on(side: usize, pair: (usize, usize)) -> usize {
    if side == 0 { pair.0 } else { pair.1 }
}

/// A pair with the axis on one side replaced.
fn replaced(side: usize, pair: (usize, usize), axis: usize) -> (usize, usize) {
    if side == 0 { (axis, pair.1) } else { (pair.0, axis) }
}

/// `axis` once `dropped` axes are gone.
fn after_dropping(dropped: &[usize], axis: usize) -> usize {
    axis - dropped.iter().filter(|&&d| d < axis).count()
}

fn contract_nothing(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let parts = parts(to, node)?;
    (parts.depth == 0).then(|| to.constant(Literal::zero(node.dtype), &node.shape))
}

/// A contraction that sums one product is that product: an outer product, say. As elementwise work
/// it fuses with what is around it.
fn contract_one_element(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let parts = parts(to, node)?;
    (parts.depth == 1).then(|| sum_of_products(to, &parts))
}

/// Long sums with few results, inner products above all, are shared by many invocations each when
/// they are reductions; and there is nothing to lose where no operand is read for more than one row
/// or column.
fn contract_to_few(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let parts = parts(to, node)?;
    let alone = |side: usize| parts.free[side].iter().all(|&axis| to[parts.operands[side]].shape[axis] == 1);
    let results = node.shape.size();
    let rules = &to.limits.model.rules;
    let mut least = LONG_SUM;
    let few = match rules.read_once {
        Some([long, few]) if parts.depth <= long => results <= few,
        _ => {
            let is_long = products_of(results, parts.depth) >= rules.few_products;
            let few = if is_long { rules.few_and_long } else { rules.few_results };
            let alone = alone(0) || alone(1);
            // Each of these results can have its own invocations.
            least = rules.alone.filter(|&[_, many]| alone && results >= many).map_or(least, |[long, _]| long);
            alone || results <= few
        }
    };
    // The products are never stored, but they are counted.
    let countable = products_of(results, parts.depth) <= i32::MAX as u64
        && node.shape.rank() + parts.axes.contract.len() <= Shape::MAX_RANK;
    (few && countable && parts.depth >= least && results > 0).then(|| sum_of_products(to, &parts))
}

/// How many products a contraction adds up, which 32 bits do not count.
fn products_of(results: usize, depth: usize) -> u64 {
    (results as u64).saturating_mul(depth as u64)
}

/// All products, aligned as [batch, left, right, contracted], summed over the contracted axes; or
/// as [batch, contracted, left, right], where that is how the larger operand lies in memory.
fn sum_of_products(to: &mut Rewriter, parts: &Parts) -> ProgramId {
    let Parts { axes, operands, free, .. } = parts;
    let extents = |to: &Rewriter, side: usize, axes: &[usize]| -> Vec<usize> {
        axes.iter().map(|&axis| to[operands[side]].shape[axis]).collect()
    };
    let named =
        |side: usize, pairs: &[(usize, usize)]| pairs.iter().map(|&p| on(side, p)).collect::<Vec<_>>();
    let size = |side: usize| to[operands[side]].shape.size();
    let larger = usize::from(size(1) > size(0));
    let last = to[operands[larger]].shape.rank().checked_sub(1);
    let contracted_last = last.is_none_or(|last| named(larger, &axes.contract).contains(&last));

    let batch = extents(to, 0, &named(0, &axes.batch));
    let (left, right) = (extents(to, 0, &free[0]), extents(to, 1, &free[1]));
    let terms = extents(to, 0, &named(0, &axes.contract));
    let arranged = |batch: Vec<usize>, kept: Vec<usize>, terms: Vec<usize>| {
        if contracted_last { [batch, kept, terms].concat() } else { [batch, terms, kept].concat() }
    };
    let full = arranged(batch.clone(), [&left[..], &right].concat(), terms.clone());
    let factor = |to: &mut Rewriter, side: usize| {
        let order = arranged(named(side, &axes.batch), free[side].clone(), named(side, &axes.contract));
        let own = if side == 0 {
            [left.clone(), vec![1; right.len()]]
        } else {
            [vec![1; left.len()], right.clone()]
        };
        let permuted = to.permute(operands[side], order);
        let aligned = to.reshape(permuted, arranged(batch.clone(), own.concat(), terms.clone()).into());
        to.expand(aligned, full.clone().into())
    };
    let factors = [factor(to, 0), factor(to, 1)];
    let product = to.add(Op::Binary(Binary::Mul), &factors);
    let first = batch.len() + if contracted_last { left.len() + right.len() } else { 0 };
    let axes: Vec<usize> = (first..first + terms.len()).collect();
    if parts.depth == 1 {
        let shape = to[product].shape.without(&axes);
        return to.reshape(product, shape);
    }
    to.add(Op::Reduce { op: ReduceOp::Sum, axes }, &[product])
}

/// How many parts a sum is worth being cut into: so many that none is longer than one invocation
/// should walk, and where there are few results for long sums (a weight's gradient, a product with
/// few rows), so many that a GPU has enough to do.
fn count_of_parts(
    [rows, columns]: [usize; 2],
    results: usize,
    depth: usize,
    longest: usize,
    rules: &RuleModel,
) -> usize {
    let needed = depth.div_ceil(LONGEST_WALK).min(longest);
    let Some(many_results) = rules.many_results else { return needed };
    let most = if results >= MANY_SUMS { MANY_PARTS } else { depth };
    let (narrow, products) = (rows.min(columns), products_of(results, depth));
    let is_wide = results / rows.max(columns).max(1) >= WIDE;
    let many = if is_wide { 2 * many_results } else { many_results };
    let mut wanted = (many / results.max(1)).min(depth / LONG_PART).min(most);
    if (1..=NARROW).contains(&narrow) && products >= LARGE_MATRIX * narrow as u64 {
        // A few vectors and a matrix: what counts is how much of the matrix is on its way, while
        // its parts' results are few beside it.
        let under_way = (rules.many_loads * narrow / results.max(1)).min(depth / (4 * narrow));
        wanted = wanted.max(under_way.min(MOST_PARTS));
    }
    // A product of matrices as deep as they are wide: what its parts gain, a second kernel takes
    // (512³ and 256³ on an NVIDIA H200: 14.6 and 7.5 µs whole, 15.3 and 6.3 in parts, and a
    // dispatch more to be asked for).
    let is_shallow = depth.saturating_mul(depth) <= results;
    let few = products < rules.few_products || wanted < FEW_PARTS || wanted <= needed;
    if is_shallow || few {
        return needed;
    }
    // Parts of one length need no zeros, with which both operands would be stored anew.
    let exact = |terms: usize| {
        let mut counts = (wanted / 2 + 1..=wanted).rev();
        counts.find(|&count| longest.is_multiple_of(count * terms))
    };
    let exact = exact(TILE).or_else(|| exact(1));
    let filled = if wanted >= MANY_PARTS { wanted.min(longest) } else { needed };
    exact.unwrap_or(filled).max(needed)
}

/// What families are asked about a contraction's sums.
fn sums_of(to: &Rewriter, node: &ProgramNode, parts: &Parts) -> Sums {
    let extent = |side: usize| {
        let operand = &to[parts.operands[side]].shape;
        parts.free[side].iter().map(|&axis| operand[axis]).product()
    };
    let is_direct = |side: usize| {
        let mut at = parts.operands[side];
        while let Op::View(view) = &to[at].op {
            if matches!(view, View::Pad { .. } | View::Window(_)) {
                return false;
            }
            at = to[at].inputs[0];
        }
        true
    };
    Sums {
        sides: [extent(0), extent(1)],
        results: node.shape.size(),
        terms: parts.depth,
        is_direct: is_direct(0) && is_direct(1),
    }
}

/// A sum in parts is a sum of contractions over parts of the longest axis, filled up with zeros
/// ("split-K").
fn contract_in_parts(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let found = parts(to, node)?;
    let sums = sums_of(to, node, &found);
    if keeps_whole(&sums, to.limits) {
        return None;
    }
    let Parts { mut axes, operands, depth, .. } = found;
    let (left, right) = (to[operands[0]].shape.clone(), to[operands[1]].shape.clone());
    let longest = (0..axes.contract.len()).max_by_key(|&n| left[axes.contract[n].0])?;
    let pair = axes.contract[longest];
    let count = count_of_parts(sums.sides, node.shape.size(), depth, left[pair.0], &to.limits.model.rules);
    let rank = left.rank().max(right.rank()).max(node.shape.rank());
    if count < 2 || rank >= Shape::MAX_RANK || count.saturating_mul(node.shape.size()) > MOST_IN_PARTS {
        return None;
    }
    let length = left[pair.0].div_ceil(count);
    let part = |to: &mut Rewriter, side: usize, shape: &Shape| {
        let axis = on(side, pair);
        let mut filled = shape.to_vec();
        filled[axis] = count * length;
        let mut x = operands[side];
        if filled[axis] != shape[axis] {
            let low = vec![Coefficient::Const(0); shape.rank()];
            let value = Literal::zero(node.dtype);
            let view =
                View::Pad { low, interior: vec![0; shape.rank()], shape: filled.clone().into(), value };
            x = to.add(Op::View(view), &[x]);
        }
        filled.splice(axis..=axis, [count, length]);
        to.reshape(x, filled.into())
    };
    let parts = [part(to, 0, &left), part(to, 1, &right)];
    // The axis has become two, the parts and what is in them.
    for other in axes.batch.iter_mut().chain(&mut axes.contract) {
        for side in [0, 1] {
            let axis = on(side, *other);
            *other = replaced(side, *other, axis + usize::from(axis >= on(side, pair)));
        }
    }
    axes.batch.insert(0, pair);
    let sums = to.add(Op::Contract(axes), &parts);
    Some(to.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[sums]))
}

/// Batch axes of extent 1, and contracted ones beside longer ones, are dropped: behind the reshape
/// that made them an operand may be a matrix that is transposed, which other rules then see.
fn contract_unit_axes(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { mut axes, mut operands, depth, .. } = parts(to, node)?;
    let is_unit = |pair: &(usize, usize)| to[operands[0]].shape[pair.0] == 1;
    let contracted = axes.contract.iter().filter(|&pair| depth > 1 && is_unit(pair));
    let units: Vec<(usize, usize)> =
        axes.batch.iter().filter(|&pair| is_unit(pair)).chain(contracted).copied().collect();
    if units.is_empty() {
        return None;
    }
    axes.batch.retain(|pair| !units.contains(pair));
    axes.contract.retain(|pair| !units.contains(pair));
    for side in [0, 1] {
        let dropped: Vec<usize> = units.iter().map(|&pair| on(side, pair)).collect();
        operands[side] = to.reshape(operands[side], to[operands[side]].shape.without(&dropped));
        for pair in axes.batch.iter_mut().chain(&mut axes.contract) {
            *pair = replaced(side, *pair, after_dropping(&dropped, on(side, *pair)));
        }
    }
    let product = to.add(Op::Contract(axes), &operands);
    Some(to.reshape(product, node.shape.clone()))
}

/// A·Bᵀ reads B where it lies: the permutation of an operand moves into the axes, as long as that
/// operand's free axes keep their order in the result.
fn contract_permuted(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { axes, operands, free, .. } = parts(to, node)?;
    for side in [0, 1] {
        let Op::View(View::Permute(order)) = &to[operands[side]].op else { continue };
        if !free[side].iter().map(|&axis| order[axis]).is_sorted() {
            continue;
        }
        let mut axes = axes;
        for pair in axes.batch.iter_mut().chain(&mut axes.contract) {
            *pair = replaced(side, *pair, order[on(side, *pair)]);
        }
        let mut operands = operands;
        operands[side] = to[operands[side]].inputs[0];
        return Some(to.add(Op::Contract(axes), &operands));
    }
    None
}

/// Terms of windows in the order in which one kernel reads them best: a window's place outside, so
/// that all of a panel's terms lie at one place of the windows, and features inside. The other
/// operand, a convolution's weights, is stored in that order with its rows or columns side by side.
/// Weights that lie so (`HWIO` in a picture's `NHWC`) are left as they are.
fn contract_windows(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let parts = parts(to, node)?;
    let is_small = products_of(node.shape.size(), parts.depth) < to.limits.least_arranged;
    if !to.limits.model.rules.arranges_windows || is_small { None } else { arrange_windows(to, parts) }
}

/// Deferred: few programs contract windows.
#[inline(never)]
fn arrange_windows(to: &mut Rewriter, parts: Parts) -> Option<ProgramId> {
    let Parts { mut axes, operands, free, .. } = parts;
    for side in [0, 1] {
        let Op::View(View::Window(windows)) = &to[operands[side]].op else { continue };
        // Of wider windows, and of such that leap, it is slower (an NVIDIA H100: 5 × 5 598 µs
        // instead of 491, 3 × 3 by steps of two 352 instead of 254).
        if windows.iter().any(|window| window.stride > 1 || window.size > 3) {
            continue;
        }
        let is_window = |pair: &(usize, usize)| on(side, *pair) < windows.len();
        let (mut order, features): (Vec<_>, Vec<_>) = axes.contract.iter().copied().partition(is_window);
        order.extend(features);
        if order == axes.contract {
            continue;
        }
        axes.contract = order;
        // What is repeated for all members of a batch is stored once.
        let (other, shape) = (operands[1 - side], to[operands[1 - side]].shape.clone());
        let own = if let Op::View(View::Expand(_)) = to[other].op { to[other].inputs[0] } else { other };
        let named = axes.batch.iter().chain(&axes.contract).map(|&pair| on(1 - side, pair));
        let arranged: Vec<usize> = named.chain(free[1 - side].iter().copied()).collect();
        let expanded: Vec<usize> = arranged.iter().map(|&axis| shape[axis]).collect();
        let stored = to.permute(own, arranged);
        let stored = to.add(Op::Cut, &[stored]);
        let mut operands = operands;
        operands[1 - side] = to.expand(stored, expanded.into());
        for (axis, pair) in axes.batch.iter_mut().chain(&mut axes.contract).enumerate() {
            *pair = replaced(1 - side, *pair, axis);
        }
        return Some(to.add(Op::Contract(axes), &operands));
    }
    None
}

/// A batch axis along which one operand is repeated is a free axis of the other, as long as the
/// result's axes keep their order: a stack of matrices times one matrix is one product.
fn contract_repeated(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Parts { axes, operands, free, .. } = parts(to, node)?;
    let pair = *axes.batch.last()?;
    for side in [0, 1] {
        let Op::View(View::Expand(expanded)) = to[operands[side]].op.clone() else { continue };
        let (y, axis, other) = (to[operands[side]].inputs[0], on(side, pair), on(1 - side, pair));
        let repeated = to[y].shape[axis] == 1 && expanded[axis] > 1;
        // It comes first among the other operand's free axes; those of the left stand before those
        // of the right.
        let first = free[1 - side].iter().all(|&axis| other < axis) && (side == 1 || free[0].is_empty());
        if !repeated || !first {
            continue;
        }
        let own = to[y].shape.without(&[axis]);
        let once = to.reshape(y, own);
        let mut operands = operands;
        operands[side] = to.expand(once, expanded.without(&[axis]));
        let mut axes = axes.clone();
        axes.batch.pop();
        for pair in axes.batch.iter_mut().chain(&mut axes.contract) {
            *pair = replaced(side, *pair, after_dropping(&[axis], on(side, *pair)));
        }
        return Some(to.add(Op::Contract(axes), &operands));
    }
    None
}

/// (A·B)ᵀ is Bᵀ·Aᵀ, which reads both where they lie: what comes after looks at the product as it is
/// stored. A gradient by weights that lie transposed ends so. A sum of parts is as good.
pub(super) fn permute_of_contract(to: &mut Rewriter, node: &ProgramNode) -> Option<ProgramId> {
    let Op::View(View::Permute(order)) = &node.op else { return None };
    let below = node.inputs[0];
    if to.shared(below) {
        return None;
    }
    let Op::Reduce { op, axes: parts } = to[below].op.clone() else {
        return transposed(to, below, order);
    };
    let product = to[below].inputs[0];
    if to.shared(product) {
        return None;
    }
    // Of the product's axes those of the parts stay where they are.
    let rank = to[product].shape.rank();
    let kept: Vec<usize> = (0..rank).filter(|axis| !parts.contains(axis)).collect();
    let mut moved = order.iter().map(|&axis| kept[axis]);
    let order: Vec<usize> = (0..rank)
        .map(|axis| if parts.contains(&axis) { Some(axis) } else { moved.next() })
        .collect::<Option<_>>()?;
    let product = transposed(to, product, &order)?;
    Some(to.add(Op::Reduce { op, axes: parts }, &[product]))
}

/// A permutation of a contraction as a contraction with its operands changed over, where the
/// batch's axes stay in front and each operand's free axes in order.
fn transposed(to: &mut Rewriter, product: ProgramId, order: &[usize]) -> Option<ProgramId> {
    let Parts { mut axes, operands, free, .. } = parts(to, &to[product])?;
    let (batch, left, rank) = (axes.batch.len(), free[0].len(), order.len());
    let (front, back) = order.split_at(batch);
    let is_swap = (batch + left..rank).chain(batch..batch + left).eq(back.iter().copied());
    if !is_swap || front.iter().any(|&axis| axis >= batch) {
        return None;
    }
    let swapped = |pair: &(usize, usize)| (pair.1, pair.0);
    axes.batch = front.iter().map(|&axis| swapped(&axes.batch[axis])).collect();
    axes.contract = axes.contract.iter().map(swapped).collect();
    Some(to.add(Op::Contract(axes), &[operands[1], operands[0]]))
}
