//! Let bindings for expressions that a kernel mentions many times or nests too deep. Printers write
//! an expression out wherever it is mentioned: without names, a graph of shared expressions would
//! print as a tree with a branch for every path.
//!
//! Only what has no effect and cannot change is named: arithmetic over literals, scalars, positions
//! and names that are bound once. The name is bound where every mention can see it, as late as that
//! allows: in the innermost block round all mentions, just before the first. One pass over the
//! arena decides, operands after what mentions them, one more rewrites: both are linear, and
//! neither recurses on the depth of an expression.

use weft_ir::kernel::{Expr, ExprId, Kernel, Local, LocalId, Stmt, Type};
use weft_ir::{DType, order};

/// Operators from which an expression that is mentioned twice is named.
const SHARED_SIZE: u32 = 9;
/// Operators from which an expression is named in any case.
const MOST_SIZE: u32 = 128;
/// Operators nested deeper than this are named in any case.
const MOST_DEPTH: u32 = 24;

/// A place among statements: a block, and how many of its statements come before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Site {
    block: usize,
    before: usize,
}

/// A block's place in the block round it, and how many are round it.
#[derive(Clone, Copy)]
struct Block {
    outside: Site,
    depth: u32,
}

/// Where expressions are mentioned, and what is assigned more than once.
struct Mentions {
    blocks: Vec<Block>,
    /// For each expression, the place that comes before all of its mentions.
    sites: Vec<Option<Site>>,
    /// How often each is mentioned, by statements and by other expressions.
    counts: Vec<u32>,
    /// Locals that are assigned.
    assigned: Vec<bool>,
}

/// The kernel with names for what is mentioned in many places, without what nothing mentions:
/// kernels of one text are one.
pub fn share(kernel: Kernel) -> Kernel {
    let mut mentions = Mentions {
        blocks: Vec::new(),
        sites: vec![None; kernel.exprs.len()],
        counts: vec![0; kernel.exprs.len()],
        assigned: vec![false; kernel.locals.len()],
    };
    mentions.enter(&kernel.body, Site { block: 0, before: 0 }, 0);
    for id in (0..kernel.exprs.len()).rev() {
        let Some(site) = mentions.sites[id] else { continue };
        kernel.exprs[id].for_each_operand(|operand| mentions.mention(operand, site));
    }
    let named = choose(&kernel, &mentions);
    if named.contains(&true) || mentions.sites.contains(&None) {
        rewrite(kernel, &mentions, &named)
    } else {
        kernel
    }
}

impl Mentions {
    fn mention(&mut self, id: ExprId, site: Site) {
        self.counts[id.index()] += 1;
        let before = self.sites[id.index()].map_or(site, |other| self.meet(other, site));
        self.sites[id.index()] = Some(before);
    }

    /// The last place that comes before both.
    fn meet(&self, mut a: Site, mut b: Site) -> Site {
        while a.block != b.block {
            let (outer, inner) = (self.blocks[a.block], self.blocks[b.block]);
            if outer.depth >= inner.depth {
                a = outer.outside;
            }
            if inner.depth >= outer.depth {
                b = inner.outside;
            }
        }
        Site { block: a.block, before: a.before.min(b.before) }
    }

    /// Notes what a block's statements mention; blocks are numbered as they open.
    fn enter(&mut self, statements: &[Stmt], outside: Site, depth: u32) {
        let block = self.blocks.len();
        self.blocks.push(Block { outside, depth });
        for (before, stmt) in statements.iter().enumerate() {
            let site = Site { block, before };
            match stmt {
                Stmt::Let(_, value) => self.mention(*value, site),
                Stmt::Var(local, value) | Stmt::Assign(local, value) => {
                    self.assigned[local.index()] = true;
                    self.mention(*value, site);
                }
                Stmt::Store(_, index, value) | Stmt::Atomic { index, value, .. } => {
                    self.mention(*index, site);
                    self.mention(*value, site);
                }
                Stmt::If(condition, then, otherwise) => {
                    self.mention(*condition, site);
                    self.enter(then, site, depth + 1);
                    self.enter(otherwise, site, depth + 1);
                }
                Stmt::For { from, to, body, .. } => {
                    self.mention(*from, site);
                    self.mention(*to, site);
                    self.enter(body, site, depth + 1);
                }
                Stmt::While(condition, body) => {
                    self.mention(*condition, site);
                    self.enter(body, site, depth + 1);
                }
                Stmt::Break | Stmt::Continue | Stmt::Barrier => {}
            }
        }
    }
}

