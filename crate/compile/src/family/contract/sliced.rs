//! Contractions whose results are too few for a GPU, and whose sums are long: the invocations of a
//! workgroup share its block of the result and the terms of its sums ("sliced-K" in CUTLASS, where
//! split-K shares terms among workgroups). Each adds up a slice of the terms for a tile in
//! registers; the slices meet in workgroup memory, where each invocation adds up an element and
//! applies what follows.
//!
//! So what one long walk by few invocations is elsewhere is a short one by many, in one kernel:
//! sums in parts (`simplify/contract.rs`) need a second.

use super::{Bounded, Contraction, add_products, bounded, contraction, operand, store_element};
use crate::device::TileRate;
use crate::family::launch::{close_guard, each_workgroup, grid};
use crate::family::{
    Anchored, Candidates, Family, Lowered, Lowering, Numbers, Parameters, Problem, Stage, Sums,
};
use crate::limits::Limits;
use crate::lower::eval::Evaluator;
use weft_ir::Literal;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, LocalId, Space, Stmt, Type};

/// Rows and columns of the tile that an invocation adds up; neighbouring terms that it takes
/// together, which may be read as a vector.
const TILE: u32 = 4;
const TOGETHER: usize = 4;
/// Sums are kept whole if there are no more terms and results.
const MOST_TERMS: usize = 1024;
const MOST_RESULTS: usize = 1 << 17;
/// Results for each term from which on blocks keep a GPU busy.
const RESULTS_FOR_TERM: usize = 64;
/// Of so few terms no part of a sum is worth a dispatch of its own, from fewer results on: a
/// recurrent cell's, which does it at every step.
const FEW_TERMS: usize = 256;
const RESULTS_FOR_FEW: usize = 16;
/// Slices of the terms: as many as a tile has elements, so that each invocation ends with one
/// element of the block.
const SLICES: u32 = TILE * TILE;

/// The family.
pub struct Sliced;

/// A contraction whose terms invocations could share.
struct Shared<'a>(Contraction<'a>);

impl Family for Sliced {
    fn name(&self) -> &'static str {
        "sliced"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Slicing::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let contraction = contraction(problem).filter(|contraction| contraction.reduced.size() > 0)?;
        Some(Box::new(Shared(contraction)))
    }

    /// Each invocation asks again where an element of a padded operand, or of windows, lies.
    fn keeps_whole(&self, sums: &Sums, limits: &Limits) -> bool {
        sums.is_direct && suits(sums, limits)
    }
}

/// Whether invocations of one kernel had better share the terms of sums.
fn suits(sums: &Sums, limits: &Limits) -> bool {
    let first = Slicing::ALL[0];
    let has_room = limits.invocations >= first.workgroup()
        && limits.workgroup_bytes >= 4 * SLICES * first.extent(0) * first.extent(1);
    let for_term = if sums.terms <= FEW_TERMS { RESULTS_FOR_FEW } else { RESULTS_FOR_TERM };
    let enough = sums.terms * for_term..=MOST_RESULTS;
    // Blocks should hardly reach past the edges.
    let fits = |side: usize| {
        let extent = sums.sides[side];
        4 * extent.next_multiple_of(first.extent(side) as usize) <= 5 * extent
    };
    has_room && sums.terms <= MOST_TERMS && enough.contains(&sums.results) && fits(0) && fits(1)
}

impl Lowering for Shared<'_> {
    type Candidate = Slicing;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Slicing> {
        let (m, n) = (self.0.rows.size() as u32, self.0.columns.size() as u32);
        let useful = |slicing: &Slicing| {
            slicing.extent(0) < 2 * m
                && slicing.extent(1) < 2 * n
                && slicing.workgroup() <= problem.limits.invocations
                && TOGETHER * SLICES as usize <= self.0.reduced.size()
        };
        Slicing::ALL.into_iter().filter(useful).collect()
    }

    fn cost(&self, problem: &Problem<'_>, slicing: Slicing) -> f64 {
        // Where positions must be searched for, each invocation that reads them searches again.
        let searches = problem.written() > problem.operations();
        let Some(model) = problem.model().sliced.as_ref().filter(|_| !searches) else { return f64::INFINITY };
        let terms = (self.0.reduced.size() + model.meeting) as f64;
        let rates = Slicing::ALL.iter().position(|one| *one == slicing).map(|at| model.slices[at]);
        let TileRate { alone, rate, .. } = rates.expect("it is one of them");
        let blocks = slicing.blocks(&self.0).iter().product::<usize>() as f64;
        let together = f64::from(slicing.extent(0) * slicing.extent(1)) * blocks / rate;
        problem.model().product * terms * alone.max(together)
    }

    fn lower(&self, problem: &Problem<'_>, slicing: Slicing) -> Lowered {
        Lowered { stages: vec![lower(problem, &self.0, slicing)], partials: Vec::new() }
    }
}

