//! Derivatives of branches and iterations that are not taken: they contribute nothing, neither the
//! iteration that a loop would do after its end, nor the branch that a member did not choose. Each
//! function here has no finite slope where it is not taken.

use crate::support::control::{close, devices, read};
use weft::{DType, Device, Result, Tensor};

/// y = Σ √(4 w − xₖ) over xₖ = x, x + 1, … below 4 w: the slope of the iteration after the last is
/// infinite where x ends at 4 w.
fn roots(device: &Device, x: &Tensor, w: &Tensor, limit: usize) -> Result<Tensor> {
    let end = w.mul(4.0)?;
    let state = device.while_loop(
        |s| s[0].less(4.0),
        |s| Ok(vec![s[0].add(1.0)?, s[1].add(end.sub(&s[0])?.sqrt()?)?]),
        &[x, &device.number(0.0, DType::F32)?],
        Some(limit),
    )?;
    Ok(state[1].clone())
}

/// The derivatives of [`roots`] by x and by w, for w = 1.
fn slopes(x: f32) -> (f32, f32) {
    let terms = (0..8).map(|k| x + k as f32).take_while(|x| *x < 4.0).map(|x| 1.0 / (4.0 - x).sqrt());
    let sum: f32 = terms.sum();
    (-0.5 * sum, 2.0 * sum)
}

#[test]
fn a_loop_has_the_gradient_of_the_iterations_it_took_whatever_its_limit() {
    for device in devices() {
        let w = device.number(1.0, DType::F32).unwrap();
        for limit in [3, 4, 8] {
            let x = device.number(1.0, DType::F32).unwrap();
            let f = |p: &[Tensor]| roots(&device, &p[0], &p[1], limit);
            let (value, gradients) = weft::value_and_grad(f, &[&x, &w]).unwrap();
            close(&read(&value), &[3f32.sqrt() + 2f32.sqrt() + 1.0]);
            close(&[read(&gradients[0])[0], read(&gradients[1])[0]], &[slopes(1.0).0, slopes(1.0).1]);
            let (_, tangents) = weft::jvp(|p| Ok(vec![f(p)?]), &[&x, &w], &[&w, &w]).unwrap();
            close(&read(&tangents[0]), &[slopes(1.0).0 + slopes(1.0).1]);
            // Gradients of gradients: −¼ Σ (4 − x)^(−3/2).
            let twice = weft::grad(|p| Ok(weft::grad(f, &[&p[0], &w])?[0].clone()), &[&x]).unwrap();
            let second: f32 = [3f32, 2.0, 1.0].iter().map(|d| -0.25 * d.powf(-1.5)).sum();
            close(&read(&twice[0]), &[second]);
        }
    }
}

#[test]
fn a_division_by_a_counter_that_ends_at_zero_has_a_gradient() {
    for device in devices() {
        let x = device.number(2.0, DType::F32).unwrap();
        let zero = device.number(0.0, DType::F32).unwrap();
        let n = device.number(3.0, DType::F32).unwrap();
        let f = |p: &[Tensor]| {
            let state = device.while_loop(
                |s| s[0].greater(0.0),
                |s| Ok(vec![s[0].sub(1.0)?, s[1].add(p[0].div(&s[0])?)?]),
                &[&n, &zero],
                Some(5),
            )?;
            Ok(state[1].clone())
        };
        close(&read(&weft::grad(f, &[&x]).unwrap()[0]), &[1.0 + 0.5 + 1.0 / 3.0]);
    }
}

#[test]
fn members_that_are_done_with_their_loop_have_no_part_in_gradients() {
    for device in devices() {
        let starts = [1.0f32, 2.0, 3.0, 0.0];
        let x = device.tensor(&starts, &[4]).unwrap();
        let w = device.number(1.0, DType::F32).unwrap();
        for limit in [4, 9] {
            let all = |p: &[Tensor]| {
                let member = |q: &[Tensor]| Ok(vec![roots(&device, &q[0], &q[1], limit)?]);
                weft::vmap(member, &[&p[0], &p[1]], &[Some(0), None])?[0].sum(None, false)
            };
            let found = weft::grad(all, &[&x, &w]).unwrap();
            close(&read(&found[0]), &starts.map(|x| slopes(x).0));
            close(&read(&found[1]), &[starts.iter().map(|&x| slopes(x).1).sum::<f32>()]);
            let each = |q: &[Tensor]| weft::grad(|p| roots(&device, &p[0], &p[1], limit), &[&q[0], &q[1]]);
            let apart = weft::vmap(each, &[&x, &w], &[Some(0), None]).unwrap();
            close(&read(&apart[0]), &read(&found[0]));
            close(&read(&apart[1]), &starts.map(|x| slopes(x).1));
        }
    }
}

