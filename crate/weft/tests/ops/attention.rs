//! Attention, softmax(q·kᵀ·scale + mask)·v, as one kernel, compared with its parts one by one: on
//! the CPU device, on a GPU as it is, and on one that passes for a phone and for hardware, whose
//! kernels share workgroup memory.

use crate::support::rotation::share;
use crate::support::{cpu, floats, gpu, hardware, phone};
use weft::{DType, Device, Result, Tensor};

/// Batches of heads, queries, keys, width of queries and keys, and of values.
type Sizes = ([usize; 2], usize, usize, usize, usize);

/// Whole blocks and parts of them; widths that four divides and such that it does not; few of each;
/// more columns than invocations.
const SIZES: [Sizes; 5] = [
    ([1, 2], 64, 128, 32, 64),
    ([2, 2], 37, 53, 20, 12),
    ([1, 1], 33, 65, 7, 5),
    ([1, 3], 2, 3, 3, 2),
    ([1, 1], 70, 131, 16, 128),
];

/// The GPU in each of its roles with the sizes that this run tries on it: each size in one of them,
/// which rotates. Every release tries all.
fn gpus() -> [(Device, Vec<(usize, Sizes)>); 3] {
    let mut role = 0;
    [gpu(), phone(), hardware()].map(|device| {
        let (first, step) = share(3, role);
        role += 1;
        (device, SIZES.into_iter().enumerate().skip(first).step_by(step).collect())
    })
}

fn numbers(count: usize, salt: usize) -> Vec<f32> {
    (0..count).map(|k| ((k * 2_654_435_761 + salt * 40_503) % 65_521) as f32 / 32_760.5 - 1.0).collect()
}

fn operands(device: &Device, (batch, queries, keys, width, columns): Sizes, spread: f32) -> [Tensor; 3] {
    let tensor = |rows: usize, columns: usize, salt: usize| {
        let shape = [batch[0], batch[1], rows, columns];
        let data: Vec<f32> = numbers(shape.iter().product(), salt).iter().map(|x| x * spread).collect();
        device.tensor(&data, &shape).unwrap()
    };
    [tensor(queries, width, 1), tensor(keys, width, 2), tensor(keys, columns, 3)]
}

/// What may be done to the scores.
type Logits = fn(&Device, &Tensor) -> Result<Tensor>;

fn causal(device: &Device, scores: &Tensor) -> Result<Tensor> {
    let shape = scores.shape().clone();
    let (queries, keys) = (shape[2], shape[3]);
    let row = device.arange(0.0, queries as f64, 1.0, DType::I32)?.reshape(&[queries as i64, 1])?;
    let key = device.arange(0.0, keys as f64, 1.0, DType::I32)?;
    weft::select(&key.less_equal(&row)?, scores, -1e30)
}

fn biased(device: &Device, scores: &Tensor) -> Result<Tensor> {
    let shape = scores.shape().clone();
    let bias = device.tensor(&numbers(shape[2] * shape[3], 9), &[shape[2], shape[3]])?;
    scores.mul(0.25)?.add(&bias)?.tanh()?.mul(3.0)
}

const LOGITS: [Logits; 3] = [|_, scores| scores.mul(0.3), causal, biased];

fn attend(device: &Device, [q, k, v]: &[Tensor; 3], logits: Logits) -> Result<Tensor> {
    let scores = q.matmul(&k.swap_axes(-1, -2)?)?;
    logits(device, &scores)?.softmax(-1)?.matmul(v)
}

/// That of the CPU device, which computes it by its parts.
fn check(device: &Device, sizes: Sizes, spread: f32, logits: Logits) {
    let reference = cpu();
    let wanted = floats(&attend(&reference, &operands(&reference, sizes, spread), logits).unwrap());
    let given = operands(device, sizes, spread);
    given.iter().for_each(|operand| drop(floats(operand)));
    let before = device.stats().dispatches;
    let found = floats(&attend(device, &given, logits).unwrap());
    assert_eq!(device.stats().dispatches - before, 1, "dispatches of {sizes:?}");
    for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        let is_right = (found - wanted).abs() < 2e-5 || (found.is_nan() && wanted.is_nan());
        assert!(is_right, "{sizes:?} at {at}: {found} for {wanted}");
    }
}

#[test]
fn it_is_what_its_parts_give() {
    for (device, sizes) in gpus() {
        for (number, sizes) in sizes {
            check(&device, sizes, 2.0, LOGITS[number % LOGITS.len()]);
        }
    }
}

