//! Facts about the locals and outputs of a user's kernel that decide how they are lowered.
//!
//! Deferred: few programs have kernels of users.

use weft_ir::user_kernel::{Combine, Coordinate, Expr, ExprId, OutputId, Reach, Stmt, UserKernel, returns};
use weft_ir::{Literal, Shape};

/// For each local, whether it is a name for one value wherever it is read: assigned by one
/// statement, and read only after it in the same block or the blocks within, where that is a loop
/// by its counter in the body.
pub(super) fn named_once(kernel: &UserKernel) -> Vec<bool> {
    let count = kernel.locals.len();
    let mut spans = Spans {
        reach: Reach::new(kernel),
        kernel,
        next: 0,
        first_read: vec![u32::MAX; count],
        last_read: vec![0; count],
        assigned: vec![Vec::new(); count],
    };
    spans.block(&kernel.body);
    (0..count)
        .map(|n| match spans.assigned[n][..] {
            [(at, end)] => spans.first_read[n] > at && spans.last_read[n] < end,
            _ => false,
        })
        .collect()
}

/// Where locals are assigned and read: statements are numbered in the order of the text.
struct Spans<'a> {
    kernel: &'a UserKernel,
    reach: Reach<'a>,
    next: u32,
    first_read: Vec<u32>,
    last_read: Vec<u32>,
    /// The statements that assign each, with the end of what may see the value.
    assigned: Vec<Vec<(u32, u32)>>,
}

impl Spans<'_> {
    fn block(&mut self, block: &[Stmt]) {
        let mut open = Vec::new();
        for stmt in block {
            let at = self.next;
            self.next += 1;
            let mut roots = Vec::new();
            stmt.for_each_expr(|id| roots.push(id));
            for id in roots.into_iter().flat_map(|root| self.reach.of(root)) {
                if let Expr::Local(local) = self.kernel.exprs[id.index()] {
                    let n = local.index();
                    self.first_read[n] = self.first_read[n].min(at);
                    self.last_read[n] = self.last_read[n].max(at);
                }
            }
            stmt.for_each_block(|inner| self.block(inner));
            match stmt {
                Stmt::Let(local, _) => open.push((*local, at)),
                // It is assigned where the element exists.
                Stmt::Store { before: Some(local), .. } => self.assigned[local.index()].push((at, 0)),
                Stmt::For { counter, .. } => self.assigned[counter.index()].push((at, self.next)),
                _ => {}
            }
        }
        for (local, at) in open {
            self.assigned[local.index()].push((at, self.next));
        }
    }
}

/// Whether every store into an output is at the invocation's own coordinates, before other ones if
/// there are any: then no two invocations meet.
pub(super) fn stores_own_elements(kernel: &UserKernel, output: OutputId) -> bool {
    let rank = kernel.rank as usize;
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.for_each_block(|block| open.extend(block));
        if let Stmt::Store { output: into, indices, .. } = stmt
            && *into == output
            && !indices.get(..rank).is_some_and(|first| is_own(kernel, first))
        {
            return false;
        }
    }
    true
}

/// Whether one statement alone stores into an output.
pub(super) fn stores_once(kernel: &UserKernel, output: usize) -> bool {
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    let mut count = 0;
    while let Some(stmt) = open.pop() {
        stmt.for_each_block(|block| open.extend(block));
        count += usize::from(matches!(stmt, Stmt::Store { output: into, .. } if into.index() == output));
    }
    count == 1
}

/// Whether a kernel reads a tensor at the invocation's own coordinates alone.
#[inline(never)]
pub(crate) fn reads_own_element(kernel: &UserKernel, tensor: usize) -> bool {
    kernel.source.is_none()
        && kernel.exprs.iter().all(|expr| match expr {
            Expr::Load(from, indices, _) if from.index() == tensor => {
                indices.len() == kernel.rank as usize && is_own(kernel, indices)
            }
            _ => true,
        })
}

/// Whether indices are the coordinates of the invocation.
pub(super) fn is_own(kernel: &UserKernel, indices: &[ExprId]) -> bool {
    let own = |(axis, id): (u32, &ExprId)| kernel.exprs[id.index()] == Expr::Index(Coordinate::Grid, axis);
    (0..).zip(indices).all(own)
}

