//! Fourier transforms of lines that fit workgroup memory, many in one dispatch (J. Cooley and J.
//! Tukey 1965, in T. Stockham's order, as in N. Govindaraju et al., "High Performance Discrete
//! Fourier Transforms on Graphics Processors", 2008).
//!
//! A workgroup has some lines. Each of its invocations holds a few numbers at a time and transforms
//! as many of them as a radix tells; in between they exchange them through workgroup memory, real
//! parts first, then imaginary ones, which takes half the room. Who transforms what is free in each
//! round: so lines are fetched and stored in the order in which they lie in memory, be it along
//! their axis or across, and a transposition before or after costs nothing. Factors of unit length
//! come from the table; of a power of two of them, others are products.

mod loops;
mod passes;

use super::choice::parameters;
use super::launch::{close_guard, each_workgroup, grid};
use super::sort::{both, kept};
use super::store::store_all;
use super::{Anchored, Candidates, Family, Lowered, Lowering, Parameters, Problem, Stage};
use crate::device::FourierModel;
use crate::lower::builder::KernelBuilder;
use crate::lower::coordinates::interleave;
use crate::lower::eval::Evaluator;
use std::f64::consts::PI;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Space, Stmt, UnaryOp};
use weft_ir::op::{LARGEST_RADIX, Op};
use weft_ir::program::ProgramId;
use weft_ir::{DType, Literal, Shape};

/// Elements of workgroup memory for each that pads it, as many as it has banks.
const BANKS: usize = 32;
/// Numbers that an invocation holds.
const HELD: [u32; 3] = [8, 16, 4];

/// The family.
pub struct Fourier;

parameters! {
    /// How a workgroup divides its lines.
    Tile {
        /// Its invocations.
        workgroup: u32,
        /// Its lines.
        lines: u32,
        /// The most numbers that are transformed at once.
        radix: u32,
        /// Whether each round is a kernel of its own, and its numbers go through buffers.
        in_passes: bool,
    }
}

/// Lines to be transformed.
///
/// Deferred: few programs transform to frequencies.
struct Lines {
    anchor: ProgramId,
    x: ProgramId,
    twiddles: ProgramId,
    shape: Shape,
    /// The axes of parts and of lines, in order, and which of the two is that of parts.
    axes: [usize; 2],
    parts: usize,
    /// Extents of the others.
    others: Shape,
    /// Numbers of a line.
    length: usize,
    /// Whether numbers of a line lie nearer to each other than those of neighbouring lines, where
    /// they come from and where they go.
    along: [bool; 2],
}

/// A complex number.
type Pair = [ExprId; 2];

/// Where an invocation stands in a round: the line, in the workgroup and of all; which transform of
/// its numbers; whether there is one, in the workgroup and at all.
struct Position {
    own: ExprId,
    line: ExprId,
    number: ExprId,
    in_tile: Option<ExprId>,
    inside: Option<ExprId>,
}

impl Family for Fourier {
    fn name(&self) -> &'static str {
        "fourier"
    }

    fn numbers(&self) -> &'static [&'static str] {
        Tile::NAMES
    }

    fn anchor<'a>(&self, problem: &Problem<'a>) -> Option<Box<dyn Anchored + 'a>> {
        let anchor = problem.cluster().domain.anchor?;
        let Op::Fourier { parts, axis } = problem.program[anchor].op else { return None };
        Some(Box::new(Lines::of(problem, anchor, parts, axis)))
    }
}

impl Lowering for Lines {
    type Candidate = Tile;