/// Which expressions get a name.
fn choose(kernel: &Kernel, mentions: &Mentions) -> Vec<bool> {
    let count = kernel.exprs.len();
    let (mut named, mut lasting) = (vec![false; count], vec![false; count]);
    // Operators that are written out with an expression, and how deep they nest; 0 for what is a
    // word.
    let (mut size, mut depth) = (vec![0u32; count], vec![0u32; count]);
    for (id, expr) in kernel.exprs.iter().enumerate() {
        let (mut own, mut below, mut lasts) = (0u32, 0, true);
        expr.for_each_operand(|operand| {
            own = own.saturating_add(size[operand.index()]);
            below = below.max(depth[operand.index()]);
            lasts &= lasting[operand.index()];
        });
        let word = matches!(expr, Expr::Literal(_) | Expr::Local(_) | Expr::Uniform(_) | Expr::Builtin(_));
        lasting[id] = lasts
            && match expr {
                Expr::Local(local) => !mentions.assigned[local.index()],
                Expr::Load(..) | Expr::Subgroup(..) => false,
                _ => true,
            };
        if word {
            continue;
        }
        (size[id], depth[id]) = (own.saturating_add(1), below + 1);
        let large = size[id] >= MOST_SIZE || depth[id] >= MOST_DEPTH;
        let many = mentions.counts[id] > 1 && size[id] >= SHARED_SIZE;
        if mentions.sites[id].is_some() && lasting[id] && (large || many) {
            named[id] = true;
            (size[id], depth[id]) = (0, 0);
        }
    }
    named
}

/// A name to be bound in a block.
#[derive(Clone, Copy)]
struct Name {
    before: usize,
    local: LocalId,
    value: ExprId,
}

/// The kernel with `named` expressions bound where their mentions begin; what nothing mentions is
/// dropped.
fn rewrite(mut kernel: Kernel, mentions: &Mentions, named: &[bool]) -> Kernel {
    let mut lets: Vec<Vec<Name>> = vec![Vec::new(); mentions.blocks.len()];
    let mut numbers = vec![ExprId(0); named.len()];
    let mut types: Vec<Type> = Vec::with_capacity(named.len());
    for (id, expr) in std::mem::take(&mut kernel.exprs).into_iter().enumerate() {
        let Some(site) = mentions.sites[id] else { continue };
        let expr = expr.map_operands(|operand| numbers[operand.index()]);
        let operand = expr.typed_by().map_or(Type::scalar(DType::U32), |x| types[x.index()]);
        let ty = kernel.type_above(&expr, operand);
        let mut push = |kernel: &mut Kernel, expr: Expr| {
            kernel.exprs.push(expr);
            types.push(ty);
            ExprId(kernel.exprs.len() as u32 - 1)
        };
        numbers[id] = push(&mut kernel, expr);
        if named[id] {
            let name = if ty == Type::scalar(DType::I32) { "at" } else { "v" };
            kernel.locals.push(Local { name: name.to_owned(), ty });
            let local = LocalId(kernel.locals.len() as u32 - 1);
            lets[site.block].push(Name { before: site.before, local, value: numbers[id] });
            numbers[id] = push(&mut kernel, Expr::Local(local));
        }
    }
    let body = std::mem::take(&mut kernel.body);
    let mut next = 0;
    kernel.body = renumbered(body, &numbers, &mut lets, &mut next);
    kernel
}

/// A block with its expressions' new numbers and the names that are bound in it.
fn renumbered(block: Vec<Stmt>, numbers: &[ExprId], lets: &mut [Vec<Name>], next: &mut usize) -> Vec<Stmt> {
    let mut bound = std::mem::take(&mut lets[*next]);
    *next += 1;
    // Of those bound at one place, operands stay first.
    order::sort_by_key(&mut bound, |name| name.before as u64);
    let mut bound = bound.into_iter().peekable();
    let of = |id: ExprId| numbers[id.index()];
    let mut result = Vec::with_capacity(block.len() + bound.len());
    for (at, stmt) in block.into_iter().enumerate() {
        while let Some(name) = bound.next_if(|name| name.before == at) {
            result.push(Stmt::Let(name.local, name.value));
        }
        result.push(match stmt {
            Stmt::Let(local, value) => Stmt::Let(local, of(value)),
            Stmt::Var(local, value) => Stmt::Var(local, of(value)),
            Stmt::Assign(local, value) => Stmt::Assign(local, of(value)),
            Stmt::Store(array, index, value) => Stmt::Store(array, of(index), of(value)),
            Stmt::Atomic { op, array, index, value, before } => {
                Stmt::Atomic { op, array, index: of(index), value: of(value), before }
            }
            Stmt::If(condition, then, otherwise) => {
                let then = renumbered(then, numbers, lets, next);
                Stmt::If(of(condition), then, renumbered(otherwise, numbers, lets, next))
            }
            Stmt::For { counter, from, to, step, body } => {
                let body = renumbered(body, numbers, lets, next);
                Stmt::For { counter, from: of(from), to: of(to), step, body }
            }
            Stmt::While(condition, body) => Stmt::While(of(condition), renumbered(body, numbers, lets, next)),
            other @ (Stmt::Break | Stmt::Continue | Stmt::Barrier) => other,
        });
    }
    result
}
