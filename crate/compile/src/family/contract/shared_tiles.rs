//! Contractions by workgroup: its invocations load a panel of each operand into workgroup memory,
//! once for all of them, and each computes a tile of the result from there.
//!
//! Panels hold vectors of four rows or columns, so that a read brings four values. There are two of
//! each: while one is multiplied the next is on its way (after A. Kerr et al., "CUTLASS: Fast
//! Linear Algebra in CUDA C++", 2017). Workgroups that run together cover a block of the result,
//! and so find what they read in the cache.

use super::{Bounded, Contraction, bounded, contraction, operand, store_element};
use crate::device::{SharedTileModel, TileRate};
use crate::family::launch::{close_guard, each_workgroup, grid};
use crate::family::{Anchored, Candidates, Family, Lowered, Lowering, Numbers, Parameters, Problem, Stage};
use crate::lower::eval::Evaluator;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Function, LocalId, Space, Stmt, Type};
use weft_ir::{DType, Literal};

/// Lanes of the vectors in workgroup memory.
const LANES: u32 = 4;
/// Rows of tiles that workgroups with neighbouring numbers stand on: where the left operand's terms
/// lie side by side, and where its rows do, of which a term's panel is read in one piece. On an
/// NVIDIA H200 (Node, Dawn) Aᵀ·B of 4096² takes 3.13 ms by bands of 8 and 3.06 by bands of 2.
const BAND: usize = 8;
const BAND_OF_TURNED: usize = 2;

/// Rows or columns of the narrowest tiles, which are for matrices that have no more.
const NARROW: u32 = 16;

/// The most steps over panels that a compiler may unroll.
const FEW_STEPS: usize = 4;

/// Operations that may be written out for a workgroup's tiles; shader compilers choke on more.
const MOST_WRITTEN: u32 = 4096;

/// The family.
pub struct SharedTiles;

/// A contraction that workgroups could share.
struct Shared<'a>(Contraction<'a>);

impl Family for SharedTiles {
    fn name(&self) -> &'static str {
        "shared-tiles"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Tiling::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let contraction = contraction(problem).filter(|contraction| contraction.reduced.size() > 0)?;
        Some(Box::new(Shared(contraction)))
    }
}

impl Lowering for Shared<'_> {
    type Candidate = Tiling;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Tiling> {
        let (m, n) = (self.0.rows.size() as u32, self.0.columns.size() as u32);
        // Every element of a tile is written out with all that comes after the contraction.
        let operations = problem.operations() as u32;
        let useful = |tiling: &Tiling| {
            let fits = |side: usize, extent: u32| {
                let own = tiling.extent(side);
                own < 2 * extent && (own > NARROW || extent <= NARROW)
            };
            fits(0, m)
                && fits(1, n)
                && tiling.workgroup() <= problem.limits.invocations
                && tiling.each[0] * tiling.each[1] * operations <= MOST_WRITTEN
        };
        Tiling::ALL.into_iter().filter(useful).collect()
    }

    fn cost(&self, problem: &Problem<'_>, tiling: Tiling) -> f64 {
        let Some(model) = &problem.model().shared_tiles else { return f64::INFINITY };
        let contraction = &self.0;
        let tiles = contraction.batch.size()
            * contraction.rows.size().div_ceil(tiling.extent(0) as usize)
            * contraction.columns.size().div_ceil(tiling.extent(1) as usize);
        // Whole panels, and the first is waited for.
        let panels = contraction.reduced.size().div_ceil(tiling.depth as usize) + 1;
        let turned = !contraction.terms_adjoin(problem.program, 0);
        let results =
            (contraction.batch.size() * contraction.rows.size() * contraction.columns.size()) as f64;
        let of_term = tiling.cost(model, tiles, turned);
        problem.model().product * (panels * tiling.depth as usize) as f64 * of_term + model.store * results
    }

    fn lower(&self, problem: &Problem<'_>, tiling: Tiling) -> Lowered {
        Lowered { stages: vec![lower(problem, &self.0, tiling)], partials: Vec::new() }
    }
}

/// How a workgroup divides its part of the result and its operands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Tiling {
    /// Invocations along the rows, and along the columns.
    pub invocations: [u32; 2],
    /// Rows and columns that each computes: multiples of four.
    pub each: [u32; 2],
    /// Terms of the sums in a panel.
    pub depth: u32,
}