    fn candidates(&self, problem: &Problem<'_>) -> Candidates<Tile> {
        let mut found = Candidates::default();
        if let FourierModel::Serial { .. } = problem.model().fourier {
            found.extend([4, 8, 16].map(|radix| self.pass_tile(problem, radix)));
        }
        // Neighbours of long lines take many invocations.
        let largest = if self.along == [true; 2] { 256 } else { 1024 };
        let largest = largest.min(problem.limits.invocations);
        for workgroup in [256, 512, 1024, 128, 64, 32].into_iter().filter(|&w| w <= largest) {
            for held in HELD {
                let most = (workgroup * held) as usize / self.length;
                let room = problem.limits.workgroup_bytes as usize / 4;
                let mut lines = most.min(self.others.size().next_power_of_two());
                while lines > 1 && lines * self.stride(lines) > room {
                    lines -= 1;
                }
                let tile = Tile { workgroup, lines: lines as u32, radix: held.min(16), in_passes: false };
                if lines > 0 && !found.contains(tile) {
                    found.push(tile);
                }
            }
        }
        if found.is_empty() {
            let workgroup = problem.limits.invocations.min(256);
            found.push(Tile { workgroup, lines: 1, radix: 8, in_passes: false });
        }
        found
    }

    fn is_fallback(&self, tile: Tile) -> bool {
        !tile.in_passes
    }

    fn cost(&self, problem: &Problem<'_>, Tile { workgroup, lines, radix, in_passes }: Tile) -> f64 {
        let size = self.shape.size() as f64;
        let kernel = problem.model().serial.map_or(0.0, |serial| serial.kernel);
        let rounds = self.radices(radix as usize).len() as f64;
        let (element, together, workgroups) = match problem.model().fourier {
            FourierModel::Parallel { element, together, workgroups } => (element, together, workgroups),
            FourierModel::Serial { pass, .. } if in_passes => {
                return rounds * (kernel + size * pass);
            }
            FourierModel::Serial { element, barrier, .. } => {
                return kernel + size * (element + rounds * f64::from(workgroup) / barrier);
            }
        };
        let across = self.along.iter().filter(|&&along| !along).count() as f64;
        let apart = across * (together / f64::from(lines)).max(1.0).log2();
        let tiles = self.others.size().div_ceil(lines as usize) as f64;
        // Few workgroups leave most of a device idle.
        let idle = (workgroups / tiles).max(1.0).sqrt();
        // Few invocations hide little of each other's waiting, many wait for each other.
        let waits = 16.0 / f64::from(workgroup) + f64::from(workgroup) / 2048.0;
        element * size * (1.0 + 0.1 * rounds + 0.8 * apart + waits) * idle
    }

    fn lower(&self, problem: &Problem<'_>, tile: Tile) -> Lowered {
        let Tile { workgroup, lines, radix, in_passes } = tile;
        if in_passes {
            return self.passes(problem, workgroup, &self.radices(radix as usize));
        }
        let (lines, radices) = (lines as usize, self.radices(radix as usize));
        let stage = if problem.in_loops && self.has_loops(problem, lines) {
            self.stage_in_loops(problem, workgroup, lines, &radices)
        } else {
            self.stage(problem, workgroup, lines, &radices)
        };
        Lowered { stages: vec![stage], partials: Vec::new() }
    }
}

impl Lines {
    /// A function of its own, for few programs need it.
    #[inline(never)]
    fn of(problem: &Problem<'_>, anchor: ProgramId, parts: usize, axis: usize) -> Lines {
        let node = &problem.program[anchor];
        let axes = [parts.min(axis), parts.max(axis)];
        let mut lines = Lines {
            anchor,
            x: node.inputs[0],
            twiddles: node.inputs[1],
            axes,
            parts: usize::from(parts > axis),
            others: node.shape.without(&axes),
            length: node.shape[axis],
            along: [true, node.shape[axis + 1..].iter().product::<usize>() == 1],
            shape: node.shape.clone(),
        };
        lines.along[0] = lines.is_read_along(problem);
        lines
    }

    /// How many numbers are transformed at once in each round, powers of two up to `most`.
    fn radices(&self, most: usize) -> Vec<usize> {
        let twos = self.length.trailing_zeros();
        // One number takes a round too.
        let rounds = if self.length == 1 { 1 } else { twos.div_ceil(most.ilog2()) };
        let of_twos = (0..rounds).map(|round| 1 << ((twos + rounds - 1 - round) / rounds));
        let (mut radices, mut rest) = (of_twos.collect::<Vec<usize>>(), self.length >> twos);
        for radix in 3..=LARGEST_RADIX {
            while rest.is_multiple_of(radix) {
                radices.push(radix);
                rest /= radix;
            }
        }
        radices
    }