/// Whether every invocation certainly stores into each of its own elements of an output, whichever
/// way it goes.
pub(super) fn always_stores(kernel: &UserKernel, output: OutputId, shape: &Shape) -> bool {
    let rank = kernel.rank as usize;
    let own = Shape::from(&shape[rank..]);
    own.size() <= MOST_OWN
        && (0..own.size()).all(|n| {
            let at = own.unravel(n);
            let is_it = |stmt: &Stmt| match stmt {
                Stmt::Store { output: into, indices, .. } if *into == output => {
                    let place = |(id, &at): (&ExprId, &usize)| {
                        kernel.exprs[id.index()] == Expr::Literal(Literal::I32(at as i32))
                    };
                    indices[rank..].iter().zip(&at).all(place)
                }
                _ => false,
            };
            let end = certain(&kernel.body, &is_it, false);
            end.all_returns && end.stored.unwrap_or(true)
        })
}

/// The most elements of an invocation's own for which it is asked whether all are stored.
const MOST_OWN: usize = 16;

/// What is certain at the end of a block.
struct Certain {
    /// Whether something has been stored there; `None` where nothing gets there.
    stored: Option<bool>,
    /// Whether something has been stored at each return within.
    all_returns: bool,
}

fn certain(block: &[Stmt], is_it: &dyn Fn(&Stmt) -> bool, stored: bool) -> Certain {
    let mut so_far = Certain { stored: Some(stored), all_returns: true };
    for stmt in block {
        let Some(before) = so_far.stored else { break };
        match stmt {
            stmt if is_it(stmt) => so_far.stored = Some(true),
            Stmt::If(_, then, otherwise) => {
                let (a, b) = (certain(then, is_it, before), certain(otherwise, is_it, before));
                so_far.all_returns &= a.all_returns && b.all_returns;
                so_far.stored = match (a.stored, b.stored) {
                    (Some(a), Some(b)) => Some(a && b),
                    (a, b) => a.or(b),
                };
            }
            // It may run no iteration.
            Stmt::For { body, .. } | Stmt::While { body, .. } => {
                so_far.all_returns &= certain(body, is_it, before).all_returns;
            }
            Stmt::Return => {
                so_far.all_returns &= before;
                so_far.stored = None;
            }
            Stmt::Break | Stmt::Continue => so_far.stored = None,
            _ => {}
        }
    }
    so_far
}

/// Whether a loop of a block may end the invocation.
pub(super) fn loop_returns(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::If(_, then, otherwise) => loop_returns(then) || loop_returns(otherwise),
        Stmt::For { body, .. } | Stmt::While { body, .. } => returns(body),
        _ => false,
    })
}

/// The most stores into an output that the invocations of a grid make together.
pub(super) fn most_stores(kernel: &UserKernel, output: OutputId, invocations: usize) -> usize {
    fn sites(block: &[Stmt], output: OutputId) -> usize {
        let of = |stmt: &Stmt| match stmt {
            Stmt::Store { output: into, .. } if *into == output => 1,
            Stmt::If(_, then, otherwise) => sites(then, output).max(sites(otherwise, output)),
            Stmt::For { body, .. } | Stmt::While { body, .. } if sites(body, output) > 0 => usize::MAX,
            _ => 0,
        };
        block.iter().map(of).fold(0, usize::saturating_add)
    }
    sites(&kernel.body, output).saturating_mul(invocations)
}

/// Whether a kernel asks what was in an element before.
pub(super) fn asks_before(kernel: &UserKernel) -> bool {
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.for_each_block(|block| open.extend(block));
        if let Stmt::Store { before: Some(_), .. } = stmt {
            return true;
        }
    }
    false
}

/// Whether values of an output are summed up as floats.
pub(super) fn is_float_sum(kernel: &UserKernel, output: usize) -> bool {
    let output = &kernel.outputs[output];
    output.combine == Combine::Add && output.dtype == weft_ir::DType::F32
}
