//! Loops compiled together, beside each other: on the kernel interpreter they give what the graph
//! interpreter does.

use crate::common::kernels::{run, same, words};
use crate::common::regions::{matrix, parts, powers, square};
use std::rc::Rc;
use weft_compile::{Limits, compile};
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Loop, Op};
use weft_ir::{DType, Literal, Shape};

#[test]
fn a_number_stays_a_number_beside_a_region_that_reads_much() {
    const NUMBERS: usize = 9;
    let mut builder = ProgramBuilder::default();
    let number = |builder: &mut ProgramBuilder| {
        Ref(builder.push(Op::Scalar(DType::F32), Vec::new(), Shape::scalar(), DType::F32).0)
    };
    // A loop's leaves: an index, the state, matrices and numbers; the body adds them all to what
    // `of` makes of the state.
    let body = |matrices: usize, of: fn(&mut dyn Build, Ref) -> Ref| {
        let mut builder = ProgramBuilder::default();
        builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32);
        let state = builder.input(&square(), DType::F32).unwrap();
        let all: Vec<Ref> = (0..matrices).map(|_| builder.input(&square(), DType::F32).unwrap()).collect();
        let numbers: Vec<Ref> = (0..NUMBERS).map(|_| number(&mut builder)).collect();
        let emit: &mut dyn Build = &mut builder;
        let mut sum = of(emit, state);
        for x in all {
            sum = emit.add(sum, x).unwrap();
        }
        for x in numbers {
            let wide = emit.repeat(x, &square()).unwrap();
            sum = emit.add(sum, wide).unwrap();
        }
        let next = emit.scale(sum, 0.01).unwrap();
        Loop {
            body: builder.finish(&[next], &[]),
            condition: None,
            iterations: Some(3),
            carried: 1,
            sliced: 0,
            reverse: false,
        }
    };
    let matrices: Vec<Ref> = (0..12).map(|_| builder.input(&square(), DType::F32).unwrap()).collect();
    let numbers: Vec<Ref> = (0..NUMBERS).map(|_| number(&mut builder)).collect();
    let much = body(11, |emit, x| powers(emit, x, 1));
    let little = body(0, |emit, x| emit.mul(x, x).unwrap());
    let first = parts(&mut builder, Op::Loop(Rc::new(much)), &[&matrices[..], &numbers].concat(), 1)[0];
    let second = parts(&mut builder, Op::Loop(Rc::new(little)), &[&matrices[..1], &numbers].concat(), 1)[0];
    let program = builder.finish(&[first, second], &[]);
    let executable = compile(&program, &Limits::floor(), &[]).unwrap();
    let leaves: Vec<Value<f32>> = (0..12).map(|n| matrix(0.1 * n as f32)).collect();
    let scalars: Vec<Literal> = (0..NUMBERS).map(|n| Literal::F32(n as f32)).collect();
    let given: Vec<Rc<Value<f32>>> = leaves.iter().map(|value| Rc::new(value.clone())).collect();
    let expected = interpret::run(&program, &given, &scalars).unwrap();
    let got = run(&executable, &words(&leaves), &scalars);
    assert!(got.iter().zip(&expected).all(|(got, expected)| same(got, expected)), "{program}\n{executable}");
}
