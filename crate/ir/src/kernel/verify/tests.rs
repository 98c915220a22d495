//! Each rule, broken once, and kernels at the edge of the rules that keep them.

use super::super::sketch::Sketch;
use super::*;
use crate::dtype::Literal;
use crate::kernel::{AtomicOp, BinaryOp, Builtin, Expr, Function, SubgroupOp, UnaryOp};
use BinaryOp::{Add, And, Div, Lt, Shl};
use DType::{Bool, F32, I32, U32};

/// What is wrong with the kernel that `build` writes.
fn broken(build: impl FnOnce(&mut Sketch)) -> (Rule, String) {
    let mut sketch = Sketch::new(4);
    build(&mut sketch);
    let error = verify(&sketch.0).expect_err("the kernel breaks a rule");
    (error.rule, error.place.to_string())
}

/// The rule that an expression breaks.
fn broken_expr(build: impl FnOnce(&mut Sketch) -> ExprId) -> Rule {
    broken(|k| {
        build(k);
    })
    .0
}

fn fine(build: impl FnOnce(&mut Sketch)) {
    let mut sketch = Sketch::new(4);
    build(&mut sketch);
    assert_eq!(verify(&sketch.0), Ok(()), "{}", sketch.0);
}

#[test]
fn declarations() {
    assert_eq!(broken(|k| k.0.workgroup[1] = 0), (Rule::WorkgroupIsNotEmpty, "the kernel".to_owned()));
    let array = |ty: Type, space| broken(|k| _ = k.array("a", ty, space));
    assert_eq!(array(Bool.into(), Space::Read), (Rule::ArrayIsNotBool, "array 0".to_owned()));
    assert_eq!(array(Type { scalar: F32, lanes: 3 }, Space::Read).0, Rule::ArrayLanesArePacked);
    assert_eq!(array(F32.into(), Space::Workgroup(0)).0, Rule::ArrayIsNotEmpty);
    assert_eq!(array(U32.into(), Space::WorkgroupAtomic(0)).0, Rule::ArrayIsNotEmpty);
    assert_eq!(array(F32.into(), Space::Atomic).0, Rule::AtomicIsInteger);
    assert_eq!(array(F32.into(), Space::WorkgroupAtomic(4)).0, Rule::AtomicIsInteger);
    let lanes = broken(|k| _ = k.local("v", Type { scalar: F32, lanes: 5 }));
    assert_eq!(lanes, (Rule::LanesAreOneToFour, "local 0".to_owned()));
}

#[test]
fn expressions_name_what_exists_and_stands_earlier() {
    assert_eq!(broken_expr(|k| k.expr(Expr::Local(LocalId(0)))), Rule::IdIsInRange);
    assert_eq!(broken_expr(|k| k.expr(Expr::Uniform(0))), Rule::IdIsInRange);
    assert_eq!(broken_expr(|k| k.expr(Expr::Builtin(Builtin::LocalId(3)))), Rule::IdIsInRange);
    assert_eq!(broken_expr(|k| k.expr(Expr::Unary(UnaryOp::Neg, ExprId(0)))), Rule::OperandIsEarlier);
    assert_eq!(
        broken_expr(|k| {
            let zero = k.u32(0);
            k.load(ArrayId(0), zero)
        }),
        Rule::IdIsInRange
    );
}

#[test]
fn operators_take_what_wgsl_lets_them() {
    let pair = |op, a: Literal, b: Literal| {
        broken_expr(|k| {
            let (a, b) = (k.expr(Expr::Literal(a)), k.expr(Expr::Literal(b)));
            k.binary(op, a, b)
        })
    };
    assert_eq!(pair(Add, Literal::I32(1), Literal::U32(1)), Rule::OperandsAgree);
    assert_eq!(pair(Add, Literal::Bool(true), Literal::Bool(true)), Rule::OperatorTakesDType);
    assert_eq!(pair(And, Literal::F32(1.0), Literal::F32(1.0)), Rule::OperatorTakesDType);
    assert_eq!(pair(Shl, Literal::I32(1), Literal::I32(1)), Rule::OperatorTakesDType);
    assert_eq!(pair(Shl, Literal::I32(1), Literal::U32(32)), Rule::ShiftIsBelow32);
    assert_eq!(pair(Div, Literal::I32(1), Literal::I32(0)), Rule::DivisorIsNotZero);
    let unary = |op, x: Literal| {
        broken_expr(|k| {
            let x = k.expr(Expr::Literal(x));
            k.expr(Expr::Unary(op, x))
        })
    };
    assert_eq!(unary(UnaryOp::Neg, Literal::U32(1)), Rule::OperatorTakesDType);
    assert_eq!(unary(UnaryOp::Not, Literal::F32(1.0)), Rule::OperatorTakesDType);
    assert_eq!(unary(UnaryOp::Sqrt, Literal::I32(1)), Rule::OperatorTakesDType);
}

