//! Every primitive under every transformation: gradients against differences, batches against
//! loops, and each of both over the other. The walk fails on a primitive without a case, and does
//! not compile when there is a new one.

#[path = "cases.rs"]
mod cases;

use super::check::{Bench, check, close, numbers, random, run};
use cases::{contractions, convolutions, indexing, lines, reductions, views};
use weft_compile::transform::{jvp, program, vjp, vmap};
use weft_ir::graph::NodeId;
use weft_ir::interpret::Value;
use weft_ir::op::infer::unary_result;
use weft_ir::op::{Binary, Compare, Op, ReduceOp, Scan, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Shape};

/// Members of the batches.
const MEMBERS: usize = 3;

/// A primitive, and the inputs of each member.
struct Case {
    op: Op,
    inputs: Vec<[Value<f64>; MEMBERS]>,
}

/// Primitives that need a case, each as the pattern that it is matched by and named by in messages;
/// and those that have none.
macro_rules! primitives {
    ({ $($case:pat,)* } without { $($none:pat,)* }) => {
        const PRIMITIVES: &[&str] = &[$(stringify!($case)),*];

        /// The name of a primitive in the list. Exhaustive: a new primitive does not compile until
        /// it is listed, and a listed one needs a case.
        fn name(op: &Op) -> Option<&'static str> {
            match op {
                $($case => Some(stringify!($case)),)*
                $($none => None,)*
            }
        }
    };
}

primitives! {
    {
        Op::Unary(Unary::Neg),
        Op::Unary(Unary::Abs),
        Op::Unary(Unary::Sign),
        Op::Unary(Unary::Floor),
        Op::Unary(Unary::Ceil),
        Op::Unary(Unary::Round),
        Op::Unary(Unary::Exp),
        Op::Unary(Unary::Log),
        Op::Unary(Unary::Sqrt),
        Op::Unary(Unary::Rsqrt),
        Op::Unary(Unary::Sin),
        Op::Unary(Unary::Cos),
        Op::Unary(Unary::Tanh),
        Op::Unary(Unary::Sigmoid),
        Op::Unary(Unary::Relu),
        Op::Unary(Unary::Erf),
        Op::Unary(Unary::ErfInv),
        Op::Unary(Unary::NormalCdf),
        Op::Unary(Unary::Not),
        Op::Unary(Unary::IsNan),
        Op::Binary(Binary::Add),
        Op::Binary(Binary::Sub),
        Op::Binary(Binary::Mul),
        Op::Binary(Binary::Div),
        Op::Binary(Binary::FloorDiv),
        Op::Binary(Binary::Rem),
        Op::Binary(Binary::Pow),
        Op::Binary(Binary::Min),
        Op::Binary(Binary::Max),
        Op::Binary(Binary::And),
        Op::Binary(Binary::Or),
        Op::Binary(Binary::Xor),
        Op::Binary(Binary::Shl),
        Op::Binary(Binary::Shr),
        Op::Compare(Compare::Eq),
        Op::Compare(Compare::Ne),
        Op::Compare(Compare::Lt),
        Op::Compare(Compare::Le),
        Op::Compare(Compare::Gt),
        Op::Compare(Compare::Ge),
        Op::Select,
        Op::Cast(_),
        Op::Bitcast(_),
        Op::Reduce { op: ReduceOp::Sum, .. },
        Op::Reduce { op: ReduceOp::Prod, .. },
        Op::Reduce { op: ReduceOp::Max, .. },
        Op::Reduce { op: ReduceOp::Min, .. },
        Op::Reduce { op: ReduceOp::ArgMax, .. },
        Op::Reduce { op: ReduceOp::ArgMin, .. },
        Op::View(View::Reshape(_)),
        Op::View(View::Permute(_)),
        Op::View(View::Expand(_)),
        Op::View(View::Slice { .. }),
        Op::View(View::Pad { .. }),
        Op::View(View::Window(_)),
        Op::Contract(_),
        Op::Conv(_),
        Op::Gather { .. },
        Op::Scatter { op: ScatterOp::Set, .. },
        Op::Scatter { op: ScatterOp::Add, .. },
        Op::Scatter { op: ScatterOp::Min, .. },
        Op::Scatter { op: ScatterOp::Max, .. },
        Op::Mark(_),
        Op::Detach,
        Op::Cut,
        Op::Scan(Scan { op: ReduceOp::Sum, .. }),
        Op::Scan(Scan { op: ReduceOp::Prod, .. }),
        Op::Scan(Scan { op: ReduceOp::Max, .. }),
        Op::Scan(Scan { op: ReduceOp::Min, .. }),
        Op::ArgSort { .. },
        Op::Fourier { .. },
    } without {
        // Leaves have no inputs: nothing transforms them.
        Op::Buffer(..) | Op::Scalar(_) | Op::Constant(_) | Op::Iota { .. },
        // A region becomes what its programs become. Users' kernels have tests of their own.
        Op::Loop(_) | Op::Branch(_) | Op::Custom(_) | Op::Part { .. } | Op::Kernel(_),
        // Written where a program is made, after all that is transformed.
        Op::Unary(Unary::ToHalf | Unary::OfHalf),
        // No scan keeps positions.
        Op::Scan(Scan { op: ReduceOp::ArgMax | ReduceOp::ArgMin, .. }),
    }
}

