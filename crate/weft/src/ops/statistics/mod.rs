//! Covariances and correlations. Distances and histograms are in files of their own.

pub(crate) mod distance;
pub(crate) mod histogram;

use crate::device::tensor::Tensor;
use crate::lazy::build;
use weft_ir::{Error, Result};

impl Tensor {
    /// Covariances of the rows of a matrix, each a variable, over its columns, each an observation;
    /// of a vector its variance. Divided by as many less `correction`, in f32. Errors with `Shape`
    /// above two axes.
    pub fn cov(&self, correction: f64) -> Result<Tensor> {
        let name = "cov";
        if self.rank() == 0 || self.rank() > 2 {
            return Err(Error::shape(name, format!("takes a vector or a matrix, got {}", self.shape())));
        }
        let x = self.about_middle(name, Some(&[-1]))?;
        let x = x.sub(x.mean(Some(&[-1]), true)?)?;
        let count = x.shape()[x.rank() - 1] as f64;
        let found = x.inner(&x)?.div((count - correction).max(0.0))?;
        // One variable has a variance, not a matrix of it.
        if found.size() == 1 { build::reshape(name, &found, &[].into()) } else { Ok(found) }
    }

    /// The rows of this and then those of `other`, vectors being rows.
    pub(crate) fn beside(&self, name: &str, other: Option<Tensor>) -> Result<Tensor> {
        let Some(other) = other else { return Ok(self.clone()) };
        let rows = |x: &Tensor| match x.rank() {
            0 | 1 => build::reshape(name, x, &[1, x.size()].into()),
            _ => Ok(x.clone()),
        };
        let [x, y] = [rows(self)?, rows(&other)?];
        if x.shape()[1..] != y.shape()[1..] {
            let what = format!("{} and {} differ in the number of observations", self.shape(), other.shape());
            return Err(Error::shape(name, what));
        }
        crate::ops::shape::join::concat(&[&x, &y], 0)
    }

    /// Correlations of the rows of a matrix. Otherwise as [`Tensor::cov`].
    pub fn corrcoef(&self) -> Result<Tensor> {
        let covariance = self.cov(0.0)?;
        if covariance.rank() == 0 {
            return covariance.div(&covariance);
        }
        let spread = covariance.diagonal(0, 0, 1)?.sqrt()?;
        covariance.div(spread.outer(&spread)?)?.clip(Some(-1.0), Some(1.0))
    }
}
