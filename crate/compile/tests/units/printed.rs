//! Printed expressions, names and declarations, piece by piece; whole kernels are snapshots in
//! `wgsl.rs` of the folder above.

use weft_compile::target::wgsl::{Dialect, print};
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Kernel, Local, LocalId, Stmt, Type, UnaryOp};
use weft_ir::{DType, Literal};

/// How the value of `build` reads.
fn printed(build: impl FnOnce(&mut Kernel) -> ExprId) -> String {
    let mut kernel = Kernel { workgroup: [1, 1, 1], ..Kernel::default() };
    for (name, dtype) in [("a", DType::F32), ("b", DType::F32), ("i", DType::I32), ("u", DType::U32)] {
        kernel.locals.push(Local { name: name.to_owned(), ty: dtype.into() });
        let zero = push(&mut kernel, Expr::Literal(Literal::zero(dtype)));
        kernel.body.push(Stmt::Var(LocalId(kernel.locals.len() as u32 - 1), zero));
    }
    let value = build(&mut kernel);
    kernel.locals.push(Local { name: "result".to_owned(), ty: kernel.type_of(value) });
    kernel.body.push(Stmt::Let(LocalId(kernel.locals.len() as u32 - 1), value));
    let text = print(&kernel, Dialect::Browser);
    let line = text.lines().find_map(|l| l.trim().strip_prefix("let result = "));
    line.expect("the value is bound").trim_end_matches(';').to_owned()
}

fn push(kernel: &mut Kernel, expr: Expr) -> ExprId {
    kernel.exprs.push(expr);
    ExprId(kernel.exprs.len() as u32 - 1)
}

fn local(kernel: &mut Kernel, n: u32) -> ExprId {
    push(kernel, Expr::Local(LocalId(n)))
}

fn binary(kernel: &mut Kernel, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
    push(kernel, Expr::Binary(op, a, b))
}

/// `(a outer (a inner b))` or `((a inner b) outer b)` over local number n.
fn nested(outer: BinaryOp, inner: BinaryOp, n: u32, inner_on_the_left: bool) -> String {
    printed(|k| {
        let (x, y) = (local(k, n), local(k, n));
        let inside = binary(k, inner, x, y);
        if inner_on_the_left { binary(k, outer, inside, y) } else { binary(k, outer, x, inside) }
    })
}

#[test]
fn parentheses_stand_only_where_the_grammar_asks() {
    use BinaryOp::*;
    assert_eq!(nested(Add, Mul, 0, true), "a * a + a");
    assert_eq!(nested(Mul, Add, 0, true), "(a + a) * a");
    assert_eq!(nested(Sub, Sub, 0, true), "a - a - a");
    assert_eq!(nested(Sub, Sub, 0, false), "a - (a - a)");
    assert_eq!(nested(Add, Add, 0, false), "a + (a + a)");
    assert_eq!(nested(And, And, 3, true), "u & u & u");
    assert_eq!(nested(Or, And, 3, true), "(u & u) | u");
    assert_eq!(nested(And, Add, 3, false), "u & (u + u)");
    assert_eq!(nested(Shl, Add, 3, true), "(u + u) << u");
    assert_eq!(nested(Add, Shl, 3, false), "u + (u << u)");
    assert_eq!(nested(Lt, Shr, 3, true), "(u >> u) < u");
    assert_eq!(nested(Lt, And, 3, true), "(u & u) < u");
}

#[test]
fn conditions_join_without_branches() {
    let text = printed(|k| {
        let (a, b, zero) = (local(k, 0), local(k, 1), push(k, Expr::Literal(Literal::F32(0.0))));
        let below = binary(k, BinaryOp::Lt, a, b);
        let positive = binary(k, BinaryOp::Gt, a, zero);
        let both = binary(k, BinaryOp::And, below, positive);
        let either = binary(k, BinaryOp::Or, both, below);
        let not = push(k, Expr::Unary(UnaryOp::Not, either));
        push(k, Expr::Select(not, a, zero))
    });
    assert_eq!(text, "select(0.0, a, !(((a < b) & (a > 0.0)) | (a < b)))");
}

