//! Contractions: each invocation computes a tile of the result in registers and applies what
//! follows elementwise.
//!
//! The tile of one element is the plain variant. Larger tiles load `rows + columns` values for
//! `rows · columns` products; no workgroup memory is needed, so they also serve devices whose
//! barriers are expensive. Where barriers are cheap and there is work enough, workgroups that share
//! what they load are faster (`shared_tiles.rs`).

pub(crate) mod shared_tiles;
pub(crate) mod sliced;

use super::choice::parameters;
use super::launch::{close_guard, each_invocation, grid, serial_workgroup};
use super::sort::both;
use super::store::store_all;
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem};
use crate::device::{ContractModel, SerialContract};
use crate::lower::coordinates::Extents;
use crate::lower::eval::{Evaluator, contract_coordinates};
use std::ops::Deref;
use weft_ir::kernel::{BinaryOp, ExprId, LocalId, Stmt};
use weft_ir::op::{ContractAxes, Op};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{DType, Literal};

/// The least terms of a float sum's block: an invocation adds those one by one, and then the sums
/// of the blocks.
const BLOCK: usize = 32;
/// The sums of blocks are added up in groups where there are more terms.
const MANY_TERMS: usize = 4096;
/// Terms from which on a sum is added up in vectors of four.
const LONG_VECTORIZED: usize = 16;

/// The family.
pub struct Contract;

parameters! {
    /// The tile that an invocation computes.
    Tile {
        rows: u32,
        columns: u32,
        /// Terms that it adds at each iteration.
        terms: u32,
    }
}

/// A contraction taken apart.
pub struct Contraction<'a> {
    /// Its node.
    pub anchor: ProgramId,
    axes: &'a ContractAxes,
    left: ProgramId,
    right: ProgramId,
    extents: Extents,
}

impl Deref for Contraction<'_> {
    type Target = Extents;

    fn deref(&self) -> &Extents {
        &self.extents
    }
}

impl Contraction<'_> {
    /// Whether an operand's last axis is contracted, so that neighbouring terms lie side by side.
    pub fn terms_adjoin(&self, program: &TensorProgram, side: usize) -> bool {
        let last = |id: ProgramId| program[id].shape.rank() - 1;
        self.axes.contract.last().is_some_and(|pair| match side {
            0 => pair.0 == last(self.left),
            _ => pair.1 == last(self.right),
        })
    }
}

impl Contraction<'_> {
    /// Whether an operand's neighbouring rows or columns lie side by side, in vectors of four.
    fn places_adjoin(&self, program: &TensorProgram, side: usize) -> bool {
        let shape = &program[if side == 0 { self.left } else { self.right }].shape;
        let free = match side {
            0 => self.axes.left_free(shape.rank()),
            _ => self.axes.right_free(shape.rank()),
        };
        free.last() == Some(&(shape.rank() - 1))
            && shape.last().is_some_and(|extent| extent.is_multiple_of(4))
    }

    /// What it takes where few invocations run at a time, in products: fewer leave processors idle.
    fn serial_cost(&self, problem: &Problem<'_>, model: &SerialContract, tile: Tile) -> f64 {
        let Tile { rows, columns, .. } = tile;
        let down = self.rows.size().div_ceil(rows as usize);
        let tiles = self.batch.size() * down * self.columns.size().div_ceil(columns as usize);
        (tiles as f64 / model.busy).max(1.0) * self.serial_tile(problem, model, tile)
    }

    /// What an invocation of it does, in products: it reads, some values with three others, and at
    /// each turn takes sums up and puts them down.
    fn serial_tile(&self, problem: &Problem<'_>, model: &SerialContract, tile: Tile) -> f64 {
        let Tile { rows, columns, terms } = tile;
        let read = |side: usize, count: u32, extent: usize| {
            // Four of one place's terms, or of one term's places, which must not reach past the
            // edge.
            let places = count.is_multiple_of(4) && extent.is_multiple_of(count as usize);
            let vectorized = terms == 4
                && (self.terms_form_vectors(problem.program, side)
                    || places && self.places_adjoin(problem.program, side));
            f64::from(count) * if vectorized { model.read_vectorized } else { model.read }
        };
        let read = read(0, rows, self.rows.size()) + read(1, columns, self.columns.size());
        let products = f64::from(rows * columns);
        self.reduced.size() as f64 * (products * (1.0 + model.sum / f64::from(terms)) + read) + 4.0 * products
    }

    /// Whether an operand's neighbouring terms lie side by side, in vectors of four.
    fn terms_form_vectors(&self, program: &TensorProgram, side: usize) -> bool {
        let last = program[if side == 0 { self.left } else { self.right }].shape.last();
        self.terms_adjoin(program, side) && last.is_some_and(|extent| extent.is_multiple_of(4))
    }
}

