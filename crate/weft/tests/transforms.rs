//! Transformations of Rust functions: what each yields, how they nest, and what is drawn under a batch.

mod support;

use support::{cpu, floats, gpu};
use weft::{DType, Device, ErrorKind, Result, Tensor, random};

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
        let noisy = |x: &[Tensor]| Ok(vec![x[0].add(generator.normal(device, &[])?)?]);
        let found = weft::vmap(noisy, &[&xs], &[Some(0)])?;
        generator.reseed(5);
        let keys = random::split(&generator.key(device)?, 4)?;
        let by_key = |key: &[Tensor]| Ok(vec![random::normal(&key[0], &[])?]);
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
