operations! {
    conv "Convolutions and reductions of windows."

    conv(x: tensor, kernel: tensor, how: order) ["f32, i32, u32" -> "promoted", smooth] => conv::by_name(&x, &kernel, false, &how);
    convTranspose(x: tensor, kernel: tensor, how: order) ["f32, i32, u32" -> "promoted", smooth, deferred] => conv::by_name(&x, &kernel, true, &how);
    reduceWindow(x: tensor, reduction: count, how: order) ["any" -> "same", smooth] => conv::reduce_by_name(&x, reduction, &how);
    averageWindow(x: tensor, counted: flag, how: order) ["any" -> "f32", smooth, deferred] => conv::average_by_name(&x, counted, &how);
}
