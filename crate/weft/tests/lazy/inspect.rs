//! Inspections: recorded runs and their times, the first value that is not finite, memory, and
//! kernels with another text.

use crate::support::{cpu, floats, gpu, wait};
use serde_json::Value;
use weft::{DType, Device, Parameter, Recording, Result, Tensor, grad, select};

/// The bits of a site that are its number.
const NUMBER: u64 = (1 << 30) - 1;
/// The bit that says that it is of a derivative.
const OF_GRADIENT: u64 = 1 << 31;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn vector(device: &Device, values: &[f32]) -> Tensor {
    device.tensor(values, &[values.len()]).unwrap()
}

/// What is found in what `f` computes, whose sites it sets itself.
fn found(device: &Device, f: impl Fn(&Device) -> Result<Vec<Tensor>>) -> Value {
    device.inspector().record_runs(Recording::Values, 0);
    let outputs = f(device).unwrap();
    device.realize(&outputs.iter().collect::<Vec<_>>()).unwrap();
    let report = json(&wait(device.inspector().first_not_finite()).unwrap());
    device.inspector().record_runs(Recording::Off, 0);
    report
}

/// The site's number.
fn line(value: &Value) -> u64 {
    value["value"]["site"].as_u64().unwrap() & NUMBER
}

fn is_gradient(value: &Value) -> bool {
    value["value"]["site"].as_u64().unwrap() & OF_GRADIENT != 0
}

/// Floats that are recognised by their bits.
fn numbers(bits: &Value) -> Vec<f32> {
    bits.as_array().unwrap().iter().map(|bits| f32::from_bits(bits.as_u64().unwrap() as u32)).collect()
}

fn range(value: &Value) -> Vec<f32> {
    numbers(&value["range"])
}

/// A function of a device whose operations are asked for at the sites it sets.
type Case = fn(&Device) -> Result<Vec<Tensor>>;

fn at(device: &Device, line: u32) {
    device.set_call_site(line);
}

