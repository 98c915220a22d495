//! Elementwise operations in the interpreter: in place where the operand is given up, and once only
//! where an operand is one number everywhere. Sums, differences, products and quotients of floats,
//! which programs are full of, have loops with the operation inlined; the rest share a loop per
//! dtype that calls its function, because a loop for each is a tenth of the wasm.
//! [`crate::functions`] defines the functions.

use super::strided::{Operand, Strided, Tensor};
use super::{Result, ill_formed};
use crate::dtype::DType;
use crate::functions::{self, Element, Real, half};
use crate::op::{Binary, Compare, Unary};

/// f of every element.
fn map<'a, T: Copy, U: Copy>(x: &Strided<T>, f: &dyn Fn(T) -> U) -> Strided<'a, U> {
    let shape = x.shape.clone();
    match x.operand() {
        Operand::Splat(x) => Strided::splat(shape, f(x)),
        Operand::Run(x) => Strided::packed(shape, x.iter().map(|&x| f(x)).collect::<Vec<_>>()),
    }
}

/// f of every element, written over the operand if nothing else needs it.
fn map_over<'a, T: Copy>(x: Strided<'a, T>, f: &dyn Fn(T) -> T) -> Strided<'a, T> {
    let shape = x.shape.clone();
    match x.take() {
        Ok(mut elements) => {
            elements.iter_mut().for_each(|x| *x = f(*x));
            Strided::packed(shape, elements)
        }
        Err(x) => map(&x, f),
    }
}

/// f of every pair of elements.
fn zip<'a, T: Copy, U: Copy>(a: &Strided<T>, b: &Strided<T>, f: &dyn Fn(T, T) -> U) -> Strided<'a, U> {
    let shape = a.shape.clone();
    let out: Vec<U> = match (a.operand(), b.operand()) {
        (Operand::Splat(a), Operand::Splat(b)) => return Strided::splat(shape, f(a, b)),
        (Operand::Splat(a), Operand::Run(b)) => b.iter().map(|&b| f(a, b)).collect(),
        (Operand::Run(a), Operand::Splat(b)) => a.iter().map(|&a| f(a, b)).collect(),
        (Operand::Run(a), Operand::Run(b)) => a.iter().zip(&*b).map(|(&a, &b)| f(a, b)).collect(),
    };
    Strided::packed(shape, out)
}

/// f of every pair of elements, written over an operand if nothing else needs it.
fn zip_over<'a, T: Copy>(a: Strided<'a, T>, b: Strided<'a, T>, f: impl Fn(T, T) -> T) -> Strided<'a, T> {
    let shape = a.shape.clone();
    let a = match a.take() {
        Ok(mut elements) => {
            match b.operand() {
                Operand::Splat(b) => elements.iter_mut().for_each(|a| *a = f(*a, b)),
                Operand::Run(b) => elements.iter_mut().zip(&*b).for_each(|(a, &b)| *a = f(*a, b)),
            }
            return Strided::packed(shape, elements);
        }
        Err(a) => a,
    };
    match b.take() {
        Ok(mut elements) => {
            match a.operand() {
                Operand::Splat(a) => elements.iter_mut().for_each(|b| *b = f(a, *b)),
                Operand::Run(a) => elements.iter_mut().zip(&*a).for_each(|(b, &a)| *b = f(a, *b)),
            }
            Strided::packed(shape, elements)
        }
        Err(b) => zip(&a, &b, &f),
    }
}

/// `zip_over` with the function called at every pair.
fn zip_calling<'a, T: Copy>(a: Strided<'a, T>, b: Strided<'a, T>, f: &dyn Fn(T, T) -> T) -> Strided<'a, T> {
    zip_over(a, b, f)
}