impl<'a> Contraction<'a> {
    /// A node taken apart, if it is a contraction.
    pub fn of(program: &'a TensorProgram, anchor: ProgramId) -> Option<Contraction<'a>> {
        let node = &program[anchor];
        let Op::Contract(axes) = &node.op else { return None };
        let (left, right) = (node.inputs[0], node.inputs[1]);
        Some(Contraction { anchor, axes, left, right, extents: Extents::of(program, anchor)? })
    }
}

/// The contraction that a cluster is made around, if it is and no family has recognised a pattern
/// around it.
pub fn contraction<'a>(problem: &Problem<'a>) -> Option<Contraction<'a>> {
    let domain = &problem.cluster().domain;
    Contraction::of(problem.program, domain.anchor.filter(|_| domain.pattern.is_none())?)
}

impl Family for Contract {
    fn name(&self) -> &'static str {
        "contract"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Tile::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        Some(Box::new(contraction(problem)?))
    }
}

impl Lowering for Contraction<'_> {
    type Candidate = Tile;

    fn candidates(&self, _: &Problem<'_>) -> Candidates<Tile> {
        let (m, n) = (self.rows.size() as u32, self.columns.size() as u32);
        let mut found = Candidates::one(Tile { rows: 1, columns: 1, terms: 1 });
        let vectorized = self.reduced.size() >= LONG_VECTORIZED;
        for rows in [1, 2, 4, 8] {
            for columns in [1, 2, 4, 8, 10] {
                let useful = rows < 2 * m && columns < 2 * n && (columns != 10 || n == 10);
                if useful && rows * columns > 1 {
                    found.push(Tile { rows, columns, terms: 1 });
                }
                if useful && vectorized {
                    found.push(Tile { rows, columns, terms: 4 });
                }
            }
        }
        found
    }

    fn is_fallback(&self, tile: Tile) -> bool {
        [tile.rows, tile.columns, tile.terms] == [1; 3]
    }

    fn cost(&self, problem: &Problem<'_>, tile: Tile) -> f64 {
        let Tile { rows, columns, terms } = tile;
        let model = match &problem.model().contract {
            ContractModel::Serial(model) => return self.serial_cost(problem, model, tile),
            ContractModel::Parallel(model) => model,
        };
        let tiles = self.batch.size()
            * self.rows.size().div_ceil(rows as usize)
            * self.columns.size().div_ceil(columns as usize);
        // Neighbouring invocations read neighbouring columns, which may lie far apart, and the same
        // rows.
        let apart = self.terms_adjoin(problem.program, 1);
        let (mut row, mut column) = (model.row, if apart { model.column_apart } else { model.column });
        // Where columns are few, neighbours read other rows, of which a cache holds so many until
        // they are read on.
        let neighbours = model.neighbours;
        let beside = self.columns.size().div_ceil(columns as usize).min(neighbours);
        let at_once = rows as usize * neighbours / beside.max(1);
        if self.terms_adjoin(problem.program, 0) && at_once > neighbours {
            row *= (at_once as f64 / neighbours as f64).powi(2);
        }
        // One read for four of them; but there must be many invocations, since each waits for more
        // at a time.
        let least = if terms == 4 { 4.0 } else { 1.0 };
        for (side, cost) in [(0, &mut row), (1, &mut column)] {
            let columns_adjoin =
                side == 1 && columns.is_multiple_of(4) && self.places_adjoin(problem.program, 1);
            if terms == 4 && (self.terms_adjoin(problem.program, side) || columns_adjoin) {
                *cost *= model.vectorized;
            }
        }
        let (rows, columns) = (f64::from(rows), f64::from(columns));
        let work = self.reduced.size() as f64 * (rows * columns + row * rows + column * columns)
            + 4.0 * rows * columns;
        let results = self.batch.size() as f64 * self.rows.size() as f64 * self.columns.size() as f64;
        let stored = model.store_apart * columns * columns * results;
        let right = self.reduced.size() * self.columns.size();
        let anew = if right > model.near { model.read_anew } else { 0.0 };
        let right = anew * (self.batch.size() * right) as f64 * (self.rows.size() as f64 / rows).ceil();
        let is_along = self.terms_adjoin(problem.program, 0);
        let apart = if is_along { model.read_apart * at_once as f64 } else { 0.0 };
        let size = (self.batch.size() * self.rows.size() * self.reduced.size()) as f64;
        let left = (model.read_left + apart) * size;
        let waves = (tiles as f64 / model.invocations).max(least);
        (problem.model().product * waves * work).max(right).max(left) + stored
    }

    fn lower(&self, problem: &Problem<'_>, sizes: Tile) -> Lowered {
        let Tile { rows, columns, terms } = sizes;
        let contraction = self;
        let (m, n) = (contraction.rows.size(), contraction.columns.size());
        let (across, down) = (n.div_ceil(columns as usize), m.div_ceil(rows as usize));
        let tiles = contraction.batch.size() * across * down;
        // Where many run at once, registers are for twice as many sums.
        let (each, most_sums) = match &problem.model().contract {
            ContractModel::Serial(model) => (self.serial_tile(problem, model, sizes), usize::MAX),
            ContractModel::Parallel(model) => (0.0, model.few_sums),
        };
        let workgroup = serial_workgroup(problem, tiles, tiles as f64 * each);
        let stage = problem.stage(&problem.name("contract"), workgroup, |eval| {
            eval.vectorized = terms == 4;
            let grid = grid(tiles.div_ceil(workgroup as usize), problem.limits);
            let (tile, guard) = each_invocation(eval, "tile", tiles, workgroup, grid);
            let [batch, tile_row, tile_column]: [ExprId; 3] = eval
                .b
                .unravel(tile, &[contraction.batch.size(), down, across].into())
                .try_into()
                .expect("a tile has three coordinates");
            let batch = eval.b.index_bind("batch", batch);
            let is_float = eval.program[contraction.anchor].dtype == DType::F32;
            let in_blocks = is_float && (rows * columns) as usize <= most_sums;
            each_part(eval, [tile_row, tile_column], sizes, [m, n], &mut |eval, at, count| {
                let rows = places(eval, "m", at[0], count[0], m);
                let columns = places(eval, "n", at[1], count[1], n);
                let sums = products(eval, contraction, batch, &rows, &columns, terms as usize, in_blocks);
                for (i, row) in rows.iter().enumerate() {
                    for (j, column) in columns.iter().enumerate() {
                        let sum = eval.b.read(sums[i * columns.len() + j]);
                        store_element(eval, problem, contraction, batch, row, column, sum);
                    }
                }
            });
            close_guard(eval, guard);
            grid
        });
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

/// What is written for a part of a tile: its place among parts, and its rows and columns.
type Part<'a> = dyn FnMut(&mut Evaluator<'_>, [ExprId; 2], [u32; 2]) + 'a;

