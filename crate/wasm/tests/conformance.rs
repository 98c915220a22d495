//! Conformance in a browser, whose own shader compiler compiles the kernels. Every operation gives
//! what NumPy (and, for random numbers and gradients, JAX) gives, in the committed cases of
//! `tests/conformance`, which `crate/weft/tests` runs natively.
//! `cargo xtask test --full` runs it.
#![cfg(target_arch = "wasm32")]

#[path = "../../weft/tests/support/mod.rs"]
mod support;

use serde_json::Value;
use support::case::{self, Claim};
use support::{difference_of, program};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};
use weft::{Device, Result};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// Cases that are begun at a time. While the browser computes those, the next are begun.
const TOGETHER: usize = 32;

type Compute = fn(&Device, &Value) -> Result<Vec<Claim>>;

macro_rules! groups {
    ($($folder:ident { $($group:ident: $compute:expr;)* })*) => {
        $($(#[wasm_bindgen_test]
        async fn $group() {
            let text = include_str!(concat!(
                "../../../tests/conformance/cases/", stringify!($folder), "/", stringify!($group), ".json"
            ));
            run(stringify!($group), text, $compute).await;
        })*)*
    };
}

groups! {
    elementwise {
        unary: case::value;
        binary: case::value;
        composite: case::value;
        promote: case::value;
        packed: case::value;
        identities: program::claims;
    }
    arrays {
        create: case::value;
        view: case::value;
        index: case::value;
        order: case::value;
        reduce: case::value;
    }
    linear {
        matmul: case::value;
        linalg: program::claims;
        fft: program::claims;
        windows: case::value;
        windows_gradients: case::gradient;
        nn: case::value;
    }
    random {
        random: case::value;
        samplers: case::value;
    }
    special {
        special: case::value;
        special_gradients: case::gradient;
        rarities: program::claims;
    }
    transforms {
        gradients: case::gradient;
        transforms: program::claims;
        nesting: program::claims;
        programs: program::claims;
    }
}

async fn gpu() -> Device {
    Device::gpu(Default::default()).await.expect("these tests need a browser with WebGPU")
}

fn parse(text: &str) -> Vec<Value> {
    serde_json::from_str(text).expect("the file is an array")
}

/// Runs the cases of a group and reports those that fail.
async fn run(group: &str, text: &str, compute: Compute) {
    let (device, cases) = (gpu().await, parse(text));
    let (mut failed, mut before) = (Vec::new(), Vec::new());
    for some in cases.chunks(TOGETHER) {
        let begun = some.iter().map(|case| (case, begin(&device, case, compute))).collect();
        failed.extend(wrong_of(std::mem::replace(&mut before, begun)).await);
    }
    failed.extend(wrong_of(before).await);
    report(group, cases.len(), &failed);
}

/// Those that fail of cases that were begun.
async fn wrong_of<F: Future<Output = Result<Vec<u32>>>>(
    begun: Vec<(&Value, Result<Begun<F>>)>,
) -> Vec<String> {
    let mut failed = Vec::new();
    for (case, outcome) in begun {
        let wrong = match outcome {
            Ok(claims) => first_wrong(claims).await,
            Err(error) => Some(format!("failed: {error}")),
        };
        failed.extend(wrong.map(|what| format!("\n  {}: {what}", case["name"].as_str().unwrap_or("?"))));
    }
    failed
}

fn report(group: &str, cases: usize, failed: &[String]) {
    console_log!("{group}: {} of {cases} cases agree", cases - failed.len());
    let shown: String = failed.iter().take(40).map(String::as_str).collect();
    assert!(failed.is_empty(), "{} of {cases} {group} cases fail:{shown}", failed.len());
}

/// A claim whose words are being read.
type Begun<F> = Vec<(Claim, F)>;

fn begin(
    device: &Device,
    case: &Value,
    compute: Compute,
) -> Result<Begun<impl Future<Output = Result<Vec<u32>>> + use<>>> {
    let claims = compute(device, case)?;
    let begin = |claim: Claim| {
        let words = claim.tensor.words();
        (claim, words)
    };
    Ok(claims.into_iter().map(begin).collect())
}

async fn first_wrong(claims: Begun<impl Future<Output = Result<Vec<u32>>>>) -> Option<String> {
    for (claim, words) in claims {
        let wrong = match words.await {
            Ok(words) => difference_of(&claim.tensor, &words, &claim.expected, &claim.tolerance),
            Err(error) => Some(format!("reading failed: {error}")),
        };
        if let Some(wrong) = wrong {
            return Some(format!("{}{wrong}", claim.what));
        }
    }
    None
}

#[wasm_bindgen_test]
async fn errors() {
    let device = gpu().await;
    let cases = parse(include_str!("../../../tests/conformance/cases/errors.json"));
    let name = |case: &Value| case["name"].as_str().unwrap_or("?").to_owned();
    let wrong = |case: &Value| Some(format!("\n  {}: {}", name(case), case::refusal(&device, case)?));
    let failed: Vec<String> = cases.iter().filter_map(wrong).collect();
    report("errors", cases.len(), &failed);
}