pub(super) fn unary<R: Real>(op: Unary, x: Tensor<'_, R>) -> Result<Tensor<'_, R>> {
    /// A loop per listed op, so that the function's own match is resolved outside of it.
    macro_rules! float {
        ($x:expr, $($name:ident)*) => {
            match op {
                $(Unary::$name => map_over($x, &|x| functions::unary_real(Unary::$name, x)),)*
                Unary::Not | Unary::IsNan | Unary::ToHalf | Unary::OfHalf => return Err(ill_formed(op, "f32")),
            }
        };
    }
    Ok(match (op, x) {
        (Unary::IsNan, Tensor::Float(x)) => Tensor::Bool(map(&x, &|x| x.is_nan())),
        (Unary::ToHalf, Tensor::Float(x)) => Tensor::U32(map(&x, &|x| half::to_bits(x.to_f32()))),
        (Unary::OfHalf, Tensor::U32(x)) => Tensor::Float(map(&x, &|x| R::from_f32(half::from_bits(x)))),
        (_, Tensor::Float(x)) => Tensor::Float(float!(x, Neg Abs Sign Floor Ceil Round Exp Log Sqrt Rsqrt
            Sin Cos Tanh Sigmoid Relu Erf ErfInv NormalCdf)),
        (Unary::Neg, Tensor::I32(x)) => Tensor::I32(map_over(x, &i32::wrapping_neg)),
        (Unary::Neg, Tensor::U32(x)) => Tensor::U32(map_over(x, &u32::wrapping_neg)),
        (Unary::Abs, Tensor::I32(x)) => Tensor::I32(map_over(x, &i32::wrapping_abs)),
        (Unary::Abs, Tensor::U32(x)) => Tensor::U32(x),
        (Unary::Sign, Tensor::I32(x)) => Tensor::I32(map_over(x, &i32::signum)),
        (Unary::Sign, Tensor::U32(x)) => Tensor::U32(map_over(x, &|x| x.min(1))),
        (Unary::Relu, Tensor::I32(x)) => Tensor::I32(map_over(x, &|x| x.max(0))),
        (Unary::Not, Tensor::I32(x)) => Tensor::I32(map_over(x, &|x| !x)),
        (Unary::Not, Tensor::U32(x)) => Tensor::U32(map_over(x, &|x| !x)),
        (Unary::Not, Tensor::Bool(x)) => Tensor::Bool(map_over(x, &|x| !x)),
        (_, x) => return Err(ill_formed(op, x.dtype())),
    })
}

pub(super) fn binary<'a, R: Real>(op: Binary, a: Tensor<'a, R>, b: Tensor<'a, R>) -> Result<Tensor<'a, R>> {
    /// A loop for each op that `$function` computes; the dtype does not take the others.
    macro_rules! loops {
        ($function:path, $a:expr, $b:expr, $($name:ident)*; not $($other:ident)*) => {
            match op {
                $(Binary::$name => zip_calling($a, $b, &|a, b| $function(Binary::$name, a, b)),)*
                $(Binary::$other)|* => return Err(ill_formed(op, "these operands")),
            }
        };
    }
    Ok(match (a, b) {
        (Tensor::Float(a), Tensor::Float(b)) => Tensor::Float(match op {
            Binary::Add => zip_over(a, b, |a, b| a + b),
            Binary::Sub => zip_over(a, b, |a, b| a - b),
            Binary::Mul => zip_over(a, b, |a, b| a * b),
            Binary::Div => zip_over(a, b, |a, b| a / b),
            _ => loops!(functions::binary_real, a, b, FloorDiv Rem Pow Min Max;
                not Add Sub Mul Div And Or Xor Shl Shr),
        }),
        (Tensor::I32(a), Tensor::I32(b)) => Tensor::I32(loops!(functions::binary_i32, a, b,
            Add Sub Mul Div Rem Pow Min Max And Or Xor Shl Shr; not FloorDiv)),
        (Tensor::U32(a), Tensor::U32(b)) => Tensor::U32(loops!(functions::binary_u32, a, b,
            Add Sub Mul Div Rem Pow Min Max And Or Xor Shl Shr; not FloorDiv)),
        (Tensor::Bool(a), Tensor::Bool(b)) => {
            Tensor::Bool(loops!(functions::binary_bool, a, b, Min Max And Or Xor;
                not Add Sub Mul Div FloorDiv Rem Pow Shl Shr))
        }
        (a, b) => return Err(ill_formed(op, format!("{} and {}", a.dtype(), b.dtype()))),
    })
}

pub(super) fn compare<'a, R: Real>(
    op: Compare,
    a: &Tensor<'a, R>,
    b: &Tensor<'a, R>,
) -> Result<Tensor<'a, R>> {
    fn of<'a, T: Copy + PartialOrd>(op: Compare, a: &Strided<T>, b: &Strided<T>) -> Strided<'a, bool> {
        match op {
            Compare::Eq => zip(a, b, &|a, b| a == b),
            Compare::Ne => zip(a, b, &|a, b| a != b),
            Compare::Lt => zip(a, b, &|a, b| a < b),
            Compare::Le => zip(a, b, &|a, b| a <= b),
            Compare::Gt => zip(a, b, &|a, b| a > b),
            Compare::Ge => zip(a, b, &|a, b| a >= b),
        }
    }
    Ok(Tensor::Bool(match (a, b) {
        (Tensor::Float(a), Tensor::Float(b)) => of(op, a, b),
        (Tensor::I32(a), Tensor::I32(b)) => of(op, a, b),
        (Tensor::U32(a), Tensor::U32(b)) => of(op, a, b),
        (Tensor::Bool(a), Tensor::Bool(b)) => of(op, a, b),
        (a, b) => return Err(ill_formed(op, format!("{} and {}", a.dtype(), b.dtype()))),
    }))
}

