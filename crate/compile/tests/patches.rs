//! Scatters over a donated base. Such a scatter writes the updated elements and copies nothing, and
//! where anything else reads the base, its elements stay. The results on the kernel interpreter are
//! those of the graph interpreter.

use crate::common::kernels::{run, same, words};
use crate::common::programs::random_inputs;
use std::rc::Rc;
use weft_compile::{Executable, Limits, Slot, compile, plan};
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::{self, Data, Value};
use weft_ir::op::infer::gathered;
use weft_ir::op::{Binary, Compare, ContractAxes, Loop, Op, ReduceOp, ScatterOp, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal, Shape};

/// Rows of a base, and numbers in each.
const ROWS: usize = 512;
const WIDTH: usize = 6;

struct Built {
    graph: Graph,
    dtype: DType,
}

impl Built {
    fn new(dtype: DType) -> Built {
        Built { graph: Graph::new(), dtype }
    }

    fn leaf(&mut self, shape: &[usize], dtype: DType) -> NodeId {
        self.graph.add_placeholder(Op::Buffer(shape.into(), dtype)).unwrap()
    }

    fn add(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        self.graph.add(op, inputs).unwrap()
    }

    /// The base, which comes first, so many indices and the updates to rows there.
    fn inputs(&mut self, count: usize) -> [NodeId; 3] {
        let dtype = self.dtype;
        let updates = gathered(&[ROWS, WIDTH].into(), 0, &[count].into());
        [self.leaf(&[ROWS, WIDTH], dtype), self.leaf(&[count], DType::I32), self.leaf(&updates, dtype)]
    }

    fn put(&mut self, op: ScatterOp, inputs: &[NodeId]) -> NodeId {
        self.add(Op::Scatter { axis: 0, op }, inputs)
    }
}

/// Compiles with the first leaf donated, runs, and compares.
fn check(graph: &Graph, roots: &[NodeId], seed: u64) -> Executable {
    check_donating(graph, roots, seed, &[0])
}

fn check_donating(graph: &Graph, roots: &[NodeId], seed: u64, donated: &[usize]) -> Executable {
    let program = TensorProgram::from_graph(graph, roots).0;
    let (mut buffers, scalars): (Vec<Value<f32>>, Vec<Literal>) = random_inputs(&program, seed, true);
    // Places near each other, so that some repeat; and some outside.
    for (leaf, value) in program.buffer_leaves().into_iter().zip(&mut buffers) {
        if program[leaf].dtype == DType::I32 && program[leaf].shape.rank() == 1 {
            let places: Vec<i32> =
                (0..program[leaf].shape.size() as i32).map(|n| (n * 7 + seed as i32) % 11 - 1).collect();
            *value = Value::new([places.len()], Data::I32(places)).unwrap();
        }
    }
    let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
    let expected = interpret::run::<f32>(&program, &given, &scalars).unwrap();
    let executable = compile(&program, &Limits::floor(), donated).unwrap();
    assert_eq!(plan::verify::plan(&program, &executable), Ok(()), "{program}\n{executable}");
    for (n, (got, expected)) in run(&executable, &words(&buffers), &scalars).iter().zip(&expected).enumerate()
    {
        assert!(same(got, expected), "output {n}\n{program}\n{executable}");
    }
    executable
}

/// So many invocations at most: each reads and writes an element or a word of a few bytes.
fn invocations(executable: &Executable) -> usize {
    let of = |dispatch: &weft_compile::Dispatch| {
        let workgroups: u32 = dispatch.workgroups.iter().product();
        (workgroups * executable.kernels[dispatch.kernel].workgroup[0]) as usize
    };
    executable.dispatches.iter().map(of).sum()
}

fn is_in_place(executable: &Executable, output: usize) -> bool {
    executable.slots[executable.outputs[output]] == Slot::Leaf(0)
}

#[test]
fn what_is_not_updated_is_not_touched() {
    for op in [ScatterOp::Set, ScatterOp::Add, ScatterOp::Min, ScatterOp::Max] {
        for dtype in [DType::F32, DType::I32, DType::U32] {
            for count in [1, 2, 9, 32] {
                let mut built = Built::new(dtype);
                let inputs = built.inputs(count);
                let put = built.put(op, &inputs);
                let executable = check(&built.graph, &[put], count as u64);
                assert!(is_in_place(&executable, 0), "{executable}");
                let most = (count * WIDTH).next_multiple_of(64);
                assert!(invocations(&executable) <= most, "{op:?} of {count}\n{executable}");
            }
        }
    }
}

