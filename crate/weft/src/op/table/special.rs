operations! {
    special "Special functions."

    /// log |Γ(x)|, within 1e-6 of max(1, |log Γ|); ∞ at 0 and the negative whole numbers.
    ///
    /// @example
    /// special.gammaln([1, 5, 0.5]); // [0,3.1781,0.57236]
    special.gammaln(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::gammaln(&x);

    /// Γ(x), within 4e-6 of itself; NaN at the negative whole numbers.
    ///
    /// @example
    /// special.gamma([1, 5, 0.5]); // [1,24,1.7725]
    special.gamma(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::gamma(&x);

    /// The sign of Γ(x): 1 or −1.
    ///
    /// @example
    /// special.gammasgn([1, -0.5, -1.5]); // [1,-1,1]
    special.gammasgn(x: tensor) ["any" -> "f32", zero, deferred] => formulas::gammasgn(&x);

    /// ψ(x), the derivative of log Γ, within 1e-6 of max(1, |ψ|) for x above 0; NaN at the negative
    /// whole numbers.
    ///
    /// @example
    /// special.digamma([1, 2]); // [-0.57722,0.42278]
    special.digamma(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::digamma(&x);

    /// The derivative of order `order` of ψ, within 4e-6 of itself. Of orders above 1 only above 0,
    /// else NaN; ∞ at poles there.
    ///
    /// @example
    /// special.polygamma(1, 1); // 1.6449
    special.polygamma(order: count, x: tensor) ["any" -> "f32", smooth, deferred] => formulas::polygamma(order, &x);

    /// Hurwitz' zeta function, the sum of (q + k)⁻ˢ over k from 0; with q = 1 that of Riemann. NaN
    /// for s below 1 and for negative q, but ∞ where q is whole. Within 4e-6 of itself.
    ///
    /// @example
    /// special.zeta([2, 4]); // [1.6449,1.0823]
    special.zeta(s: operand, q: operand = 1, device: device) ["any" -> "f32", smooth, deferred] => formulas::zeta(&device, s, q);

    /// log |B(a, b)|, B the beta function, within 2e-6 of max(1, |log B|) for positive a and b.
    ///
    /// @example
    /// special.betaln(2, 3); // -2.4849
    special.betaln(a: operand, b: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::betaln(&device, a, b);

    /// The beta function, Γ(a)·Γ(b)/Γ(a + b); infinite where it has a pole.
    ///
    /// @example
    /// special.beta(2, [3, 1]); // [0.083333,0.5]
    special.beta(a: operand, b: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::beta(&device, a, b);

    /// log of the gamma function of matrices of `dimension` rows.
    ///
    /// @example
    /// special.multigammaln(3, 1); // 0.69315
    special.multigammaln(a: tensor, dimension: count) ["any" -> "f32", smooth, deferred] => formulas::multigammaln(&a, dimension);

    /// P(a, x), the regularised lower incomplete gamma function, within 2e-6 of 1: the share of a
    /// gamma distribution below x. NaN for a ≤ 0 or x < 0.
    ///
    /// @example
    /// special.gammainc(1, [0, 1]); // [0,0.63212]
    special.gammainc(a: operand, x: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::gammainc(&device, a, x);

    /// Q(a, x) = 1 − P(a, x), the regularised upper incomplete gamma function; where it is small
    /// its digits are its own.
    ///
    /// @example
    /// special.gammaincc(1, [0, 1]); // [1,0.36788]
    special.gammaincc(a: operand, x: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::gammaincc(&device, a, x);

    /// The regularised incomplete beta function, for a and b up to 1000 within 4e-6 of 1: the share
    /// of a beta distribution below x. NaN outside 0 to 1.
    ///
    /// @example
    /// special.betainc(2, 3, [0, 0.5, 1]); // [0,0.6875,1]
    special.betainc(a: operand, b: operand, x: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::betainc(&device, a, b, x);

    /// 1 − erf(x), within 1e-6 of itself.
    ///
    /// @example
    /// special.erfc([0, 1, 5]); // [1,0.1573,1.5375e-12]
    special.erfc(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::erfc(&x);

    /// eˣ²·erfc(x), within 1e-6 of itself for x above 0.
    ///
    /// @example
    /// special.erfcx([0, 100]); // [1,0.0056416]
    special.erfcx(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::erfcx(&x);

    /// The share of a standard normal distribution that lies below x, within 2e-6 of itself.
    ///
    /// @example
    /// special.ndtr([0, 1, -10]); // [0.5,0.84134,7.6199e-24]
    special.ndtr(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::ndtr(&x);

    /// The logarithm of `special.ndtr`, of any x.
    ///
    /// @example
    /// special.logNdtr([0, -100]); // [-0.69315,-5005.5]
    special.logNdtr(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::log_ndtr(&x);

    /// The inverse of `special.ndtr`: the value below which a share p lies. NaN outside 0 to 1.
    ///
    /// @example
    /// special.ndtri([0.5, 0.975]).round(); // [0,2]
    special.ndtri(p: tensor) ["any" -> "f32", smooth, deferred] => formulas::ndtri(&p);

    /// I₀(x), the modified Bessel function of order 0, within 2e-6 of itself.
    ///
    /// @example
    /// special.i0([0, 1]); // [1,1.2661]
    special.i0(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::i0(&x);

    /// I₀(x) divided by e to the power |x|, within 1e-6 of itself.
    ///
    /// @example
    /// special.i0e([0, 1]); // [1,0.46576]
    special.i0e(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::i0e(&x);

    /// I₁(x), the modified Bessel function of order 1, within 2e-6 of itself.
    ///
    /// @example
    /// special.i1([0, 1]); // [0,0.56516]
    special.i1(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::i1(&x);

    /// I₁(x) divided by e to the power |x|, within 1e-6 of itself.
    ///
    /// @example
    /// special.i1e([0, 1]); // [0,0.20791]
    special.i1e(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::i1e(&x);

    /// E₁(x), the integral of e⁻ᵗ/t from x to ∞, within 1e-6 of max(1, E₁); NaN below 0.
    ///
    /// @example
    /// special.exp1([1, 2]); // [0.21938,0.048901]
    special.exp1(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::exp1(&x);

    /// Ei(x), the integral of eᵗ/t from −∞ to x, within 2e-6 of max(1, |Ei|).
    ///
    /// @example
    /// special.expi([1, -1]); // [1.8951,-0.21938]
    special.expi(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::expi(&x);

    /// x·log y, 0 where x is 0.
    ///
    /// @example
    /// special.xlogy([0, 2], [0, 1]); // [0,0]
    special.xlogy(x: operand, y: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::xlogy(&device, x, y);

    /// x·log(1 + y), 0 where x is 0.
    ///
    /// @example
    /// special.xlog1py([0, 1], [-1, 0]); // [0,0]
    special.xlog1py(x: operand, y: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::xlog1py(&device, x, y);

    /// −x·log x, a share of an entropy: 0 at 0, −∞ below.
    ///
    /// @example
    /// special.entr([0, 0.5, 1]); // [0,0.34657,0]
    special.entr(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::entr(&x);

    /// x·log(x/y): 0 where x is 0, ∞ where only y is or either is negative.
    ///
    /// @example
    /// special.relEntr([0, 1], [1, 0.5]); // [0,0.69315]
    special.relEntr(x: operand, y: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::rel_entr(&device, x, y);

    /// x·log(x/y) − x + y, each share of how far one distribution is from another.
    ///
    /// @example
    /// special.klDiv([0, 1], [1, 1]); // [1,0]
    special.klDiv(x: operand, y: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::kl_div(&device, x, y);

    /// log(p/(1 − p)), the inverse of `sigmoid`; ±∞ at 1 and 0, NaN beyond.
    ///
    /// @example
    /// special.logit([0.5, 1]); // [0,Infinity]
    special.logit(p: tensor) ["any" -> "f32", smooth, deferred] => formulas::logit(&p);

    /// J₀(x), the Bessel function of the first kind, within 1e-6.
    ///
    /// @example
    /// special.j0([0, 1]); // [1,0.7652]
    special.j0(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::j0(&x);

    /// J₁(x), within 1e-6.
    ///
    /// @example
    /// special.j1([0, 1]); // [0,0.44005]
    special.j1(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::j1(&x);

    /// The Bessel functions of the first kind, J₀(x) to that of `order`, along a new first axis;
    /// within 1e-6, and within 1e-5 of themselves where x is below the order. Throws `ValueError`
    /// for orders above 100.
    ///
    /// @example
    /// special.besselJn([0, 1], 2); // [[1,0.7652],[0,0.44005],[0,0.1149]]
    special.besselJn(x: tensor, order: count) ["any" -> "f32", smooth, deferred] => formulas::bessel_jn(&x, order);

    /// Eₙ(x), the integral of e⁻ˣᵗ/tⁿ over t above 1, within 4e-6 of itself; NaN below 0.
    ///
    /// @example
    /// special.expn(2, [0, 1]); // [1,0.1485]
    special.expn(order: count, x: tensor) ["any" -> "f32", smooth, deferred] => formulas::expn(order, &x);

    /// The integral of log t/(1 − t) from 1 to x, within 2e-6 of itself: the dilogarithm of 1 − x.
    /// NaN below 0.
    ///
    /// @example
    /// special.spence([0, 1, 2]); // [1.6449,0,-0.82247]
    special.spence(x: tensor) ["any" -> "f32", smooth, deferred] => formulas::spence(&x);

    /// n!, which is Γ(n + 1), within 6e-6 of itself; 0 below 0.
    ///
    /// @example
    /// special.factorial([0, 4, 5]); // [1,24,120]
    special.factorial(n: tensor) ["any" -> "f32", smooth, deferred] => formulas::factorial(&n);

    /// Γ(x + n)/Γ(x), for whole n the product of n numbers from x on: within 4e-6 of itself times
    /// what its logarithm exceeds 1. NaN unless x and x + n are above 0.
    ///
    /// @example
    /// special.poch(3, [0, 1, 2]); // [1,3,12]
    special.poch(x: operand, n: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::poch(&device, x, n);

    /// How many choices there are of k things of n: within 4e-6 of itself times what its logarithm
    /// exceeds 1. 0 where k is below 0 or above n.
    ///
    /// @example
    /// special.comb(5, [0, 2, 6]); // [1,10,0]
    special.comb(n: operand, k: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::comb(&device, n, k);

    /// The function of Box and Cox: (xᵖ − 1)/p, which for p = 0 is log x. NaN below 0.
    ///
    /// @example
    /// special.boxcox([1, 2], 2); // [0,1.5]
    special.boxcox(x: operand, power: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::boxcox(&device, x, power);

    /// `special.boxcox` of 1 + x, without cancellation.
    ///
    /// @example
    /// special.boxcox1p([0, 1], 2); // [0,1.5]
    special.boxcox1p(x: operand, power: operand, device: device) ["any" -> "f32", smooth, deferred] => formulas::boxcox1p(&device, x, power);

    /// Si(x), the integral of sin(t)/t from 0, and Ci(|x|), that of cos(t)/t from ∞: within 2e-6 of
    /// max(1, |Ci|).
    ///
    /// @example
    /// const [si, ci] = special.sici([1, 2]);
    /// si; // [0.94608,1.6054]
    /// ci; // [0.3374,0.42298]
    special.sici(x: tensor) ["any" -> "si f32, ci f32", smooth, deferred, several] => formulas::sici(&x);

    /// Fresnel's integrals S(x) and C(x), of sin(πt²/2) and cos(πt²/2) from 0, within 1e-6.
    ///
    /// @example
    /// const [s, c] = special.fresnel([0, 1]);
    /// s; // [0,0.43826]
    /// c; // [0,0.77989]
    special.fresnel(x: tensor) ["any" -> "s f32, c f32", smooth, deferred, several] => formulas::fresnel(&x);
}
