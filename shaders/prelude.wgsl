// What Weft's elementwise functions are on a device: the bounds and edge cases that WGSL leaves to
// each GPU, owned here. A printed kernel carries those declarations that it calls. Blank lines
// separate declarations; there are none inside.
//
// Bounds are in units in the last place (ulp) of f32 against the exact function. Results below
// 2⁻¹²², where a device may flush what is subnormal on the way, are off by no more than 2⁻¹²⁶;
// subnormal arguments may count as 0. Polynomials are minimax fits made for this file. NaN and
// infinity are made and recognised by their bits: WGSL lets compilers assume that there are none.
//
// WGSL also lets compilers reassociate. Heads of numbers are therefore cut off with bit masks, and
// where a constant is split in two, the halves multiply n and f32(i32(n)), or n with its last
// digits masked: equal numbers that no compiler knows to be equal.
//
// Few functions branch, and & and | join conditions where && and || would: some drivers compile a
// loop that inlines n branches in 2ⁿ steps.

// The float with these bits. A constant expression may not be infinite or NaN; the value of a
// parameter may.
fn from_bits(bits: u32) -> f32 {
    return bitcast<f32>(bits);
}

// Whether x is NaN.
fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

// The smaller of two; NaN if either is. Exact.
fn min_f32(a: f32, b: f32) -> f32 {
    return select(select(min(a, b), b, is_nan(b)), a, is_nan(a));
}

// The larger of two; NaN if either is. Exact.
fn max_f32(a: f32, b: f32) -> f32 {
    return select(select(max(a, b), b, is_nan(b)), a, is_nan(a));
}

// −1, 0 or 1 after the sign of x; ±0 and NaN stay. Exact.
fn sign_f32(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let one = bitcast<f32>((bits & 0x80000000u) | 0x3f800000u);
    // Zero and NaN are those magnitudes that are not in 1 ..= infinity.
    return select(one, x, (bits & 0x7fffffffu) - 1u >= 0x7f800000u);
}

// 1/√x: infinity at ±0, NaN below. 2 ulp, which WGSL asks of inverseSqrt on positive numbers.
// Without a branch, which took a third of the time of kernels with many. Of 0, infinity and NaN
// devices make infinity, 0 and NaN.
fn rsqrt_f32(x: f32) -> f32 {
    return select(inverseSqrt(abs(x)), from_bits(0x7fc00000u), x < 0.0);
}

// eˣ: x is n·ln 2 + r, ln 2 in two parts, and n is added to the exponent of eʳ. 1.5 ulp.
// Conversions between integers and floats are slow, and browsers guard them: the sum of n and
// 1.5·2²³ ends in n's bits, and what is masked of n, which has 8 digits, is 0.
fn exp_f32(x: f32) -> f32 {
    let n = round(x * 1.442695);
    let again = bitcast<f32>(bitcast<u32>(n) & 0xffff0000u);
    let r = (x - n * 0.693359375) + again * 2.1219444e-4;
    let tail = (((0.0013819033 * r + 0.008368716) * r + 0.04166829) * r + 0.16666521) * r + 0.49999994;
    let power = bitcast<f32>(bitcast<u32>(tail * (r * r) + r + 1.0) + (bitcast<u32>(n + 12582912.0) << 23u));
    let bounded = select(select(power, 0.0, x < -87.33654), from_bits(0x7f800000u), x > 88.72283);
    return select(bounded, x, is_nan(x));
}

// eˣ of what is 0 or less, for sums in which 1 is the largest term: 3·(1 + |x|) ulp, which hardly
// counts where eˣ is small. A quarter of exp_f32's work.
fn exp_below_f32(x: f32) -> f32 {
    return exp2(x * 1.442695);
}

// x = 2ᵉ·m with m in [√½, √2): m and e of a positive finite number, subnormal ones too (they are
// whole multiples of 2⁻¹⁴⁹).
fn split_power(bits: u32) -> vec2<f32> {
    let subnormal = bits < 0x00800000u;
    let shifted = select(bits, bitcast<u32>(f32(bits)), subnormal) - 0x3f3504f3u;
    let m = bitcast<f32>((shifted & 0x007fffffu) + 0x3f3504f3u);
    return vec2<f32>(m, f32((bitcast<i32>(shifted) >> 23u) - select(0, 149, subnormal)));
}

