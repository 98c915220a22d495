//! Two tiers of pipelines, with a compiler that answers when the test lets it: what compiles soon
//! serves at once, what is fast takes over between steps, and no bit changes.

use crate::support::wait;
use std::cell::RefCell;
use std::rc::Rc;
use weft::{DType, Device, Tensor};
use weft_runtime::{AdapterFacts, BackgroundCompiler, OpenOptions};

/// What was asked for and is not compiled.
type Asked = Rc<RefCell<Vec<(String, Box<dyn FnOnce()>)>>>;

/// Software that is taken for hardware, with a compiler that never answers by itself.
fn slow(is_slow: bool) -> (Device, Asked) {
    let asked = Asked::default();
    let list = Rc::clone(&asked);
    let compile = move |code: &str, _, done| list.borrow_mut().push((code.to_owned(), done));
    let options = OpenOptions {
        web_adapter: Some(AdapterFacts { is_fallback: false, ..AdapterFacts::default() }),
        compiler: is_slow.then(|| BackgroundCompiler(Rc::new(compile))),
        ..OpenOptions::default()
    };
    (wait(Device::gpu(options)).expect("a GPU, or a Vulkan driver that stands for one"), asked)
}

/// Has everything compiled that was asked for; the lengths of the texts.
fn answer(asked: &Asked) -> Vec<usize> {
    let all = asked.take();
    let (texts, answers): (Vec<usize>, Vec<_>) =
        all.into_iter().map(|(text, done)| (text.len(), done)).unzip();
    answers.into_iter().for_each(|done| done());
    texts
}

fn operand(device: &Device, seed: f32) -> Tensor {
    let values: Vec<f32> = (0..512 * 512).map(|n| (n as f32 * seed).sin()).collect();
    device.tensor(&values, &[512, 512]).unwrap()
}

fn bits(tensor: &Tensor) -> Vec<u32> {
    wait(tensor.words()).unwrap()
}

#[test]
fn what_compiles_soon_serves_and_the_fast_kernel_takes_over_between_steps() {
    let (at_once, _) = slow(false);
    let expected = bits(&operand(&at_once, 0.3).matmul(&operand(&at_once, 0.7)).unwrap());

    let (device, asked) = slow(true);
    let (x, y) = (operand(&device, 0.3), operand(&device, 0.7));
    let step = || x.matmul(&y).unwrap();
    assert!(bits(&step()) == expected);
    let texts: Vec<usize> = asked.borrow().iter().map(|(text, _)| text.len()).collect();
    assert!(texts[1] > 2 * texts[0], "{texts:?} bytes");

    // What is fast is being compiled, and no step waits for it.
    let (short, compiled) = (texts.len(), device.stats().pipelines_compiled);
    for _ in 0..5 {
        assert!(bits(&step()) == expected);
        assert_eq!(asked.borrow().len(), short);
    }
    answer(&asked);
    for _ in 0..3 {
        assert!(bits(&step()) == expected);
    }
    assert_eq!(answer(&asked).len(), 0, "all is compiled");
    assert_eq!(device.stats().pipelines_compiled, compiled, "both texts are one kernel's");
}

/// A value that a program stored with one tier is compared with what another makes of it.
#[test]
fn a_value_equals_itself_across_a_swap() {
    let (device, asked) = slow(true);
    let (x, y) = (operand(&device, 0.3), operand(&device, 0.7));
    let step = || x.matmul(&y).unwrap().mul(&x).unwrap().add(&y).unwrap();
    let before = step();
    let top = before.max(None, false).unwrap();
    device.realize(&[&before, &top]).unwrap();
    answer(&asked);
    let stored = bits(&top);
    answer(&asked);
    let count = step().equal(&top).unwrap().cast(DType::F32).unwrap().sum(None, false).unwrap();
    answer(&asked);
    assert_eq!((wait(count.item()).unwrap(), bits(&top)), (1.0, stored));
}

/// One kernel serves both, and a capture that came first has it swapped too.
#[test]
fn eager_and_captured_steps_share_both_tiers() {
    let (device, asked) = slow(true);
    let (x, y) = (operand(&device, 0.3), operand(&device, 0.7));
    device.trace_begin().unwrap();
    let given = device.placeholder(&[512, 512], DType::F32).unwrap();
    let product = given.matmul(&y).unwrap();
    let captured = device.trace_end(&[&product], &[&given]).unwrap();
    let call = || captured.call(&[&x], &[], &[]).unwrap().remove(0);
    let expected = bits(&call());
    let (texts, compiled) = (answer(&asked).len(), device.stats().pipelines_compiled);
    assert!(texts as u64 > compiled, "something has two texts");
    assert!(bits(&call()) == expected);
    assert!(bits(&x.matmul(&y).unwrap()) == expected);
    assert_eq!((answer(&asked).len(), device.stats().pipelines_compiled), (0, compiled));
}
