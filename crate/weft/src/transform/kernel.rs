//! Users' kernels: functions that a device runs once for each element of a grid, which read tensors
//! anywhere and store wherever they like.
//!
//! Deferred: few programs have kernels of users.

use crate::device::Device;
use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::lazy::operand::Operand;
use std::rc::Rc;
use weft_ir::op::region::results;
use weft_ir::op::{KernelCall, Op};
use weft_ir::user_kernel::{self, UserKernel, verify::verify};
use weft_ir::{Error, Result, Shape};

/// A kernel that a user wrote, well formed. A call of it is an operation like others: it is lazy,
/// can be captured, repeated and chosen, and runs on every device.
///
/// ```
/// use weft::{Device, DType, Kernel};
/// use weft::user_kernel::{Combine, Edge, Stmt, UserKernel};
/// # fn main() -> weft::Result<()> {
/// // Each element of the line becomes its right neighbour; the last is beside the first.
/// let mut kernel = UserKernel::new("shift", 1);
/// let x = kernel.tensor("x", DType::F32, 1);
/// let out = kernel.output("out", DType::F32, 1, Combine::Set);
/// let (i, one) = (kernel.index(0), kernel.literal(weft::Literal::I32(1)));
/// let right = kernel.binary(weft::user_kernel::Binary::Add, i, one);
/// let value = kernel.load(x, &[right], Edge::Wrap);
/// kernel.body.push(Stmt::Store { output: out, indices: vec![i], value, before: None });
/// let shift = Kernel::new(kernel)?;
///
/// let device = Device::cpu();
/// let x = device.tensor(&[1.0f32, 2.0, 3.0], &[3])?;
/// let outputs = shift.call(&device, &[&x], &[], &[3], &[&[3]])?;
/// assert_eq!(pollster::block_on(outputs[0].data::<f32>())?, [2.0, 3.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Kernel(Rc<UserKernel>);

impl Kernel {
    /// A kernel that keeps every rule of kernels. Errors with `Value`, naming the first that it
    /// breaks.
    pub fn new(kernel: UserKernel) -> Result<Kernel> {
        verify(&kernel).map_err(|error| error.into_error())?;
        Ok(Kernel(Rc::new(kernel)))
    }

    /// The kernel of words and names, as the package hands them over: see
    /// [`mod@user_kernel::decode`]. Errors as [`Kernel::new`], and with `Value` when they are no
    /// kernel.
    pub fn decode(words: &[u32], names: &[String]) -> Result<Kernel> {
        Ok(Kernel(Rc::new(user_kernel::decode::decode(words, names)?)))
    }

    /// The kernel that runs this WGSL. `kernel`, whose body is empty, says what it reads and yields
    /// and its workgroup. It has no derivative and no batch, and the CPU device does not run it.
    /// Errors as [`Kernel::new`].
    pub fn of_source(kernel: UserKernel, source: user_kernel::Source) -> Result<Kernel> {
        Kernel::new(UserKernel { source: Some(Rc::new(source)), body: Vec::new(), ..kernel })
    }

    /// The kernel.
    pub fn definition(&self) -> &UserKernel {
        &self.0
    }

    /// Runs it over a grid of these extents. `shapes` are those of the outputs, which are returned.
    /// Tensors of packed dtypes are read as what they are computed in; numbers take the kernel's
    /// dtypes and are no part of what is compiled.
    ///
    /// Errors in the kernel's name: with `Value` for another number of tensors, numbers or outputs
    /// than it has, or a number that does not fit its dtype; with `DType` for a tensor of another
    /// dtype; with `Shape` for another rank, a grid that is no multiple of the workgroup, or an
    /// output that begins as a tensor of another shape; and as other operations do.
    pub fn call(
        &self,
        device: &Device,
        tensors: &[&Tensor],
        numbers: &[Operand],
        grid: &[usize],
        shapes: &[&[usize]],
    ) -> Result<Vec<Tensor>> {
        let kernel = &self.0;
        let name = &kernel.name;
        if (tensors.len(), numbers.len()) != (kernel.tensors.len(), kernel.scalars.len()) {
            return Err(Error::value(
                name,
                format!(
                    "takes {} tensors and {} numbers, got {} and {}",
                    kernel.tensors.len(),
                    kernel.scalars.len(),
                    tensors.len(),
                    numbers.len()
                ),
            ));
        }
        let mut inputs = Vec::with_capacity(tensors.len() + numbers.len());
        for tensor in tensors {
            inputs.push(build::cast(name, tensor, tensor.dtype().computed())?);
        }
        for (number, scalar) in numbers.iter().zip(&kernel.scalars) {
            inputs.push(number.to_tensor(name, device, scalar.dtype)?);
        }
        let nodes = inputs.iter().map(|input| device.node(name, input)).collect::<Result<Vec<_>>>()?;
        let shapes = shapes.iter().map(|shape| Shape::checked(name, shape)).collect::<Result<Vec<_>>>()?;
        let grid = Shape::checked(name, grid)?;
        let op = Op::Kernel(Rc::new(KernelCall { kernel: Rc::clone(kernel), grid, shapes }));
        device.make_room()?;
        let mut graph = device.graph();
        let types = results(&op);
        let region = graph.add(op, &nodes)?;
        let mut parts = Vec::with_capacity(types.len());
        for (index, (shape, dtype)) in types.into_iter().enumerate() {
            let id = graph.add(Op::Part { index, shape: shape.clone(), dtype }, &[region])?;
            parts.push((id, shape, dtype));
        }
        graph.release(region);
        drop(graph);
        Ok(parts.into_iter().map(|(id, shape, dtype)| Tensor::adopt(device, id, shape, dtype)).collect())
    }
}