pub(super) fn select<'a, R: Real>(
    condition: Tensor<'a, R>,
    a: Tensor<'a, R>,
    b: Tensor<'a, R>,
) -> Result<Tensor<'a, R>> {
    fn of<'a, T: Copy>(condition: &[bool], a: &Strided<'a, T>, b: &Strided<'a, T>) -> Strided<'a, T> {
        let choices = condition.iter();
        let out: Vec<T> = match (a.operand(), b.operand()) {
            (Operand::Splat(a), Operand::Splat(b)) => choices.map(|&c| if c { a } else { b }).collect(),
            (Operand::Splat(a), Operand::Run(b)) => {
                choices.zip(&*b).map(|(&c, &b)| if c { a } else { b }).collect()
            }
            (Operand::Run(a), Operand::Splat(b)) => {
                choices.zip(&*a).map(|(&c, &a)| if c { a } else { b }).collect()
            }
            (Operand::Run(a), Operand::Run(b)) => {
                choices.zip(a.iter().zip(&*b)).map(|(&c, (&a, &b))| if c { a } else { b }).collect()
            }
        };
        Strided::packed(a.shape.clone(), out)
    }
    let Tensor::Bool(condition) = condition else { return Err(ill_formed("select", condition.dtype())) };
    let run = match condition.operand() {
        Operand::Splat(chosen) => return Ok(if chosen { a } else { b }),
        Operand::Run(run) => run,
    };
    Ok(match (&a, &b) {
        (Tensor::Float(a), Tensor::Float(b)) => Tensor::Float(of(&run, a, b)),
        (Tensor::I32(a), Tensor::I32(b)) => Tensor::I32(of(&run, a, b)),
        (Tensor::U32(a), Tensor::U32(b)) => Tensor::U32(of(&run, a, b)),
        (Tensor::Bool(a), Tensor::Bool(b)) => Tensor::Bool(of(&run, a, b)),
        _ => return Err(ill_formed("select", format!("{} and {}", a.dtype(), b.dtype()))),
    })
}

/// A Rust type that stands for one dtype's elements.
trait Scalar<R>: Copy {
    fn into_element(self) -> Element<R>;
    fn from_element(element: Element<R>) -> Self;
}

macro_rules! scalar {
    ($type:ty, $variant:ident) => {
        impl<R: Real> Scalar<R> for $type {
            fn into_element(self) -> Element<R> {
                Element::$variant(self)
            }
            fn from_element(element: Element<R>) -> Self {
                match element {
                    Element::$variant(x) => x,
                    other => unreachable!("a cast yields the dtype asked for, not {}", other.dtype()),
                }
            }
        }
    };
}
scalar!(R, F32);
scalar!(i32, I32);
scalar!(u32, U32);
scalar!(bool, Bool);

pub(super) fn cast<R: Real>(to: DType, x: Tensor<'_, R>) -> Tensor<'_, R> {
    fn each<'a, R: Real, T: Scalar<R>, U: Scalar<R>>(to: DType, x: &Strided<T>) -> Strided<'a, U> {
        map(x, &|x| U::from_element(functions::cast(to, x.into_element())))
    }
    fn any<'a, R: Real, U: Scalar<R>>(to: DType, x: &Tensor<R>) -> Strided<'a, U> {
        match x {
            Tensor::Float(x) => each::<R, R, U>(to, x),
            Tensor::I32(x) => each::<R, i32, U>(to, x),
            Tensor::U32(x) => each::<R, u32, U>(to, x),
            Tensor::Bool(x) => each::<R, bool, U>(to, x),
        }
    }
    match to {
        _ if x.dtype() == to => x,
        DType::F32 => Tensor::Float(any(to, &x)),
        DType::I32 => Tensor::I32(any::<R, i32>(to, &x)),
        DType::U32 => Tensor::U32(any::<R, u32>(to, &x)),
        DType::Bool => Tensor::Bool(any::<R, bool>(to, &x)),
        packed => unreachable!("{packed} is unpacked where a program is made"),
    }
}

pub(super) fn bitcast<R: Real>(to: DType, x: Tensor<'_, R>) -> Result<Tensor<'_, R>> {
    if x.dtype() == to {
        return Ok(x);
    }
    let bits = match &x {
        Tensor::Float(x) => map(x, &|x| x.to_f32().to_bits()),
        Tensor::I32(x) => map(x, &|x| x as u32),
        Tensor::U32(x) => x.clone(),
        Tensor::Bool(_) => return Err(ill_formed("bitcast", DType::Bool)),
    };
    Ok(match to {
        DType::F32 => Tensor::Float(map(&bits, &|x| R::from_f32(f32::from_bits(x)))),
        DType::I32 => Tensor::I32(map(&bits, &|x| x as i32)),
        DType::U32 => Tensor::U32(bits),
        other => return Err(ill_formed("bitcast", other)),
    })
}
