//! Contractions by workgroup: 256 invocations load a panel of each operand into workgroup memory, once for all of them, and each
//! computes a tile of the result from there. An invocation's rows and columns lie 16 apart, so that neighbours read and write
//! neighbouring elements (as in V. Volkov and J. W. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", 2008).

use super::contract::{Layout, Place, add_products, bounded, operand, store_element};
use super::{Problem, Stage, close_guard, grid, guard, workgroup_index};
use crate::eval::Evaluator;
use weft_ir::Literal;
use weft_ir::kernel::{ArrayId, Builtin, Expr, ExprId, LocalId, Space, Stmt};

/// Invocations along each side of a workgroup.
pub const SIDE: u32 = 16;
/// Terms of the sums in a panel.
const DEPTH: u32 = 8;

/// One operand's panel: `DEPTH` lines of `extent` elements.
struct Panel {
    array: ArrayId,
    /// Which operand.
    side: usize,
    /// Rows or columns in the panel, and in the whole.
    extent: u32,
    whole: usize,
    /// The first of them.
    first: ExprId,
    /// Whether neighbouring terms lie side by side in memory, rather than neighbouring rows or columns.
    terms_adjoin: bool,
}

impl Panel {
    /// Elements from one line to the next: one more than a line has, lest a line's elements share a memory bank.
    fn stride(&self) -> i64 {
        i64::from(self.extent) + 1
    }
}

/// The kernel, with tiles of `rows` by `columns` for each invocation.
pub fn lower(problem: &Problem<'_>, layout: &Layout<'_>, rows: u32, columns: u32) -> Stage {
    let (m, n) = (layout.rows.size(), layout.columns.size());
    let (high, wide) = (rows * SIDE, columns * SIDE);
    let (down, across) = (m.div_ceil(high as usize), n.div_ceil(wide as usize));
    let tiles = layout.batch.size() * down * across;
    problem.stage(&problem.name("contract, shared"), SIDE * SIDE, |eval| {
        let grid = grid(tiles, problem.limits);
        let tile = workgroup_index(eval, grid);
        let tile = eval.b.bind("tile", tile);
        eval.b.index.set_range(tile, 0, tiles as i64 - 1);
        let lane = eval.b.builtin_i32(Builtin::LocalIndex);
        let lane = eval.b.bind("lane", lane);
        eval.b.index.set_range(lane, 0, i64::from(SIDE * SIDE) - 1);
        let (y, x) = (eval.b.index_div(lane, i64::from(SIDE)), eval.b.index_rem(lane, i64::from(SIDE)));
        let (y, x) = (eval.b.index_bind("y", y), eval.b.index_bind("x", x));
        let inside = guard(eval, tile, tiles, grid[0] as usize * grid[1] as usize);

        let [batch, tile_row, tile_column]: [ExprId; 3] = eval
            .b
            .unravel(tile, &[layout.batch.size(), down, across].into())
            .try_into()
            .expect("a tile has three coordinates");
        let batch = eval.b.index_bind("batch", batch);
        let left = panel(eval, layout, 0, high, m, tile_row);
        let right = panel(eval, layout, 1, wide, n, tile_column);
        let sums = walk(eval, layout, batch, [&left, &right], lane, [y, x], [rows, columns]);

        let at: [Vec<Place>; 2] = [
            (0..rows).map(|i| place(eval, "m", &left, y, i)).collect(),
            (0..columns).map(|j| place(eval, "n", &right, x, j)).collect(),
        ];
        for (i, row) in at[0].iter().enumerate() {
            for (j, column) in at[1].iter().enumerate() {
                let sum = sums[i * at[1].len() + j];
                store_element(eval, problem, layout, batch, row, column, sum);
            }
        }
        close_guard(eval, inside);
        grid
    })
}

