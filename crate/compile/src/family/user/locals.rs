//! Facts about the locals and outputs of a user's kernel that decide how they are lowered.

use weft_ir::user_kernel::{Combine, Coordinate, Expr, ExprId, OutputId, Reach, Stmt, UserKernel, returns};

/// For each local, whether it is a name for one value wherever it is read: assigned by one
/// statement, and read only after it in the same block or the blocks within, where that is a loop
/// by its counter in the body.
///
/// Deferred: few programs have kernels of users.
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

/// Whether every store into an output is at the invocation's own coordinates.
///
/// Deferred: few programs have kernels of users.
pub(super) fn stores_own_element(kernel: &UserKernel, output: OutputId) -> bool {
    let mut open: Vec<&Stmt> = kernel.body.iter().collect();
    while let Some(stmt) = open.pop() {
        stmt.for_each_block(|block| open.extend(block));
        if let Stmt::Store { output: into, indices, .. } = stmt
            && *into == output
            && !(indices.len() == kernel.rank as usize && is_own(kernel, indices))
        {
            return false;
        }
    }
    true
}

fn is_own(kernel: &UserKernel, indices: &[ExprId]) -> bool {
    let own = |(axis, id): (u32, &ExprId)| kernel.exprs[id.index()] == Expr::Index(Coordinate::Grid, axis);
    (0..).zip(indices).all(own)
}

/// Whether every invocation certainly stores into an output, whichever way it goes.
///
/// Deferred: few programs have kernels of users.
pub(super) fn always_stores(kernel: &UserKernel, output: OutputId) -> bool {
    let end = certain(&kernel.body, output, false);
    end.all_returns && end.stored.unwrap_or(true)
}

/// What is certain at the end of a block.
struct Certain {
    /// Whether something has been stored there; `None` where nothing gets there.
    stored: Option<bool>,
    /// Whether something has been stored at each return within.
    all_returns: bool,
}

fn certain(block: &[Stmt], output: OutputId, stored: bool) -> Certain {
    let mut so_far = Certain { stored: Some(stored), all_returns: true };
    for stmt in block {
        let Some(before) = so_far.stored else { break };
        match stmt {
            Stmt::Store { output: into, .. } if *into == output => so_far.stored = Some(true),
            Stmt::If(_, then, otherwise) => {
                let (a, b) = (certain(then, output, before), certain(otherwise, output, before));
                so_far.all_returns &= a.all_returns && b.all_returns;
                so_far.stored = match (a.stored, b.stored) {
                    (Some(a), Some(b)) => Some(a && b),
                    (a, b) => a.or(b),
                };
            }
            // It may run no iteration.
            Stmt::For { body, .. } | Stmt::While { body, .. } => {
                so_far.all_returns &= certain(body, output, before).all_returns;
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
