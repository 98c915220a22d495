//! Exponentials, logarithms, roots, powers and quotients of complex numbers, as pairs of tensors.

use crate::device::tensor::Tensor;
use crate::fft::Complex;
use crate::lazy::build;
use crate::ops::term::Term;
use weft_ir::op::{Compare, Unary};
use weft_ir::{DType, Result, Shape};

/// What complex numbers are made into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// The principal logarithm, with the angle in [−π, π].
    Log,
    /// The principal root, with a real part of 0 or more.
    Sqrt,
    /// To the power of others; of 0 it is 0, but 1 to the power of 0.
    Pow,
    /// e to the power of each.
    Exp,
    /// Divided by others.
    Div,
}

impl Function {
    /// By their numbers in a call.
    pub const ALL: [Function; 5] =
        [Function::Log, Function::Sqrt, Function::Pow, Function::Exp, Function::Div];
}

/// A function of complex numbers and, for powers and quotients, others, which broadcast. Yields
/// f32.
pub fn function(z: &Complex, exponent: &Complex, of: Function) -> Result<Complex> {
    let name = "Complex";
    let all = [&z.re, &z.im, &exponent.re, &exponent.im];
    let shape = all.iter().try_fold(Shape::scalar(), |shape, x| Shape::broadcast(name, &shape, x.shape()))?;
    let [x, y, p, q] =
        all.map(|x| Term(build::cast(name, x, DType::F32).and_then(|x| x.broadcast_to(&shape))));
    let size = both(&x, &y, |x, y| x.hypot(y));
    let angle = || both(&y, &x, |y, x| y.atan2(x));
    let is_zero = |x: &Term| x.compare(Compare::Eq, &x.number(0.0));
    let (re, im) = match of {
        Function::Log => (size.apply(Unary::Log), angle()),
        Function::Sqrt => {
            let large = (&(&size + &x.apply(Unary::Abs)) * 0.5).apply(Unary::Sqrt);
            let small = &(&y.apply(Unary::Abs) * 0.5) / &is_zero(&large).or_else(&large.number(1.0), &large);
            let right = x.compare(Compare::Ge, &x.number(0.0));
            (right.or_else(&large, &small), both(&right.or_else(&small, &large), &y, |x, y| x.copysign(y)))
        }
        Function::Exp => {
            let scale = x.apply(Unary::Exp);
            (&scale * &y.apply(Unary::Cos), &scale * &y.apply(Unary::Sin))
        }
        Function::Div => {
            // Divides by a number of length 1, then by the length, which avoids overflow.
            let length = both(&p, &q, |p, q| p.hypot(q));
            let (p, q) = (&p / &length, &q / &length);
            (&(&(&x * &p) + &(&y * &q)) / &length, &(&(&y * &p) - &(&x * &q)) / &length)
        }
        Function::Pow => {
            let none = is_zero(&size);
            let log = none.or_else(&size.number(1.0), &size).apply(Unary::Log);
            let angle = angle();
            let scale = (&(&log * &p) - &(&angle * &q)).apply(Unary::Exp);
            let turn = &(&log * &q) + &(&angle * &p);
            let at_zero = is_zero(&p).and(&is_zero(&q)).cast(DType::F32);
            let part = |of: Unary| &scale * &turn.apply(of);
            (none.or_else(&at_zero, &part(Unary::Cos)), none.or_else(&turn.number(0.0), &part(Unary::Sin)))
        }
    };
    Ok(Complex { re: re.0?, im: im.0? })
}

fn both(a: &Term, b: &Term, f: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>) -> Term {
    Term(a.get().and_then(|a| f(a, b.get()?)))
}
