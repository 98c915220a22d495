//! Growth steps of a random program: one primitive each, on operands that the program already has.

use super::{Generator, MAX_ELEMENTS, bounds};
use weft_ir::graph::NodeId;
use weft_ir::op::infer::gathered;
use weft_ir::op::{
    Binary, Coefficient, Compare, ContractAxes, Conv, Op, ReduceOp, Scan, ScatterOp, Unary, View, Window,
};
use weft_ir::{DType, Literal, Shape};

impl Generator {
    /// Takes one step; it may come to nothing.
    pub(super) fn step(&mut self) -> Option<NodeId> {
        match self.random.below(34) {
            0 | 1 => Some(self.leaf()),
            2..=5 => self.unary(),
            6..=11 => self.binary(),
            12 => self.compare(),
            13 | 14 => self.select(),
            15 => {
                let (x, dtype) = (self.any(), self.random.pick(&DType::ALL[..4]));
                let op = if self.random.one_in(4) { Op::Bitcast(dtype) } else { Op::Cast(dtype) };
                let x = if self.packing.one_in(2) && matches!(op, Op::Cast(_)) {
                    let packed = self.packing.pick(&super::PACKED);
                    self.push(Op::Cast(packed), &[x]).unwrap_or(x)
                } else {
                    x
                };
                self.push(op, &[x])
            }
            16..=18 => self.reduce(),
            19..=23 => self.view(),
            24 => self.contract(),
            25 if self.random.one_in(2) => self.conv(),
            25 => self.contract(),
            26 => self.gather(),
            27 => self.scatter(),
            29 => self.scan(),
            30 if self.random.one_in(2) => {
                let x = self.any_of(DType::U32);
                let axis = self.random.below(self.shape(x).rank().max(1));
                self.push(Op::ArgSort { axis, bits: 32 }, &[x])
            }
            30 => self.fourier(),
            28 if self.random.one_in(3) => {
                let x = self.any();
                self.push(Op::Cut, &[x])
            }
            28 => {
                let (shape, dtype) = (self.random.shape(), self.random.pick(&[DType::I32, DType::U32]));
                let axis = self.random.below(shape.rank().max(1));
                self.push(Op::Iota { shape, axis, dtype }, &[])
            }
            _ => self.pattern(),
        }
    }

    fn unary(&mut self) -> Option<NodeId> {
        // Halves are packed where a program is made.
        let all = Unary::ALL.into_iter().filter(|op| !matches!(op, Unary::ToHalf | Unary::OfHalf));
        let op = self.random.pick(&all.collect::<Vec<_>>());
        let x = if self.random.one_in(2) { self.any_of(DType::F32) } else { self.any() };
        self.push(Op::Unary(op), &[x])
    }

    fn binary(&mut self) -> Option<NodeId> {
        // Most of what programs do is adding and multiplying.
        let all = [&Binary::ALL[..], &[Binary::Add, Binary::Mul]].concat();
        let (op, a) = (self.random.pick(&all), self.any());
        let b = self.partner(&self.shape(a), self.dtype(a))?;
        let pair = if self.random.one_in(3) { [b, a] } else { [a, b] };
        self.push(Op::Binary(op), &pair)
    }

    fn compare(&mut self) -> Option<NodeId> {
        let (op, a) = (self.random.pick(&Compare::ALL), self.any());
        let b = self.partner(&self.shape(a), self.dtype(a))?;
        self.push(Op::Compare(op), &[a, b])
    }

    fn select(&mut self) -> Option<NodeId> {
        let a = self.any();
        let shape = self.shape(a);
        let b = self.partner(&shape, self.dtype(a))?;
        let condition = self.partner(&shape, DType::Bool)?;
        self.push(Op::Select, &[condition, a, b])
    }

