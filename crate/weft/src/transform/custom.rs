//! Functions with derivatives of their own: computed again instead of kept, or given by the user.
//!
//! Outside of transforms they are just functions. Inside, what they compute becomes a program
//! within the program, with the rule beside it as another, so that every transform can transform
//! both.
//!
//! Deferred: few programs give derivatives of their own.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::transform::control::Tracing;
use crate::transform::refs;
use std::rc::Rc;
use weft_ir::body::bodies;
use weft_ir::graph::NodeId;
use weft_ir::op::Op;
use weft_ir::op::region::{Custom, Rule};
use weft_ir::program::{ProgramId, TensorProgram};
use weft_ir::{Error, Result};

/// What a function's own derivative is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivative {
    /// The function's, whose values are computed again for it.
    Checkpoint,
    /// Gradients of the f32 arguments, from a cotangent of each f32 result.
    Reverse,
    /// Tangents of the f32 results, from a tangent of each f32 argument.
    Forward,
}

/// `f(inputs)`. A gradient through it computes its values again from the inputs instead of keeping
/// them meanwhile.
pub fn checkpoint(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<Vec<Tensor>> {
    let Some(device) = transforming(inputs) else { return f(&owned(inputs)) };
    let region = device.custom("checkpoint", inputs)?;
    let outputs = f(&region.placeholders)?;
    region.close_custom(inputs, &refs(&outputs), &[], &[], Derivative::Checkpoint, false)
}

/// `f(inputs)`, whose gradient is what `backward` makes of it: `f` yields results and whatever else
/// `backward` needs, which from that and the cotangents of the f32 results gives the gradients of
/// the f32 inputs. The derivative of that gradient goes through `f` and `backward` as they are
/// written.
///
/// Errors with `Shape`, `DType` or `Value` where the gradients do not fit the inputs. Forward mode
/// transposes `backward`, which must then be linear in the cotangents; what is differentiated by
/// must be an input.
pub fn custom_vjp(
    f: impl FnOnce(&[Tensor]) -> Result<(Vec<Tensor>, Vec<Tensor>)>,
    backward: impl FnOnce(&[Tensor], &[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<Vec<Tensor>> {
    let Some(device) = transforming(inputs) else { return Ok(f(&owned(inputs))?.0) };
    let region = device.custom("customVjp", inputs)?;
    let (outputs, residuals) = f(&region.placeholders)?;
    let floats = outputs.iter().filter(|y| y.dtype().is_float());
    let seeds = floats.map(|y| region.seed(y)).collect::<Result<Vec<_>>>()?;
    let gradients = backward(&residuals, &seeds)?;
    region.close_custom(inputs, &refs(&outputs), &refs(&seeds), &refs(&gradients), Derivative::Reverse, false)
}

/// `f(inputs)`, whose derivative along a direction is what `rule` makes of the inputs and tangents
/// of the f32 ones: tangents of the f32 results.
///
/// Errors as [`custom_vjp`]. Reverse mode transposes `rule`, which must then be linear in the
/// tangents.
pub fn custom_jvp(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    rule: impl FnOnce(&[Tensor], &[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<Vec<Tensor>> {
    with_rule(f, rule, inputs, false)
}

/// As [`custom_jvp`], with the rule at every order: for what is computed by steps that have no
/// derivative worth the name.
pub(crate) fn ruled(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    rule: impl FnOnce(&[Tensor], &[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
) -> Result<Vec<Tensor>> {
    with_rule(f, rule, inputs, true)
}

fn with_rule(
    f: impl FnOnce(&[Tensor]) -> Result<Vec<Tensor>>,
    rule: impl FnOnce(&[Tensor], &[Tensor]) -> Result<Vec<Tensor>>,
    inputs: &[&Tensor],
    again: bool,
) -> Result<Vec<Tensor>> {
    let Some(device) = transforming(inputs) else { return f(&owned(inputs)) };
    let region = device.custom("customJvp", inputs)?;
    let outputs = f(&region.placeholders)?;
    let floats = inputs.iter().filter(|x| x.dtype().is_float());
    let seeds = floats.map(|x| region.seed(x)).collect::<Result<Vec<_>>>()?;
    let tangents = rule(&region.placeholders, &seeds)?;
    region.close_custom(inputs, &refs(&outputs), &refs(&seeds), &refs(&tangents), Derivative::Forward, again)
}

/// The device, if a transform is open there.
fn transforming(inputs: &[&Tensor]) -> Option<Device> {
    inputs.first().map(|input| input.device().clone()).filter(Device::is_transforming)
}

fn owned(inputs: &[&Tensor]) -> Vec<Tensor> {
    inputs.iter().map(|&input| input.clone()).collect()
}

impl Device {
    /// Begins a function with a derivative of its own, which is then run on
    /// [`Tracing::placeholders`].
    pub fn custom(&self, name: &'static str, inputs: &[&Tensor]) -> Result<Tracing> {
        self.region(name, false, inputs, &[])
    }
}

impl Tracing {
    /// What stands for a derivative of a tensor like `x`.
    pub fn seed(&self, x: &Tensor) -> Result<Tensor> {
        let seed = self.device.derivative_of(x)?;
        if let Some(region) = self.device.inner.functions.regions.borrow_mut().last_mut() {
            region.placeholders.push(seed.node(self.name)?);
        }
        Ok(seed)
    }

    /// Ends it as a function of `inputs` that yields `outputs`, and whose rule makes `derived` of
    /// `seeds`. With `again` derivatives of derivatives go by the rule again, otherwise through
    /// what the function computes.
    ///
    /// Errors with `Shape`, `DType` or `Value` where `derived` does not fit what it is derivatives
    /// of.
    pub fn close_custom(
        self,
        inputs: &[&Tensor],
        outputs: &[&Tensor],
        seeds: &[&Tensor],
        derived: &[&Tensor],
        derivative: Derivative,
        again: bool,
    ) -> Result<Vec<Tensor>> {
        let is_float = |tensor: &&&Tensor| tensor.dtype().is_float();
        let of = if derivative == Derivative::Reverse { inputs } else { outputs };
        let of: Vec<&Tensor> = of.iter().filter(is_float).copied().collect();
        let derived = derived.iter().map(|d| crate::transform::grad::derivative(self.name, d));
        let derived = derived.collect::<Result<Vec<_>>>()?;
        let derived: Vec<&Tensor> = derived.iter().collect();
        if derivative != Derivative::Checkpoint {
            self.check_derived(&of, &derived)?;
        }
        if outputs.is_empty() {
            return Ok(Vec::new());
        }
        let device = self.device.clone();
        let arguments = self.nodes(&self.placeholders.iter().collect::<Vec<_>>())?;
        let seeds = self.nodes(seeds)?;
        let leaves = [&arguments[..], &seeds].concat();
        let lists = [self.nodes(outputs)?, self.nodes(&derived)?];
        let lists: Vec<&[NodeId]> = lists.iter().map(|list| &list[..]).collect();
        let bodies = bodies(&device.graph(), self.start, &leaves, &lists);
        let mut programs = bodies.programs.into_iter();
        let (program, rule) = (programs.next().unwrap_or_default(), programs.next().unwrap_or_default());
        let rule = match derivative {
            Derivative::Checkpoint => Rule::Checkpoint,
            Derivative::Reverse => Rule::Reverse(rule),
            Derivative::Forward => Rule::Forward(rule),
        };
        let program = without_leaves(program, arguments.len(), seeds.len());
        let custom = Custom { program, rule, arguments: arguments.len(), again };
        let mut nodes = self.nodes(inputs)?;
        nodes.extend(bodies.captured);
        self.add(Op::Custom(Rc::new(custom)), &nodes)
    }

    fn check_derived(&self, of: &[&Tensor], derived: &[&Tensor]) -> Result<()> {
        if of.len() != derived.len() {
            let what = format!("the rule gives {} derivatives, where {} are needed", derived.len(), of.len());
            return Err(Error::value(self.name, what));
        }
        for (x, d) in of.iter().zip(derived) {
            let what = || format!("the rule gives {d} as the derivative of {x}");
            if x.dtype().computed() != d.dtype() {
                return Err(Error::dtype(self.name, what()));
            }
            if x.shape() != d.shape() {
                return Err(Error::shape(self.name, what()));
            }
        }
        Ok(())
    }
}

/// A program without `count` leaves after the first ones, which it does not read.
fn without_leaves(program: TensorProgram, first: usize, count: usize) -> TensorProgram {
    let gone: Vec<ProgramId> = program.leaves().skip(first).take(count).collect();
    program.pruned(&gone)
}
