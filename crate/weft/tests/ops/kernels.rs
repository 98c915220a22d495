//! Users' kernels as operations: called at once, captured, repeated and chosen, on every device.

use crate::support::{cpu, floats, gpu, hardware, phone, wait};
use weft::user_kernel::{
    Binary, Combine, Compare, Coordinate, Edge, Expr, Initial, Stmt, TensorId, UserKernel,
};
use weft::{DType, Device, ErrorKind, Kernel, Literal, Operand, Tensor};

/// The sum of an element's neighbours on a line and itself, times a number; the ends are
/// neighbours.
fn blur() -> Kernel {
    let mut kernel = UserKernel::new("blur", 1);
    let x = kernel.tensor("x", DType::F32, 1);
    let scale = kernel.scalar("scale", DType::F32);
    let out = kernel.output("out", DType::F32, 1, Combine::Set);
    let (sum, offset) = (kernel.local("sum", DType::F32), kernel.local("offset", DType::I32));
    let (i, low, high) = (kernel.index(0), kernel.literal(Literal::I32(-1)), kernel.literal(Literal::I32(2)));
    let (by, before) = (kernel.read(offset), kernel.read(sum));
    let at = kernel.binary(Binary::Add, i, by);
    let value = kernel.load(x, &[at], Edge::Wrap);
    let next = kernel.binary(Binary::Add, before, value);
    kernel.body.push(Stmt::For {
        counter: offset,
        from: low,
        to: high,
        step: 1,
        body: vec![Stmt::Let(sum, next)],
    });
    let value = kernel.binary(Binary::Mul, before, scale);
    kernel.body.push(Stmt::Store { output: out, indices: vec![i], value, before: None });
    Kernel::new(kernel).unwrap()
}

fn blurred(device: &Device, x: &Tensor, scale: impl Into<Operand>) -> weft::Result<Tensor> {
    let size = x.size();
    Ok(blur().call(device, &[x], &[scale.into()], &[size], &[&[size]])?.remove(0))
}

/// How many elements fall into each of three bins, where each came, the largest, and their sum.
fn census() -> Kernel {
    let mut kernel = UserKernel::new("census", 1);
    let x = kernel.tensor("x", DType::F32, 1);
    let count = kernel.output("count", DType::U32, 1, Combine::Add);
    let last = kernel.output("last", DType::I32, 1, Combine::Set);
    let most = kernel.output("most", DType::F32, 0, Combine::Max);
    let sum = kernel.output("sum", DType::F32, 1, Combine::Add);
    kernel.outputs[last.index()].initial = Initial::Value(Literal::I32(-1));
    kernel.outputs[most.index()].initial = Initial::Value(Literal::F32(f32::NEG_INFINITY));
    let i = kernel.index(0);
    let value = kernel.load(x, &[i], Edge::Clamp);
    let bin = kernel.expr(Expr::Cast(DType::I32, value));
    let one = kernel.literal(Literal::U32(1));
    for (output, indices, value) in
        [(count, vec![bin], one), (last, vec![bin], i), (most, vec![], value), (sum, vec![bin], value)]
    {
        kernel.body.push(Stmt::Store { output, indices, value, before: None });
    }
    Kernel::new(kernel).unwrap()
}

#[test]
fn kernels_read_beyond_edges_and_take_numbers() {
    for device in [cpu(), gpu(), phone()] {
        let x = device.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap();
        let y = blurred(&device, &x, 0.5).unwrap();
        assert_eq!(floats(&y), [3.5, 3.0, 4.5, 4.0]);
        // Another number is no other program.
        let compiled = device.stats().program_misses;
        assert_eq!(floats(&blurred(&device, &x, 2.0).unwrap()), [14.0, 12.0, 18.0, 16.0]);
        assert_eq!(device.stats().program_misses, compiled);
        // What is before and after it is computed too, a 0-d tensor in place of the number.
        let twice = x.add(x.mul(1.0).unwrap()).unwrap();
        let scale = x.sum(None, false).unwrap().div(20.0).unwrap();
        let y = blurred(&device, &twice, &scale).unwrap().add(1.0).unwrap();
        assert_eq!(floats(&y), [8.0, 7.0, 10.0, 9.0]);
    }
}

