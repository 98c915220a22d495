//! Sums of products written with letters, as NumPy's `einsum`.
//!
//! Operands are multiplied two at a time, the pair next whose product grows least, so that long
//! products stay small.
//!
//! Deferred: few programs name axes by letters.

use crate::device::tensor::Tensor;
use crate::lazy::build;
use crate::ops::contract::tensordot::contraction;
use std::collections::BTreeMap;
use weft_ir::op::ReduceOp;
use weft_ir::{DType, Error, Result};

/// The letter of an axis, or the place from the end of one that an ellipsis stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Unnamed(std::cmp::Reverse<usize>),
    Letter(char),
}

/// A tensor whose axes have labels, each once.
struct Term {
    tensor: Tensor,
    labels: Vec<Label>,
}

/// The sum of products that `text` writes: labels of each operand's axes, and after an arrow those
/// of the result. Without an arrow it has the labels that stand once, in the order of letters. `…`
/// or `...` stand for axes that broadcast; like letters they are summed over where the result has
/// them not, as in JAX (NumPy refuses that).
///
/// Errors with `Value` for text that says nothing, with `Shape` where it does not fit the operands.
pub fn einsum(text: &str, tensors: &[&Tensor]) -> Result<Tensor> {
    let name = "einsum";
    let wrong = |what: String| Error::value(name, format!("\"{text}\": {what}"));
    let text: String = text.replace('…', "...").chars().filter(|c| !c.is_whitespace()).collect();
    let (given, wanted) = match text.split_once("->") {
        Some((given, wanted)) => (given, Some(wanted)),
        None => (&text[..], None),
    };
    let parts: Vec<&str> = given.split(',').collect();
    if tensors.is_empty() || parts.len() != tensors.len() {
        return Err(wrong(format!("{} operands are written, {} given", parts.len(), tensors.len())));
    }
    let dtype = tensors.iter().map(|t| t.dtype()).fold(DType::Bool, DType::promote).accumulate();
    let (mut terms, mut extents, mut times) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for (part, tensor) in parts.iter().zip(tensors) {
        let labels = labels(part, Some(tensor.rank())).map_err(&wrong)?;
        if labels.len() != tensor.rank() {
            return Err(Error::shape(
                name,
                format!("\"{part}\" does not name the axes of {}", tensor.shape()),
            ));
        }
        for (n, (label, &extent)) in labels.iter().zip(&tensor.shape()[..]).enumerate() {
            let first =
                labels[..n].iter().position(|other| other == label).map(|first| tensor.shape()[first]);
            if let Some(first) = first.filter(|first| *first != extent) {
                let what = format!("\"{part}\": a diagonal of axes of {first} and {extent}, which differ");
                return Err(Error::shape(name, what));
            }
        }
        for (&label, &extent) in labels.iter().zip(&tensor.shape()[..]) {
            let known = extents.entry(label).or_insert(extent);
            if *known == 1 {
                *known = extent;
            }
            if extent != *known && extent != 1 {
                return Err(Error::shape(
                    name,
                    format!("\"{part}\": an axis is {extent} long here and {known} elsewhere"),
                ));
            }
            *times.entry(label).or_insert(0) += 1;
        }
        terms.push((build::cast(name, tensor, dtype)?, labels));
    }
    let all_unnamed = extents.keys().filter(|label| matches!(label, Label::Unnamed(_))).count();
    let result = match wanted {
        Some(wanted) => {
            let rank =
                wanted.contains("...").then(|| wanted.replace("...", "").chars().count() + all_unnamed);
            labels(wanted, rank).map_err(&wrong)?
        }
        None => times
            .iter()
            .filter(|(l, n)| **n == 1 || matches!(l, Label::Unnamed(_)))
            .map(|(&l, _)| l)
            .collect(),
    };
    for (n, label) in result.iter().enumerate() {
        if !extents.contains_key(label) || result[..n].contains(label) {
            return Err(wrong("the result names an axis twice, or one that no operand has".into()));
        }
    }
    let mut terms = terms.into_iter().map(|(x, l)| Term::new(x, l, &extents)).collect::<Result<Vec<_>>>()?;
    while terms.len() > 1 {
        let (i, j) = cheapest(&terms, &result);
        let right = terms.remove(j);
        let left = terms.remove(i);
        let needed =
            |label: Label| result.contains(&label) || terms.iter().any(|t| t.labels.contains(&label));
        let product = left
            .summed(&|l| needed(l) || right.labels.contains(&l))?
            .times(&right.summed(&|l| needed(l) || left.labels.contains(&l))?, &needed)?;
        terms.push(product);
    }
    let last = terms.remove(0).summed(&|label| result.contains(&label))?;
    // Axes that only operands of extent 1 have were summed away.
    let order = result.iter().filter_map(|label| last.labels.iter().position(|l| l == label)).collect();
    let shape: Vec<usize> = result.iter().map(|label| extents[label]).collect();
    build::reshape(name, &build::permute(name, &last.tensor, order)?, &shape.into())
}

