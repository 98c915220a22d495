operations! {
    mathematics "Which functions of elements does one need now and then?"

    /// √(a² + b²), without overflow.
    ///
    /// @example
    /// hypot([3, 5], [4, 12]); // [5,13]
    hypot(a: operand, b: operand, device: device) ["any" -> "f32", smooth] => trigonometry::two::hypot(&device, a, b);

    /// log(eᵃ + eᵇ), without overflow.
    ///
    /// @example
    /// logAddExp([1000, 0], [1000, 0]); // [1000.7,0.69315]
    logAddExp(a: operand, b: operand, device: device) ["any" -> "f32", smooth] => log_add_exp(&device, a, b);

    /// The magnitude of a with the sign of b.
    ///
    /// @example
    /// copysign([1, 2], [-3, 4]); // [-1,2]
    copysign(a: operand, b: operand, device: device) ["any" -> "f32", smooth] => sign::two::copysign(&device, a, b);

    /// 0 where x is below 0, 1 above, `zero` at 0.
    ///
    /// @example
    /// heaviside([-1, 0, 2], 0.5); // [0,0.5,1]
    heaviside(x: operand, zero: operand, device: device) ["any" -> "f32", smooth] => sign::two::heaviside(&device, x, zero);

    /// What is left of a when divided by b, with the sign of a.
    ///
    /// @example
    /// fmod([7, -7], 3); // [1,-1]
    fmod(a: operand, b: operand, device: device) ["any" -> "the promoted dtype, i32 of bools", smooth] => sign::two::fmod(&device, a, b);

    /// The larger of a and b; of a number and NaN the number.
    ///
    /// @example
    /// fmax([1, NaN], 2); // [2,2]
    fmax(a: operand, b: operand, device: device) ["any" -> "promoted", smooth] => sign::two::fmax(&device, a, b);

    /// The smaller of a and b; of a number and NaN the number.
    ///
    /// @example
    /// fmin([1, NaN], 2); // [1,2]
    fmin(a: operand, b: operand, device: device) ["any" -> "promoted", smooth] => sign::two::fmin(&device, a, b);

    /// Inverse hyperbolic sine.
    ///
    /// @example
    /// asinh([0, 1, -1]); // [0,0.88137,-0.88137]
    asinh(x: tensor) ["any" -> "f32", smooth] => x.asinh();

    /// Inverse hyperbolic cosine; NaN below 1.
    ///
    /// @example
    /// acosh([1, 2]); // [0,1.317]
    acosh(x: tensor) ["any" -> "f32", smooth] => x.acosh();

    /// Inverse hyperbolic tangent; infinite at 1 and −1, NaN beyond.
    ///
    /// @example
    /// atanh([0, 0.5, -0.5]); // [0,0.54931,-0.54931]
    atanh(x: tensor) ["any" -> "f32", smooth] => x.atanh();

    /// Inverse of the error function, on [−1, 1].
    ///
    /// @example
    /// erfInv([0, 0.5]); // [0,0.47694]
    erfInv(x: tensor) ["any" -> "f32", smooth] => x.erf_inv();

    /// Cube root.
    ///
    /// @example
    /// cbrt([8, -27]); // [2,-3]
    cbrt(x: tensor) ["any" -> "f32", smooth] => x.cbrt();

    /// sin(πx)/(πx), 1 at 0.
    ///
    /// @example
    /// sinc([0, 0.5, 1]); // [1,0.63662,0]
    sinc(x: tensor) ["any" -> "f32", smooth] => x.sinc();

    /// Hyperbolic sine.
    ///
    /// @example
    /// sinh([0, 1]); // [0,1.1752]
    sinh(x: tensor) ["any" -> "f32", smooth] => x.sinh();

    /// Hyperbolic cosine.
    ///
    /// @example
    /// cosh([0, 1]); // [1,1.5431]
    cosh(x: tensor) ["any" -> "f32", smooth] => x.cosh();

    /// Degrees of radians.
    ///
    /// @example
    /// degrees(Math.PI); // 180
    degrees(x: tensor) ["any" -> "f32", smooth] => x.degrees();

    /// Radians of degrees.
    ///
    /// @example
    /// radians(180); // 3.1416
    radians(x: tensor) ["any" -> "f32", smooth] => x.radians();

    /// NaN and infinities exchanged for numbers; without one for an infinity, the finite number next to it.
    ///
    /// @example
    /// nanToNum([NaN, 1, Infinity], 0, 9); // [0,1,9]
    nanToNum(x: tensor, nan: number = 0, above: bound, below: bound) ["any" -> "f32", smooth] => x.nan_to_num(nan, above, below);

    /// Whether the sign of x is set.
    ///
    /// @example
    /// signbit([1, -2]); // [false,true]
    signbit(x: tensor) ["any" -> "bool", none] => x.signbit();
}