    fn reduce(&mut self) -> Option<NodeId> {
        use ReduceOp::*;
        let (op, x) = (self.random.pick(&[Sum, Sum, Sum, Prod, Max, Min, ArgMax, ArgMin]), self.any());
        let rank = self.shape(x).rank();
        let mut axes: Vec<usize> = (0..rank).filter(|_| self.random.one_in(2)).collect();
        if rank > 0 && (axes.is_empty() || op.is_arg()) {
            axes = vec![self.random.below(rank)];
        }
        self.push(Op::Reduce { op, axes }, &[x])
    }

    fn view(&mut self) -> Option<NodeId> {
        let x = self.any();
        let shape = self.shape(x);
        match self.random.below(7) {
            6 => self.window(x, &shape),
            0 => {
                let to = self.reshaped(&shape);
                self.push(Op::View(View::Reshape(to)), &[x])
            }
            1 => {
                let axes = self.permutation(shape.rank());
                self.push(Op::View(View::Permute(axes)), &[x])
            }
            2 => {
                let axis = self.random.below(shape.rank() + 1);
                let mut extents = shape.to_vec();
                extents.insert(axis, 1);
                let one = self.push(Op::View(View::Reshape(extents.clone().into())), &[x])?;
                extents[axis] = self.random.pick(&[1, 2, 3, 8]);
                self.push(Op::View(View::Expand(extents.into())), &[one])
            }
            3 => self.pad(x, &shape),
            _ => self.slice(x, &shape),
        }
    }

    /// Another shape of the same size: an axis split, two merged, or a 1 put in or taken out.
    fn reshaped(&mut self, shape: &Shape) -> Shape {
        let mut extents = shape.to_vec();
        let at = self.random.below(extents.len() + 1);
        match self.random.below(4) {
            0 => extents.insert(at, 1),
            1 if at < extents.len() && extents[at] == 1 => drop(extents.remove(at)),
            2 if at < extents.len() && extents[at].is_multiple_of(2) => {
                extents[at] /= 2;
                extents.insert(at + 1, 2);
            }
            _ if at + 1 < extents.len() => {
                extents[at] *= extents[at + 1];
                extents.remove(at + 1);
            }
            _ => extents = vec![shape.size()],
        }
        extents.into()
    }

    fn permutation(&mut self, rank: usize) -> Vec<usize> {
        let mut axes: Vec<usize> = (0..rank).collect();
        for i in (1..rank).rev() {
            axes.swap(i, self.random.below(i + 1));
        }
        axes
    }

    /// A parameter of a view, or a constant, with the given range.
    fn coefficient(&mut self, inputs: &mut Vec<NodeId>, min: i64, max: i64) -> Coefficient {
        if self.random.one_in(5) && inputs.len() < 3 {
            inputs.push(self.add_leaf(Op::Scalar(DType::I32)));
            return Coefficient::Param { input: inputs.len() - 1, min, max };
        }
        Coefficient::Const(min + self.random.below((max - min + 1) as usize) as i64)
    }

    fn slice(&mut self, x: NodeId, shape: &Shape) -> Option<NodeId> {
        let (mut starts, mut steps, mut lengths, mut inputs) = (Vec::new(), Vec::new(), Vec::new(), vec![x]);
        for &extent in shape.iter() {
            let step = if extent == 0 { 1 } else { self.random.pick(&[1, 1, 1, 2, -1, -2, 3]) };
            let most = if extent == 0 { 0 } else { (extent as i64 - 1) / i64::abs(step) + 1 };
            let length = if self.random.one_in(2) { most } else { most.min(1 + self.random.below(4) as i64) };
            let span = (length - 1).max(0) * step;
            let last = (extent as i64 - 1).max(0);
            starts.push(self.coefficient(&mut inputs, (-span).max(0), last - span.max(0)));
            steps.push(step);
            lengths.push(length as usize);
        }
        self.push(Op::View(View::Slice { starts, steps, lengths }), &inputs)
    }

