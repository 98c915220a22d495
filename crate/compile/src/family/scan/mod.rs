//! Running reductions, with what comes before and after them elementwise.
//!
//! What a scan restarts at (its lines' beginnings, or blocks of a long line, see
//! `simplify/line.rs`) makes rows that need nothing of each other. One invocation walks a row; or,
//! where the elements of rows lie side by side, a workgroup holds some rows: it fetches them in the
//! order in which they lie, each invocation runs over its own few elements in workgroup memory, the
//! totals of those are scanned (`kogge_stone.rs`), and what is stored goes out in order again. No
//! kernel waits for another workgroup: barriers are the only waits, and every loop counts to a
//! constant.

pub(crate) mod kogge_stone;
pub(crate) mod subgroups;

use super::launch::{close_guard, each_invocation, each_workgroup, grid};
use super::store::store_all;
use super::{Anchored, Candidates, Family, Lowered, Lowering, Numbers, Parameters, Problem, Stage};
use crate::device::ScanModel;
use crate::lower::accumulate::combine;
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::Evaluator;
use kogge_stone::KoggeStoneScan;
use weft_ir::kernel::{Expr, ExprId, Space, Stmt};
use weft_ir::op::{self, Op};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Shape};

/// Invocations of a workgroup whose invocations have rows of their own.
const SERIAL_WORKGROUP: u32 = 64;
/// Elements of a float sum that are added one by one, before the sum of those is added to what came
/// before.
const SHORT_SUM: usize = 32;
/// Elements of workgroup memory for each that pads it: reads of neighbours a few elements apart
/// then touch all memory banks.
const BANKS: i64 = 32;
/// Elements that an invocation which walks a row alone fetches together.
const AHEAD: usize = 4;
/// Elements that an invocation of a team holds.
const MOST_HELD: u32 = 16;

/// The family.
pub struct Scan;

/// How rows are scanned.
///
/// Deferred: few programs scan.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum RowScan {
    /// An invocation for each.
    Alone,
    /// Several invocations of a workgroup for each, with several elements.
    Team { workgroup: u32, lanes: u32, each: u32 },
    /// A workgroup for each, whose subgroups add up what comes before.
    Subgroups { workgroup: u32, each: u32 },
}

impl Parameters for RowScan {
    const NAMES: &'static [&'static str] = &["workgroup", "lanes", "each", "subgroups"];

    fn numbers(self) -> Numbers {
        match self {
            RowScan::Alone => [SERIAL_WORKGROUP, 1, 0, 0].into(),
            RowScan::Team { workgroup, lanes, each } => [workgroup, lanes, each, 0].into(),
            RowScan::Subgroups { workgroup, each } => [workgroup, workgroup, each, 1].into(),
        }
    }

    fn of(numbers: &Numbers) -> RowScan {
        match numbers.get() {
            [_, _, 0, _] => RowScan::Alone,
            [workgroup, lanes, each, 0] => RowScan::Team { workgroup, lanes, each },
            [workgroup, _, each, _] => RowScan::Subgroups { workgroup, each },
        }
    }
}

/// A scan taken apart.
///
/// Deferred: few programs scan.
pub(super) struct Rows {
    pub anchor: ProgramId,
    pub input: ProgramId,
    pub scan: op::Scan,
    pub dtype: DType,
    pub shape: Shape,
    /// Extents before the axis and after it.
    pub outer: Shape,
    inner: Shape,
    extent: usize,
    /// Elements of a row, of which the last of a line may have fewer.
    pub length: usize,
}

impl Family for Scan {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn numbers(&self) -> &'static [&'static str] {
        RowScan::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let anchor = problem.cluster().domain.anchor?;
        let node = &problem.program[anchor];
        let Op::Scan(scan) = node.op else { return None };
        let extent = node.shape[scan.axis];
        Some(Box::new(Rows {
            anchor,
            input: node.inputs[0],
            scan,
            dtype: node.dtype,
            outer: node.shape[..scan.axis].to_vec().into(),
            inner: node.shape[scan.axis + 1..].to_vec().into(),
            shape: node.shape.clone(),
            extent,
            length: scan.block.min(extent.max(1)),
        }))
    }
}