fn members(make: impl Fn(u64) -> Value<f64>) -> [Value<f64>; MEMBERS] {
    [make(1), make(2), make(3)]
}

/// Floats in `low..high` whose fractions keep away from 0 and ½.
fn floats(seed: u64, shape: &[usize], low: f64, high: f64) -> [Value<f64>; MEMBERS] {
    members(|member| {
        let unit = numbers(100 * seed + member, shape.iter().product());
        let data: Vec<f64> = unit.iter().map(|x| low + (high - low) * (x / 2.2 + 0.5)).collect();
        Value::float(Shape::from(shape), data).unwrap()
    })
}

fn ints(seed: u64, shape: &[usize], low: i32, high: i32) -> [Value<f64>; MEMBERS] {
    members(|member| {
        let unit = numbers(200 * seed + member, shape.iter().product());
        let width = f64::from(high - low) + 1.0;
        let data: Vec<i32> = unit.iter().map(|x| low + (width * (x / 2.2 + 0.5)) as i32).collect();
        Value::i32(Shape::from(shape), data).unwrap()
    })
}

fn bools(seed: u64, shape: &[usize]) -> [Value<f64>; MEMBERS] {
    ints(seed, shape, 0, 1).map(|value| {
        Value::bool(value.shape().clone(), value.to_f64().iter().map(|&x| x != 0.0).collect::<Vec<_>>())
            .unwrap()
    })
}

fn unaries() -> Vec<Case> {
    use Unary::*;
    let float = Unary::ALL.into_iter().filter(|&op| op != ToHalf && unary_result(op, DType::F32).is_some());
    let range = |op| match op {
        Log | Sqrt | Rsqrt => (0.4, 1.9),
        ErfInv => (-0.9, 0.9),
        _ => (-0.97, 0.93),
    };
    let case = |op| Case { op: Op::Unary(op), inputs: vec![floats(1, &[2, 3], range(op).0, range(op).1)] };
    let not = Case { op: Op::Unary(Not), inputs: vec![bools(2, &[2, 3])] };
    float.map(case).chain([not]).collect()
}

fn binaries() -> Vec<Case> {
    use Binary::*;
    let float = [Add, Sub, Mul, Div, FloorDiv, Rem, Pow, Min, Max].map(|op| {
        let a = floats(3, &[2, 3], 0.3, 1.7);
        Case { op: Op::Binary(op), inputs: vec![a, floats(4, &[2, 3], 0.45, 1.6)] }
    });
    let whole = [And, Or, Xor, Shl, Shr].map(|op| {
        let a = ints(5, &[2, 3], -9, 9);
        Case { op: Op::Binary(op), inputs: vec![a, ints(6, &[2, 3], 0, 5)] }
    });
    let compared = [Compare::Eq, Compare::Ne, Compare::Lt, Compare::Le, Compare::Gt, Compare::Ge].map(|op| {
        let a = ints(7, &[2, 3], 0, 2);
        Case { op: Op::Compare(op), inputs: vec![a, ints(8, &[2, 3], 0, 2)] }
    });
    float.into_iter().chain(whole).chain(compared).collect()
}

