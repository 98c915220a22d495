//! Flushes: when the device computes and what it keeps, observed through devices' counters.

use crate::support::{cpu, floats, gpu, item, wait};
use weft::{DType, Device, ErrorKind, Parameter, Stats, Tensor, value_and_grad};

fn line(device: &Device, n: usize) -> Tensor {
    let values: Vec<f32> = (0..n).map(|i| i as f32).collect();
    device.tensor(&values, &[n]).unwrap()
}

fn submits(device: &Device) -> u64 {
    device.stats().submits
}

#[test]
fn nothing_runs_until_something_is_asked_for() {
    let device = cpu();
    let y = line(&device, 8).add(1.0).unwrap().exp().unwrap();
    assert_eq!(submits(&device), 0);
    device.realize(&[&y]).unwrap();
    assert_eq!(submits(&device), 1);
    floats(&y);
    device.realize(&[&y]).unwrap();
    assert_eq!(submits(&device), 1, "what is stored is not computed again");
}

#[test]
fn several_tensors_are_one_submit() {
    let device = cpu();
    let x = line(&device, 4);
    let (a, b) = (x.add(1.0).unwrap(), x.mul(2.0).unwrap().sum(None, false).unwrap());
    let words = wait(device.read_all(&[&a, &b, &x])).unwrap();
    assert_eq!(submits(&device), 1);
    assert_eq!(words[1], [12f32.to_bits()]);
}

#[test]
fn tensors_that_are_the_same_value_share_it() {
    let device = cpu();
    let x = line(&device, 4);
    let (a, b) = (x.exp().unwrap(), x.exp().unwrap());
    let before = device.stats().bytes_live;
    device.realize(&[&a, &b]).unwrap();
    assert_eq!(device.stats().bytes_live, before + 16, "equal structure is computed and stored once");
    drop(a);
    assert_eq!(floats(&b)[0], 1.0, "one of them going does not take the other's value");
    drop(b);
    assert_eq!(device.stats().bytes_live, before);
}

