//! Transformations of Rust functions: their results, their nesting, and draws under a batch.

use crate::support::{cpu, floats, gpu};
use weft::{DType, Device, ErrorKind, Result, Tensor, random};

type Function<'a> = &'a dyn Fn(&[Tensor]) -> Result<Vec<Tensor>>;

fn on_each(test: impl Fn(&Device) -> Result<()>) {
    for device in [cpu(), gpu()] {
        let before = device.live_nodes();
        test(&device).unwrap();
        assert_eq!(device.live_nodes(), before, "nodes are leaked");
    }
}

fn vector(device: &Device, data: &[f32]) -> Result<Tensor> {
    device.tensor(data, &[data.len()])
}

fn close(found: &Tensor, expected: &[f32]) {
    let found = floats(found);
    assert_eq!(found.len(), expected.len());
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4),
        "{found:?}, expected {expected:?}"
    );
}

#[test]
fn derivatives_along_a_direction_and_linear_functions() {
    on_each(|device| {
        let (x, t) = (vector(device, &[1.0, 2.0])?, vector(device, &[1.0, 10.0])?);
        let f = |x: &[Tensor]| Ok(vec![x[0].mul(&x[0])?, x[0].sum(None, false)?]);
        let (outputs, pushed) = weft::jvp(f, &[&x], &[&t])?;
        close(&outputs[0], &[1.0, 4.0]);
        close(&pushed[0], &[2.0, 40.0]);
        close(&pushed[1], &[11.0]);
        let (outputs, linear) = weft::linearize(f, &[&x])?;
        close(&outputs[0], &[1.0, 4.0]);
        close(&linear.call(&[&t])?[0], &[2.0, 40.0]);
        close(&linear.call(&[&x])?[0], &[2.0, 8.0]);
        assert_eq!(linear.call(&[&t.reshape(&[2, 1])?]).unwrap_err().kind, ErrorKind::Shape);
        assert_eq!(linear.call(&[]).unwrap_err().kind, ErrorKind::Trace);
        Ok(())
    });
}

#[test]
fn jacobians_and_hessians() {
    on_each(|device| {
        let x = vector(device, &[1.0, 2.0])?;
        let f = |x: &[Tensor]| Ok(vec![x[0].mul(&x[0])?, x[0].sum(None, false)?]);
        for jacobian in [weft::jacfwd(f, &[&x])?, weft::jacrev(f, &[&x])?] {
            close(&jacobian[0][0], &[2.0, 0.0, 0.0, 4.0]);
            close(&jacobian[1][0], &[1.0, 1.0]);
        }
        let cubes = |x: &[Tensor]| x[0].mul(&x[0])?.mul(&x[0])?.sum(None, false);
        close(&weft::hessian(cubes, &[&x])?[0][0], &[6.0, 0.0, 0.0, 12.0]);
        Ok(())
    });
}

