//! Shortest decimal form of a floating-point number: the fewest digits that mean it and nothing
//! near it, in messages, programs and shaders.
//!
//! The standard library's way prints whatever is asked of any float to any precision, which is much
//! code for a page to download.

use std::fmt;

/// A number that prints itself: as an integer where it is one, with an exponent where it is very
/// large or small.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    value: f64,
    /// Whether it only has to differ from other f32.
    single: bool,
}

impl From<f32> for Decimal {
    fn from(value: f32) -> Decimal {
        Decimal { value: f64::from(value), single: true }
    }
}

impl From<f64> for Decimal {
    fn from(value: f64) -> Decimal {
        Decimal { value, single: false }
    }
}

/// Ten to the power of `exponent`.
fn power(exponent: i32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * 10.0)
}

/// `digits` · 10^`exponent`, in steps that neither overflow nor vanish where the result does not.
fn scaled(digits: f64, exponent: i32) -> f64 {
    let part = exponent.unsigned_abs().min(300) as i32;
    let rest = exponent.unsigned_abs() as i32 - part;
    if exponent < 0 { digits / power(part) / power(rest) } else { digits * power(part) * power(rest) }
}

impl Decimal {
    /// Whether `digits` · 10^`exponent` is this number and no other.
    fn is_meant_by(&self, digits: f64, exponent: i32) -> bool {
        let found = scaled(digits, exponent);
        // Powers of ten up to here, and products with them of so many bits, are exact. Elsewhere a
        // little error is allowed for: an f32 takes a digit more where it could matter, and an f64
        // may lack its last.
        let exact = (-22..=22).contains(&exponent) && digits < 9e15;
        let whole = exact && exponent >= 0 && found < 9e15;
        if !self.single {
            let error = if exact { 0.0 } else { 1e-15 };
            return (found - self.value).abs() <= self.value * error;
        }
        let error = if whole { 0.0 } else { found * 1e-13 };
        let meant = |found: f64| f64::from(found as f32) == self.value;
        meant(found - error) && meant(found + error)
    }

    /// The digits as a whole number, and the power of ten by which it is to be multiplied. Of a
    /// positive finite number.
    fn shortest(&self) -> (u64, i32) {
        // The power of ten of the first digit.
        let mut first = 0;
        while scaled(1.0, first + 1) <= self.value {
            first += 1;
        }
        while scaled(1.0, first) > self.value {
            first -= 1;
        }
        let most = if self.single { 9 } else { 17 };
        let mut best = (0, 0);
        for digits in 1..=most {
            let exponent = first + 1 - digits;
            let wanted = scaled(self.value, -exponent);
            let (near, far) = match wanted.round() {
                near if near > wanted => (near, near - 1.0),
                near => (near, near + 1.0),
            };
            best = (near as u64, exponent);
            if let Some(found) = [near, far].into_iter().find(|&it| self.is_meant_by(it, exponent)) {
                best.0 = found as u64;
                break;
            }
        }
        while best.0 > 0 && best.0 % 10 == 0 {
            best = (best.0 / 10, best.1 + 1);
        }
        best
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_nan() {
            return f.write_str("NaN");
        }
        if self.value.is_sign_negative() {
            f.write_str("-")?;
        }
        let size = Decimal { value: self.value.abs(), ..*self };
        if size.value == 0.0 || size.value.is_infinite() {
            return f.write_str(if size.value == 0.0 { "0" } else { "inf" });
        }
        let (digits, exponent) = size.shortest();
        let text = digits.to_string();
        let point = text.len() as i32 + exponent;
        let zeros = |count: i32| "0".repeat(count as usize);
        if !(-3..=16).contains(&point) {
            let (first, rest) = text.split_at(1);
            let point = point - 1;
            return if rest.is_empty() {
                write!(f, "{first}e{point}")
            } else {
                write!(f, "{first}.{rest}e{point}")
            };
        }
        if exponent >= 0 {
            write!(f, "{text}{}", zeros(exponent))
        } else if point <= 0 {
            write!(f, "0.{}{text}", zeros(-point))
        } else {
            let (whole, rest) = text.split_at(point as usize);
            write!(f, "{whole}.{rest}")
        }
    }
}

/// An f32 as shaders and programs write it: never like an integer.
pub fn float_text(value: f32) -> String {
    let mut text = Decimal::from(value).to_string();
    if value.is_finite() && !text.contains(['.', 'e']) {
        text.push_str(".0");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some ten thousand bit patterns, spread over all, and those beside every power of two.
    fn patterns() -> impl Iterator<Item = u32> {
        let spread = (0..20_000u32).map(|n| n.wrapping_mul(2_654_435_761));
        spread.chain((0..255u32).flat_map(|e| [0, 1, 2, 0x7f_ffff].map(|m| e << 23 | m)))
    }

    #[test]
    fn f32_are_written_as_the_standard_library_writes_them() {
        for value in patterns().map(f32::from_bits) {
            assert_eq!(float_text(value), format!("{value:?}"));
        }
        for value in
            [0.0, -0.0, 1.0, 0.1, -0.5, 1e16, 1e-4, 1e-5, 123_456_790.0, f32::MAX, f32::MIN_POSITIVE, 1e-45]
        {
            assert_eq!(float_text(value), format!("{value:?}"));
        }
    }

    #[test]
    fn f64_are_written_so_that_they_are_read_back() {
        for value in
            [0.1, 0.1 + 0.2, 1.5, 3.0, 1e300, 5e-324, f64::MAX, 1.0 / 3.0, 4_294_967_296.5, 1e21, 2.5e-7]
        {
            let text = Decimal::from(value).to_string();
            let back: f64 = text.parse().unwrap();
            assert!((back - value).abs() <= value * 1e-15, "{value:?} became {text}");
        }
        let texts =
            [0.1, 0.1 + 0.2, 1.5, -3.0, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e15];
        assert_eq!(
            texts.map(|value| Decimal::from(value).to_string()),
            [
                "0.1",
                "0.30000000000000004",
                "1.5",
                "-3",
                "1e300",
                "NaN",
                "inf",
                "-inf",
                "-0",
                "1000000000000000"
            ]
        );
    }
}