/// Runs `body` for a tile at once, or in a loop over parts of it: given the part's place among
/// parts, and the rows and columns that it has.
fn each_part(
    eval: &mut Evaluator<'_>,
    place: [ExprId; 2],
    tile: Tile,
    extents: [usize; 2],
    body: &mut Part<'_>,
) {
    let whole = [tile.rows, tile.columns];
    if !eval.in_loops {
        return body(eval, place, whole);
    }
    // Of powers of two, and 10: a quarter of the tile, or as much of it as there can be.
    let columns = if tile.columns.is_multiple_of(4) { 4 } else { tile.columns.min(2) };
    let fits = |rows: &u32| tile.rows.is_multiple_of(*rows) && 4 * rows * columns <= tile.rows * tile.columns;
    let count = [[4, 2].into_iter().find(fits).unwrap_or(1), columns];
    let [down, across] = [0, 1].map(|side| whole[side] / count[side]);
    eval.each("number", (down * across) as usize, |eval, number| {
        let across = i64::from(across);
        let number = [eval.b.index_div(number, across), eval.b.index_rem(number, across)];
        let mut inside = None;
        let at = [0, 1].map(|side| {
            let before = eval.b.index_scale(place[side], [i64::from(down), across][side]);
            let at = eval.b.index_add(before, number[side]);
            let part = bounded(eval, "part", at, extents[side].div_ceil(count[side] as usize), false);
            inside = both(eval, inside, part.inside);
            part.at
        });
        eval.open();
        body(eval, at, count);
        close_guard(eval, inside);
    });
}

