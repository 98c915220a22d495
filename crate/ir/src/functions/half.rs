//! Half precision: IEEE 754 binary16 from and to f32, by integers alone, so that the devices' WGSL
//! (`shaders/prelude.wgsl`) can do the same.

/// The bits of the half nearest to `x`, ties to even: infinite from 65520 on, one NaN, without a
/// sign, for all.
pub fn to_bits(x: f32) -> u32 {
    let bits = x.to_bits();
    let (sign, magnitude) = (bits >> 16 & 0x8000, bits & 0x7fff_ffff);
    if magnitude > 0x7f80_0000 {
        return 0x7e00;
    }
    sign | if magnitude >= 0x477f_f000 {
        0x7c00
    } else if magnitude >= 0x3880_0000 {
        (magnitude - 0x3800_0000 + 0xfff + (magnitude >> 13 & 1)) >> 13
    } else {
        // Subnormal: multiples of 2⁻²⁴. Below 2⁻²⁵ nothing is left of a significand that is shifted
        // by 25.
        let significand = magnitude & 0x007f_ffff | 0x0080_0000;
        let shift = (126 - (magnitude >> 23)).min(25);
        (significand + (1 << (shift - 1)) - 1 + (significand >> shift & 1)) >> shift
    }
}

/// The value of the half whose bits are the lower 16.
pub fn from_bits(half: u32) -> f32 {
    let (sign, magnitude) = ((half & 0x8000) << 16, half & 0x7fff);
    let bits = if magnitude >= 0x7c00 {
        magnitude << 13 | 0x7f80_0000
    } else if magnitude >= 0x400 {
        (magnitude << 13) + 0x3800_0000
    } else {
        (magnitude as f32 * f32::from_bits(0x3380_0000)).to_bits()
    };
    f32::from_bits(sign | bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for half in 0..=0xffff {
            let value = from_bits(half);
            let expected = if value.is_nan() { 0x7e00 } else { half };
            assert_eq!(to_bits(value), expected, "{half:#06x}");
        }
    }

    #[test]
    fn what_lies_between_two_halves_goes_to_the_nearest_ties_to_even() {
        for half in 0..0x7bff {
            let (low, high) = (f64::from(from_bits(half)), f64::from(from_bits(half + 1)));
            let middle = ((low + high) / 2.0) as f32;
            assert_eq!(f64::from(middle), (low + high) / 2.0, "f32 holds the middle");
            assert_eq!(to_bits(middle), half + (half & 1), "{half:#06x}");
            assert_eq!(to_bits(f32::from_bits(middle.to_bits() - 1)), half, "{half:#06x}");
            assert_eq!(to_bits(-f32::from_bits(middle.to_bits() + 1)), 0x8000 | (half + 1), "{half:#06x}");
        }
        assert_eq!((to_bits(65519.996), to_bits(65520.0), to_bits(f32::MIN)), (0x7bff, 0x7c00, 0xfc00));
        assert_eq!((to_bits(f32::MIN_POSITIVE), to_bits(-1e-40)), (0, 0x8000));
    }
}