fn cases() -> Vec<Case> {
    let x = || floats(19, &[2, 3], -1.0, 1.0);
    let mut all = vec![
        Case { op: Op::Select, inputs: vec![bools(20, &[2, 3]), x(), floats(21, &[2, 3], -1.0, 1.0)] },
        Case { op: Op::Cast(DType::I32), inputs: vec![x()] },
        Case { op: Op::Cast(DType::F32), inputs: vec![ints(22, &[2, 3], -4, 4)] },
        Case { op: Op::Bitcast(DType::U32), inputs: vec![ints(23, &[2, 3], -4, 4)] },
        Case { op: Op::Mark(7), inputs: vec![x()] },
        Case { op: Op::Detach, inputs: vec![x()] },
        Case { op: Op::Cut, inputs: vec![x()] },
    ];
    for more in
        [unaries(), binaries(), views(), reductions(), contractions(), convolutions(), indexing(), lines()]
    {
        all.extend(more);
    }
    all
}

#[test]
fn every_primitive_has_a_case() {
    let cases: Vec<_> = cases().iter().filter_map(|case| name(&case.op)).collect();
    let holes: Vec<_> = PRIMITIVES.iter().filter(|primitive| !cases.contains(primitive)).collect();
    assert!(holes.is_empty(), "no case for {holes:?}");
}

impl Case {
    fn first(&self) -> Vec<Value<f64>> {
        self.inputs.iter().map(|members| members[0].clone()).collect()
    }

    fn floats(&self) -> Vec<usize> {
        (0..self.inputs.len()).filter(|&i| self.inputs[i][0].dtype() == DType::F32).collect()
    }

    /// Whether the primitive passes derivatives on: those of the others are zeros, and what
    /// differences give of a step is no derivative.
    fn derives(&self) -> bool {
        let op = &self.op;
        let steps = matches!(op, Op::Detach | Op::Reduce { op: ReduceOp::ArgMax | ReduceOp::ArgMin, .. });
        !steps && !self.floats().is_empty() && self.yields() == DType::F32
    }

    fn yields(&self) -> DType {
        let mut bench = Bench::new();
        let xs: Vec<NodeId> = self.first().iter().map(|value| bench.leaf(value)).collect();
        let y = bench.op(self.op.clone(), &xs);
        bench.graph[y].dtype
    }

    /// `f`'s results for a batch are those for each member, whichever of the inputs are batched.
    fn check_batches(&self, what: &str, f: impl Fn(&mut Bench, &[NodeId]) -> Vec<NodeId>) {
        let seeds = self.seeds();
        let inputs: Vec<&[Value<f64>; MEMBERS]> = self.inputs.iter().chain(&seeds).collect();
        let mut bench = Bench::new();
        let xs: Vec<NodeId> = inputs.iter().map(|members| bench.leaf(&members[0])).collect();
        let outputs = f(&mut bench, &xs);
        let leaves = bench.leaves();
        // Each alone, each with each, and all.
        let masks = (1..1_u32 << inputs.len()).filter(|m| m.count_ones() <= 2 || m + 1 == 1 << inputs.len());
        for mask in masks {
            let batched: Vec<usize> = (0..inputs.len()).filter(|i| mask >> i & 1 == 1).collect();
            let live = bench.graph.live();
            let from: Vec<NodeId> = batched.iter().map(|&i| xs[i]).collect();
            let to: Vec<NodeId> = batched.iter().map(|&i| bench.leaf(&stacked(inputs[i]))).collect();
            let found = vmap(&mut bench.graph, &outputs, &from, &to, MEMBERS).unwrap();
            let ids: Vec<NodeId> = found.iter().map(|(id, _)| *id).collect();
            let together: Vec<Vec<f64>> = bench.values(&ids).iter().map(Value::to_f64).collect();
            let label = format!("{what} of {:?} over inputs {batched:?}", self.op);
            (0..MEMBERS).for_each(|member| {
                batched.iter().for_each(|&i| bench.rebind(i, inputs[i][member].clone()));
                let alone = bench.values(&outputs);
                for (n, &(id, is_batched)) in found.iter().enumerate() {
                    let (shape, one) = (&bench.graph[id].shape, &bench.graph[outputs[n]].shape);
                    let wide = if is_batched { [&[MEMBERS], &one[..]].concat() } else { one.to_vec() };
                    assert_eq!(shape[..], wide[..], "{label}");
                    let start = if is_batched { member * one.size() } else { 0 };
                    let part = &together[n][start..start + one.size()];
                    close(part, &alone[n].to_f64(), || format!("{label}, member {member}"));
                }
            });
            for &i in &batched {
                bench.rebind(i, inputs[i][0].clone());
            }
            for id in ids.into_iter().chain(to) {
                bench.graph.release(id);
            }
            bench.forget_from(leaves);
            assert_eq!(bench.graph.live(), live, "nodes are leaked");
        }
    }

