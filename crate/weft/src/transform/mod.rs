//! Function transformations besides gradients: directional derivatives, batches, whole Jacobians.
//!
//! Each runs the function once on stand-ins and transforms the graph between them and the results,
//! so that all of them nest in any order and fuse like anything else. Under [`vmap`] a generator's
//! draw is a draw for each member: with the keys that [`crate::random::split`] makes of the one
//! key.

pub(crate) mod control;
pub(crate) mod custom;
pub(crate) mod grad;
pub(crate) mod kernel;

use crate::device::Device;
use crate::device::cell::Region;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::transform::grad::{Open, derivative};
use weft_compile::transform;
use weft_ir::graph::NodeId;
use weft_ir::op::Op;
use weft_ir::{DType, Error, Result, Shape};

/// The values of `f` at `inputs`, and their derivatives along `tangents`, one for each input and
/// shaped as it.
///
/// Errors with `DType` for an input that is not f32, with `Shape` for a tangent shaped unlike its
/// input, and as `f` does.
pub fn jvp(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
    tangents: &[&Tensor],
) -> Result<(Vec<Tensor>, Vec<Tensor>)> {
    let Some(first) = inputs.first() else { return Ok((f(&[])?, Vec::new())) };
    let device = first.device();
    let _open = Open::new(device);
    let marks = marks(inputs)?;
    let outputs = f(&marks)?;
    let pushed = device.jvp(&refs(&outputs), &refs(&marks), tangents)?;
    Ok((outputs, pushed))
}

