several! {
    twofold "Which functions that few call yield two tensors?"

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
    quantize4(x: tensor, group: count = 32) ["any" -> "packed u32, scales f32", none] => weights::quantize4(&x, group);
}