#[test]
fn several_outputs_gather_in_whatever_order() {
    for device in [cpu(), gpu(), hardware()] {
        let x = device.tensor(&[0.5f32, 2.25, 0.25, 7.0, 1.0, 2.5], &[6]).unwrap();
        let outputs = census().call(&device, &[&x], &[], &[6], &[&[3], &[3], &[], &[3]]).unwrap();
        assert_eq!(wait(outputs[0].data::<u32>()).unwrap(), [2, 1, 2]);
        assert_eq!(wait(outputs[1].data::<i32>()).unwrap(), [2, 4, 5]);
        assert_eq!(floats(&outputs[2]), [7.0]);
        assert_eq!(floats(&outputs[3]), [0.75, 1.0, 4.75]);
        // One of them alone.
        let outputs = census().call(&device, &[&x], &[], &[6], &[&[3], &[3], &[], &[3]]).unwrap();
        assert_eq!(floats(&outputs[3]), [0.75, 1.0, 4.75]);
        // An element that nobody stores into keeps what was there at first.
        let nothing = device.tensor(&[5.0f32], &[1]).unwrap();
        let outputs = census().call(&device, &[&nothing], &[], &[1], &[&[3], &[3], &[], &[3]]).unwrap();
        assert_eq!(wait(outputs[1].data::<i32>()).unwrap(), [-1, -1, -1]);
        // An empty grid stores nothing at all.
        let outputs = census().call(&device, &[&nothing], &[], &[0], &[&[2], &[1], &[], &[0]]).unwrap();
        assert_eq!(wait(outputs[0].data::<u32>()).unwrap(), [0, 0]);
        assert_eq!(floats(&outputs[2]), [f32::NEG_INFINITY]);
        assert!(floats(&outputs[3]).is_empty());
    }
}

#[test]
fn kernels_are_captured_repeated_and_chosen() {
    for device in [cpu(), gpu(), phone()] {
        let x = device.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap();
        device.trace_begin().unwrap();
        let placeholder = device.placeholder(x.shape(), x.dtype()).unwrap();
        let y = blurred(&device, &placeholder, 0.5).unwrap();
        let captured = device.trace_end(&[&y], &[&placeholder]).unwrap();
        let outputs = captured.call(&[&x], &[], &[false]).unwrap();
        assert_eq!(floats(&outputs[0]), [3.5, 3.0, 4.5, 4.0]);

        let thrice =
            device.for_loop(0, 3, |_, state| Ok(vec![blurred(&device, &state[0], 1.0)?]), &[&x]).unwrap();
        let mut expected = vec![1.0f32, 2.0, 3.0, 4.0];
        for _ in 0..3 {
            expected = (0..4).map(|i| expected[(i + 3) % 4] + expected[i] + expected[(i + 1) % 4]).collect();
        }
        assert_eq!(floats(&thrice[0]), expected);

        let is_large = x.sum(None, false).unwrap().greater(5.0).unwrap();
        let chosen = device
            .cond(&is_large, |x| Ok(vec![blurred(&device, &x[0], 1.0)?]), |x| Ok(vec![x[0].clone()]), &[&x])
            .unwrap();
        assert_eq!(floats(&chosen[0]), [7.0, 6.0, 9.0, 8.0]);
    }
}

