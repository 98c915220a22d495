operations! {
    polynomials "Polynomials as vectors of coefficients, that of the highest power first; a number is a constant."

    /// A polynomial at each x, by its coefficients, that of the highest power first.
    ///
    /// @example
    /// polyval([1, 0, -2], [0, 3]); // [-2,7]
    polyval(coefficients: tensor, x: operand, device: device) ["any" -> "promoted", smooth, deferred] => polynomial::polyval(&device, &coefficients, x);

    /// The sum of two polynomials.
    ///
    /// @example
    /// polyadd([1, 2], [3, 4, 5]); // [3,5,7]
    polyadd(a: tensor, b: tensor) ["any" -> "the promoted dtype, i32 of bools", smooth, deferred, function] => polynomial::add(&a, &b);

    /// The difference of two polynomials.
    ///
    /// @example
    /// polysub([1, 2], [3, 4, 5]); // [-3,-3,-3]
    polysub(a: tensor, b: tensor) ["any" -> "the promoted dtype, i32 of bools", smooth, deferred, function] => polynomial::sub(&a, &b);

    /// The product of two polynomials.
    ///
    /// @example
    /// polymul([1, 2], [1, 3]); // [1,5,6]
    polymul(a: tensor, b: tensor) ["any" -> "promoted", smooth, deferred, function] => polynomial::mul(&a, &b);

    /// The quotient and the remainder of two polynomials; the remainder has one coefficient less
    /// than the divisor (at least one). Throws `ShapeError` for an empty divisor.
    ///
    /// @example
    /// const [quotient, rest] = polydiv([1, 5, 7], [1, 2]);
    /// quotient; // [1,3]
    /// rest; // [1]
    polydiv(a: tensor, b: tensor) ["any" -> "quotient f32 even of f16, rest f32 even of f16", smooth, deferred, several, function] => polynomial::div(&a, &b);

    /// The derivative of a polynomial, of order `times`.
    ///
    /// @example
    /// polyder([1, 2, 3]); // [2,2]
    polyder(p: tensor, times: count = 1) ["any" -> "the dtype of x, i32 of bool", smooth, deferred, function] => polynomial::derivative(&p, times);

    /// The integral of a polynomial, `times` over, with 0 (or `constant`) at 0.
    ///
    /// @example
    /// polyint([2, 2]); // [1,2,0]
    polyint(p: tensor, times: count = 1, constant: operand = 0) ["any" -> "f32 even of f16", smooth, deferred, function] => polynomial::integral(&p, times, constant);

    /// The polynomial of a degree that lies nearest to points, in the sense of least squares, each
    /// weighted or not. In f32: of high degrees, or far from 0, digits are lost.
    ///
    /// @example
    /// polyfit([0, 1, 2], [1, 3, 5], 1).round(); // [2,1]
    polyfit(x: tensor, y: tensor, degree: count, weights: maybe) ["any" -> "f32 even of f16", smooth, deferred, function] => polynomial::fit(&x, &y, degree, weights.as_ref());

    /// The polynomial with the given roots. With none it is [1], a vector as always, where NumPy
    /// gives a number.
    ///
    /// @example
    /// poly([1, 2]); // [1,-3,2]
    poly(roots: tensor) ["any" -> "f32 even of f16", smooth, deferred, function] => polynomial::of_roots(&roots);
}
