//! Fourier transforms without barriers, for software, where a kernel with barriers is long and
//! takes a second to compile. Each round is a kernel of its own, in which an invocation transforms
//! the numbers of one radix; rounds exchange numbers through buffers.

use super::{Lines, Pair, Tile, transformed};
use crate::family::launch::{close_guard, each_invocation, grid, serial_workgroup};
use crate::family::store::store_all;
use crate::family::{Lowered, Problem, Stage};
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{Expr, ExprId, Space, Stmt};
use weft_ir::{DType, HashMap};

/// Operations of an invocation, about, for each number and doubling.
const OPERATIONS: f64 = 16.0;

/// One round: what comes before it, and where its numbers come from and go.
struct Pass {
    workgroup: u32,
    radix: usize,
    /// The product of the radices before.
    span: usize,
    /// The buffer that it reads; the input where there is none.
    from: Option<usize>,
    /// The buffer that it writes; the results where there is none.
    to: Option<usize>,
}

impl Lines {
    /// The candidate with rounds of up to `radix` numbers.
    pub(super) fn pass_tile(&self, problem: &Problem<'_>, radix: u32) -> Tile {
        let operations = OPERATIONS * f64::from(radix.ilog2()) * self.shape.size() as f64;
        let workgroup = serial_workgroup(problem, self.shape.size() / 2 / radix as usize, operations);
        Tile { workgroup, lines: 1, radix, in_passes: true }
    }

    /// A kernel for each round.
    pub(super) fn passes(&self, problem: &Problem<'_>, workgroup: u32, radices: &[usize]) -> Lowered {
        // Only the last kernel writes results, and over leaves.
        let nothing = HashMap::default();
        let reading = Problem { in_place: &nothing, ..*problem };
        let mut stages = Vec::new();
        let mut span = 1;
        for (round, &radix) in radices.iter().enumerate() {
            let to = (round + 1 < radices.len()).then_some(round % 2);
            let from = round.checked_sub(1).map(|before| before % 2);
            let pass = Pass { workgroup, radix, span, from, to };
            stages.push(self.pass(if to.is_some() { &reading } else { problem }, &pass));
            span *= radix;
        }
        Lowered { stages, partials: vec![self.shape.size() as u64 * 4; (radices.len() - 1).min(2)] }
    }

    fn pass(&self, problem: &Problem<'_>, pass: &Pass) -> Stage {
        let &Pass { workgroup, radix, span, from, to } = pass;
        let (lines, count) = (self.others.size(), self.length / radix);
        let groups = grid((lines * count).div_ceil(workgroup as usize), problem.limits);
        problem.stage(&problem.name("fourier, round of"), workgroup, |eval| {
            let (of, guard) = each_invocation(eval, "transform", lines * count, workgroup, groups);
            let line = eval.b.index_div(of, count as i64);
            let number = eval.b.index_rem(of, count as i64);
            let (line, number) = (eval.b.index_bind("line", line), eval.b.index_bind("number", number));
            let mut numbers: Vec<Pair> = Vec::new();
            for q in 0..radix {
                let place = eval.b.index_offset(number, (q * count) as i64);
                numbers.push([0, 1].map(|part| {
                    let value = match from {
                        Some(from) => {
                            let array = eval.array(Binding::Partial(from), DType::F32, Space::Read);
                            let index = self.in_buffer(eval, line, place, part);
                            eval.b.expr(Expr::Load(array, index))
                        }
                        None => {
                            let at = self.at(eval, line, place, part);
                            eval.value(self.x, &at)
                        }
                    };
                    eval.b.bind_anew("z", value)
                }));
            }
            self.turn(eval, number, &mut numbers, span);
            let numbers = transformed(&mut eval.b, &numbers);

            let (whole, within) =
                (eval.b.index_div(number, span as i64), eval.b.index_rem(number, span as i64));
            let first = eval.b.index_scale(whole, (span * radix) as i64);
            let first = eval.b.index_add(first, within);
            for (q, parts) in numbers.into_iter().enumerate() {
                let place = eval.b.index_offset(first, (q * span) as i64);
                let Some(to) = to else {
                    let at = [0, 1].map(|part| self.at(eval, line, place, part));
                    for (at, value) in at.iter().zip(parts) {
                        eval.define(self.anchor, at, value);
                    }
                    at.iter().for_each(|at| store_all(eval, &problem.cluster().outputs, at, &self.shape));
                    continue;
                };
                let array = eval.array(Binding::Partial(to), DType::F32, Space::ReadWrite);
                for (part, value) in parts.into_iter().enumerate() {
                    let index = self.in_buffer(eval, line, place, part);
                    eval.b.push(Stmt::Store(array, index, value));
                }
            }
            close_guard(eval, guard);
            groups
        })
    }

    /// Where a part of a number of a line lies between rounds.
    fn in_buffer(&self, eval: &mut Evaluator<'_>, line: ExprId, place: ExprId, part: usize) -> ExprId {
        let before = eval.b.index_scale(line, self.length as i64);
        let index = eval.b.index_add(before, place);
        eval.b.index_offset(index, (part * self.shape.size() / 2) as i64)
    }
}
