//! Two tiers of pipelines, with a compiler that answers when the test lets it: what compiles soon
//! serves at once, what is fast takes over between steps, and no bit changes.

use crate::support::{tiers, wait};
use std::cell::RefCell;
use std::rc::Rc;
use weft::fft::{Kind, Norm, transform};
use weft::{Convolution, DType, Device, Result, Tensor, grad};
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

/// Work of sizes in which devices have kernels with two texts.
type Work = (&'static str, &'static [&'static [usize]], fn(&[Tensor]) -> Result<Tensor>);
const WORK: [Work; 11] = [
    ("product", &[&[512, 128], &[128, 512]], |x| x[0].matmul(&x[1])),
    ("odd sizes", &[&[389, 77], &[77, 397]], |x| x[0].matmul(&x[1])),
    ("batch", &[&[3, 256, 64], &[3, 64, 256]], |x| x[0].matmul(&x[1])),
    ("transposed", &[&[64, 512], &[64, 384]], |x| x[0].transpose()?.matmul(&x[1])),
    ("layer", &[&[512, 64], &[384, 64], &[384]], |x| {
        x[0].matmul(&x[1].transpose()?)?.add(&x[2])?.gelu()?.mul(&x[0].sum(Some(&[1]), true)?)
    }),
    ("convolution", &[&[8, 34, 34, 16], &[3, 3, 16, 64]], |x| {
        let how = Convolution {
            input: vec![0, 3, 1, 2],
            kernel: vec![3, 2, 0, 1],
            output: vec![0, 3, 1, 2],
            ..Convolution::new(2)
        };
        x[0].conv(&x[1], &how)?.relu()
    }),
    ("attention", &[&[8, 256, 32], &[8, 256, 32], &[8, 256, 32]], |x| {
        x[0].matmul(&x[1].swap_axes(1, 2)?)?.softmax(-1)?.matmul(&x[2])
    }),
    ("gradient", &[&[384, 128], &[128, 384]], |x| {
        let loss = |w: &[Tensor]| x[0].matmul(&w[0])?.square()?.sum(None, false);
        Ok(grad(loss, &[&x[1]])?.remove(0))
    }),
    ("transform", &[&[8, 1024]], |x| transformed(&x[0], 1)),
    ("transform of columns", &[&[512, 4]], |x| transformed(&x[0], 0)),
    ("sort", &[&[8, 1000]], |x| x[0].sort(1, false)),
];

/// Whether floats differ by at most 2⁻²⁰ of the largest: compilers may contract the products of
/// complex numbers in one text of a Fourier transform and not in the other.
fn near(before: &[u32], after: &[u32]) -> bool {
    let largest = before.iter().map(|&bits| f32::from_bits(bits).abs()).fold(0.0, f32::max);
    let apart = |(&a, &b): (&u32, &u32)| (f32::from_bits(a) - f32::from_bits(b)).abs();
    before.iter().zip(after).all(|pair| apart(pair) <= largest / 1_048_576.0)
}

/// The real parts of a Fourier transform along an axis.
fn transformed(x: &Tensor, axis: i64) -> Result<Tensor> {
    Ok(transform(x, None, Some(&[axis]), None, Kind::Forward, Norm::Backward)?.re)
}

#[test]
fn both_texts_of_a_kernel_give_the_same_bits() {
    let mut without = Vec::new();
    for (name, shapes, make) in WORK {
        let (device, served) = tiers();
        let inputs = shapes.iter().enumerate().map(|(n, shape)| {
            let size: usize = shape.iter().product();
            let values: Vec<f32> = (0..size).map(|at| ((at * 7 + n * 3) as f32 * 0.37).sin()).collect();
            device.tensor(&values, shape).unwrap()
        });
        let inputs: Vec<Tensor> = inputs.collect();
        let before = bits(&make(&inputs).unwrap());
        let compiled = served.take();
        if compiled.is_empty() {
            without.push(name);
            continue;
        }
        compiled.into_iter().for_each(|done| done());
        let after = bits(&make(&inputs).unwrap());
        assert!(before == after || (name.starts_with("transform") && near(&before, &after)), "{name}");
        assert!(served.borrow().is_empty(), "{name} has all that it needs");
    }
    assert!(without.is_empty(), "without a kernel that has two texts: {without:?}");
}
