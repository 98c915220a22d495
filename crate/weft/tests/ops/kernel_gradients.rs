//! Gradients, tangents and batches of users' kernels on every device, alone and in loops; against
//! tensor operations that compute the same, and against the CPU device.

#[path = "../../../compile/tests/gradients/kernels/generator.rs"]
mod generator;
#[path = "../../../compile/tests/gradients/kernels/writing.rs"]
#[allow(dead_code, reason = "these tests write few kernels")]
mod writing;

use crate::support::control::{close, devices, input, read};
use crate::support::{cpu, gpu, rotation};
use weft::user_kernel::Combine;
use weft::{DType, Device, Kernel, Operand, Range, Result, Tensor};
use weft_ir::interpret::Value;
use weft_ir::op::KernelCall;
use writing::{Where, Writing, X};

/// Calls a kernel that was written.
fn call(device: &Device, it: &KernelCall, tensors: &[Tensor], numbers: &[Tensor]) -> Result<Vec<Tensor>> {
    let kernel = Kernel::new((*it.kernel).clone())?;
    let shapes: Vec<&[usize]> = it.shapes.iter().map(|shape| &shape[..]).collect();
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    let numbers: Vec<Operand> = numbers.iter().map(Operand::from).collect();
    kernel.call(device, &tensors, &numbers, &it.grid, &shapes)
}

/// y[i] = x[i−1] · x[i+1] + s · x[i], around the edge.
fn neighbours(extent: usize) -> KernelCall {
    let mut k = Writing::new(1);
    let x = k.tensor(DType::F32, 1);
    let s = k.scalar(DType::F32);
    let y = k.output(1, Combine::Set);
    let i = X::Index(0);
    let at = |i: X| X::Load(x, vec![i], Where::Wrap);
    let value = at(i.clone() - 1.into()) * at(i.clone() + 1.into()) + s * at(i.clone());
    k.store(y, &[i], value);
    k.call([extent], &[&[extent]])
}

/// The same by operations.
fn rolled(x: &Tensor, s: &Tensor) -> Result<Tensor> {
    let n = x.shape()[0] as i64;
    let part = |from: i64, to: i64| x.slice(&[Range::from(from..to)]);
    let left = weft::concat(&[&part(n - 1, n)?, &part(0, n - 1)?], 0)?;
    let right = weft::concat(&[&part(1, n)?, &part(0, 1)?], 0)?;
    left.mul(&right)?.add(x.mul(s)?)
}

#[test]
fn a_stencil_has_the_derivatives_of_its_operations() {
    for device in devices() {
        let (x, s) = (input(&device, &[6], 1), device.number(0.75, DType::F32).unwrap());
        let of = |p: &[Tensor]| Ok(call(&device, &neighbours(6), &p[..1], &p[1..])?.remove(0));
        let expected = |p: &[Tensor]| rolled(&p[0], &p[1]);
        let loss = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>, p: &[Tensor]| f(p)?.sin()?.sum(None, false);
        let a = weft::grad(|p| loss(&of, p), &[&x, &s]).unwrap();
        let b = weft::grad(|p| loss(&expected, p), &[&x, &s]).unwrap();
        a.iter().zip(&b).for_each(|(a, b)| close(&read(a), &read(b)));
        let (t, dt) = (input(&device, &[6], 2), input(&device, &[], 3));
        let (_, a) = weft::jvp(|p| Ok(vec![of(p)?]), &[&x, &s], &[&t, &dt]).unwrap();
        let (_, b) = weft::jvp(|p| Ok(vec![expected(p)?]), &[&x, &s], &[&t, &dt]).unwrap();
        close(&read(&a[0]), &read(&b[0]));
        let a = weft::hessian(|p| loss(&of, p), &[&x, &s]).unwrap();
        let b = weft::hessian(|p| loss(&expected, p), &[&x, &s]).unwrap();
        a.iter().flatten().zip(b.iter().flatten()).for_each(|(a, b)| close(&read(a), &read(b)));
    }
}

