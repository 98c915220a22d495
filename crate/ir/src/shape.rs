//! Shapes: extents, broadcasting, axes and row-major positions.

use crate::error::{Error, Result};
use crate::order;
use std::fmt::{self, Write};
use std::ops::Deref;
use std::rc::Rc;

/// The extents of a tensor, outermost first. Rank 0 is a scalar. At most [`Shape::MAX_RANK`] axes
/// and 2³¹ − 1 elements.
///
/// Every node has one and most share it with others, so a clone is a count. A scalar's takes no
/// memory.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Shape(Option<Rc<[usize]>>);

impl Shape {
    /// The most axes a tensor may have.
    pub const MAX_RANK: usize = 12;

    /// The shape of a scalar.
    pub fn scalar() -> Shape {
        Shape(None)
    }

    /// Checks rank and size. Errors with `Shape` when either is past what index arithmetic can
    /// hold.
    pub fn checked(op: &str, extents: &[usize]) -> Result<Shape> {
        let shape = Shape::from(extents);
        if extents.len() > Shape::MAX_RANK {
            return Err(Error::shape(
                op,
                format!("{shape} has {} axes; at most {} are supported", extents.len(), Shape::MAX_RANK),
            ));
        }
        let size =
            extents.iter().try_fold(1usize, |n, &e| n.checked_mul(e)).filter(|&n| n <= i32::MAX as usize);
        if size.is_none() && !extents.contains(&0) {
            return Err(Error::shape(op, format!("{shape} has more than 2^31 - 1 elements")));
        }
        Ok(shape)
    }

    /// Number of elements; 1 for a scalar, 0 when any extent is 0. A window view may have more than
    /// can be counted: then as many as can.
    pub fn size(&self) -> usize {
        if self.contains(&0) {
            0
        } else {
            self.iter().fold(1, |size: usize, &extent| size.saturating_mul(extent))
        }
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.len()
    }

    /// Row-major strides in elements.
    pub fn strides(&self) -> Vec<usize> {
        let mut strides = vec![1; self.len()];
        for axis in (1..self.len()).rev() {
            strides[axis - 1] = strides[axis] * self[axis];
        }
        strides
    }

    /// The coordinates of row-major position `index`.
    pub fn unravel(&self, mut index: usize) -> Vec<usize> {
        let mut coordinates = vec![0; self.len()];
        for axis in (0..self.len()).rev() {
            coordinates[axis] = index % self[axis];
            index /= self[axis];
        }
        coordinates
    }

    /// The row-major position of `coordinates`.
    pub fn ravel(&self, coordinates: &[usize]) -> usize {
        self.iter().zip(coordinates).fold(0, |index, (&extent, &c)| index * extent + c)
    }

    /// The shape both broadcast to, aligned at the last axis. Errors with `Shape` naming both.
    pub fn broadcast(op: &str, a: &Shape, b: &Shape) -> Result<Shape> {
        let rank = a.rank().max(b.rank());
        let extent = |s: &Shape, axis: usize| (axis + s.rank()).checked_sub(rank).map_or(1, |i| s[i]);
        let mut out = Vec::with_capacity(rank);
        for axis in 0..rank {
            out.push(match (extent(a, axis), extent(b, axis)) {
                (x, y) if x == y => x,
                (1, y) => y,
                (x, 1) => x,
                (x, y) => return Err(Error::shape(op, format!("{a} and {b} do not broadcast: {x} ≠ {y}"))),
            });
        }
        Ok(out.into())
    }

    /// `axis` counted from the end when negative. Errors with `Axis` when out of range.
    pub fn axis(&self, op: &str, axis: i64) -> Result<usize> {
        let rank = self.rank() as i64;
        let from_start = if axis < 0 { axis + rank } else { axis };
        if (0..rank).contains(&from_start) {
            return Ok(from_start as usize);
        }
        let expected = if rank == 0 {
            "it has no axes".to_owned()
        } else {
            format!("expected {} to {}", -rank, rank - 1)
        };
        Err(Error::axis(op, format!("axis {axis} is out of range for {self}: {expected}")))
    }

    /// Sorted distinct axes; `None` means all of them. Errors with `Axis` when one is out of range
    /// or given twice.
    pub fn axes(&self, op: &str, axes: Option<&[i64]>) -> Result<Vec<usize>> {
        let Some(axes) = axes else { return Ok((0..self.rank()).collect()) };
        let mut out = axes.iter().map(|&a| self.axis(op, a)).collect::<Result<Vec<_>>>()?;
        order::sort(&mut out);
        if let Some(pair) = out.windows(2).find(|w| w[0] == w[1]) {
            return Err(Error::axis(op, format!("axis {} of {self} is given twice", pair[0])));
        }
        Ok(out)
    }

    /// This shape without `axes`.
    pub fn without(&self, axes: &[usize]) -> Shape {
        self.iter().enumerate().filter(|(i, _)| !axes.contains(i)).map(|(_, &e)| e).collect()
    }

    /// This shape with the extents of `axes` set to 1.
    pub fn keepdims(&self, axes: &[usize]) -> Shape {
        self.iter().enumerate().map(|(i, &e)| if axes.contains(&i) { 1 } else { e }).collect()
    }
}

impl Deref for Shape {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<T: IntoIterator<Item = usize>>(extents: T) -> Shape {
        extents.into_iter().collect::<Vec<usize>>().into()
    }
}

impl From<&[usize]> for Shape {
    fn from(extents: &[usize]) -> Shape {
        Shape((!extents.is_empty()).then(|| extents.into()))
    }
}

impl From<Vec<usize>> for Shape {
    fn from(extents: Vec<usize>) -> Shape {
        extents.as_slice().into()
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(extents: [usize; N]) -> Shape {
        extents.as_slice().into()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('[')?;
        for (i, extent) in self.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            write!(f, "{extent}")?;
        }
        f.write_char(']')
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasts_from_the_last_axis() {
        let shape = Shape::broadcast("add", &[4, 1, 3].into(), &[5, 1].into()).unwrap();
        assert_eq!(shape, [4, 5, 3].into());
        let error = Shape::broadcast("add", &[2, 3].into(), &[4].into()).unwrap_err();
        assert_eq!(error.to_string(), "add: [2,3] and [4] do not broadcast: 3 ≠ 4");
    }

    #[test]
    fn axes_count_from_both_ends_and_must_differ() {
        let shape: Shape = [2, 3, 4].into();
        assert_eq!(shape.axes("sum", Some(&[-1, 0])).unwrap(), [0, 2]);
        assert!(shape.axes("sum", Some(&[2, -1])).unwrap_err().message.contains("given twice"));
        assert!(shape.axis("sum", 3).unwrap_err().message.contains("expected -3 to 2"));
    }

    #[test]
    fn ravel_inverts_unravel() {
        let shape: Shape = [3, 1, 5].into();
        for i in 0..shape.size() {
            assert_eq!(shape.ravel(&shape.unravel(i)), i);
        }
    }

    #[test]
    fn too_large_a_shape_is_an_error() {
        assert!(Shape::checked("zeros", &[1 << 20, 1 << 20]).is_err());
        assert!(Shape::checked("zeros", &[usize::MAX, 0]).is_ok());
    }
}
