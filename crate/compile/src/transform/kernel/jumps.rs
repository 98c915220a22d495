//! Removal of jumps. `break`, `continue` and `return` become flags and branches, so that every
//! block runs from its first statement to its last.

use super::arena::{Arena, each_statement};
use weft_ir::op::{Binary, Compare};
use weft_ir::user_kernel::{ExprId, LocalId, Stmt, UserKernel};
use weft_ir::{DType, Literal};

/// The same kernel without jumps.
///
/// What follows a branch that always jumps goes into the other branch. Elsewhere a flag says that
/// a jump was taken, and what follows asks it. A counted loop that is left early becomes a loop
/// with a condition.
pub fn without_jumps(kernel: &UserKernel) -> UserKernel {
    let mut found = false;
    each_statement(&kernel.body, &mut |stmt| found |= is_jump(stmt));
    if !found {
        return kernel.clone();
    }
    let mut arena = Arena::of(kernel);
    let returned = arena.local("returned", DType::Bool);
    let mut pass = Pass { arena, returned, loops: Vec::new() };
    let (body, _) = pass.block(&kernel.body);
    pass.arena.finish(body)
}

const fn is_jump(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Break | Stmt::Continue | Stmt::Return)
}

/// Which jumps a block may take, and whether it takes one on every way through.
#[derive(Clone, Copy, Default, PartialEq)]
struct Jumps {
    breaks: bool,
    continues: bool,
    returns: bool,
    always: bool,
}

impl Jumps {
    const fn any(self) -> bool {
        self.breaks || self.continues || self.returns
    }

    const fn or(self, other: Jumps) -> Jumps {
        Jumps {
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
            returns: self.returns || other.returns,
            always: self.always && other.always,
        }
    }
}

/// The flags of the loop around.
#[derive(Clone, Copy)]
struct Flags {
    left: LocalId,
    continued: LocalId,
}

struct Pass {
    arena: Arena,
    returned: LocalId,
    loops: Vec<Flags>,
}

impl Pass {
    fn block(&mut self, block: &[Stmt]) -> (Vec<Stmt>, Jumps) {
        let mut out = Vec::new();
        for (i, stmt) in block.iter().enumerate() {
            let rest = &block[i + 1..];
            let jumps = match stmt {
                Stmt::Break => {
                    let flag = self.inner().left;
                    self.raise(&mut out, flag);
                    return (out, Jumps { breaks: true, always: true, ..Jumps::default() });
                }
                Stmt::Continue => {
                    let flag = self.inner().continued;
                    self.raise(&mut out, flag);
                    return (out, Jumps { continues: true, always: true, ..Jumps::default() });
                }
                Stmt::Return => {
                    self.raise(&mut out, self.returned);
                    return (out, Jumps { returns: true, always: true, ..Jumps::default() });
                }
                Stmt::If(condition, then, otherwise) => {
                    let (mut then, a) = self.block(then);
                    let (mut otherwise, b) = self.block(otherwise);
                    let jumps = a.or(b);
                    // The way that does not jump goes on inside.
                    if (a.always && !b.any()) || (b.always && !a.any()) {
                        let (rest, c) = self.block(rest);
                        if a.always { &mut otherwise } else { &mut then }.extend(rest);
                        out.push(Stmt::If(*condition, then, otherwise));
                        let always = a.always && b.always || c.always;
                        return (out, Jumps { always, ..jumps.or(c) });
                    }
                    out.push(Stmt::If(*condition, then, otherwise));
                    jumps
                }
                Stmt::For { counter, from, to, step, body } => {
                    self.counted(&mut out, (*counter, *from, *to, *step), body)
                }
                Stmt::While { condition, limit, body } => {
                    let outer = self.enter();
                    let (body, jumps) = self.block(body);
                    let condition = self.going_on(*condition, jumps);
                    self.leave(
                        &mut out,
                        outer,
                        jumps,
                        |body| Stmt::While { condition, limit: *limit, body },
                        body,
                    )
                }
                other => {
                    out.push(other.clone());
                    Jumps::default()
                }
            };
            if jumps.always {
                return (out, jumps);
            }
            if jumps.any() && !rest.is_empty() {
                let (rest, after) = self.block(rest);
                let condition = self.no_flag(jumps);
                out.push(Stmt::If(condition, rest, Vec::new()));
                return (out, Jumps { always: false, ..jumps.or(after) });
            }
            if jumps.any() {
                return (out, jumps);
            }
        }
        (out, Jumps::default())
    }

    fn inner(&self) -> Flags {
        *self.loops.last().expect("a jump out of a loop is inside one")
    }

    fn raise(&mut self, out: &mut Vec<Stmt>, flag: LocalId) {
        let yes = self.arena.bool(true);
        out.push(Stmt::Let(flag, yes));
    }