/// √(w x) where x > 0, x⁻¹ where x < −1, else −w x: no branch has a finite slope at 0 but the last.
fn chosen(device: &Device, x: &Tensor, w: &Tensor) -> Result<Tensor> {
    let at = x.greater(0.0)?.cast(DType::I32)?.add(x.less(-1.0)?.cast(DType::I32)?.mul(2.0)?)?;
    let found = device.switch(
        &at,
        &[&|s| Ok(vec![s[0].mul(w)?.neg()?]), &|s| Ok(vec![s[0].mul(w)?.sqrt()?]), &|s| {
            Ok(vec![w.div(&s[0])?])
        }],
        &[x],
    )?;
    Ok(found[0].clone())
}

const MEMBERS: [f32; 6] = [0.0, 4.0, -0.5, -2.0, 0.0, 1.0];
const BY_X: [f32; 6] = [-1.0, 0.25, -1.0, -0.25, -1.0, 0.5];
const BY_W: [f32; 6] = [0.0, 1.0, 0.5, -0.5, 0.0, 0.5];

#[test]
fn members_have_gradients_of_the_branch_that_each_chose() {
    for device in devices() {
        let (x, w) = (device.tensor(&MEMBERS, &[6]).unwrap(), device.number(1.0, DType::F32).unwrap());
        let member = |q: &[Tensor]| Ok(vec![chosen(&device, &q[0], &q[1])?]);
        let all = |p: &[Tensor]| weft::vmap(member, &[&p[0], &p[1]], &[Some(0), None])?[0].sum(None, false);
        let found = weft::grad(all, &[&x, &w]).unwrap();
        close(&read(&found[0]), &BY_X);
        close(&read(&found[1]), &[BY_W.iter().sum()]);
        let ones = device.ones(&[6], DType::F32).unwrap();
        let each = |p: &[Tensor]| weft::vmap(member, &[&p[0], &p[1]], &[Some(0), None]);
        let (_, tangents) = weft::jvp(each, &[&x, &w], &[&ones, &w]).unwrap();
        let expected: Vec<f32> = BY_X.iter().zip(BY_W).map(|(a, b)| a + b).collect();
        close(&read(&tangents[0]), &expected);
        // Second derivatives by x: −¼ x^(−3/2), 2 x⁻³ and 0; through the gradient of a gradient,
        // and along a direction.
        let second = [0.0, -0.03125, 0.0, -0.25, 0.0, -0.25];
        let slope = |p: &[Tensor]| weft::grad(|q| all(&[q[0].clone(), w.clone()]), &[&p[0]]);
        let twice = weft::grad(|p| slope(p)?[0].sum(None, false), &[&x]).unwrap();
        close(&read(&twice[0]), &second);
        close(&read(&weft::jvp(slope, &[&x], &[&ones]).unwrap().1[0]), &second);
    }
}

#[test]
fn batches_of_batches_have_gradients_of_what_each_member_chose() {
    for device in devices() {
        let (x, w) =
            (device.tensor(&MEMBERS, &[2, 3]).unwrap(), device.tensor(&[1f32, 1.0, 1.0], &[3]).unwrap());
        let member = |q: &[Tensor]| Ok(vec![chosen(&device, &q[0], &q[1])?]);
        // The members of a row have a weight each, which the rows share.
        let row = |q: &[Tensor]| weft::vmap(member, &[&q[0], &q[1]], &[Some(0), Some(0)]);
        let all = |p: &[Tensor]| weft::vmap(row, &[&p[0], &p[1]], &[Some(0), None])?[0].sum(None, false);
        let found = weft::grad(all, &[&x, &w]).unwrap();
        close(&read(&found[0]), &BY_X);
        close(&read(&found[1]), &[BY_W[0] + BY_W[3], BY_W[1] + BY_W[4], BY_W[2] + BY_W[5]]);
        let slope = |p: &[Tensor]| weft::grad(|q| row(q)?[0].sum(None, false), &[&p[0], &p[1]]);
        let apart = weft::vmap(slope, &[&x, &w], &[Some(0), None]).unwrap();
        close(&read(&apart[0]), &BY_X);
        close(&read(&apart[1]), &BY_W);
        // A batch whose branch is chosen for all alike, within one where it is not.
        let shared = |q: &[Tensor]| {
            let doubled = |z: &[Tensor]| {
                let operands = q[0].add(z[0].mul(0.0)?)?;
                let is_positive = q[0].greater(0.0)?;
                device.cond(&is_positive, |s| Ok(vec![s[0].sqrt()?]), |s| Ok(vec![s[0].neg()?]), &[&operands])
            };
            weft::vmap(doubled, &[&device.ones(&[2], DType::F32)?], &[Some(0)])
        };
        let flat = x.reshape(&[6]).unwrap();
        let found =
            weft::grad(|p| weft::vmap(shared, &[&p[0]], &[Some(0)])?[0].sum(None, false), &[&flat]).unwrap();
        close(&read(&found[0]), &[-2.0, 0.5, -2.0, -2.0, -2.0, 1.0]);
    }
}
