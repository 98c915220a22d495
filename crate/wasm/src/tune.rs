//! Races of kernels in idle moments: JavaScript has those, and somewhere to keep the winners.

use crate::error::Result;
use crate::read::promise;
use crate::session::device;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use weft::TuneRecord;

/// Lets kernels race on the open device, or not; `wake` is called when there is something to race for and was nothing before, and must not
/// call back.
#[wasm_bindgen]
pub fn tune_begin(is_on: bool, wake: Function) -> Result<()> {
    let device = device()?;
    device.set_tuning(is_on);
    device.on_tunable(move || _ = wake.call0(&JsValue::UNDEFINED));
    Ok(())
}

/// Races for some milliseconds, if nothing is asked of the device: a promise of 1 if there is more to race for, and 2, added, if a race has
/// ended.
#[wasm_bindgen]
pub fn tune_slice() -> Promise {
    promise(async move {
        let device = device()?;
        let before = device.tune_races();
        let more = device.tune_slice().await?;
        Ok((u32::from(more) + 2 * u32::from(device.tune_races() > before)).into())
    })
}

/// All winners, as text.
#[wasm_bindgen]
pub fn tune_export() -> Result<String> {
    Ok(device()?.tune_export())
}

/// Takes winners; how many were new.
#[wasm_bindgen]
pub fn tune_import(text: &str) -> Result<u32> {
    Ok(device()?.tune_import(text)?.0 as u32)
}

/// The races that were held, as JSON under the names that the package documents.
#[wasm_bindgen]
pub fn tune_log() -> Result<String> {
    let races: Vec<String> = device()?.tune_log().iter().map(json).collect();
    Ok(format!("[{}]", races.join(",")))
}

fn json(record: &TuneRecord) -> String {
    let TuneRecord { key, winner, before, spread, medians } = record;
    let candidate = |(name, median): &(String, Option<u64>)| {
        let median = median.map_or_else(|| "null".to_owned(), |time| time.to_string());
        format!("{{\"choice\":{name:?},\"nanoseconds\":{median}}}")
    };
    let candidates: Vec<String> = medians.iter().map(candidate).collect();
    format!(
        "{{\"key\":{key:?},\"winner\":{winner:?},\"before\":{before:?},\"spread\":{spread},\"candidates\":[{}],\"text\":{:?}}}",
        candidates.join(","),
        record.to_string()
    )
}