#[test]
fn what_was_there_before_hands_out_places() {
    // Every number above 2 gets a place of its own, in whatever order.
    let mut kernel = UserKernel::new("filter", 1);
    let x = kernel.tensor("x", DType::F32, 1);
    let count = kernel.output("count", DType::U32, 0, Combine::Add);
    let out = kernel.output("out", DType::F32, 1, Combine::Set);
    let place = kernel.local("place", DType::U32);
    let (i, one, two) = (kernel.index(0), kernel.literal(Literal::U32(1)), kernel.literal(Literal::F32(2.0)));
    let value = kernel.load(x, &[i], Edge::Clamp);
    let above = kernel.compare(Compare::Gt, value, two);
    let at = kernel.read(place);
    let at = kernel.expr(Expr::Cast(DType::I32, at));
    let then = vec![
        Stmt::Store { output: count, indices: vec![], value: one, before: Some(place) },
        Stmt::Store { output: out, indices: vec![at], value, before: None },
    ];
    kernel.body.push(Stmt::If(above, then, Vec::new()));
    let filter = Kernel::new(kernel).unwrap();
    for device in [cpu(), gpu()] {
        let x = device.tensor(&[1.0f32, 5.0, 2.0, 3.0, 9.0], &[5]).unwrap();
        let outputs = filter.call(&device, &[&x], &[], &[5], &[&[], &[5]]).unwrap();
        let mut found = floats(&outputs[1]);
        found.sort_by(f32::total_cmp);
        assert_eq!(found, [0.0, 0.0, 3.0, 5.0, 9.0]);
        assert_eq!(wait(outputs[0].data::<u32>()).unwrap(), [3]);
    }
}

#[test]
fn packed_tensors_are_read_as_what_they_are_computed_in() {
    for device in [cpu(), gpu()] {
        let x = device.tensor(&[1.0f32, 2.0, 3.0, 4.0], &[4]).unwrap().cast(DType::F16).unwrap();
        assert_eq!(floats(&blurred(&device, &x, 1.0).unwrap()), [7.0, 6.0, 9.0, 8.0]);
    }
}

#[test]
fn outputs_begin_as_inputs_that_stay_as_they_are() {
    let mut kernel = UserKernel::new("bump", 1);
    let x = kernel.tensor("x", DType::F32, 1);
    let out = kernel.output("out", DType::F32, 1, Combine::Add);
    kernel.outputs[out.index()].initial = Initial::Tensor(TensorId(0));
    let (zero, half) = (kernel.literal(Literal::I32(0)), kernel.literal(Literal::F32(0.5)));
    kernel.body.push(Stmt::Store { output: out, indices: vec![zero], value: half, before: None });
    let (bump, _) = (Kernel::new(kernel).unwrap(), x);
    for device in [cpu(), gpu()] {
        let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
        let y = bump.call(&device, &[&x], &[], &[9], &[&[2]]).unwrap().remove(0);
        assert_eq!((floats(&y), floats(&x)), (vec![5.5, 2.0], vec![1.0, 2.0]));
    }
}

#[test]
fn calls_that_do_not_fit_say_why() {
    let device = cpu();
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let call = |tensors: &[&Tensor], numbers: &[Operand], grid: &[usize], shapes: &[&[usize]]| {
        blur().call(&device, tensors, numbers, grid, shapes).unwrap_err()
    };
    let one = [Operand::Number(1.0)];
    let error = call(&[], &one, &[2], &[&[2]]);
    assert_eq!(error.to_string(), "blur: takes 1 tensors and 1 numbers, got 0 and 1");
    let whole = device.tensor(&[1i32, 2], &[2]).unwrap();
    let error = call(&[&whole], &one, &[2], &[&[2]]);
    assert_eq!((error.kind, error.to_string().as_str()), (ErrorKind::DType, "blur: x is f32, got i32"));
    let square = x.reshape(&[1, 2]).unwrap();
    let error = call(&[&square], &one, &[2], &[&[2]]);
    assert_eq!((error.kind, error.to_string().as_str()), (ErrorKind::Shape, "blur: x has 1 axes, got [1,2]"));
    let error = call(&[&x], &one, &[2, 2], &[&[2]]);
    assert_eq!(error.to_string(), "blur: the grid has 1 axes, got [2,2]");
    let error = call(&[&x], &one, &[2], &[&[2], &[2]]);
    assert_eq!(error.to_string(), "blur: has 1 outputs, got 2 shapes");
    let error = call(&[&x], &one, &[2], &[&[2, 2]]);
    assert_eq!(error.to_string(), "blur: out has 1 axes, got [2,2]");
}