    fn pad(&mut self, x: NodeId, shape: &Shape) -> Option<NodeId> {
        let (mut low, mut interior, mut to, mut inputs) = (Vec::new(), Vec::new(), Vec::new(), vec![x]);
        for &extent in shape.iter() {
            let (gap, room) = (self.random.pick(&[0, 0, 0, 1, 2]), self.random.below(4));
            low.push(self.coefficient(&mut inputs, 0, room as i64));
            interior.push(gap);
            to.push(extent + extent.saturating_sub(1) * gap + room + self.random.below(2));
        }
        let value = if self.random.one_in(2) {
            Literal::zero(self.dtype(x))
        } else {
            self.random.literal(self.dtype(x), self.tame)
        };
        self.push(Op::View(View::Pad { low, interior, shape: to.into(), value }), &inputs)
    }

    fn window(&mut self, x: NodeId, shape: &Shape) -> Option<NodeId> {
        let axes = self.permutation(shape.rank());
        let (some, mut elements) = (self.random.below(3), shape.size());
        let mut windows = Vec::new();
        for axis in axes.into_iter().take(some) {
            let size = 1 + self.random.below(shape[axis].clamp(1, 3));
            let (stride, dilation) = (self.random.pick(&[1, 1, 2, 3]), self.random.pick(&[1, 1, 2]));
            windows.push(Window { axis, size, stride, dilation });
            elements *= size;
        }
        if elements > MAX_ELEMENTS || shape.rank() + windows.len() > 6 {
            return None;
        }
        self.push(Op::View(View::Window(windows)), &[x])
    }

    /// A convolution over some of the axes of what is at hand, each axis in any role.
    fn conv(&mut self) -> Option<NodeId> {
        let dtype = self.random.pick(&[DType::F32, DType::F32, DType::I32]);
        let x = self.any_of(dtype);
        let shape = self.shape(x);
        if shape.rank() < 2 || shape.rank() > 4 {
            return None;
        }
        let (input, kernel, output) =
            (self.permutation(shape.rank()), self.permutation(shape.rank()), self.permutation(shape.rank()));
        let spatial = shape.rank() - 2;
        let mut groups = [1, 1];
        let which = self.random.below(2);
        if shape[input[1 - which]].is_multiple_of(2) && self.random.one_in(2) {
            groups[which] = 2;
        }
        let mut list = |of: &[usize]| (0..spatial).map(|_| self.random.pick(of)).collect::<Vec<usize>>();
        let (strides, input_dilation, kernel_dilation) =
            (list(&[1, 1, 2]), list(&[1, 1, 2]), list(&[1, 1, 2]));
        let padding =
            (0..spatial).map(|_| (self.random.pick(&[0, 0, 1, 2, -1]), self.random.pick(&[0, 1, 2, -1])));
        let padding = padding.collect();
        let mut window = vec![0; shape.rank()];
        window[kernel[0]] = groups[0] * groups[1] * self.random.pick(&[1, 2]);
        window[kernel[1]] = shape[input[1]] / groups[0];
        for &axis in &kernel[2..] {
            window[axis] = self.random.pick(&[1, 2, 3]);
        }
        let it = Conv {
            strides,
            padding,
            input_dilation,
            kernel_dilation,
            feature_groups: groups[0],
            batch_groups: groups[1],
            input,
            kernel,
            output,
        };
        let w = self.partner(&window.into(), dtype)?;
        self.push(Op::Conv(it.into()), &[x, w])
    }