#[test]
fn of_many_rows_that_are_set_each_is_claimed() {
    let (rows, width, count) = (8000, 64, 100);
    let mut built = Built::new(DType::F32);
    let base = built.leaf(&[rows, width], DType::F32);
    let (index, updates) = (built.leaf(&[count], DType::I32), built.leaf(&[count, width], DType::F32));
    let put = built.put(ScatterOp::Set, &[base, index, updates]);
    let executable = check(&built.graph, &[put], 3);
    assert!(is_in_place(&executable, 0), "{executable}");
    assert!(invocations(&executable) <= rows + count * (width + 1) + 3 * 256, "{executable}");
}

#[test]
fn another_shape_of_the_base_is_the_base() {
    let mut built = Built::new(DType::F32);
    let base = built.leaf(&[ROWS / 4, 4 * WIDTH], DType::F32);
    let (index, updates) = (built.leaf(&[3], DType::I32), built.leaf(&[3, WIDTH], DType::F32));
    let rows = built.add(Op::View(View::Reshape([ROWS, WIDTH].into())), &[base]);
    let put = built.put(ScatterOp::Add, &[rows, index, updates]);
    let back = built.add(Op::View(View::Reshape([ROWS / 4, 4 * WIDTH].into())), &[put]);
    let executable = check(&built.graph, &[back], 5);
    assert!(is_in_place(&executable, 0), "{executable}");
    assert!(invocations(&executable) <= 64, "{executable}");
}

#[test]
fn rows_along_an_inner_axis() {
    let mut built = Built::new(DType::F32);
    let base = built.leaf(&[4, ROWS, WIDTH], DType::F32);
    let (index, updates) = (built.leaf(&[2], DType::I32), built.leaf(&[4, 2, WIDTH], DType::F32));
    let put = built.add(Op::Scatter { axis: 1, op: ScatterOp::Set }, &[base, index, updates]);
    // What attends to the whole cache reads what was written.
    let sums = built.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![1] }, &[put]);
    let executable = check(&built.graph, &[put, sums], 6);
    assert!(is_in_place(&executable, 0), "{executable}");
    assert!(executable.dispatches[0].workgroups == [1, 1, 1], "{executable}");
}

#[test]
fn keys_and_values_are_cached_at_the_same_places() {
    let mut built = Built::new(DType::F32);
    let [keys, values] = [0, 1].map(|_| built.leaf(&[ROWS, WIDTH], DType::F32));
    let length = built.leaf(&[1], DType::I32);
    let batch = built.leaf(&[1, 8], DType::F32);
    let weights = [0, 1].map(|_| built.leaf(&[8, WIDTH], DType::F32));
    let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
    let made = weights.map(|weight| built.add(Op::Contract(axes.clone()), &[batch, weight]));
    let keys = built.put(ScatterOp::Set, &[keys, length, made[0]]);
    let values = built.put(ScatterOp::Set, &[values, length, made[1]]);
    let both = built.add(Op::Binary(Binary::Mul), &[keys, values]);
    let sums = built.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[both]);
    let executable = check_donating(&built.graph, &[keys, values, sums], 4, &[0, 1]);
    for (output, leaf) in [0, 1].into_iter().enumerate() {
        assert_eq!(executable.slots[executable.outputs[output]], Slot::Leaf(leaf), "{executable}");
    }
    // One row of each table; the sums behind them read both whole.
    let patches =
        executable.dispatches.iter().filter(|d| d.choice.is_some_and(|c| c.family().name() == "scatter"));
    assert_eq!(patches.map(|d| d.workgroups).collect::<Vec<_>>(), [[1; 3]; 2], "{executable}");
}

