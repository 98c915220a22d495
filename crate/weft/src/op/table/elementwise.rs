operations! {
    elementwise "Functions of each element: arithmetic of one operand, exponentials, trigonometry, rounding, and changes of dtype."

    /// −x. Not of bool.
    ///
    /// @example
    /// neg([1, -2]); // [-1,2]
    neg(x: tensor) ["f32, i32, u32" -> "same", smooth] => x.neg();

    /// |x|. Not of bool.
    ///
    /// @example
    /// abs([1, -2]); // [1,2]
    abs(x: tensor) ["f32, i32, u32" -> "same", smooth] => x.abs();

    /// −1, 0 or 1; NaN stays NaN. Not of bool.
    ///
    /// @example
    /// sign([3, 0, -2]); // [1,0,-1]
    sign(x: tensor) ["f32, i32, u32" -> "same", zero] => x.sign();

    /// The largest whole number not above x. f32; integers stay.
    ///
    /// @example
    /// floor([1.5, -1.5]); // [1,-2]
    floor(x: tensor) ["f32, i32, u32" -> "same", zero] => x.floor();

    /// The smallest whole number not below x. f32; integers stay.
    ///
    /// @example
    /// ceil([1.5, -1.5]); // [2,-1]
    ceil(x: tensor) ["f32, i32, u32" -> "same", zero] => x.ceil();

    /// The nearest whole number, ties to even, or the nearest with a number of decimals: below 0
    /// they are tens, hundreds and so on. f32; integers stay. Throws `ValueError` for integers to
    /// less than whole numbers.
    ///
    /// @example
    /// round([0.5, 1.5, 2.6]); // [0,2,3]
    /// round([1.26, 12.6], 1); // [1.3,12.6]
    round(x: tensor, decimals: whole = 0) ["f32, i32, u32" -> "same", zero, deferred] => x.round_to(decimals);

    /// The whole number next to x towards 0. f32; integers stay.
    ///
    /// @example
    /// trunc([1.7, -1.7]); // [1,-1]
    trunc(x: tensor) ["f32, i32, u32" -> "same", zero, deferred] => x.trunc();

    /// eˣ. Integers become f32, here and below.
    ///
    /// @example
    /// exp([0, 1]); // [1,2.7183]
    exp(x: tensor) ["any" -> "f32", smooth] => x.exp();

    /// 2ˣ.
    ///
    /// @example
    /// exp2([0, 3, -1]); // [1,8,0.5]
    exp2(x: tensor) ["any" -> "f32", smooth, deferred] => x.exp2();

    /// eˣ − 1, without the cancellation near 0.
    ///
    /// @example
    /// expm1([0, 1e-7]); // [0,1e-7]
    expm1(x: tensor) ["any" -> "f32", smooth, deferred] => x.expm1();

    /// Natural logarithm: −∞ at 0, NaN below.
    ///
    /// @example
    /// log([1, 0, -1]); // [0,-Infinity,NaN]
    log(x: tensor) ["any" -> "f32", smooth] => x.log();

    /// Logarithm to base 2, whole for powers of 2.
    ///
    /// @example
    /// log2([1, 8, 0.5]); // [0,3,-1]
    log2(x: tensor) ["any" -> "f32", smooth, deferred] => x.log2();

    /// Logarithm to base 10.
    ///
    /// @example
    /// log10([1, 1000]); // [0,3]
    log10(x: tensor) ["any" -> "f32", smooth, deferred] => x.log10();

    /// log(1 + x), without the rounding near 0.
    ///
    /// @example
    /// log1p([0, 1e-7]); // [0,1e-7]
    log1p(x: tensor) ["any" -> "f32", smooth, deferred] => x.log1p();

    /// Square root: NaN below 0.
    ///
    /// @example
    /// sqrt([4, 2]); // [2,1.4142]
    sqrt(x: tensor) ["any" -> "f32", smooth] => x.sqrt();

    /// 1/√x.
    ///
    /// @example
    /// rsqrt([4, 1]); // [0.5,1]
    rsqrt(x: tensor) ["any" -> "f32", smooth] => x.rsqrt();

    /// Cube root.
    ///
    /// @example
    /// cbrt([8, -27]); // [2,-3]
    cbrt(x: tensor) ["any" -> "f32", smooth, deferred] => x.cbrt();

    /// x².
    ///
    /// @example
    /// square([2, -3]); // [4,9]
    square(x: tensor) ["any" -> "the dtype of x, i32 of bool", smooth] => x.square();

    /// 1/x. f32.
    ///
    /// @example
    /// reciprocal([2, 4]); // [0.5,0.25]
    reciprocal(x: tensor) ["any" -> "f32", smooth, deferred] => x.reciprocal();

    /// Sine of radians.
    ///
    /// @example
    /// sin([0, Math.PI / 2]); // [0,1]
    sin(x: tensor) ["any" -> "f32", smooth] => x.sin();

    /// Cosine of radians.
    ///
    /// @example
    /// cos([0, Math.PI]); // [1,-1]
    cos(x: tensor) ["any" -> "f32", smooth] => x.cos();

    /// Tangent of radians.
    ///
    /// @example
    /// tan([0, 1]); // [0,1.5574]
    tan(x: tensor) ["any" -> "f32", smooth, deferred] => x.tan();

    /// The angle in [−π/2, π/2] whose sine is x; NaN beyond ±1.
    ///
    /// @example
    /// asin([0, 1]); // [0,1.5708]
    asin(x: tensor) ["any" -> "f32", smooth, deferred] => x.asin();

    /// The angle in [0, π] whose cosine is x; NaN beyond ±1.
    ///
    /// @example
    /// acos([1, -1]); // [0,3.1416]
    acos(x: tensor) ["any" -> "f32", smooth, deferred] => x.acos();

    /// The angle in [−π/2, π/2] whose tangent is x.
    ///
    /// @example
    /// atan([0, 1]); // [0,0.7854]
    atan(x: tensor) ["any" -> "f32", smooth, deferred] => x.atan();

    /// Hyperbolic sine.
    ///
    /// @example
    /// sinh([0, 1]); // [0,1.1752]
    sinh(x: tensor) ["any" -> "f32", smooth, deferred] => x.sinh();

    /// Hyperbolic cosine.
    ///
    /// @example
    /// cosh([0, 1]); // [1,1.5431]
    cosh(x: tensor) ["any" -> "f32", smooth, deferred] => x.cosh();

    /// Hyperbolic tangent.
    ///
    /// @example
    /// tanh([0, 1]); // [0,0.76159]
    tanh(x: tensor) ["any" -> "f32", smooth] => x.tanh();

    /// Inverse hyperbolic sine.
    ///
    /// @example
    /// asinh([0, 1, -1]); // [0,0.88137,-0.88137]
    asinh(x: tensor) ["any" -> "f32", smooth, deferred] => x.asinh();

    /// Inverse hyperbolic cosine; NaN below 1.
    ///
    /// @example
    /// acosh([1, 2]); // [0,1.317]
    acosh(x: tensor) ["any" -> "f32", smooth, deferred] => x.acosh();

    /// Inverse hyperbolic tangent; infinite at 1 and −1, NaN beyond.
    ///
    /// @example
    /// atanh([0, 0.5, -0.5]); // [0,0.54931,-0.54931]
    atanh(x: tensor) ["any" -> "f32", smooth, deferred] => x.atanh();

    /// sin(πx)/(πx), 1 at 0.
    ///
    /// @example
    /// sinc([0, 0.5, 1]); // [1,0.63662,0]
    sinc(x: tensor) ["any" -> "f32", smooth, deferred] => x.sinc();

    /// Degrees of radians.
    ///
    /// @example
    /// degrees(Math.PI); // 180
    degrees(x: tensor) ["any" -> "f32", smooth, deferred] => x.degrees();

    /// Radians of degrees.
    ///
    /// @example
    /// radians(180); // 3.1416
    radians(x: tensor) ["any" -> "f32", smooth, deferred] => x.radians();

    /// Error function.
    ///
    /// @example
    /// erf([0, 1]); // [0,0.8427]
    erf(x: tensor) ["any" -> "f32", smooth, deferred] => x.erf();

    /// Inverse of the error function, on [−1, 1].
    ///
    /// @example
    /// erfInv([0, 0.5]); // [0,0.47694]
    erfInv(x: tensor) ["any" -> "f32", smooth, deferred] => x.erf_inv();

    /// Whether x is zero, or false. Yields bool.
    ///
    /// @example
    /// logicalNot([0, 2]); // [true,false]
    logicalNot(x: tensor) ["any" -> "bool", none] => x.logical_not();

    /// Each bit flipped. Integers, and bool (not).
    ///
    /// @example
    /// bitwiseNot(Int32Array.of(0, 1)); // [-1,-2]
    bitwiseNot(x: tensor) ["i32, u32, bool" -> "same", none, deferred] => x.bitwise_not();

    /// Whether x is NaN. Yields bool.
    ///
    /// @example
    /// isnan([NaN, 1]); // [true,false]
    isnan(x: tensor) ["any" -> "bool", none] => x.isnan();

    /// Whether x is infinite.
    ///
    /// @example
    /// isinf([1, Infinity, NaN]); // [false,true,false]
    isinf(x: tensor) ["any" -> "bool", none, deferred] => x.isinf();

    /// Whether x is neither NaN nor infinite. Yields bool.
    ///
    /// @example
    /// isfinite([Infinity, 1]); // [false,true]
    isfinite(x: tensor) ["any" -> "bool", none, deferred] => x.isfinite();

    /// NaN and infinities exchanged for numbers; without one for an infinity, the finite number
    /// next to it.
    ///
    /// @example
    /// nanToNum([NaN, 1, Infinity], 0, 9); // [0,1,9]
    nanToNum(x: tensor, nan: number = 0, above: bound, below: bound) ["any" -> "f32", smooth, deferred] => x.nan_to_num(nan, above, below);

    /// The same values, through which no gradient flows.
    ///
    /// @example
    /// grad((x: Tensor) => x.mul(x.detach()))(tensor(3)); // 3
    detach(x: tensor) ["any" -> "same", zero] => x.detach();

    /// The elements as another dtype. Float to integer truncates towards zero and saturates, NaN
    /// gives 0; bool is "not zero".
    ///
    /// @example
    /// cast([1.9, -1.9], "i32"); // [1,-1]
    cast(x: tensor, dtype: dtype) ["any" -> "`dtype`", smooth] => x.cast(dtype);

    /// The same bits as another dtype. Not of or to bool.
    ///
    /// @example
    /// bitcast([1], "u32"); // [1065353216]
    bitcast(x: stored, dtype: dtype) ["f32, i32, u32" -> "`dtype`", none, deferred] => x.0.bitcast(dtype);

    clip(x: tensor, low: bound, high: bound) ["any" -> "promoted", smooth] => x.clip(low, high);
}