    /// A derivative of each float input, and one of the output.
    fn seeds(&self) -> Vec<[Value<f64>; MEMBERS]> {
        let mut bench = Bench::new();
        let xs: Vec<NodeId> = self.first().iter().map(|value| bench.leaf(value)).collect();
        let y = bench.op(self.op.clone(), &xs);
        let shape = bench.graph[y].shape.clone();
        let tangents =
            self.floats().into_iter().map(|i| floats(30 + i as u64, self.inputs[i][0].shape(), -1.0, 1.0));
        tangents.chain([floats(40, &shape, -1.0, 1.0)]).collect()
    }

    /// What [`Case::check_batches`] gives apart: the inputs, their tangents, the cotangent.
    fn parts<'a>(&self, xs: &'a [NodeId]) -> (&'a [NodeId], &'a [NodeId], NodeId) {
        let (inputs, rest) = xs.split_at(self.inputs.len());
        let (cotangent, tangents) = rest.split_last().unwrap();
        (inputs, tangents, *cotangent)
    }

    fn float_nodes(&self, xs: &[NodeId]) -> Vec<NodeId> {
        self.floats().into_iter().map(|i| xs[i]).collect()
    }
}

fn stacked(members: &[Value<f64>; MEMBERS]) -> Value<f64> {
    let shape: Shape = [&[MEMBERS], &members[0].shape()[..]].concat().into();
    let data: Vec<f64> = members.iter().flat_map(Value::to_f64).collect();
    match members[0].dtype() {
        DType::F32 => Value::float(shape, data),
        DType::I32 => Value::i32(shape, data.iter().map(|&x| x as i32).collect::<Vec<_>>()),
        DType::U32 => Value::u32(shape, data.iter().map(|&x| x as u32).collect::<Vec<_>>()),
        _ => Value::bool(shape, data.iter().map(|&x| x != 0.0).collect::<Vec<_>>()),
    }
    .unwrap()
}

#[test]
fn gradients() {
    for case in cases().into_iter().filter(Case::derives) {
        check(&case.first(), |bench, xs| bench.op(case.op.clone(), xs));
    }
}

#[test]
fn tangents_are_differences_along_a_direction() {
    for case in cases().into_iter().filter(Case::derives) {
        let mut bench = Bench::new();
        let values = case.first();
        let xs: Vec<NodeId> = values.iter().map(|value| bench.leaf(value)).collect();
        let y = bench.op(case.op.clone(), &xs);
        let wrt = case.float_nodes(&xs);
        let directions: Vec<Value<f64>> = case.seeds().iter().map(|members| members[0].clone()).collect();
        let tangents: Vec<NodeId> = wrt.iter().zip(&directions).map(|(_, t)| bench.leaf(t)).collect();
        let live = bench.graph.live();
        let found = jvp(&mut bench.graph, &[y], &wrt, &tangents).unwrap()[0];
        let computed = bench.value(found);
        bench.graph.release(found);
        assert_eq!(bench.graph.live(), live, "nodes are leaked");
        let mut moved = |h: f64| {
            for (&i, direction) in case.floats().iter().zip(&directions) {
                let data = values[i]
                    .to_f64()
                    .iter()
                    .zip(direction.to_f64())
                    .map(|(x, d)| x + h * d)
                    .collect::<Vec<_>>();
                bench.rebind(i, Value::float(values[i].shape().clone(), data).unwrap());
            }
            bench.value(y)
        };
        let (above, below) = (moved(1e-6), moved(-1e-6));
        let expected: Vec<f64> = above.iter().zip(&below).map(|(a, b)| (a - b) / 2e-6).collect();
        for (computed, expected) in computed.iter().zip(&expected) {
            assert!(
                (computed - expected).abs() <= 2e-6 * (1.0 + expected.abs()),
                "{:?}: {computed}, {expected}",
                case.op
            );
        }
    }
}