// Natural logarithm: −∞ at 0, NaN below. log(1 + f) = f − f²/2 + f³·P(f). 1 ulp.
fn log_f32(x: f32) -> f32 {
    let bits = bitcast<u32>(x);
    let infinite = select(0x7fc00000u, 0x7f800000u, bits == 0x7f800000u);
    let edge = from_bits(select(infinite, 0xff800000u, (bits << 1u) == 0u));
    let split = split_power(bits);
    let f = split.x - 1.0;
    let e = split.y;
    let square = f * f;
    var p = -0.076357506 * f + 0.12761861;
    p = ((p * f - 0.13159683) * f + 0.14201628) * f - 0.16623408;
    p = ((p * f + 0.2000124) * f - 0.2500082) * f + 0.3333333;
    let value = (f + ((p * f * square - e * 2.1219444e-4) - 0.5 * square)) + e * 0.693359375;
    return select(value, edge, bits - 1u >= 0x7f7fffffu);
}

// x with its last 12 bits cleared, so that products of two heads are exact.
fn head(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) & 0xfffff000u);
}

// xʸ as C's pow: 2^(y·log₂|x|), the logarithm and the product as a head and a rest, after e_powf.c
// of Sun's fdlibm. 3 ulp.
fn pow_f32(x: f32, y: f32) -> f32 {
    let x_bits = bitcast<u32>(x);
    let magnitude = x_bits & 0x7fffffffu;
    if ((bitcast<u32>(y) << 1u) == 0u) | (x_bits == 0x3f800000u) {
        return 1.0;
    }
    let is_whole = floor(y) == y;
    let is_odd = is_whole & (abs(y) < 16777216.0) & ((i32(y) & 1) == 1);
    let sign = select(0u, x_bits & 0x80000000u, is_odd);
    if is_nan(x) | is_nan(y) | ((x_bits - 0x80000001u < 0x7f7fffffu) & !is_whole) {
        return from_bits(0x7fc00000u);
    }
    if (magnitude == 0u) | (magnitude == 0x7f800000u) {
        return from_bits(sign | select(0u, 0x7f800000u, (y < 0.0) == (magnitude == 0u)));
    }
    // log₂ m = 2/ln 2 · artanh s with s = (m − 1)/(m + 1).
    let split = split_power(magnitude);
    let m = split.x;
    let e = split.y;
    let s_head = head((m - 1.0) / (m + 1.0));
    let t_head = head(m + 1.0);
    let s_rest = ((m - 1.0 - s_head * t_head) - s_head * (m - (t_head - 1.0))) / (m + 1.0);
    let s = s_head + s_rest;
    let z = s * s;
    let series = (((0.33660942 * z + 0.41192183) * z + 0.5770789) * z + 0.9617967) * z * s;
    let log_m = s_head * 2.884765625;
    let log_m_rest = s_head * 6.2445678e-4 + s_rest * 2.88539 + series;
    let log_head = head(e + (log_m + log_m_rest));
    let log_rest = ((e - log_head) + log_m) + log_m_rest;
    // Beyond ±2³² every power but those of ±1 is 0 or infinite.
    let exponent = clamp(y, -4294967296.0, 4294967296.0);
    let y_head = head(exponent);
    let product = y_head * log_head;
    let product_rest = (exponent - y_head) * log_head + exponent * log_rest;
    let n = round(clamp(product + product_rest, -127.0, 129.0));
    let f = (product - n) + product_rest;
    var p = (0.000153275 * f + 0.0013391242) * f + 0.009618505;
    p = ((p * f + 0.055503592) * f + 0.24022648) * f + 0.6931472;
    let power = bitcast<u32>(p * f + 1.0) + (bitcast<u32>(i32(n)) << 23u);
    let bounded = select(select(power, 0u, product + product_rest < -126.0), 0x7f800000u, product + product_rest >= 128.0);
    return from_bits(sign | bounded);
}

