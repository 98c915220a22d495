operations! {
    compare "Comparisons, logic and choice by a condition."

    /// a = b.
    ///
    /// @example
    /// equal([1, 2], 2); // [false,true]
    equal(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::equal(&device, a, b);

    /// a ≠ b.
    ///
    /// @example
    /// notEqual([1, 2], 2); // [true,false]
    notEqual(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::not_equal(&device, a, b);

    /// a < b.
    ///
    /// @example
    /// less([1, 2], 2); // [true,false]
    less(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::less(&device, a, b);

    /// a ≤ b.
    ///
    /// @example
    /// lessEqual([1, 2], 1); // [true,false]
    lessEqual(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::less_equal(&device, a, b);

    /// a > b.
    ///
    /// @example
    /// greater([1, 2], 1); // [false,true]
    greater(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::greater(&device, a, b);

    /// a ≥ b.
    ///
    /// @example
    /// greaterEqual([1, 2], 2); // [false,true]
    greaterEqual(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::greater_equal(&device, a, b);

    /// Both. Numbers count as true unless zero, here and below.
    ///
    /// @example
    /// logicalAnd([true, true], [true, false]); // [true,false]
    logicalAnd(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::logical_and(&device, a, b);

    /// At least one.
    ///
    /// @example
    /// logicalOr([true, false], [false, false]); // [true,false]
    logicalOr(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::logical_or(&device, a, b);

    /// Exactly one.
    ///
    /// @example
    /// logicalXor([true, true], [true, false]); // [false,true]
    logicalXor(a: operand, b: operand, device: device) ["any" -> "bool", none, deferred] => two::logical_xor(&device, a, b);

    /// `a` where the condition holds, `b` elsewhere. All three broadcast; the condition is bool.
    ///
    /// @example
    /// where([true, false], [1, 2], 0); // [1,0]
    where(condition: tensor, a: operand, b: operand) ["bool, and any dtypes" -> "promoted", smooth] => crate::select(&condition, a, b);

    /// Whether |a − b| ≤ atol + rtol · |b| for each pair.
    ///
    /// @example
    /// isClose([1, 2], [1.000001, 2.1]); // [true,false]
    isClose(a: operand, b: operand, options: closeness, device: device) ["any" -> "bool", none, deferred] => nan::two::is_close(&device, a, b, options);

    /// Whether `isClose` holds for all pairs: one bool.
    ///
    /// @example
    /// allClose([1, 2], [1, 2.1]); // false
    allClose(a: operand, b: operand, options: closeness, device: device) ["any" -> "bool", none, deferred] => nan::two::all_close(&device, a, b, options);

    /// Whether both have one shape and equal elements: one bool.
    ///
    /// @example
    /// arrayEqual([1, 2], [1, 2]); // true
    /// arrayEqual([1, NaN], [1, NaN], { equalNan: true }); // true
    arrayEqual(a: tensor, b: tensor, options: equality) ["any" -> "bool", none, deferred] => a.array_equal(&b, options);

    select(conditions: tensors, choices: operands, otherwise: operand) ["bool; any; any" -> "promoted", smooth, deferred] => choose(&conditions, &choices, otherwise);
}
