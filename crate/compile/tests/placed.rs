//! Scatters at one index that is a number, over a donated base that nothing else reads. The kernel
//! that computes the update stores it there. Whatever else reads the values, the results on the
//! kernel interpreter are those of the graph interpreter.

use crate::common::kernels::{run, same, words};
use crate::common::programs::random_inputs;
use std::rc::Rc;
use weft_compile::device::SOFTWARE;
use weft_compile::{Executable, Limits, Slot, compile, plan};
use weft_ir::graph::{Graph, NodeId};
use weft_ir::interpret::{self, Value};
use weft_ir::op::{Binary, ContractAxes, Op, ReduceOp, ScatterOp, Unary, View};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Literal};

/// Rows of a table, and numbers in each.
const ROWS: usize = 512;
const WIDTH: usize = 6;

#[derive(Default)]
struct Built {
    graph: Graph,
}

impl Built {
    fn leaf(&mut self, shape: &[usize]) -> NodeId {
        self.graph.add_placeholder(Op::Buffer(shape.into(), DType::F32)).unwrap()
    }

    fn number(&mut self, dtype: DType) -> NodeId {
        self.graph.add_placeholder(Op::Scalar(dtype)).unwrap()
    }

    fn add(&mut self, op: Op, inputs: &[NodeId]) -> NodeId {
        self.graph.add(op, inputs).unwrap()
    }

    fn sum(&mut self, x: NodeId, axes: &[usize]) -> NodeId {
        self.add(Op::Reduce { op: ReduceOp::Sum, axes: axes.to_vec() }, &[x])
    }

    fn reshape(&mut self, x: NodeId, shape: &[usize]) -> NodeId {
        self.add(Op::View(View::Reshape(shape.into())), &[x])
    }
}

fn is_in_place(executable: &Executable, output: usize) -> bool {
    executable.slots[executable.outputs[output]] == Slot::Leaf(0)
}

/// A result of which a scatter puts one row into a table that is given up, at an index that is a
/// number.
type Row = fn(&mut Built) -> NodeId;

/// What computes one row of so many numbers: sums of all, of columns, a product, and what is only
/// read.
const OF_ONE: [(&str, Row, usize); 5] = [
    (
        "a sum and what follows",
        |built| {
            let x = built.leaf(&[40, 50]);
            let sum = built.sum(x, &[0, 1]);
            let root = built.add(Op::Unary(Unary::Abs), &[sum]);
            built.add(Op::Unary(Unary::Sqrt), &[root])
        },
        1,
    ),
    (
        "the sum of what is found for rows",
        |built| {
            let x = built.leaf(&[40, 50]);
            let largest = built.add(Op::Reduce { op: ReduceOp::Max, axes: vec![1] }, &[x]);
            built.sum(largest, &[0])
        },
        1,
    ),
    (
        "sums of columns",
        |built| {
            let x = built.leaf(&[40, WIDTH]);
            built.sum(x, &[0])
        },
        WIDTH,
    ),
    (
        "a product",
        |built| {
            let (x, weight) = (built.leaf(&[1, 40]), built.leaf(&[40, 8]));
            let axes = ContractAxes { batch: vec![], contract: vec![(1, 0)] };
            built.add(Op::Contract(axes), &[x, weight])
        },
        8,
    ),
    (
        "what is read",
        |built| {
            let x = built.leaf(&[WIDTH]);
            built.add(Op::Unary(Unary::Abs), &[x])
        },
        WIDTH,
    ),
];

/// A table of rows, before whatever is read, and one of them put there.
fn row_put(built: &mut Built, table: NodeId, row: NodeId, place: NodeId) -> NodeId {
    let width = built.graph[table].shape[1];
    let row = built.reshape(row, &[1, width]);
    let place = built.reshape(place, &[1]);
    built.add(Op::Scatter { axis: 0, op: ScatterOp::Set }, &[table, place, row])
}

