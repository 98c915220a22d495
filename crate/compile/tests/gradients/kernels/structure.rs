//! Structure of the kernels that derivatives of kernels are, and kernels that have none.

use super::writing::{Where, Writing, X};
use weft_compile::transform::kernel::{Asked, Derived, Sizes, Yield, reverse};
use weft_ir::DType::{F32, I32};
use weft_ir::op::{KernelCall, Unary};
use weft_ir::user_kernel::{Combine, Stmt};
use weft_ir::{Error, ErrorKind, Literal, Shape};

/// The kernels of the gradient by all inputs.
fn derived(call: &KernelCall, shapes: &[&[usize]]) -> Result<Vec<Derived>, Error> {
    let shapes: Vec<Shape> = shapes.iter().map(|&shape| shape.into()).collect();
    let sizes = Sizes { grid: &call.grid, inputs: &shapes };
    let asked = Asked { inputs: &vec![true; shapes.len()], outputs: &vec![true; call.shapes.len()] };
    reverse(&call.kernel, sizes, asked, &vec![false; call.shapes.len()])
}

/// y[i] = f applied over and over from x[i], by a bound that is read.
fn repeated(f: impl FnOnce(X, X) -> X) -> KernelCall {
    let mut k = Writing::new(1);
    let (x, n) = (k.tensor(F32, 1), k.tensor(I32, 1));
    let y = k.output(1, Combine::Set);
    let i = vec![X::Index(0)];
    let v = k.local(F32, 0.0);
    k.count(0, X::Load(n, i.clone(), Where::Clamp), 1, |k, t| {
        let at = X::Load(x, vec![X::Index(0) + t], Where::Wrap);
        k.set(v, f(X::Local(v), at));
    });
    k.store(y, &i, X::Local(v));
    k.call([8], &[&[8]])
}

#[test]
fn a_loop_keeps_what_is_read_of_its_states() {
    let shapes: [&[usize]; 2] = [&[8], &[8]];
    // Of a sum nothing, not even its terms.
    let found = derived(&repeated(|v, x| v + x * 3.0.into()), &shapes).unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].kernel.arrays.is_empty());
    assert!(found[0].kernel.lean.is_none());
    // Of a recurrence its values and when they were taken; further derivatives begin with less.
    let found = derived(&repeated(|v, x| (v + x).sin()), &shapes).unwrap();
    assert_eq!(found[0].kernel.arrays.iter().map(|array| array.length).collect::<Vec<_>>(), [16, 16]);
    assert!(found[0].kernel.lean.as_ref().unwrap().arrays.is_empty());
}

#[test]
fn cotangents_of_what_is_read_at_own_coordinates_are_stored() {
    let mut k = Writing::new(2);
    let (a, b) = (k.tensor(F32, 1), k.tensor(F32, 1));
    let s = k.scalar(F32);
    let y = k.output(2, Combine::Set);
    let a = X::Load(a, vec![X::Index(1)], Where::Clamp);
    let b = X::Load(b, vec![X::Index(1) + 1.into()], Where::Clamp);
    k.store(y, &[X::Index(0), X::Index(1)], a * b * s);
    let found = derived(&k.call([4, 6], &[&[4, 6]]), &[&[6], &[6], &[]]).unwrap();
    let axes = |axes: &[usize]| Some(axes.to_vec());
    assert_eq!(
        found[0].outputs,
        [Yield::Gradient { input: 0, axes: axes(&[1]) }, Yield::Gradient { input: 2, axes: axes(&[]) },]
    );
    let combines: Vec<Combine> = found[0].kernel.outputs.iter().map(|output| output.combine).collect();
    assert_eq!(combines, [Combine::Set, Combine::Set]);
    // What is read at a neighbour is collected, for each row apart, and then summed.
    assert_eq!(found[1].outputs, [Yield::Gradient { input: 1, axes: axes(&[0]) }]);
    assert_eq!(found[1].grid, Some([6, 4].into()));
}

#[test]
fn only_stores_that_meet_are_tallied() {
    let kernels = |combine: Combine, twice: bool| {
        let mut k = Writing::new(1);
        let x = k.tensor(F32, 1);
        let y = k.output(1, combine);
        for n in 0..=i32::from(twice) {
            let at = X::Load(x, vec![X::Index(0)], Where::Clamp);
            k.store(y, &[X::Index(0) % 3.into()], at * at_least(n));
        }
        let found = derived(&k.call([6], &[&[3]]), &[&[6]]).unwrap();
        found.into_iter().map(|it| it.outputs).collect::<Vec<_>>()
    };
    let gradient = || vec![Yield::Gradient { input: 0, axes: Some(vec![0]) }];
    assert_eq!(kernels(Combine::Add, true), [gradient()]);
    assert_eq!(kernels(Combine::Set, false), [vec![Yield::Owner(0)], gradient()]);
    assert_eq!(kernels(Combine::Set, true), [vec![Yield::Owner(0)], vec![Yield::Last(0)], gradient()]);
    assert_eq!(kernels(Combine::Max, false), [vec![Yield::Count(0)], gradient()]);
}

fn at_least(n: i32) -> X {
    X::Number(n as f32 + 1.0)
}

#[test]
fn nothing_is_made_where_nothing_connects() {
    let mut k = Writing::new(1);
    let x = k.tensor(F32, 1);
    let y = k.output(1, Combine::Set);
    let at = X::Load(x, vec![X::Index(0)], Where::Clamp);
    k.store(y, &[X::Index(0)], at.unary(Unary::Floor));
    assert_eq!(derived(&k.call([4], &[&[4]]), &[&[4]]).unwrap(), []);
}

#[test]
fn groups_and_what_atomics_find_are_refused_by_name() {
    let write = |group: bool, read: bool| {
        let mut k = Writing::new(1);
        let x = k.tensor(F32, 1);
        let y = k.output(1, Combine::Set);
        let at = X::Load(x, vec![X::Index(0)], Where::Clamp);
        let found = k.local(I32, 0);
        if read {
            let counts = k.kernel.output("counts", I32, 1, Combine::Add);
            let (zero, one) = (k.kernel.literal(Literal::I32(0)), k.kernel.literal(Literal::I32(1)));
            k.push(Stmt::Store { output: counts, indices: vec![zero], value: one, before: Some(found) });
        }
        k.store(y, &[X::Index(0)], at * X::Local(found).float());
        k.kernel.workgroup = group.then_some([4, 1, 1]);
        let shapes: &[&[usize]] = if read { &[&[4], &[1]] } else { &[&[4]] };
        derived(&k.call([4], shapes), &[&[4]])
    };
    assert!(write(false, false).is_ok());
    let error = write(true, false).unwrap_err();
    assert_eq!((error.kind, &error.op[..]), (ErrorKind::Trace, "written"));
    assert_eq!(
        error.message,
        "a kernel that works in groups has no reverse mode; give its derivative with customVjp"
    );
    let error = write(false, true).unwrap_err();
    assert_eq!((error.kind, &error.op[..]), (ErrorKind::Trace, "written"));
    assert!(error.message.contains("what an atomic operation found"), "{}", error.message);
}
