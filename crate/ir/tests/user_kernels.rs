//! Users' kernels: which are well formed, what they compute, and what words are none.

use weft_ir::interpret::Value;
use weft_ir::op::{Binary, Compare, KernelCall, Unary};
use weft_ir::user_kernel::decode::decode;
use weft_ir::user_kernel::verify::{Rule, verify};
use weft_ir::user_kernel::{
    Combine, Coordinate, Edge, Expr, ExprId, Initial, LocalId, OutputId, Stmt, SubgroupOp, TensorId,
    UserKernel, interpret,
};
use weft_ir::{DType, Literal, Shape};

/// A kernel over a line that copies a tensor, with a statement before its store.
fn copy() -> (UserKernel, OutputId, ExprId) {
    let mut kernel = UserKernel::new("copy", 1);
    let x = kernel.tensor("x", DType::F32, 1);
    let out = kernel.output("out", DType::F32, 1, Combine::Set);
    let i = kernel.index(0);
    let value = kernel.load(x, &[i], Edge::Clamp);
    kernel.body.push(Stmt::Store { output: out, indices: vec![i], value, before: None });
    (kernel, out, i)
}

fn broken(change: impl FnOnce(&mut UserKernel)) -> Option<Rule> {
    let (mut kernel, ..) = copy();
    change(&mut kernel);
    verify(&kernel).err().map(|error| error.rule)
}