/// Runs with these numbers, in the order in which they were made, and compares.
fn check_at(
    graph: &Graph,
    roots: &[NodeId],
    donated: &[usize],
    places: &[i32],
    limits: &Limits,
) -> Executable {
    let program = TensorProgram::from_graph(graph, roots).0;
    let buffers: Vec<Value<f32>> = random_inputs(&program, 3, true).0;
    let scalars: Vec<Literal> = places.iter().map(|&place| Literal::I32(place)).collect();
    let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
    let expected = interpret::run::<f32>(&program, &given, &scalars).unwrap();
    let executable = compile(&program, limits, donated).unwrap();
    assert_eq!(plan::verify::plan(&program, &executable), Ok(()), "{program}\n{executable}");
    for (n, (got, expected)) in run(&executable, &words(&buffers), &scalars).iter().zip(&expected).enumerate()
    {
        assert!(same(got, expected), "output {n} at {places:?}\n{program}\n{executable}");
    }
    executable
}

/// Hardware, and software, whose kernels write in vectors of four.
fn kinds() -> [Limits; 2] {
    [Limits::floor(), Limits::of(&SOFTWARE)]
}

#[test]
fn the_kernel_that_computes_a_row_puts_it_into_its_table() {
    for (what, row, width) in OF_ONE {
        for limits in kinds() {
            let alone = {
                let mut built = Built::default();
                let row = row(&mut built);
                let program = TensorProgram::from_graph(&built.graph, &[row]).0;
                compile(&program, &limits, &[]).unwrap().dispatches.len()
            };
            for place in [0, 7, ROWS as i32 - 1, ROWS as i32, -1] {
                for held in [false, true] {
                    let mut built = Built::default();
                    let table = built.leaf(&[ROWS, width]);
                    let number = built.number(DType::I32);
                    let row = row(&mut built);
                    let put = row_put(&mut built, table, row, number);
                    // It may be a result itself.
                    let roots = if held { vec![put, row] } else { vec![put] };
                    let executable = check_at(&built.graph, &roots, &[0], &[place], &limits);
                    assert!(is_in_place(&executable, 0), "{what}\n{executable}");
                    assert_eq!(executable.dispatches.len(), alone, "{what}\n{executable}");
                    let copied = check_at(&built.graph, &roots, &[], &[place], &limits);
                    assert!(!is_in_place(&copied, 0), "{what}\n{copied}");
                }
            }
        }
    }
}

#[test]
fn rows_that_are_put_one_after_the_other_are_put_by_their_kernels() {
    for places in [[3, 9, 27], [3, 3, 27], [3, 9, 3], [9, 3, 3], [5, 5, 5], [-1, 5, 600]] {
        for donated in [&[0][..], &[]] {
            let mut built = Built::default();
            let mut table = built.leaf(&[ROWS, 1]);
            let numbers = [0, 1, 2].map(|_| built.number(DType::I32));
            for (number, (_, row, _)) in numbers.into_iter().zip([OF_ONE[0], OF_ONE[1], OF_ONE[0]]) {
                let row = row(&mut built);
                table = row_put(&mut built, table, row, number);
            }
            let executable = check_at(&built.graph, &[table], donated, &places, &Limits::floor());
            assert_eq!(is_in_place(&executable, 0), !donated.is_empty(), "{executable}");
            if !donated.is_empty() {
                assert_eq!(executable.dispatches.len(), 4, "{executable}");
            }
        }
    }
}