/// Programs in which something besides the scatter reads the base.
#[test]
fn what_else_reads_the_base_reads_what_it_was() {
    type Make = fn(&mut Built, [NodeId; 3]) -> Vec<NodeId>;
    let makes: [(&str, Make); 9] = [
        ("the base, doubled", |built, [base, index, updates]| {
            let twice = built.add(Op::Binary(Binary::Add), &[base, base]);
            vec![built.put(ScatterOp::Set, &[base, index, updates]), twice]
        }),
        ("the base itself", |built, [base, index, updates]| {
            vec![built.put(ScatterOp::Set, &[base, index, updates]), base]
        }),
        ("a gather of the base beside", |built, [base, index, updates]| {
            let rows = built.add(Op::Gather { axis: 0 }, &[base, index]);
            vec![built.put(ScatterOp::Add, &[base, index, updates]), rows]
        }),
        ("a gather of the base in the updates", |built, [base, index, updates]| {
            let rows = built.add(Op::Gather { axis: 0 }, &[base, index]);
            let sums = built.add(Op::Binary(Binary::Add), &[rows, updates]);
            vec![built.put(ScatterOp::Set, &[base, index, sums])]
        }),
        ("other rows of the base in the updates", |built, [base, index, updates]| {
            let others = built.add(Op::Binary(Binary::Add), &[index, index]);
            let rows = built.add(Op::Gather { axis: 0 }, &[base, others]);
            let sums = built.add(Op::Binary(Binary::Add), &[rows, updates]);
            vec![built.put(ScatterOp::Add, &[base, index, sums])]
        }),
        ("a sum of the base before", |built, [base, index, updates]| {
            let sum = built.add(Op::Reduce { op: ReduceOp::Sum, axes: vec![0] }, &[base]);
            vec![built.put(ScatterOp::Set, &[base, index, updates]), sum]
        }),
        ("two updates, one after the other", |built, [base, index, updates]| {
            let first = built.put(ScatterOp::Set, &[base, index, updates]);
            vec![built.put(ScatterOp::Add, &[first, index, updates])]
        }),
        ("two results of one base", |built, [base, index, updates]| {
            let set = built.put(ScatterOp::Set, &[base, index, updates]);
            vec![set, built.put(ScatterOp::Add, &[base, index, updates])]
        }),
        ("something of the result beside it", |built, [base, index, updates]| {
            let set = built.put(ScatterOp::Set, &[base, index, updates]);
            vec![built.add(Op::Binary(Binary::Mul), &[set, set]), set]
        }),
    ];
    for (what, make) in makes {
        for count in [1, 5, 40] {
            for dtype in [DType::F32, DType::I32] {
                let mut built = Built::new(dtype);
                let inputs = built.inputs(count);
                let roots = make(&mut built, inputs);
                println!("{what}, {count}, {dtype}");
                check(&built.graph, &roots, 7);
            }
        }
    }
}

#[test]
fn an_index_that_is_the_base_is_read_before() {
    let mut graph = Graph::new();
    let base = graph.add_placeholder(Op::Buffer(Shape::from([8]), DType::I32)).unwrap();
    let updates = graph.add_placeholder(Op::Buffer(Shape::from([8]), DType::I32)).unwrap();
    let put = graph.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[base, base, updates]).unwrap();
    check(&graph, &[put], 2);
}

/// What an iteration makes of its number, a table, a number beside it and updates; and what it
/// stacks.
type Step = fn(&mut dyn Build, Ref, [Ref; 3]) -> (Ref, Ref, Vec<Ref>);

fn row_of(emit: &mut dyn Build, index: Ref, at: i32) -> Ref {
    let at = emit.op(Op::Constant(Literal::I32(at)), &[]).unwrap();
    let place = emit.op(Op::Binary(Binary::Add), &[index, at]).unwrap();
    emit.reshape(place, &[1].into()).unwrap()
}

fn put(emit: &mut dyn Build, op: ScatterOp, table: Ref, place: Ref, updates: Ref) -> Ref {
    emit.op(Op::Scatter { axis: 0, op }, &[table, place, updates]).unwrap()
}

fn sum(emit: &mut dyn Build, table: Ref) -> Ref {
    emit.op(Op::Reduce { op: ReduceOp::Sum, axes: vec![0, 1] }, &[table]).unwrap()
}

/// Runs a loop of so many iterations, whose condition is that the number is less than a limit where
/// there is one.
fn check_loop(step: Step, iterations: Option<usize>, limit: Option<f32>, donated: &[usize]) -> Executable {
    let table = Shape::from([ROWS, WIDTH]);
    let inputs = |builder: &mut ProgramBuilder| {
        let mut input = |shape: &Shape| builder.input(shape, DType::F32).unwrap();
        [input(&table), input(&Shape::scalar()), input(&[1, WIDTH].into())]
    };
    let mut body = ProgramBuilder::default();
    let index = Ref(body.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32).0);
    let given = inputs(&mut body);
    let (next, number, mut stacks) = step(&mut body, index, given);
    if limit.is_some() {
        // No loop has both.
        stacks.clear();
    }
    let outputs = [&[next, number][..], &stacks].concat();
    let condition = limit.map(|limit| {
        let mut builder = ProgramBuilder::default();
        builder.push(Op::Scalar(DType::I32), Vec::new(), Shape::scalar(), DType::I32);
        let [_, number, _] = inputs(&mut builder);
        let emit: &mut dyn Build = &mut builder;
        let goes_on = emit.compare_number(Compare::Lt, number, f64::from(limit)).unwrap();
        builder.finish(&[goes_on], &[])
    });
    let body = body.finish(&outputs, &[]);
    let stacked = |(n, &output): (usize, &weft_ir::program::ProgramId)| {
        let rows = iterations.filter(|_| n >= 2);
        Shape::from(rows.into_iter().chain(body[output].shape.iter().copied()).collect::<Vec<_>>())
    };
    let shapes: Vec<Shape> = body.outputs.iter().enumerate().map(stacked).collect();
    let it = Loop { body, condition, iterations, carried: 2, sliced: 0, reverse: false };
    let mut builder = ProgramBuilder::default();
    let given = inputs(&mut builder);
    let region = builder.op(Op::Loop(Rc::new(it)), &given).unwrap();
    let mut part = |(index, shape): (usize, Shape)| {
        builder.op(Op::Part { index, shape, dtype: DType::F32 }, &[region]).unwrap()
    };
    let results: Vec<Ref> = shapes.into_iter().enumerate().map(&mut part).collect();
    let program = builder.finish(&results, &[]);
    let (buffers, _) = random_inputs(&program, 11, true);
    let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
    let expected = interpret::run::<f32>(&program, &given, &[]).unwrap();
    let executable = compile(&program, &Limits { least_spared: 0, ..Limits::floor() }, donated).unwrap();
    assert_eq!(plan::verify::plan(&program, &executable), Ok(()), "{program}\n{executable}");
    for (n, (got, expected)) in run(&executable, &words(&buffers), &[]).iter().zip(&expected).enumerate() {
        assert!(same(got, expected), "output {n} of {iterations:?}, {limit:?}\n{program}\n{executable}");
    }
    executable
}

