//! Description of a node that yields something not finite: what it computes, where it was asked
//! for, and the ranges of what it read.

use super::Inspector;
use super::evaluate::{Item, kinds, leaf};
use super::finite::Found;
use std::fmt::Write;
use weft_compile::explain::quoted;
use weft_ir::build::{Build, ProgramBuilder};
use weft_ir::op::{Op, ReduceOp, region};
use weft_ir::program::{ProgramId, ProgramNode};
use weft_ir::{DType, Literal, Result, Shape};

/// Inputs that are described.
const MOST_INPUTS: usize = 8;

/// See the module.
pub(super) struct Origin {
    op: String,
    detail: String,
    is_given: bool,
    iterations: Vec<u32>,
    value: Described,
    inputs: Vec<(String, Described)>,
}

/// A value, and how it is spread.
struct Described {
    dtype: DType,
    shape: Shape,
    site: u32,
    /// Of the finite elements; as bits in JSON.
    range: Option<[f32; 2]>,
    nan: u32,
    infinite: u32,
    /// Where the first element is that is not finite.
    first: Option<Vec<usize>>,
}

impl Origin {
    /// Of a node that was found.
    pub async fn of(device: &Inspector, found: &Found) -> Result<Origin> {
        let Found { program, node, given, .. } = found;
        let own = &program[*node];
        let mut inputs = own.inputs.clone();
        inputs.dedup();
        inputs.truncate(MOST_INPUTS);
        let mut values = device.values(program, given, &inputs).await?;
        // Of a region that part which is not finite.
        let results: Vec<ProgramId> = match region::is_region(&own.op) {
            true => program.ids().filter(|&id| is_part_of(&program[id], *node)).collect(),
            false => vec![*node],
        };
        values.extend(device.values(program, given, &results).await?);
        let ids: Vec<ProgramId> = inputs.iter().chain(&results).copied().collect();
        let mut described = Vec::new();
        for (&id, item) in ids.iter().zip(&values) {
            let mut it = device.describe(item, &program[id]).await?;
            it.site = found.site_of(id);
            described.push(it);
        }
        let of_results = described.split_off(inputs.len());
        let mut worst: Option<Described> = None;
        for it in of_results {
            let is_worse = |before: &Described| (it.nan, it.infinite) > (before.nan, before.infinite);
            if worst.as_ref().is_none_or(is_worse) {
                worst = Some(it);
            }
        }
        let mut value = worst.expect("a node that is found is read");
        value.site = found.site_of(*node);
        let name = |&id: &ProgramId| match &program[id].op {
            Op::Constant(literal) => format!("{literal}"),
            op => op.name().to_owned(),
        };
        let op = match &own.op {
            Op::Kernel(it) => format!("kernel {}", it.kernel.name),
            op => op.name().to_owned(),
        };
        Ok(Origin {
            op,
            detail: own.attributes().trim().to_owned(),
            is_given: own.op.is_leaf(),
            iterations: found.iterations.clone(),
            value,
            inputs: inputs.iter().map(name).zip(described).collect(),
        })
    }

    /// Whether something that it read is infinite.
    pub fn has_infinite_input(&self) -> bool {
        self.inputs.iter().any(|(_, input)| input.infinite > 0)
    }
}

fn is_part_of(node: &ProgramNode, region: ProgramId) -> bool {
    matches!(node.op, Op::Part { .. }) && node.inputs == [region]
}

/// As JSON.
pub(super) fn describe(origin: &Origin) -> String {
    let mut out = String::from("{");
    let Origin { op, detail, is_given, iterations, value, inputs } = origin;
    let _ = write!(
        out,
        "\"op\":{},\"detail\":{},\"given\":{is_given},\"iterations\":{iterations:?},\"value\":{}",
        quoted(op),
        quoted(detail),
        value.json("")
    );
    out.push_str(",\"inputs\":[");
    for (n, (name, input)) in inputs.iter().enumerate() {
        out.push_str(if n > 0 { "," } else { "" });
        out.push_str(&input.json(name));
    }
    out.push_str("]}");
    out
}

impl Described {
    fn json(&self, name: &str) -> String {
        let Described { dtype, shape, site, range, nan, infinite, first } = self;
        let range = range.map_or("null".to_owned(), |range| format!("{:?}", range.map(f32::to_bits)));
        let first = first.as_ref().map_or("null".to_owned(), |first| format!("{first:?}"));
        format!(
            "{{\"name\":{},\"dtype\":\"{dtype}\",\"shape\":{:?},\"site\":{site},\"range\":{range},\"nan\":{nan},\"infinite\":{infinite},\"first\":{first}}}",
            quoted(name),
            &shape[..]
        )
    }
}

impl Inspector {
    /// How the elements of a value are spread; by reductions on the device.
    async fn describe(&self, item: &Item, node: &ProgramNode) -> Result<Described> {
        let mut described = Described {
            dtype: node.dtype,
            shape: node.shape.clone(),
            site: 0,
            range: None,
            nan: 0,
            infinite: 0,
            first: None,
        };
        let size = node.shape.size();
        if size == 0 {
            return Ok(described);
        }
        let mut builder = ProgramBuilder::default();
        let x = leaf(&mut builder, item, node);
        let build: &mut dyn Build = &mut builder;
        let flat: Shape = [size].into();
        let x = build.reshape(x, &flat)?;
        let outputs = if node.dtype == DType::F32 {
            let [nan, infinite] = kinds(build, x)?;
            let bad = build.binary(weft_ir::op::Binary::Or, nan, infinite)?;
            let low = build.replace_where(bad, x, f64::from(f32::MAX))?;
            let high = build.replace_where(bad, x, f64::from(f32::MIN))?;
            let (nans, infinities) = (build.cast(nan, DType::I32)?, build.cast(infinite, DType::I32)?);
            let places = build.positions(size)?;
            let last = build.full(Literal::I32(i32::MAX), &flat)?;
            let places = build.select(bad, places, last)?;
            vec![
                build.reduce(ReduceOp::Min, low, &[0])?,
                build.reduce(ReduceOp::Max, high, &[0])?,
                build.sum(nans, &[0])?,
                build.sum(infinities, &[0])?,
                build.reduce(ReduceOp::Min, places, &[0])?,
            ]
        } else {
            let whole = build.cast(x, DType::F32)?;
            vec![build.reduce(ReduceOp::Min, whole, &[0])?, build.reduce(ReduceOp::Max, whole, &[0])?]
        };
        // Each an output of its own, though two be equal.
        let made = self.evaluate(builder.finish(&outputs, &[]), std::slice::from_ref(item))?;
        let words = self.words_of(&made).await?;
        let word = |n: usize| words.get(n).and_then(|words| words.first()).copied().unwrap_or(0);
        let [min, max] = [0, 1].map(|n| f32::from_bits(word(n)));
        described.range = (min <= max).then_some([min, max]);
        (described.nan, described.infinite) = (word(2), word(3));
        if described.nan + described.infinite > 0 {
            described.first = Some(node.shape.unravel(word(4) as usize));
        }
        Ok(described)
    }
}