#[test]
fn conversions_selections_and_calls_are_typed() {
    let of_f32 = |make: fn(ExprId) -> Expr| {
        broken_expr(|k| {
            let x = k.f32(1.0);
            k.expr(make(x))
        })
    };
    assert_eq!(of_f32(|x| Expr::Cast(I32, x)), Rule::CastIsNotFloatToInteger);
    assert_eq!(of_f32(|x| Expr::Bitcast(Bool, x)), Rule::BitcastIsNotOfBool);
    assert_eq!(of_f32(|x| Expr::Select(x, x, x)), Rule::ConditionIsBool);
    assert_eq!(of_f32(|x| Expr::Call(Function::PowF32, vec![x])), Rule::ArgumentsMatchSignature);
    assert_eq!(of_f32(|x| Expr::Call(Function::PowI32, vec![x, x])), Rule::ArgumentsMatchSignature);
    assert_eq!(of_f32(|x| Expr::Splat(5, x)), Rule::VectorIsOfScalars);
    assert_eq!(of_f32(|x| Expr::Compose(vec![x])), Rule::VectorIsOfScalars);
    assert_eq!(of_f32(|x| Expr::Component(x, 0)), Rule::ComponentIsOfVector);
    assert_eq!(
        broken_expr(|k| {
            let (condition, a, b) = (k.bool(true), k.f32(1.0), k.i32(1));
            k.expr(Expr::Select(condition, a, b))
        }),
        Rule::OperandsAgree
    );
    assert_eq!(
        broken_expr(|k| {
            let array = k.array("a", F32, Space::Read);
            let index = k.f32(0.0);
            k.load(array, index)
        }),
        Rule::IndexIsInteger
    );
}

#[test]
fn locals_are_bound_once_and_used_in_scope() {
    let scope = broken(|k| {
        let (x, read) = k.local_read("x", F32);
        let (y, _) = k.local_read("y", F32);
        let (one, yes) = (k.f32(1.0), k.bool(true));
        k.push(Stmt::If(yes, vec![Stmt::Let(x, one)], vec![]));
        k.push(Stmt::Let(y, read));
    });
    assert_eq!(scope, (Rule::LocalIsInScope, "statement 1".to_owned()));
    let twice = broken(|k| {
        let x = k.local("x", F32);
        let (one, yes) = (k.f32(1.0), k.bool(true));
        k.push(Stmt::Let(x, one));
        k.push(Stmt::If(yes, vec![], vec![Stmt::Let(x, one)]));
    });
    assert_eq!(twice, (Rule::LocalIsBoundOnce, "statement 1.0".to_owned()));
    let ty = broken(|k| {
        let (x, one) = (k.local("x", I32), k.f32(1.0));
        k.push(Stmt::Let(x, one));
    });
    assert_eq!(ty.0, Rule::LocalTypeMatches);
    let assigned = broken(|k| {
        let (x, one) = (k.local("x", F32), k.f32(1.0));
        k.push(Stmt::Let(x, one));
        k.push(Stmt::Assign(x, one));
    });
    assert_eq!(assigned.0, Rule::OnlyVarsAreAssigned);
    fine(|k| {
        let x = k.local("x", F32);
        let (one, yes) = (k.f32(1.0), k.bool(true));
        k.push(Stmt::If(yes, vec![Stmt::Let(x, one)], vec![Stmt::Var(x, one), Stmt::Assign(x, one)]));
    });
}

