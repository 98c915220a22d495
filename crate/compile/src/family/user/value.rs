//! Expressions of a user's kernel, as kernel code.
//!
//! Whole numbers that are known to stay in a range are computed as indices are, which keeps what is
//! known of them: an index that is certainly inside a tensor is not clamped.

use super::body::Body;
use crate::lower::elementwise::storage_dtype;
use weft_ir::functions::{self, Element};
use weft_ir::kernel::{self, BinaryOp, ExprId as Value, Function, Stmt};
use weft_ir::op::{Binary, Compare, Unary};
use weft_ir::user_kernel::{ArrayId, Coordinate, Edge, Expr, ExprId, UserKernel};
use weft_ir::{DType, HashMap, Literal, Shape};

/// Expressions nested deeper than this are bound to a name.
const DEPTH: u32 = 8;

/// The values of i32.
const ALL: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// Deferred: few programs have kernels of users.
impl Body<'_, '_> {
    /// An expression's value now. What is used twice in it is bound to a name, since it might
    /// change.
    pub(super) fn value(&mut self, root: ExprId) -> Value {
        let all = self.reach.of(root);
        let kernel = self.kernel;
        let mut uses: HashMap<ExprId, u32> = HashMap::default();
        for id in &all {
            kernel.exprs[id.index()].for_each_operand(|operand| *uses.entry(operand).or_default() += 1);
        }
        let mut values: HashMap<ExprId, (Value, u32)> = HashMap::default();
        for &id in &all {
            let expr = &kernel.exprs[id.index()];
            let mut depth = 0;
            expr.for_each_operand(|operand| depth = depth.max(values[&operand].1));
            let mut value = self.one(id, expr, &|operand| values[&operand].0);
            let is_word = matches!(
                self.eval.b.get(value),
                kernel::Expr::Literal(_) | kernel::Expr::Local(_) | kernel::Expr::Uniform(_)
            );
            let again = uses.get(&id).is_some_and(|&uses| uses > 1);
            depth = if is_word { 0 } else { depth + 1 };
            if !is_word && id != root && (depth > DEPTH || (again && depth > 1)) {
                value = self.named("v", value);
                depth = 0;
            }
            values.insert(id, (value, depth));
        }
        values[&root].0
    }

    /// A value bound to a name of its own, with what is known of it.
    pub(super) fn named(&mut self, name: &str, value: Value) -> Value {
        if matches!(self.eval.b.get(value), kernel::Expr::Literal(_) | kernel::Expr::Uniform(_)) {
            return value;
        }
        let range = self.range(value);
        self.bound(name, value, range)
    }

    /// A value bound to a name that lies between two numbers: one that it has here already, if it
    /// cannot change.
    fn bound(&mut self, name: &str, value: Value, range: Option<(i64, i64)>) -> Value {
        let lasts = self.lasts(value);
        // The kernel itself has no value that the evaluator would know by these coordinates.
        let key = [value];
        if lasts
            && let Some(bound) = self.eval.known_at(self.id, &key)
            && self.range(bound) == range
        {
            return bound;
        }
        let bound = self.eval.b.bind_anew(name, value);
        if let Some((min, max)) = range {
            self.eval.b.index.set_range(bound, min, max);
        }
        if lasts {
            self.eval.define(self.id, &key, bound);
        }
        bound
    }

    /// A value that stays as it is now: a name that lasts, or a new one.
    pub(super) fn fixed(&mut self, name: &str, value: Value) -> Value {
        let is_name = matches!(self.eval.b.get(value), kernel::Expr::Local(_));
        if is_name && self.lasts(value) { value } else { self.named(name, value) }
    }

    /// What is known of a whole number.
    pub(super) fn range(&self, value: Value) -> Option<(i64, i64)> {
        let is_whole = self.eval.b.type_of(value).scalar == DType::I32;
        let (min, max) = self.eval.b.index_range(value);
        (is_whole && min >= ALL.0 && max <= ALL.1).then_some((min, max))
    }