    fn contract(&mut self) -> Option<NodeId> {
        let dtype = self.random.pick(&[DType::F32, DType::F32, DType::F32, DType::I32, DType::U32]);
        let left = self.any_of(dtype);
        let shape = self.shape(left);
        let axes = self.permutation(shape.rank());
        let (mut batch, mut contract, mut extents) = (Vec::new(), Vec::new(), Vec::new());
        for &axis in axes.iter().take(3) {
            match self.random.below(3) {
                0 => batch.push((axis, extents.len())),
                1 => contract.push((axis, extents.len())),
                _ => continue,
            }
            extents.push(shape[axis]);
        }
        extents.extend((0..self.random.below(3)).map(|_| self.random.pick(&[1, 2, 3, 8])));
        let order = self.permutation(extents.len());
        let place =
            |axis: usize| order.iter().position(|&o| o == axis).expect("a permutation has every axis");
        let moved: Vec<usize> = order.iter().map(|&o| extents[o]).collect();
        let right = self.partner(&moved.into(), dtype)?;
        let pairs = |list: Vec<(usize, usize)>| list.into_iter().map(|(l, r)| (l, place(r))).collect();
        let axes = ContractAxes { batch: pairs(batch), contract: pairs(contract) };
        self.push(Op::Contract(axes), &[left, right])
    }

    fn gather(&mut self) -> Option<NodeId> {
        let (source, dtype) = (self.any(), self.random.pick(&[DType::I32, DType::I32, DType::U32]));
        let indices = self.any_of(dtype);
        let axis = self.random.below(self.shape(source).rank().max(1));
        self.push(Op::Gather { axis }, &[source, indices])
    }

    fn scan(&mut self) -> Option<NodeId> {
        use ReduceOp::{Max, Min, Prod, Sum};
        let (op, x) = (self.random.pick(&[Sum, Sum, Prod, Max, Min]), self.any());
        let shape = self.shape(x);
        let axis = self.random.below(shape.rank().max(1));
        let extent = *shape.get(axis)?;
        let (reverse, exclusive) = (self.random.one_in(2), self.random.one_in(3));
        let block = if self.random.one_in(3) { 1 + self.random.below(extent.max(1)) } else { extent.max(1) };
        self.push(Op::Scan(Scan { axis, op, reverse, exclusive, block }), &[x])
    }

    /// Parts are put beside each other, and looked at one by one.
    fn fourier(&mut self) -> Option<NodeId> {
        let x = self.any_of(DType::F32);
        let shape = self.shape(x);
        let axis = self.random.below(shape.rank().max(1));
        let n = *shape.get(axis)?;
        let halves =
            (0..shape.rank()).filter(|&parts| parts != axis && shape[parts] == 2).collect::<Vec<_>>();
        // It is read by nothing else, and holds what no other integer leaf does.
        let table = self.graph.add_placeholder(Op::Buffer([2, n].into(), DType::U32)).ok()?;
        self.bounds.insert(table, bounds::leaf(DType::U32));
        let (mut x, mut place) =
            (x, [self.random.pick(if halves.is_empty() { &[0] } else { &halves }), axis]);
        if halves.is_empty() {
            let wide: Shape = [&[1], &shape[..]].concat().into();
            x = self.push(Op::View(View::Reshape(wide)), &[x])?;
            x = self.push(Op::View(View::Expand([&[2], &shape[..]].concat().into())), &[x])?;
            place = [0, axis + 1];
        }
        self.push(Op::Fourier { parts: place[0], axis: place[1] }, &[x, table])
    }

    fn scatter(&mut self) -> Option<NodeId> {
        use ScatterOp::*;
        let (base, dtype) = (self.any(), self.random.pick(&[DType::I32, DType::I32, DType::U32]));
        let (shape, indices) = (self.shape(base), self.any_of(dtype));
        let axis = self.random.below(shape.rank().max(1));
        if axis >= shape.rank() {
            return None;
        }
        let updates = gathered(&shape, axis, &self.shape(indices));
        if updates.rank() > 6 || updates.size() > MAX_ELEMENTS {
            return None;
        }
        let updates = self.partner(&updates, self.dtype(base))?;
        let op = self.random.pick(&[Set, Add, Add, Min, Max]);
        self.push(Op::Scatter { axis, op }, &[base, indices, updates])
    }
}
