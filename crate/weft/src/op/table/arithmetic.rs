operations! {
    arithmetic "Functions of two operands that broadcast: arithmetic, minima and maxima, bits."

    /// a + b.
    ///
    /// @example
    /// add([1, 2], 10); // [11,12]
    add(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth] => two::add(&device, a, b);

    /// a − b.
    ///
    /// @example
    /// sub([1, 2], 10); // [-9,-8]
    sub(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth] => two::sub(&device, a, b);

    /// a · b.
    ///
    /// @example
    /// mul([[1], [2]], [3, 4]); // [[3,4],[6,8]]
    mul(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth] => two::mul(&device, a, b);

    /// a / b. Integers become f32.
    ///
    /// @example
    /// div([1, 2], 4); // [0.25,0.5]
    div(a: operand, b: operand, device: device) ["any" -> "f32", smooth] => two::div(&device, a, b);

    /// The floor of a / b.
    ///
    /// @example
    /// floorDivide([7, -7], 2); // [3,-4]
    floorDivide(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", zero, deferred] => two::floor_divide(&device, a, b);

    /// The remainder of a divided by b, with the sign of b.
    ///
    /// @example
    /// remainder([7, -7], 3); // [1,2]
    remainder(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth, deferred] => two::remainder(&device, a, b);

    /// The remainder of a divided by b, with the sign of a.
    ///
    /// @example
    /// fmod([7, -7], 3); // [1,-1]
    fmod(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth, deferred] => sign::two::fmod(&device, a, b);

    /// aᵇ.
    ///
    /// @example
    /// pow([2, 3], 2); // [4,9]
    pow(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth] => two::pow(&device, a, b);

    /// The smaller of a and b; NaN if either is.
    ///
    /// @example
    /// minimum([1, 5], 3); // [1,3]
    minimum(a: operand, b: operand, device: device) ["any" -> "promoted", smooth] => two::minimum(&device, a, b);

    /// The larger of a and b; NaN if either is.
    ///
    /// @example
    /// maximum([1, 5], 3); // [3,5]
    maximum(a: operand, b: operand, device: device) ["any" -> "promoted", smooth] => two::maximum(&device, a, b);

    /// The smaller of a and b; of a number and NaN the number.
    ///
    /// @example
    /// fmin([1, NaN], 2); // [1,2]
    fmin(a: operand, b: operand, device: device) ["any" -> "promoted", smooth, deferred] => sign::two::fmin(&device, a, b);

    /// The larger of a and b; of a number and NaN the number.
    ///
    /// @example
    /// fmax([1, NaN], 2); // [2,2]
    fmax(a: operand, b: operand, device: device) ["any" -> "promoted", smooth, deferred] => sign::two::fmax(&device, a, b);

    /// Bitwise and, of integers.
    ///
    /// @example
    /// bitwiseAnd(Int32Array.of(6, 5), 4); // [4,4]
    bitwiseAnd(a: operand, b: operand, device: device) ["i32, u32, bool" -> "promoted", none, deferred] => two::bitwise_and(&device, a, b);

    /// Bitwise or, of integers.
    ///
    /// @example
    /// bitwiseOr(Int32Array.of(1, 2), 4); // [5,6]
    bitwiseOr(a: operand, b: operand, device: device) ["i32, u32, bool" -> "promoted", none, deferred] => two::bitwise_or(&device, a, b);

    /// Bitwise exclusive or, of integers.
    ///
    /// @example
    /// bitwiseXor(Int32Array.of(6, 5), 4); // [2,1]
    bitwiseXor(a: operand, b: operand, device: device) ["i32, u32, bool" -> "promoted", none, deferred] => two::bitwise_xor(&device, a, b);

    /// a · 2ᵇ, of integers; bits shifted out are lost.
    ///
    /// @example
    /// shiftLeft(Int32Array.of(1, 3), 2); // [4,12]
    shiftLeft(a: operand, b: operand, device: device) ["i32, u32" -> "promoted", none, deferred] => two::shift_left(&device, a, b);

    /// The floor of a / 2ᵇ, of integers.
    ///
    /// @example
    /// shiftRight(Int32Array.of(8, -8), 1); // [4,-4]
    shiftRight(a: operand, b: operand, device: device) ["i32, u32" -> "promoted", none, deferred] => two::shift_right(&device, a, b);

    /// The angle of the point (x, y), in (−π, π]; 0 at the origin.
    ///
    /// @example
    /// atan2([1, 0], [1, -1]); // [0.7854,3.1416]
    atan2(y: operand, x: operand, device: device) ["any" -> "f32", smooth, deferred] => trigonometry::two::atan2(&device, y, x);

    /// √(a² + b²), without overflow.
    ///
    /// @example
    /// hypot([3, 5], [4, 12]); // [5,13]
    hypot(a: operand, b: operand, device: device) ["any" -> "f32", smooth, deferred] => trigonometry::two::hypot(&device, a, b);

    /// log(eᵃ + eᵇ), without overflow.
    ///
    /// @example
    /// logAddExp([1000, 0], [1000, 0]); // [1000.7,0.69315]
    logAddExp(a: operand, b: operand, device: device) ["any" -> "f32", smooth, deferred] => log_add_exp(&device, a, b);

    /// The magnitude of a with the sign of b.
    ///
    /// @example
    /// copysign([1, 2], [-3, 4]); // [-1,2]
    copysign(a: operand, b: operand, device: device) ["any" -> "f32", smooth, deferred] => sign::two::copysign(&device, a, b);

    /// 0 where x is below 0, 1 above, `zero` at 0.
    ///
    /// @example
    /// heaviside([-1, 0, 2], 0.5); // [0,0.5,1]
    heaviside(x: operand, zero: operand, device: device) ["any" -> "f32", smooth, deferred] => sign::two::heaviside(&device, x, zero);
}