// The upper half of the 64-bit product.
fn multiply_high(a: u32, b: u32) -> u32 {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let middle = a_high * b_low + ((a_low * b_low) >> 16u);
    let other = a_low * b_high + (middle & 0xffffu);
    return a_high * b_high + (middle >> 16u) + (other >> 16u);
}

// An angle as a multiple of π/2, modulo 4, and a rest in [−π/4, π/4].
struct Angle {
    quadrant: u32,
    rest: f32,
}

// Below 4096 after Cody and Waite, π/2 in three parts; above, after Payne and Hanek: the 24 bits of
// x times those 64 bits of 2/π that decide the quadrant and 30 bits after it. Absolute error
// 4·10⁻⁹, and from infinity a NaN.
fn reduce_angle(x: f32) -> Angle {
    if abs(x) < 4096.0 {
        let n = round(x * 0.63661975);
        let whole = i32(n);
        let k = f32(whole);
        let rest = ((x - n * 1.5703125) - k * 4.837513e-4) - k * 7.54979e-8;
        return Angle(u32(whole), rest);
    }
    let bits = bitcast<u32>(x);
    let position = ((bits >> 23u) & 0xffu) - 120u;
    let word = position >> 5u;
    let shift = position & 31u;
    var two_over_pi = array<u32, 7>(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u);
    let middle = two_over_pi[word + 1u];
    let high = (two_over_pi[word] << shift) | ((middle >> 1u) >> (31u - shift));
    let low = (middle << shift) | ((two_over_pi[word + 2u] >> 1u) >> (31u - shift));
    let significand = (bits & 0x007fffffu) | 0x00800000u;
    let turns = significand * high + multiply_high(significand, low);
    let fraction = bitcast<i32>(turns << 2u);
    let quadrant = (turns + 0x20000000u) >> 30u;
    let rest = select(f32(fraction) * 3.6572952e-10, from_bits(0x7fc00000u), (bits & 0x7f800000u) == 0x7f800000u);
    if bits >= 0x80000000u {
        return Angle(0u - quadrant, -rest);
    }
    return Angle(quadrant, rest);
}

// The sine of an angle that was reduced.
fn sin_reduced(angle: Angle) -> f32 {
    let r = angle.rest;
    let z = r * r;
    let sine = ((-0.00019507871 * z + 0.008332106) * z - 0.16666654) * (z * r) + r;
    let cosine = ((2.4432109e-5 * z - 0.0013887308) * z + 0.041666646) * (z * z) - 0.5 * z + 1.0;
    let value = select(sine, cosine, (angle.quadrant & 1u) == 1u);
    return select(value, -value, (angle.quadrant & 2u) == 2u);
}

// Sine of radians of any size. Absolute error 1.5·10⁻⁷; a zero keeps its sign.
fn sin_f32(x: f32) -> f32 {
    return select(sin_reduced(reduce_angle(x)), x, x == 0.0);
}

// Cosine of radians of any size. Absolute error 1.5·10⁻⁷.
fn cos_f32(x: f32) -> f32 {
    let angle = reduce_angle(x);
    return sin_reduced(Angle(angle.quadrant + 1u, angle.rest));
}

// Hyperbolic tangent: an odd polynomial near 0, else 1 − 2/(e²ˣ + 1). 3 ulp.
fn tanh_f32(x: f32) -> f32 {
    let z = x * x;
    let p = (((-0.005665714 * z + 0.020604871) * z - 0.05372953) * z + 0.13331324) * z - 0.33333278;
    let large = 1.0 - 2.0 / (exp_f32(2.0 * min(abs(x), 10.0)) + 1.0);
    let value = select(select(large, -large, x < 0.0), p * (z * x) + x, abs(x) < 0.625);
    // Nothing added to a zero leaves it its sign.
    return select(value, x, is_nan(x) | (x == 0.0));
}

// 1/(1 + e⁻ˣ), through e^−|x| so that nothing overflows or cancels. 5 ulp.
fn sigmoid_f32(x: f32) -> f32 {
    let e = exp_f32(-abs(x));
    let upper = 1.0 / (1.0 + e);
    return select(upper, e * upper, x < 0.0);
}

