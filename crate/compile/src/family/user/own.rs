//! Kernels that users wrote in WGSL: the text with its bindings, after outputs were given what they
//! begin with.
//!
//! Deferred: few programs have kernels of users.

use super::{Call, Lowered, Made, Problem, Stage};
use crate::lower::elementwise::storage_dtype;
use crate::lower::eval::Binding;
use std::fmt::Write;
use weft_ir::Shape;
use weft_ir::kernel::{Array, Kernel, Space};
use weft_ir::user_kernel::Source;

/// Deferred: few programs have kernels of users.
impl Call {
    /// The dispatches of a kernel that is `source`.
    #[inline(never)]
    pub(super) fn own(&self, problem: &Problem<'_>, source: &Source) -> Lowered {
        let mut partials = self.partials.clone();
        let kernel = &*self.call.kernel;
        let mut stages = Vec::new();
        let mut copies = Vec::new();
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for (n, &Made { binding, .. }) in self.outputs.iter().enumerate() {
            stages.extend(self.first(problem, n));
            let Some(binding) = binding else { continue };
            // What lies at an offset of a larger buffer is copied there.
            let placed = match binding {
                Binding::Node(node) if problem.offsets.contains_key(&node) => {
                    let size = self.call.shapes[n].size();
                    partials.push(4 * size as u64);
                    let partial = Binding::Partial(partials.len() - 1);
                    copies.push((n, node, partial));
                    partial
                }
                other => other,
            };
            outputs.push((n, placed));
        }
        let storage =
            |name: &str, dtype, space| Array { name: name.into(), ty: storage_dtype(dtype).into(), space };
        let mut arrays = Vec::new();
        let mut bindings = Vec::new();
        let mut text = format!("{}\n", source.text);
        for (tensor, &node) in kernel.tensors.iter().zip(&self.inputs) {
            arrays.push(storage(&tensor.name, tensor.dtype, Space::Read));
            bindings.push(Binding::Node(node));
            shape(&mut text, &tensor.name, &problem.program[node].shape);
        }
        for (n, binding) in outputs {
            let output = &kernel.outputs[n];
            let space = if source.atomic.get(n) == Some(&true) { Space::Atomic } else { Space::ReadWrite };
            arrays.push(storage(&output.name, output.dtype, space));
            bindings.push(binding);
            shape(&mut text, &output.name, &self.call.shapes[n]);
        }
        let sides = kernel.workgroup.unwrap_or([1; 3]);
        let mut workgroups = [1; 3];
        for (axis, (&extent, side)) in self.call.grid.iter().rev().zip(sides).enumerate() {
            workgroups[axis] = (extent / side as usize) as u32;
        }
        if workgroups.iter().all(|&count| count > 0) {
            let name = kernel.name.clone();
            let kernel =
                Kernel { name, workgroup: sides, arrays, source: Some(text.into()), ..Kernel::default() };
            stages.push(Stage {
                kernel,
                bindings,
                uniforms: Vec::new(),
                in_pieces: false,
                workgroups,
                first: None,
            });
        }
        for (n, node, partial) in copies {
            let size = self.call.shapes[n].size();
            let dtype = kernel.outputs[n].dtype;
            stages.push(self.each(problem, "copy", size, |eval, i| {
                let array = eval.array(partial, storage_dtype(dtype), Space::Read);
                let word = eval.b.expr(weft_ir::kernel::Expr::Load(array, i));
                let value = eval.b.from_storage(dtype, word);
                eval.store(node, i, value);
            }));
        }
        Lowered { stages, partials }
    }
}

/// Declares the extents of an array that has axes.
fn shape(text: &mut String, name: &str, shape: &Shape) {
    if shape.rank() > 0 {
        let extents: Vec<String> = shape.iter().map(|extent| format!("{extent}u")).collect();
        let _ = writeln!(text, "const {name}_shape = array<u32, {}>({});", shape.rank(), extents.join(", "));
    }
}
