//! Interpreter of the programs of `tests/conformance`. Their functions become calls of Rust's
//! transforms and loops; the README there describes the format.

use super::case::Claim;
use super::{Expected, call, number};
use serde_json::{Value, json};
use weft::{Branch, DType, Device, Operand, Result, Scan, Tensor, fft};

/// What a program gives, and what it should.
pub fn claims(device: &Device, case: &Value) -> Result<Vec<Claim>> {
    let inputs: Vec<Tensor> =
        list(&case["inputs"]).iter().map(|x| Expected::parse(x).upload(device)).collect();
    let results = run(device, &case["main"], &[], &inputs)?;
    let expected = list(&case["expected"]);
    assert_eq!(results.len(), expected.len(), "{} results", case["name"]);
    let slack = number(&case["tolerance"]);
    let claim = |(n, tensor): (usize, Tensor)| {
        let tolerance = match expected[n]["dtype"].as_str() {
            Some("f32") => {
                let sizes =
                    list(&expected[n]["data"]).iter().map(|x| number(x).abs()).filter(|x| x.is_finite());
                json!({"abs": slack * sizes.fold(1e-3, f64::max), "rel": slack})
            }
            _ => json!({"abs": 0, "rel": 0}),
        };
        Claim { what: format!("result {n} "), tensor, expected: expected[n].clone(), tolerance }
    };
    Ok(results.into_iter().enumerate().map(claim).collect())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn refs(tensors: &[Tensor]) -> Vec<&Tensor> {
    tensors.iter().collect()
}

/// What a function gives for `inputs`, within a function whose values so far are `outer`.
fn run(device: &Device, function: &Value, outer: &[Tensor], inputs: &[Tensor]) -> Result<Vec<Tensor>> {
    assert_eq!(function[0].as_u64(), Some(inputs.len() as u64), "the number of what a function takes");
    let mut values = [outer, inputs].concat();
    for step in list(&function[1]) {
        let made = Step::of(device, step, &values).run()?;
        values.extend(made);
    }
    let place = |n: &Value| values[n.as_u64().expect("a place") as usize].clone();
    Ok(list(&function[2]).iter().map(place).collect())
}

/// One step of a function, with the values before it.
struct Step<'a> {
    device: &'a Device,
    op: &'a str,
    inputs: Vec<Operand>,
    attrs: &'a Value,
    functions: &'a [Value],
    values: &'a [Tensor],
}