// Error function: an odd polynomial near 0, else 1 − e^(−x·Q(x)). 2 ulp.
fn erf_f32(x: f32) -> f32 {
    let z = x * x;
    var p = (-0.000600415 * z + 0.004995919) * z - 0.02676862;
    p = ((p * z + 0.11281878) * z - 0.376125) * z + 0.12837915;
    let t = min(abs(x), 4.0);
    var q = (-0.00021460293 * t + 0.0032200406) * t - 0.022906234;
    q = ((q * t + 0.10528716) * t + 0.63569915) * t + 1.12852;
    let large = 1.0 - exp_f32(-t * q);
    let value = select(select(large, -large, x < 0.0), p * x + x, abs(x) < 0.92);
    return select(value, x, is_nan(x));
}

// Normal distribution function Φ. With a = |x| the smaller tail is e^(−a²/2)·S(a), a² as an exact
// square and a rest, and S(a)·(1 + a) a polynomial in (a − 3)/(a + 3). Relative to the result in
// both tails: 6 ulp.
fn normal_cdf_f32(x: f32) -> f32 {
    let a = min(abs(x), 14.0);
    let q = (a - 3.0) / (a + 3.0);
    var p = (-6.935293e-5 * q - 4.5693645e-4) * q - 2.6350678e-4;
    p = ((p * q + 0.0030022918) * q + 0.0011299137) * q - 0.022731172;
    p = ((p * q + 0.04516788) * q - 0.016431956) * q - 0.096526906;
    p = p * q + 0.4860558;
    let a_head = head(a);
    let bell = exp_f32(-0.5 * (a_head * a_head)) * exp_f32(-0.5 * ((a - a_head) * (a + a_head)));
    let tail = bell * (p / (1.0 + a));
    return select(select(1.0 - tail, tail, x < 0.0), x, is_nan(x));
}

// Inverse error function: ±∞ at ±1, NaN outside. M. Giles, "Approximating the erfinv function", GPU
// Computing Gems (2010), single precision: the polynomials of XLA, and so of JAX's normal numbers.
// 4 ulp.
fn erf_inv_f32(x: f32) -> f32 {
    let magnitude = bitcast<u32>(x) & 0x7fffffffu;
    if magnitude >= 0x3f800000u {
        let infinity = (bitcast<u32>(x) & 0x80000000u) | 0x7f800000u;
        return from_bits(select(0x7fc00000u, infinity, magnitude == 0x3f800000u));
    }
    let w = -log_f32((1.0 - x) * (1.0 + x));
    var p: f32;
    if w < 5.0 {
        let t = w - 2.5;
        p = (2.81022636e-8 * t + 3.43273939e-7) * t - 3.5233877e-6;
        p = ((p * t - 4.39150654e-6) * t + 0.00021858087) * t - 0.00125372503;
        p = ((p * t - 0.00417768164) * t + 0.246640727) * t + 1.50140941;
    } else {
        let t = sqrt(w) - 3.0;
        p = (-0.000200214257 * t + 0.000100950558) * t + 0.00134934322;
        p = ((p * t - 0.00367342844) * t + 0.00573950773) * t - 0.0076224613;
        p = ((p * t + 0.00943887047) * t + 1.00167406) * t + 2.83297682;
    }
    return p * x;
}

// c, which no compiler knows, as it does not know x: a float whose bits are c's and a zero that is
// made of x's. The fourth power of an odd number ends in the bits 0001. What is folded, cancelled
// or taken for a literal where c is plain is computed.
fn hidden_f32(c: f32, x: f32) -> f32 {
    let odd = bitcast<u32>(x) | 1u;
    let square = odd * odd;
    return bitcast<f32>(bitcast<u32>(c) ^ ((square * square) & 8u));
}

