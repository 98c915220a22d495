//! Convolutions as primitives: products of a kernel and the windows of the padded input, summed
//! over the kernel. The contraction reads windows where they lie, so that nothing of their size is
//! stored ("implicit GEMM"; S. Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning",
//! 2014).

use super::{Build, Ref};
use crate::dtype::Literal;
use crate::error::Result;
use crate::op::conv::dilated;
use crate::op::{Binary, Coefficient, ContractAxes, Conv, Op, View, Window};
use crate::shape::Shape;

/// A depthwise convolution with at most this many outputs for each feature sums its products in
/// place: there is nothing to share.
const FEW_OUTPUTS: usize = 4;

/// What an axis is, of either operand or the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Group,
    Batch,
    Feature,
    Output,
    Kernel(usize),
    Spatial(usize),
}

/// A tensor with a role for each axis.
struct Named {
    x: Ref,
    roles: Vec<Role>,
}

impl Named {
    fn place(&self, role: Role) -> Option<usize> {
        self.roles.iter().position(|&own| own == role)
    }
}

impl dyn Build + '_ {
    /// The nodes that [`Op::Conv`] stands for.
    pub(super) fn convolution(&mut self, it: &Conv, x: Ref, w: Ref) -> Result<Ref> {
        let (wide, kernel, dtype) = (self.shape(x), self.shape(w), self.dtype(x));
        let (shape, _) = it.infer((&wide, dtype), (&kernel, dtype))?;
        if shape.size() == 0 || wide.size() == 0 || kernel.size() == 0 {
            return self.full(Literal::zero(dtype), &shape);
        }
        let is_gapped =
            |n: usize| it.input_dilation[n] > 1 && [it.strides[n], it.kernel_dilation[n]] == [1, 1];
        if let Some(n) = (0..it.spatial()).find(|&n| is_gapped(n) && wide[it.input[2 + n]] > 1) {
            return self.phased(it, n, x, w);
        }
        let groups = it.feature_groups.max(it.batch_groups);
        let input = self.windowed(it, x, &kernel)?;
        let split = if it.feature_groups > 1 { Role::Feature } else { Role::Batch };
        let input = self.grouped(input, split, groups)?;
        let mut roles = vec![Role::Output; kernel.rank()];
        roles[it.kernel[1]] = Role::Feature;
        let mut kept = Vec::new();
        for n in 0..it.spatial() {
            roles[it.kernel[2 + n]] = Role::Kernel(n);
        }
        // Axes of one element are not contracted.
        let long = |role: &Role| !matches!(role, Role::Kernel(n) if kernel[it.kernel[2 + n]] == 1);
        for (axis, role) in roles.iter().enumerate() {
            if long(role) {
                kept.push(kernel[axis]);
            }
        }
        roles.retain(long);
        let weights = Named { x: self.reshape(w, &kept.into())?, roles };
        let weights = self.grouped(weights, Role::Output, groups)?;

        let mut wanted = vec![Role::Batch; wide.rank()];
        wanted[it.output[1]] = Role::Output;
        for n in 0..it.spatial() {
            wanted[it.output[2 + n]] = Role::Spatial(n);
        }
        if groups > 1 {
            wanted.insert(it.output[1], Role::Group);
        }
        let taken = kernel[it.kernel[1]];
        let few = groups > 1 && taken == 1 && kernel[it.kernel[0]] / groups <= FEW_OUTPUTS;
        let window: usize = it.kernel[2..].iter().map(|&axis| kernel[axis]).product();
        let found = if few && shape.size().saturating_mul(window) <= i32::MAX as usize {
            self.product_of(&input, &weights, &wanted)?
        } else {
            self.contraction_of(&input, &weights, &wanted)?
        };
        self.reshape(found, &shape)
    }

    /// A convolution of an input that is spread by `s` along spatial axis `n`. Of the gaps nothing
    /// is to be computed: outputs `s` apart meet the same elements of the kernel, and those in
    /// between others. So each of the `s` kinds of outputs has an own part of the kernel, by which
    /// the input is convolved as it is, as if they were features; then they go back between each
    /// other.
    ///
    /// Output `x` meets input `t` through element `k` of the kernel where `x + k − low = s·t`. With
    /// `k = s·m + s − 1 − r`, for kinds `r` below `s`, and `x = low − s + 1 + r + s·q` that is `t =
    /// q + m`.
    ///
    /// By itself, not within [`Self::convolution`], so that it can come with what is fetched when
    /// it is called.
    ///
    /// Deferred: few convolutions of a first page have strides in their gradient.
    #[inline(never)]
    fn phased(&mut self, it: &Conv, n: usize, x: Ref, w: Ref) -> Result<Ref> {
        let (wide, kernel, dtype) = (self.shape(x), self.shape(w), self.dtype(x));
        let (shape, _) = it.infer((&wide, dtype), (&kernel, dtype))?;
        let (made, along, feature, out) = (it.kernel[0], it.kernel[2 + n], it.output[1], it.output[2 + n]);
        let (s, size, extent) = (it.input_dilation[n], kernel[along], wide[it.input[2 + n]]);
        // Of a kernel that is shorter than `s`, the first kinds are zeros.
        let kinds = size.min(s);
        let taken = size.div_ceil(kinds);

        let filled = self.with_zeros(w, along, [0, taken * kinds - size])?;
        let parted = self.split(filled, along, [taken, kinds])?;
        let mut flags = vec![false; kernel.rank() + 1];
        flags[along + 1] = true;
        let turned = self.flip(parted, &flags)?;
        let moved = self.move_axis(turned, along + 1, made + 1)?;
        let mut extents = kernel.to_vec();
        (extents[made], extents[along]) = (kernel[made] * kinds, taken);
        let weights = self.reshape(moved, &extents.into())?;

        let [s, before, last] = [s as i64, it.padding[n].0, shape[out] as i64 - 1];
        let first = -before.div_euclid(s);
        let count = (last - before + s - 1).div_euclid(s) - first + 1;
        let mut plain = it.clone();
        plain.input_dilation[n] = 1;
        plain.padding[n] = (-first, count + taken as i64 - 1 - extent as i64 + first);
        let found = self.convolution(&plain, x, weights)?;

        let mut extents = self.shape(found).to_vec();
        extents[feature] /= kinds;
        let split = self.split(found, feature, [extents[feature], kinds])?;
        let between = self.move_axis(split, feature + 1, out + 1)?;
        let spread = self.with_zeros(between, out + 1, [s as usize - kinds, 0])?;
        extents[out] *= s as usize;
        let spread = self.reshape(spread, &extents.into())?;
        let mut starts = vec![Coefficient::Const(0); shape.rank()];
        starts[out] = Coefficient::Const(s - 1 - before - s * first);
        let steps = vec![1; shape.rank()];
        self.op(Op::View(View::Slice { starts, steps, lengths: shape.to_vec() }), &[spread])
    }

    /// An axis in two.
    fn split(&mut self, x: Ref, axis: usize, into: [usize; 2]) -> Result<Ref> {
        let mut extents = self.shape(x).to_vec();
        extents.splice(axis..=axis, into);
        self.reshape(x, &extents.into())
    }

    /// Zeros before and after an axis.
    fn with_zeros(&mut self, x: Ref, axis: usize, [before, after]: [usize; 2]) -> Result<Ref> {
        if before + after == 0 {
            return Ok(x);
        }
        let mut extents = self.shape(x).to_vec();
        extents[axis] += before + after;
        let mut low = vec![Coefficient::Const(0); extents.len()];
        low[axis] = Coefficient::Const(before as i64);
        let (interior, value) = (vec![0; extents.len()], Literal::zero(self.dtype(x)));
        self.op(Op::View(View::Pad { low, interior, shape: Shape::checked("conv", &extents)?, value }), &[x])
    }

    /// The input spread, padded, cut and seen through the kernel's windows.
    fn windowed(&mut self, it: &Conv, x: Ref, kernel: &Shape) -> Result<Named> {
        let shape = self.shape(x);
        let rank = shape.rank();
        let (mut low, mut interior, mut wide) =
            (vec![Coefficient::Const(0); rank], vec![0; rank], shape.to_vec());
        let (mut starts, mut lengths) = (vec![Coefficient::Const(0); rank], Vec::new());
        let mut windows = Vec::new();
        for n in 0..it.spatial() {
            let (axis, (before, after)) = (it.input[2 + n], it.padding[n]);
            low[axis] = Coefficient::Const(before.max(0));
            interior[axis] = it.input_dilation[n] - 1;
            let spread = dilated(shape[axis], it.input_dilation[n]);
            wide[axis] = spread.saturating_add(before.max(0) as usize).saturating_add(after.max(0) as usize);
            starts[axis] = Coefficient::Const((-before).max(0));
        }
        for (axis, &extent) in wide.iter().enumerate() {
            let n = it.input[2..].iter().position(|&own| own == axis);
            lengths.push(n.map_or(extent, |n| it.padded(n, shape[axis])));
        }
        let mut x = x;
        if wide[..] != shape[..] {
            let shape = Shape::checked("conv", &wide)?;
            x = self.op(
                Op::View(View::Pad { low, interior, shape, value: Literal::zero(self.dtype(x)) }),
                &[x],
            )?;
        }
        if lengths != wide {
            x = self.op(Op::View(View::Slice { starts, steps: vec![1; rank], lengths }), &[x])?;
        }
        let mut roles = vec![Role::Batch; rank];
        roles[it.input[1]] = Role::Feature;
        let mut seen = Vec::new();
        for n in 0..it.spatial() {
            roles[it.input[2 + n]] = Role::Spatial(n);
            let window = it.window(n, kernel);
            if window.size > 1 {
                seen.push(Role::Kernel(n));
                windows.push(window);
            } else if window.stride > 1 {
                x = self.every(x, window)?;
            }
        }
        if !windows.is_empty() {
            x = self.op(Op::View(View::Window(windows)), &[x])?;
        }
        Ok(Named { x, roles: [seen, roles].concat() })
    }

    /// Every n-th element of an axis: windows of one.
    fn every(&mut self, x: Ref, window: Window) -> Result<Ref> {
        let shape = self.shape(x);
        let (mut steps, mut lengths) = (vec![1; shape.rank()], shape.to_vec());
        steps[window.axis] = window.stride as i64;
        lengths[window.axis] = window.count(shape[window.axis]);
        let starts = vec![Coefficient::Const(0); shape.rank()];
        self.op(Op::View(View::Slice { starts, steps, lengths }), &[x])
    }

    /// An axis split into groups and what is in each.
    fn grouped(&mut self, of: Named, split: Role, groups: usize) -> Result<Named> {
        let Named { x, mut roles } = of;
        let (Some(axis), true) = (roles.iter().position(|&role| role == split), groups > 1) else {
            return Ok(Named { x, roles });
        };
        roles.insert(axis, Role::Group);
        let of_group = self.shape(x)[axis] / groups;
        Ok(Named { x: self.split(x, axis, [groups, of_group])?, roles })
    }

    /// Products of all that belongs together, summed over the kernel.
    ///
    /// Deferred: few networks have depthwise convolutions.
    #[inline(never)]
    fn product_of(&mut self, input: &Named, weights: &Named, wanted: &[Role]) -> Result<Ref> {
        let over: Vec<Role> =
            input.roles.iter().copied().filter(|role| matches!(role, Role::Kernel(_))).collect();
        let all: Vec<Role> = over.iter().chain(wanted).copied().collect();
        let extent = |emit: &Self, role: Role| {
            let of = |named: &Named| named.place(role).map(|axis| emit.shape(named.x)[axis]);
            of(input).or(of(weights)).unwrap_or(1)
        };
        let full: Shape = all.iter().map(|&role| extent(self, role)).collect::<Vec<_>>().into();
        let mut factors = [input.x, weights.x];
        for (factor, named) in factors.iter_mut().zip([input, weights]) {
            // What is not in the result has one element: the feature.
            let own: Vec<Role> = all.iter().copied().filter(|&role| named.place(role).is_some()).collect();
            let rest = (0..named.roles.len()).filter(|&axis| !own.contains(&named.roles[axis]));
            let order: Vec<usize> = own.iter().filter_map(|&role| named.place(role)).chain(rest).collect();
            let turned = self.permute(named.x, &order)?;
            let has = |role: &Role| if own.contains(role) { extent(self, *role) } else { 1 };
            let aligned: Vec<usize> = all.iter().map(has).collect();
            let aligned = self.reshape(turned, &aligned.into())?;
            *factor = self.expand(aligned, &full)?;
        }
        let product = self.binary(Binary::Mul, factors[0], factors[1])?;
        self.sum(product, &(0..over.len()).collect::<Vec<_>>())
    }

    /// The contraction, with the operands on the sides on which the result's axes come in the order
    /// that is wanted, if there are any.
    fn contraction_of(&mut self, input: &Named, weights: &Named, wanted: &[Role]) -> Result<Ref> {
        let summed = |role: &&Role| matches!(role, Role::Kernel(_) | Role::Feature);
        let summed: Vec<Role> = weights.roles.iter().filter(summed).copied().collect();
        let group: Vec<Role> = wanted.iter().copied().filter(|role| *role == Role::Group).collect();
        let free = |named: &Named, but: &[Role]| -> Vec<Role> {
            named.roles.iter().copied().filter(|role| !summed.contains(role) && !but.contains(role)).collect()
        };
        let stacked = [&[Role::Batch], &group[..]].concat();
        let made = free(weights, &group);
        let natural = |batch: &[Role], left: &[Role], right: &[Role]| [batch, left, right].concat();
        let sides = natural(&group, &free(input, &group), &made);
        let turned = natural(&group, &made, &free(input, &group));
        let by_member = natural(&stacked, &made, &free(input, &stacked));
        let (batch, swapped, order) = match wanted {
            _ if wanted == turned => (group, true, turned),
            _ if wanted == by_member => (stacked, true, by_member),
            _ => (group, false, sides),
        };
        let mut weights = Named { x: weights.x, roles: weights.roles.clone() };
        for &role in &batch {
            if weights.place(role).is_none() {
                // Each member of the batch meets the same kernel.
                let shape = self.shape(weights.x);
                let members = input.place(role).map_or(1, |axis| self.shape(input.x)[axis]);
                let one = self.reshape(weights.x, &[&[1], &shape[..]].concat().into())?;
                weights.x = self.expand(one, &[&[members], &shape[..]].concat().into())?;
                weights.roles.insert(0, role);
            }
        }
        let pairs = |roles: &[Role]| -> Vec<(usize, usize)> {
            let pair = |&role: &Role| Some((input.place(role)?, weights.place(role)?));
            roles.iter().filter_map(pair).map(|(x, w)| if swapped { (w, x) } else { (x, w) }).collect()
        };
        let axes = ContractAxes { batch: pairs(&batch), contract: pairs(&summed) };
        let [left, right] = if swapped { [weights.x, input.x] } else { [input.x, weights.x] };
        let product = self.contract(axes, left, right)?;
        let places: Vec<usize> =
            wanted.iter().filter_map(|role| order.iter().position(|own| own == role)).collect();
        self.permute(product, &places)
    }
}
