//! Differences and quotients of a value and what was selected of it: 0 and 1 where both meet.
//!
//! The difference of a row and its largest is 0 at the largest. Whether it is stored, read or
//! compared a flush later, no kernel may contract it with the product that the row ends in, and
//! none may subtract a largest that another kernel computed with other bits.

use super::sources::{SHAPE, Source, VALUES, captured, read};
use crate::support::{floats, gpu, hardware};
use weft::{DType, Device, Result, Tensor};

/// How rows end: in a sum, or in a product of numbers that were read or computed.
const ENDINGS: [fn(&Source) -> Result<Tensor>; 3] =
    [Source::value, |source| source.0[0].mul(&source.0[3]), |source| source.value()?.mul(&source.0[1])];

fn most(x: &Tensor) -> Result<Tensor> {
    x.max(Some(&[1]), true)
}

fn least(x: &Tensor) -> Result<Tensor> {
    x.min(Some(&[1]), true)
}

/// Expects `f` to yield `number` in each row, for many values, on software and where it passes for
/// hardware.
#[track_caller]
fn assert_meets(number: f32, f: impl Fn(&Tensor) -> Result<Tensor>) {
    assert_rows(|row| row.contains(&number), f);
}

#[track_caller]
fn assert_rows(holds: impl Fn(&[f32]) -> bool, f: impl Fn(&Tensor) -> Result<Tensor>) {
    for device in [gpu(), hardware()] {
        for (end, ending) in ENDINGS.iter().enumerate() {
            let fails =
                |seed: &usize| !rows(&device, *seed, ending, &f).unwrap().iter().all(|row| holds(row));
            let failed: Vec<usize> = (0..VALUES).step_by(3).filter(fails).collect();
            assert!(failed.is_empty(), "ending {end}: {failed:?}");
        }
    }
}

fn rows(
    device: &Device,
    seed: usize,
    ending: &dyn Fn(&Source) -> Result<Tensor>,
    f: impl Fn(&Tensor) -> Result<Tensor>,
) -> Result<Vec<Vec<f32>>> {
    let x = ending(&Source::new(device, seed)?)?;
    let found = floats(&f(&x)?);
    Ok(found.chunks(found.len() / SHAPE[0]).map(<[f32]>::to_vec).collect())
}

#[test]
fn a_difference_is_read() {
    assert_meets(0.0, |x| x.sub(&most(x)?));
}

#[test]
fn a_largest_is_read_before_the_difference() {
    assert_meets(0.0, |x| {
        let most = most(x)?;
        read(&most)?;
        x.sub(&most)
    });
}

#[test]
fn all_are_read_before_the_comparison() {
    assert_meets(1.0, |x| {
        let most = most(x)?;
        read(&most)?;
        let rest = x.sub(&most)?;
        read(&rest)?;
        let none = rest.max(Some(&[1]), false)?;
        none.equal(0.0)?.cast(DType::F32)
    });
}

#[test]
fn what_is_made_of_a_difference_is_read() {
    assert_meets(0.0, |x| x.sub(&least(x)?)?.mul(x)?.tanh());
    assert_meets(1.0, |x| x.sub(&most(x)?)?.exp());
    assert_meets(1.0, |x| {
        let most = most(x)?;
        read(&most)?;
        x.sub(&most)?.exp()
    });
}

#[test]
fn a_captured_function_subtracts() {
    assert_meets(0.0, |x| {
        let most = most(x)?;
        read(&most)?;
        let f = captured(&[x, &most], |of| Ok(vec![of[0].sub(&of[1])?]))?;
        Ok(f.call(&[x, &most], &[], &[])?.remove(0))
    });
    assert_meets(0.0, |x| {
        let one = x.device().ones(&[], DType::F32)?;
        let most = most(x)?;
        read(&most)?;
        let f = captured(&[&one], |of| Ok(vec![x.sub(&most)?.mul(&of[0])?]))?;
        Ok(f.call(&[&one], &[], &[])?.remove(0))
    });
}

#[test]
fn a_quotient_is_read() {
    assert_meets(1.0, |x| x.div(&most(x)?));
    assert_meets(1.0, |x| {
        let most = most(x)?;
        read(&most)?;
        x.div(&most)
    });
}

#[test]
fn a_range_is_stretched_to_one() {
    let holds = |row: &[f32]| row.contains(&0.0) && row.contains(&1.0) && row.iter().all(|x| *x <= 1.0);
    assert_rows(holds, |x| x.sub(&least(x)?)?.div(&most(x)?.sub(&least(x)?)?));
    assert_rows(holds, |x| {
        let (least, most) = (least(x)?, most(x)?);
        read(&least)?;
        read(&most)?;
        x.sub(&least)?.div(&most.sub(&least)?)
    });
}

#[test]
fn what_was_selected_by_position_is_subtracted() {
    assert_meets(0.0, |x| x.sub(&x.take_along_axis(&x.argmax(Some(&[1]), true)?, 1)?));
    assert_meets(0.0, |x| x.sub(&x.slice(&[weft::Range::ALL, (16..17).into()])?));
    assert_meets(0.0, |x| {
        let median = x.median(Some(&[1]), true)?;
        read(&median)?;
        x.sub(&median)
    });
}

#[test]
fn records_are_subtracted() {
    assert_meets(0.0, |x| x.sub(&x.cummax(1)?));
    assert_meets(0.0, |x| {
        let records = x.cummin(1)?;
        read(&records)?;
        records.sub(x)
    });
}

#[test]
fn a_root_of_what_is_not_negative_is_a_number() {
    let holds = |row: &[f32]| row.contains(&0.0) && !row.iter().any(|x| x.is_nan());
    assert_rows(holds, |x| most(x)?.sub(x)?.sqrt());
    assert_rows(|row| row.iter().all(|x| *x == 0.0), |x| most(x)?.sub(x)?.sqrt()?.min(Some(&[1]), true));
    assert_rows(holds, |x| {
        let most = most(x)?;
        read(&most)?;
        most.sub(x)?.sqrt()
    });
}

#[test]
fn a_value_is_compared_with_itself_in_place() {
    assert_rows(|row| row.iter().all(|x| *x >= 0.0), |x| x.relu()?.sub(x));
    assert_rows(|row| row.iter().all(|x| *x == 0.0), |x| x.clip(Some(-1e6), Some(1e6))?.sub(x));
    assert_rows(|row| row.iter().all(|x| *x >= 0.0), |x| x.sub(&x.floor()?));
}
