//! Tests of the kernel interpreter: masks, barriers, memory, subgroups, and refusals.

use super::super::sketch::Sketch;
use super::*;
use crate::kernel::{AtomicOp, SubgroupOp, UnaryOp};
use DType::{F32, I32, U32};

/// Runs one workgroup of a kernel over one buffer of as many zeros.
fn run_one(k: &Sketch, length: usize) -> Result<Vec<u32>, Fault> {
    let mut buffers = [vec![0; length]];
    match run(&k.0, &mut buffers, &[], [1, 1, 1]) {
        Ok(()) => Ok(buffers.into_iter().next().expect("there is one")),
        Err(InterpretError::Fault { fault, .. }) => Err(fault),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn invocations_store_each_their_own() {
    let mut k = Sketch::new(4);
    let (x, out) = (k.array("x", F32, Space::Read), k.array("out", F32, Space::ReadWrite));
    let (group, four, local) = (k.expr(Expr::Builtin(Builtin::WorkgroupId(0))), k.u32(4), k.index());
    let first = k.binary(BinaryOp::Mul, group, four);
    let index = k.binary(BinaryOp::Add, first, local);
    let (i, read) = k.local_read("i", U32);
    let scale = k.expr(Expr::Uniform(0));
    k.0.uniforms.push(F32);
    let value = k.load(x, read);
    let product = k.binary(BinaryOp::Mul, value, scale);
    k.push(Stmt::Let(i, index));
    k.push(Stmt::Store(out, read, product));
    let numbers: Vec<f32> = (0..8).map(|n| n as f32).collect();
    let mut buffers = [numbers.iter().map(|n| n.to_bits()).collect(), vec![0; 8]];
    run(&k.0, &mut buffers, &[0.5f32.to_bits()], [2, 1, 1]).unwrap();
    let halves: Vec<f32> = buffers[1].iter().map(|&b| f32::from_bits(b)).collect();
    assert_eq!(halves, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]);
    let missing = run(&k.0, &mut buffers, &[], [2, 1, 1]).unwrap_err();
    assert_eq!(missing, InterpretError::WrongBindings { expected: (2, 1), given: (2, 0) });
}

#[test]
fn a_tree_of_barriers_sums_workgroup_memory() {
    let mut k = Sketch::new(8);
    let (out, tile) = (k.array("out", U32, Space::ReadWrite), k.array("tile", U32, Space::Workgroup(8)));
    let (index, one, zero) = (k.index(), k.u32(1), k.u32(0));
    let square = k.binary(BinaryOp::Mul, index, index);
    k.push(Stmt::Store(tile, index, square));
    let (stride, read) = k.local_read("stride", U32);
    let four = k.u32(4);
    let half = k.binary(BinaryOp::Shr, read, one);
    let below = k.binary(BinaryOp::Lt, index, read);
    let partner = k.binary(BinaryOp::Add, index, read);
    let (mine, other) = (k.load(tile, index), k.load(tile, partner));
    let sum = k.binary(BinaryOp::Add, mine, other);
    let more = k.binary(BinaryOp::Gt, read, zero);
    k.push(Stmt::Var(stride, four));
    k.push(Stmt::While(
        more,
        vec![
            Stmt::Barrier,
            Stmt::If(below, vec![Stmt::Store(tile, index, sum)], vec![]),
            Stmt::Assign(stride, half),
        ],
    ));
    let is_first = k.binary(BinaryOp::Eq, index, zero);
    let total = k.load(tile, zero);
    k.push(Stmt::If(is_first, vec![Stmt::Store(out, zero, total)], vec![]));
    assert_eq!(run_one(&k, 1), Ok(vec![140]));
}

#[test]
fn without_a_barrier_no_invocation_reaches_what_is_another_s() {
    /// Each loads and stores an element of its own or of its neighbour, in turn.
    fn kernel(accesses: &[(bool, bool)], barrier: bool) -> Sketch {
        let mut k = Sketch::new(4);
        let (out, tile) = (k.array("out", U32, Space::ReadWrite), k.array("tile", U32, Space::Workgroup(5)));
        let (own, one) = (k.index(), k.u32(1));
        let next = k.binary(BinaryOp::Add, own, one);
        for (n, &(stores, its_own)) in accesses.iter().enumerate() {
            let at = if its_own { own } else { next };
            if barrier && n > 0 {
                k.push(Stmt::Barrier);
            }
            let loaded = k.load(tile, at);
            k.push(if stores { Stmt::Store(tile, at, own) } else { Stmt::Store(out, own, loaded) });
        }
        k
    }
    let (load, store) = (false, true);
    let (own, next) = (true, false);
    for accesses in
        [[(store, own), (load, next)], [(load, next), (store, own)], [(store, own), (store, next)]]
    {
        assert!(run_one(&kernel(&accesses, true), 4).is_ok(), "{accesses:?}");
        let fault = run_one(&kernel(&accesses, false), 4).unwrap_err();
        assert!(matches!(&fault, Fault::Race { array, .. } if array == "tile"), "{accesses:?}: {fault}");
    }
    for accesses in [[(store, own), (load, own)], [(load, own), (store, own)], [(load, own), (load, next)]] {
        assert!(run_one(&kernel(&accesses, false), 4).is_ok(), "{accesses:?}");
    }
}

#[test]
fn invocations_leave_and_skip_iterations_on_their_own() {
    let mut k = Sketch::new(4);
    let out = k.array("out", I32, Space::ReadWrite);
    let index = k.index();
    let own = k.expr(Expr::Cast(I32, index));
    let (sum, total) = k.local_read("sum", I32);
    let (i, count) = k.local_read("i", I32);
    let (zero, one, ten) = (k.i32(0), k.i32(1), k.i32(10));
    // Skip 1; leave past twice the invocation's own number.
    let skip = k.binary(BinaryOp::Eq, count, one);
    let twice = k.binary(BinaryOp::Add, own, own);
    let leave = k.binary(BinaryOp::Gt, count, twice);
    let more = k.binary(BinaryOp::Add, total, count);
    k.push(Stmt::Var(sum, zero));
    k.push(Stmt::For {
        counter: i,
        from: zero,
        to: ten,
        step: 1,
        body: vec![
            Stmt::If(skip, vec![Stmt::Continue], vec![]),
            Stmt::If(leave, vec![Stmt::Break], vec![]),
            Stmt::Assign(sum, more),
        ],
    });
    k.push(Stmt::Store(out, own, total));
    assert_eq!(run_one(&k, 4), Ok(vec![0, 2, 2 + 3 + 4, 2 + 3 + 4 + 5 + 6]));
}

#[test]
fn private_memory_vectors_and_subgroups() {
    let mut k = Sketch::new(6);
    let out = k.array("out", Type { scalar: U32, lanes: 2 }, Space::ReadWrite);
    let mine = k.array("mine", U32, Space::Private(2));
    let (index, one) = (k.index(), k.u32(1));
    k.push(Stmt::Store(mine, one, index));
    let kept = k.load(mine, one);
    let sum = k.expr(Expr::Subgroup(SubgroupOp::Add, kept));
    let pair = k.expr(Expr::Compose(vec![kept, sum]));
    let doubled = k.binary(BinaryOp::Add, pair, pair);
    k.push(Stmt::Store(out, index, doubled));
    // Subgroups of four: 0+1+2+3, then 4+5.
    assert_eq!(run_one(&k, 12), Ok(vec![0, 12, 2, 12, 4, 12, 6, 12, 8, 18, 10, 18]));
}

#[test]
fn atomics_combine_and_the_last_store_wins() {
    let mut k = Sketch::new(4);
    let out = k.array("out", I32, Space::Atomic);
    let (index, zero, one) = (k.index(), k.u32(0), k.u32(1));
    let own = k.expr(Expr::Cast(I32, index));
    let minus = k.expr(Expr::Unary(UnaryOp::Neg, own));
    k.push(Stmt::Store(out, zero, own));
    let atomic = |op, index, value| Stmt::Atomic { op, array: out, index, value, before: None };
    k.push(atomic(AtomicOp::Add, zero, own));
    k.push(atomic(AtomicOp::Min, one, minus));
    assert_eq!(run_one(&k, 2), Ok(vec![3 + 6, -3i32 as u32]));
}

#[test]
fn an_atomic_binds_what_was_there_before() {
    let mut k = Sketch::new(4);
    let (sum, out) = (k.array("sum", U32, Space::Atomic), k.array("out", U32, Space::ReadWrite));
    let (index, zero, two) = (k.index(), k.u32(0), k.u32(2));
    let (before, read) = k.local_read("before", U32);
    k.push(Stmt::Atomic { op: AtomicOp::Add, array: sum, index: zero, value: two, before: Some(before) });
    k.push(Stmt::Store(out, index, read));
    let mut buffers = [vec![0; 1], vec![0; 4]];
    run(&k.0, &mut buffers, &[], [1, 1, 1]).unwrap();
    assert_eq!(buffers, [vec![8], vec![0, 2, 4, 6]]);
}

#[test]
fn atomics_in_workgroup_memory_are_each_workgroups_own() {
    let mut k = Sketch::new(4);
    let (out, tile) = (k.array("out", U32, Space::Atomic), k.array("tile", U32, Space::WorkgroupAtomic(2)));
    let (index, zero, one) = (k.index(), k.u32(0), k.u32(1));
    let atomic = |array, index, value| Stmt::Atomic { op: AtomicOp::Add, array, index, value, before: None };
    k.push(atomic(tile, one, index));
    k.push(Stmt::Barrier);
    let whole = k.load(tile, one);
    k.push(atomic(out, zero, whole));
    let (rest, group) = (k.load(tile, zero), k.expr(Expr::Builtin(Builtin::WorkgroupId(0))));
    let group = k.binary(BinaryOp::Add, group, one);
    k.push(atomic(out, group, rest));
    let mut buffers = [vec![0; 3]];
    run(&k.0, &mut buffers, &[], [2, 1, 1]).unwrap();
    // Each of four invocations adds 0+1+2+3 of its own workgroup, and what nobody added to is zero.
    assert_eq!(buffers, [vec![4 * 6 + 4 * 6, 0, 0]]);
}

#[test]
fn what_a_device_forgives_is_an_error() {
    let value = |make: fn(&mut Sketch) -> ExprId| {
        let mut k = Sketch::new(4);
        let out = k.array("out", I32, Space::ReadWrite);
        let value = make(&mut k);
        let index = k.index();
        k.push(Stmt::Store(out, index, value));
        run_one(&k, 3)
    };
    let outside = Fault::OutOfBounds { array: "out".to_owned(), index: 3, length: 3 };
    assert_eq!(value(|k| k.i32(7)), Err(outside));
    assert_eq!(
        value(|k| {
            let (one, index) = (k.i32(1), k.index());
            let divisor = k.expr(Expr::Cast(I32, index));
            k.binary(BinaryOp::Div, one, divisor)
        }),
        Err(Fault::DivisionByZero)
    );
    assert_eq!(
        value(|k| {
            let (one, index, thirty) = (k.i32(1), k.index(), k.u32(30));
            let by = k.binary(BinaryOp::Add, index, thirty);
            k.binary(BinaryOp::Shl, one, by)
        }),
        Err(Fault::ShiftTooFar(32))
    );
    let mut k = Sketch::new(1);
    let yes = k.bool(true);
    k.array("out", I32, Space::ReadWrite);
    k.push(Stmt::While(yes, vec![]));
    assert_eq!(run_one(&k, 1), Err(Fault::EndlessLoop));
}

#[test]
fn the_right_side_of_and_is_evaluated_where_the_left_holds() {
    let mut k = Sketch::new(4);
    let out = k.array("out", U32, Space::ReadWrite);
    let (index, two, zero) = (k.index(), k.u32(2), k.u32(0));
    let inside = k.binary(BinaryOp::Lt, index, two);
    let value = k.load(out, index);
    let empty = k.binary(BinaryOp::Eq, value, zero);
    let both = k.binary(BinaryOp::And, inside, empty);
    let one = k.u32(1);
    k.push(Stmt::If(both, vec![Stmt::Store(out, index, one)], vec![]));
    assert_eq!(run_one(&k, 2), Ok(vec![1, 1]));
}