#[test]
fn each_rule_is_named_when_broken() {
    use Rule::*;
    assert_eq!(broken(|_| ()), None);
    assert_eq!(broken(|k| k.rank = 13), Some(RankIsBounded));
    assert_eq!(broken(|k| k.tensors[0].dtype = DType::F16), Some(DTypeIsComputed));
    assert_eq!(
        broken(|k| {
            k.outputs.clear();
            k.body.clear();
        }),
        Some(HasOutput)
    );
    assert_eq!(broken(|k| k.workgroup = Some([512, 1, 1])), Some(WorkgroupFits));
    assert_eq!(broken(|k| k.workgroup = Some([u32::MAX, u32::MAX, 1])), Some(WorkgroupFits));
    assert_eq!(broken(|k| k.workgroup = Some([8, 8, 1])), Some(WorkgroupFits));
    assert_eq!(broken(|k| _ = k.array("a", DType::F32, 0, false)), Some(ArrayFits));
    assert_eq!(broken(|k| _ = k.array("a", DType::F32, 2049, false)), Some(ArrayFits));
    assert_eq!(broken(|k| _ = k.array("a", DType::F32, 4, true)), Some(OnlyGroupsShare));
    assert_eq!(broken(|k| k.outputs[0].combine = Combine::Xor), Some(CombineTakesDType));
    assert_eq!(broken(|k| k.outputs[0].initial = Initial::Value(Literal::I32(0))), Some(InitialFits));
    assert_eq!(broken(|k| k.outputs[0].initial = Initial::Tensor(TensorId(7))), Some(InitialFits));
    let with = |expr: fn(ExprId) -> Expr| {
        broken(|k| {
            let value = k.literal(Literal::F32(1.0));
            k.expr(expr(value));
        })
    };
    assert_eq!(with(|_| Expr::Local(LocalId(0))), Some(IdIsInRange));
    assert_eq!(with(|_| Expr::Index(Coordinate::Grid, 1)), Some(IdIsInRange));
    assert_eq!(with(|_| Expr::Index(Coordinate::Local, 0)), Some(OnlyGroupsShare));
    assert_eq!(with(|_| Expr::Extent(TensorId(0), 1)), Some(IdIsInRange));
    assert_eq!(with(|_| Expr::Unary(Unary::Neg, ExprId(99))), Some(OperandIsEarlier));
    assert_eq!(with(|x| Expr::Unary(Unary::Not, x)), Some(OperatorTakesDType));
    assert_eq!(with(|x| Expr::Binary(Binary::Add, x, ExprId(0))), Some(OperandsAgree));
    assert_eq!(with(|x| Expr::Binary(Binary::Shl, x, x)), Some(OperatorTakesDType));
    assert_eq!(with(|x| Expr::Select(x, x, x)), Some(ConditionIsBool));
    assert_eq!(with(|x| Expr::Cast(DType::I8, x)), Some(DTypeIsComputed));
    assert_eq!(with(|x| Expr::Bitcast(DType::Bool, x)), Some(OperatorTakesDType));
    assert_eq!(with(|x| Expr::Load(TensorId(0), vec![x], Edge::Wrap)), Some(IndexIsI32));
    assert_eq!(with(|_| Expr::Load(TensorId(0), vec![], Edge::Wrap)), Some(CoordinatesMatchRank));
    let fill = |_| Expr::Load(TensorId(0), vec![ExprId(0)], Edge::Fill(ExprId(0)));
    assert_eq!(with(fill), Some(OperandsAgree));
    assert_eq!(with(|x| Expr::Subgroup(SubgroupOp::Add, x)), Some(OnlyGroupsShare));
    let then = |make: fn(&mut UserKernel, LocalId, ExprId) -> Stmt| {
        broken(|k| {
            let (local, zero) = (k.local("n", DType::I32), k.literal(Literal::I32(0)));
            let stmt = make(k, local, zero);
            k.body.push(stmt);
        })
    };
    assert_eq!(then(|k, n, _| Stmt::Let(n, k.literal(Literal::F32(0.0)))), Some(LocalTypeMatches));
    assert_eq!(then(|_, _, zero| Stmt::Let(LocalId(9), zero)), Some(IdIsInRange));
    assert_eq!(then(|_, _, _| Stmt::Break), Some(JumpIsInLoop));
    assert_eq!(then(|_, _, _| Stmt::Barrier), Some(OnlyGroupsShare));
    assert_eq!(then(|_, _, zero| Stmt::If(zero, vec![], vec![])), Some(ConditionIsBool));
    let count = |step: i32, body: Vec<Stmt>| {
        move |k: &mut UserKernel| {
            let (counter, zero) = (k.local("n", DType::I32), k.literal(Literal::I32(0)));
            let from = zero;
            k.body.push(Stmt::For { counter, from, to: zero, step, body });
        }
    };
    assert_eq!(broken(count(0, vec![])), Some(StepIsNotZero));
    assert_eq!(broken(count(1, vec![Stmt::Let(LocalId(0), ExprId(2))])), Some(CounterIsNotAssigned));
    assert_eq!(
        then(|_, n, zero| Stmt::Store {
            output: OutputId(0),
            indices: vec![zero],
            value: ExprId(1),
            before: Some(n),
        }),
        Some(BeforeIsOfInteger)
    );
    assert_eq!(
        then(|k, n, zero| {
            k.output("sum", DType::F32, 0, Combine::Add);
            let output = k.output("count", DType::I32, 0, Combine::Add);
            Stmt::Store { output, indices: vec![], value: zero, before: Some(n) }
        }),
        Some(BeforeIsWithoutFloatSums)
    );
    assert_eq!(
        then(|_, _, zero| Stmt::Store {
            output: OutputId(0),
            indices: vec![zero],
            value: zero,
            before: None
        }),
        Some(StoredTypeMatches)
    );
    let nested = |depth: usize| {
        broken(|k| {
            let truth = k.literal(Literal::Bool(true));
            let mut block = Vec::new();
            for _ in 0..depth {
                block = vec![Stmt::If(truth, block, Vec::new())];
            }
            k.body = block;
        })
    };
    assert_eq!((nested(63), nested(64)), (None, Some(NestingIsBounded)));
}