/// How a workgroup divides its block of the result.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Slicing {
    /// Tiles of the block along the rows, and along the columns.
    tiles: [u32; 2],
}

impl Parameters for Slicing {
    const NAMES: &'static [&'static str] = &["down", "across"];

    fn numbers(self) -> Numbers {
        self.tiles.into()
    }

    fn of(numbers: &Numbers) -> Slicing {
        Slicing { tiles: numbers.get() }
    }
}

impl Slicing {
    /// Those worth trying. Larger blocks with fewer slices were slower on an NVIDIA H200, and such
    /// as are fetched into workgroup memory first no faster.
    const ALL: [Slicing; 2] = [Slicing { tiles: [2, 8] }, Slicing { tiles: [4, 4] }];

    /// Invocations of a workgroup, and elements of its block.
    fn workgroup(self) -> u32 {
        self.tiles[0] * self.tiles[1] * SLICES
    }

    /// Rows, for side 0, or columns of a block.
    fn extent(self, side: usize) -> u32 {
        self.tiles[side] * TILE
    }

    /// How many blocks there are: for each member of the batch, down and across.
    fn blocks(self, contraction: &Contraction<'_>) -> [usize; 3] {
        let count = |side: usize, size: usize| size.div_ceil(self.extent(side) as usize);
        [contraction.batch.size(), count(0, contraction.rows.size()), count(1, contraction.columns.size())]
    }
}

/// The kernel.
fn lower(problem: &Problem<'_>, contraction: &Contraction<'_>, slicing: Slicing) -> Stage {
    let blocks = slicing.blocks(contraction);
    let whole = [contraction.rows.size(), contraction.columns.size()];
    problem.stage(&problem.name("contract, sliced"), slicing.workgroup(), |eval| {
        eval.vectorized = true;
        let count = blocks.iter().product();
        let grid = grid(count, problem.limits);
        let (block, lane, inside) = each_workgroup(eval, "block", count, slicing.workgroup(), grid);
        let [batch, row, column]: [ExprId; 3] =
            eval.b.unravel(block, &blocks.into()).try_into().expect("a block has three coordinates");
        let batch = eval.b.index_bind("batch", batch);
        let first = [(0, row), (1, column)].map(|(side, block)| {
            // The block has a name rather than its first place, of which four would not be known to
            // be a divisor.
            let block = eval.b.index_bind(["down", "across"][side], block);
            eval.b.index_scale(block, i64::from(slicing.extent(side)))
        });
        let place = |eval: &mut Evaluator<'_>, side: usize, within: ExprId| {
            let at = eval.b.index_add(first[side], within);
            let exact = whole[side].is_multiple_of(slicing.extent(side) as usize);
            // Without a name, so that its place among four is known.
            if exact {
                Bounded { at, inside: None }
            } else {
                bounded(eval, ["m", "n"][side], at, whole[side], false)
            }
        };

        // Neighbouring invocations read what adjoins: columns, or else groups of terms.
        let by_slices = contraction.terms_adjoin(eval.program, 1);
        let [down, across] = slicing.tiles.map(|count| count as usize);
        let all = SLICES as usize;
        let order = if by_slices { [down, across, all] } else { [all, down, across] };
        let mut at = eval.b.unravel(lane, &order.into());
        at.rotate_right(usize::from(by_slices));
        let slice = eval.b.index_bind("slice", at[0]);
        let own = [eval.b.index_bind("y", at[1]), eval.b.index_bind("x", at[2])];
        let edge = [0, 1].map(|side| eval.b.index_scale(own[side], i64::from(TILE)));
        let within = |eval: &mut Evaluator<'_>, side: usize, number: u32| {
            eval.b.index_offset(edge[side], i64::from(number))
        };
        let [rows, columns] = [0, 1].map(|side| {
            let places = (0..TILE).map(|number| {
                let within = within(eval, side, number);
                place(eval, side, within)
            });
            places.collect::<Vec<_>>()
        });
        let sums = add_slice(eval, contraction, batch, [&rows, &columns], slice);

        // All slices of the block, each row by row in vectors of a tile's width; where neighbours
        // have other slices of one vector, each slice begins a place later, so that they do not all
        // write to one memory bank.
        let (size, width) = (i64::from(slicing.workgroup() / TILE), i64::from(slicing.extent(1)));
        let vector = Type { scalar: eval.program[contraction.anchor].dtype, lanes: TILE as u8 };
        let array = eval.b.array("slices", vector, Space::Workgroup(slicing.workgroup() / TILE * SLICES));
        let spot = |eval: &mut Evaluator<'_>, slice: ExprId, vector: ExprId| {
            let turned = eval.b.index_add(vector, slice);
            let vector = if by_slices { eval.b.index_rem(turned, size) } else { vector };
            let before = eval.b.index_scale(slice, size);
            eval.b.index_add(before, vector)
        };
        for (number, sum) in (0..).zip(sums) {
            let row = within(eval, 0, number);
            let above = eval.b.index_scale(row, across as i64);
            let vector = eval.b.index_add(above, own[1]);
            let at = spot(eval, slice, vector);
            let sum = eval.b.read(sum);
            eval.b.push(Stmt::Store(array, at, sum));
        }
        eval.b.push(Stmt::Barrier);
        let vector = eval.b.index_div(lane, i64::from(TILE));
        let vector = eval.b.index_bind("vector", vector);
        let first = eval.b.expr(Expr::Load(array, vector));
        let sums = eval.b.var("sums", first);
        eval.each("before", SLICES as usize - 1, |eval, before| {
            let slice = eval.b.index_offset(before, 1);
            let at = spot(eval, slice, vector);
            let more = eval.b.expr(Expr::Load(array, at));
            let now = eval.b.read(sums);
            let next = eval.b.binary(BinaryOp::Add, now, more);
            eval.b.push(Stmt::Assign(sums, next));
        });
        let (sums, place_in) = (eval.b.read(sums), eval.b.index_rem(lane, i64::from(TILE)));
        let mut sum = eval.b.expr(Expr::Component(sums, 0));
        for number in 1..TILE {
            let own = eval.b.expr(Expr::Component(sums, number as u8));
            let number = eval.b.index_const(i64::from(number));
            let is_own = eval.b.binary(BinaryOp::Eq, place_in, number);
            sum = eval.b.select(is_own, own, sum);
        }
        let sum = eval.b.bind("sum", sum);
        let (row, column) = (eval.b.index_div(lane, width), eval.b.index_rem(lane, width));
        let (row, column) = (place(eval, 0, row), place(eval, 1, column));
        store_element(eval, problem, contraction, batch, &row, &column, sum);
        close_guard(eval, inside);
        grid
    })
}

