//! Reverse-mode gradients of Rust functions of tensors.
//!
//! The inputs are marked with ids of their own, the function is run on the marks, and the graph
//! between result and marks is differentiated into more graph: so gradients nest, fuse, and cost
//! nothing until they are needed. While a transform is open a computed value is kept beside its
//! definition, so reading inside does not cut the gradient.

use crate::device::Device;
use crate::device::extra_roots::Group;
use crate::device::parameter::Parameter;
use crate::device::pending::Weak;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::graph::NodeId;
use weft_ir::op::Op;
use weft_ir::{DType, Error, Literal, Result};

/// The value of `f` at `inputs` and its gradient with respect to each, shaped as the input. May be
/// nested.
///
/// Errors with `Shape` or `DType` when `f` does not yield a 0-d f32, with `DType` for an input that
/// is not f32, and as `f` does.
pub fn value_and_grad(
    f: impl FnOnce(&[Tensor]) -> Result<Tensor>,
    inputs: &[&Tensor],
) -> Result<(Tensor, Vec<Tensor>)> {
    let Some(first) = inputs.first() else {
        return Err(Error::value("grad", "there is nothing to differentiate with respect to"));
    };
    let device = first.device();
    let _open = Open::new(device);
    let marks = inputs.iter().map(|t| t.mark()).collect::<Result<Vec<_>>>()?;
    let value = f(&marks)?;
    let gradients = device.gradients(&value, &marks.iter().collect::<Vec<_>>())?;
    Ok((value, gradients))
}

/// The gradients of [`value_and_grad`] alone.
pub fn grad(f: impl FnOnce(&[Tensor]) -> Result<Tensor>, inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
    value_and_grad(f, inputs).map(|(_, gradients)| gradients)
}

/// The value of `f` and its gradient with respect to each parameter, which `f` reads by
/// [`Parameter::get`].
///
/// Errors as [`value_and_grad`] does.
pub fn value_and_grad_of(
    parameters: &[Parameter],
    f: impl FnOnce() -> Result<Tensor>,
) -> Result<(Tensor, Vec<Tensor>)> {
    let Some(first) = parameters.first() else {
        return Err(Error::value("grad", "there is nothing to differentiate with respect to"));
    };
    let device = first.device().clone();
    let _open = Open::new(&device);
    let marked = Marked::new(parameters)?;
    let value = f()?;
    let gradients = device.gradients(&value, &marked.marks.iter().collect::<Vec<_>>())?;
    Ok((value, gradients))
}

/// An open transform, closed at the end however that comes.
pub(crate) struct Open(Device);

impl Open {
    pub fn new(device: &Device) -> Open {
        device.begin_transform();
        Open(device.clone())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.end_transform();
    }
}

/// Parameters that yield marks of their tensors for a while.
struct Marked<'a> {
    parameters: &'a [Parameter],
    before: Vec<Tensor>,
    marks: Vec<Tensor>,
}

impl<'a> Marked<'a> {
    fn new(parameters: &'a [Parameter]) -> Result<Marked<'a>> {
        let marks = parameters.iter().map(|p| p.get()?.mark()).collect::<Result<Vec<_>>>()?;
        let before = parameters.iter().zip(&marks).map(|(p, mark)| p.replace(mark.clone()));
        Ok(Marked { parameters, before: before.collect::<Result<Vec<_>>>()?, marks })
    }
}

impl Drop for Marked<'_> {
    fn drop(&mut self) {
        for (parameter, before) in self.parameters.iter().zip(self.before.drain(..)) {
            // Cannot fail: the same replacement succeeded before.
            let _ = parameter.replace(before);
        }
    }
}

impl Tensor {
    /// The same tensor with an identity of its own, to differentiate with respect to. Errors with
    /// `DType` unless it is f32 or f16.
    pub fn mark(&self) -> Result<Tensor> {
        if !self.dtype().is_float() {
            return Err(Error::dtype(
                "grad",
                format!("takes gradients with respect to f32 or f16, got {self}"),
            ));
        }
        let id = self.device().new_mark();
        self.device().append("grad", Op::Mark(id), &[self])
    }
}