// a/b. 3 ulp, of which WGSL asks 2.5 where b is no more than 2¹²⁶; beyond, a device may take 1/b
// for 0, so both are made smaller. That of b is done to its exponent: compilers that find the same
// value above and below the bar would make 1 of it, also of zeros, infinities and NaN.
fn div_f32(a: f32, b: f32) -> f32 {
    let bits = bitcast<u32>(b);
    let large = (bits & 0x7fffffffu) - 0x7e000001u < 0x017fffffu;
    return (a * select(1.0, 0.25, large)) / bitcast<f32>(bits - (u32(large) << 24u));
}

// The float nearest to x, ties to even. Above 2³¹ some devices round twice: there halves are
// converted, the bit that they lose kept in their last, which decides no more than a tie.
fn u32_to_f32(x: u32) -> f32 {
    let half = f32(bitcast<i32>((x >> 1u) | (x & 1u)));
    return select(f32(bitcast<i32>(x)), half * 2.0, x >= 0x80000000u);
}

// The bits of the half nearest to x, ties to even; one for all NaN. Exact, which WGSL's
// pack2x16float need not be, nor is it defined for what no half holds.
fn half_of_f32(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let magnitude = bits & 0x7fffffffu;
    let normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13u) & 1u)) >> 13u;
    // Subnormal: multiples of 2⁻²⁴. Below 2⁻²⁵ nothing is left of a significand that is shifted by
    // 25.
    let significand = (magnitude & 0x007fffffu) | 0x00800000u;
    let shift = min(126u - min(magnitude >> 23u, 112u), 25u);
    let below = (significand + (1u << (shift - 1u)) - 1u + ((significand >> shift) & 1u)) >> shift;
    let finite = select(below, normal, magnitude >= 0x38800000u);
    let bounded = select(finite, 0x7c00u, magnitude >= 0x477ff000u);
    return select(((bits >> 16u) & 0x8000u) | bounded, 0x7e00u, magnitude > 0x7f800000u);
}

// The value of the half with these bits. Exact.
fn f32_of_half(half: u32) -> f32 {
    let magnitude = half & 0x7fffu;
    let normal = (magnitude << 13u) + select(0x38000000u, 0x70000000u, magnitude >= 0x7c00u);
    let below = bitcast<u32>(f32(magnitude) * 5.9604644775390625e-8);
    return from_bits(((half & 0x8000u) << 16u) | select(below, normal, magnitude >= 0x400u));
}

// ⌊a/b⌋ of the exact quotient: NaN for infinite a and 0 by 0, else infinite by 0. Long division of
// the significands, eight bits a turn, until 24 bits are known: exact below 2²⁴, 1 ulp above.
fn floor_div_f32(a: f32, b: f32) -> f32 {
    let a_bits = bitcast<u32>(a) & 0x7fffffffu;
    let b_bits = bitcast<u32>(b) & 0x7fffffffu;
    let sign = (bitcast<u32>(a) ^ bitcast<u32>(b)) & 0x80000000u;
    let by_zero = b_bits < 0x00800000u;
    let is_infinite = a_bits == 0x7f800000u;
    if (max(a_bits, b_bits) > 0x7f800000u) | (is_infinite & !by_zero) | (by_zero & (a_bits < 0x00800000u)) {
        return from_bits(0x7fc00000u);
    }
    if by_zero {
        return from_bits(sign | 0x7f800000u);
    }
    if a_bits < b_bits {
        return select(from_bits(sign), -1.0, (sign > 0u) & (a_bits >= 0x00800000u));
    }
    let divisor = (b_bits & 0x007fffffu) | 0x00800000u;
    let dividend = (a_bits & 0x007fffffu) | 0x00800000u;
    var quotient = dividend / divisor;
    var rest = dividend % divisor;
    var shift = (a_bits >> 23u) - (b_bits >> 23u);
    while (shift > 0u) & (quotient < 0x01000000u) {
        let step = min(shift, 8u);
        quotient = (quotient << step) | ((rest << step) / divisor);
        rest = (rest << step) % divisor;
        shift -= step;
    }
    // What is below 0 is rounded away from it; above 2²⁴ that is less than the result's last place.
    quotient += select(0u, 1u, (sign > 0u) & (rest > 0u) & (quotient < 0x01000000u));
    let bits = bitcast<u32>(u32_to_f32(quotient)) + (min(shift, 160u) << 23u);
    return from_bits(sign | select(bits, 0x7f800000u, bits >= 0x7f800000u));
}