/// A kernel that works in groups of four.
fn grouped(write: impl FnOnce(&mut UserKernel, ExprId) -> Vec<Stmt>) -> Option<Rule> {
    let mut kernel = UserKernel::new("group", 1);
    kernel.workgroup = Some([4, 1, 1]);
    kernel.tensor("x", DType::I32, 1);
    kernel.output("out", DType::I32, 1, Combine::Set);
    let lane = kernel.expr(Expr::Index(Coordinate::Local, 0));
    kernel.body = write(&mut kernel, lane);
    verify(&kernel).err().map(|error| error.rule)
}

#[test]
fn barriers_stand_where_all_of_a_group_come_by() {
    let by_lane = |k: &mut UserKernel, lane: ExprId| {
        let zero = k.literal(Literal::I32(0));
        k.compare(Compare::Eq, lane, zero)
    };
    let by_group = |k: &mut UserKernel| {
        let (group, zero) = (k.expr(Expr::Index(Coordinate::Group, 0)), k.literal(Literal::I32(0)));
        let value = k.load(TensorId(0), &[group], Edge::Clamp);
        k.compare(Compare::Gt, value, zero)
    };
    let uneven = Some(Rule::BarrierIsUniform);
    assert_eq!(grouped(|k, _| vec![Stmt::If(by_group(k), vec![Stmt::Barrier], vec![])]), None);
    assert_eq!(grouped(|k, lane| vec![Stmt::If(by_lane(k, lane), vec![Stmt::Barrier], vec![])]), uneven);
    // After a return that some take, and after one that all take or none.
    let after = |condition: ExprId| vec![Stmt::If(condition, vec![Stmt::Return], vec![]), Stmt::Barrier];
    assert_eq!(grouped(|k, lane| after(by_lane(k, lane))), uneven);
    assert_eq!(grouped(|k, _| after(by_group(k))), None);
    assert_eq!(
        grouped(|k, lane| vec![Stmt::Barrier, Stmt::If(by_lane(k, lane), vec![Stmt::Return], vec![])]),
        None
    );
    // In a loop that some leave early, or return from.
    for (jump, expected) in [(Stmt::Break, uneven), (Stmt::Return, uneven), (Stmt::Continue, uneven)] {
        let body = |k: &mut UserKernel, lane: ExprId, jump: Stmt| {
            let (counter, zero, four) =
                (k.local("n", DType::I32), k.literal(Literal::I32(0)), k.literal(Literal::I32(4)));
            let leave = Stmt::If(by_lane(k, lane), vec![jump], vec![]);
            vec![Stmt::For { counter, from: zero, to: four, step: 1, body: vec![Stmt::Barrier, leave] }]
        };
        assert_eq!(grouped(|k, lane| body(k, lane, jump.clone())), expected, "{jump:?}");
        let by_group = |k: &mut UserKernel, jump: Stmt| {
            let (counter, zero, four) =
                (k.local("n", DType::I32), k.literal(Literal::I32(0)), k.literal(Literal::I32(4)));
            let leave = Stmt::If(by_group(k), vec![jump], vec![]);
            vec![Stmt::For { counter, from: zero, to: four, step: 1, body: vec![Stmt::Barrier, leave] }]
        };
        assert_eq!(grouped(|k, _| by_group(k, jump.clone())), None, "{jump:?}");
    }
    // A local that differs from invocation to invocation decides.
    let local = |k: &mut UserKernel, lane: ExprId| {
        let n = k.local("n", DType::I32);
        let (now, zero) = (k.read(n), k.literal(Literal::I32(0)));
        let condition = k.compare(Compare::Eq, now, zero);
        vec![Stmt::Let(n, lane), Stmt::If(condition, vec![Stmt::Barrier], vec![])]
    };
    assert_eq!(grouped(local), uneven);
}

