operations! {
    loops "What is computed step by step along an axis?"

    /// log Σ eˣ of all elements up to each along an axis, or (null) of all in row-major order, or from each on, without overflow.
    ///
    /// @example
    /// logCumSumExp([0, 0]); // [0,0.69315]
    logCumSumExp(x: tensor, axis: position = -1, reverse: flag = false) ["any" -> "f32", smooth] => on(x, axis, |x, axis| x.log_cum_sum_exp_with(axis, reverse));

    /// Where each of `values` would have to be inserted into a sorted vector so that it stays sorted: before equals, or after them.
    ///
    /// @example
    /// searchSorted([1, 2, 2, 5], [2, 9]); // [1,4]
    searchSorted(sorted: tensor, values: operand, after: flag = false, device: device) ["any" -> "i32", none] => signal::search_sorted(&device, &sorted, values, after);
}
