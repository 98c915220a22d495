operations! {
    hand "What do functions that are written by hand in JavaScript call?"

    clip(x: tensor, low: bound, high: bound) ["any" -> "promoted", smooth] => x.clip(low, high);
    transpose(x: tensor) ["any" -> "same", smooth] => x.transpose();
    pad(x: tensor, widths: widths, value: number) ["any" -> "same", smooth] => x.pad(&widths.0, value);
    slice(x: tensor, ranges: ranges) ["any" -> "same", smooth] => x.part(&ranges.0);
    take(x: tensor, indices: tensor, axis: position) ["any; i32, u32" -> "same", smooth] => x.take(&indices, axis.map(|axis| axis[0]));
    oneHot(x: tensor, classes: count, dtype: dtype) ["i32, u32" -> "`dtype`", none] => x.one_hot(classes, dtype);
    at.set(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth] => x.at(indices).set(values);
    at.add(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth] => x.at(indices).add(values);
    at.min(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth] => x.at(indices).min(values);
    at.max(x: tensor, indices: operand, values: operand) ["any; i32, u32; any" -> "same", smooth] => x.at(indices).max(values);
    conv(x: tensor, kernel: tensor, how: order) ["f32, i32, u32" -> "promoted", smooth] => conv::by_name(&x, &kernel, false, &how);
    reduceWindow(x: tensor, reduction: count, how: order) ["any" -> "same", smooth] => conv::reduce_by_name(&x, reduction, &how);
    averageWindow(x: tensor, counted: flag, how: order) ["any" -> "f32", smooth] => conv::average_by_name(&x, counted, &how);
    crossEntropy(logits: tensor, targets: tensor) ["any; i32, u32, f32" -> "f32 even of f16", smooth] => logits.cross_entropy(&targets);
    full(shape: extents, value: number, dtype: dtype, device: device) ["" -> "`dtype`", none] => device.full(&shape, value, dtype);
    arange(start: number, stop: number, step: number, dtype: dtype, device: device) ["" -> "`dtype`", none] => device.arange(start, stop, step, dtype);
    linspace(start: number, stop: number, count: count, endpoint: flag, device: device) ["" -> "`dtype`", none] => device.linspace(start, stop, count, endpoint);
    eye(rows: count, columns: count, diagonal: whole, dtype: dtype, device: device) ["" -> "`dtype`", none] => device.eye(rows, columns, diagonal, dtype);
}
