//! Roofline of a device: the bandwidth of a copy and the rate of a matrix product, as measures of
//! how well kernels do.

use super::Inspector;
use crate::device::backend::Engine;
use weft_compile::compile;
use weft_ir::build::{Build, ProgramBuilder, Ref};
use weft_ir::op::{ContractAxes, Op};
use weft_ir::program::TensorProgram;
use weft_ir::{DType, Result, Shape};
use weft_runtime::Runtime;

/// Runs of each program in one measurement, of which the fastest of three counts.
const REPEATS: u32 = 8;
const MEASUREMENTS: usize = 3;

impl Inspector {
    /// Bytes a second of a copy, those read and those written counted, and operations a second of a
    /// product of square matrices, as JSON: `{"copy":…,"product":…}`; zeros on the CPU device.
    /// Takes some milliseconds of a GPU. Errors as running does.
    pub fn measured_limits(&self) -> impl Future<Output = Result<String>> + 'static + use<> {
        let device = self.clone();
        async move {
            let Engine::Gpu(runtime) = &device.inner.backend.engine else {
                return Ok("{\"copy\":0,\"product\":0}".to_owned());
            };
            let (length, side) = if runtime.adapter().is_fallback { (1 << 20, 128) } else { (1 << 25, 2048) };
            let copy = measured(runtime, &copy(length)?, &[length]).await?;
            let product = measured(runtime, &product(side)?, &[side * side, side * side]).await?;
            let bytes = 8.0 * length as f64 / copy;
            let operations = 2.0 * (side as f64).powi(3) / product;
            Ok(format!("{{\"copy\":{},\"product\":{}}}", (bytes * 1e9) as u64, (operations * 1e9) as u64))
        }
    }
}

/// The nanoseconds of a run on zeros.
async fn measured(runtime: &Runtime, program: &TensorProgram, leaves: &[usize]) -> Result<f64> {
    let prepared = runtime.prepare(compile(program, runtime.limits(), &[])?)?;
    let mut values = Vec::new();
    for &length in leaves {
        values.push(runtime.upload(&vec![0; 4 * length])?);
    }
    runtime.compiled(&prepared).await;
    let mut best = f64::INFINITY;
    for measurement in 0..=MEASUREMENTS {
        let timed = runtime.time(&prepared, &values, REPEATS)?.await? / f64::from(REPEATS);
        // The first warms up.
        if measurement > 0 && timed > 0.0 {
            best = best.min(timed);
        }
    }
    values.into_iter().for_each(|value| runtime.release(value));
    Ok(best)
}

/// A sum with a number, element by element: as many bytes read as written.
fn copy(length: usize) -> Result<TensorProgram> {
    let mut builder = ProgramBuilder::default();
    let x = input(&mut builder, &[length]);
    let build: &mut dyn Build = &mut builder;
    let one = build.like(x, 1.0)?;
    let sum = build.add(x, one)?;
    Ok(builder.finish(&[sum], &[]))
}

/// A product of matrices.
fn product(side: usize) -> Result<TensorProgram> {
    let mut builder = ProgramBuilder::default();
    let [a, b] = [0, 1].map(|_| input(&mut builder, &[side, side]));
    let build: &mut dyn Build = &mut builder;
    let axes = ContractAxes { batch: Vec::new(), contract: vec![(1, 0)] };
    let product = build.contract(axes, a, b)?;
    Ok(builder.finish(&[product], &[]))
}

fn input(builder: &mut ProgramBuilder, shape: &[usize]) -> Ref {
    let shape: Shape = shape.to_vec().into();
    Ref(builder.push(Op::Buffer(shape.clone(), DType::F32), Vec::new(), shape, DType::F32).0)
}
