//! Conformance with NumPy and, for random numbers and gradients, with JAX: the committed cases of
//! `tests/conformance`, on the CPU device and on a GPU.
//!
//! Where a software adapter passes for hardware or for a phone, so that the kernels meant for those
//! run without them, a share of the cases runs that rotates from commit to commit. A landing takes
//! a quarter of them on the GPU as it is, and a quick run an eighth. `crate/wasm/tests` runs them
//! in a browser.

use crate::support::case::{self, Claim};
use crate::support::rotation::{Tier, share, tier};
use crate::support::{
    cases, cpu, difference, difference_of, extents, gpu, hardware, phone, program, tiers, wait,
};
use serde_json::{Value, json};
use weft::{Device, Result, Tensor};

macro_rules! groups {
    ($($group:ident: $check:ident;)*) => {
        mod on_the_cpu {
            $(#[test] fn $group() { super::run(stringify!($group), super::cpu(), (0, 1), super::$check); })*
        }
        mod on_a_gpu {
            $(#[test] fn $group() { super::run(stringify!($group), super::gpu(), super::on_gpu(), super::$check); })*
        }
        mod as_on_hardware {
            $(#[test] fn $group() { super::run(stringify!($group), super::hardware(), super::share(8, 0), super::$check); })*
        }
        mod as_on_a_phone {
            $(#[test] fn $group() { super::run(stringify!($group), super::phone(), super::share(8, 1), super::$check); })*
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
    composite: value;
    windows: value;
    order: value;
    promote: value;
    packed: value;
    random: value;
    gradients: gradient;
    windows_gradients: gradient;
    errors: refusal;
    transforms: program;
    nesting: program;
    programs: program;
    linalg: program;
    fft: program;
    samplers: value;
    special: value;
    rarities: program;
    identities: program;
    special_gradients: gradient;
}

#[test]
fn every_operation_has_a_case() {
    let groups = [
        "unary",
        "binary",
        "reduce",
        "view",
        "matmul",
        "nn",
        "index",
        "create",
        "composite",
        "windows",
        "order",
        "promote",
        "random",
        "samplers",
        "special",
    ];
    let tried: Vec<Value> = groups.into_iter().flat_map(cases).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance/operations.json");
    let rows: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let names = rows.as_object().unwrap().keys().map(String::as_str);
    // Those of several results are steps of programs.
    let steps = ["linalg", "fft", "rarities"].into_iter().flat_map(cases);
    let steps = steps.map(|case| case["main"][1].to_string()).collect::<String>();
    // JAX draws these otherwise: `distributions.rs` tries them.
    let drawn = [
        "ball",
        "beta",
        "binomial",
        "chisquare",
        "dirichlet",
        "doubleSidedMaxwell",
        "f",
        "gamma",
        "generalizedNormal",
        "loggamma",
        "multinomial",
        "orthogonal",
        "poisson",
        "t",
    ];
    let is_tried = |name: &str| {
        tried.iter().any(|case| case["op"] == *name)
            || steps.contains(&format!("[\"{name}\",["))
            || name.strip_prefix("random.").is_some_and(|name| drawn.contains(&name))
    };
    let untried: Vec<&str> = names.filter(|name| !is_tried(name)).collect();
    assert!(untried.is_empty(), "add a case of {untried:?} to tests/conformance/cases");
}

/// Families of algorithms, with the names that their cases call; `linalg.` stands for all that
/// begins so.
const FAMILIES: [(&str, &[&str]); 13] = [
    (
        "reductions",
        &["sum", "prod", "mean", "max", "min", "all", "any", "logSumExp", "variance", "countNonzero"],
    ),
    ("argument reductions", &["argmax", "argmin"]),
    ("scans", &["cumsum", "cumprod", "cummax", "cummin", "logCumSumExp"]),
    ("gathers", &["take", "takeAlongAxis"]),
    ("scatters", &["at"]),
    ("segments", &["segmentSum", "segmentMax", "segmentMin", "segmentMean"]),
    ("sorts", &["sort", "argsort", "lexsort"]),
    ("members", &["uniqueCount", "searchSorted", "union1dWithSize", "setdiff1dWithSize"]),
    ("Fourier transforms", &["fft.fft", "fft.ifft", "fft.rfft", "fft.fftn"]),
    ("convolutions", &["conv", "convTranspose", "convolve"]),
    ("windows", &["reduceWindow", "averageWindow"]),
    ("linear algebra", &["linalg."]),
    ("picks", &["random.permutation"]),
];

/// Of NumPy's and SciPy's cases: that each family has some of each size, for an axis of an input or
/// for all of it. What is larger than a file should hold is in `sizes.rs`.
#[test]
fn every_family_has_cases_of_every_size() {
    let is_prime = |n: usize| n > 2 && (2..n).take_while(|k| k * k <= n).all(|k| !n.is_multiple_of(k));
    type Size<'a> = (&'a str, &'a dyn Fn(usize) -> bool);
    let sizes: [Size<'_>; 6] = [
        ("nothing", &|n| n == 0),
        ("one", &|n| n == 1),
        ("odd", &|n| n > 1 && n % 2 == 1),
        ("prime", &is_prime),
        ("a power of two", &|n| n > 1 && n.is_power_of_two()),
        ("beyond a workgroup", &|n| n > 256),
    ];
    let groups = ["reduce", "composite", "order", "index", "windows", "linalg", "fft"];
    let all: Vec<Value> = groups.into_iter().flat_map(cases).collect();
    let (mut count, mut holes) = (0, Vec::new());
    for (family, names) in FAMILIES {
        let calls =
            |name: &str| names.iter().any(|&n| n == name || (n.ends_with('.') && name.starts_with(n)));
        let of_family = all.iter().filter(|case| match case["op"].as_str() {
            Some(op) => calls(op),
            None => {
                let steps = case["main"][1].as_array().expect("steps");
                steps.iter().any(|step| step[0].as_str().is_some_and(calls))
            }
        });
        let of_family: Vec<&Value> = of_family.collect();
        count += of_family.len();
        let inputs = of_family.iter().filter_map(|case| case["inputs"].as_array()).flatten();
        // Neither numbers nor the key of a draw.
        let is_key = |input: &&Value| input["dtype"] == "u32" && input["shape"] == json!([2]);
        let inputs = inputs.filter(|input| !input["shape"].is_null() && !is_key(input));
        let shapes: Vec<Vec<usize>> = inputs.map(|input| extents(&input["shape"])).collect();
        for (size, is_such) in sizes {
            let has = |shape: &Vec<usize>| {
                is_such(shape.iter().product()) || shape.iter().any(|&extent| is_such(extent))
            };
            if !shapes.iter().any(has) {
                holes.push(format!("{family}: {size}"));
            }
        }
    }
    assert!(holes.is_empty(), "add cases to tests/conformance/cases: {holes:?}");
    assert!(count >= 400, "{count} cases");
}

/// Which cases the GPU gets: the first, and how many further on the next is.
fn on_gpu() -> (usize, usize) {
    match tier() {
        Tier::Quick => share(8, 0),
        Tier::Landing | Tier::Full => share(4, 0),
    }
}

/// Runs cases of a group, the first of `sample` and then every so many, and reports those that
/// fail.
fn run(
    group: &str,
    device: Device,
    sample: (usize, usize),
    check: fn(&Device, &Value) -> Result<Option<String>>,
) {
    let cases: Vec<Value> = cases(group).into_iter().skip(sample.0).step_by(sample.1).collect();
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

/// Linear algebra has cases that are large enough for kernels with two texts; `lazy/tiers.rs` has
/// more work that is. The shorter text serves first, then the other: results have the same bits,
/// which are right.
#[test]
fn in_both_tiers() {
    let (device, served) = tiers();
    let words = |claims: &[Claim]| {
        let tensors: Vec<&Tensor> = claims.iter().map(|claim| &claim.tensor).collect();
        wait(device.read_all(&tensors)).expect("the results can be read")
    };
    let mut pairs = 0;
    let (first, step) = share(2, 2);
    for case in cases("linalg").iter().skip(first).step_by(step) {
        let name = &case["name"];
        let before = program::claims(&device, case).unwrap();
        let bits = words(&before);
        for (claim, words) in before.iter().zip(&bits) {
            let wrong = difference_of(&claim.tensor, words, &claim.expected, &claim.tolerance);
            assert_eq!(wrong, None, "{name}, {}", claim.what);
        }
        let compiled = served.take();
        if !compiled.is_empty() {
            pairs += compiled.len();
            compiled.into_iter().for_each(|done| done());
            assert!(words(&program::claims(&device, case).unwrap()) == bits, "{name}: bits differ");
        }
    }
    assert!(pairs > 0, "no kernel has two texts");
}

fn value(device: &Device, case: &Value) -> Result<Option<String>> {
    Ok(first_wrong(&case::value(device, case)?))
}

fn gradient(device: &Device, case: &Value) -> Result<Option<String>> {
    Ok(first_wrong(&case::gradient(device, case)?))
}

fn refusal(device: &Device, case: &Value) -> Result<Option<String>> {
    Ok(case::refusal(device, case))
}

fn program(device: &Device, case: &Value) -> Result<Option<String>> {
    let claims = program::claims(device, case)?;
    let tensors: Vec<&Tensor> = claims.iter().map(|claim| &claim.tensor).collect();
    let words = wait(device.read_all(&tensors))?;
    Ok(claims.iter().zip(words).find_map(|(claim, words)| {
        let wrong = difference_of(&claim.tensor, &words, &claim.expected, &claim.tolerance)?;
        Some(format!("{}{wrong}", claim.what))
    }))
}

fn first_wrong(claims: &[Claim]) -> Option<String> {
    claims.iter().find_map(|claim| {
        let wrong = difference(&claim.tensor, &claim.expected, &claim.tolerance)?;
        Some(format!("{}{wrong}", claim.what))
    })
}
