//! Calls of a conformance case's operation: from its camelCase name and attributes to Rust.

use super::{extents, integers, number, windows};
use serde_json::Value;
use std::sync::LazyLock;
use weft::op::Arguments;
use weft::{DType, Device, Operand, Range, Result, Spacing, Tensor, random};

/// Calls `case["op"]` on `inputs` with the case's attributes.
pub fn call(device: &Device, case: &Value, inputs: &[Operand]) -> Result<Tensor> {
    let (name, attrs) = (case["op"].as_str().expect("an op"), &case["attrs"]);
    let tensors: Vec<Tensor> = inputs.iter().map(|i| tensor(device, i)).collect::<Result<_>>()?;
    let references: Vec<&Tensor> = tensors.iter().collect();
    let x = || &tensors[0];
    let axis = || attrs["axis"].as_i64().expect("an axis");
    let dtype = || DType::parse(name, attrs["dtype"].as_str().expect("a dtype"));
    let shape = || extents(&attrs["shape"]);
    let float = |key: &str| number(&attrs[key]);
    let optional = |key: &str| (!attrs[key].is_null()).then(|| number(&attrs[key]));
    if let Some(function) = name.strip_prefix("random.")
        && let Some(drawn) = draw(device, function, attrs, &tensors)
    {
        return drawn;
    }
    match name {
        "cast" => x().cast(dtype()?),
        "clip" => x().clip(optional("min"), optional("max")),
        "where" => weft::select(x(), &inputs[1], &inputs[2]),
        "reshape" => x().reshape(&integers(&attrs["shape"])),
        "permute" => x().permute(&integers(&attrs["axes"])),
        "broadcastTo" => x().broadcast_to(&shape()),
        "slice" => x().slice(&ranges(attrs)),
        "pad" => {
            let pads = attrs["pads"].as_array().expect("widths").iter();
            let pads: Vec<(usize, usize)> = pads.map(|p| (extents(p)[0], extents(p)[1])).collect();
            x().pad(&pads, float("value"))
        }
        "stack" => weft::stack(&references, axis()),
        "einsum" => weft::einsum(attrs["text"].as_str().expect("a text"), &references),
        "tensordot" => x().tensordot(&tensors[1], &integers(&attrs["left"]), &integers(&attrs["right"])),
        "convolve" => {
            let modes = ["full", "same", "valid"];
            let mode = modes.iter().position(|mode| attrs["overlap"] == *mode).expect("an overlap");
            x().convolve(&tensors[1], weft::Overlap::ALL[mode])
        }
        "conv" => x().conv(&tensors[1], &windows::convolution(attrs)),
        "convTranspose" => {
            let extra = extents(&attrs["outputPadding"]);
            x().conv_transpose(&tensors[1], &windows::convolution(attrs), &extra)
        }
        "reduceWindow" => x().reduce_window(windows::reduction(attrs), &windows::over(x().rank(), attrs)),
        "averageWindow" => {
            let counted = attrs["countPadding"].as_bool().expect("a truth");
            x().average_window(&windows::over(x().rank(), attrs), counted)
        }
        "take" => x().take(&tensors[1], attrs["axis"].as_i64()),
        "takeAlongAxis" => x().take_along_axis(&tensors[1], axis()),
        "at" => {
            let ways = ["set", "add", "min", "max", "sub", "mul", "div", "pow", "and", "or", "xor"];
            let way = ways.iter().position(|way| attrs["way"] == *way).expect("a way");
            x().put(&[weft::Pick::from(&tensors[1])], weft::Outside::Usual, weft::Put::ALL[way], &tensors[2])
        }
        name if name.ends_with("1dWithSize") => {
            let sets = ["union", "intersect", "setdiff", "setxor"];
            let which = sets.iter().position(|set| name.starts_with(set)).expect("members");
            x().members(&tensors[1], weft::Members::ALL[which], float("size") as usize, -1.0)
        }
        "diff" => x().diff(float("times") as usize, float("axis") as i64),
        "oneHot" => x().one_hot(extents(&Value::Array(vec![attrs["numClasses"].clone()]))[0], DType::F32),
        "segmentSum" => x().segment_sum(&tensors[1], float("count") as usize),
        "segmentMean" => x().segment_mean(&tensors[1], float("count") as usize),
        "segmentMax" => x().segment_max(&tensors[1], float("count") as usize),
        "segmentMin" => x().segment_min(&tensors[1], float("count") as usize),
        "crossEntropy" => {
            let smoothing = attrs["labelSmoothing"].as_f64().unwrap_or_default();
            match (optional("ignoreIndex"), smoothing) {
                (None, 0.0) => x().cross_entropy(&tensors[1]),
                (ignored, _) => weft::losses::cross_entropy(x(), &tensors[1], ignored, smoothing),
            }
        }
        "zeros" => device.zeros(&shape(), dtype()?),
        "ones" => device.ones(&shape(), dtype()?),
        "full" => device.full(&shape(), float("value"), dtype()?),
        "arange" => device.arange(float("start"), float("stop"), float("step"), dtype()?),
        "linspace" => {
            let spacing =
                Spacing { endpoint: attrs["endpoint"].as_bool().expect("a truth"), dtype: dtype()? };
            device.linspace_with(float("start"), float("stop"), float("num") as usize, spacing)
        }
        "eye" => {
            let rows = float("n") as usize;
            let columns = optional("m").map_or(rows, |m| m as usize);
            device.eye(rows, columns, float("k") as i64, dtype()?)
        }
        "indices" => device.indices(&shape(), dtype()?),
        "repeat" if tensors.len() == 2 => {
            x().repeat_by(&tensors[1], float("length") as usize, attrs["axis"].as_i64())
        }
        "repeat" => x().repeat(
            &extents(&Value::Array(
                attrs["times"].as_array().cloned().unwrap_or_else(|| vec![attrs["times"].clone()]),
            )),
            attrs["axis"].as_i64(),
        ),
        // With a mask behind the tensor, with something to begin with, or in a dtype.
        _ if takes_part(name)
            && (inputs.len() == 2 || !attrs["initial"].is_null() || !attrs["dtype"].is_null()) =>
        {
            let letters = name.chars().map(|letter| i64::from(u32::from(letter)));
            let correction = attrs["correction"].as_f64().unwrap_or_default();
            let arguments =
                Arguments::default().operand(x()).axes(axes(&attrs["axis"]).as_deref()).number(0u8);
            let arguments = arguments.list(letters).number(correction);
            let arguments = match optional("initial") {
                Some(initial) => arguments.number(1u8).number(initial),
                None => arguments.number(0u8),
            };
            let arguments = match tensors.get(1) {
                Some(mask) => arguments.operand(mask),
                None => arguments.number(0u8),
            };
            let arguments = match attrs["dtype"].as_str() {
                Some(_) => arguments.number(1u8).number(code_of(dtype()?)),
                None => arguments.number(0u8),
            };
            arguments.call(device, "among")
        }
        _ => by_row(name, attrs, inputs).call(device, name),
    }
}