/// A derivative as transformations take it: of f16 it is computed in f32.
pub(crate) fn derivative(name: &str, x: &Tensor) -> Result<Tensor> {
    if x.dtype() == DType::F16 { build::cast(name, x, DType::F32) } else { Ok(x.clone()) }
}

impl Device {
    /// Opens a transform: until it ends, computed values are kept beside their definitions.
    pub fn begin_transform(&self) {
        self.graph().open_transform();
    }

    /// Ends the last transform opened; does nothing when none is open.
    pub fn end_transform(&self) {
        let mut graph = self.graph();
        if graph.open_transforms() > 0 {
            graph.close_transform();
        }
        drop(graph);
        self.collect();
    }

    /// Whether a transform is open.
    pub fn is_transforming(&self) -> bool {
        self.graph().open_transforms() > 0
    }

    /// The gradients of Σ outputs·cotangents with respect to each of `wrt`: marks or anything
    /// computed from them. Zeros where nothing connects them.
    ///
    /// Errors with `DType` for what is not f32, `Shape` for a cotangent shaped unlike its output.
    pub fn vjp(&self, outputs: &[&Tensor], cotangents: &[&Tensor], wrt: &[&Tensor]) -> Result<Vec<Tensor>> {
        let ids = |tensors: &[&Tensor]| -> Result<Vec<NodeId>> {
            tensors.iter().map(|tensor| self.node("vjp", tensor)).collect()
        };
        let cotangents = cotangents.iter().map(|x| derivative("vjp", x)).collect::<Result<Vec<_>>>()?;
        let given = ids(&cotangents.iter().collect::<Vec<_>>())?;
        let (outputs, places) = (ids(outputs)?, ids(wrt)?);
        let pulled = self.inner.derived.borrow_mut().vjp(&mut self.graph(), &outputs, &given, &places)?;
        self.derivatives("vjp", pulled, wrt)
    }

    /// The gradients of a loss. The flush that computes what they are used for computes the loss as
    /// well, while anyone holds it, so that it can be read after the parameters it came from were
    /// overwritten.
    ///
    /// Errors with `Shape` or `DType` unless the loss is a 0-d f32 or f16.
    pub fn gradients(&self, loss: &Tensor, wrt: &[&Tensor]) -> Result<Vec<Tensor>> {
        if loss.rank() != 0 {
            let what = format!("the function must yield a 0-d tensor, got shape {}", loss.shape());
            return Err(Error::shape("grad", what));
        }
        if !loss.dtype().is_float() {
            let what = format!("the function must yield f32 or f16, got {}", loss.dtype());
            return Err(Error::dtype("grad", what));
        }
        let one = self.constant("grad", Literal::F32(1.0))?;
        let gradients = self.vjp(&[loss], &[&one], wrt)?;
        self.keep_together(loss, &gradients)?;
        Ok(gradients)
    }

    /// What a transformation made of derivatives, in the dtypes of what they are derivatives of.
    pub(crate) fn derivatives(&self, name: &str, made: Vec<NodeId>, of: &[&Tensor]) -> Result<Vec<Tensor>> {
        // All are adopted before one may fail.
        let made: Vec<Tensor> = made.into_iter().map(|id| self.adopt(id)).collect();
        let fit = |(made, of): (&Tensor, &&Tensor)| {
            if of.dtype().is_packed() { build::cast(name, made, of.dtype()) } else { Ok(made.clone()) }
        };
        made.iter().zip(of).map(fit).collect()
    }

    /// Lets the flush that needs one of the gradients compute the value too, and the one that is
    /// asked for the value compute the gradients that are held.
    fn keep_together(&self, value: &Tensor, gradients: &[Tensor]) -> Result<()> {
        let value = value.node("grad")?;
        let gradients = gradients.iter().map(|g| g.node("grad")).collect::<Result<Vec<_>>>()?;
        let graph = self.graph();
        let group = Group {
            value: Weak::to(&graph, value),
            gradients: gradients.into_iter().map(|g| Weak::to(&graph, g)).collect(),
        };
        self.inner.extra_roots.borrow_mut().add_group(&graph, group);
        Ok(())
    }
}