impl Parameters for Tiling {
    const NAMES: &'static [&'static str] = &["down", "across", "rows", "columns", "depth"];

    fn numbers(self) -> Numbers {
        let Tiling { invocations: [down, across], each: [rows, columns], depth } = self;
        [down, across, rows, columns, depth].into()
    }

    fn of(numbers: &Numbers) -> Tiling {
        let [down, across, rows, columns, depth] = numbers.get();
        Tiling { invocations: [down, across], each: [rows, columns], depth }
    }
}

impl Tiling {
    /// Those worth trying, the smallest first.
    const ALL: [Tiling; 7] = [
        Tiling { invocations: [4, 16], each: [4, 4], depth: 16 },
        Tiling { invocations: [16, 4], each: [4, 4], depth: 16 },
        Tiling { invocations: [8, 8], each: [4, 4], depth: 16 },
        Tiling { invocations: [8, 16], each: [4, 4], depth: 16 },
        Tiling { invocations: [8, 16], each: [8, 4], depth: 16 },
        Tiling { invocations: [16, 8], each: [8, 8], depth: 8 },
        Tiling { invocations: [16, 16], each: [8, 8], depth: 8 },
    ];

    /// What a term costs, of so many tiles: one tile's on a processor of its own, or all of them at
    /// the GPU's rate. In a turned left operand rows lie side by side in memory, rather than terms.
    fn cost(self, model: &SharedTileModel, tiles: usize, turned: bool) -> f64 {
        let rates = Tiling::ALL.iter().position(|tiling| *tiling == self).map(|at| model.tiles[at]);
        let TileRate { alone, rate, rate_transposed } = rates.expect("it is one of them");
        let rate = if turned { rate_transposed } else { rate };
        let together = f64::from(self.extent(0) * self.extent(1)) * tiles as f64 / rate;
        alone.max(together)
    }

    /// Invocations of a workgroup.
    pub const fn workgroup(self) -> u32 {
        self.invocations[0] * self.invocations[1]
    }

    /// Rows, for side 0, or columns that a workgroup computes.
    pub const fn extent(self, side: usize) -> u32 {
        self.invocations[side] * self.each[side]
    }
}

/// One operand's panels: two, of `depth` lines of vectors each.
pub(crate) struct Panel {
    pub array: ArrayId,
    /// Which operand.
    side: usize,
    /// Rows or columns in the panel, and in the whole.
    extent: u32,
    whole: usize,
    /// The first of them.
    pub first: ExprId,
    /// Whether neighbouring terms lie side by side in memory, rather than neighbouring rows or
    /// columns.
    pub terms_adjoin: bool,
    depth: u32,
}

impl Panel {
    /// The panels of an operand, of which an array is not made yet, from a tile of rows or columns
    /// on.
    pub fn new(
        eval: &mut Evaluator<'_>,
        contraction: &Contraction<'_>,
        tiling: Tiling,
        side: usize,
        tile: ExprId,
    ) -> Panel {
        let extent = tiling.extent(side);
        let first = first_of(eval, tiling, side, tile);
        let whole = if side == 0 { contraction.rows.size() } else { contraction.columns.size() };
        let terms_adjoin = contraction.terms_adjoin(eval.program, side);
        Panel { array: ArrayId(0), side, extent, whole, first, terms_adjoin, depth: tiling.depth }
    }

    /// Rows or columns that an invocation has.
    pub fn each(&self, tiling: Tiling) -> u32 {
        tiling.each[self.side]
    }

    /// Vectors in a line.
    fn vectors(&self) -> u32 {
        self.extent / LANES
    }

    /// Vectors from one line to the next. Where neighbouring invocations fill neighbouring lines,
    /// one more than a line has, so that they do not all write to one memory bank.
    pub fn stride(&self) -> u32 {
        self.vectors() + u32::from(self.terms_adjoin)
    }

    /// Vectors from one panel to the other.
    pub fn size(&self) -> u32 {
        self.depth * self.stride()
    }

    /// The first vector of one of the two.
    pub fn start(&self, eval: &mut Evaluator<'_>, which: usize) -> ExprId {
        eval.b.index_const(which as i64 * i64::from(self.size()))
    }
}