/// One row or column of a tile: its position, kept inside, and the condition that it is not past
/// the edge.
pub struct Bounded {
    /// The position.
    pub at: ExprId,
    /// The condition, unless it always holds.
    pub inside: Option<ExprId>,
}

/// The `count` neighbouring positions of a tile along an axis of `extent`.
pub fn places(eval: &mut Evaluator<'_>, name: &str, tile: ExprId, count: u32, extent: usize) -> Vec<Bounded> {
    let first = eval.b.index_scale(tile, i64::from(count));
    let exact = extent.is_multiple_of(count as usize);
    (0..count)
        .map(|offset| {
            let at = eval.b.index_offset(first, i64::from(offset));
            if exact && eval.vectorized {
                // Without a name, so that its place among four is known.
                return Bounded { at, inside: None };
            }
            bounded(eval, name, at, extent, exact || offset == 0)
        })
        .collect()
}

/// A position kept inside `extent`, and the condition that it was there, unless it always is.
pub fn bounded(eval: &mut Evaluator<'_>, name: &str, at: ExprId, extent: usize, always: bool) -> Bounded {
    if always {
        let at = eval.b.index_bind(name, at);
        return Bounded { at, inside: None };
    }
    let (end, last) = (eval.b.index_const(extent as i64), eval.b.index_const(extent as i64 - 1));
    let inside = eval.b.binary(BinaryOp::Lt, at, end);
    let clamped = eval.b.binary(BinaryOp::Min, at, last);
    let at = eval.b.bind(name, clamped);
    eval.b.index.set_range(at, 0, extent as i64 - 1);
    Bounded { at, inside: Some(inside) }
}

