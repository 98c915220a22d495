//! The same runtime in a browser, and its differences there: errors that come later, canvases, work
//! in flight.
#![cfg(target_arch = "wasm32")]

mod common;

use common::{add, dispatch, ill_typed, iota, numbers, scale, shift, single, subgroup_sum, upload};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};
use weft_compile::{Executable, Slot};
use weft_ir::DType;
use weft_ir::error::ErrorKind;
use weft_ir::graph::ValueId;
use weft_runtime::{AdapterFacts, Colormap, ImageLayout, OpenOptions, Runtime};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

async fn open() -> Runtime {
    Runtime::open(OpenOptions::default()).await.expect("these tests need a browser with WebGPU")
}

async fn read(runtime: &Runtime, value: ValueId) -> Vec<f32> {
    numbers(&runtime.read(value).await.unwrap())
}

#[wasm_bindgen_test]
async fn a_program_computes_from_leaves() {
    let runtime = open().await;
    assert_eq!(runtime.adapter().backend, "webgpu");
    let prepared = runtime.prepare(single(add(1000), 1000)).unwrap();
    let (a, b) = (upload(&runtime, &iota(1000)), upload(&runtime, &vec![0.5; 1000]));
    let out = runtime.run(&prepared, &[a, b], &[]).unwrap();
    let expected: Vec<f32> = iota(1000).iter().map(|x| x + 0.5).collect();
    assert_eq!(read(&runtime, out[0]).await, expected);
    runtime.idle().await.unwrap();
}

#[wasm_bindgen_test]
async fn several_values_are_read_with_one_submit() {
    let runtime = open().await;
    let sizes = [1u32, 3, 0, 1000, 5_000_000, 7];
    let values: Vec<_> = sizes.iter().map(|&n| upload(&runtime, &iota(n))).collect();
    let reading = runtime.read_many(&values);
    values.iter().for_each(|&value| runtime.release(value));
    upload(&runtime, &[-1.0; 1000]);
    for (part, size) in reading.await.unwrap().iter().zip(sizes) {
        assert!(numbers(part) == iota(size), "the value of {size} elements differs");
    }
    assert_eq!(runtime.stats().submits, 1);
}

/// A chain of dispatches, each adding a scalar of its own.
fn shifts(length: usize) -> Executable {
    let mut slots = vec![Slot::Leaf(0)];
    slots.extend((1..length).map(|_| Slot::Temporary(256)));
    slots.push(Slot::Output(256));
    Executable {
        kernels: vec![shift(64)],
        dispatches: (0..length).map(|n| dispatch(0, &[n, n + 1], &[n], 64)).collect(),
        slots,
        outputs: vec![length],
        fused: vec![],
        repeats: vec![],
    }
}

#[wasm_bindgen_test]
async fn every_dispatch_sees_its_own_scalars_and_a_repeated_run_creates_nothing() {
    let runtime = open().await;
    let prepared = runtime.prepare(shifts(100)).unwrap();
    let mut x = upload(&runtime, &iota(64));
    let mut created = Vec::new();
    for round in 1..=10u32 {
        let scalars: Vec<u32> = (0..100).map(|n| ((n * round) as f32).to_bits()).collect();
        let y = runtime.run(&prepared, &[x], &scalars).unwrap()[0];
        runtime.release(x);
        x = y;
        created.push(runtime.stats().buffers_created);
    }
    let expected: Vec<f32> = iota(64).iter().map(|x| x + 4950.0 * 55.0).collect();
    assert_eq!(read(&runtime, x).await, expected);
    assert_eq!(created[2], created[9], "{created:?}");
}

#[wasm_bindgen_test]
async fn a_refused_kernel_fails_the_read_of_what_it_computed_and_nothing_else() {
    let runtime = open().await;
    let bad = runtime.prepare(single(ill_typed("crooked"), 4)).unwrap();
    let good = runtime.prepare(single(scale(4, 2.0), 4)).unwrap();
    let a = upload(&runtime, &[1.0; 4]);
    let wrong = runtime.run(&bad, &[a], &[]).unwrap()[0];
    let right = runtime.run(&good, &[a], &[]).unwrap()[0];
    let downstream = runtime.run(&good, &[wrong], &[]).unwrap()[0];

    assert_eq!(read(&runtime, right).await, [2.0; 4]);
    for value in [wrong, downstream, wrong] {
        let error = runtime.read(value).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Internal);
        assert!(error.message.contains("crooked"), "{error}");
    }
    // Now that it is known, it is refused at once, and the rest goes on.
    assert_eq!(runtime.prepare(single(ill_typed("crooked"), 4)).unwrap_err().kind, ErrorKind::Internal);
    assert_eq!(runtime.run(&bad, &[a], &[]).unwrap_err().kind, ErrorKind::Internal);
    assert_eq!(runtime.run(&good, &[downstream], &[]).unwrap_err().kind, ErrorKind::Internal);
    runtime.idle().await.unwrap();
    assert_eq!(read(&runtime, right).await, [2.0; 4]);
}

#[wasm_bindgen_test]
async fn a_refused_kernel_that_nobody_reads_fails_a_wait() {
    let runtime = open().await;
    runtime.prepare(single(ill_typed("askew"), 4)).unwrap();
    let error = runtime.idle().await.unwrap_err();
    assert!(error.message.contains("askew"), "{error}");
    runtime.idle().await.unwrap();
}