    /// Words of workgroup memory from one line to the next, so that neighbouring lines touch banks
    /// of their own.
    fn stride(&self, lines: usize) -> usize {
        let padded = self.length + self.length / BANKS;
        padded.next_multiple_of(BANKS) + (BANKS / lines).max(1)
    }

    /// The coordinates of a part of a number of a line.
    fn at(&self, eval: &mut Evaluator<'_>, line: ExprId, position: ExprId, part: usize) -> Vec<ExprId> {
        let others = eval.b.unravel(line, &self.others);
        let mut inner = [position; 2];
        inner[self.parts] = eval.b.index_const(part as i64);
        interleave(&others, &inner, &self.axes)
    }

    /// Whether the first thing that is read of a number lies nearer to what is read of the next of
    /// its line than to that of the next line.
    fn is_read_along(&self, problem: &Problem<'_>) -> bool {
        let mut along = true;
        problem.stage("", 1, |eval| {
            let line = eval.b.counter("line", self.others.size() as i64).1;
            let position = eval.b.counter("position", self.length as i64).1;
            let others = eval.b.unravel(line, &self.others);
            let at = self.at(eval, line, position, 0);
            eval.value(self.x, &at);
            let next = others.iter().zip(self.others.iter()).rev().find(|(_, extent)| **extent > 1);
            let step = |eval: &mut Evaluator<'_>, of: ExprId| {
                let reached = eval.reached.clone();
                let steps = reached.iter().map(|(node, place)| {
                    let flat = eval.b.ravel(place, &problem.program[*node].shape);
                    let terms = eval.b.index_terms(flat);
                    terms.iter().find(|term| term.0 == of).map_or(0, |term| term.1.abs())
                });
                steps.filter(|&step| step > 0).min()
            };
            let own = step(eval, position);
            let across = next.and_then(|(&next, _)| step(eval, next));
            along = match (own, across) {
                (Some(own), Some(across)) => own <= across,
                (None, Some(_)) => false,
                _ => true,
            };
            [1; 3]
        });
        along
    }

    fn stage(&self, problem: &Problem<'_>, workgroup: u32, lines: usize, radices: &[usize]) -> Stage {
        let (n, stride) = (self.length, self.stride(lines));
        let tiles = self.others.size().div_ceil(lines);
        problem.stage(&problem.name("fourier"), workgroup, |eval| {
            let grid = grid(tiles, problem.limits);
            let (tile, lane, in_grid) = each_workgroup(eval, "tile", tiles, workgroup, grid);
            // A single round exchanges nothing.
            let words = if radices.len() > 1 { lines * stride } else { 1 };
            let shared = eval.b.array("numbers", DType::F32, Space::Workgroup(words as u32));
            let word = |eval: &mut Evaluator<'_>, here: &Position, place: ExprId| {
                let (first, pad) =
                    (eval.b.index_scale(here.own, stride as i64), eval.b.index_div(place, BANKS as i64));
                let padded = eval.b.index_add(place, pad);
                eval.b.index_add(first, padded)
            };

            // The numbers in hand, and where they go.
            let mut hand: Vec<(Position, Vec<Pair>)> = Vec::new();
            let mut span = 1;
            for (round, &radix) in radices.iter().enumerate() {
                let along = self.along[usize::from(round > 0)];
                let count = n / radix;
                let mut next: Vec<(Position, Vec<Pair>)> = Vec::new();
                for turn in 0..(lines * count).div_ceil(workgroup as usize) {
                    let of = eval.b.index_offset(lane, turn as i64 * i64::from(workgroup));
                    let (of, in_tile) = kept(eval, of, lines * count);
                    let by = if along { count } else { lines } as i64;
                    let (a, b) = (eval.b.index_div(of, by), eval.b.index_rem(of, by));
                    let (own, number) = if along { (a, b) } else { (b, a) };
                    let (own, number) = (eval.b.index_bind("own", own), eval.b.index_bind("number", number));
                    let before = eval.b.index_scale(tile, lines as i64);
                    let line = eval.b.index_add(before, own);
                    let (line, exists) = kept(eval, line, self.others.size());
                    let here = Position { own, line, number, in_tile, inside: both(eval, in_tile, exists) };
                    next.push((here, vec![[lane; 2]; radix]));
                }
                for part in 0..2 {
                    if round > 0 && (round, part) != (1, 0) {
                        eval.b.push(Stmt::Barrier);
                    }
                    for (here, numbers) in &hand {
                        if here.in_tile.is_some() {
                            eval.open();
                        }
                        let own = span / numbers.len();
                        let (whole, within) = (
                            eval.b.index_div(here.number, own as i64),
                            eval.b.index_rem(here.number, own as i64),
                        );
                        let first = eval.b.index_scale(whole, span as i64);
                        let first = eval.b.index_add(first, within);
                        for (q, number) in numbers.iter().enumerate() {
                            let place = eval.b.index_offset(first, (q * own) as i64);
                            let index = word(eval, here, place);
                            eval.b.push(Stmt::Store(shared, index, number[part]));
                        }
                        close_guard(eval, here.in_tile);
                    }
                    if round > 0 {
                        eval.b.push(Stmt::Barrier);
                    }
                    for (here, numbers) in &mut next {
                        for (q, number) in numbers.iter_mut().enumerate() {
                            let place = eval.b.index_offset(here.number, (q * count) as i64);
                            let value = if round > 0 {
                                let index = word(eval, here, place);
                                eval.b.expr(Expr::Load(shared, index))
                            } else {
                                let at = self.at(eval, here.line, place, part);
                                eval.value(self.x, &at)
                            };
                            number[part] = eval.b.bind_anew("z", value);
                        }
                    }
                }
                for (here, numbers) in &mut next {
                    self.turn(eval, here.number, numbers, span);
                    *numbers = transformed(&mut eval.b, numbers);
                }
                hand = next;
                span *= radix;
            }

            let own = span / radices.last().copied().unwrap_or(1);
            for (here, numbers) in hand {
                if here.inside.is_some() {
                    eval.open();
                }
                for (q, number) in numbers.into_iter().enumerate() {
                    let place = eval.b.index_offset(here.number, (q * own) as i64);
                    let re = self.at(eval, here.line, place, 0);
                    let im = self.at(eval, here.line, place, 1);
                    eval.define(self.anchor, &re, number[0]);
                    eval.define(self.anchor, &im, number[1]);
                    store_all(eval, &problem.cluster().outputs, &re, &self.shape);
                    store_all(eval, &problem.cluster().outputs, &im, &self.shape);
                }
                close_guard(eval, here.inside);
            }
            close_guard(eval, in_grid);
            grid
        })
    }

    /// Turns numbers of as many transforms of `span`, each to where it belongs in one of all.
    fn turn(&self, eval: &mut Evaluator<'_>, own: ExprId, numbers: &mut [Pair], span: usize) {
        if span == 1 {
            return;
        }
        let within = eval.b.index_rem(own, span as i64);
        let by = eval.b.index_scale(within, (self.length / (span * numbers.len())) as i64);
        let by = eval.b.index_bind("by", by);
        let mut twiddles: Vec<Pair> = Vec::new();
        for (q, number) in numbers.iter_mut().enumerate().skip(1) {
            let high = 1 << q.ilog2();
            let mut turn = [by; 2];
            if q == high {
                let place = eval.b.index_scale(by, q as i64);
                for (part, turn) in turn.iter_mut().enumerate() {
                    let part = eval.b.index_const(part as i64);
                    let bits = eval.value(self.twiddles, &[part, place]);
                    let float = eval.b.expr(Expr::Bitcast(DType::F32, bits));
                    *turn = eval.b.bind("turn", float);
                }
            } else {
                turn = product(&mut eval.b, twiddles[high - 1], twiddles[q - high - 1]);
            }
            twiddles.push(turn);
            *number = product(&mut eval.b, *number, turn);
        }
    }
}

