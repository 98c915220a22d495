operations! {
    compare "How are elements compared, and truth values combined?"

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
    logicalXor(a: operand, b: operand, device: device) ["any" -> "bool", none] => two::logical_xor(&device, a, b);

    /// `a` where the condition holds, `b` elsewhere. All three broadcast; the condition is bool.
    ///
    /// @example
    /// where([true, false], [1, 2], 0); // [1,0]
    where(condition: tensor, a: operand, b: operand) ["bool, and any dtypes" -> "promoted", smooth] => crate::select(&condition, a, b);
}