/// The kernel.
fn lower(problem: &Problem<'_>, contraction: &Contraction<'_>, tiling: Tiling) -> Stage {
    let (m, n) = (contraction.rows.size(), contraction.columns.size());
    let (down, across) = (m.div_ceil(tiling.extent(0) as usize), n.div_ceil(tiling.extent(1) as usize));
    let tiles = contraction.batch.size() * down * across;
    problem.stage(&problem.name("contract, shared"), tiling.workgroup(), |eval| {
        let grid = grid(tiles, problem.limits);
        let (tile, lane, inside) = each_workgroup(eval, "tile", tiles, tiling.workgroup(), grid);
        let width = i64::from(tiling.invocations[1]);
        let (y, x) = (eval.b.index_div(lane, width), eval.b.index_rem(lane, width));
        let own = [eval.b.index_bind("y", y), eval.b.index_bind("x", x)];

        let is_turned = !contraction.terms_adjoin(eval.program, 0);
        let [batch, row, column] = place_of(eval, tile, contraction.batch.size(), [down, across], is_turned);
        let batch = eval.b.index_bind("batch", batch);
        let panels = [panel(eval, contraction, tiling, 0, row), panel(eval, contraction, tiling, 1, column)];
        let sums = walk(eval, contraction, tiling, batch, &panels, lane, own);

        if eval.in_loops {
            store_in_loops(eval, problem, contraction, tiling, batch, &panels, own, &sums);
            close_guard(eval, inside);
            return grid;
        }
        let [rows, columns] = [0, 1].map(|side| {
            let count = tiling.each[side];
            (0..count).map(|number| place(eval, tiling, &panels[side], own[side], number)).collect::<Vec<_>>()
        });
        for (i, row) in rows.iter().enumerate() {
            for (j, column) in columns.iter().enumerate() {
                let vector = eval.b.read(sums[i][j / LANES as usize]);
                let sum = eval.b.expr(Expr::Component(vector, (j % LANES as usize) as u8));
                store_element(eval, problem, contraction, batch, row, column, sum);
            }
        }
        close_guard(eval, inside);
        grid
    })
}

/// Stores an invocation's sums in a loop over the vectors that they are in.
#[expect(clippy::too_many_arguments)]
fn store_in_loops(
    eval: &mut Evaluator<'_>,
    problem: &Problem<'_>,
    contraction: &Contraction<'_>,
    tiling: Tiling,
    batch: ExprId,
    panels: &[Panel; 2],
    own: [ExprId; 2],
    sums: &[Vec<LocalId>],
) {
    let across = i64::from(tiling.each[1] / LANES);
    let sums = sums.concat();
    let store: &mut dyn FnMut(&mut Evaluator<'_>, ExprId) = &mut |eval, number| {
        let vectors: Vec<ExprId> = sums.iter().map(|&sum| eval.b.read(sum)).collect();
        let vector = picked(eval, &vectors, number);
        let row = eval.b.index_div(number, across);
        let row = place_at(eval, tiling, &panels[0], own[0], row);
        let first = eval.b.index_rem(number, across);
        let first = eval.b.index_scale(first, i64::from(LANES));
        for lane in 0..LANES {
            let column = eval.b.index_offset(first, i64::from(lane));
            let column = place_at(eval, tiling, &panels[1], own[1], column);
            let sum = eval.b.expr(Expr::Component(vector, lane as u8));
            store_element(eval, problem, contraction, batch, &row, &column, sum);
        }
    };
    eval.each("number", sums.len(), store);
}

/// Value `number` of some.
pub(crate) fn picked(eval: &mut Evaluator<'_>, values: &[ExprId], number: ExprId) -> ExprId {
    let mut picked = values[0];
    for (&value, which) in values.iter().zip(0..).skip(1) {
        let which = eval.b.index_const(which);
        let is_it = eval.b.binary(BinaryOp::Eq, number, which);
        picked = eval.b.select(is_it, value, picked);
    }
    eval.b.bind("picked", picked)
}

/// Which batch, row and column of tiles a workgroup computes: bands of rows, column after column.
fn place_of(
    eval: &mut Evaluator<'_>,
    tile: ExprId,
    batch: usize,
    [down, across]: [usize; 2],
    is_turned: bool,
) -> [ExprId; 3] {
    let band = if is_turned { BAND_OF_TURNED } else { BAND };
    let band = if down.is_multiple_of(band) { band } else { 1 };
    let at = eval.b.unravel(tile, &[batch, down / band, across, band].into());
    let above = eval.b.index_scale(at[1], band as i64);
    [at[0], eval.b.index_add(above, at[3]), at[2]]
}