#[test]
fn keys_that_a_mask_hides_from_all_queries_of_a_block_are_not_read() {
    let (length, heads, columns) = (256, 4, 64);
    for device in [gpu(), phone(), hardware()] {
        let [q, k, _] = operands(&device, ([1, heads], length, length, 16, columns), 1.0);
        let mut values = numbers(heads * length * columns, 3);
        values.chunks_mut(length * columns).for_each(|head| head[192 * columns..].fill(f32::NAN));
        let values = device.tensor(&values, &[1, heads, length, columns]).unwrap();
        let found = floats(&attend(&device, &[q, k, values], causal).unwrap());
        for head in found.chunks(length * columns) {
            assert!(head[..64 * columns].iter().all(|x| x.is_finite()));
            assert!(head[192 * columns..].iter().all(|x| x.is_nan()));
        }
    }
}

#[test]
fn large_scores_do_not_overflow() {
    // Scores of tens of thousands, of which the exponential is infinite; weights are then 0 and 1.
    let of_one: Logits = |_, scores| scores.mul(1000.0);
    [gpu(), phone(), hardware()].iter().for_each(|device| check(device, SIZES[1], 4.0, of_one));
}

#[test]
fn what_is_no_number_stays_in_its_row() {
    // Of queries 3 and 7 one score each is NaN or infinite, query 5 sees nothing, and query 6 one
    // key alone.
    let odd: Logits = |device, scores| {
        let (queries, keys) = (scores.shape()[2], scores.shape()[3]);
        let mut bias = vec![0.0f32; queries * keys];
        bias[3 * keys + 50] = f32::NAN;
        bias[7 * keys + 2] = f32::INFINITY;
        bias[5 * keys..6 * keys].fill(f32::NEG_INFINITY);
        bias[6 * keys..7 * keys].fill(f32::NEG_INFINITY);
        bias[6 * keys + 20] = 0.0;
        scores.add(&device.tensor(&bias, &[queries, keys])?)
    };
    [gpu(), phone(), hardware()].iter().for_each(|device| check(device, SIZES[1], 1.0, odd));
}

#[test]
fn heads_that_share_keys_are_one_dispatch() {
    for device in [gpu(), phone(), hardware()] {
        let compute = |device: &Device| -> Result<(Vec<f32>, u64)> {
            let tensor = |shape: &[usize], salt| device.tensor(&numbers(shape.iter().product(), salt), shape);
            let (q, k, v) = (
                tensor(&[2, 2, 3, 40, 16], 1)?,
                tensor(&[2, 2, 1, 50, 16], 2)?,
                tensor(&[2, 2, 1, 50, 24], 3)?,
            );
            [&q, &k, &v].into_iter().for_each(|operand| drop(floats(operand)));
            let before = device.stats().dispatches;
            let found = floats(&attend(device, &[q, k, v], LOGITS[0])?);
            Ok((found, device.stats().dispatches - before))
        };
        let ((wanted, _), (found, dispatches)) = (compute(&cpu()).unwrap(), compute(&device).unwrap());
        assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 2e-5));
        assert_eq!(dispatches, 1);
    }
}

#[test]
fn scores_and_weights_that_are_wanted_are_stored() {
    let reference = cpu();
    for device in [gpu(), hardware()] {
        let [q, k, v] = operands(&device, SIZES[1], 1.0);
        let scores = q.matmul(&k.swap_axes(-1, -2).unwrap()).unwrap();
        let weights = scores.softmax(-1).unwrap();
        let seen = weights.matmul(&v).unwrap();
        device.realize(&[&seen, &weights]).unwrap();
        device.realize(&[&seen, &weights]).unwrap();
        let rows = floats(&weights.sum(Some(&[-1]), false).unwrap());
        assert!(rows.iter().all(|sum| (sum - 1.0).abs() < 1e-5));
        let wanted =
            floats(&attend(&reference, &operands(&reference, SIZES[1], 1.0), |_, x| Ok(x.clone())).unwrap());
        assert!(floats(&seen).iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 2e-5));
    }
}

/// Which keys of a row a query sees, by the numbers of both: some see nothing, some one key, some
/// those that are not before them.
fn is_seen(row: usize, key: usize, keys: usize) -> bool {
    match row % 5 {
        0 => false,
        1 => key == row % keys,
        2 => key > row,
        _ => !(row * 7 + key * 3).is_multiple_of(4),
    }
}