#[test]
fn a_batch_of_kernels_and_of_their_gradients_is_that_of_their_operations() {
    for device in devices() {
        let (x, s) = (input(&device, &[4, 6], 1), input(&device, &[4], 5));
        for axes in [[Some(0), Some(0)], [Some(0), None], [None, Some(0)]] {
            let x = if axes[0].is_some() { x.clone() } else { input(&device, &[6], 2) };
            let s = if axes[1].is_some() { s.clone() } else { device.number(0.5, DType::F32).unwrap() };
            let of = |p: &[Tensor]| Ok(call(&device, &neighbours(6), &p[..1], &p[1..])?.remove(0));
            let both = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>, p: &[Tensor]| {
                let loss = |p: &[Tensor]| f(p)?.tanh()?.sum(None, false);
                let mut all = vec![f(p)?];
                all.extend(weft::grad(loss, &p.iter().collect::<Vec<_>>())?);
                Ok(all)
            };
            let a = weft::vmap(|p| both(&of, p), &[&x, &s], &axes).unwrap();
            let b = weft::vmap(|p| both(&|p| rolled(&p[0], &p[1]), p), &[&x, &s], &axes).unwrap();
            a.iter().zip(&b).for_each(|(a, b)| close(&read(a), &read(b)));
        }
    }
}

#[test]
fn the_gradient_goes_through_loops_of_kernels() {
    for device in devices() {
        let (x, s) = (input(&device, &[5], 1), device.number(0.4, DType::F32).unwrap());
        let looped = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>, p: &[Tensor]| {
            let step = |_: &Tensor, state: &[Tensor]| Ok(vec![f(&[state[0].clone(), p[1].clone()])?.tanh()?]);
            device.for_loop(0, 7, step, &[&p[0]])?[0].square()?.sum(None, false)
        };
        let of = |p: &[Tensor]| Ok(call(&device, &neighbours(5), &p[..1], &p[1..])?.remove(0));
        let a = weft::grad(|p| looped(&of, p), &[&x, &s]).unwrap();
        let b = weft::grad(|p| looped(&|p| rolled(&p[0], &p[1]), p), &[&x, &s]).unwrap();
        a.iter().zip(&b).for_each(|(a, b)| close(&read(a), &read(b)));
        // A kernel's derivative in a branch of a loop, for a batch.
        let of_batch = |f: &dyn Fn(&[Tensor]) -> Result<Tensor>| {
            let xs = input(&device, &[3, 5], 4);
            let one = |p: &[Tensor]| weft::grad(|q| looped(f, &[q[0].clone(), s.clone()]), &[&p[0]]);
            weft::vmap(one, &[&xs], &[Some(0)])
        };
        let (a, b) = (of_batch(&of).unwrap(), of_batch(&|p| rolled(&p[0], &p[1])).unwrap());
        close(&read(&a[0]), &read(&b[0]));
    }
}

fn uploaded(device: &Device, value: &Value<f64>) -> Tensor {
    device.from_words(&value.to_bits(), value.shape(), value.dtype()).unwrap()
}

/// The values, the gradient and the tangents of a kernel on a device.
fn derivatives(device: &Device, it: &KernelCall, inputs: &[Value<f64>]) -> Vec<Vec<f32>> {
    let inputs: Vec<Tensor> = inputs.iter().map(|value| uploaded(device, value)).collect();
    let is_float: Vec<bool> = inputs.iter().map(|x| x.dtype() == DType::F32).collect();
    let floats: Vec<&Tensor> = inputs.iter().filter(|x| x.dtype() == DType::F32).collect();
    let of = |p: &[Tensor]| {
        let mut given = p.iter();
        let all: Vec<Tensor> = inputs
            .iter()
            .zip(&is_float)
            .map(|(x, &float)| if float { given.next().expect("as many").clone() } else { x.clone() })
            .collect();
        let (tensors, numbers) = all.split_at(it.kernel.tensors.len());
        call(device, it, tensors, numbers)
    };
    let loss = |p: &[Tensor]| {
        let mut total = device.number(0.0, DType::F32)?;
        for y in of(p)? {
            total = total.add(y.sin()?.sum(None, false)?)?;
        }
        Ok(total)
    };
    let mut found = of(&floats.iter().map(|&x| x.clone()).collect::<Vec<_>>()).unwrap();
    found.extend(weft::grad(loss, &floats).unwrap());
    let tangents: Vec<Tensor> = (0..).zip(&floats).map(|(n, x)| input(device, x.shape(), 11 + n)).collect();
    found.extend(weft::jvp(of, &floats, &tangents.iter().collect::<Vec<_>>()).unwrap().1);
    found.iter().map(read).collect()
}

#[test]
fn random_kernels_have_the_derivatives_that_the_cpu_finds() {
    for seed in rotation::seeds(1, 6) {
        let (it, inputs) = generator::random_kernel(seed, false);
        println!("seed {seed}\n{}", it.kernel);
        let expected = derivatives(&cpu(), &it, &inputs);
        for (found, expected) in derivatives(&gpu(), &it, &inputs).iter().zip(&expected) {
            assert_eq!(found.len(), expected.len());
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() <= 1e-4 * (1.0 + b.abs()), "seed {seed}: {a} is not {b}");
            }
        }
    }
}