fn panel(
    eval: &mut Evaluator<'_>,
    contraction: &Contraction<'_>,
    tiling: Tiling,
    side: usize,
    tile: ExprId,
) -> Panel {
    let mut panel = Panel::new(eval, contraction, tiling, side, tile);
    let ty = Type { scalar: eval.program[contraction.anchor].dtype, lanes: LANES as u8 };
    panel.array = eval.b.array(["left", "right"][side], ty, Space::Workgroup(2 * panel.size()));
    panel
}

/// The first row or column of a tile.
pub(crate) fn first_of(eval: &mut Evaluator<'_>, tiling: Tiling, side: usize, tile: ExprId) -> ExprId {
    // What is named is a fourth of it, so that it is known to be a multiple of four.
    let fours = eval.b.index_scale(tile, i64::from(tiling.extent(side) / LANES));
    let fours = eval.b.index_bind(["rows", "columns"][side], fours);
    eval.b.index_scale(fours, i64::from(LANES))
}

/// Where an invocation's `number`-th row or column is: in vectors of four, the fours of neighbours
/// side by side.
pub(crate) fn place(
    eval: &mut Evaluator<'_>,
    tiling: Tiling,
    panel: &Panel,
    own: ExprId,
    number: u32,
) -> Bounded {
    let number = eval.b.index_const(number.into());
    place_at(eval, tiling, panel, own, number)
}

/// [`place`], of a row or column that is known as the kernel runs.
pub(crate) fn place_at(
    eval: &mut Evaluator<'_>,
    tiling: Tiling,
    panel: &Panel,
    own: ExprId,
    number: ExprId,
) -> Bounded {
    let lanes = i64::from(LANES);
    let four = eval.b.index_scale(own, lanes);
    let at = eval.b.index_add(panel.first, four);
    let (fours, lane) = (eval.b.index_div(number, lanes), eval.b.index_rem(number, lanes));
    let before = eval.b.index_scale(fours, i64::from(tiling.invocations[panel.side]) * lanes);
    let before = eval.b.index_add(before, lane);
    let at = eval.b.index_add(at, before);
    bounded(eval, ["m", "n"][panel.side], at, panel.whole, panel.whole.is_multiple_of(panel.extent as usize))
}

/// Walks the contracted axes panel by panel, and sums: for each row, vectors of columns.
pub(crate) fn walk(
    eval: &mut Evaluator<'_>,
    contraction: &Contraction<'_>,
    tiling: Tiling,
    batch: ExprId,
    panels: &[Panel; 2],
    lane: ExprId,
    own: [ExprId; 2],
) -> Vec<Vec<LocalId>> {
    let steps = contraction.reduced.size().div_ceil(tiling.depth as usize);
    let zero = zero_of(eval, contraction, steps, lane);
    let sums = sums_of(eval, tiling, zero);
    let fetch_both = |eval: &mut Evaluator<'_>, step: ExprId| {
        let k = eval.b.index_scale(step, i64::from(tiling.depth));
        let fetched = panels.iter().map(|panel| {
            let term = |eval: &mut Evaluator<'_>, line: ExprId| eval.b.index_add(k, line);
            fetch(eval, contraction, tiling, panel, batch, lane, &term)
        });
        fetched.collect()
    };
    let put_both = |eval: &mut Evaluator<'_>, fetched: &[Vec<ExprId>], which: usize| {
        for (panel, vectors) in panels.iter().zip(fetched) {
            put(eval, tiling, panel, lane, which, vectors);
        }
    };
    in_turns(eval, steps, &fetch_both, &put_both, &|eval, _, now| {
        let starts = [0, 1].map(|side| panels[side].start(eval, now));
        multiply(eval, tiling, panels, own, starts, &sums);
    });
    sums
}

/// What sums begin with. A compiler that knows it to be 0 contracts either of the first two
/// products with the other, in one text the first and in another the second: where it may see all
/// steps, it does not know.
fn zero_of(eval: &mut Evaluator<'_>, contraction: &Contraction<'_>, steps: usize, lane: ExprId) -> ExprId {
    let dtype = eval.program[contraction.anchor].dtype;
    let zero = eval.b.literal(Literal::zero(dtype));
    if steps > FEW_STEPS || dtype != DType::F32 {
        return zero;
    }
    let lane = eval.b.expr(Expr::Bitcast(DType::F32, lane));
    eval.b.call(Function::Hidden, &[zero, lane])
}