/// [`call`] of an operation that may yield several tensors.
pub fn call_all(device: &Device, case: &Value, inputs: &[Operand]) -> Result<Vec<Tensor>> {
    let name = case["op"].as_str().expect("an op");
    let several = ["special.sici", "special.fresnel", "quantize4", "divmod", "modf", "frexp", "polydiv"];
    let is_several = name.starts_with("linalg.") || several.contains(&name) || name == "unravelIndex";
    if !is_several {
        return Ok(vec![call(device, case, inputs)?]);
    }
    by_row(name, &case["attrs"], inputs).call_all(device, name)
}

static ROWS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../tests/conformance/operations.json"))
        .expect("the file is JSON")
});

/// The number of a dtype.
fn code_of(dtype: DType) -> u32 {
    DType::ALL.iter().position(|&one| one == dtype).expect("all are there") as u32
}

/// Whether an operation is a reduction that may be of a part of the elements.
fn takes_part(name: &str) -> bool {
    let kinds = ROWS[name].as_array().into_iter().flatten().filter_map(|parameter| parameter[1].as_str());
    kinds.into_iter().any(|kind| ["fold", "part", "spread", "totalled", "averaged"].contains(&kind))
}

/// Arguments by the row of an operation: tensors and operands are the inputs in order, the rest
/// attributes of the same name.
fn by_row(name: &str, attrs: &Value, inputs: &[Operand]) -> Arguments {
    let parameters = ROWS[name].as_array().unwrap_or_else(|| panic!("there is no row {name}"));
    let mut inputs = inputs.iter();
    let (mut arguments, count) = (Arguments::default(), parameters.len());
    for parameter in parameters {
        let kind = parameter[1].as_str().expect("a kind");
        let attribute = &attrs[parameter[0].as_str().expect("a name")];
        let flag = |key: &str| u8::from(attrs[key].as_bool().unwrap_or_default());
        arguments = match kind {
            "tensor" | "operand" | "integers" | "storedOperand" | "key" | "stored" => {
                arguments.operand(inputs.next().unwrap_or_else(|| panic!("{count} inputs")))
            }
            "tensors" | "scalars" => {
                let count = inputs.len() as u32;
                inputs.by_ref().fold(arguments.number(count), Arguments::operand)
            }
            "outer" if attribute.is_null() => arguments.number(-1),
            "extents" | "outer" => arguments.list(integers(attribute)),
            "bound" if attribute.is_null() => arguments.number(0u8),
            "bound" => arguments.number(1u8).number(number(attribute)),
            "closeness" => {
                let distances = [&attrs["rtol"], &attrs["atol"]].map(number);
                arguments.number(distances[0]).number(distances[1]).number(flag("equalNan"))
            }
            "between" => {
                let method = attrs["method"].as_str().unwrap_or("linear");
                let letters = method.chars().map(|letter| i64::from(u32::from(letter)));
                arguments.number(flag("keepdims")).list(letters)
            }
            "text" => {
                let text = attribute.as_str().expect("a text");
                arguments.list(text.chars().map(|letter| i64::from(u32::from(letter))))
            }
            "shifts" if attribute.is_null() => {
                arguments.number(-1).operand(inputs.next().expect("a tensor of shifts"))
            }
            "wholes" | "shifts" | "counts" | "places" => {
                arguments.list(axes(attribute).expect("a number or a list"))
            }
            "axes" | "position" => arguments.axes(axes(attribute).as_deref()),
            "keepdims" => arguments.number(flag("keepdims")),
            "triangle" => ["lower", "transposed", "unitDiagonal"]
                .into_iter()
                .fold(arguments, |arguments, key| arguments.number(flag(key))),
            "matrixOrder" => match attribute.as_str() {
                None if attribute.is_null() => arguments.number(0u8),
                Some("fro") => arguments.number(2u8),
                Some("nuc") => arguments.number(3u8),
                _ => arguments.number(1u8).number(number(attribute)),
            },
            "fold" | "part" | "totalled" | "averaged" => arguments.number(flag("keepdims")),
            "equality" => arguments.number(flag("equalNan")),
            "inversion" => arguments.number(flag("invert")),
            "spacing" => {
                let dtype =
                    attrs["dtype"].as_str().map_or(DType::F32, |of| DType::parse(name, of).expect("a dtype"));
                let endpoint = attrs["endpoint"].as_bool().unwrap_or(true);
                arguments.number(u8::from(endpoint)).number(code_of(dtype))
            }
            "ends" => ["left", "right", "period"].iter().fold(arguments, |arguments, key| {
                match attrs[*key].as_f64() {
                    Some(end) => arguments.number(1u8).number(end),
                    None => arguments.number(0u8),
                }
            }),
            "winding" => {
                let arguments = arguments.number(attrs["period"].as_f64().unwrap_or(std::f64::consts::TAU));
                match attrs["discont"].as_f64() {
                    Some(least) => arguments.number(1u8).number(least),
                    None => arguments.number(0u8),
                }
            }
            "thirds" => {
                let of = |key: &str| attrs[key].as_i64();
                let given = ["axisA", "axisB", "axisC"].map(of);
                match given.iter().any(Option::is_some) {
                    true => {
                        arguments.list(given.map(|axis| axis.unwrap_or(attrs["axis"].as_i64().unwrap_or(-1))))
                    }
                    false => arguments.number(-1),
                }
            }
            "half" => arguments.number(match attribute.as_str() {
                Some("L") => 1u8,
                Some("U") => 2,
                _ => 0,
            }),
            "spread" => arguments.number(flag("keepdims")).number(number(&attrs["correction"])),
            "flag" => {
                // Left out where there is a default, which is false.
                let known = attribute.as_bool().or((parameter[2] == true).then_some(false));
                arguments.number(u8::from(known.expect("a truth")))
            }
            "dtype" => {
                let dtype = DType::parse(name, attribute.as_str().expect("a dtype")).expect("there is one");
                arguments.number(code_of(dtype))
            }
            // Left out where there is a default, which is 0.
            "whole" if attribute.is_null() && parameter[2] == true => arguments.number(0),
            "maybe" => match inputs.next() {
                Some(given) => arguments.operand(given),
                None => arguments.number(0),
            },
            "initial" => arguments.number(flag("includeInitial")),
            "number" | "finite" | "count" | "whole" | "axis" => arguments.number(number(attribute)),
            other => panic!("the runner puts nothing in a place of kind {other}"),
        };
    }
    arguments
}