/// The product of two matrices whose extents eight divides, by tiles in workgroup memory.
fn tiled() -> Kernel {
    let side = 8;
    let mut kernel = UserKernel::new("tiled", 2);
    kernel.workgroup = Some([side, side, 1]);
    let (a, b) = (kernel.tensor("a", DType::F32, 2), kernel.tensor("b", DType::F32, 2));
    let out = kernel.output("out", DType::F32, 2, Combine::Set);
    let tile_a = kernel.array("tileA", DType::F32, side * side, true);
    let tile_b = kernel.array("tileB", DType::F32, side * side, true);
    let (sum, from, k) =
        (kernel.local("sum", DType::F32), kernel.local("from", DType::I32), kernel.local("k", DType::I32));
    let (row, column) = (kernel.index(0), kernel.index(1));
    let y = kernel.expr(Expr::Index(Coordinate::Local, 1));
    let x = kernel.expr(Expr::Index(Coordinate::Local, 0));
    let (zero, side) = (kernel.literal(Literal::I32(0)), kernel.literal(Literal::I32(side as i32)));
    let depth = kernel.expr(Expr::Extent(a, 1));
    let row_of_tile = kernel.binary(Binary::Mul, y, side);
    let own = kernel.binary(Binary::Add, row_of_tile, x);
    let (first, step) = (kernel.read(from), kernel.read(k));
    let along = kernel.binary(Binary::Add, first, x);
    let down = kernel.binary(Binary::Add, first, y);
    let of_a = kernel.load(a, &[row, along], Edge::Clamp);
    let of_b = kernel.load(b, &[down, column], Edge::Clamp);
    let at_a = kernel.binary(Binary::Add, row_of_tile, step);
    let line_of_b = kernel.binary(Binary::Mul, step, side);
    let at_b = kernel.binary(Binary::Add, line_of_b, x);
    let (left, right) = (kernel.expr(Expr::Element(tile_a, at_a)), kernel.expr(Expr::Element(tile_b, at_b)));
    let product = kernel.binary(Binary::Mul, left, right);
    let before = kernel.read(sum);
    let next = kernel.binary(Binary::Add, before, product);
    let inner = Stmt::For { counter: k, from: zero, to: side, step: 1, body: vec![Stmt::Let(sum, next)] };
    let body = vec![
        Stmt::SetElement(tile_a, own, of_a),
        Stmt::SetElement(tile_b, own, of_b),
        Stmt::Barrier,
        inner,
        Stmt::Barrier,
    ];
    kernel.body = vec![
        Stmt::For { counter: from, from: zero, to: depth, step: 8, body },
        Stmt::Store { output: out, indices: vec![row, column], value: before, before: None },
    ];
    Kernel::new(kernel).unwrap()
}

#[test]
fn groups_share_tiles() {
    for device in [cpu(), gpu(), phone()] {
        let numbers = |n: usize| (0..n).map(|i| (i * 7 % 13) as f32 - 6.0).collect::<Vec<_>>();
        let a = device.tensor(&numbers(16 * 24), &[16, 24]).unwrap();
        let b = device.tensor(&numbers(24 * 8), &[24, 8]).unwrap();
        let y = tiled().call(&device, &[&a, &b], &[], &[16, 8], &[&[16, 8]]).unwrap().remove(0);
        assert_eq!(floats(&y), floats(&a.matmul(&b).unwrap()));
        let error = tiled().call(&device, &[&a, &b], &[], &[12, 8], &[&[16, 8]]).unwrap_err();
        assert_eq!(error.to_string(), "tiled: the grid [12,8] is not a multiple of the workgroup's 8");
    }
}