#[test]
fn rows_that_one_kernel_computes_are_put_by_it() {
    for (what, row, width) in OF_ONE {
        for limits in kinds() {
            let mut dispatches = Vec::new();
            for count in [1, 3] {
                for places in [[3, 9, 27], [3, 3, 9], [3, 9, 3], [9, 3, 3], [5, 5, 5], [-1, 5, 600]] {
                    let mut built = Built::default();
                    let mut table = built.leaf(&[ROWS, width]);
                    let numbers = [0, 1, 2].map(|_| built.number(DType::I32));
                    let mut row = row(&mut built);
                    for &number in &numbers[..count] {
                        table = row_put(&mut built, table, row, number);
                        row = built.add(Op::Unary(Unary::Neg), &[row]);
                    }
                    let executable = check_at(&built.graph, &[table], &[0], &places[..count], &limits);
                    assert!(is_in_place(&executable, 0), "{what}\n{executable}");
                    dispatches.push(executable.dispatches.len());
                }
            }
            assert!(dispatches.iter().all(|&count| count == dispatches[0]), "{what}: {dispatches:?}");
        }
    }
}

#[test]
fn a_row_along_an_inner_axis_is_put_where_it_is_computed() {
    for dtype in [DType::I32, DType::U32] {
        let mut built = Built::default();
        let table = built.leaf(&[4, ROWS, 8]);
        let number = built.number(dtype);
        let x = built.leaf(&[4, 40, 8]);
        let row = built.sum(x, &[1]);
        let row = built.reshape(row, &[4, 1, 8]);
        let place = built.reshape(number, &[1]);
        let put = built.add(Op::Scatter { axis: 1, op: ScatterOp::Set }, &[table, place, row]);
        let program = TensorProgram::from_graph(&built.graph, &[put]).0;
        for limits in kinds() {
            for place in [0, 11, 511, 512] {
                let place =
                    if dtype == DType::I32 { Literal::I32(place) } else { Literal::U32(place as u32) };
                let buffers: Vec<Value<f32>> = random_inputs(&program, 3, true).0;
                let given: Vec<Rc<Value<f32>>> = buffers.iter().map(|value| Rc::new(value.clone())).collect();
                let expected = interpret::run::<f32>(&program, &given, &[place]).unwrap();
                let executable = compile(&program, &limits, &[0]).unwrap();
                assert_eq!(executable.dispatches.len(), 1, "{executable}");
                assert!(is_in_place(&executable, 0), "{executable}");
                assert!(same(&run(&executable, &words(&buffers), &[place])[0], &expected[0]), "{executable}");
            }
        }
    }
}

/// Programs in which a row that is put somewhere is not all that becomes of its table.
#[test]
fn a_table_that_anything_else_reads_is_not_only_its_row() {
    type Make = fn(&mut Built, [NodeId; 3]) -> Vec<NodeId>;
    let makes: [(&str, Make); 5] = [
        ("the table's sum in the row", |built, [table, row, number]| {
            let sum = built.sum(table, &[0]);
            let row = built.add(Op::Binary(Binary::Add), &[sum, row]);
            vec![row_put(built, table, row, number)]
        }),
        ("the table beside", |built, [table, row, number]| vec![row_put(built, table, row, number), table]),
        ("what is made of it", |built, [table, row, number]| {
            let put = row_put(built, table, row, number);
            let sum = built.sum(put, &[0]);
            vec![put, sum]
        }),
        ("what was put before, too", |built, [table, row, number]| {
            let first = row_put(built, table, row, number);
            let one = built.add(Op::Unary(Unary::Abs), &[row]);
            vec![first, row_put(built, first, one, number)]
        }),
        ("two tables of one", |built, [table, row, number]| {
            let one = built.add(Op::Unary(Unary::Abs), &[row]);
            vec![row_put(built, table, row, number), row_put(built, table, one, number)]
        }),
    ];
    for (what, make) in makes {
        for place in [0, 5, -3] {
            let mut built = Built::default();
            let table = built.leaf(&[ROWS, WIDTH]);
            let number = built.number(DType::I32);
            let row = OF_ONE[2].1(&mut built);
            let roots = make(&mut built, [table, row, number]);
            println!("{what} at {place}");
            check_at(&built.graph, &roots, &[0], &[place], &Limits::floor());
        }
    }
}
