//! `jit`: what a captured function binds, keeps, assigns and gives up, on the CPU device.

use crate::support::{cpu, floats, item, wait};
use std::rc::Rc;
use weft::optim::{Adam, Optimizer, Sgd};
use weft::random::Generator;
use weft::{Captured, DType, Device, ErrorKind, Parameter, Result, Tensor, value_and_grad_of};

/// Captures a function of one f32 tensor of `shape`.
fn jit(device: &Device, shape: &[usize], f: impl FnOnce(&Tensor) -> Result<Tensor>) -> Result<Captured> {
    device.trace_begin()?;
    let x = device.placeholder(shape, DType::F32)?;
    let y = f(&x);
    if y.is_err() {
        device.trace_abort();
    }
    device.trace_end(&[&y?], &[&x])
}

fn call(captured: &Captured, x: &Tensor) -> Tensor {
    captured.call(&[x], &[], &[]).unwrap().remove(0)
}

#[test]
fn a_captured_function_is_its_program() {
    let device = cpu();
    let f = jit(&device, &[3], |x| x.mul(2.0)?.add(1.0)).unwrap();
    for n in 0..3 {
        let x = device.tensor(&[n as f32; 3], &[3]).unwrap();
        assert_eq!(floats(&call(&f, &x)), [2.0 * n as f32 + 1.0; 3]);
    }
    let stats = device.stats();
    assert_eq!((stats.submits, stats.program_misses, stats.program_hits), (3, 1, 2));
}

#[test]
fn numbers_are_given_or_keep_their_value() {
    let device = cpu();
    device.trace_begin().unwrap();
    let x = device.placeholder(&[2], DType::F32).unwrap();
    let scale = device.scalar_placeholder(DType::F32).unwrap();
    let y = x.mul(&scale).unwrap().add(10.0).unwrap();
    let f = device.trace_end(&[&y, &scale], &[&scale, &x]).unwrap();
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let results = f.call(&[&x], &[3.0], &[]).unwrap();
    assert_eq!((floats(&results[0]), item(&results[1])), (vec![13.0, 16.0], 3.0));
    assert_eq!(floats(&f.call(&[&x], &[-1.0], &[]).unwrap()[0]), [9.0, 8.0]);
}

#[test]
fn what_is_read_from_outside_is_kept_and_computed_once() {
    let device = cpu();
    let outside = device.tensor(&[1.0f32, 2.0], &[2]).unwrap().exp().unwrap();
    let f = jit(&device, &[2], |x| x.add(&outside)).unwrap();
    assert_eq!(device.stats().submits, 1, "the exponentials were stored when the function was captured");
    drop(outside);
    let x = device.zeros(&[2], DType::F32).unwrap();
    device.realize(&[&x]).unwrap();
    assert_eq!(floats(&call(&f, &x)), [1f32.exp(), 2f32.exp()]);
    assert!(!f.program().to_string().contains("exp"));
}

#[test]
fn inputs_that_are_pending_are_computed_first() {
    let device = cpu();
    let f = jit(&device, &[2], |x| x.mul(2.0)).unwrap();
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap().add(1.0).unwrap();
    assert_eq!(floats(&call(&f, &x)), [4.0, 6.0]);
    let g = jit(&device, &[], |x| x.mul(2.0)).unwrap();
    assert_eq!(item(&call(&g, &device.number(4.0, DType::F32).unwrap())), 8.0);
}

#[test]
fn results_may_be_inputs_constants_and_each_other() {
    let device = cpu();
    device.trace_begin().unwrap();
    let x = device.placeholder(&[2], DType::F32).unwrap();
    let (y, again) = (x.add(1.0).unwrap(), x.detach().unwrap());
    let empty = device.zeros(&[0], DType::F32).unwrap();
    let seven = device.number(7.0, DType::I32).unwrap();
    let f = device.trace_end(&[&x, &y, &y, &again, &empty, &seven], &[&x]).unwrap();
    let input = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let results = f.call(&[&input], &[], &[true]).unwrap();
    let values: Vec<Vec<f32>> = results[..4].iter().map(floats).collect();
    assert_eq!(values, [[1.0, 2.0], [2.0, 3.0], [2.0, 3.0], [1.0, 2.0]]);
    assert_eq!((results[4].size(), item(&results[5])), (0, 7.0));
    drop(results);
    drop((input, f, x, y, again, empty, seven));
    assert_eq!((device.stats().bytes_live, device.live_nodes()), (0, 0));
}

#[test]
fn donated_handles_are_consumed() {
    let device = cpu();
    let f = jit(&device, &[2], |x| x.add(1.0)).unwrap();
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let other = x.clone();
    let y = f.call(&[&x], &[], &[true]).unwrap().remove(0);
    let error = x.add(1.0).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Disposed);
    assert!(error.message.contains("donated"), "{error}");
    assert_eq!(floats(&other), [1.0, 2.0], "another handle keeps the value whole");
    assert_eq!(floats(&y), [2.0, 3.0]);
}