/// Attention in which a mask hides keys, as truths or as −∞ that is added, and the number of the
/// query those behind it besides, in one of two dtypes.
fn hidden(
    device: &Device,
    [q, k, v]: &[Tensor; 3],
    [adds, by_number]: [bool; 2],
    dtype: DType,
) -> Result<Tensor> {
    let [q, k, v] = [q, k, v].map(|x| x.cast(dtype).and_then(|x| x.cast(DType::F32)));
    let scores = q?.matmul(&k?.swap_axes(-1, -2)?)?.mul(0.3)?;
    let (queries, keys) = (scores.shape()[2], scores.shape()[3]);
    let truths: Vec<bool> = (0..queries * keys).map(|n| is_seen(n / keys, n % keys, keys)).collect();
    let scores = if adds {
        let mask: Vec<f32> = truths.iter().map(|&seen| if seen { 0.0 } else { f32::NEG_INFINITY }).collect();
        scores.add(device.tensor(&mask, &[queries, keys])?)?
    } else {
        weft::select(&device.tensor(&truths, &[queries, keys])?, &scores, f64::NEG_INFINITY)?
    };
    let scores = if by_number {
        let row = device.arange(0.0, queries as f64, 1.0, DType::I32)?.reshape(&[queries as i64, 1])?;
        let key = device.arange(0.0, keys as f64, 1.0, DType::I32)?;
        weft::select(&key.less_equal(&row)?, &scores, f64::NEG_INFINITY)?
    } else {
        scores
    };
    scores.attention_weights()?.matmul(&v?)?.cast(dtype)?.cast(DType::F32)
}

#[test]
fn queries_that_see_nothing_have_zeros_and_so_have_their_gradients() {
    let reference = cpu();
    let on_the_cpu = (cpu(), SIZES.into_iter().enumerate().collect());
    for (turn, (device, sizes)) in [on_the_cpu].into_iter().chain(gpus()).enumerate() {
        for (number, sizes) in sizes {
            let (queries, keys, columns) = (sizes.1, sizes.2, sizes.4);
            let how = [number % 2 == 0, number % 3 != 0];
            let dtype = if number % 4 == 3 { DType::F16 } else { DType::F32 };
            let is_blind =
                |row: usize| (0..keys).all(|key| !is_seen(row, key, keys) || (how[1] && key > row));
            assert!((0..queries).any(is_blind) && !(0..queries).all(is_blind));
            let wanted = floats(&hidden(&reference, &operands(&reference, sizes, 1.0), how, dtype).unwrap());
            let given = operands(&device, sizes, 1.0);
            given.iter().for_each(|operand| drop(floats(operand)));
            let before = device.stats().dispatches;
            let found = floats(&hidden(&device, &given, how, dtype).unwrap());
            let dispatches = device.stats().dispatches - before;
            assert!(
                device.kind() == weft::DeviceKind::Cpu || dtype == DType::F16 || dispatches == 1,
                "{dispatches} of {sizes:?}"
            );
            let slack = if dtype == DType::F16 { 1e-3 } else { 2e-5 };
            for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                let place = format!("{sizes:?} {how:?} at {at}: {found} for {wanted}");
                assert!((found - wanted).abs() < slack, "{place}");
                assert!(!is_blind(at / columns % queries) || *found == 0.0, "{place}");
            }
            // Gradients are made of parts, which need no other devices.
            if turn > 1 {
                continue;
            }
            let operands: Vec<&Tensor> = given.iter().collect();
            let score = |given: &[Tensor]| {
                let given = [0, 1, 2].map(|n| given[n].clone());
                hidden(&device, &given, how, dtype)?.square()?.sum(None, false)
            };
            let slopes = weft::grad(score, &operands).unwrap();
            assert!(slopes.iter().all(|slope| floats(slope).iter().all(|x| x.is_finite())));
            for (at, slope) in floats(&slopes[0]).iter().enumerate() {
                assert!(!is_blind(at / sizes.3 % queries) || *slope == 0.0, "{sizes:?} {how:?} at {at}");
            }
        }
    }
}

#[test]
fn a_score_that_is_no_number_stays_in_its_row_of_a_mask_too() {
    for device in [cpu(), gpu(), phone(), hardware()] {
        let sizes = SIZES[1];
        let (queries, keys, columns) = (sizes.1, sizes.2, sizes.4);
        let [q, k, v] = operands(&device, sizes, 1.0);
        let mut bias = vec![0.0f32; queries * keys];
        bias[3 * keys + 50] = f32::NAN;
        bias[5 * keys..6 * keys].fill(f32::NEG_INFINITY);
        let scores = q.matmul(&k.swap_axes(-1, -2).unwrap()).unwrap();
        let scores = scores.add(device.tensor(&bias, &[queries, keys]).unwrap()).unwrap();
        let found = floats(&scores.attention_weights().unwrap().matmul(&v).unwrap());
        for (at, x) in found.iter().enumerate() {
            match at / columns % queries {
                3 => assert!(x.is_nan()),
                5 => assert_eq!(*x, 0.0),
                _ => assert!(x.is_finite()),
            }
        }
    }
}
