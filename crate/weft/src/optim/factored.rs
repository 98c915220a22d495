//! Adafactor and SM3: second moments as sums over the axes of a parameter, or maxima along them,
//! instead of a number for each element.
//!
//! Deferred: most training uses SGD or Adam.

use super::{Facts, Rule, Step, average};
use crate::device::tensor::Tensor;
use crate::ops::elementwise::select;
use weft_ir::{Decimal, Error, Result, order};

/// Adafactor (Shazeer & Stern 2018), as optax's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adafactor {
    /// Learning rate.
    pub lr: f64,
    /// Where the two largest extents of a parameter are at least this, its second moment is kept as
    /// means over either.
    pub least_factored: usize,
    /// Step t keeps 1 − t^(−`decay_rate`) of the second moment.
    pub decay_rate: f64,
    /// Whether steps are in proportion to the parameter's root mean square.
    pub in_proportion: bool,
    /// The largest root mean square of a step before it is scaled.
    pub threshold: f64,
    /// How much of the last step stays; without one no steps are kept.
    pub momentum: Option<f64>,
    /// This times the parameter is taken from it, whatever the learning rate.
    pub weight_decay: f64,
    /// Added to squares of gradients.
    pub eps: f64,
}

/// The least root mean square that a parameter is taken to have.
const LEAST_SCALE: f64 = 1e-3;

impl Adafactor {
    /// The axes of the second largest and of the largest extent, where both are large.
    fn factored(&self, shape: &[usize]) -> Option<(usize, usize)> {
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        order::sort_by_key(&mut axes, |axis| shape[axis] as u64);
        let &[.., second, first] = &axes[..] else { return None };
        (shape[second] >= self.least_factored).then_some((second, first))
    }
}

fn mean_square(x: &Tensor) -> Result<Tensor> {
    x.square()?.mean(None, false)
}

fn without(shape: &[usize], axis: usize) -> Vec<usize> {
    [&shape[..axis], &shape[axis + 1..]].concat()
}

impl Rule for Adafactor {
    fn facts(&self) -> Facts {
        let options = vec![
            ("the decay rate", self.decay_rate, f64::INFINITY),
            ("the momentum", self.momentum.unwrap_or(0.0), 1.0),
            ("the weight decay", self.weight_decay, f64::INFINITY),
            ("eps", self.eps, f64::INFINITY),
        ];
        Facts { name: "adafactor", lr: self.lr, options, states: 1 }
    }

    fn check(&self) -> Result<()> {
        // This refuses NaN too.
        if self.threshold > 0.0 {
            return Ok(());
        }
        Err(Error::value(
            "adafactor",
            format!("the threshold must be above 0, got {}", Decimal::from(self.threshold)),
        ))
    }

    fn shapes(&self, shape: &[usize]) -> Vec<Vec<usize>> {
        let mut shapes = match self.factored(shape) {
            Some((second, first)) => vec![without(shape, first), without(shape, second)],
            None => vec![shape.to_vec()],
        };
        shapes.extend(self.momentum.map(|_| shape.to_vec()));
        shapes
    }

    fn numbers(&self, step: i32, lr: f64) -> Vec<f64> {
        let rest = f64::from(step).powf(-self.decay_rate);
        let momentum = self.momentum.unwrap_or(0.0);
        vec![
            1.0 - rest,
            rest,
            lr,
            self.eps,
            1.0 / self.threshold,
            momentum,
            1.0 - momentum,
            self.weight_decay,
        ]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let Step { parameter: p, gradient, state, .. } = step;
        let [kept, rest, lr, eps, over_threshold, momentum, remainder, decay] = step.numbers();
        let squares = gradient.square()?.add(eps)?;
        let (step, mut next) = match self.factored(p.shape()) {
            Some((second, first)) => {
                let over = |axis: usize| squares.mean(Some(&[axis as i64]), false);
                let rows = average(&state[0], kept, over(first)?, rest)?;
                let columns = average(&state[1], kept, over(second)?, rest)?;
                let place = second - usize::from(second > first);
                let share = rows.div(rows.mean(Some(&[place as i64]), true)?)?.rsqrt()?;
                let along = |x: Tensor, axis: usize| x.expand_dims(axis as i64);
                let step = gradient.mul(along(share, first)?)?.mul(along(columns.rsqrt()?, second)?)?;
                (step, vec![rows, columns])
            }
            None => {
                let squares = average(&state[0], kept, squares, rest)?;
                (gradient.mul(squares.rsqrt()?)?, vec![squares])
            }
        };
        let excess = mean_square(&step)?.sqrt()?.mul(over_threshold)?.maximum(1.0)?;
        let mut step = step.div(excess)?.mul(lr)?;
        if self.in_proportion {
            step = step.mul(mean_square(p)?.sqrt()?.maximum(LEAST_SCALE)?)?;
        }
        if self.momentum.is_some() {
            step = average(&state[state.len() - 1], momentum, step, remainder)?;
            next.push(step.clone());
        }
        if self.weight_decay != 0.0 {
            step = step.add(p.mul(decay)?)?;
        }
        next.insert(0, p.sub(step)?);
        Ok(next)
    }
}

/// The square root of minima of sums of maxima (Anil et al. 2019), as optax's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sm3 {
    /// Learning rate.
    pub lr: f64,
    /// How much of the last step stays.
    pub momentum: f64,
}

/// Added below the root.
const SM3_EPS: f64 = 1e-8;

impl Rule for Sm3 {
    fn facts(&self) -> Facts {
        Facts { name: "sm3", lr: self.lr, options: vec![("the momentum", self.momentum, 1.0)], states: 2 }
    }

    fn shapes(&self, shape: &[usize]) -> Vec<Vec<usize>> {
        // A 0-d parameter has no axis, and keeps one accumulator.
        let mut shapes: Vec<Vec<usize>> = shape.iter().map(|&extent| vec![extent]).collect();
        if shape.is_empty() {
            shapes.push(Vec::new());
        }
        shapes.push(shape.to_vec());
        shapes
    }

    fn numbers(&self, _: i32, lr: f64) -> Vec<f64> {
        vec![self.momentum, 1.0 - self.momentum, lr]
    }

    fn update(&self, step: Step<'_>) -> Result<Vec<Tensor>> {
        let Step { parameter: p, gradient, state, .. } = step;
        let [momentum, remainder, lr] = step.numbers();
        let rank = p.shape().len();
        let (sums, running) = state.split_at(state.len() - 1);
        let mut least: Option<Tensor> = None;
        for (axis, sum) in sums.iter().enumerate() {
            let shape: Vec<i64> =
                (0..rank).map(|n| if n == axis { p.shape()[n] as i64 } else { 1 }).collect();
            let sum = sum.reshape(&shape)?;
            least = Some(match least {
                Some(least) => least.minimum(sum)?,
                None => sum,
            });
        }
        let squares = gradient.square()?;
        let squares = match least {
            Some(least) => squares.add(least)?,
            None => squares,
        };
        // Where the accumulator is 0 there is no step, rather than a division by it.
        let scale = select(&squares.equal(0.0)?, 0.0, squares.add(SM3_EPS)?.rsqrt()?)?;
        let step = average(&running[0], momentum, gradient.mul(scale)?, remainder)?;
        let others = |axis: usize| (0..rank as i64).filter(|&n| n != axis as i64).collect::<Vec<_>>();
        let mut next = vec![p.sub(step.mul(lr)?)?];
        for axis in 0..sums.len() {
            next.push(if rank < 2 { squares.clone() } else { squares.max(Some(&others(axis)), false)? });
        }
        next.push(step);
        Ok(next)
    }
}