    fn one(&mut self, id: ExprId, expr: &Expr, of: &dyn Fn(ExprId) -> Value) -> Value {
        let kernel = self.kernel;
        let dtype_of = |id: &ExprId| self.types[id.index()];
        let dtype = self.types[id.index()];
        if let Some(literal) = self.constant(expr, of) {
            return self.eval.b.literal(literal);
        }
        match expr {
            Expr::Literal(literal) => self.eval.b.literal(*literal),
            Expr::Local(local) => self.local(*local),
            Expr::Scalar(n) => self.scalars[*n as usize],
            Expr::Index(Coordinate::Grid, axis) => self.at[*axis as usize],
            Expr::Index(Coordinate::Local, axis) => self.in_group[*axis as usize],
            Expr::Index(Coordinate::Group, axis) => self.group[*axis as usize],
            Expr::GridExtent(axis) => self.extent(&self.call.grid.clone(), *axis),
            Expr::Extent(tensor, axis) => self.extent(&self.shape_of(tensor.index()), *axis),
            Expr::OutputExtent(output, axis) => self.extent(&self.call.shapes[output.index()].clone(), *axis),
            Expr::Unary(op, x) => self.unary(*op, dtype_of(x), of(*x)),
            Expr::Binary(op, a, b) => match inverse_root(kernel, *op, *a, *b) {
                Some(x) => self.eval.b.tensor_unary(Unary::Rsqrt, dtype, of(x)),
                None => self.binary(*op, dtype, of(*a), of(*b)),
            },
            Expr::Compare(op, a, b) => self.compare(*op, dtype_of(a), of(*a), of(*b)),
            Expr::Select(condition, a, b) => {
                let (condition, a, b) = (of(*condition), of(*a), of(*b));
                match self.truth(condition) {
                    Some(true) => a,
                    Some(false) => b,
                    None => self.eval.b.tensor_select(dtype, condition, a, b),
                }
            }
            Expr::Cast(to, x) => self.eval.b.tensor_cast(dtype_of(x), *to, of(*x)),
            Expr::Bitcast(to, x) => {
                let x_dtype = dtype_of(x);
                let x = of(*x);
                if x_dtype == *to { x } else { self.eval.b.expr(kernel::Expr::Bitcast(*to, x)) }
            }
            Expr::Load(tensor, indices, edge) => {
                let at: Vec<Value> = indices.iter().map(|&index| of(index)).collect();
                let fill = if let Edge::Fill(value) = edge { Some(of(*value)) } else { None };
                self.load(tensor.index(), &at, *edge, fill)
            }
            Expr::Element(array, index) => {
                let length = i64::from(kernel.arrays[array.index()].length);
                let index = self.clamped(of(*index), length);
                self.element(*array, index)
            }
            Expr::Subgroup(op, x) => self.across_subgroup(*op, dtype, of(*x)),
            Expr::Shuffle(x, from) => self.shuffle(dtype, of(*x), of(*from)),
        }
    }

    /// What an expression of values that are known now comes to. Nothing is left to compilers,
    /// which refuse constants that overflow.
    fn constant(&self, expr: &Expr, of: &dyn Fn(ExprId) -> Value) -> Option<Literal> {
        let known = |id: &ExprId| match self.eval.b.get(of(*id)) {
            kernel::Expr::Literal(literal) => Some(Element::<f32>::from_literal(*literal)),
            _ => None,
        };
        Some(match expr {
            Expr::Unary(op, x) => functions::unary(*op, known(x)?).to_literal(),
            Expr::Binary(op, a, b) => functions::binary(*op, known(a)?, known(b)?).to_literal(),
            Expr::Compare(op, a, b) => Literal::Bool(functions::compare(*op, known(a)?, known(b)?)),
            Expr::Cast(to, x) => functions::cast(*to, known(x)?).to_literal(),
            Expr::Bitcast(to, x) => functions::bitcast(*to, known(x)?).to_literal(),
            _ => return None,
        })
    }

    fn extent(&mut self, shape: &Shape, axis: u32) -> Value {
        self.eval.b.index_const(shape[axis as usize] as i64)
    }

    /// Whether a condition is known.
    pub(super) fn truth(&self, condition: Value) -> Option<bool> {
        match self.eval.b.get(condition) {
            kernel::Expr::Literal(Literal::Bool(truth)) => Some(*truth),
            _ => None,
        }
    }

    /// Both ranges, where both are known.
    fn ranges(&self, a: Value, b: Value) -> Option<[(i64, i64); 2]> {
        Some([self.range(a)?, self.range(b)?])
    }

