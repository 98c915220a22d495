//! Batched views: the members' axis comes along. Where every member has a start or an offset of its
//! own the view of that axis is no view any more, but a gather of positions.

use super::{Item, index};
use weft_ir::build::{Build, Ref};
use weft_ir::op::{Binary, Coefficient, Compare, Op, View, Window};
use weft_ir::{Literal, Result, Shape};

pub(super) fn view(emit: &mut dyn Build, view: &View, items: &[Item], size: usize) -> Result<Ref> {
    let x = items[0];
    let wide = |extents: &[usize]| -> Shape { [&[size], extents].concat().into() };
    match view {
        View::Reshape(to) => emit.reshape(x.x, &wide(to)),
        View::Expand(to) => emit.expand(x.x, &wide(to)),
        View::Permute(axes) => {
            let axes: Vec<usize> = [0].into_iter().chain(axes.iter().map(|a| a + 1)).collect();
            emit.permute(x.x, &axes)
        }
        View::Window(windows) => {
            let along = windows.iter().map(|w| Window { axis: w.axis + 1, ..*w }).collect();
            let seen = emit.op(Op::View(View::Window(along)), &[x.x])?;
            emit.move_axis(seen, windows.len(), 0)
        }
        View::Slice { starts, steps, lengths } => {
            let own = Own::of(emit, starts, items);
            let (mut steps_shared, mut lengths_shared) = (steps.clone(), lengths.clone());
            for &(axis, _) in &own.starts {
                (steps_shared[axis], lengths_shared[axis]) = (1, own.shape[axis]);
            }
            let shared = View::Slice {
                starts: own.shared(Coefficient::Const(0)),
                steps: own.led(1, &steps_shared),
                lengths: own.led(size, &lengths_shared),
            };
            let mut y = own.apply(emit, shared)?;
            for &(axis, start) in &own.starts {
                let steps = ramp(emit, lengths[axis], steps[axis])?;
                let positions = against(emit, Binary::Add, steps, start)?;
                y = picked(emit, axis, y, positions)?;
            }
            Ok(y.x)
        }
        View::Pad { low, interior, shape, value } => {
            let own = Own::of(emit, low, items);
            if own.shape.size() == 0 {
                return emit.full(*value, &wide(shape));
            }
            let (mut gaps_shared, mut shape_shared) = (interior.clone(), shape.to_vec());
            for &(axis, _) in &own.starts {
                (gaps_shared[axis], shape_shared[axis]) = (0, own.shape[axis]);
            }
            let shared = View::Pad {
                low: own.shared(Coefficient::Const(0)),
                interior: own.led(0, &gaps_shared),
                shape: own.led(size, &shape_shared).into(),
                value: *value,
            };
            let mut y = own.apply(emit, shared)?;
            for &(axis, low) in &own.starts {
                y = padded(emit, y, axis, low, (own.shape[axis], interior[axis] + 1, shape[axis]), *value)?;
            }
            Ok(y.x)
        }
    }
}

/// A view's input, and which of its run-time coefficients every member has for itself.
struct Own {
    x: Item,
    /// Of one member.
    shape: Shape,
    /// Axes with a batched coefficient, and it.
    starts: Vec<(usize, Ref)>,
    coefficients: Vec<Coefficient>,
    /// The parameters that members share.
    parameters: Vec<Ref>,
}

impl Own {
    fn of(emit: &dyn Build, coefficients: &[Coefficient], items: &[Item]) -> Own {
        let shape = emit.shape(items[0].x);
        let shape = if items[0].batched { Shape::from(&shape[1..]) } else { shape };
        let mut own =
            Own { x: items[0], shape, starts: Vec::new(), coefficients: Vec::new(), parameters: Vec::new() };
        for (axis, &coefficient) in coefficients.iter().enumerate() {
            own.coefficients.push(match coefficient {
                Coefficient::Param { input, .. } if items[input].batched => {
                    own.starts.push((axis, items[input].x));
                    Coefficient::Const(0)
                }
                Coefficient::Param { input, min, max } => {
                    own.parameters.push(items[input].x);
                    Coefficient::Param { input: own.parameters.len(), min, max }
                }
                Coefficient::Const(_) => coefficient,
            });
        }
        own
    }

    /// `all` after an entry for the members' axis, if the input has one.
    fn led<T: Copy>(&self, first: T, all: &[T]) -> Vec<T> {
        let first = if self.x.batched { Some(first) } else { None };
        first.into_iter().chain(all.iter().copied()).collect()
    }

    fn shared(&self, first: Coefficient) -> Vec<Coefficient> {
        self.led(first, &self.coefficients)
    }

    /// The part of the view that members share.
    fn apply(&self, emit: &mut dyn Build, view: View) -> Result<Item> {
        let x = emit.op(Op::View(view), &[&[self.x.x], &self.parameters[..]].concat())?;
        Ok(Item { x, batched: self.x.batched })
    }
}

/// 0, step, 2 · step, ….
fn ramp(emit: &mut dyn Build, length: usize, step: i64) -> Result<Ref> {
    let positions = emit.positions(length)?;
    emit.with_number(Binary::Mul, positions, step as f64)
}

/// `op` of each element of the 1-d `list` and each member's number, as [members, list].
fn against(emit: &mut dyn Build, op: Binary, list: Ref, members: Ref) -> Result<Ref> {
    let shape: Shape = [emit.shape(members)[0], emit.shape(list)[0]].into();
    let list = emit.spread(list, &shape, &[0])?;
    let members = emit.spread(members, &shape, &[1])?;
    emit.binary(op, list, members)
}

fn picked(emit: &mut dyn Build, axis: usize, y: Item, positions: Ref) -> Result<Item> {
    let x = index::gather(emit, axis, y, Item { x: positions, batched: true })?;
    Ok(Item { x, batched: true })
}

/// `y` padded along one axis by each member's own offset: what stands at a position is the element
/// that went there, if one did.
fn padded(
    emit: &mut dyn Build,
    y: Item,
    axis: usize,
    low: Ref,
    (extent, step, to): (usize, usize, usize),
    value: Literal,
) -> Result<Item> {
    let places = ramp(emit, to, 1)?;
    let distance = against(emit, Binary::Sub, places, low)?;
    let element = emit.with_number(Binary::Div, distance, step as f64)?;
    let rest = emit.with_number(Binary::Rem, distance, step as f64)?;
    let exact = emit.compare_number(Compare::Eq, rest, 0.0)?;
    let inside = super::super::reverse::index::inside(emit, element, extent)?;
    let lands = emit.binary(Binary::And, exact, inside)?;
    let found = picked(emit, axis, y, element)?;
    let shape = emit.shape(found.x);
    let others: Vec<usize> = (1..shape.rank()).filter(|&a| a != axis + 1).collect();
    let lands = emit.spread(lands, &shape, &others)?;
    let filler = emit.full(value, &shape)?;
    Ok(Item { x: emit.select(lands, found.x, filler)?, batched: true })
}