/// An invocation's sums, with nothing added to `zero` yet: for each row, vectors of columns.
pub(crate) fn sums_of(eval: &mut Evaluator<'_>, tiling: Tiling, zero: ExprId) -> Vec<Vec<LocalId>> {
    let zero = eval.b.expr(Expr::Splat(LANES as u8, zero));
    let vectors = tiling.each[1] / LANES;
    (0..tiling.each[0]).map(|_| (0..vectors).map(|_| eval.b.var("sum", zero)).collect()).collect()
}

/// Reads what a step multiplies, for each panel.
type Fetch<'a> = &'a dyn Fn(&mut Evaluator<'_>, ExprId) -> Vec<Vec<ExprId>>;
/// Writes what was read into panels 0 or 1.
type Put<'a> = &'a dyn Fn(&mut Evaluator<'_>, &[Vec<ExprId>], usize);
/// Multiplies a step's panels.
type Multiply<'a> = &'a dyn Fn(&mut Evaluator<'_>, ExprId, usize);

/// Multiplies one step's panels after the other's: while it multiplies them, the next step's are on
/// their way into the others. Two steps are an iteration, so that it is known which panels are
/// whose. In loops, a step is an iteration that has the panels for itself.
pub(crate) fn in_turns(
    eval: &mut Evaluator<'_>,
    steps: usize,
    fetch: Fetch<'_>,
    put: Put<'_>,
    multiply: Multiply<'_>,
) {
    if eval.in_loops {
        let step: &mut dyn FnMut(&mut Evaluator<'_>, ExprId) = &mut |eval, at| {
            let fetched = fetch(eval, at);
            // The step before has read the panels.
            eval.b.push(Stmt::Barrier);
            put(eval, &fetched, 0);
            eval.b.push(Stmt::Barrier);
            multiply(eval, at, 0);
        };
        return eval.each("step", steps, step);
    }
    let origin = eval.b.index_const(0);
    let first = fetch(eval, origin);
    put(eval, &first, 0);
    eval.b.push(Stmt::Barrier);
    let step = |eval: &mut Evaluator<'_>, at: ExprId, next: Option<ExprId>, now: usize| {
        let next = next.map(|step| fetch(eval, step));
        multiply(eval, at, now);
        if let Some(next) = next {
            put(eval, &next, 1 - now);
            eval.b.push(Stmt::Barrier);
        }
    };
    let iterations = (steps - 1) / 2;
    if iterations > 0 {
        eval.each("iteration", iterations, |eval, iteration| {
            let twice = eval.b.index_scale(iteration, 2);
            for now in [0, 1] {
                let at = eval.b.index_offset(twice, now as i64);
                let next = eval.b.index_offset(twice, now as i64 + 1);
                step(eval, at, Some(next), now);
            }
        });
    }
    for at in 2 * iterations..steps {
        let next = (at + 1 < steps).then(|| eval.b.index_const(at as i64 + 1));
        let here = eval.b.index_const(at as i64);
        step(eval, here, next, at % 2);
    }
}

/// An invocation's share of a panel: which line and vector, for each that it fills.
fn share(eval: &mut Evaluator<'_>, tiling: Tiling, panel: &Panel, lane: ExprId) -> Vec<(ExprId, ExprId)> {
    let workgroup = tiling.workgroup();
    let by = i64::from(if panel.terms_adjoin { panel.depth } else { panel.vectors() });
    let shares = 0..panel.vectors() * panel.depth / workgroup;
    shares
        .map(|share| {
            let element = eval.b.index_offset(lane, i64::from(share * workgroup));
            let (outer, inner) = (eval.b.index_div(element, by), eval.b.index_rem(element, by));
            // In the order in which they lie in memory.
            if panel.terms_adjoin { (inner, outer) } else { (outer, inner) }
        })
        .collect()
}

/// Reads an invocation's share of a panel, of whose lines `term_of` says which terms they are;
/// beyond the last term there are zeros.
pub(crate) fn fetch(
    eval: &mut Evaluator<'_>,
    contraction: &Contraction<'_>,
    tiling: Tiling,
    panel: &Panel,
    batch: ExprId,
    lane: ExprId,
    term_of: &dyn Fn(&mut Evaluator<'_>, ExprId) -> ExprId,
) -> Vec<ExprId> {
    let depth = contraction.reduced.size();
    let zero = eval.b.literal(Literal::zero(eval.program[contraction.anchor].dtype));
    let zero = eval.b.expr(Expr::Splat(LANES as u8, zero));
    let mut vectors = Vec::new();
    // Neighbours that lie side by side are one load: 45 to 49 TFLOP/s for 4096³ on an NVIDIA H200.
    let exact = panel.whole.is_multiple_of(panel.extent as usize);
    eval.vectorized = exact && !panel.terms_adjoin;
    for (line, vector) in share(eval, tiling, panel, lane) {
        let term = term_of(eval, line);
        let term = bounded(eval, "term", term, depth, depth.is_multiple_of(panel.depth as usize));
        let lanes = (0..LANES).map(|number| {
            let at = eval.b.index_scale(vector, i64::from(LANES));
            let at = eval.b.index_add(panel.first, at);
            let at = eval.b.index_offset(at, i64::from(number));
            // Without a name its place among four is known.
            let named =
                (!eval.vectorized).then(|| bounded(eval, ["m", "n"][panel.side], at, panel.whole, exact).at);
            operand(eval, contraction, panel.side, batch, named.unwrap_or(at), term.at)
        });
        let lanes: Vec<ExprId> = lanes.collect();
        let value = eval.b.compose(&lanes);
        let value = term.inside.map_or(value, |inside| eval.b.select(inside, value, zero));
        vectors.push(eval.b.bind("next", value));
    }
    eval.vectorized = false;
    vectors
}

/// Writes what was fetched into one of the two panels of an operand.
pub(crate) fn put(
    eval: &mut Evaluator<'_>,
    tiling: Tiling,
    panel: &Panel,
    lane: ExprId,
    which: usize,
    fetched: &[ExprId],
) {
    let start = which as i64 * i64::from(panel.size());
    for ((line, vector), &value) in share(eval, tiling, panel, lane).into_iter().zip(fetched) {
        let index = eval.b.index_scale(line, i64::from(panel.stride()));
        let index = eval.b.index_add(index, vector);
        let index = eval.b.index_offset(index, start);
        eval.b.push(Stmt::Store(panel.array, index, value));
    }
}

/// Adds the products of one pair of panels, which begin at such vectors, to an invocation's sums,
/// term after term.
pub(crate) fn multiply(
    eval: &mut Evaluator<'_>,
    tiling: Tiling,
    panels: &[Panel; 2],
    own: [ExprId; 2],
    starts: [ExprId; 2],
    sums: &[Vec<LocalId>],
) {
    let firsts = [0, 1].map(|side| eval.b.index_add(own[side], starts[side]));
    let add: &mut dyn FnMut(&mut Evaluator<'_>, ExprId) = &mut |eval, q| {
        let [left, right] = [0, 1].map(|side| {
            let panel = &panels[side];
            let line = eval.b.index_scale(q, i64::from(panel.stride()));
            let first = eval.b.index_add(firsts[side], line);
            let vectors = (0..tiling.each[side] / LANES).map(|number| {
                let at = eval.b.index_offset(first, i64::from(number * tiling.invocations[side]));
                let vector = eval.b.expr(Expr::Load(panel.array, at));
                eval.b.bind(["a", "b"][side], vector)
            });
            vectors.collect::<Vec<ExprId>>()
        });
        for (i, sums) in sums.iter().enumerate() {
            let lane = (i % LANES as usize) as u8;
            let x = eval.b.expr(Expr::Component(left[i / LANES as usize], lane));
            let x = eval.b.expr(Expr::Splat(LANES as u8, x));
            for (&sum, &y) in sums.iter().zip(&right) {
                let product = eval.b.product(x, y);
                let now = eval.b.read(sum);
                let next = eval.b.binary(BinaryOp::Add, now, product);
                eval.b.push(Stmt::Assign(sum, next));
            }
        }
    };
    if eval.in_loops {
        return eval.each("term", tiling.depth as usize, add);
    }
    for q in 0..tiling.depth {
        let q = eval.b.index_const(q.into());
        add(eval, q);
    }
}