    fn unary(&mut self, op: Unary, dtype: DType, x: Value) -> Value {
        if let (Unary::Not, Some(truth)) = (op, self.truth(x)) {
            return self.eval.b.literal(Literal::Bool(!truth));
        }
        let opposite_fits = self.range(x).is_some_and(|(min, _)| min > ALL.0);
        if op == Unary::Neg && dtype == DType::I32 && opposite_fits {
            return self.eval.b.index_scale(x, -1);
        }
        let is_sign = op == Unary::Neg && dtype == DType::F32;
        let x = if is_sign { self.eval.b.with_signed_zero_below(x) } else { x };
        self.eval.b.tensor_unary(op, dtype, x)
    }

    pub(super) fn binary(&mut self, op: Binary, dtype: DType, x: Value, y: Value) -> Value {
        if dtype == DType::I32
            && let Some(value) = self.whole(op, x, y).or_else(|| self.bits(op, x, y))
        {
            return value;
        }
        if dtype == DType::Bool {
            let and = matches!(op, Binary::And | Binary::Min);
            let or = matches!(op, Binary::Or | Binary::Max);
            for (known, other) in [(x, y), (y, x)] {
                match self.truth(known) {
                    Some(truth) if (and && truth) || (or && !truth) => return other,
                    Some(_) if and || or => return known,
                    _ => {}
                }
            }
        }
        let b = &mut self.eval.b;
        let (x, y) = if dtype == DType::F32 { b.with_signed_zero(op, x, y) } else { (x, y) };
        b.tensor_binary(op, dtype, x, y)
    }

    /// Bits of a whole number that is not negative, where they are known to be those of another way
    /// to compute it.
    fn bits(&mut self, op: Binary, x: Value, y: Value) -> Option<Value> {
        let [a, _] = self.ranges(x, y)?;
        let by = self.eval.b.index_value(y).filter(|&by| by >= 0 && a.0 >= 0)?;
        let b = &mut self.eval.b;
        match op {
            Binary::And => {
                // A mask of the lowest bits is a remainder.
                if (by + 1) & by == 0 {
                    return Some(b.index_rem(x, by + 1));
                }
                let value = b.binary(BinaryOp::And, x, y);
                b.index.set_range(value, 0, by.min(a.1));
                Some(value)
            }
            Binary::Shr if by < 31 => Some(b.index_div(x, 1 << by)),
            Binary::Shl if by < 31 && a.1 << by <= ALL.1 => Some(b.index_scale(x, 1 << by)),
            _ => None,
        }
    }

    /// Arithmetic of whole numbers that stays within i32 for certain.
    fn whole(&mut self, op: Binary, x: Value, y: Value) -> Option<Value> {
        let [a, c] = self.ranges(x, y)?;
        let within = |(min, max): (i64, i64)| min >= ALL.0 && max <= ALL.1;
        let b = &mut self.eval.b;
        match op {
            Binary::Add if within((a.0 + c.0, a.1 + c.1)) => Some(b.index_add(x, y)),
            Binary::Sub if within((a.0 - c.1, a.1 - c.0)) => Some(b.index_sub(x, y)),
            Binary::Mul => {
                let corners = [a.0 * c.0, a.0 * c.1, a.1 * c.0, a.1 * c.1];
                let range = corners.iter().fold((i64::MAX, i64::MIN), |r, &n| (r.0.min(n), r.1.max(n)));
                if !within(range) {
                    return None;
                }
                if let Some(factor) = b.index_value(y) {
                    return Some(b.index_scale(x, factor));
                }
                if let Some(factor) = b.index_value(x) {
                    return Some(b.index_scale(y, factor));
                }
                let product = b.binary(BinaryOp::Mul, x, y);
                b.index.set_range(product, range.0, range.1);
                Some(product)
            }
            Binary::Div | Binary::Rem => {
                let divisor = b.index_value(y).filter(|&divisor| divisor > 0 && a.0 >= 0)?;
                Some(if op == Binary::Div { b.index_div(x, divisor) } else { b.index_rem(x, divisor) })
            }
            Binary::Min | Binary::Max => {
                let is_min = op == Binary::Min;
                if a.1 <= c.0 {
                    return Some(if is_min { x } else { y });
                }
                if c.1 <= a.0 {
                    return Some(if is_min { y } else { x });
                }
                let value = b.binary(if is_min { BinaryOp::Min } else { BinaryOp::Max }, x, y);
                let range = if is_min { (a.0.min(c.0), a.1.min(c.1)) } else { (a.0.max(c.0), a.1.max(c.1)) };
                b.index.set_range(value, range.0, range.1);
                Some(value)
            }
            _ => None,
        }
    }