/// Adds up one slice of the terms for a tile: of every [`SLICES`] groups of neighbouring terms one.
/// Gives a vector for each row: of vectors a kernel is shorter, and compiled in half the time
/// (Chromium, NVIDIA H200).
fn add_slice(
    eval: &mut Evaluator<'_>,
    contraction: &Contraction<'_>,
    batch: ExprId,
    places: [&[Bounded]; 2],
    slice: ExprId,
) -> Vec<LocalId> {
    let zero = eval.b.literal(Literal::zero(eval.program[contraction.anchor].dtype));
    let zeros = eval.b.expr(Expr::Splat(TILE as u8, zero));
    let sums: Vec<LocalId> = (0..TILE).map(|_| eval.b.var("row", zeros)).collect();
    let (terms, slices) = (contraction.reduced.size(), SLICES as usize);
    let (groups, whole) = (terms.div_ceil(TOGETHER), terms / TOGETHER / slices);
    let add = |eval: &mut Evaluator<'_>, group: ExprId, always: bool| {
        // Groups are whole, or terms are asked for one by one.
        let in_groups = always || terms.is_multiple_of(TOGETHER);
        let group = if in_groups {
            bounded(eval, "group", group, groups, always)
        } else {
            Bounded { at: group, inside: None }
        };
        let first = eval.b.index_scale(group.at, TOGETHER as i64);
        // All are read before the first is used, so that the loads are in flight together.
        let mut values = Vec::with_capacity(TOGETHER);
        for number in 0..TOGETHER {
            let term = eval.b.index_offset(first, number as i64);
            let term = if in_groups {
                Bounded { at: term, inside: group.inside }
            } else {
                bounded(eval, "term", term, terms, false)
            };
            let [left, right] = [0, 1].map(|side| {
                std::array::from_fn::<ExprId, { TILE as usize }, _>(|number| {
                    let value = operand(eval, contraction, side, batch, places[side][number].at, term.at);
                    term.inside.map_or(value, |inside| eval.b.select(inside, value, zero))
                })
            });
            let left = left.map(|value| {
                let value = eval.b.bind("a", value);
                eval.b.expr(Expr::Splat(TILE as u8, value))
            });
            let right = eval.b.compose(&right);
            values.push((left, eval.b.bind("b", right)));
        }
        for (left, right) in values {
            add_products(eval, &sums, &left, &[right]);
        }
    };
    if whole > 0 {
        eval.each("iteration", whole, |eval, iteration| {
            let before = eval.b.index_scale(iteration, slices as i64);
            let group = eval.b.index_add(before, slice);
            add(eval, group, true);
        });
    }
    if whole * slices * TOGETHER < terms {
        let group = eval.b.index_offset(slice, (whole * slices) as i64);
        add(eval, group, false);
    }
    sums
}