/// The labels of the axes of one operand, or of the result.
fn labels(part: &str, rank: Option<usize>) -> std::result::Result<Vec<Label>, String> {
    let (before, after) = match part.split_once("...") {
        Some((before, after)) => (before, Some(after)),
        None => (part, None),
    };
    let letter = |c: char| match c {
        c if c.is_alphabetic() => Ok(Label::Letter(c)),
        c => Err(format!("{c:?} is no letter")),
    };
    let mut labels = before.chars().map(letter).collect::<std::result::Result<Vec<_>, _>>()?;
    let Some(after) = after else { return Ok(labels) };
    let after = after.chars().map(letter).collect::<std::result::Result<Vec<_>, _>>()?;
    let open = rank.unwrap_or(0).saturating_sub(labels.len() + after.len());
    labels.extend((0..open).map(|n| Label::Unnamed(std::cmp::Reverse(open - n))));
    labels.extend(after);
    Ok(labels)
}

/// The two terms whose product has the fewest elements more than they.
fn cheapest(terms: &[Term], result: &[Label]) -> (usize, usize) {
    let mut best = (f64::INFINITY, (0, 1));
    for j in 1..terms.len() {
        for i in 0..j {
            let kept = |label: &Label| {
                let others = terms.iter().enumerate().filter(|(n, _)| *n != i && *n != j);
                result.contains(label) || others.into_iter().any(|(_, t)| t.labels.contains(label))
            };
            let mut size = 1.0;
            for (n, label) in terms[i].labels.iter().enumerate() {
                size *= if kept(label) { terms[i].tensor.shape()[n] as f64 } else { 1.0 };
            }
            for (n, label) in terms[j].labels.iter().enumerate() {
                let counted = terms[i].labels.contains(label) || !kept(label);
                size *= if counted { 1.0 } else { terms[j].tensor.shape()[n] as f64 };
            }
            let growth = size - terms[i].tensor.size() as f64 - terms[j].tensor.size() as f64;
            if growth < best.0 {
                best = (growth, (i, j));
            }
        }
    }
    best.1
}

impl Term {
    /// Of axes with the same label the diagonal; axes of 1 that are longer elsewhere vanish.
    fn new(mut tensor: Tensor, mut labels: Vec<Label>, extents: &BTreeMap<Label, usize>) -> Result<Term> {
        let name = "einsum";
        for axis in (0..labels.len()).rev() {
            if tensor.shape()[axis] == 1 && extents[&labels[axis]] != 1 {
                tensor = build::reshape(name, &tensor, &tensor.shape().without(&[axis]))?;
                labels.remove(axis);
            }
        }
        let mut axis = 0;
        while axis < labels.len() {
            match labels[..axis].iter().position(|l| *l == labels[axis]) {
                Some(first) => {
                    tensor = tensor.diagonal_of(name, 0, first as i64, axis as i64)?;
                    let label = labels.remove(axis);
                    labels.remove(first);
                    labels.push(label);
                    axis = 0;
                }
                None => axis += 1,
            }
        }
        Ok(Term { tensor, labels })
    }

    /// Summed over what is not needed.
    fn summed(&self, needed: &dyn Fn(Label) -> bool) -> Result<Term> {
        let axes: Vec<usize> = (0..self.labels.len()).filter(|&n| !needed(self.labels[n])).collect();
        let tensor = build::reduce("einsum", ReduceOp::Sum, &self.tensor, &axes, false)?;
        Ok(Term { tensor, labels: self.labels.iter().copied().filter(|&l| needed(l)).collect() })
    }

    /// The product with another, summed over what both have and nobody needs.
    fn times(&self, other: &Term, needed: &dyn Fn(Label) -> bool) -> Result<Term> {
        let (mut shared, mut pairs, mut labels, mut free) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (n, &label) in self.labels.iter().enumerate() {
            match other.labels.iter().position(|&l| l == label) {
                Some(m) if needed(label) => {
                    shared.push((n, m));
                    labels.push(label);
                }
                Some(m) => pairs.push((n, m)),
                None => free.push(label),
            }
        }
        labels.extend(free);
        labels.extend(other.labels.iter().copied().filter(|l| !self.labels.contains(l)));
        Ok(Term { tensor: contraction("einsum", &self.tensor, &other.tensor, &shared, &pairs)?, labels })
    }
}
