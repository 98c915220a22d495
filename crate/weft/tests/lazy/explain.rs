//! Explanations of programs: every stage, for loops and branches too. `explain` runs nothing.

use crate::support::control::{cell, input};
use crate::support::{cpu, floats, gpu};
use serde_json::Value;
use weft::{DType, ErrorKind, Explanation, Parameter, Scan};

/// The same explanation as programs read it.
fn json(explanation: &Explanation) -> Value {
    serde_json::from_str(&explanation.json()).expect("it is JSON")
}

#[test]
fn a_function_is_explained_stage_by_stage_and_nothing_runs() {
    for device in [cpu(), gpu()] {
        let x = device.ones(&[64, 1000], DType::F32).unwrap();
        let before = device.stats();
        let explained = device.explain(|inputs| Ok(vec![inputs[0].softmax(-1)?]), &[&x]).unwrap();
        assert_eq!(device.stats(), before, "nothing ran and nothing was compiled for the device");
        assert_eq!(explained.executable.dispatches.len(), 1);
        let text = explained.to_string();
        for wanted in [
            "1 dispatches of 1 kernels; 256000 bytes in, 256000 out, 0 between",
            "# Program\n\n%0: f32[64,1000] = buffer 0\n",
            "cluster 0 walks the rows of [64,1000] along axes [1]: computes ",
            "for cluster 0, ",
            "buffer 0: input, 256000 bytes\nbuffer 1: output, 256000 bytes\n",
            "# Kernel 0\n\nkernel \"",
            "# WGSL of kernel 0\n",
            "@compute",
        ] {
            assert!(text.contains(wanted), "{wanted:?} is not in\n{text}");
        }
        let data = json(&explained);
        assert_eq!(data["text"], text);
        assert_eq!(data["program"], explained.program.to_string());
        assert_eq!(
            data["bytes"],
            serde_json::json!({ "inputs": 256000, "outputs": 256000, "temporaries": 0 })
        );
        assert_eq!(data["dispatches"][0]["buffers"], serde_json::json!([0, 1]));
        assert_eq!(data["dispatches"][0]["times"], 1);
        assert_eq!(data["parts"][0]["clusters"][0]["stores"].as_array().unwrap().len(), 1);
        assert_eq!(data["kernels"][0]["wgsl"], explained.wgsl[0]);
        assert_eq!(data["kernels"][0]["ir"], explained.executable.kernels[0].to_string());
    }
}

#[test]
fn a_cut_tells_its_reason_and_each_dispatch_its_cluster() {
    let device = cpu();
    let (x, w) = (input(&device, &[32, 64], 1), input(&device, &[64, 16], 2));
    let explained = device
        .explain(|i| Ok(vec![i[0].matmul(&i[1])?.log_softmax(-1)?.matmul(&i[1].transpose()?)?]), &[&x, &w])
        .unwrap();
    let data = json(&explained);
    let cuts = data["parts"][0]["cuts"].as_array().unwrap();
    assert!(!cuts.is_empty());
    for cut in cuts {
        let line = format!("cut after %{}: {}\n", cut["node"], cut["reason"].as_str().unwrap());
        assert!(explained.to_string().contains(&line), "{line}");
        let stored = format!("%{}: ", cut["node"]);
        assert!(data["parts"][0]["program"].as_str().unwrap().contains(&stored));
    }
    let clusters = data["parts"][0]["clusters"].as_array().unwrap().len();
    let listed: Vec<u64> =
        data["dispatches"].as_array().unwrap().iter().map(|d| d["cluster"].as_u64().unwrap()).collect();
    assert_eq!(listed, (0..clusters as u64).collect::<Vec<_>>());
    assert!(data["dispatches"][0]["choice"].as_str().unwrap().starts_with("contract rows="));
}

#[test]
fn loops_tell_their_bodies_and_how_often_they_run() {
    let device = cpu();
    let (h, w, xs) = (input(&device, &[2, 4], 1), input(&device, &[4, 4], 2), input(&device, &[9, 2, 4], 3));
    let explained = device
        .explain(
            |i| {
                let iteration = |state: &[_], x: &[_]| Ok((vec![cell(&state[0], &x[0], &i[1])?], vec![]));
                Ok(device.scan(iteration, &[&i[0]], &[&i[2]], Scan::default())?.0)
            },
            &[&h, &w, &xs],
        )
        .unwrap();
    let data = json(&explained);
    assert_eq!(data["parts"].as_array().unwrap().len(), 2);
    let dispatches = data["dispatches"].as_array().unwrap();
    assert!(dispatches.iter().any(|d| d["part"] == 1 && d["times"] == 9), "{explained}");
    assert!(explained.to_string().contains("# Clusters of inner program 1\n"));
    assert!(explained.to_string().contains(" repeat 9 times\n"));
    assert!(data["buffers"].as_array().unwrap().iter().any(|b| b["kind"] == "alias"));
    // A loop inside one kernel is shown as such.
    let explained = device
        .explain(
            |i| device.for_loop(0, 100, |_, state| Ok(vec![state[0].mul(&state[0])?.add(&i[0])?]), &[&i[0]]),
            &[&h],
        )
        .unwrap();
    assert!(explained.to_string().contains("cluster 0, iterations workgroup=64\n"), "{explained}");
}