impl Lowering for Rows {
    type Candidate = RowScan;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<RowScan> {
        let mut found = Candidates::one(RowScan::Alone);
        if self.inner.size() != 1 || self.shape.size() == 0 {
            return found;
        }
        for workgroup in [64, 128, 256].into_iter().filter(|&w| w <= problem.limits.invocations) {
            for lanes in (0..).map(|n| 1 << n).take_while(|&lanes| lanes <= workgroup) {
                let each = self.length.div_ceil(lanes as usize) as u32;
                // More lanes than that would have nothing to do.
                if each <= MOST_HELD && (each >= 4 || lanes == 1) {
                    found.push(RowScan::Team { workgroup, lanes, each });
                    if lanes == workgroup && subgroups::suits(self, problem, workgroup, each) {
                        found.push(RowScan::Subgroups { workgroup, each });
                    }
                }
            }
        }
        found
    }

    fn is_fallback(&self, scan: RowScan) -> bool {
        scan == RowScan::Alone
    }

    fn cost(&self, problem: &Problem<'_>, candidate: RowScan) -> f64 {
        let ScanModel { element, apart } = problem.model().scan;
        let size = self.shape.size() as f64;
        let (workgroup, lanes, each) = match candidate {
            RowScan::Alone => {
                let element = if self.inner.size() == 1 { apart } else { element };
                return element * size + self.length as f64;
            }
            _ if !problem.model().cheap_barriers => return f64::INFINITY,
            RowScan::Team { workgroup, lanes, each } => (workgroup, lanes, each),
            // The more elements an invocation has, the fewer of them are under way at once.
            RowScan::Subgroups { each, .. } => return element * size * (1.0 + 0.005 * f64::from(each)),
        };
        // Rounds of barriers, in elements; of few elements each invocation has less to hide them
        // behind.
        let rounds = f64::from(lanes.ilog2()) + 16.0 / f64::from(each) + 256.0 / f64::from(workgroup);
        // Rows of one workgroup wait for each other.
        let rounds = rounds + 2.0 * f64::from((workgroup / lanes).ilog2());
        element * size * (1.0 + 0.02 * rounds)
    }

