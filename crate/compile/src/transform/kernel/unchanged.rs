//! Values that the iterations of a loop pass on as they are. The cotangent of a sum is one: each
//! iteration takes it, and gives all of it back. Without that it is known to be the same in all.

use super::arena::{blocks, evaluated, reach};
use weft_ir::op::Binary;
use weft_ir::user_kernel::{Expr, ExprId, LocalId, Stmt, UserKernel};
use weft_ir::{HashMap, HashSet, Literal};

/// Statements that are looked at for one value.
const MOST_STATEMENTS: usize = 4096;

/// Drops what takes a value in an iteration and gives it back: `h = x; x = 0; …; x = x + h`, where
/// `h`, or a copy of it, is added once whichever way the iteration goes.
pub(super) fn without_passing_on(kernel: &mut UserKernel) {
    let mut assigned: HashMap<LocalId, u32> = HashMap::default();
    count(&kernel.body, &mut assigned);
    let mut body = std::mem::take(&mut kernel.body);
    Pass { exprs: &kernel.exprs, assigned }.block(&mut body, false);
    kernel.body = body;
}

fn count(block: &[Stmt], assigned: &mut HashMap<LocalId, u32>) {
    for stmt in block {
        match stmt {
            Stmt::Let(local, _) | Stmt::For { counter: local, .. } => {
                *assigned.entry(*local).or_default() += 1
            }
            Stmt::Store { before: Some(local), .. } => *assigned.entry(*local).or_default() += 1,
            _ => {}
        }
        blocks(stmt).into_iter().for_each(|inner| count(inner, assigned));
    }
}

struct Pass<'k> {
    exprs: &'k [Expr],
    /// How many assignments of each local there are.
    assigned: HashMap<LocalId, u32>,
}

impl Pass<'_> {
    /// Inner loops first.
    fn block(&mut self, block: &mut Vec<Stmt>, is_loop: bool) {
        for stmt in block.iter_mut() {
            match stmt {
                Stmt::If(_, then, otherwise) => {
                    self.block(then, false);
                    self.block(otherwise, false);
                }
                Stmt::For { body, .. } | Stmt::While { body, .. } => self.block(body, true),
                _ => {}
            }
        }
        if !is_loop {
            return;
        }
        let mut at = 0;
        while at < block.len() {
            if let Stmt::Let(held, value) = block[at]
                && let Expr::Local(x) = self.exprs[value.index()]
                && self.assigned[&held] == 1
                && let Some(adds) = self.passed_on(&block[at..], held, x)
            {
                *block = block[..=at].iter().cloned().chain(without(&block[at + 1..], x)).collect();
                *self.assigned.get_mut(&x).expect("it is assigned") -= adds + 1;
            }
            at += 1;
        }
    }

    /// How many assignments give a value back that `rest` begins to hold; `None` where something
    /// else is done with it.
    fn passed_on(&self, rest: &[Stmt], held: LocalId, x: LocalId) -> Option<u32> {
        let is_zero = |stmt: &Stmt| {
            matches!(stmt, Stmt::Let(local, value) if *local == x
                && self.exprs[value.index()] == Expr::Literal(Literal::F32(0.0)))
        };
        let zeroed = rest.iter().position(is_zero)?;
        let mut scan = Scan { pass: self, x, adds: 0, reads: 0, left: MOST_STATEMENTS };
        scan.reads(&rest[..=zeroed])?;
        let assigned_before = rest[1..zeroed].iter().any(|stmt| assigns(stmt, x));
        if scan.reads != 1 || assigned_before {
            return None;
        }
        scan.reads = 0;
        let mut same: HashSet<LocalId> = std::iter::once(held).collect();
        // Copies that were made in between count.
        for stmt in &rest[1..zeroed] {
            scan.copy(stmt, &mut same);
        }
        let once = scan.block(&rest[zeroed + 1..], &mut same)?;
        (once == 1 && scan.reads == scan.adds).then_some(scan.adds)
    }
}

fn assigns(stmt: &Stmt, x: LocalId) -> bool {
    let own = match stmt {
        Stmt::Let(local, _) | Stmt::For { counter: local, .. } => *local == x,
        Stmt::Store { before: Some(local), .. } => *local == x,
        _ => false,
    };
    own || blocks(stmt).into_iter().flatten().any(|inner| assigns(inner, x))
}

/// A block without assignments of a local, which are no part of loops in it.
fn without(block: &[Stmt], x: LocalId) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(block.len());
    for stmt in block {
        match stmt {
            Stmt::Let(local, _) if *local == x => {}
            Stmt::If(condition, then, otherwise) => {
                out.push(Stmt::If(*condition, without(then, x), without(otherwise, x)));
            }
            other => out.push(other.clone()),
        }
    }
    out
}

/// A look at what happens to `x`.
struct Scan<'p, 'k> {
    pass: &'p Pass<'k>,
    x: LocalId,
    adds: u32,
    /// Statements that read it.
    reads: u32,
    left: usize,
}

impl Scan<'_, '_> {
    /// How often each way through a block adds one of the `same` values to `x`, which must be the
    /// same for all ways.
    fn block(&mut self, block: &[Stmt], same: &mut HashSet<LocalId>) -> Option<u32> {
        let mut times = 0;
        for stmt in block {
            match stmt {
                Stmt::Let(local, value) if *local == self.x => {
                    self.count_reads(stmt)?;
                    let Expr::Binary(Binary::Add, a, b) = self.pass.exprs[value.index()] else { return None };
                    let local = |x: ExprId| match self.pass.exprs[x.index()] {
                        Expr::Local(local) => Some(local),
                        _ => None,
                    };
                    let (a, b) = (local(a)?, local(b)?);
                    let added = if a == self.x { b } else { a };
                    if (a != self.x && b != self.x) || !same.contains(&added) {
                        return None;
                    }
                    self.adds += 1;
                    times += 1;
                }
                Stmt::If(_, then, otherwise) => {
                    self.count_reads(stmt)?;
                    let mut inner = same.clone();
                    let one = self.block(then, &mut inner)?;
                    let other = self.block(otherwise, &mut same.clone())?;
                    if one != other {
                        return None;
                    }
                    times += one;
                }
                other => {
                    if assigns(other, self.x) {
                        return None;
                    }
                    self.reads(std::slice::from_ref(other))?;
                    self.copy(other, same);
                }
            }
        }
        Some(times)
    }

    /// A copy of one of the same values is another.
    fn copy(&self, stmt: &Stmt, same: &mut HashSet<LocalId>) {
        if let Stmt::Let(local, value) = stmt
            && let Expr::Local(of) = self.pass.exprs[value.index()]
            && same.contains(&of)
            && self.pass.assigned[local] == 1
        {
            same.insert(*local);
        }
    }

    /// Counts the statements of a block that read `x`; `None` where there are too many.
    fn reads(&mut self, block: &[Stmt]) -> Option<()> {
        for stmt in block {
            self.count_reads(stmt)?;
            for inner in blocks(stmt) {
                self.reads(inner)?;
            }
        }
        Some(())
    }

    fn count_reads(&mut self, stmt: &Stmt) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let mut found = false;
        evaluated(stmt, |root| {
            let all = reach(self.pass.exprs, root);
            found |= all.into_iter().any(|y| self.pass.exprs[y.index()] == Expr::Local(self.x));
        });
        self.reads += u32::from(found);
        Some(())
    }
}