// Remainder with the sign of the divisor; NaN where it is 0. Long division of the significands,
// eight bits a turn: exact, or rounded once where a lies between 0 and −b.
fn rem_f32(a: f32, b: f32) -> f32 {
    let a_bits = bitcast<u32>(a) & 0x7fffffffu;
    let b_bits = bitcast<u32>(b) & 0x7fffffffu;
    let b_sign = bitcast<u32>(b) & 0x80000000u;
    let signs_differ = bitcast<i32>(bitcast<u32>(a) ^ bitcast<u32>(b)) < 0;
    if (a_bits >= 0x7f800000u) | (b_bits > 0x7f800000u) | (b_bits < 0x00800000u) {
        return from_bits(0x7fc00000u);
    }
    if a_bits < b_bits {
        return select(select(a, a + b, signs_differ), from_bits(b_sign), a_bits < 0x00800000u);
    }
    let divisor = (b_bits & 0x007fffffu) | 0x00800000u;
    var rest = ((a_bits & 0x007fffffu) | 0x00800000u) % divisor;
    var shift = (a_bits >> 23u) - (b_bits >> 23u);
    while (shift > 0u) & (rest > 0u) {
        let step = min(shift, 8u);
        rest = (rest << step) % divisor;
        shift -= step;
    }
    rest = select(rest, divisor - rest, signs_differ & (rest > 0u));
    // The rest counts units of the divisor's last place, 2^(exponent − 150).
    let bits = bitcast<u32>(f32(rest)) + (b_bits & 0x7f800000u);
    return from_bits(b_sign | select(bits - (150u << 23u), 0u, (rest == 0u) | (bits < (151u << 23u))));
}

// aᵇ modulo 2³².
fn pow_u32(a: u32, b: u32) -> u32 {
    var result = 1u;
    var square = a;
    var exponent = b;
    while exponent > 0u {
        if (exponent & 1u) == 1u {
            result *= square;
        }
        square *= square;
        exponent >>= 1u;
    }
    return result;
}

// aᵇ modulo 2³²; 0 where b is negative, unless a is 1 or −1.
fn pow_i32(a: i32, b: i32) -> i32 {
    if (a == 1) | (a == -1) {
        return select(1, a, (b & 1) == 1);
    }
    return select(bitcast<i32>(pow_u32(bitcast<u32>(a), bitcast<u32>(max(b, 0)))), 0, b < 0);
}

// The floor of the quotient; 0 where b is 0; −2³¹ by −1 wraps.
fn floor_div_i32(a: i32, b: i32) -> i32 {
    let is_edge = (b == 0) | (b == -1);
    let divisor = select(b, 1, is_edge);
    let quotient = a / divisor;
    let floor = quotient - select(0, 1, (quotient * divisor != a) & ((a ^ divisor) < 0));
    return select(floor, select(-a, 0, b == 0), is_edge);
}

// The remainder with the sign of the divisor; 0 where that is 0.
fn floor_rem_i32(a: i32, b: i32) -> i32 {
    return select(a - floor_div_i32(a, b) * b, 0, b == 0);
}

// The quotient; 0 where b is 0.
fn div_u32(a: u32, b: u32) -> u32 {
    return select(a / max(b, 1u), 0u, b == 0u);
}

// The remainder; 0 where b is 0.
fn rem_u32(a: u32, b: u32) -> u32 {
    return a % max(b, 1u);
}

// Towards zero; saturates; NaN gives 0.
fn f32_to_i32(x: f32) -> i32 {
    let inside = select(i32(clamp(x, -2147483648.0, 2147483520.0)), 2147483647, x >= 2147483648.0);
    return select(inside, 0, is_nan(x));
}

// Towards zero; saturates; NaN gives 0.
fn f32_to_u32(x: f32) -> u32 {
    let inside = select(u32(clamp(x, 0.0, 4294967040.0)), 4294967295u, x >= 4294967296.0);
    return select(inside, 0u, is_nan(x));
}