#[test]
fn arrays_are_written_as_they_are_declared() {
    let store = |space, ty: DType, value: Literal| {
        broken(|k| {
            let array = k.array("a", ty, space);
            let (zero, value) = (k.u32(0), k.expr(Expr::Literal(value)));
            k.push(Stmt::Store(array, zero, value));
        })
        .0
    };
    assert_eq!(store(Space::Read, F32, Literal::F32(1.0)), Rule::ReadArraysAreNotWritten);
    assert_eq!(store(Space::ReadWrite, F32, Literal::I32(1)), Rule::StoredTypeMatches);
    let atomic = broken(|k| {
        let array = k.array("a", U32, Space::ReadWrite);
        let one = k.u32(1);
        k.push(Stmt::Atomic { op: AtomicOp::Add, array, index: one, value: one, before: None });
    });
    assert_eq!(atomic.0, Rule::AtomicArraysOnly);
    let of_another_type = broken(|k| {
        let (array, one, before) = (k.array("a", U32, Space::Atomic), k.u32(1), k.local("before", F32));
        k.push(Stmt::Atomic { op: AtomicOp::Add, array, index: one, value: one, before: Some(before) });
    });
    assert_eq!(of_another_type.0, Rule::LocalTypeMatches);
    let used_before = broken(|k| {
        let (array, one, (before, read)) =
            (k.array("a", U32, Space::Atomic), k.u32(1), k.local_read("before", U32));
        k.push(Stmt::Atomic { op: AtomicOp::Add, array, index: read, value: one, before: Some(before) });
    });
    assert_eq!(used_before.0, Rule::LocalIsInScope);
}

/// `for i in 0..to` with a body.
fn counting(k: &mut Sketch, to: ExprId, step: i32, body: Vec<Stmt>) {
    let counter = k.local("i", I32);
    let from = k.i32(0);
    k.push(Stmt::For { counter, from, to, step, body });
}

#[test]
fn counting_loops_count() {
    let float = broken(|k| {
        let to = k.f32(8.0);
        counting(k, to, 1, vec![]);
    });
    assert_eq!(float.0, Rule::CounterIsI32);
    let backwards = broken(|k| {
        let to = k.i32(8);
        counting(k, to, 0, vec![]);
    });
    assert_eq!(backwards.0, Rule::StepIsPositive);
    let moving = broken(|k| {
        let (n, read) = k.local_read("n", I32);
        let eight = k.i32(8);
        k.push(Stmt::Var(n, eight));
        counting(k, read, 1, vec![Stmt::Assign(n, eight)]);
    });
    assert_eq!(moving.0, Rule::BoundDoesNotChange);
    let counter = broken(|k| {
        let (i, to) = k.local_read("i", I32);
        let from = k.i32(0);
        k.push(Stmt::For { counter: i, from, to, step: 1, body: vec![] });
    });
    assert_eq!(counter.0, Rule::LocalIsInScope);
}

#[test]
fn jumps_stand_last_in_loops() {
    assert_eq!(broken(|k| k.push(Stmt::Break)).0, Rule::JumpIsInLoop);
    let after = broken(|k| {
        let yes = k.bool(true);
        k.push(Stmt::While(yes, vec![Stmt::Break, Stmt::Barrier]));
    });
    assert_eq!(after, (Rule::JumpIsLast, "statement 0.0".to_owned()));
}

/// `if local_index < 2`.
fn some_invocations(k: &mut Sketch) -> ExprId {
    let (index, two) = (k.index(), k.u32(2));
    k.binary(Lt, index, two)
}

