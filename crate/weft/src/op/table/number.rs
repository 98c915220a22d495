operations! {
    number "Representations of numbers: signs, exponents and mantissas, bits, common divisors."

    /// Whether the sign of x is set.
    ///
    /// @example
    /// signbit([1, -2]); // [false,true]
    signbit(x: tensor) ["any" -> "bool", none, deferred] => x.signbit();

    /// Whether x is ∞.
    ///
    /// @example
    /// isposinf([Infinity, -Infinity, 1]); // [true,false,false]
    isposinf(x: tensor) ["any" -> "bool", none, deferred, function] => x.isposinf();

    /// Whether x is −∞.
    ///
    /// @example
    /// isneginf([Infinity, -Infinity, 1]); // [false,true,false]
    isneginf(x: tensor) ["any" -> "bool", none, deferred, function] => x.isneginf();

    /// x · 2ⁿ for whole n.
    ///
    /// @example
    /// ldexp([0.5, 3], [4, -1]); // [8,1.5]
    ldexp(x: tensor, n: tensor) ["any" -> "f32 even of f16", smooth, deferred, function] => x.ldexp(&n);

    /// The float next to a towards b, which is b where they are equal. Devices may take magnitudes
    /// below 2⁻¹²⁶ for 0.
    ///
    /// @example
    /// nextafter(1, 2).sub(1); // 1.1921e-7
    nextafter(a: storedOperand, b: storedOperand, device: device) ["any" -> "f32, f16 of halves", none, deferred, function] => float::next_after(&device, a.0, b.0);

    /// aᵇ in f32, whatever the dtypes.
    ///
    /// @example
    /// floatPower(Int32Array.of(2), -1); // [0.5]
    floatPower(a: operand, b: operand, device: device) ["any" -> "f32 even of f16", smooth, deferred, function] => float::float_power(&device, a, b);

    /// log₂(2ᵃ + 2ᵇ), without overflow.
    ///
    /// @example
    /// logAddExp2([3, 1000], [3, 1000]); // [4,1001]
    logAddExp2(a: operand, b: operand, device: device) ["any" -> "f32", smooth, deferred, function] => float::log_add_exp2(&device, a, b);

    /// `floorDivide` and `remainder`.
    ///
    /// @example
    /// const [quotient, rest] = divmod([7, -7], 3);
    /// quotient; // [2,-3]
    /// rest; // [1,2]
    divmod(a: operand, b: operand, device: device) ["any" -> "quotient promoted, rest promoted", smooth, deferred, several, function] => float::divmod(&device, a, b);

    /// The fraction and the whole part of numbers, both with the sign of the number.
    ///
    /// @example
    /// const [rest, whole] = modf([1.5, -2.25]);
    /// rest; // [0.5,-0.25]
    /// whole; // [1,-2]
    modf(x: tensor) ["any" -> "rest f32 even of f16, whole f32 even of f16", smooth, deferred, several, function] => x.modf();

    /// Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, and e as i32. What is 0 or
    /// not finite is its own m, with the exponent 0. The gradient is that of m, with e kept.
    ///
    /// @example
    /// const [m, e] = frexp([8, -0.75]);
    /// m; // [0.5,-0.75]
    /// e; // [4,0]
    frexp(x: tensor) ["any" -> "mantissa f32 even of f16, exponent i32", smooth, deferred, several, function] => x.frexp();

    /// How many bits of integers are set, as i32; of negative ones those of the magnitude.
    ///
    /// @example
    /// bitwiseCount(Int32Array.of(0, 7, -1)); // [0,3,1]
    bitwiseCount(x: integers) ["bool, i32, u32" -> "i32", none, deferred, function] => x.bitwise_count();

    /// The number of leading zeros of each element's 32 bits.
    ///
    /// @example
    /// clz(tensor([0, 1, -1], { dtype: "i32" })); // [32,31,0]
    clz(x: tensor) ["i32, u32" -> "same", none, deferred, function] => x.leading_zeros();

    /// The greatest common divisor of integers, 0 of zeros.
    ///
    /// @example
    /// gcd(Int32Array.of(12, -18, 0), 9); // [3,9,9]
    gcd(a: integers, b: integers) ["bool, i32, u32" -> "the promoted dtype, i32 of bools", none, deferred, function] => a.gcd(&b);

    /// The least common multiple of integers, 0 where either is.
    ///
    /// @example
    /// lcm(Int32Array.of(4, 0), 6); // [12,0]
    lcm(a: integers, b: integers) ["bool, i32, u32" -> "the promoted dtype, i32 of bools", none, deferred, function] => a.lcm(&b);

    /// Whether elements are not 0, as bits, eight to a byte: along an axis, or of the flattened
    /// tensor. The first is the highest bit, or the lowest with `little`; zeros fill the last byte.
    ///
    /// @example
    /// packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]); // [131,128]
    packbits(x: tensor, axis: position, little: flag = false) ["any" -> "u8", none, deferred, function] => bits::pack(&x, axis.map(|axis| axis[0]), little);

    /// The bits of bytes as 0 and 1, along an axis, or of the flattened tensor: the first `count`,
    /// followed by zeros where there are fewer, or all but the last −`count`, where it is given.
    /// Throws `DTypeError` for other than u8.
    ///
    /// @example
    /// unpackbits(packbits([1, 0, 1]), null, 4); // [1,0,1,0]
    unpackbits(x: stored, axis: position, count: bound, little: flag = false) ["u8" -> "u8", none, deferred, function] => bits::unpack(&x.0, axis.map(|axis| axis[0]), count, little);
}