#[test]
fn what_passes_no_derivative_has_zeros() {
    for case in cases().into_iter().filter(|case| !case.derives() && !case.floats().is_empty()) {
        let mut bench = Bench::new();
        let xs: Vec<NodeId> = case.first().iter().map(|value| bench.leaf(value)).collect();
        let y = bench.op(case.op.clone(), &xs);
        let wrt = case.float_nodes(&xs);
        let tangents: Vec<NodeId> =
            wrt.iter().map(|&x| bench.full(1.0, &bench.graph[x].shape.clone())).collect();
        let tangent = jvp(&mut bench.graph, &[y], &wrt, &tangents).unwrap()[0];
        assert_eq!(bench.graph[tangent].shape, bench.graph[y].shape, "{:?}", case.op);
        assert!(bench.value(tangent).iter().all(|&t| t == 0.0), "{:?}", case.op);
    }
}

#[test]
fn gradients_of_tangents() {
    for case in cases().into_iter().filter(Case::derives) {
        let seeds: Vec<Value<f64>> = case.seeds().iter().map(|members| members[0].clone()).collect();
        let inputs = [case.first(), seeds].concat();
        check(&inputs[..inputs.len() - 1], |bench, xs| {
            let (xs, tangents) = xs.split_at(case.inputs.len());
            let y = bench.op(case.op.clone(), xs);
            jvp(&mut bench.graph, &[y], &case.float_nodes(xs), tangents).unwrap()[0]
        });
    }
}

#[test]
fn batches() {
    for case in cases() {
        case.check_batches("vmap", |bench, xs| vec![bench.op(case.op.clone(), case.parts(xs).0)]);
    }
}

#[test]
fn batches_of_gradients_and_of_tangents() {
    for case in cases().into_iter().filter(Case::derives) {
        case.check_batches("vmap of vjp", |bench, xs| {
            let (xs, _, cotangent) = case.parts(xs);
            let y = bench.op(case.op.clone(), xs);
            vjp(&mut bench.graph, &[y], &[cotangent], &case.float_nodes(xs)).unwrap()
        });
        case.check_batches("vmap of jvp", |bench, xs| {
            let (xs, tangents, _) = case.parts(xs);
            let y = bench.op(case.op.clone(), xs);
            jvp(&mut bench.graph, &[y], &case.float_nodes(xs), tangents).unwrap()
        });
    }
}

#[test]
fn gradients_of_batches_are_batches_of_gradients() {
    for case in cases().into_iter().filter(Case::derives) {
        // Every input batched, so that a member's gradient is a part of the batch's.
        let wide: Vec<Value<f64>> = case.inputs.iter().map(stacked).collect();
        check(&wide, |bench, xs| {
            let ones: Vec<NodeId> = case.first().iter().map(|value| bench.leaf(value)).collect();
            let y = bench.op(case.op.clone(), &ones);
            vmap(&mut bench.graph, &[y], &ones, xs, MEMBERS).unwrap()[0].0
        });
    }
}