    fn lower(&self, problem: &Problem<'_>, candidate: RowScan) -> Lowered {
        let stage = match candidate {
            RowScan::Alone => self.alone(problem),
            RowScan::Team { workgroup, lanes, each } => self.together(problem, workgroup, lanes, each),
            RowScan::Subgroups { workgroup, each } => subgroups::lower(self, problem, workgroup, each),
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

impl Rows {
    /// Rows of a line.
    pub fn of_line(&self) -> usize {
        self.extent.div_ceil(self.length)
    }

    /// Whether the last row of a line is as long as the others.
    pub fn exact(&self) -> bool {
        self.extent.is_multiple_of(self.length)
    }

    pub fn combine(&self, eval: &mut Evaluator<'_>, before: ExprId, x: ExprId) -> ExprId {
        let both = combine(&mut eval.b, self.scan.op, self.dtype, before, x);
        eval.b.bind("sum", both)
    }

    pub fn identity(&self, eval: &mut Evaluator<'_>) -> ExprId {
        eval.b.literal(self.scan.op.identity(self.dtype))
    }

    /// Stores what follows of an element that is found.
    fn store(&self, eval: &mut Evaluator<'_>, problem: &Problem<'_>, at: &[ExprId], found: ExprId) {
        eval.define(self.anchor, at, found);
        store_all(eval, &problem.cluster().outputs, at, &self.shape);
    }

    /// An invocation for each row.
    fn alone(&self, problem: &Problem<'_>) -> Stage {
        let rows: Shape = [self.outer.size(), self.of_line(), self.inner.size()].into();
        // Float sums go by short blocks: rounding then grows with the root of a row's length.
        let rounds = self.scan.op == op::ReduceOp::Sum && self.dtype == DType::F32;
        let part = if rounds && self.length > SHORT_SUM { SHORT_SUM } else { self.length };
        problem.stage(&problem.name("scan"), SERIAL_WORKGROUP, |eval| {
            let grid = grid(rows.size().div_ceil(SERIAL_WORKGROUP as usize), problem.limits);
            let (row, guard) = each_invocation(eval, "row", rows.size(), SERIAL_WORKGROUP, grid);
            let of_row = eval.b.unravel(row, &rows);
            let (outer, inner) =
                (eval.b.unravel(of_row[0], &self.outer), eval.b.unravel(of_row[2], &self.inner));
            let identity = self.identity(eval);
            let (before, within) = (eval.b.var("before", identity), eval.b.var("within", identity));
            eval.each("part", self.length.div_ceil(part), |eval, number| {
                let exact = self.exact() && self.length.is_multiple_of(part);
                // Some loads are under way together.
                let together = if exact && part.is_multiple_of(AHEAD) { AHEAD } else { 1 };
                eval.each("i", part / together, |eval, i| {
                    let ahead = eval.b.index_scale(number, part as i64);
                    let first = eval.b.index_scale(i, together as i64);
                    let first = eval.b.index_add(ahead, first);
                    let mut fetched = Vec::with_capacity(together);
                    for turn in 0..together {
                        let place = eval.b.index_offset(first, turn as i64);
                        let (position, inside) = self.position(eval, of_row[1], place, exact);
                        if inside.is_some() {
                            eval.open();
                        }
                        let at = [&outer[..], &[position], &inner].concat();
                        let x = eval.value(self.input, &at);
                        fetched.push((at, inside, eval.b.bind("x", x)));
                    }
                    for (at, inside, x) in fetched {
                        let now = eval.b.read(within);
                        let now = eval.b.bind_anew("now", now);
                        let next = self.combine(eval, now, x);
                        let carried = eval.b.read(before);
                        let own = if self.scan.exclusive { now } else { next };
                        let found = if part < self.length { self.combine(eval, carried, own) } else { own };
                        let found = eval.b.bind_anew("found", found);
                        eval.b.push(Stmt::Assign(within, next));
                        self.store(eval, problem, &at, found);
                        close_guard(eval, inside);
                    }
                });
                if part < self.length {
                    let (carried, sum) = (eval.b.read(before), eval.b.read(within));
                    let next = self.combine(eval, carried, sum);
                    eval.b.push(Stmt::Assign(before, next));
                    eval.b.push(Stmt::Assign(within, identity));
                }
            });
            close_guard(eval, guard);
            grid
        })
    }

    /// The position on the axis of the element number `place` of a row in the order in which the
    /// scan runs, kept inside the axis, and whether it is in the row, unless it always is.
    fn position(
        &self,
        eval: &mut Evaluator<'_>,
        row: ExprId,
        place: ExprId,
        exact: bool,
    ) -> (ExprId, Option<ExprId>) {
        let first = eval.b.index_scale(row, self.length as i64);
        let last = eval.b.index_const(self.length as i64 - 1);
        let ahead = if self.scan.reverse { eval.b.index_sub(last, place) } else { place };
        let position = eval.b.index_add(first, ahead);
        if exact {
            // Without a name its place among four is known.
            let position = if eval.vectorized { position } else { eval.b.index_bind("at", position) };
            return (position, None);
        }
        let (end, length) = (eval.b.index_const(self.extent as i64), eval.b.index_const(self.length as i64));
        let in_axis = eval.b.index_less(position, end);
        let in_row = eval.b.index_less(place, length);
        let inside = eval.b.both(in_axis, in_row);
        // Only where it is inside is anything read there.
        let zero = eval.b.index_const(0);
        let kept = eval.b.select(inside, position, zero);
        let kept = eval.b.bind_anew("at", kept);
        eval.b.index.set_range(kept, 0, self.extent as i64 - 1);
        (kept, Some(inside))
    }

    /// A workgroup for some rows, which lie one behind the other: `lanes` invocations for each, of
    /// `each` elements.
    fn together(&self, problem: &Problem<'_>, workgroup: u32, lanes: u32, each: u32) -> Stage {
        let rows_of_tile = (workgroup / lanes) as usize;
        let lines: Shape = [self.outer.size(), self.of_line()].into();
        let tiles = lines.size().div_ceil(rows_of_tile);
        let held = i64::from(lanes * each);
        let words = (workgroup * each) as i64;
        problem.stage(&problem.name("scan, rows of"), workgroup, |eval| {
            let grid = grid(tiles, problem.limits);
            let (tile, lane, inside_grid) = each_workgroup(eval, "tile", tiles, workgroup, grid);
            let stored = storage_dtype(self.dtype);
            let shared = eval.b.array("row", stored, Space::Workgroup((words + words / BANKS) as u32));
            let padded = |eval: &mut Evaluator<'_>, word: ExprId| {
                let more = eval.b.index_div(word, BANKS);
                eval.b.index_add(word, more)
            };
            let identity = self.identity(eval);

            // Where the element of that number of all of a tile is: its coordinates, whether there
            // is one, its word, and whether there always is.
            let all = rows_of_tile * self.length;
            let all_rows = lines.size().is_multiple_of(rows_of_tile);
            let element = |eval: &mut Evaluator<'_>, flat: ExprId| {
                let (own, place) =
                    (eval.b.index_div(flat, self.length as i64), eval.b.index_rem(flat, self.length as i64));
                let before = eval.b.index_scale(tile, rows_of_tile as i64);
                let row = eval.b.index_add(before, own);
                let no_more = all.is_multiple_of(workgroup as usize);
                let exists = (!all_rows || !no_more).then(|| {
                    let (rows, own_rows) =
                        (eval.b.index_const(lines.size() as i64), eval.b.index_const(rows_of_tile as i64));
                    let (a, b) = (eval.b.index_less(row, rows), eval.b.index_less(own, own_rows));
                    eval.b.both(a, b)
                });
                let row = match exists {
                    Some(exists) => {
                        let zero = eval.b.index_const(0);
                        let kept = eval.b.select(exists, row, zero);
                        let kept = eval.b.bind_anew("row", kept);
                        eval.b.index.set_range(kept, 0, lines.size() as i64 - 1);
                        kept
                    }
                    None => row,
                };
                let of_line = eval.b.unravel(row, &lines);
                // Side by side in memory, whichever way the scan runs.
                let last = eval.b.index_const(self.length as i64 - 1);
                let turned = if self.scan.reverse { eval.b.index_sub(last, place) } else { place };
                let (position, in_line) = self.position(eval, of_line[1], turned, self.exact());
                let inside = match (exists, in_line) {
                    (Some(a), Some(b)) => Some(eval.b.both(a, b)),
                    (a, b) => a.or(b),
                };
                let zero = eval.b.index_const(0);
                let mut at = eval.b.unravel(of_line[0], &self.outer);
                at.push(position);
                at.resize(self.shape.rank(), zero);
                let own = eval.b.index_scale(own, held);
                let word = eval.b.index_add(own, turned);
                (at, inside, word, no_more)
            };

            // By four neighbours where that always fits, else a workgroup's width apart.
            let fours = all_rows
                && self.exact()
                && self.length.is_multiple_of(4)
                && all.is_multiple_of(4 * workgroup as usize);
            eval.vectorized = fours;
            let step = if fours { 4 } else { 1 };
            let first = eval.b.index_scale(lane, step);
            let mut fetched = Vec::new();
            for number in 0..all.div_ceil(workgroup as usize) as i64 {
                let flat =
                    eval.b.index_offset(first, number / step * step * i64::from(workgroup) + number % step);
                let (at, inside, word, always) = element(eval, flat);
                let x = eval.value(self.input, &at);
                let x = inside.map_or(x, |inside| eval.b.select(inside, x, identity));
                let x = eval.b.to_storage(x);
                let x = eval.b.bind_anew("x", x);
                fetched.push((word, x, always));
            }
            eval.vectorized = false;
            // All are on their way before the first is put down.
            for (word, x, always) in fetched {
                let index = padded(eval, word);
                let end = eval.b.index_const(words);
                let room = (!always).then(|| eval.b.index_less(word, end));
                if room.is_some() {
                    eval.open();
                }
                eval.b.push(Stmt::Store(shared, index, x));
                close_guard(eval, room);
            }
            eval.b.push(Stmt::Barrier);

            // Its own elements, one by one.
            let first = eval.b.index_scale(lane, i64::from(each));
            let mut own: Vec<(ExprId, ExprId)> = Vec::new();
            let mut total = None;
            for number in 0..each {
                let word = eval.b.index_offset(first, i64::from(number));
                let index = padded(eval, word);
                let index = eval.b.index_bind("word", index);
                let load = eval.b.expr(Expr::Load(shared, index));
                let load = eval.b.bind_anew("own", load);
                let x = eval.b.from_storage(self.dtype, load);
                let before = total.unwrap_or(identity);
                let next = match total {
                    Some(total) => self.combine(eval, total, x),
                    None => x,
                };
                own.push((index, if self.scan.exclusive { before } else { next }));
                total = Some(next);
            }
            let total = total.unwrap_or(identity);
            let scan = KoggeStoneScan { op: self.scan.op, dtype: self.dtype, workgroup, lanes };
            let before = (lanes > 1).then(|| scan.scan(eval, lane, total).0);
            for (index, value) in own {
                let value = match before {
                    Some(before) => self.combine(eval, before, value),
                    None => value,
                };
                let value = eval.b.to_storage(value);
                eval.b.push(Stmt::Store(shared, index, value));
            }
            eval.b.push(Stmt::Barrier);

            for number in 0..all.div_ceil(workgroup as usize) as i64 {
                let flat = eval.b.index_offset(lane, number * i64::from(workgroup));
                let (at, inside, word, _) = element(eval, flat);
                if inside.is_some() {
                    eval.open();
                }
                let index = padded(eval, word);
                let load = eval.b.expr(Expr::Load(shared, index));
                let load = eval.b.bind_anew("found", load);
                let found = eval.b.from_storage(self.dtype, load);
                self.store(eval, problem, &at, found);
                close_guard(eval, inside);
            }
            close_guard(eval, inside_grid);
            grid
        })
    }
}