fn op(b: &mut KernelBuilder, op: BinaryOp, x: ExprId, y: ExprId) -> ExprId {
    let value = b.binary(op, x, y);
    b.bind("z", value)
}

fn each(b: &mut KernelBuilder, by: BinaryOp, x: Pair, y: Pair) -> Pair {
    [op(b, by, x[0], y[0]), op(b, by, x[1], y[1])]
}

/// By a number, rounded once.
fn scaled(b: &mut KernelBuilder, x: ExprId, by: f64) -> ExprId {
    let by = b.literal(Literal::F32(by as f32));
    b.binary(BinaryOp::Mul, x, by)
}

fn product(b: &mut KernelBuilder, x: Pair, y: Pair) -> Pair {
    let mut sum = |by: BinaryOp, i: usize, j: usize| {
        let (one, two) = (b.binary(BinaryOp::Mul, x[0], y[i]), b.binary(BinaryOp::Mul, x[1], y[j]));
        op(b, by, one, two)
    };
    [sum(BinaryOp::Sub, 0, 1), sum(BinaryOp::Add, 1, 0)]
}

/// The transform of as many numbers as there are, written out.
fn transformed(b: &mut KernelBuilder, x: &[Pair]) -> Vec<Pair> {
    let n = x.len();
    if n == 1 {
        return x.to_vec();
    }
    let mut all = vec![x[0]; n];
    if n.is_multiple_of(2) {
        let (mut even, mut odd) = (Vec::new(), Vec::new());
        for pair in x.chunks_exact(2) {
            even.push(pair[0]);
            odd.push(pair[1]);
        }
        let (even, odd) = (transformed(b, &even), transformed(b, &odd));
        for k in 0..n / 2 {
            let turned = turned_by(b, odd[k], k, n);
            all[k] = each(b, BinaryOp::Add, even[k], turned);
            all[k + n / 2] = each(b, BinaryOp::Sub, even[k], turned);
        }
        return all;
    }
    // An odd number: those as far before the first as behind it come together.
    let mut pairs: Vec<[Pair; 2]> = Vec::new();
    for j in 1..=n / 2 {
        let pair = [each(b, BinaryOp::Add, x[j], x[n - j]), each(b, BinaryOp::Sub, x[j], x[n - j])];
        all[0] = each(b, BinaryOp::Add, all[0], pair[0]);
        pairs.push(pair);
    }
    for k in 1..=n / 2 {
        let mut sums: [Option<Pair>; 2] = [Some(x[0]), None];
        for (j, pair) in (1..).zip(&pairs) {
            let (sine, cosine) = (2.0 * PI * (j * k % n) as f64 / n as f64).sin_cos();
            for ((sum, part), by) in sums.iter_mut().zip(pair).zip([cosine, sine]) {
                let more = [scaled(b, part[0], by), scaled(b, part[1], by)];
                *sum = Some(sum.map_or(more, |sum| each(b, BinaryOp::Add, sum, more)));
            }
        }
        let [Some(cosines), Some(sines)] = sums else { continue };
        // Sines are turned by a quarter.
        let minus = b.unary(UnaryOp::Neg, sines[0]);
        let sines = [sines[1], b.bind("z", minus)];
        all[k] = each(b, BinaryOp::Add, cosines, sines);
        all[n - k] = each(b, BinaryOp::Sub, cosines, sines);
    }
    all
}

/// A number turned back by k n-th turns, less than half a turn.
fn turned_by(b: &mut KernelBuilder, z: Pair, k: usize, n: usize) -> Pair {
    if k == 0 {
        return z;
    }
    if 4 * k == n {
        let im = b.unary(UnaryOp::Neg, z[0]);
        return [z[1], b.bind("z", im)];
    }
    let (sine, cosine) = (-2.0 * PI * k as f64 / n as f64).sin_cos();
    let by = [cosine, sine].map(|x| b.literal(Literal::F32(x as f32)));
    product(b, z, by)
}