/// The most invocations of a dispatch that is repeated.
fn largest_repeated(executable: &Executable) -> u32 {
    let repeated =
        executable.repeats.iter().flat_map(|repeat| &executable.dispatches[repeat.first..repeat.end]);
    let of = |dispatch: &weft_compile::Dispatch| {
        dispatch.workgroups.iter().product::<u32>() * executable.kernels[dispatch.kernel].workgroup[0]
    };
    repeated.map(of).max().expect("something is repeated")
}

#[test]
fn a_table_that_a_loop_carries_stays_where_it_is() {
    let steps: [Step; 2] = [
        |emit, index, [table, number, updates]| {
            let place = row_of(emit, index, 3);
            let next = put(emit, ScatterOp::Set, table, place, updates);
            (next, emit.scale(number, 2.0).unwrap(), vec![])
        },
        // What was written is read in the same iteration, and decides the number.
        |emit, index, [table, number, updates]| {
            let place = row_of(emit, index, 1);
            let next = put(emit, ScatterOp::Add, table, place, updates);
            let all = sum(emit, next);
            (next, emit.add(number, all).unwrap(), vec![all])
        },
    ];
    for (n, step) in steps.into_iter().enumerate() {
        for iterations in [2, 5, 6] {
            for limit in [None, Some(f32::INFINITY), Some(0.5), Some(f32::NEG_INFINITY)] {
                for donated in [&[][..], &[0, 1, 2]] {
                    let executable = check_loop(step, Some(iterations), limit, donated);
                    if n == 0 {
                        assert!(largest_repeated(&executable) <= 64, "{executable}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_loop_without_a_limit_writes_where_it_was_asked_last() {
    let step: Step = |emit, index, [table, number, updates]| {
        let place = row_of(emit, index, 1);
        let next = put(emit, ScatterOp::Set, table, place, updates);
        let one = emit.op(Op::Constant(Literal::F32(1.0)), &[]).unwrap();
        (next, emit.add(number, one).unwrap(), vec![])
    };
    for limit in [-9.0, 4.0, 21.5, 70.0] {
        check_loop(step, None, Some(limit), &[]);
    }
}

#[test]
fn a_table_that_else_is_read_goes_between_two_buffers() {
    let steps: [Step; 3] = [
        |emit, index, [table, number, updates]| {
            let place = row_of(emit, index, 0);
            let row = emit.op(Op::Gather { axis: 0 }, &[table, place]).unwrap();
            let both = emit.add(row, updates).unwrap();
            let next = put(emit, ScatterOp::Set, table, place, both);
            (next, number, vec![])
        },
        |emit, index, [table, number, updates]| {
            let place = row_of(emit, index, 0);
            let before = sum(emit, table);
            let next = put(emit, ScatterOp::Add, table, place, updates);
            (next, emit.add(number, before).unwrap(), vec![before])
        },
        |emit, index, [table, number, updates]| {
            let place = row_of(emit, index, 0);
            let next = put(emit, ScatterOp::Set, table, place, updates);
            let place = row_of(emit, index, 1);
            let next = put(emit, ScatterOp::Add, next, place, updates);
            let stacked = emit.op(Op::Cut, &[table]).unwrap();
            (next, number, vec![stacked])
        },
    ];
    for step in steps {
        for iterations in [2, 5] {
            for limit in [None, Some(0.5)] {
                check_loop(step, Some(iterations), limit, &[0]);
            }
        }
    }
}