#[test]
fn edges_are_where_they_are_said_to_be() {
    let shape = Shape::from([3]);
    let run = |edge: Edge| {
        let mut kernel = UserKernel::new("edges", 1);
        let x = kernel.tensor("x", DType::I32, 1);
        let out = kernel.output("out", DType::I32, 1, Combine::Set);
        let fill = kernel.literal(Literal::I32(-1));
        let edge = if let Edge::Fill(_) = edge { Edge::Fill(fill) } else { edge };
        let (i, four) = (kernel.index(0), kernel.literal(Literal::I32(4)));
        let at = kernel.binary(Binary::Sub, i, four);
        let value = kernel.load(x, &[at], edge);
        kernel.body.push(Stmt::Store { output: out, indices: vec![i], value, before: None });
        let call = KernelCall { kernel: kernel.into(), grid: [11].into(), shapes: vec![[11].into()] };
        let x = Value::<f32>::i32(shape.clone(), [0, 1, 2]).unwrap();
        interpret::run(&call, &[x]).unwrap().remove(0).to_f64()
    };
    // −4 … 6
    assert_eq!(run(Edge::Clamp), [0., 0., 0., 0., 0., 1., 2., 2., 2., 2., 2.]);
    assert_eq!(run(Edge::Wrap), [2., 0., 1., 2., 0., 1., 2., 0., 1., 2., 0.]);
    assert_eq!(run(Edge::Mirror), [0., 1., 2., 1., 0., 1., 2., 1., 0., 1., 2.]);
    assert_eq!(run(Edge::Fill(ExprId(0))), [-1., -1., -1., -1., 0., 1., 2., -1., -1., -1., -1.]);
}

#[test]
fn groups_share_memory_across_barriers() {
    // Each group of four reverses its part of a line.
    let mut kernel = UserKernel::new("reverse", 1);
    kernel.workgroup = Some([4, 1, 1]);
    let x = kernel.tensor("x", DType::F32, 1);
    let out = kernel.output("out", DType::F32, 1, Combine::Set);
    let shared = kernel.array("shared", DType::F32, 4, true);
    let i = kernel.index(0);
    let (lane, three) = (kernel.expr(Expr::Index(Coordinate::Local, 0)), kernel.literal(Literal::I32(3)));
    let own = kernel.load(x, &[i], Edge::Clamp);
    let opposite = kernel.binary(Binary::Sub, three, lane);
    let value = kernel.expr(Expr::Element(shared, opposite));
    kernel.body = vec![
        Stmt::SetElement(shared, lane, own),
        Stmt::Barrier,
        Stmt::Store { output: out, indices: vec![i], value, before: None },
    ];
    verify(&kernel).unwrap();
    let call = KernelCall { kernel: kernel.into(), grid: [8].into(), shapes: vec![[8].into()] };
    let x = Value::<f64>::float([8], [0., 1., 2., 3., 4., 5., 6., 7.]).unwrap();
    let result = interpret::run(&call, &[x]).unwrap().remove(0);
    assert_eq!(result.to_f64(), [3., 2., 1., 0., 7., 6., 5., 4.]);
}