#[test]
fn batches_of_batches() {
    for case in cases() {
        case.check_batches("vmap of vmap", |bench, xs| {
            let (xs, ..) = case.parts(xs);
            let ones: Vec<NodeId> = case.first().iter().map(|value| bench.leaf(value)).collect();
            let y = bench.op(case.op.clone(), &ones);
            // Two equal members inside, of which the first input alone is given.
            let shape = [&[2], &bench.graph[xs[0]].shape.clone()[..]].concat();
            let aligned = [&[1], &shape[1..]].concat();
            let one = bench.op(Op::View(View::Reshape(aligned.into())), &[xs[0]]);
            let two = bench.op(Op::View(View::Expand(shape.into())), &[one]);
            vec![vmap(&mut bench.graph, &[y], &ones[..1], &[two], 2).unwrap()[0].0]
        });
    }
}

#[test]
fn programs_are_transformed_as_graphs_are() {
    for case in cases() {
        let mut bench = Bench::new();
        let values = case.first();
        let xs: Vec<NodeId> = values.iter().map(|value| bench.leaf(value)).collect();
        let y = bench.op(case.op.clone(), &xs);
        let (one, leaves, _) = TensorProgram::from_graph(&bench.graph, &[y]);
        assert_eq!(leaves.buffers, xs, "inputs are in the order of the leaves");
        let (batched, flags) = program::batch(&one, &vec![true; xs.len()], MEMBERS, &[true]).unwrap();
        weft_ir::verify::verify(&batched).unwrap();
        assert_eq!(flags, [true]);
        let wide: Vec<Value<f64>> = case.inputs.iter().map(stacked).collect();
        let together = run(&batched, &wide)[0].to_f64();
        let expected: Vec<f64> = (0..MEMBERS)
            .flat_map(|m| {
                let member: Vec<Value<f64>> = case.inputs.iter().map(|members| members[m].clone()).collect();
                run(&one, &member)[0].to_f64()
            })
            .collect();
        close(&together, &expected, || format!("{:?}", case.op));
        if !case.derives() {
            continue;
        }
        let active: Vec<bool> = values.iter().map(|value| value.dtype() == DType::F32).collect();
        assert_eq!(program::depends(&one, &active), [true]);
        let seeds: Vec<Value<f64>> = case.seeds().iter().map(|members| members[0].clone()).collect();
        let (cotangent, tangents) = seeds.split_last().unwrap();
        let reverse = program::reverse(&one, &active, &[true]).unwrap();
        let forward = program::forward(&one, &active, &[true]).unwrap();
        for program in [&reverse, &forward] {
            weft_ir::verify::verify(program).unwrap();
        }
        let gradients = run(&reverse, &[&values[..], std::slice::from_ref(cotangent)].concat());
        let pushed = run(&forward, &[&values[..], tangents].concat());
        // ⟨ȳ, J·ẋ⟩ = ⟨Jᵀ·ȳ, ẋ⟩, and the value is still the value.
        let dot = |a: &Value<f64>, b: &Value<f64>| -> f64 {
            a.to_f64().iter().zip(b.to_f64()).map(|(a, b)| a * b).sum()
        };
        let across = dot(cotangent, &pushed[1]);
        let back: f64 = gradients.iter().zip(tangents).map(|(g, t)| dot(g, t)).sum();
        close(&[across], &[back], || format!("{:?}", case.op));
        close(&pushed[0].to_f64(), &run(&one, &values)[0].to_f64(), || format!("{:?}", case.op));
    }
}

#[test]
fn a_program_whose_results_coincide_is_transformed_too() {
    // (a, b) ↦ a + b: both gradients are the cotangent, which is an input besides.
    let mut bench = Bench::new();
    let (a, b) = (bench.leaf(&random(1, [2])), bench.leaf(&random(2, [2])));
    let y = bench.op(Op::Binary(Binary::Add), &[a, b]);
    let (program, ..) = TensorProgram::from_graph(&bench.graph, &[y]);
    let reverse = program::reverse(&program, &[true, true], &[true]).unwrap();
    weft_ir::verify::verify(&reverse).unwrap();
    let cotangent = random(3, [2]);
    let found = run(&reverse, &[random(1, [2]), random(2, [2]), cotangent.clone()]);
    assert_eq!(found.iter().map(Value::to_f64).collect::<Vec<_>>(), [cotangent.to_f64(), cotangent.to_f64()]);
}