impl<'a> Step<'a> {
    fn of(device: &'a Device, step: &'a Value, values: &'a [Tensor]) -> Step<'a> {
        let operand = |input: &Value| match input.as_u64() {
            Some(place) => Operand::Tensor(values[place as usize].clone()),
            None => Operand::Number(number(&input[0])),
        };
        Step {
            device,
            op: step[0].as_str().expect("an op"),
            inputs: list(&step[1]).iter().map(operand).collect(),
            attrs: &step[2],
            functions: step[3].as_array().map_or(&[], Vec::as_slice),
            values,
        }
    }

    fn tensors(&self) -> Vec<Tensor> {
        let tensor = |operand: &Operand| match operand {
            Operand::Tensor(tensor) => tensor.clone(),
            Operand::Number(number) => self.device.number(*number, DType::F32).expect("a number"),
        };
        self.inputs.iter().map(tensor).collect()
    }

    /// Calls a function of the step.
    fn call(&self, function: usize, inputs: &[Tensor]) -> Result<Vec<Tensor>> {
        run(self.device, &self.functions[function], self.values, inputs)
    }

    fn count(&self, name: &str) -> Option<usize> {
        self.attrs[name].as_u64().map(|n| n as usize)
    }

    fn run(&self) -> Result<Vec<Tensor>> {
        let (device, all) = (self.device, self.tensors());
        let parts = |name| all.split_at(self.count(name).expect("how many"));
        let whole = |name: &str| self.attrs[name].as_i64().expect("a whole number") as i32;
        let first = |xs: &[Tensor]| self.call(0, xs);
        Ok(match self.op {
            "scan" => {
                let (state, xs) = parts("carried");
                let reverse = self.attrs["reverse"].as_bool().expect("a truth");
                let iteration = |state: &[Tensor], xs: &[Tensor]| {
                    let mut next = self.call(0, &[state, xs].concat())?;
                    let ys = next.split_off(state.len());
                    Ok((next, ys))
                };
                let how = Scan { length: self.count("length"), reverse };
                let (state, ys) = device.scan(iteration, &refs(state), &refs(xs), how)?;
                [state, ys].concat()
            }
            "forLoop" => {
                let body = |i: &Tensor, state: &[Tensor]| first(&[std::slice::from_ref(i), state].concat());
                device.for_loop(whole("from"), whole("to"), body, &refs(&all))?
            }
            "whileLoop" => {
                let holds = |state: &[Tensor]| Ok(first(state)?[0].clone());
                device.while_loop(holds, |state| self.call(1, state), &refs(&all), self.count("limit"))?
            }
            "cond" => device.cond(&all[0], first, |xs| self.call(1, xs), &refs(&all[1..]))?,
            "switchCase" => {
                let branches: Vec<_> =
                    (0..self.functions.len()).map(|n| move |xs: &[Tensor]| self.call(n, xs)).collect();
                let branches: Vec<Branch<'_>> = branches.iter().map(|branch| branch as Branch<'_>).collect();
                device.switch(&all[0], &branches, &refs(&all[1..]))?
            }
            "grad" => {
                let (value, gradients) = weft::value_and_grad(|xs| Ok(first(xs)?[0].clone()), &refs(&all))?;
                [vec![value], gradients].concat()
            }
            "vjp" => {
                let (xs, cotangents) = parts("primals");
                device.begin_transform();
                let found = self.vjp(xs, cotangents);
                device.end_transform();
                found?
            }
            "jvp" => {
                let (xs, tangents) = parts("primals");
                let (ys, pushed) = weft::jvp(first, &refs(xs), &refs(tangents))?;
                [ys, pushed].concat()
            }
            "linearize" => {
                let (xs, tangents) = parts("primals");
                let (ys, linear) = weft::linearize(first, &refs(xs))?;
                [ys, linear.call(&refs(tangents))?].concat()
            }
            "vmap" => {
                let axes: Vec<Option<i64>> = list(&self.attrs["axes"]).iter().map(Value::as_i64).collect();
                weft::vmap(first, &refs(&all), &axes)?
            }
            "jacfwd" => weft::jacfwd(first, &refs(&all))?.concat(),
            "jacrev" => weft::jacrev(first, &refs(&all))?.concat(),
            "hessian" => weft::hessian(|xs| Ok(first(xs)?[0].clone()), &refs(&all))?.concat(),
            "checkpoint" => weft::checkpoint(first, &refs(&all))?,
            "customVjp" => {
                let count = self.count("outputs").expect("how many");
                let forward = |xs: &[Tensor]| {
                    let mut outputs = first(xs)?;
                    let residuals = outputs.split_off(count);
                    Ok((outputs, residuals))
                };
                let backward =
                    |residuals: &[Tensor], seeds: &[Tensor]| self.call(1, &[residuals, seeds].concat());
                weft::custom_vjp(forward, backward, &refs(&all))?
            }
            "customJvp" => {
                let rule = |xs: &[Tensor], tangents: &[Tensor]| self.call(1, &[xs, tangents].concat());
                weft::custom_jvp(first, rule, &refs(&all))?
            }
            // A capture serves calls of JavaScript.
            "jit" => first(&all)?,
            "stopGradient" => vec![all[0].detach()?],
            "atSet" => vec![all[0].at(&all[1]).set(self.inputs[2].clone())?],
            "atAdd" => vec![all[0].at(&all[1]).add(self.inputs[2].clone())?],
            op if op.starts_with("fft.") && self.attrs.get("norm").is_some() => self.spectrum(op, &all)?,
            op => {
                let case = json!({"op": op, "attrs": self.attrs});
                call::call_all(device, &case, &self.inputs)?
            }
        })
    }

    /// A Fourier transform of real parts, and imaginary ones where there are any.
    fn spectrum(&self, op: &str, parts: &[Tensor]) -> Result<Vec<Tensor>> {
        let (inverse, real) = (op.contains("ifft") || op.contains("irfft"), op.contains("rfft"));
        let kind = fft::Kind::ALL[usize::from(inverse) + 2 * usize::from(real)];
        let norms = ["backward", "ortho", "forward"];
        let norm = norms.iter().position(|norm| self.attrs["norm"] == *norm).expect("a norm");
        let several = op.ends_with('n');
        let whole = |value: &Value| value.as_i64().expect("a whole number");
        let list = |value: &Value| value.as_array().map(|list| list.iter().map(whole).collect::<Vec<_>>());
        let axes = if several { list(&self.attrs["axes"]) } else { Some(vec![whole(&self.attrs["axis"])]) };
        let lengths =
            if several { list(&self.attrs["shape"]) } else { self.attrs["n"].as_i64().map(|n| vec![n]) };
        let lengths: Option<Vec<usize>> = lengths.map(|list| list.iter().map(|&n| n as usize).collect());
        let norm = fft::Norm::ALL[norm];
        let made = fft::transform(&parts[0], parts.get(1), axes.as_deref(), lengths.as_deref(), kind, norm)?;
        Ok(if inverse && real { vec![made.re] } else { vec![made.re, made.im] })
    }

    fn vjp(&self, xs: &[Tensor], cotangents: &[Tensor]) -> Result<Vec<Tensor>> {
        let marks = xs.iter().map(Tensor::mark).collect::<Result<Vec<_>>>()?;
        let ys = self.call(0, &marks)?;
        let gradients = self.device.vjp(&refs(&ys), &refs(cotangents), &refs(&marks))?;
        Ok([ys, gradients].concat())
    }
}