fn panel(
    eval: &mut Evaluator<'_>,
    layout: &Layout<'_>,
    side: usize,
    extent: u32,
    whole: usize,
    tile: ExprId,
) -> Panel {
    let dtype = eval.program[layout.anchor].dtype;
    let name = ["left", "right"][side].to_owned();
    let array = eval.b.array(name, dtype, Space::Workgroup(DEPTH * (extent + 1)));
    let first = eval.b.index_scale(tile, i64::from(extent));
    let first = eval.b.index_bind(["row", "column"][side], first);
    Panel { array, side, extent, whole, first, terms_adjoin: layout.terms_adjoin(eval.program, side) }
}

/// Where an invocation's `number`-th row or column is.
fn place(eval: &mut Evaluator<'_>, name: &str, panel: &Panel, own: ExprId, number: u32) -> Place {
    let at = eval.b.index_add(panel.first, own);
    let at = eval.b.index_offset(at, i64::from(number * SIDE));
    bounded(eval, name, at, panel.whole, panel.whole.is_multiple_of(panel.extent as usize))
}

/// Walks the contracted axes panel by panel, and sums.
fn walk(
    eval: &mut Evaluator<'_>,
    layout: &Layout<'_>,
    batch: ExprId,
    panels: [&Panel; 2],
    lane: ExprId,
    own: [ExprId; 2],
    tile: [u32; 2],
) -> Vec<LocalId> {
    let zero = eval.b.literal(Literal::zero(eval.program[layout.anchor].dtype));
    let sums: Vec<LocalId> = (0..tile[0] * tile[1]).map(|_| eval.b.var("sum", zero)).collect();
    let depth = layout.reduced.size();
    let start = eval.b.index_const(0);
    eval.each_from("k", start, depth, DEPTH, |eval, k| {
        for panel in panels {
            load(eval, layout, panel, batch, lane, k);
        }
        eval.b.push(Stmt::Barrier);
        eval.each("q", DEPTH as usize, |eval, q| {
            let [left, right] = [0, 1].map(|side| {
                let line = eval.b.index_scale(q, panels[side].stride());
                let first = eval.b.index_add(line, own[side]);
                let elements = (0..tile[side]).map(|i| {
                    let at = eval.b.index_offset(first, i64::from(i * SIDE));
                    let value = eval.b.expr(Expr::Load(panels[side].array, at));
                    eval.b.bind(["a", "b"][side], value)
                });
                elements.collect::<Vec<ExprId>>()
            });
            add_products(eval, &sums, &left, &right);
        });
        eval.b.push(Stmt::Barrier);
    });
    sums
}

/// Fills a panel, each invocation its share; beyond the last term with zeros.
fn load(
    eval: &mut Evaluator<'_>,
    layout: &Layout<'_>,
    panel: &Panel,
    batch: ExprId,
    lane: ExprId,
    k: ExprId,
) {
    let depth = layout.reduced.size();
    let zero = eval.b.literal(Literal::zero(eval.program[layout.anchor].dtype));
    for share in 0..panel.extent * DEPTH / (SIDE * SIDE) {
        let element = eval.b.index_offset(lane, i64::from(share * SIDE * SIDE));
        let by = i64::from(if panel.terms_adjoin { DEPTH } else { panel.extent });
        let (outer, inner) = (eval.b.index_div(element, by), eval.b.index_rem(element, by));
        let (line, along) = if panel.terms_adjoin { (inner, outer) } else { (outer, inner) };
        let term = eval.b.index_add(k, line);
        let term = bounded(eval, "term", term, depth, depth.is_multiple_of(DEPTH as usize));
        let at = eval.b.index_add(panel.first, along);
        let exact = panel.whole.is_multiple_of(panel.extent as usize);
        let at = bounded(eval, ["m", "n"][panel.side], at, panel.whole, exact);
        let value = operand(eval, layout, panel.side, batch, at.at, term.at);
        let value = term.inside.map_or(value, |inside| eval.b.select(inside, value, zero));
        let index = eval.b.index_scale(line, panel.stride());
        let index = eval.b.index_add(index, along);
        eval.b.push(Stmt::Store(panel.array, index, value));
    }
}
