//! Values that are hidden from drivers, and those that need not be.

use weft_compile::lower::builder::KernelBuilder;
use weft_ir::kernel::{BinaryOp, Expr, ExprId, Function, Space, UnaryOp};
use weft_ir::op::Binary;
use weft_ir::{DType, Literal};

/// Two floats that a kernel loads, a truth, and whether an expression hides something, itself
/// or in its operands.
struct Written {
    b: KernelBuilder,
    x: ExprId,
    y: ExprId,
    truth: ExprId,
}

impl Written {
    fn new() -> Written {
        let mut b = KernelBuilder::new();
        let array = b.array("x", DType::F32, Space::Read);
        let [x, y] = [0, 1].map(|place| {
            let place = b.literal(Literal::I32(place));
            b.expr(Expr::Load(array, place))
        });
        let truth = b.binary(BinaryOp::Lt, x, y);
        Written { b, x, y, truth }
    }

    fn op(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        self.b.tensor_binary(op, DType::F32, a, b)
    }

    fn number(&mut self, value: f32) -> ExprId {
        self.b.literal(Literal::F32(value))
    }

    fn hides(&self, id: ExprId) -> bool {
        let mut hides = matches!(self.b.get(id), Expr::Call(Function::Hidden, _));
        self.b.get(id).for_each_operand(|operand| {
            hides |= matches!(self.b.get(operand), Expr::Call(Function::Hidden, _));
        });
        hides
    }
}

#[test]
fn distinct_values_are_seen() {
    let mut w = Written::new();
    let (x, y, five) = (w.x, w.y, w.number(5.0));
    for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
        for (a, b) in [(x, y), (x, five), (five, y)] {
            let made = w.op(op, a, b);
            assert!(!w.hides(made), "{op:?}");
            let again = w.op(op, made, five);
            assert!(!w.hides(again) || op == Binary::Sub && (a, b) == (five, y), "{op:?} twice");
        }
    }
    for op in [Binary::Add, Binary::Mul] {
        let twice = w.op(op, x, x);
        assert!(!w.hides(twice), "{op:?}");
    }
}

#[test]
fn zeros_and_truths_are_hidden_from_products_and_quotients() {
    let mut w = Written::new();
    let x = w.x;
    let truth = w.b.cast(DType::F32, w.truth);
    for telling in [w.number(0.0), w.number(-0.0), truth] {
        for op in [Binary::Mul, Binary::Div] {
            for (a, b) in [(x, telling), (telling, x)] {
                let made = w.op(op, a, b);
                assert!(w.hides(made), "{op:?}");
            }
        }
        let product = w.b.product(telling, x);
        assert!(w.hides(product));
    }
}

#[test]
fn what_would_be_squared_is_hidden() {
    let mut w = Written::new();
    let (x, y, half) = (w.x, w.y, w.number(0.5));
    let (product, square) = (w.op(Binary::Mul, x, y), w.op(Binary::Mul, y, y));
    let named = w.b.bind("product", product);
    let halved = w.op(Binary::Mul, half, y);
    for (a, b) in [(product, y), (y, product), (named, x), (named, square), (halved, y)] {
        let made = w.op(Binary::Mul, a, b);
        assert!(w.hides(made));
    }
    for (a, b) in [(square, y), (square, square), (product, product), (product, half)] {
        let made = w.op(Binary::Mul, a, b);
        assert!(!w.hides(made), "powers of one number, and products of others");
    }
}

#[test]
fn zeros_of_sums_are_hidden_where_their_sign_matters() {
    let mut w = Written::new();
    let (x, plus, minus) = (w.x, w.number(0.0), w.number(-0.0));
    for (op, a, b, hides) in [
        (Binary::Add, x, plus, true),
        (Binary::Add, plus, x, true),
        (Binary::Sub, plus, x, true),
        (Binary::Sub, x, minus, true),
        (Binary::Add, x, minus, false),
        (Binary::Add, minus, x, false),
        (Binary::Sub, minus, x, false),
        (Binary::Sub, x, plus, false),
    ] {
        let (a, b) = w.b.with_signed_zero(op, a, b);
        let made = w.op(op, a, b);
        assert_eq!(w.hides(made), hides, "{op:?}");
    }
    let (y, two, opposite) = (w.y, w.number(2.0), w.number(-1.0));
    for (op, a, b, hides) in [
        (Binary::Sub, x, y, true),
        (Binary::Sub, two, x, true),
        (Binary::Add, x, two, true),
        (Binary::Add, x, y, false),
        (Binary::Mul, x, y, false),
    ] {
        let value = w.op(op, a, b);
        assert_eq!(w.b.with_signed_zero_below(value) != value, hides, "{op:?}");
        let (value_of, _) = w.b.with_signed_zero(Binary::Mul, value, opposite);
        assert_eq!(value_of != value, hides, "{op:?} times −1");
    }
}

/// A driver may contract a product that is not hidden itself.
#[test]
fn a_product_is_hidden_from_a_difference_with_what_may_be_it() {
    let mut w = Written::new();
    let (x, y, zero) = (w.x, w.y, w.number(0.0));
    let product = w.op(Binary::Mul, x, y);
    let named = w.b.bind("product", product);
    let bounded = w.op(Binary::Max, named, zero);
    let clipped = w.op(Binary::Min, bounded, x);
    let below = w.b.unary(UnaryOp::Floor, product);
    let chosen = w.b.select(w.truth, named, y);
    for other in [product, bounded, clipped, below, chosen] {
        for (a, b) in [(named, other), (other, named)] {
            let made = w.op(Binary::Sub, a, b);
            let Expr::Binary(BinaryOp::Sub, left, right) = *w.b.get(made) else { panic!("a difference") };
            let hidden = if w.b.unnamed(a) == product { left } else { right };
            assert!(matches!(w.b.get(hidden), Expr::Call(Function::Hidden, _)));
            assert_ne!(left, right, "hidden in the same way, both would be known to be equal");
        }
    }
    let apart = w.op(Binary::Max, x, y);
    let made = w.op(Binary::Sub, named, apart);
    assert!(!w.hides(made), "what has nothing of the product");
}

#[test]
fn what_cancels_is_hidden() {
    let mut w = Written::new();
    let (x, y) = (w.x, w.y);
    let (sum, difference) = (w.op(Binary::Add, x, y), w.op(Binary::Sub, x, y));
    let named = w.b.bind("sum", sum);
    let minus = w.b.unary(UnaryOp::Neg, x);
    let (large, opposite) = (w.number(1e8), w.number(-1e8));
    let beyond = w.op(Binary::Add, x, large);
    let (chosen, alternating) = (w.b.select(w.truth, x, large), w.b.select(w.truth, x, minus));
    let (product, square) = (w.op(Binary::Mul, x, y), w.op(Binary::Mul, x, x));
    for (op, a, b) in [
        (Binary::Sub, x, x),
        (Binary::Div, x, x),
        (Binary::Sub, sum, x),
        (Binary::Sub, named, y),
        (Binary::Sub, x, sum),
        (Binary::Add, sum, minus),
        (Binary::Add, difference, y),
        (Binary::Sub, x, difference),
        (Binary::Sub, difference, difference),
        (Binary::Sub, beyond, large),
        (Binary::Add, beyond, opposite),
        (Binary::Add, chosen, minus),
        (Binary::Add, y, alternating),
        (Binary::Add, product, square),
    ] {
        let made = w.op(op, a, b);
        assert!(w.hides(made), "{op:?}");
    }
    let added = w.op(Binary::Add, difference, x);
    assert!(!w.hides(added), "2x − y");
}