#[test]
fn a_batch_of_gradients_is_the_gradient_of_each() {
    on_each(|device| {
        let (a, x) =
            (vector(device, &[2.0, 3.0])?, device.tensor(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?);
        let loss = |t: &[Tensor]| t[0].mul(&t[1])?.sin()?.sum(None, false);
        let f = |t: &[Tensor]| weft::grad(loss, &[&t[0], &t[1]]);
        let found = weft::vmap(f, &[&a, &x], &[None, Some(1)])?;
        for member in 0..3 {
            let column = vector(device, &[[1.0, 2.0, 3.0][member], [4.0, 5.0, 6.0][member]])?;
            let alone = weft::grad(loss, &[&a, &column])?;
            for (together, alone) in found.iter().zip(&alone) {
                close(alone, &floats(together)[2 * member..2 * member + 2]);
            }
        }
        Ok(())
    });
}

#[test]
fn members_draw_with_keys_split_from_one() {
    on_each(|device| {
        let xs = vector(device, &[0.0; 4])?;
        let generator = random::Generator::new(5);
        let noisy = |x: &[Tensor]| Ok(vec![x[0].add(generator.normal(device, &[], 0.0, 1.0)?)?]);
        let found = weft::vmap(noisy, &[&xs], &[Some(0)])?;
        generator.reseed(5);
        let keys = random::split(&generator.key(device)?, 4)?;
        let by_key = |key: &[Tensor]| Ok(vec![random::normal(&key[0], &[], 0.0, 1.0)?]);
        let expected = weft::vmap(by_key, &[&keys], &[Some(0)])?;
        assert_eq!(floats(&found[0]), floats(&expected[0]));
        Ok(())
    });
}

#[test]
fn misuse_is_an_error_and_closes_the_batch() {
    on_each(|device| {
        let x = vector(device, &[1.0, 2.0])?;
        let parameter = weft::Parameter::new(device.zeros(&[], DType::F32)?)?;
        let vmap = |axis, f: &dyn Fn(&Tensor) -> Result<Tensor>| {
            weft::vmap(|x: &[Tensor]| Ok(vec![f(&x[0])?]), &[&x], &[axis]).unwrap_err().kind
        };
        assert_eq!(vmap(Some(1), &|x| Ok(x.clone())), ErrorKind::Axis);
        assert_eq!(vmap(None, &|x| Ok(x.clone())), ErrorKind::Value);
        assert_eq!(vmap(Some(0), &|x| device.realize(&[x]).map(|()| x.clone())), ErrorKind::Trace);
        assert_eq!(vmap(Some(0), &|x| parameter.set(x.clone()).map(|()| x.clone())), ErrorKind::Trace);
        assert!(!device.is_transforming());
        parameter.set(device.ones(&[], DType::F32)?)?;
        drop(parameter);
        device.flush_parameters()
    });
}

#[test]
fn a_checkpoint_changes_no_derivative() {
    on_each(|device| {
        let (x, w) = (vector(device, &[0.3, -0.7])?, vector(device, &[1.5, 0.4])?);
        // `w` is read from outside, and one block stands within another.
        let inner = |x: &Tensor, w: &Tensor| x.mul(w)?.sin();
        let plain = |t: &[Tensor]| inner(&inner(&t[0], &t[1])?.exp()?, &t[1])?.sum(None, false);
        let kept = |t: &[Tensor]| {
            let w = &t[1];
            let block = |x: &Tensor| {
                let once = |x: &[Tensor]| Ok(vec![inner(&x[0], w)?]);
                Ok(weft::checkpoint(|x| weft::checkpoint(once, &[&x[0]])?[0].exp().map(|y| vec![y]), &[x])?
                    [0]
                .clone())
            };
            inner(&block(&t[0])?, w)?.sum(None, false)
        };
        let inputs = [&x, &w];
        let along = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>| {
            Ok(weft::jvp(|t| Ok(vec![f(t)?]), &inputs, &[&w, &x])?.1)
        };
        let twice = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>| -> Result<Vec<Tensor>> {
            Ok(weft::hessian(f, &inputs)?.into_iter().flatten().collect())
        };
        let batch = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>| {
            let rows = weft::stack(&[&x, &w, &x], 0)?;
            weft::vmap(|t| weft::grad(f, &[&t[0], &t[1]]), &[&rows, &w], &[Some(0), None])
        };
        let pairs: [[Vec<Tensor>; 2]; 4] = [
            [weft::grad(plain, &inputs)?, weft::grad(kept, &inputs)?],
            [along(&plain)?, along(&kept)?],
            [twice(&plain)?, twice(&kept)?],
            [batch(&plain)?, batch(&kept)?],
        ];
        for [plain, kept] in pairs {
            assert_eq!(plain.len(), kept.len());
            for (plain, kept) in plain.iter().zip(&kept) {
                close(kept, &floats(plain));
            }
        }
        Ok(())
    });
}

#[test]
fn a_checkpoint_spares_memory() {
    const LAYERS: usize = 12;
    const SIZE: usize = 64;
    let device = gpu();
    let peak = |checkpointed: bool| -> Result<u64> {
        let weights = device.full(&[SIZE, SIZE], 0.01, DType::F32)?;
        let x = device.full(&[SIZE, SIZE], 0.5, DType::F32)?;
        device.realize(&[&weights, &x])?;
        let block = |x: &[Tensor]| -> Result<Vec<Tensor>> {
            let mut y = x[0].clone();
            for _ in 0..LAYERS / 3 {
                y = y.matmul(&weights)?.tanh()?;
            }
            Ok(vec![y])
        };
        let before = device.stats().bytes_live;
        let loss = |x: &[Tensor]| {
            let mut x = x.to_vec();
            for _ in 0..3 {
                x = if checkpointed { weft::checkpoint(block, &[&x[0]])? } else { block(&x)? };
            }
            x[0].mul(&x[0])?.sum(None, false)
        };
        let gradient = weft::grad(loss, &[&x])?;
        let found = floats(&gradient[0]);
        assert!(found.iter().all(|x| x.is_finite()));
        Ok(device.stats().bytes_peak - before)
    };
    // The smaller first: the peak only grows.
    let (spared, kept) = (peak(true).unwrap(), peak(false).unwrap());
    let tensor = (SIZE * SIZE * 4) as u64;
    assert!(spared + 3 * tensor <= kept, "{} tensors instead of {}", spared / tensor, kept / tensor);
}

#[test]
fn rules_of_the_user_stand_for_derivatives() {
    on_each(|device| {
        let x = vector(device, &[0.5, 2.0])?;
        // The true gradient times ten, so that it shows.
        let by_vjp = |x: &[Tensor]| {
            weft::custom_vjp(
                |x| Ok((vec![x[0].mul(&x[0])?], vec![x[0].clone()])),
                |x, g| Ok(vec![x[0].mul(&g[0])?.mul(20.0)?]),
                &[&x[0]],
            )
        };
        let by_jvp = |x: &[Tensor]| {
            weft::custom_jvp(
                |x| Ok(vec![x[0].mul(&x[0])?]),
                |x, t| Ok(vec![x[0].mul(&t[0])?.mul(20.0)?]),
                &[&x[0]],
            )
        };
        let functions: [Function; 2] = [&by_vjp, &by_jvp];
        for f in functions {
            let sum = |x: &[Tensor]| f(x)?[0].sum(None, false);
            close(&f(std::slice::from_ref(&x))?[0], &[0.25, 4.0]);
            close(&weft::grad(sum, &[&x])?[0], &[10.0, 40.0]);
            let (values, tangents) = weft::jvp(f, &[&x], &[&x])?;
            close(&values[0], &[0.25, 4.0]);
            close(&tangents[0], &[5.0, 80.0]);
            close(&weft::hessian(sum, &[&x])?[0][0], &[20.0, 0.0, 0.0, 20.0]);
            close(&weft::vmap(|x| weft::grad(sum, &[&x[0]]), &[&x], &[Some(0)])?[0], &[10.0, 40.0]);
            let mapped = |x: &[Tensor]| weft::vmap(f, &[&x[0]], &[Some(0)])?[0].sum(None, false);
            close(&weft::grad(mapped, &[&x])?[0], &[10.0, 40.0]);
        }
        Ok(())
    });
}

#[test]
fn an_argument_that_members_share_gathers_their_gradients() {
    on_each(|device| {
        let (w, x) = (vector(device, &[2.0])?, vector(device, &[1.0, 2.0, 3.0])?);
        let f = |t: &[Tensor]| {
            weft::custom_vjp(
                |t| Ok((vec![t[0].mul(&t[1])?.sum(None, false)?], t.to_vec())),
                |t, g| Ok(vec![t[1].mul(&g[0])?.reshape(&[1])?, t[0].mul(&g[0])?.sum(None, false)?]),
                &[&t[0], &t[1]],
            )
        };
        let total = |t: &[Tensor]| weft::vmap(f, &[&t[0], &t[1]], &[None, Some(0)])?[0].sum(None, false);
        let gradients = weft::grad(total, &[&w, &x])?;
        close(&gradients[0], &[6.0]);
        close(&gradients[1], &[2.0, 2.0, 2.0]);
        Ok(())
    });
}

#[test]
fn rules_that_do_not_fit_are_refused() {
    on_each(|device| {
        let x = vector(device, &[1.0, 2.0])?;
        let rule = |backward: &dyn Fn(&Tensor) -> Result<Vec<Tensor>>, forward: bool| {
            let f = |x: &[Tensor]| {
                let y = |x: &[Tensor]| Ok((vec![x[0].clone()], vec![]));
                Ok(weft::custom_vjp(y, |_, g| backward(&g[0]), &[&x[0]])?[0].clone())
            };
            if forward {
                return weft::jvp(|x| Ok(vec![f(x)?]), &[&x], &[&x]).unwrap_err().kind;
            }
            weft::grad(|x| f(x)?.sum(None, false), &[&x]).unwrap_err().kind
        };
        assert_eq!(rule(&|_| Ok(vec![]), false), ErrorKind::Value);
        assert_eq!(rule(&|g| Ok(vec![g.sum(None, false)?]), false), ErrorKind::Shape);
        assert_eq!(rule(&|g| Ok(vec![g.cast(DType::I32)?]), false), ErrorKind::DType);
        assert_eq!(rule(&|g| Ok(vec![g.mul(g)?]), true), ErrorKind::Trace);
        // What is differentiated by is read from outside.
        let outside = |x: &[Tensor]| {
            let f = |y: &[Tensor]| Ok((vec![y[0].mul(&x[0])?], vec![]));
            weft::custom_vjp(f, |_, g| Ok(vec![g[0].clone()]), &[&x[0].detach()?])?[0].sum(None, false)
        };
        assert_eq!(weft::grad(outside, &[&x]).unwrap_err().kind, ErrorKind::Trace);
        assert!(!device.is_transforming());
        Ok(())
    });
}
