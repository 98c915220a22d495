//! A conformance case: its computation, and its expected results.

use super::{Expected, call, number};
use serde_json::Value;
use weft::{Device, ErrorKind, Operand, Result, Tensor};

/// A tensor that a case gave, and what it should be.
pub struct Claim {
    /// What it is, for a report; empty for the result itself.
    pub what: String,
    pub tensor: Tensor,
    pub expected: Value,
    pub tolerance: Value,
}

fn inputs(device: &Device, case: &Value) -> Vec<Operand> {
    let input = |value: &Value| match value.get("number") {
        Some(plain) => Operand::Number(number(plain)),
        None => Operand::Tensor(Expected::parse(value).upload(device)),
    };
    case["inputs"].as_array().expect("inputs").iter().map(input).collect()
}

/// The result of a case's operation.
pub fn value(device: &Device, case: &Value) -> Result<Vec<Claim>> {
    let tensor = call::call(device, case, &inputs(device, case))?;
    let (expected, tolerance) = (case["expected"].clone(), case["tolerance"].clone());
    Ok(vec![Claim { what: String::new(), tensor, expected, tolerance }])
}

/// The gradient of sum(weights · op(inputs)) with respect to each input that has one, or a nested
/// one along `directions`.
pub fn gradient(device: &Device, case: &Value) -> Result<Vec<Claim>> {
    let inputs = inputs(device, case);
    let weights = Expected::parse(&case["weights"]).upload(device);
    let expected = case["gradients"].as_array().expect("gradients");
    let directions = case["directions"].as_array().into_iter().flatten();
    let directions: Vec<Tensor> = directions.map(|d| Expected::parse(d).upload(device)).collect();
    let has_gradient = |n: &usize| !expected[*n].is_null();
    let is_tensor = |n: &usize| matches!(inputs[*n], Operand::Tensor(_));
    // Nested, it is the one of the first tensor.
    let wrt: Vec<usize> = match directions[..] {
        [] => (0..inputs.len()).filter(has_gradient).collect(),
        _ => (0..inputs.len()).filter(is_tensor).take(1).collect(),
    };
    let tensors: Vec<&Tensor> = wrt.iter().map(|&n| as_tensor(&inputs[n])).collect();
    let score = |marks: &[Tensor]| {
        let mut inputs = inputs.clone();
        for (&n, mark) in wrt.iter().zip(marks) {
            inputs[n] = Operand::Tensor(mark.clone());
        }
        call::call(device, case, &inputs)?.mul(&weights)?.sum(None, false)
    };
    let gradients = nested(&score, &tensors, &directions)?;
    let expected = expected.iter().filter(|gradient| !gradient.is_null());
    let claim = |((&n, tensor), expected): ((&usize, Tensor), &Value)| Claim {
        what: format!("gradient of input {n} "),
        tensor,
        expected: expected.clone(),
        tolerance: case["tolerance"].clone(),
    };
    Ok(wrt.iter().zip(gradients).zip(expected).map(claim).collect())
}

type Score<'a> = &'a dyn Fn(&[Tensor]) -> Result<Tensor>;

fn nested(score: Score<'_>, at: &[&Tensor], directions: &[Tensor]) -> Result<Vec<Tensor>> {
    match directions.split_last() {
        None => weft::grad(score, at),
        Some((last, before)) => weft::grad(
            |marks| {
                let inner = nested(score, &marks.iter().collect::<Vec<_>>(), before)?;
                inner[0].mul(last)?.sum(None, false)
            },
            at,
        ),
    }
}

fn as_tensor(operand: &Operand) -> &Tensor {
    match operand {
        Operand::Tensor(tensor) => tensor,
        Operand::Number(_) => panic!("a number has no gradient"),
    }
}

/// What is wrong with how a case is refused, if anything is.
pub fn refusal(device: &Device, case: &Value) -> Option<String> {
    if !is_expressible(case) {
        return None;
    }
    let error = match call::call(device, case, &inputs(device, case)) {
        Ok(tensor) => return Some(format!("was accepted and gave {tensor}")),
        Err(error) => error,
    };
    let (expected, text) = (case["error"].as_str().expect("a class"), error.to_string());
    if error.kind.class() != expected || error.kind == ErrorKind::Internal {
        return Some(format!("gave {} ({text}), expected {expected}", error.kind.class()));
    }
    let mut mentions =
        case["mentions"].as_array().expect("mentions").iter().map(|m| m.as_str().expect("a string"));
    mentions.find(|mention| !text.contains(mention)).map(|m| format!("{text:?} does not mention {m:?}"))
}

/// Whether Rust's types let the mistake be made at all: extents and counts are unsigned, and data
/// is never nested.
fn is_expressible(case: &Value) -> bool {
    fn is_unsigned(value: &Value) -> bool {
        match value {
            Value::Array(list) => list.iter().all(is_unsigned),
            Value::Null => true,
            number => number.is_u64(),
        }
    }
    let (op, attrs) = (case["op"].as_str().expect("an op"), &case["attrs"]);
    let unsigned: &[&str] = match op {
        "zeros" | "ones" | "full" | "broadcastTo" => &["shape"],
        "pad" => &["pads"],
        "linspace" => &["num"],
        "eye" => &["n", "m"],
        "oneHot" => &["numClasses"],
        _ => &[],
    };
    op != "tensor" && unsigned.iter().all(|key| is_unsigned(&attrs[*key]))
}