    fn compare(&mut self, op: Compare, dtype: DType, x: Value, y: Value) -> Value {
        if dtype == DType::I32
            && let Some([a, c]) = self.ranges(x, y)
        {
            let (below, above) = (a.1 < c.0, a.0 > c.1);
            let (at_most, at_least) = (a.1 <= c.0, a.0 >= c.1);
            let same = at_most && at_least;
            let known = match op {
                Compare::Eq => (same, below || above),
                Compare::Ne => (below || above, same),
                Compare::Lt => (below, at_least),
                Compare::Le => (at_most, above),
                Compare::Gt => (above, at_most),
                Compare::Ge => (at_least, below),
            };
            match known {
                (true, _) => return self.eval.b.literal(Literal::Bool(true)),
                (_, true) => return self.eval.b.literal(Literal::Bool(false)),
                _ => {}
            }
        }
        self.eval.b.tensor_compare(op, dtype, x, y)
    }

    /// An index clamped into `0..extent`, bound to a name unless it lies there anyway.
    pub(super) fn clamped(&mut self, index: Value, extent: i64) -> Value {
        let (min, max) = self.range(index).unwrap_or(ALL);
        let mut value = index;
        if min < 0 {
            let zero = self.eval.b.index_const(0);
            value = self.eval.b.binary(BinaryOp::Max, value, zero);
        }
        if max >= extent {
            let last = self.eval.b.index_const(extent - 1);
            value = self.eval.b.binary(BinaryOp::Min, value, last);
        }
        self.index_in(value, min.clamp(0, extent - 1), max.clamp(0, extent - 1))
    }

    /// An index under a name, known to lie between two.
    fn index_in(&mut self, index: Value, min: i64, max: i64) -> Value {
        if self.eval.b.index_value(index).is_some()
            || (self.lasts(index) && self.range(index) == Some((min, max)))
        {
            return index;
        }
        self.bound("c", index, Some((min, max)))
    }

    /// An element of a tensor, or what lies beyond its edge.
    fn load(&mut self, tensor: usize, at: &[Value], edge: Edge, fill: Option<Value>) -> Value {
        let shape = self.shape_of(tensor);
        let dtype = self.kernel.tensors[tensor].dtype;
        if shape.size() == 0 {
            return fill.unwrap_or_else(|| self.eval.b.literal(Literal::zero(dtype)));
        }
        let mut inside = self.eval.b.literal(Literal::Bool(true));
        let mut coordinates = Vec::with_capacity(at.len());
        for (&index, &extent) in at.iter().zip(shape.iter()) {
            let extent = extent as i64;
            coordinates.push(match edge {
                Edge::Clamp => self.clamped(index, extent),
                Edge::Wrap => self.wrapped(index, extent),
                Edge::Mirror => self.mirrored(index, extent),
                Edge::Fill(_) => {
                    let within = self.within(index, extent);
                    inside = self.eval.b.both(inside, within);
                    self.clamped(index, extent)
                }
            });
        }
        let value = self.eval.value(self.tensors[tensor], &coordinates);
        match (fill, self.truth(inside)) {
            (Some(fill), None) => self.eval.b.select(inside, value, fill),
            (Some(fill), Some(false)) => fill,
            _ => value,
        }
    }

    /// Whether an index lies in `0..extent`.
    pub(super) fn within(&mut self, index: Value, extent: i64) -> Value {
        let (zero, end) = (self.eval.b.index_const(0), self.eval.b.index_const(extent));
        let above = self.compare(Compare::Ge, DType::I32, index, zero);
        let below = self.compare(Compare::Lt, DType::I32, index, end);
        self.eval.b.both(above, below)
    }

    /// An index modulo an extent.
    fn wrapped(&mut self, index: Value, extent: i64) -> Value {
        let (min, max) = self.range(index).unwrap_or(ALL);
        if min >= 0 && max < extent {
            return self.clamped(index, extent);
        }
        let index = self.fixed("i", index);
        let b = &mut self.eval.b;
        let value = if extent & (extent - 1) == 0 {
            let mask = b.index_const(extent - 1);
            b.binary(BinaryOp::And, index, mask)
        } else if min >= -extent && max < 2 * extent {
            let (zero, end) = (b.index_const(0), b.index_const(extent));
            let mut value = index;
            if max >= extent {
                let lower = b.binary(BinaryOp::Sub, index, end);
                let beyond = b.binary(BinaryOp::Ge, index, end);
                value = b.select(beyond, lower, value);
            }
            if min < 0 {
                let higher = b.binary(BinaryOp::Add, index, end);
                let below = b.binary(BinaryOp::Lt, index, zero);
                value = b.select(below, higher, value);
            }
            value
        } else {
            let by = b.index_const(extent);
            b.call(Function::FloorRemI32, &[index, by])
        };
        self.index_in(value, 0, extent - 1)
    }

