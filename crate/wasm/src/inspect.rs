//! Inspection of what the device runs, as JSON, for tools that draw it.

use crate::error::Result;
use crate::read::promise;
use crate::session::{device, with};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use weft::{Error, Recording};

/// From now on tensors are asked for at the call site of that number.
///
/// Deferred: inspectors ask for it by hand.
#[wasm_bindgen]
pub fn inspect_site(number: u32) {
    if let Ok(device) = device() {
        device.set_call_site(number);
    }
}

/// Answers a question: `record` (what is noted of runs from now on: 0 nothing, 1 which ran and how
/// long each dispatch took, 2 what they were given and whether their results are finite, from the
/// run on whose number is the second), `runs` and `program` of a label, `memory` with the numbers
/// of the nodes of the handles in the text, `finite`, `edited` (the program of a label, its kernel,
/// and another text) and `limits`. A question is a word and its numbers, with spaces between them,
/// then a line break and its text.
///
/// Deferred: inspectors ask for it by hand.
#[wasm_bindgen]
pub fn inspect(question: String) -> Promise {
    promise(async move { Ok(answer(&question).await?.into()) })
}

/// Deferred: inspectors ask for it by hand.
async fn answer(question: &str) -> Result<String> {
    let (words, text) = question.split_once('\n').unwrap_or((question, ""));
    let mut words = words.split(' ');
    let question = words.next().unwrap_or("");
    let [a, b, c] = [0; 3].map(|_: u32| words.next().and_then(|word| word.parse().ok()).unwrap_or(0));
    let inspector = device()?.inspector();
    Ok(match question {
        "record" => {
            let what = [Recording::Off, Recording::Times, Recording::Values];
            inspector.record_runs(what[a.min(2) as usize], b);
            String::new()
        }
        "runs" => inspector.runs(a).await?,
        "program" => inspector.program(a, b as usize)?,
        "memory" => {
            let handles = text.split(',').filter_map(|handle| handle.parse::<u32>().ok());
            let node = |handle| with("inspect", handle, |x| Ok(x.node_number())).ok().flatten();
            let nodes: Vec<u32> = handles.map(|handle| node(handle).unwrap_or(u32::MAX)).collect();
            format!("{{\"held\":{},\"nodes\":{nodes:?}}}", inspector.held_memory())
        }
        "finite" => inspector.first_not_finite().await?,
        "edited" => inspector.run_edited(a, b as usize, c as usize, text).await?,
        "limits" => inspector.measured_limits().await?,
        _ => return Err(Error::value("inspect", "there is no such question").into()),
    })
}