#[test]
fn parameters_are_implicit_inputs_and_outputs() {
    let device = cpu();
    let count = Parameter::new(device.zeros(&[2], DType::F32).unwrap()).unwrap();
    let f = jit(&device, &[2], |x| {
        count.set(count.get()?.add(x)?)?;
        count.get()?.mul(10.0)
    })
    .unwrap();
    assert_eq!(floats(&count.get().unwrap()), [0.0, 0.0], "capturing assigns nothing");
    let x = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    assert_eq!(floats(&call(&f, &x)), [10.0, 20.0]);
    assert_eq!(floats(&call(&f, &x)), [20.0, 40.0]);
    assert_eq!(floats(&count.get().unwrap()), [2.0, 4.0]);
    count.set(device.ones(&[2], DType::F32).unwrap()).unwrap();
    assert_eq!(floats(&call(&f, &x)), [20.0, 30.0], "a call sees what was assigned outside");
}

fn quadratic(parameter: &Parameter) -> Result<(Tensor, Vec<Tensor>)> {
    value_and_grad_of(std::slice::from_ref(parameter), || {
        parameter.get()?.sub(3.0)?.square()?.sum(None, false)
    })
}

/// The parameter after five steps, eagerly and captured, with the rate lowered after the third.
fn both_ways(make: impl Fn(Vec<Parameter>) -> Rc<Optimizer>) -> [Vec<f32>; 2] {
    [false, true].map(|captured| {
        let device = cpu();
        let parameter = Parameter::new(device.tensor(&[0.0f32, 1.0], &[2]).unwrap()).unwrap();
        let optimizer = make(vec![parameter.clone()]);
        let step = || -> Result<Tensor> {
            let (loss, gradients) = quadratic(&parameter)?;
            optimizer.step(gradients)?;
            Ok(loss)
        };
        let jit = captured.then(|| {
            device.trace_begin().unwrap();
            device.trace_end(&[&step().unwrap()], &[]).unwrap()
        });
        for n in 0..5 {
            if n == 3 {
                optimizer.set_lr(optimizer.lr() / 10.0);
            }
            match &jit {
                Some(jit) => drop(jit.call(&[], &[], &[]).unwrap()),
                None => drop(step().unwrap()),
            }
        }
        assert!(device.stats().program_misses <= 3);
        floats(&parameter.get().unwrap())
    })
}

#[test]
fn optimizers_step_alike_eagerly_and_captured() {
    let sgd = Sgd { lr: 0.1, momentum: 0.9, nesterov: true, weight_decay: 0.01 };
    let [eager, captured] = both_ways(|p| Rc::new(Optimizer::new(p, sgd).unwrap()));
    assert_eq!(eager, captured);
    let adam = Adam { lr: 0.1, ..Adam::default() };
    let [eager, captured] = both_ways(|p| Rc::new(Optimizer::new(p, adam).unwrap()));
    assert_eq!(eager, captured);
    // Adam's steps are of the rate's size at first: 3 · 0.1 + 2 · 0.01.
    assert!((captured[0] - 0.32).abs() < 0.005, "{captured:?}");
}

#[test]
fn random_numbers_differ_from_call_to_call() {
    let device = cpu();
    let generator = Generator::new(7);
    let noise = |g: &Generator| g.normal(&device, &[4], 0.0, 1.0);
    let f = jit(&device, &[4], |x| x.add(noise(&generator)?)).unwrap();
    let x = device.zeros(&[4], DType::F32).unwrap();
    let drawn = [floats(&call(&f, &x)), floats(&call(&f, &x))];
    assert_ne!(drawn[0], drawn[1]);
    let eager = Generator::new(7);
    let expected = [floats(&noise(&eager).unwrap()), floats(&noise(&eager).unwrap())];
    assert_eq!(drawn, expected, "a captured function draws what the generator would give");
    assert_eq!(device.stats().program_misses, 3);
}

#[test]
fn reading_what_depends_on_an_input_errs() {
    let device = cpu();
    let free = device.tensor(&[1.0f32, 2.0], &[2]).unwrap();
    let f = jit(&device, &[2], |x| {
        let y = x.add(1.0)?;
        let error = wait(y.data::<f32>()).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Trace);
        assert!(error.to_string().starts_with("data: the value of f32[2] depends on"), "{error}");
        assert_eq!(wait(y.sum(None, false)?.item()).unwrap_err().op, "item");
        assert!(y.is_traced() && !free.is_traced());
        assert_eq!(floats(&free.add(1.0)?), [2.0, 3.0], "the rest can be read");
        Ok(y)
    });
    assert!(f.is_ok());
}

#[test]
fn a_capture_that_fails_leaves_the_device_as_it_was() {
    let device = cpu();
    let error = jit(&device, &[2], |x| x.add(device.zeros(&[3], DType::F32)?)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Shape);
    assert!(!device.is_tracing());
    assert!(jit(&device, &[2], |x| x.add(1.0)).is_ok());
    assert_eq!(device.placeholder(&[2], DType::F32).unwrap_err().kind, ErrorKind::Trace);
}

#[test]
fn misuse_is_an_error() {
    let device = cpu();
    let f = jit(&device, &[2], |x| x.add(1.0)).unwrap();
    let x = device.zeros(&[3], DType::F32).unwrap();
    assert_eq!(f.call(&[&x], &[], &[]).unwrap_err().to_string(), "jit: got [3], expected [2]");
    assert_eq!(f.call(&[], &[], &[]).unwrap_err().kind, ErrorKind::Value);
    device.trace_begin().unwrap();
    assert_eq!(device.trace_begin().unwrap_err().kind, ErrorKind::Trace);
    let hidden = device.placeholder(&[2], DType::F32).unwrap();
    let error = device.trace_end(&[&hidden.add(1.0).unwrap()], &[]).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Trace);
    assert!(!device.is_tracing());
}