#[test]
fn one_of_two_conditions_is_a_comparison() {
    let text = printed(|k| {
        let (a, b, zero) = (local(k, 0), local(k, 1), push(k, Expr::Literal(Literal::F32(0.0))));
        let below = binary(k, BinaryOp::Lt, a, b);
        let positive = binary(k, BinaryOp::Gt, a, zero);
        let one = binary(k, BinaryOp::Xor, below, positive);
        binary(k, BinaryOp::And, one, below)
    });
    assert_eq!(text, "((a < b) != (a > 0.0)) & (a < b)");
}

#[test]
fn comparisons_in_arguments_are_no_template_lists() {
    let text = printed(|k| {
        let (a, b) = (local(k, 0), local(k, 1));
        let (less, more) = (binary(k, BinaryOp::Lt, a, b), binary(k, BinaryOp::Gt, a, b));
        push(k, Expr::Select(more, less, more))
    });
    assert_eq!(text, "select(a > b, (a < b), a > b)");
}

#[test]
fn minus_signs_never_touch() {
    let text = printed(|k| {
        let (a, minus_one) = (local(k, 0), push(k, Expr::Literal(Literal::F32(-1.0))));
        let minus = push(k, Expr::Unary(UnaryOp::Neg, a));
        let twice = push(k, Expr::Unary(UnaryOp::Neg, minus));
        binary(k, BinaryOp::Sub, twice, minus_one)
    });
    assert_eq!(text, "-(-a) - -1.0");
}

#[test]
fn literals_keep_value_and_type() {
    let literal = |l| printed(|k| push(k, Expr::Literal(l)));
    assert_eq!(literal(Literal::F32(1.0)), "1.0");
    assert_eq!(literal(Literal::F32(1e-8)), "1e-8");
    assert_eq!(literal(Literal::F32(f32::INFINITY)), "from_bits(0x7f800000u)");
    assert_eq!(literal(Literal::F32(-f32::MAX)), "from_bits(0xff7fffffu)");
    assert_eq!(literal(Literal::I32(i32::MIN)), "-2147483648");
    assert_eq!(literal(Literal::U32(7)), "7u");
    let cast = printed(|k| {
        let minus_one = push(k, Expr::Literal(Literal::I32(-1)));
        push(k, Expr::Bitcast(DType::U32, minus_one))
    });
    assert_eq!(cast, "4294967295u");
}

#[test]
fn operators_on_literals_are_their_value() {
    // As a constant expression of WGSL this overflows, and the shader is refused.
    let text = printed(|k| {
        let largest = push(k, Expr::Literal(Literal::F32(f32::MAX)));
        let twice = binary(k, BinaryOp::Add, largest, largest);
        let a = local(k, 0);
        binary(k, BinaryOp::Mul, a, twice)
    });
    assert_eq!(text, "a * from_bits(0x7f800000u)");
}

#[test]
fn vectors_are_built_and_taken_apart() {
    let text = printed(|k| {
        let a = local(k, 0);
        let b = local(k, 1);
        let vector = push(k, Expr::Compose(vec![a, b]));
        let splat = push(k, Expr::Splat(2, a));
        let sum = binary(k, BinaryOp::Add, vector, splat);
        push(k, Expr::Component(sum, 1))
    });
    assert_eq!(text, "(vec2<f32>(a, b) + vec2<f32>(a)).y");
}

#[test]
fn names_are_made_legal_and_distinct() {
    let mut kernel = Kernel { workgroup: [1, 1, 1], ..Kernel::default() };
    let zero = push(&mut kernel, Expr::Literal(Literal::F32(0.0)));
    for name in ["x", "x", "loop", "exp_f32", "2nd", "row sum", "_", "scalars"] {
        kernel.locals.push(Local { name: name.to_owned(), ty: Type::scalar(DType::F32) });
        kernel.body.push(Stmt::Let(LocalId(kernel.locals.len() as u32 - 1), zero));
    }
    let text = print(&kernel, Dialect::Browser);
    let names: Vec<&str> =
        text.lines().filter_map(|l| l.trim().strip_prefix("let ")?.strip_suffix(" = 0.0;")).collect();
    assert_eq!(names, ["x", "x_1", "loop_1", "exp_f32_1", "v2nd", "row_sum", "value", "scalars_1"]);
}
