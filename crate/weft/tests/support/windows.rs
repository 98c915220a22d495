//! Attributes of the cases of windows: layouts are texts, padding is a name or pairs.

use super::extents;
use serde_json::Value;
use weft::{Convolution, Padding, ReduceOp, Windows};

/// How a kernel slides. A transposed one spreads no input and has one group of the batch.
pub fn convolution(attrs: &Value) -> Convolution {
    let text = |n: usize| attrs["layout"][n].as_str().expect("a layout");
    let spatial: Vec<char> = text(1).chars().filter(|letter| !"OI".contains(*letter)).collect();
    let axes = |n: usize, first: [char; 2]| -> Vec<usize> {
        let place = |letter: &char| text(n).find(*letter).expect("a letter of the layout");
        first.iter().chain(&spatial).map(place).collect()
    };
    let count = |key: &str| attrs[key].as_u64().unwrap_or(1) as usize;
    let input_dilation = &attrs["inputDilation"];
    Convolution {
        strides: extents(&attrs["stride"]),
        padding: padding(&attrs["padding"], 0),
        input_dilation: if input_dilation.is_null() {
            vec![1; spatial.len()]
        } else {
            extents(input_dilation)
        },
        kernel_dilation: extents(&attrs["dilation"]),
        groups: count("groups"),
        batch_groups: count("batchGroups"),
        input: axes(0, ['N', 'C']),
        kernel: axes(1, ['O', 'I']),
        output: axes(2, ['N', 'C']),
    }
}

/// Windows over the last axes of a tensor of `rank`.
pub fn over(rank: usize, attrs: &Value) -> Windows {
    let size = extents(&attrs["window"]);
    let rest = rank - size.len();
    let all = |values: Vec<usize>| [vec![1; rest], values].concat();
    Windows {
        sizes: all(size),
        strides: all(extents(&attrs["stride"])),
        dilations: all(extents(&attrs["dilation"])),
        padding: padding(&attrs["padding"], rest),
        ceil: attrs["ceil"].as_bool().expect("a truth"),
    }
}

/// Which reduction.
pub fn reduction(attrs: &Value) -> ReduceOp {
    match attrs["reduction"].as_str().expect("a reduction") {
        "sum" => ReduceOp::Sum,
        "prod" => ReduceOp::Prod,
        "max" => ReduceOp::Max,
        "min" => ReduceOp::Min,
        other => panic!("there is no reduction {other}"),
    }
}

fn padding(given: &Value, rest: usize) -> Padding {
    match given {
        Value::String(name) if name == "same" => Padding::Same,
        Value::String(name) if name == "sameLower" => Padding::SameLower,
        Value::String(_) => Padding::Valid,
        list => {
            let pair =
                |pair: &Value| (pair[0].as_i64().expect("a width"), pair[1].as_i64().expect("a width"));
            let pairs = list.as_array().expect("pairs").iter().map(pair);
            Padding::Each(std::iter::repeat_n((0, 0), rest).chain(pairs).collect())
        }
    }
}