#[test]
fn the_first_nan_is_found_where_it_was_asked_for() {
    let cases: [(&str, Case, u64, &str, &[u64]); 8] = [
        (
            "a logarithm of what is negative",
            |d| {
                at(d, 1);
                let x = vector(d, &[1.0, 2.0, -3.0]);
                at(d, 2);
                let y = x.mul(2.0)?;
                at(d, 3);
                let y = y.log()?;
                at(d, 4);
                Ok(vec![y.add(1.0)?.sum(None, false)?])
            },
            3,
            "log",
            &[],
        ),
        (
            "nothing divided by nothing",
            |d| {
                at(d, 1);
                let x = vector(d, &[0.0, 2.0]);
                at(d, 2);
                let y = x.div(&x.mul(3.0)?)?;
                at(d, 3);
                Ok(vec![y.mul(&y)?])
            },
            2,
            "div",
            &[],
        ),
        (
            "a difference of infinities",
            |d| {
                at(d, 1);
                let x = vector(d, &[1.0, 100.0]);
                at(d, 2);
                let y = x.exp()?;
                at(d, 3);
                let z = y.sub(&y.mul(1.5)?)?;
                at(d, 4);
                Ok(vec![z.sum(None, false)?])
            },
            3,
            "sub",
            &[],
        ),
        (
            "a gradient",
            |d| {
                at(d, 1);
                let x = vector(d, &[0.0, 4.0]);
                at(d, 9);
                let gradients = grad(
                    |x| {
                        at(d, 2);
                        let y = x[0].mul(&x[0])?;
                        at(d, 3);
                        let y = y.sqrt()?;
                        at(d, 4);
                        y.sum(None, false)
                    },
                    &[&x],
                )?;
                Ok(gradients)
            },
            2,
            "mul",
            &[],
        ),
        (
            "an iteration of a loop",
            |d| {
                at(d, 1);
                let x = vector(d, &[3.0, 0.5]);
                d.for_loop(
                    0,
                    8,
                    |_, y| {
                        at(d, 2);
                        let y = y[0].sub(1.0)?;
                        at(d, 3);
                        let root = y.sqrt()?;
                        at(d, 4);
                        Ok(vec![select(&root.greater(-1.0)?, &root, &root.mul(2.0)?)?])
                    },
                    &[&x],
                )
            },
            3,
            "sqrt",
            &[0],
        ),
        (
            "a later iteration",
            |d| {
                at(d, 1);
                let x = vector(d, &[3.0, 2.5]);
                d.for_loop(
                    0,
                    8,
                    |_, y| {
                        at(d, 2);
                        let y = y[0].sub(1.0)?;
                        at(d, 3);
                        Ok(vec![y.add(&y.sqrt()?.mul(0.0)?)?])
                    },
                    &[&x],
                )
            },
            3,
            "sqrt",
            &[2],
        ),
        (
            "data",
            |d| {
                at(d, 7);
                let x = vector(d, &[1.0, f32::NAN]);
                at(d, 8);
                Ok(vec![x.add(1.0)?])
            },
            7,
            "buffer",
            &[],
        ),
        (
            "one that is masked and one that is not",
            |d| {
                at(d, 1);
                let x = vector(d, &[1.0, -1.0]);
                at(d, 2);
                let y = select(&x.greater(0.0)?, &x.log()?, &x)?;
                at(d, 3);
                let z = y.asin()?.add(&y.mul(3.0)?.acos()?)?;
                at(d, 4);
                Ok(vec![z.sum(None, false)?, y])
            },
            3,
            "",
            &[],
        ),
    ];
    for device in [cpu(), gpu()] {
        for (name, case, wanted, op, iterations) in &cases {
            let report = found(&device, *case);
            assert_eq!(report["found"], "nan", "{name}: {report}");
            let origin = &report["origin"];
            assert_eq!(line(origin), *wanted, "{name} on {:?}: {report}", device.kind());
            assert_eq!(is_gradient(origin), *name == "a gradient", "{name}: {report}");
            if !op.is_empty() {
                assert_eq!(origin["op"], *op, "{name}: {report}");
            }
            let own: Vec<u64> =
                origin["iterations"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
            assert_eq!(own, *iterations, "{name}: {report}");
        }
    }
}

#[test]
fn a_nan_of_infinities_tells_where_these_came_from() {
    for device in [cpu(), gpu()] {
        let report = found(&device, |d| {
            at(d, 1);
            let x = vector(d, &[1.0, 100.0, 0.0]);
            at(d, 2);
            let y = x.exp()?;
            at(d, 3);
            let z = y.mul(0.0)?;
            at(d, 4);
            Ok(vec![z.sum(None, false)?])
        });
        assert_eq!((line(&report["origin"]), line(&report["cause"])), (3, 2), "{report}");
        assert_eq!(report["origin"]["op"], "mul");
        assert_eq!(report["cause"]["op"], "exp");
        assert_eq!(report["origin"]["value"]["first"], serde_json::json!([1]));
        assert_eq!(range(&report["cause"]["inputs"][0]), [0.0, 100.0], "{report}");
        assert_eq!(report["origin"]["inputs"][0]["infinite"], 1, "{report}");
    }
}

#[test]
fn what_is_finite_is_said_to_be() {
    for device in [cpu(), gpu()] {
        let report = found(&device, |d| Ok(vec![vector(d, &[1.0, 2.0]).exp()?]));
        assert_eq!(report["found"], Value::Null);
        assert_eq!(report["runs"], 1);
    }
}

#[test]
fn the_step_of_a_training_loop_is_found_with_its_parameters_as_they_were() {
    for device in [cpu(), gpu()] {
        device.inspector().record_runs(Recording::Values, 0);
        let w = Parameter::new(vector(&device, &[3.0])).unwrap();
        let mut seen = Vec::new();
        for _ in 0..6 {
            device.set_call_site(1);
            let next = w.get().unwrap().sub(1.0).unwrap();
            device.set_call_site(2);
            let next = next.add(next.sqrt().unwrap().mul(0.0).unwrap()).unwrap();
            w.set(next).unwrap();
            device.flush_parameters().unwrap();
            seen.push(floats(&w.get().unwrap())[0]);
        }
        assert_eq!(seen[..3], [2.0, 1.0, 0.0]);
        assert!(seen[3].is_nan());
        let report = json(&wait(device.inspector().first_not_finite()).unwrap());
        assert_eq!((&report["found"], line(&report["origin"])), (&Value::from("nan"), 2), "{report}");
        assert_eq!(range(&report["origin"]["inputs"][0]), [-1.0, -1.0], "{report}");
        device.inspector().record_runs(Recording::Off, 0);
    }
}

#[test]
fn recorded_runs_tell_programs_and_times() {
    for device in [cpu(), gpu()] {
        device.label_runs(5);
        device.inspector().record_runs(Recording::Times, 0);
        let x = device.ones(&[64, 64], DType::F32).unwrap();
        for _ in 0..3 {
            floats(&x.matmul(&x).unwrap().softmax(-1).unwrap().sum(None, false).unwrap());
        }
        device.label_runs(0);
        let report = json(&wait(device.inspector().runs(5)).unwrap());
        let runs = report["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 3, "{report}");
        assert_eq!(report["programs"].as_array().unwrap().len(), 1, "{report}");
        assert_eq!(report["programs"][0]["times"], 3);
        let program = json(&device.inspector().program(5, 0).unwrap());
        assert_eq!(program["same"], true);
        let stages = &program["stages"];
        let dispatches = stages["dispatches"].as_array().unwrap();
        for run in runs {
            assert!(run["returned"].as_f64().unwrap() >= run["asked"].as_f64().unwrap());
            if report["timestamps"] == true {
                let times = run["dispatches"].as_array().unwrap();
                assert_eq!(times.len(), 3 * dispatches.len(), "{report}");
                for time in times.chunks(3) {
                    assert!(time[2].as_f64().unwrap() >= time[1].as_f64().unwrap());
                }
            }
        }
        let product = 2.0 * 64f64.powi(3);
        let work: f64 = dispatches.iter().map(|it| it["operations"].as_f64().unwrap()).sum();
        assert!(work >= product && work < 1.2 * product, "{work}");
        assert!(dispatches.iter().all(|it| it["bytes"].as_u64().unwrap() > 0));
        // Every node of the simplified program that is no leaf is computed by some cluster.
        let part = &stages["parts"][0];
        let computed: Vec<u64> = part["clusters"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|it| it["computes"].as_array().unwrap())
            .map(|id| id.as_u64().unwrap())
            .collect();
        for (n, node) in part["nodes"].as_array().unwrap().iter().enumerate() {
            let is_leaf = node["op"] == "buffer" || node["op"] == "scalar";
            assert!(is_leaf || computed.contains(&(n as u64)), "{n} of {part}");
        }
        device.inspector().record_runs(Recording::Off, 0);
        assert_eq!(json(&wait(device.inspector().runs(6)).unwrap())["programs"], serde_json::json!([]));
    }
}

#[test]
fn every_iteration_of_a_loop_is_timed() {
    let device = gpu();
    device.label_runs(1);
    device.inspector().record_runs(Recording::Times, 0);
    let x = device.ones(&[64, 64], DType::F32).unwrap();
    let made = device.for_loop(0, 5, |_, y| Ok(vec![y[0].matmul(&y[0])?.softmax(-1)?]), &[&x]).unwrap();
    floats(&made[0]);
    let report = json(&wait(device.inspector().runs(1)).unwrap());
    let stages = &json(&device.inspector().program(1, 0).unwrap())["stages"];
    let all: u64 =
        stages["dispatches"].as_array().unwrap().iter().map(|it| it["times"].as_u64().unwrap()).sum();
    let run = &report["runs"][0];
    if report["timestamps"] == true {
        assert_eq!(run["dispatches"].as_array().unwrap().len() as u64, 3 * all, "{report}");
    }
    device.inspector().record_runs(Recording::Off, 0);
}

#[test]
fn memory_is_listed_with_the_label_it_was_asked_for_under() {
    for device in [cpu(), gpu()] {
        device.label_runs(3);
        let x = device.tensor(&[1.0f32; 1000], &[10, 100]).unwrap();
        device.label_runs(4);
        let y = x.mul(2.0).unwrap();
        device.realize(&[&y]).unwrap();
        let report = json(&device.inspector().held_memory());
        let values = report["values"].as_array().unwrap();
        assert_eq!(values.len(), 2, "{report}");
        let mut sites: Vec<u64> = values.iter().map(|value| value["site"].as_u64().unwrap()).collect();
        sites.sort_unstable();
        assert_eq!(sites, [3, 4]);
        assert_eq!(values[0]["form"], "f32[10,100]");
        let node = u64::from(y.node_number().unwrap());
        assert!(values.iter().any(|value| value["nodes"] == serde_json::json!([node])));
    }
}

#[test]
fn an_edited_kernel_runs_beside_the_original_and_is_not_kept() {
    let device = gpu();
    device.label_runs(2);
    device.inspector().record_runs(Recording::Values, 0);
    let x = vector(&device, &[1.0, 2.0, 3.0]);
    assert_eq!(floats(&x.mul(2.0).unwrap().add(1.0).unwrap()), [3.0, 5.0, 7.0]);
    let program = json(&device.inspector().program(2, 0).unwrap());
    let wgsl = program["stages"]["kernels"][0]["wgsl"].as_str().unwrap();
    let edit = |text: &str| wait(device.inspector().run_edited(2, 0, 0, text));
    let same = json(&edit(wgsl).unwrap());
    assert_eq!(same["outputs"][0]["differ"], 0, "{same}");
    let store = wgsl.lines().find(|line| line.contains("] = ")).unwrap();
    let (left, right) = store.split_once(" = ").unwrap();
    let changed = wgsl.replace(store, &format!("{left} = 10.0 + ({});", right.trim_end_matches(';')));
    let report = json(&edit(&changed).unwrap());
    assert_eq!(report["outputs"][0]["differ"], 3, "{report}");
    assert_eq!(report["outputs"][0]["largest"], 10f32.to_bits());
    assert_eq!(numbers(&report["outputs"][0]["before"]), [3.0, 5.0, 7.0], "{report}");
    assert_eq!(numbers(&report["outputs"][0]["after"]), [13.0, 15.0, 17.0]);
    let refused = edit(&wgsl.replace(store, "    nonsense;")).unwrap_err();
    let line = wgsl.lines().position(|line| line == store).unwrap() + 1;
    assert!(refused.message.contains(&format!("line {line}")), "{refused}");
    let moved = edit(&wgsl.replace("@binding(0)", "@binding(7)")).unwrap_err();
    assert!(moved.message.contains("bindings"), "{moved}");
    assert_eq!(floats(&x.mul(2.0).unwrap().add(1.0).unwrap()), [3.0, 5.0, 7.0], "the original serves");
    device.inspector().record_runs(Recording::Off, 0);
}

#[test]
fn limits_are_measured() {
    let report = json(&wait(gpu().inspector().measured_limits()).unwrap());
    assert!(report["copy"].as_f64().unwrap() > 0.0 && report["product"].as_f64().unwrap() > 0.0, "{report}");
}
