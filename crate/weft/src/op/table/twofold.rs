several! {
    twofold "Which functions that few call yield several tensors?"

    /// Si(x), the integral of sin(t)/t from 0, and Ci(|x|), that of cos(t)/t from ∞: within 2e-6 of max(1, |Ci|).
    ///
    /// @example
    /// const [si, ci] = special.sici([1, 2]);
    /// si; // [0.94608,1.6054]
    /// ci; // [0.3374,0.42298]
    special.sici(x: tensor) ["any" -> "si f32, ci f32", smooth] => formulas::sici(&x);

    /// Fresnel's integrals S(x) and C(x), of sin(πt²/2) and cos(πt²/2) from 0, within 1e-6.
    ///
    /// @example
    /// const [s, c] = special.fresnel([0, 1]);
    /// s; // [0,0.43826]
    /// c; // [0,0.77989]
    special.fresnel(x: tensor) ["any" -> "s f32, c f32", smooth] => formulas::fresnel(&x);

    /// A matrix, or a stack of them, with four bits for each element. The rows are taken in groups of `group`, a multiple of 8 that divides their number, and each column of a group has
    /// a scale, a seventh of its largest magnitude: an element is a whole number from −7 to 7 of scales, so that it is off by half a scale at most. Eight rows
    /// are a row of words, the first in the lowest bits. Throws `ShapeError` where the rows are no whole groups. `matmul4` multiplies by it as it is.
    ///
    /// @example
    /// const [packed, scales] = quantize4(ones([32, 2]).mul(7));
    /// scales; // [[1,1]]
    /// dequantize4(packed, scales).max(); // 7
    quantize4(x: tensor, group: count = 32) ["any" -> "packed u32, scales f32", none] => quantized::quantize4(&x, group);

    /// `floorDivide` and `remainder`.
    ///
    /// @example
    /// const [quotient, rest] = divmod([7, -7], 3);
    /// quotient; // [2,-3]
    /// rest; // [1,2]
    divmod(a: operand, b: operand, device: device) ["any" -> "quotient promoted, rest promoted", smooth] => float::divmod(&device, a, b);

    /// What is left of numbers without their whole parts, and these, both with the sign of the number.
    ///
    /// @example
    /// const [rest, whole] = modf([1.5, -2.25]);
    /// rest; // [0.5,-0.25]
    /// whole; // [1,-2]
    modf(x: tensor) ["any" -> "rest f32 even of f16, whole f32 even of f16", smooth] => x.modf();

    /// Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, and e as i32. What is 0 or not finite is its own m, with the exponent 0. The
    /// gradient is that of m, with e kept.
    ///
    /// @example
    /// const [m, e] = frexp([8, -0.75]);
    /// m; // [0.5,-0.75]
    /// e; // [4,0]
    frexp(x: tensor) ["any" -> "mantissa f32 even of f16, exponent i32", smooth] => x.frexp();

    /// The quotient of two polynomials and what is left, which has one coefficient less than the divisor (at least one). Throws `ShapeError` for an empty divisor.
    ///
    /// @example
    /// const [quotient, rest] = polydiv([1, 5, 7], [1, 2]);
    /// quotient; // [1,3]
    /// rest; // [1]
    polydiv(a: tensor, b: tensor) ["any" -> "quotient f32 even of f16, rest f32 even of f16", smooth] => polynomial::div(&a, &b);

    /// The positions along each axis of a shape of what stands at row-major positions.
    ///
    /// @example
    /// const [row, column] = unravelIndex([1, 5], [2, 3]);
    /// row; // [0,1]
    unravelIndex(positions: integers, shape: extents) ["i32, u32" -> "each the same", none] => positions.unravel(&shape);
}