#[wasm_bindgen_test]
async fn work_in_flight_is_counted_and_can_be_waited_for() {
    let runtime = open().await;
    let prepared = runtime.prepare(shifts(15)).unwrap();
    let x = upload(&runtime, &[0.0; 64]);
    for _ in 0..20 {
        let y = runtime.run(&prepared, &[x], &[0; 15]).unwrap()[0];
        runtime.release(y);
    }
    // One is submitted by itself, four and eight together, and those behind wait for more.
    assert_eq!(runtime.in_flight(), 4);
    runtime.throttle(3).await.unwrap();
    assert!(runtime.in_flight() <= 3);
    runtime.idle().await.unwrap();
    runtime.throttle(0).await.unwrap();
}

/// wgpu does not ask for subgroups: JavaScript does, before the device is opened.
#[wasm_bindgen_test]
async fn subgroups_work_when_javascript_asks_for_them() {
    let wrap = "(() => {
        const request = GPUAdapter.prototype.requestDevice;
        GPUAdapter.prototype.requestDevice = function (descriptor = {}) {
            const features = [...(descriptor.requiredFeatures ?? [])];
            if (this.features.has('subgroups')) features.push('subgroups');
            return request.call(this, { ...descriptor, requiredFeatures: features });
        };
        return navigator.gpu.requestAdapter().then((adapter) => adapter.features.has('subgroups'));
    })()";
    let promise: js_sys::Promise = js_sys::eval(wrap).unwrap().unchecked_into();
    let has = wasm_bindgen_futures::JsFuture::from(promise).await.unwrap().is_truthy();
    let facts = AdapterFacts { vendor: "a vendor".into(), ..AdapterFacts::default() };
    let options = OpenOptions { web_subgroups: has, web_adapter: Some(facts), ..OpenOptions::default() };
    let runtime = Runtime::open(options).await.unwrap();
    assert_eq!(runtime.adapter().vendor, "a vendor");
    assert_eq!(runtime.limits().subgroups, has);
    if has {
        let prepared = runtime.prepare(single(subgroup_sum(), 64)).unwrap();
        let out = runtime.run(&prepared, &[], &[]).unwrap();
        assert_eq!(read(&runtime, out[0]).await, [0.0; 64]);
    }
    console_log!("subgroups: {has}");
}

#[wasm_bindgen_test]
async fn after_a_loss_everything_fails_alike_and_a_new_device_can_be_opened() {
    let runtime = open().await;
    let prepared = runtime.prepare(single(scale(4, 2.0), 4)).unwrap();
    let a = upload(&runtime, &[1.0; 4]);
    let reading = runtime.read(a);
    runtime.destroy();
    let kinds = [
        reading.await.unwrap_err().kind,
        runtime.read(a).await.unwrap_err().kind,
        runtime.idle().await.unwrap_err().kind,
        runtime.throttle(0).await.unwrap_err().kind,
        runtime.run(&prepared, &[a], &[]).unwrap_err().kind,
    ];
    assert_eq!(kinds, [ErrorKind::DeviceLost; 5]);
    let again = open().await;
    let b = upload(&again, &[3.0; 4]);
    assert_eq!(read(&again, b).await, [3.0; 4]);
}

#[wasm_bindgen_test]
async fn what_a_program_takes_is_timed() {
    let runtime = open().await;
    let prepared = runtime.prepare(single(scale(1 << 20, 2.0), 1 << 20)).unwrap();
    let x = upload(&runtime, &vec![3.0; 1 << 20]);
    let nanoseconds = runtime.time(&prepared, &[x], 64).unwrap().await.unwrap();
    console_log!("64 times in {nanoseconds} ns");
    assert!(nanoseconds > 0.0);
    assert_eq!(read(&runtime, x).await[5], 3.0);
}

#[wasm_bindgen_test]
async fn a_tensor_is_drawn_on_a_canvas_and_follows_its_size() {
    let runtime = open().await;
    let value = upload(&runtime, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    let image = ImageLayout {
        height: 2,
        width: 3,
        channels: 1,
        dtype: DType::F32,
        low: 0.0,
        high: 1.0,
        colormap: Colormap::Gray,
        flip: false,
    };
    let canvas = web_sys::OffscreenCanvas::new(3, 2).unwrap();
    let surface = runtime.surface(canvas.clone()).unwrap();
    let pixels = || {
        let (width, height) = (canvas.width(), canvas.height());
        let copy = web_sys::OffscreenCanvas::new(width, height).unwrap();
        let context: web_sys::OffscreenCanvasRenderingContext2d =
            copy.get_context("2d").unwrap().unwrap().unchecked_into();
        context.draw_image_with_offscreen_canvas(&canvas, 0.0, 0.0).unwrap();
        let data = context.get_image_data(0.0, 0.0, width.into(), height.into()).unwrap().data();
        data.chunks(4).map(|pixel| pixel[0]).collect::<Vec<u8>>()
    };
    runtime.draw(&surface, value, image).unwrap();
    assert_eq!(pixels(), [0, 51, 102, 153, 204, 255]);
    canvas.set_width(6);
    canvas.set_height(2);
    runtime.draw(&surface, value, image).unwrap();
    assert_eq!(pixels(), [0, 0, 51, 51, 102, 102, 153, 153, 204, 204, 255, 255]);
    runtime.draw(&surface, value, ImageLayout { flip: true, ..image }).unwrap();
    assert_eq!(pixels(), [153, 153, 204, 204, 255, 255, 0, 0, 51, 51, 102, 102]);
    runtime.idle().await.unwrap();

    let picture = runtime.draw_to_rgba(value, image, 3, 2).await.unwrap();
    assert_eq!(picture[4..8], [51, 51, 51, 255]);
    let error = runtime.draw(&surface, value, ImageLayout { height: 7, ..image }).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Shape);
}