#[test]
fn barriers_stand_in_uniform_control_flow() {
    let varying = broken(|k| {
        let some = some_invocations(k);
        k.push(Stmt::If(some, vec![], vec![Stmt::Barrier]));
    });
    assert_eq!(varying, (Rule::BarrierIsUniform, "statement 0.0".to_owned()));
    // Invocations leave the loop at different iterations.
    let left = broken(|k| {
        let some = some_invocations(k);
        let to = k.i32(8);
        counting(k, to, 1, vec![Stmt::Barrier, Stmt::If(some, vec![Stmt::Break], vec![])]);
    });
    assert_eq!(left, (Rule::BarrierIsUniform, "statement 0.0".to_owned()));
    // A local that is uniform at first, and not after the first iteration.
    let carried = broken(|k| {
        let (n, read) = k.local_read("n", U32);
        let (zero, index, yes) = (k.u32(0), k.index(), k.bool(true));
        let condition = k.binary(BinaryOp::Eq, read, zero);
        k.push(Stmt::Var(n, zero));
        k.push(Stmt::While(
            yes,
            vec![Stmt::If(condition, vec![Stmt::Barrier], vec![]), Stmt::Assign(n, index)],
        ));
    });
    assert_eq!(carried.0, Rule::BarrierIsUniform);
    // A uniform value, assigned by some invocations only.
    let assigned = broken(|k| {
        let (n, read) = k.local_read("n", U32);
        let (zero, one) = (k.u32(0), k.u32(1));
        let some = some_invocations(k);
        let condition = k.binary(BinaryOp::Eq, read, zero);
        k.push(Stmt::Var(n, zero));
        k.push(Stmt::If(some, vec![Stmt::Assign(n, one)], vec![]));
        k.push(Stmt::If(condition, vec![Stmt::Barrier], vec![]));
    });
    assert_eq!(assigned, (Rule::BarrierIsUniform, "statement 2.0".to_owned()));
    // Each invocation finds another number where all of them count.
    let counted = broken(|k| {
        let (array, (before, read)) =
            (k.array("counter", U32, Space::WorkgroupAtomic(1)), k.local_read("before", U32));
        let (zero, one) = (k.u32(0), k.u32(1));
        let condition = k.binary(BinaryOp::Eq, read, zero);
        k.push(Stmt::Atomic { op: AtomicOp::Add, array, index: zero, value: one, before: Some(before) });
        k.push(Stmt::If(condition, vec![Stmt::Barrier], vec![]));
    });
    assert_eq!(counted, (Rule::BarrierIsUniform, "statement 1.0".to_owned()));
}

#[test]
fn uniform_loops_and_branches_may_hold_barriers() {
    fine(|k| {
        let sizes = k.array("sizes", I32, Space::Read);
        let group = k.expr(Expr::Builtin(Builtin::WorkgroupId(0)));
        let to = k.load(sizes, group);
        let some = some_invocations(k);
        let to_two = k.i32(2);
        let (j, from) = (k.local("j", I32), k.index());
        let from = k.expr(Expr::Bitcast(I32, from));
        let varying = Stmt::For { counter: j, from, to: to_two, step: 1, body: vec![] };
        // Loops that invocations leave at different iterations end before the barrier.
        let search = Stmt::While(some, vec![Stmt::Break]);
        counting(k, to, 4, vec![varying, search, Stmt::Barrier]);
    });
    // What is read from memory that the kernel writes is not uniform.
    let written = broken(|k| {
        let sizes = k.array("sizes", I32, Space::ReadWrite);
        let zero = k.u32(0);
        let to = k.load(sizes, zero);
        counting(k, to, 4, vec![Stmt::Barrier]);
    });
    assert_eq!(written.0, Rule::BarrierIsUniform);
}

#[test]
fn subgroup_operations_stand_in_uniform_control_flow() {
    let sum = |k: &mut Sketch| {
        let index = k.index();
        k.expr(Expr::Subgroup(SubgroupOp::Add, index))
    };
    fine(|k| {
        let (x, total) = (k.local("x", U32), sum(k));
        k.push(Stmt::Let(x, total));
    });
    let varying = broken(|k| {
        let (x, total) = (k.local("x", U32), sum(k));
        let some = some_invocations(k);
        k.push(Stmt::If(some, vec![Stmt::Let(x, total)], vec![]));
    });
    assert_eq!(varying, (Rule::SubgroupIsUniform, "statement 0.0".to_owned()));
    let short_circuit = broken(|k| {
        let (x, total, three) = (k.local("x", Bool), sum(k), k.u32(3));
        let some = some_invocations(k);
        let small = k.binary(Lt, total, three);
        let both = k.binary(And, some, small);
        k.push(Stmt::Let(x, both));
    });
    assert_eq!(short_circuit.0, Rule::SubgroupIsUniform);
}

#[test]
fn errors_say_which_kernel_where_and_what() {
    let mut k = Sketch::new(4);
    k.push(Stmt::Continue);
    assert_eq!(
        verify(&k.0).unwrap_err().to_string(),
        "kernel \"sketch\" is not well formed at statement 0: break and continue are in loops"
    );
}