#[test]
fn invocations_that_run_together_compute_what_they_do_one_after_the_other() {
    // More than run together, and not a multiple.
    let (rows, columns) = (7usize, 100usize);
    let mut kernel = UserKernel::new("many", 2);
    let last = kernel.output("last", DType::I32, 1, Combine::Set);
    let sums = kernel.output("sums", DType::I32, 2, Combine::Set);
    let (i, j) = (kernel.index(0), kernel.index(1));
    let (three, hundred, ten) = (
        kernel.literal(Literal::I32(3)),
        kernel.literal(Literal::I32(100)),
        kernel.literal(Literal::I32(10)),
    );
    let (zero, seven) = (kernel.literal(Literal::I32(0)), kernel.literal(Literal::I32(7)));
    let row = kernel.binary(Binary::Mul, i, hundred);
    let number = kernel.binary(Binary::Add, row, j);
    let (place, times) =
        (kernel.binary(Binary::Rem, number, three), kernel.binary(Binary::Rem, number, seven));
    let negative = kernel.unary(Unary::Neg, number);
    let early = kernel.compare(Compare::Lt, number, ten);
    let (sum, counter) = (kernel.local("sum", DType::I32), kernel.local("k", DType::I32));
    let (read, k) = (kernel.read(sum), kernel.read(counter));
    let more = kernel.binary(Binary::Add, read, k);
    let begun = kernel.binary(Binary::Add, read, number);
    let store = |value| Stmt::Store { output: last, indices: vec![place], value, before: None };
    kernel.body = vec![
        store(number),
        // A later statement of an earlier invocation: what a later one has stored stays.
        Stmt::If(early, vec![store(negative)], vec![]),
        Stmt::Let(sum, begun),
        Stmt::For { counter, from: zero, to: times, step: 1, body: vec![Stmt::Let(sum, more)] },
        Stmt::Store { output: sums, indices: vec![i, j], value: read, before: None },
    ];
    verify(&kernel).unwrap();
    let grid = Shape::from([rows, columns]);
    let call = KernelCall { kernel: kernel.into(), grid: grid.clone(), shapes: vec![[3].into(), grid] };
    let results = interpret::run::<f32>(&call, &[]).unwrap();
    assert_eq!(results[0].to_f64(), [699., 697., 698.]);
    let sum = |n: usize| (n + (0..n % 7).sum::<usize>()) as f64;
    assert_eq!(results[1].to_f64(), (0..rows * columns).map(sum).collect::<Vec<_>>());
}

/// The words of [`copy`].
fn words() -> (Vec<u32>, Vec<String>) {
    let header = [1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 2];
    let tensor = [0, 1];
    let output = [0, 1, 0, 0, 0];
    let exprs = [3, 0, 0, 13, 0, 0, 0, 1, 0];
    let body = [1, 2, 0, 1, 0, 1, 0];
    let words = [&header[..], &tensor, &output, &exprs, &body].concat();
    (words, ["copy", "x", "out"].map(String::from).to_vec())
}

#[test]
fn words_are_the_kernel_they_spell() {
    let (words, names) = words();
    assert_eq!(decode(&words, &names).unwrap(), copy().0);
}

#[test]
fn words_that_are_no_kernel_are_refused() {
    let (words, names) = words();
    for end in 0..words.len() {
        assert!(decode(&words[..end], &names).is_err(), "{end} words");
    }
    assert!(decode(&words, &names[..2]).is_err());
    // Any other word in any place, and any two: refused, or a kernel that is well formed.
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let numbers = [0, 1, 2, 3, 7, 16, 255, 65_536, u32::MAX, 1 << 31];
    for _ in 0..20_000 {
        let mut changed = words.clone();
        for _ in 0..1 + random(3) {
            let at = random(changed.len() as u64) as usize;
            changed[at] = numbers[random(numbers.len() as u64) as usize];
        }
        if let Ok(kernel) = decode(&changed, &names) {
            assert_eq!(verify(&kernel), Ok(()));
            assert!(!kernel.to_string().is_empty());
        }
    }
}

#[test]
fn kernels_print_as_they_are_written() {
    let (mut kernel, out, i) = copy();
    let (n, zero) = (kernel.local("n", DType::I32), kernel.literal(Literal::I32(0)));
    let above = kernel.compare(Compare::Gt, i, zero);
    let value = kernel.literal(Literal::F32(0.5));
    let store = Stmt::Store { output: out, indices: vec![i], value, before: None };
    let body = vec![Stmt::If(above, vec![Stmt::Continue], vec![store])];
    kernel.body.push(Stmt::For { counter: n, from: zero, to: i, step: -2, body });
    let expected = "\
kernel copy over 1 axes
tensor x: f32 of 1 axes
output out: f32 of 1 axes, set, from 0.0
  store out[at0], x[at0; clamp]
  for n.0 from 0i to at0 step -2
    if gt(at0, 0i)
      continue
    else
      store out[at0], 0.5
";
    assert_eq!(kernel.to_string(), expected);
}
