//! Does every operation give what NumPy (and, for random numbers and gradients, JAX) gives? The committed cases of
//! `tests/conformance`, on the CPU device and on a GPU.

mod support;

use serde_json::Value;
use support::{Expected, call, cases, cpu, difference, gpu, number};
use weft::{Device, ErrorKind, Operand, Result, Tensor};

macro_rules! groups {
    ($($group:ident: $check:ident;)*) => {
        mod on_the_cpu {
            $(#[test] fn $group() { super::run(stringify!($group), super::cpu(), super::$check); })*
        }
        mod on_a_gpu {
            $(#[test] fn $group() { super::run(stringify!($group), super::gpu(), super::$check); })*
        }
    };
}

groups! {
    unary: value;
    binary: value;
    reduce: value;
    view: value;
    matmul: value;
    nn: value;
    index: value;
    create: value;
    promote: value;
    random: value;
    gradients: gradient;
    errors: refusal;
}

/// Runs all cases of a group and reports those that fail.
fn run(group: &str, device: Device, check: fn(&Device, &Value) -> Result<Option<String>>) {
    let cases = cases(group);
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let what = check(&device, case).unwrap_or_else(|error| Some(format!("failed: {error}")))?;
            Some(format!("{}: {what}", case["name"].as_str().unwrap_or("?")))
        })
        .collect();
    let shown = failed.iter().take(40).map(|f| format!("\n  {f}")).collect::<String>();
    assert!(failed.is_empty(), "{} of {} {group} cases fail:{shown}", failed.len(), cases.len());
}

fn inputs(device: &Device, case: &Value) -> Vec<Operand> {
    let input = |value: &Value| match value.get("number") {
        Some(plain) => Operand::Number(number(plain)),
        None => Operand::Tensor(Expected::parse(value).upload(device)),
    };
    case["inputs"].as_array().expect("inputs").iter().map(input).collect()
}

fn value(device: &Device, case: &Value) -> Result<Option<String>> {
    let result = call::call(device, case, &inputs(device, case))?;
    Ok(difference(&result, &case["expected"], &case["tolerance"]))
}

/// The gradient of sum(weights · op(inputs)) with respect to each input that has one, or a nested one along `directions`.
fn gradient(device: &Device, case: &Value) -> Result<Option<String>> {
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
    let mut expected = expected.iter().filter(|gradient| !gradient.is_null());
    let tensors: Vec<&Tensor> = wrt.iter().map(|&n| as_tensor(&inputs[n])).collect();
    let score = |marks: &[Tensor]| {
        let mut inputs = inputs.clone();
        for (&n, mark) in wrt.iter().zip(marks) {
            inputs[n] = Operand::Tensor(mark.clone());
        }
        call::call(device, case, &inputs)?.mul(&weights)?.sum(None, false)
    };
    let gradients = nested(&score, &tensors, &directions)?;
    let differs = wrt.iter().zip(&gradients).find_map(|(&n, gradient)| {
        let what = difference(gradient, expected.next()?, &case["tolerance"])?;
        Some(format!("gradient of input {n} {what}"))
    });
    Ok(differs)
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

fn refusal(device: &Device, case: &Value) -> Result<Option<String>> {
    if !is_expressible(case) {
        return Ok(None);
    }
    let error = match call::call(device, case, &inputs(device, case)) {
        Ok(tensor) => return Ok(Some(format!("was accepted and gave {tensor}"))),
        Err(error) => error,
    };
    let (expected, text) = (case["error"].as_str().expect("a class"), error.to_string());
    if error.kind.class() != expected || error.kind == ErrorKind::Internal {
        return Ok(Some(format!("gave {} ({text}), expected {expected}", error.kind.class())));
    }
    let mut mentions =
        case["mentions"].as_array().expect("mentions").iter().map(|m| m.as_str().expect("a string"));
    Ok(mentions.find(|mention| !text.contains(mention)).map(|m| format!("{text:?} does not mention {m:?}")))
}

/// Whether Rust's types let the mistake be made at all: extents and counts are unsigned, and data is never nested.
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