#[test]
fn scalars_aliases_and_empty_tensors_need_no_run() {
    let device = cpu();
    let number = device.number(2.5, DType::F32).unwrap();
    assert_eq!(item(&number), 2.5);
    let x = line(&device, 4);
    let same = x.detach().unwrap();
    assert_eq!(floats(&same), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(floats(&number.detach().unwrap()), [2.5]);
    let empty = device.zeros(&[0, 3], DType::F32).unwrap().add(1.0).unwrap();
    assert_eq!(floats(&empty), [] as [f32; 0]);
    assert_eq!(submits(&device), 0);
    drop(x);
    assert_eq!(floats(&same.add(1.0).unwrap()), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn another_name_of_a_tensor_shares_its_value() {
    let device = cpu();
    let y = line(&device, 4).exp().unwrap();
    floats(&y.detach().unwrap());
    floats(&y);
    assert_eq!(submits(&device), 1);
}

#[test]
fn a_loop_that_reads_stores_what_it_needs_twice() {
    let device = cpu();
    let mut x = line(&device, 16);
    let mut programs = Vec::new();
    for _ in 0..10 {
        x = x.mul(0.5).unwrap().add(1.0).unwrap();
        item(&x.mean(None, false).unwrap());
        programs.push(device.stats().program_misses);
    }
    assert_eq!(programs[3..], [programs[3]; 7], "from the fourth iteration on no program is new");
    assert!(device.live_nodes() < 40, "the past is not kept: {} nodes", device.live_nodes());
}

#[test]
fn views_and_numbers_are_not_stored_for_being_read_twice() {
    let device = cpu();
    let x = line(&device, 1000);
    let wide = x.sum(None, true).unwrap().broadcast_to(&[1000]).unwrap();
    item(&wide.add(1.0).unwrap().sum(None, false).unwrap());
    let before = device.stats().bytes_live;
    item(&wide.mul(2.0).unwrap().sum(None, false).unwrap());
    assert_eq!(device.stats().bytes_live, before + 4, "the sum is kept, not what it was broadcast to");
    let zeros = device.zeros(&[1000], DType::F32).unwrap();
    item(&zeros.sum(None, false).unwrap());
    let before = device.stats().bytes_live;
    item(&zeros.add(1.0).unwrap().sum(None, false).unwrap());
    assert_eq!(device.stats().bytes_live, before);
}

#[test]
fn parameters_are_stored_by_every_flush() {
    let device = cpu();
    let parameter = Parameter::new(line(&device, 4)).unwrap();
    parameter.set(parameter.get().unwrap().add(1.0).unwrap()).unwrap();
    device.flush_parameters().unwrap();
    assert_eq!(submits(&device), 1);
    assert_eq!(device.stats().bytes_live, 16, "the old value is freed");
    assert_eq!(floats(&parameter.get().unwrap()), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(submits(&device), 1);
    drop(parameter);
    assert_eq!(device.stats().bytes_live, 0);
}

#[test]
fn a_loss_is_computed_with_what_its_gradients_are_used_for() {
    let device = cpu();
    let parameter = Parameter::new(line(&device, 4)).unwrap();
    let w = parameter.get().unwrap();
    let (loss, gradients) = value_and_grad(|w| w[0].square()?.sum(None, false), &[&w]).unwrap();
    parameter.set(w.sub(gradients[0].mul(0.5).unwrap()).unwrap()).unwrap();
    drop((w, gradients));
    device.flush_parameters().unwrap();
    assert_eq!(submits(&device), 1);
    assert_eq!(item(&loss), 14.0);
    assert_eq!(submits(&device), 1, "reading the loss later computes nothing");
    assert_eq!(floats(&parameter.get().unwrap()), [0.0; 4]);
}

#[test]
fn a_loss_that_is_dropped_is_not_computed() {
    let device = cpu();
    let x = line(&device, 4);
    let (loss, gradients) = value_and_grad(|x| x[0].square()?.sum(None, false), &[&x]).unwrap();
    drop(loss);
    let before = device.stats().bytes_live;
    device.realize(&[&gradients[0]]).unwrap();
    assert_eq!(device.stats().bytes_live, before + 16);
}

#[test]
fn asking_for_a_loss_computes_the_gradients_that_are_held() {
    let device = cpu();
    let x = line(&device, 4);
    let (loss, gradients) = value_and_grad(|x| x[0].square()?.sum(None, false), &[&x]).unwrap();
    item(&loss);
    assert_eq!(floats(&gradients[0]), [0.0, 2.0, 4.0, 6.0]);
    assert_eq!(submits(&device), 1);
}

#[test]
fn the_same_code_flushes_for_size_at_the_same_places() {
    let run = || {
        let device = cpu();
        let mut x = line(&device, 2);
        for _ in 0..20_000 {
            x = x.add(1.0).unwrap();
        }
        assert_eq!(floats(&x), [20_000.0, 20_001.0]);
        drop(x);
        let Stats { submits, program_hits, program_misses, bytes_live, .. } = device.stats();
        assert_eq!((bytes_live, device.live_nodes()), (0, 0));
        (submits, program_hits, program_misses)
    };
    let (submits, hits, misses) = run();
    assert!(submits > 5 && misses <= 4 && hits + misses == submits, "{submits} {hits} {misses}");
    assert_eq!(run(), (submits, hits, misses));
}

#[test]
fn a_long_gradient_runs_in_linear_time() {
    let device = cpu();
    let x = line(&device, 2);
    let deep = |x: &[Tensor]| (0..20_000).try_fold(x[0].clone(), |x, _| x.mul(1.0))?.sum(None, false);
    let (value, gradients) = value_and_grad(deep, &[&x]).unwrap();
    assert_eq!(floats(&gradients[0]), [1.0, 1.0]);
    assert_eq!(item(&value), 1.0);
    drop((value, gradients));
    assert_eq!(device.live_nodes(), 1);
}

#[test]
fn reading_inside_a_transform_does_not_cut_the_gradient() {
    let device = cpu();
    let x = line(&device, 3);
    let seen = std::cell::Cell::new(0.0);
    let watched = |x: &[Tensor]| {
        let y = x[0].square()?.sum(None, false)?;
        seen.set(item(&y));
        y.mul(3.0)
    };
    let (_, gradients) = value_and_grad(watched, &[&x]).unwrap();
    assert_eq!(seen.get(), 5.0);
    assert_eq!(floats(&gradients[0]), [0.0, 6.0, 12.0]);
}

#[test]
fn handles_err_when_used_after_they_were_disposed() {
    let device = cpu();
    let x = line(&device, 3);
    let other = x.clone();
    x.dispose();
    x.dispose();
    let error = x.add(1.0).unwrap_err();
    assert_eq!(
        (error.kind, error.to_string().as_str()),
        (ErrorKind::Disposed, "add: the tensor f32[3] was disposed")
    );
    assert_eq!(wait(x.item()).unwrap_err().kind, ErrorKind::Shape);
    assert_eq!(wait(x.words()).unwrap_err().kind, ErrorKind::Disposed);
    assert!(x.clone().is_disposed());
    assert_eq!(floats(&other), [0.0, 1.0, 2.0]);
}

#[test]
fn tensors_of_two_devices_do_not_meet() {
    let (a, b) = (cpu(), cpu());
    let error = line(&a, 3).add(line(&b, 3)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Value);
    assert!(error.message.contains("another device"));
}

#[test]
fn data_is_checked_on_the_way_in_and_out() {
    let device = cpu();
    let error = device.tensor(&[1.0f32, 2.0], &[3]).unwrap_err();
    assert_eq!(error.to_string(), "tensor: [3] has 3 elements, got 2");
    let x = device.tensor(&[true, false], &[2]).unwrap();
    assert_eq!(wait(x.data::<bool>()).unwrap(), [true, false]);
    assert_eq!(wait(x.data::<f32>()).unwrap_err().kind, ErrorKind::DType);
    assert_eq!(wait(x.item()).unwrap_err().to_string(), "item: [2] has 2 elements, expected one");
    assert_eq!(device.number(-1.0, DType::U32).unwrap_err().kind, ErrorKind::Value);
}

#[test]
fn a_tensor_that_cannot_be_computed_fails_its_read_and_disturbs_nothing_else() {
    let device = cpu();
    let huge = device.full(&[i32::MAX as usize], 1.0, DType::F32).unwrap();
    let error = wait(huge.data::<f32>()).err().unwrap();
    assert_eq!(error.kind, ErrorKind::OutOfMemory);
    // Enough that the pending graph is flushed for its size while the tensor is still held.
    let mut x = device.tensor(&[0.0f32; 4], &[4]).unwrap();
    for _ in 0..10_000 {
        x = x.add(1.0).unwrap();
    }
    assert_eq!(floats(&x), [10_000.0; 4]);
    assert_eq!(wait(huge.data::<f32>()).err().unwrap().kind, ErrorKind::OutOfMemory);
}

/// A factorization is computed once, though its factors are read one after the other; what nobody
/// can ask for any more is not computed.
#[test]
fn factors_that_are_read_one_by_one_are_computed_once() {
    let device = gpu();
    let values: Vec<f32> = (0..72).map(|n| ((n * 37) % 23) as f32 / 7.0 - 1.0).collect();
    let a = device.tensor(&values, &[9, 8]).unwrap();
    let dispatches = |factor: &Tensor| {
        let before = device.stats().dispatches;
        device.realize(&[factor]).unwrap();
        device.stats().dispatches - before
    };
    type Factors = fn(&Tensor) -> weft::Result<Vec<Tensor>>;
    let all: [Factors; 4] = [
        |a| weft::linalg::svd(a, false),
        |a| weft::linalg::qr(a, false),
        |a| weft::linalg::eigh(&a.transpose()?.matmul(a)?),
        |a| weft::linalg::lu(a),
    ];
    for factors in all {
        let found = factors(&a).unwrap();
        let counts: Vec<u64> = found.iter().map(dispatches).collect();
        // What only one of them needs it may still compute.
        assert!(counts[1..].iter().sum::<u64>() * 4 <= counts[0], "{counts:?}");
        let mut alone = factors(&a).unwrap();
        alone.truncate(1);
        assert!(dispatches(&alone[0]) <= counts[0], "{counts:?}");
    }
}