/// Walks the contracted axes and sums the tile's products, row by row; in blocks, or one by one.
pub fn products(
    eval: &mut Evaluator<'_>,
    contraction: &Contraction<'_>,
    batch: ExprId,
    rows: &[Bounded],
    columns: &[Bounded],
    together: usize,
    is_in_blocks: bool,
) -> Vec<LocalId> {
    let zero = eval.b.literal(Literal::zero(eval.program[contraction.anchor].dtype));
    let sums: Vec<LocalId> = (0..rows.len() * columns.len()).map(|_| eval.b.var("sum", zero)).collect();
    if contraction.reduced.size() == 0 {
        return sums;
    }
    let read = |eval: &mut Evaluator<'_>, side: usize, places: &[Bounded], k: ExprId| {
        let values = places.iter().map(|place| {
            let value = operand(eval, contraction, side, batch, place.at, k);
            eval.b.bind(["a", "b"][side], value)
        });
        values.collect::<Vec<ExprId>>()
    };
    let terms = contraction.reduced.size();
    // Sums of blocks, of groups of those, and of all, and after how many iterations each is added
    // to the next.
    let block = if terms > MANY_TERMS { BLOCK } else { terms.isqrt().next_power_of_two().max(BLOCK) };
    let group = (terms > MANY_TERMS).then(|| block * (terms / block).isqrt().next_power_of_two());
    let periods = [(is_in_blocks && terms >= 4 * block).then_some(block), group.filter(|_| is_in_blocks)];
    let periods: Vec<usize> = periods.into_iter().flatten().map(|terms| terms / together).collect();
    let more = periods.iter().map(|_| sums.iter().map(|_| eval.b.var("part", zero)).collect());
    let tiers: Vec<Vec<LocalId>> = more.chain([sums.clone()]).collect();
    let join = |eval: &mut Evaluator<'_>, tier: usize| {
        for (&part, &whole) in tiers[tier].iter().zip(&tiers[tier + 1]) {
            let (now, more) = (eval.b.read(whole), eval.b.read(part));
            let next = eval.b.binary(BinaryOp::Add, now, more);
            eval.b.push(Stmt::Assign(whole, next));
        }
    };
    let iterations = terms / together;
    for k in iterations * together..terms {
        let k = eval.b.index_const(k as i64);
        let (left, right) = (read(eval, 0, rows, k), read(eval, 1, columns, k));
        add_products(eval, &tiers[0], &left, &right);
    }
    eval.each("k", iterations, |eval, k| {
        let first = eval.b.index_scale(k, together as i64);
        // All are read before the first is used, so that the loads are in flight together.
        let mut values = Vec::with_capacity(together);
        for number in 0..together {
            let k = eval.b.index_offset(first, number as i64);
            values.push((read(eval, 0, rows, k), read(eval, 1, columns, k)));
        }
        for (left, right) in values {
            add_products(eval, &tiers[0], &left, &right);
        }
        for (tier, &period) in periods.iter().enumerate() {
            let (place, last) = (eval.b.index_rem(k, period as i64), eval.b.index_const(period as i64 - 1));
            let mut is_last = eval.b.binary(BinaryOp::Eq, place, last);
            if !iterations.is_multiple_of(period) {
                let end = eval.b.index_const(iterations as i64 - 1);
                let ends = eval.b.binary(BinaryOp::Eq, k, end);
                is_last = eval.b.binary(BinaryOp::Or, is_last, ends);
            }
            eval.open();
            join(eval, tier);
            tiers[tier].iter().for_each(|&part| eval.b.push(Stmt::Assign(part, zero)));
            eval.forget();
            eval.b.close_if(is_last);
        }
    });
    sums
}

/// Adds the products of a column and a row of values to the tile's sums.
pub fn add_products(eval: &mut Evaluator<'_>, sums: &[LocalId], left: &[ExprId], right: &[ExprId]) {
    for (i, &x) in left.iter().enumerate() {
        for (j, &y) in right.iter().enumerate() {
            let sum = sums[i * right.len() + j];
            let product = eval.b.product(x, y);
            let now = eval.b.read(sum);
            let next = eval.b.binary(BinaryOp::Add, now, product);
            eval.b.push(Stmt::Assign(sum, next));
        }
    }
}

/// The element of an operand at a row (of the left) or column (of the right) and a term.
pub fn operand(
    eval: &mut Evaluator<'_>,
    contraction: &Contraction<'_>,
    side: usize,
    batch: ExprId,
    place: ExprId,
    term: ExprId,
) -> ExprId {
    let program = eval.program;
    let ranks = [contraction.left, contraction.right].map(|id| program[id].shape.rank());
    let inner = eval.b.unravel(term, &contraction.reduced);
    let origin = eval.b.index_const(0);
    let (row, column) = if side == 0 { (place, origin) } else { (origin, place) };
    let at = contraction.at(&mut eval.b, batch, row, column);
    let (left, right) = contract_coordinates(contraction.axes, ranks[0], ranks[1], &at, &inner);
    if side == 0 { eval.value(contraction.left, &left) } else { eval.value(contraction.right, &right) }
}

/// Computes what follows the contraction at one element and stores it, unless the tile reaches past
/// the edge there.
pub fn store_element(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    contraction: &Contraction<'_>,
    batch: ExprId,
    row: &Bounded,
    column: &Bounded,
    sum: ExprId,
) {
    let inside = match (row.inside, column.inside) {
        (Some(a), Some(b)) => Some(eval.b.both(a, b)),
        (a, b) => a.or(b),
    };
    if inside.is_some() {
        eval.open();
    }
    let at = contraction.at(&mut eval.b, batch, row.at, column.at);
    eval.define(contraction.anchor, &at, sum);
    store_all(eval, &problem.cluster().outputs, &at, &problem.program[contraction.anchor].shape);
    close_guard(eval, inside);
}
