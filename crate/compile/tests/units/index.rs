//! Sums of indices: what is unravelled and flattened again vanishes, and ranges decide conditions.

use weft_compile::lower::builder::KernelBuilder;
use weft_ir::kernel::{Expr, ExprId};
use weft_ir::{Literal, Shape};

fn flat(builder: &mut KernelBuilder, size: usize) -> ExprId {
    builder.counter("i", size as i64).1
}

#[test]
fn flattening_an_unravelled_position_gives_it_back() {
    for shape in [vec![7], vec![3, 5], vec![2, 3, 4, 5], vec![4, 1, 6], vec![1, 1, 9, 1]] {
        let shape: Shape = shape.into();
        let mut b = KernelBuilder::new();
        let i = flat(&mut b, shape.size());
        let coordinates = b.unravel(i, &shape);
        assert_eq!(b.ravel(&coordinates, &shape), i, "{shape}");
    }
}

#[test]
fn reshaping_there_and_back_vanishes() {
    let (from, to): (Shape, Shape) = ([6, 4, 5].into(), [12, 10].into());
    let mut b = KernelBuilder::new();
    let coordinates: Vec<_> = from.iter().map(|&e| b.counter("c", e as i64).1).collect();
    let position = b.ravel(&coordinates, &from);
    let there = b.unravel(position, &to);
    let back = b.ravel(&there, &to);
    assert_eq!(back, position);
    assert_eq!(b.unravel(back, &from), coordinates);
}

#[test]
fn ranges_decide_conditions() {
    let mut b = KernelBuilder::new();
    let i = flat(&mut b, 10);
    let shifted = b.index_offset(i, 5);
    let (five, fifteen) = (b.index_const(5), b.index_const(15));
    let inside = b.index_less(shifted, fifteen);
    assert_eq!(b.get(inside), &Expr::Literal(Literal::Bool(true)));
    let below = b.index_less(shifted, five);
    assert_eq!(b.get(below), &Expr::Literal(Literal::Bool(false)));
}