/// The draws that are no rows of the table.
fn draw(device: &Device, function: &str, attrs: &Value, tensors: &[Tensor]) -> Option<Result<Tensor>> {
    let shape = || extents(&attrs["shape"]);
    let float = |key: &str| number(&attrs[key]);
    Some(match function {
        "key" => random::key(device, attrs["seed"].as_str().expect("digits").parse().expect("a seed")),
        "split" => random::split(&tensors[0], float("n") as usize),
        "foldIn" => random::fold_in(&tensors[0], float("data") as u32),
        "bits" => random::bits(&tensors[0], &shape()),
        "uniform" => random::uniform(&tensors[0], &shape(), float("low"), float("high")),
        "normal" => random::normal(&tensors[0], &shape(), 0.0, 1.0),
        "bernoulli" => random::bernoulli(&tensors[0], float("p"), &shape()),
        "permutation" => {
            let independent = attrs["independent"].as_bool().expect("a truth");
            random::permutation(&tensors[0], &tensors[1], float("axis") as i64, independent)
        }
        "randint" => random::randint(&tensors[0], &shape(), float("low"), float("high"), DType::I32),
        _ => return None,
    })
}

fn tensor(device: &Device, operand: &Operand) -> Result<Tensor> {
    match operand {
        Operand::Tensor(tensor) => Ok(tensor.clone()),
        Operand::Number(number) => device.number(*number, DType::F32),
    }
}

fn axes(value: &Value) -> Option<Vec<i64>> {
    match value {
        Value::Null => None,
        Value::Number(axis) => Some(vec![axis.as_i64().expect("an integer")]),
        list => Some(integers(list)),
    }
}

fn ranges(attrs: &Value) -> Vec<Range> {
    let list = |key: &str| attrs[key].as_array().expect("a list").clone();
    let (starts, stops, steps) = (list("starts"), list("stops"), list("steps"));
    let range = |n: usize| Range {
        start: starts[n].as_i64(),
        stop: stops[n].as_i64(),
        step: steps[n].as_i64().unwrap_or(1),
    };
    (0..starts.len()).map(range).collect()
}