    /// The flags of a loop whose body comes next.
    fn enter(&mut self) -> Flags {
        let left = self.arena.local("left", DType::Bool);
        let continued = self.arena.local("continued", DType::Bool);
        self.loops.push(Flags { left, continued });
        Flags { left, continued }
    }

    /// Writes the loop whose body was walked; what it does to what follows it.
    fn leave(
        &mut self,
        out: &mut Vec<Stmt>,
        flags: Flags,
        jumps: Jumps,
        wrap: impl FnOnce(Vec<Stmt>) -> Stmt,
        mut body: Vec<Stmt>,
    ) -> Jumps {
        let no = self.arena.bool(false);
        if jumps.continues {
            body.insert(0, Stmt::Let(flags.continued, no));
        }
        if jumps.breaks {
            out.push(Stmt::Let(flags.left, no));
        }
        self.loops.pop();
        out.push(wrap(body));
        Jumps { returns: jumps.returns, ..Jumps::default() }
    }

    /// `condition`, and no jump out of the loop.
    fn going_on(&mut self, condition: ExprId, jumps: Jumps) -> ExprId {
        let leaves = Jumps { continues: false, ..jumps };
        if !leaves.any() {
            return condition;
        }
        let flag = self.no_flag(leaves);
        self.arena.and(flag, condition)
    }

    /// Whether none of these jumps was taken.
    fn no_flag(&mut self, jumps: Jumps) -> ExprId {
        let mut raised = None;
        let mut also = |arena: &mut Arena, flag: LocalId| {
            let flag = arena.read(flag);
            raised = Some(match raised {
                Some(before) => arena.binary(Binary::Or, before, flag),
                None => flag,
            });
        };
        if jumps.breaks {
            also(&mut self.arena, self.loops.last().expect("a break is inside a loop").left);
        }
        if jumps.continues {
            also(&mut self.arena, self.loops.last().expect("a continue is inside a loop").continued);
        }
        if jumps.returns {
            also(&mut self.arena, self.returned);
        }
        self.arena.not(raised.expect("there is a jump"))
    }

    /// A counted loop; one that may be left early asks its flags before each iteration.
    fn counted(
        &mut self,
        out: &mut Vec<Stmt>,
        (counter, from, to, step): (LocalId, ExprId, ExprId, i32),
        body: &[Stmt],
    ) -> Jumps {
        let flags = self.enter();
        let (mut body, jumps) = self.block(body);
        if !jumps.breaks && !jumps.returns {
            return self.leave(out, flags, jumps, |body| Stmt::For { counter, from, to, step, body }, body);
        }
        let count = count(&mut self.arena, from, to, step);
        let [first, total, number] = [("first", DType::I32), ("total", DType::I32), ("number", DType::I32)]
            .map(|(name, dtype)| self.arena.local(name, dtype));
        out.push(Stmt::Let(first, from));
        out.push(Stmt::Let(total, count));
        let zero = self.arena.i32(0);
        out.push(Stmt::Let(number, zero));
        let arena = &mut self.arena;
        let [at, one] = [arena.read(number), arena.i32(1)];
        let first = arena.read(first);
        let value = at_iteration(arena, first, step, at);
        let next = arena.add(at, one);
        body.insert(0, Stmt::Let(counter, value));
        body.push(Stmt::Let(number, next));
        let total = arena.read(total);
        let more = arena.compare(Compare::Lt, at, total);
        let condition = self.going_on(more, jumps);
        self.leave(out, flags, jumps, |body| Stmt::While { condition, limit: u32::MAX, body }, body)
    }
}

/// The counter of iteration `number`.
pub(super) fn at_iteration(arena: &mut Arena, from: ExprId, step: i32, number: ExprId) -> ExprId {
    let by = if step == 1 {
        number
    } else {
        let step = arena.i32(step);
        arena.mul(number, step)
    };
    if matches!(arena.expr(from), weft_ir::user_kernel::Expr::Literal(Literal::I32(0))) {
        by
    } else {
        arena.add(from, by)
    }
}

/// How many iterations a counted loop has, an i32; bounds may be as far apart as i32 allows.
pub(super) fn count(arena: &mut Arena, from: ExprId, to: ExprId, step: i32) -> ExprId {
    let (low, high) = if step > 0 { (from, to) } else { (to, from) };
    let some = arena.compare(Compare::Lt, low, high);
    let [low, high] = [low, high].map(|bound| arena.cast(DType::U32, bound));
    let mut span = arena.sub(high, low);
    if step.unsigned_abs() != 1 {
        let one = arena.literal(Literal::U32(1));
        let by = arena.literal(Literal::U32(step.unsigned_abs()));
        let less = arena.sub(span, one);
        let whole = arena.binary(Binary::Div, less, by);
        span = arena.add(whole, one);
    }
    let span = arena.cast(DType::I32, span);
    let zero = arena.i32(0);
    arena.select(some, span, zero)
}