/// The values of `f` at `inputs`, and the linear function that takes tangents of the inputs to
/// those of the values; `f` runs once.
///
/// Errors as [`jvp`].
pub fn linearize(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<(Vec<Tensor>, Linear)> {
    let Some(first) = inputs.first() else {
        return Err(Error::value("linearize", "there is nothing to differentiate with respect to"));
    };
    let device = first.device();
    let _open = Open::new(device);
    let marks = marks(inputs)?;
    let outputs = f(&marks)?;
    let tangents = marks.iter().map(|mark| device.stand_in(mark)).collect::<Result<Vec<_>>>()?;
    let pushed = device.jvp(&refs(&outputs), &refs(&marks), &refs(&tangents))?;
    Ok((outputs, Linear { tangents, pushed }))
}

/// What [`linearize`] yields.
#[derive(Debug)]
pub struct Linear {
    tangents: Vec<Tensor>,
    pushed: Vec<Tensor>,
}

impl Linear {
    /// The tangents of the values along these of the inputs. Errors with `Trace`, `Shape` or
    /// `DType` when they are not shaped as those.
    pub fn call(&self, tangents: &[&Tensor]) -> Result<Vec<Tensor>> {
        let device = self.tangents[0].device();
        device.substitute(&refs(&self.pushed), &refs(&self.tangents), tangents)
    }
}

/// `f` for every member of a batch: of inputs with an axis it gets the part at each place along it,
/// of the others the whole. The results have the members along a new first axis.
///
/// Errors with `Axis` or `Shape` when an axis is out of range, lengths differ or there is no axis
/// at all, with `Trace` for reading inside, and as `f` does.
pub fn vmap(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
    axes: &[Option<i64>],
) -> Result<Vec<Tensor>> {
    let mapped = || inputs.iter().zip(axes).filter_map(|(&input, &axis)| Some((input, axis?)));
    let Some((first, _)) = mapped().next() else {
        return Err(Error::value("vmap", "nothing is mapped over"));
    };
    let device = first.device();
    let batch = device.begin_batch()?;
    let mut arguments = Vec::with_capacity(inputs.len());
    for (&input, &axis) in inputs.iter().zip(axes) {
        arguments.push(match axis {
            Some(axis) => device.batch_input(input, axis)?,
            None => input.clone(),
        });
    }
    let outputs = f(&arguments)?;
    let stand_ins = arguments.iter().zip(axes).filter(|(_, axis)| axis.is_some()).map(|(t, _)| t);
    let (xs, axes): (Vec<&Tensor>, Vec<i64>) = mapped().unzip();
    let results = device.batch_outputs(
        &refs(&outputs),
        &stand_ins.collect::<Vec<_>>(),
        &xs,
        &axes,
        &vec![Some(0); outputs.len()],
    )?;
    drop(batch);
    Ok(results)
}

/// The derivatives of each value of `f` by each input, value by value: shaped as the value, then as
/// the input. By forward mode, one pass for each element of the inputs, all of them in one batch.
///
/// Errors with `DType` for inputs or values that are not f32, and as `f` does.
pub fn jacfwd(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<Vec<Vec<Tensor>>> {
    jacobian(f, inputs, false)
}

/// As [`jacfwd`], by reverse mode: one pass for each element of the values.
pub fn jacrev(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<Vec<Vec<Tensor>>> {
    jacobian(f, inputs, true)
}

/// The second derivatives of the one 0-d value of `f`, by each input and each: shaped as the first,
/// then as the second.
///
/// Errors as [`crate::grad()`].
pub fn hessian(f: impl FnOnce(&[Tensor]) -> Result<Tensor>, inputs: &[&Tensor]) -> Result<Vec<Vec<Tensor>>> {
    jacfwd(|inputs| crate::grad(f, &refs(inputs)), inputs)
}

fn jacobian(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
    reverse: bool,
) -> Result<Vec<Vec<Tensor>>> {
    let Some(first) = inputs.first() else { return Ok(Vec::new()) };
    let device = first.device();
    let _open = Open::new(device);
    let marks = marks(inputs)?;
    let outputs = f(&marks)?;
    let all = device.jacobians(&refs(&outputs), &refs(&marks), reverse)?;
    Ok(all.chunks(inputs.len()).map(<[Tensor]>::to_vec).collect())
}

fn marks(inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
    inputs.iter().map(|input| input.mark()).collect()
}

pub(crate) fn refs(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// An open batch. Closed when it is dropped.
#[derive(Debug)]
pub struct Batch(Device);

impl Drop for Batch {
    fn drop(&mut self) {
        let region = self.0.inner.functions.regions.borrow_mut().pop();
        drop(region);
        self.0.end_transform();
    }
}

impl Device {
    /// The derivatives of `outputs` along `tangents` of `wrt`: marks or anything computed from
    /// them.
    ///
    /// Errors with `DType` for what is not f32, `Shape` for a tangent shaped unlike its input.
    pub fn jvp(&self, outputs: &[&Tensor], wrt: &[&Tensor], tangents: &[&Tensor]) -> Result<Vec<Tensor>> {
        let tangents = tangents.iter().map(|x| derivative("jvp", x)).collect::<Result<Vec<_>>>()?;
        let [results, wrt, tangents] = self.nodes("jvp", [outputs, wrt, &refs(&tangents)])?;
        let pushed = transform::jvp(&mut self.graph(), &results, &wrt, &tangents)?;
        self.derivatives("jvp", pushed, outputs)
    }

    /// What stands for a tensor like `x` that is given later ([`Device::substitute`]).
    pub fn stand_in(&self, x: &Tensor) -> Result<Tensor> {
        self.new_placeholder(Op::Buffer(x.shape().clone(), x.dtype()))
    }

    /// What stands for a derivative of `x`, or by it, that is given later: of f16 in f32.
    pub(crate) fn derivative_of(&self, x: &Tensor) -> Result<Tensor> {
        self.new_placeholder(Op::Buffer(x.shape().clone(), x.dtype().computed()))
    }

    /// `outputs` with stand-ins exchanged for tensors like them. Errors with `Trace`, `Shape` or
    /// `DType` where those are unlike.
    pub fn substitute(
        &self,
        outputs: &[&Tensor],
        stand_ins: &[&Tensor],
        xs: &[&Tensor],
    ) -> Result<Vec<Tensor>> {
        let [outputs, from, to] = self.nodes("linearize", [outputs, stand_ins, xs])?;
        let found = transform::substitute(&mut self.graph(), &outputs, &from, &to)?;
        Ok(found.into_iter().map(|id| self.adopt(id)).collect())
    }

    /// Opens a batch, as the innermost. Until it is dropped, draws are draws for each member, and
    /// parameters keep what they hold.
    pub fn begin_batch(&self) -> Result<Batch> {
        let member = self.new_placeholder(Op::Buffer(Shape::scalar(), DType::U32))?;
        self.begin_transform();
        let placeholders = vec![member.node("vmap")?];
        self.inner.functions.regions.borrow_mut().push(Region { placeholders, number: Some(member) });
        Ok(Batch(self.clone()))
    }

    /// What stands for one member's part of `x` along `axis`. Errors with `Axis`; with `Shape` for
    /// a 0-d tensor.
    pub fn batch_input(&self, x: &Tensor, axis: i64) -> Result<Tensor> {
        if x.rank() == 0 {
            return Err(Error::shape("vmap", format!("{x} has no axis to map over")));
        }
        let axis = x.shape().axis("vmap", axis)?;
        let stand_in = self.new_placeholder(Op::Buffer(x.shape().without(&[axis]), x.dtype()))?;
        if let Some(region) = self.inner.functions.regions.borrow_mut().last_mut() {
            region.placeholders.push(stand_in.node("vmap")?);
        }
        Ok(stand_in)
    }

    /// `outputs` for all members of the innermost batch: `stand_ins` stand for the parts of `xs`
    /// along `axes`. The members are along `out_axes` of the results; one that is `None` is the
    /// same for all members, and comes once.
    ///
    /// Errors with `Shape` when the `xs` are not of one length, or a result would be too large,
    /// with `Axis`, and with `Value` where a result is to come once and members differ in it.
    pub fn batch_outputs(
        &self,
        outputs: &[&Tensor],
        stand_ins: &[&Tensor],
        xs: &[&Tensor],
        axes: &[i64],
        out_axes: &[Option<i64>],
    ) -> Result<Vec<Tensor>> {
        let name = "vmap";
        let mut size = None;
        let mut to = Vec::with_capacity(xs.len());
        for (&x, &axis) in xs.iter().zip(axes) {
            let axis = x.shape().axis(name, axis)?;
            let length = *size.get_or_insert(x.shape()[axis]);
            if length != x.shape()[axis] {
                let what = format!(
                    "one input has {length} members, and {x} has {} along axis {axis}",
                    x.shape()[axis]
                );
                return Err(Error::shape(name, what));
            }
            to.push(moved(name, x, axis, 0)?);
        }
        let size = size.ok_or_else(|| Error::value(name, "nothing is mapped over"))?;
        let mut to = refs(&to);
        let members = self.positions(name, &[size].into(), 0, DType::U32)?;
        to.push(&members);
        let member = self.inner.functions.regions.borrow().last().and_then(|region| region.number.clone());
        let from: Vec<&Tensor> = stand_ins.iter().copied().chain(&member).collect();
        let mut results = Vec::with_capacity(outputs.len());
        for ((tensor, is_wide), &axis) in self.batched(outputs, &from, &to, size)?.into_iter().zip(out_axes) {
            results.push(match axis {
                None if is_wide => {
                    let what = format!("outAxes is null for {tensor}, in which members differ");
                    return Err(Error::value(name, what));
                }
                None => tensor,
                Some(axis) => {
                    let wide = if is_wide { tensor } else { repeated(&tensor, size)? };
                    moved(name, &wide, 0, wide.shape().axis(name, axis)?)?
                }
            });
        }
        Ok(results)
    }

    /// `outputs` for the members of `to`, which has them along its first axes: with a new first
    /// axis for them where they differ, as is said of each.
    fn batched(
        &self,
        outputs: &[&Tensor],
        from: &[&Tensor],
        to: &[&Tensor],
        size: usize,
    ) -> Result<Vec<(Tensor, bool)>> {
        let [ids, from, to] = self.nodes("vmap", [outputs, from, to])?;
        let found = transform::vmap(&mut self.graph(), &ids, &from, &to, size)?;
        Ok(found.into_iter().map(|(id, wide)| (self.adopt(id), wide)).collect())
    }

    /// The derivatives of each output by each of `wrt`, output by output: shaped as the output,
    /// then as the input. By reverse mode a pass for each element of the outputs, otherwise one for
    /// each of the inputs.
    ///
    /// Errors with `DType` for what is not f32, and with `Shape` for what would be too large.
    pub fn jacobians(&self, outputs: &[&Tensor], wrt: &[&Tensor], reverse: bool) -> Result<Vec<Tensor>> {
        let name = if reverse { "jacrev" } else { "jacfwd" };
        if let Some(output) = outputs.iter().find(|output| !output.dtype().is_float()) {
            return Err(Error::dtype(name, format!("the function must yield f32 or f16, got {output}")));
        }
        let shape = |y: &Tensor, x: &Tensor| Shape::checked(name, &[&y.shape()[..], x.shape()].concat());
        let mut found = Vec::with_capacity(outputs.len() * wrt.len());
        let seeds = if reverse { outputs } else { wrt };
        for &seed in seeds {
            let count = seed.size();
            let basis = self.eye(count, count, 0, DType::F32)?;
            let basis = build::reshape(
                name,
                &basis,
                &Shape::checked(name, &[&[count], &seed.shape()[..]].concat())?,
            )?;
            let stand_in = self.derivative_of(seed)?;
            let derived = if reverse {
                self.vjp(&[seed], &[&stand_in], wrt)?
            } else {
                self.jvp(outputs, &[seed], &[&stand_in])?
            };
            let all = self.batched(&refs(&derived), &[&stand_in], &[&basis], count)?;
            let wide = |(x, is_wide)| if is_wide { Ok(x) } else { repeated(&x, count) };
            found.push(all.into_iter().map(wide).collect::<Result<Vec<_>>>()?);
        }
        let mut all = Vec::with_capacity(outputs.len() * wrt.len());
        for (i, &y) in outputs.iter().enumerate() {
            for (j, &x) in wrt.iter().enumerate() {
                let jacobian =
                    if reverse { found[i][j].clone() } else { moved(name, &found[j][i], 0, y.rank())? };
                all.push(build::reshape(name, &jacobian, &shape(y, x)?)?);
            }
        }
        Ok(all)
    }

    fn nodes<const N: usize>(&self, name: &str, lists: [&[&Tensor]; N]) -> Result<[Vec<NodeId>; N]> {
        let mut all = [const { Vec::new() }; N];
        for (ids, tensors) in all.iter_mut().zip(lists) {
            for tensor in tensors {
                ids.push(self.node(name, tensor)?);
            }
        }
        Ok(all)
    }
}

/// `x` for each of `count` members, along a new first axis.
fn repeated(x: &Tensor, count: usize) -> Result<Tensor> {
    let shape = [&[count], &x.shape()[..]].concat();
    build::expand("vmap", x, &Shape::checked("vmap", &shape)?)
}

/// `x` with one axis moved.
fn moved(name: &str, x: &Tensor, from: usize, to: usize) -> Result<Tensor> {
    let mut axes: Vec<usize> = (0..x.rank()).filter(|&axis| axis != from).collect();
    axes.insert(to, from);
    build::permute(name, x, axes)
}