    /// An index mirrored at both edges.
    fn mirrored(&mut self, index: Value, extent: i64) -> Value {
        let (min, max) = self.range(index).unwrap_or(ALL);
        if (min >= 0 && max < extent) || extent == 1 {
            return self.clamped(index, extent);
        }
        let period = 2 * (extent - 1);
        let index = self.fixed("i", index);
        let b = &mut self.eval.b;
        let by = b.index_const(period);
        let positive = if min >= -period && max <= period {
            b.unary(kernel::UnaryOp::Abs, index)
        } else {
            b.call(Function::FloorRemI32, &[index, by])
        };
        let positive = self.eval.b.bind_anew("m", positive);
        let b = &mut self.eval.b;
        let back = b.binary(BinaryOp::Sub, by, positive);
        let value = b.binary(BinaryOp::Min, positive, back);
        self.index_in(value, 0, extent - 1)
    }

    /// An element of a local or shared array, at an index inside.
    fn element(&mut self, array: ArrayId, index: Value) -> Value {
        let dtype = self.kernel.arrays[array.index()].dtype;
        let load = self.eval.b.expr(kernel::Expr::Load(self.arrays[array.index()], index));
        self.eval.b.from_storage(dtype, load)
    }

    /// Writes an element of a local or shared array, where the index lies in it.
    pub(super) fn set_element(&mut self, array: ArrayId, index: ExprId, value: ExprId) {
        let length = i64::from(self.kernel.arrays[array.index()].length);
        let index = self.value(index);
        let value = self.value(value);
        let value = self.eval.b.to_storage(value);
        let value = self.unknown_zero(value);
        debug_assert_eq!(
            self.eval.b.type_of(value).scalar,
            storage_dtype(self.kernel.arrays[array.index()].dtype)
        );
        let index = self.fixed("i", index);
        let inside = self.within(index, length);
        let array = self.arrays[array.index()];
        let store = Stmt::Store(array, index, value);
        match self.truth(inside) {
            Some(true) => self.eval.b.push(store),
            Some(false) => {}
            None => self.eval.b.push(Stmt::If(inside, vec![store], Vec::new())),
        }
    }

    /// Whether an expression has the same value wherever it is mentioned.
    pub(super) fn lasts(&mut self, id: Value) -> bool {
        for next in self.lasting.len()..=id.index() {
            let expr = self.eval.b.get(Value(next as u32)).clone();
            let mut lasts = match &expr {
                kernel::Expr::Local(local) => !self.variables.contains(local),
                kernel::Expr::Load(array, _) => self.eval.b.array_space(*array) == kernel::Space::Read,
                kernel::Expr::Subgroup(..) => false,
                _ => true,
            };
            expr.for_each_operand(|operand| lasts &= self.lasting[operand.index()]);
            self.lasting.push(lasts);
        }
        self.lasting[id.index()]
    }
}

/// What a quotient is one over the square root of, where devices may compute that at once: they
/// make ∞ of −0, and a quotient −∞.
fn inverse_root(kernel: &UserKernel, op: Binary, a: ExprId, b: ExprId) -> Option<ExprId> {
    let Expr::Unary(Unary::Sqrt, x) = kernel.exprs[b.index()] else { return None };
    let is_one = kernel.exprs[a.index()] == Expr::Literal(Literal::F32(1.0));
    (op == Binary::Div && is_one && is_never_minus_zero(kernel, x)).then_some(x)
}

/// Whether a float is not −0 for certain: a sum is only where both of its operands are.
fn is_never_minus_zero(kernel: &UserKernel, id: ExprId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match &kernel.exprs[id.index()] {
            Expr::Literal(Literal::F32(x)) if x.to_bits() != 1 << 31 => return true,
            Expr::Unary(Unary::Abs | Unary::Exp, _) => return true,
            Expr::Binary(Binary::Mul, a, b) if a == b => return true,
            Expr::Binary(Binary::Add, a, b) => open.extend([*a, *b]),
            _ => {}
        }
    }
    false
}
