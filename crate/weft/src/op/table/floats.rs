operations! {
    floats "What are numbers made of? Exponents, bits, common divisors."

    /// x · 2ⁿ for whole n.
    ///
    /// @example
    /// ldexp([0.5, 3], [4, -1]); // [8,1.5]
    ldexp(x: tensor, n: tensor) ["any" -> "f32 even of f16", smooth] => x.ldexp(&n);

    /// The float next to a towards b, which is b where they are equal. Devices may take what is below 2⁻¹²⁶ for 0.
    ///
    /// @example
    /// nextafter(1, 2).sub(1); // 1.1921e-7
    nextafter(a: storedOperand, b: storedOperand, device: device) ["any" -> "f32, f16 of halves", none] => float::next_after(&device, a.0, b.0);

    /// aᵇ in f32, whatever the dtypes.
    ///
    /// @example
    /// floatPower(Int32Array.of(2), -1); // [0.5]
    floatPower(a: operand, b: operand, device: device) ["any" -> "f32 even of f16", smooth] => float::float_power(&device, a, b);

    /// log₂(2ᵃ + 2ᵇ), without overflow.
    ///
    /// @example
    /// logAddExp2([3, 1000], [3, 1000]); // [4,1001]
    logAddExp2(a: operand, b: operand, device: device) ["any" -> "f32", smooth] => float::log_add_exp2(&device, a, b);

    /// Whether x is ∞.
    ///
    /// @example
    /// isposinf([Infinity, -Infinity, 1]); // [true,false,false]
    isposinf(x: tensor) ["any" -> "bool", none] => x.isposinf();

    /// Whether x is −∞.
    ///
    /// @example
    /// isneginf([Infinity, -Infinity, 1]); // [false,true,false]
    isneginf(x: tensor) ["any" -> "bool", none] => x.isneginf();

    /// How many bits of integers are set, as i32; of negative ones those of the magnitude.
    ///
    /// @example
    /// bitwiseCount(Int32Array.of(0, 7, -1)); // [0,3,1]
    bitwiseCount(x: integers) ["bool, i32, u32" -> "i32", none] => x.bitwise_count();

    /// The greatest common divisor of integers, 0 of zeros.
    ///
    /// @example
    /// gcd(Int32Array.of(12, -18, 0), 9); // [3,9,9]
    gcd(a: integers, b: integers) ["bool, i32, u32" -> "the promoted dtype, i32 of bools", none] => a.gcd(&b);

    /// The least common multiple of integers, 0 where either is.
    ///
    /// @example
    /// lcm(Int32Array.of(4, 0), 6); // [12,0]
    lcm(a: integers, b: integers) ["bool, i32, u32" -> "the promoted dtype, i32 of bools", none] => a.lcm(&b);
}