#[test]
fn a_branch_and_its_gradient_are_explained() {
    let device = cpu();
    let x = input(&device, &[8], 1);
    let explained = device
        .explain(
            |i| {
                weft::grad(
                    |i| {
                        let positive = i[0].sum(None, false)?.greater(0.0)?;
                        let taken = device.cond(
                            &positive,
                            |a| Ok(vec![a[0].exp()?]),
                            |a| Ok(vec![a[0].sin()?]),
                            &[&i[0]],
                        )?;
                        taken[0].sum(None, false)
                    },
                    &[&i[0]],
                )
            },
            &[&x],
        )
        .unwrap();
    assert!(explained.program.to_string().contains("branch"), "{}", explained.program);
    assert!(!explained.executable.dispatches.is_empty());
}

#[test]
fn a_step_writes_over_the_parameter_it_assigns_and_assigns_nothing_now() {
    let device = gpu();
    let weight = Parameter::new(device.tensor(&[1.0f32, 2.0], &[2]).unwrap()).unwrap();
    let explained = device
        .explain(
            |_| {
                weight.set(weight.get()?.mul(0.5)?)?;
                Ok(vec![])
            },
            &[],
        )
        .unwrap();
    assert_eq!(explained.bytes().outputs, 0, "{explained}");
    assert_eq!(explained.executable.dispatches.len(), 1);
    assert_eq!(floats(&weight.get().unwrap()), [1.0, 2.0]);
}

#[test]
fn a_tensor_tells_what_reading_it_would_run_and_nothing_once_it_has_its_value() {
    for device in [cpu(), gpu()] {
        let x = input(&device, &[4, 4], 1);
        let y = x.matmul(&x).unwrap().tanh().unwrap();
        let explained = y.explain().unwrap();
        assert_eq!(explained.executable.dispatches.len(), 1);
        assert!(explained.program.to_string().contains("= tanh %"), "{explained}");
        floats(&y);
        let explained = y.explain().unwrap();
        assert_eq!((explained.program.nodes.len(), explained.executable.dispatches.len()), (0, 0));
    }
}

#[test]
fn what_ran_is_listed_by_label_with_how_often() {
    for device in [cpu(), gpu()] {
        let x = input(&device, &[16], 1);
        floats(&x.exp().unwrap());
        device.label_runs(7);
        for _ in 0..3 {
            floats(&x.sin().unwrap());
        }
        device.label_runs(8);
        floats(&x.cos().unwrap());
        floats(&x.sin().unwrap());
        device.label_runs(0);
        floats(&x.tanh().unwrap());
        let explained = |label| {
            let runs = device.explain_runs(label).unwrap();
            let line =
                |run: &weft::Run| format!("{} {}", run.times, run.explanation.program.nodes[1].op.name());
            runs.iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(explained(7), ["3 sin"]);
        assert_eq!(explained(8), ["1 cos", "1 sin"]);
        assert_eq!(explained(0), [""; 0]);
        assert_eq!(explained(9), [""; 0]);
    }
}

#[test]
fn the_notes_of_what_ran_are_bounded() {
    let device = cpu();
    let x = input(&device, &[2], 1);
    for label in 1..=1100 {
        device.label_runs(label);
        floats(&x.sin().unwrap());
    }
    assert!(device.explain_runs(1).unwrap().is_empty());
    assert_eq!(device.explain_runs(1100).unwrap().len(), 1);
    device.label_runs(2000);
    for extent in 1..100 {
        floats(&input(&device, &[extent], 1).sin().unwrap());
    }
    assert_eq!(device.explain_runs(2000).unwrap().len(), 64);
}

#[test]
fn what_cannot_be_explained_says_why_and_leaves_nothing_open() {
    let device = cpu();
    let x = input(&device, &[3], 1);
    let nested = device.explain(|i| device.explain(|j| Ok(j.to_vec()), &[&i[0]]).map(|_| vec![]), &[&x]);
    assert_eq!(nested.unwrap_err().kind, ErrorKind::Trace);
    let inside = device.explain(|i| i[0].explain().map(|_| vec![]), &[&x]);
    assert_eq!(inside.unwrap_err().kind, ErrorKind::Trace);
    device.begin_transform();
    assert_eq!(device.explain(|i| Ok(i.to_vec()), &[&x]).unwrap_err().kind, ErrorKind::Trace);
    device.end_transform();
    let gone = x.exp().unwrap();
    gone.dispose();
    assert_eq!(gone.explain().unwrap_err().kind, ErrorKind::Disposed);
    assert!(!device.is_tracing());
    assert!(device.explain(|i| Ok(i.to_vec()), &[&x]).is_ok());
}
