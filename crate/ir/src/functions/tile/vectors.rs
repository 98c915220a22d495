//! SIMD products of f32 in WebAssembly, by its vectors of four, which every browser with WebGPU
//! has.
//!
//! Lanes are columns, so each sum adds the same terms in the same order as the plain loop and
//! rounds as that does. The crate is compiled for size there, and a compiler that is asked for size
//! makes no vectors by itself.

use super::{BLOCK, COLUMNS, ROWS};
use core::arch::wasm32::{f32x4_add, f32x4_mul, f32x4_splat, v128, v128_load, v128_store};

/// The products of `ROWS` rows with a panel; the rows are as long as the panel is deep.
#[target_feature(enable = "simd128")]
pub(crate) fn tile(rows: [&[f32]; ROWS], panel: &[[f32; COLUMNS]]) -> [[f32; COLUMNS]; ROWS] {
    let zero = f32x4_splat(0.0);
    let mut sums = [zero; 2 * ROWS];
    for (block, panel) in panel.chunks(BLOCK).enumerate() {
        // Eight vectors by name: an array would live in memory, since the loop over it is not
        // unrolled.
        let (mut a0, mut a1, mut b0, mut b1) = (zero, zero, zero, zero);
        let (mut c0, mut c1, mut d0, mut d1) = (zero, zero, zero, zero);
        let [a, b, c, d] = rows.map(|row| &row[block * BLOCK..]);
        let lefts = a.iter().zip(b).zip(c.iter().zip(d));
        for (right, ((&a, &b), (&c, &d))) in panel.iter().zip(lefts) {
            let right = right.as_ptr().cast::<v128>();
            // SAFETY: a line of a panel holds two vectors of four; WebAssembly loads them from any
            // address.
            let (right0, right1) = unsafe { (v128_load(right), v128_load(right.add(1))) };
            let (a, b, c, d) = (f32x4_splat(a), f32x4_splat(b), f32x4_splat(c), f32x4_splat(d));
            a0 = f32x4_add(a0, f32x4_mul(a, right0));
            a1 = f32x4_add(a1, f32x4_mul(a, right1));
            b0 = f32x4_add(b0, f32x4_mul(b, right0));
            b1 = f32x4_add(b1, f32x4_mul(b, right1));
            c0 = f32x4_add(c0, f32x4_mul(c, right0));
            c1 = f32x4_add(c1, f32x4_mul(c, right1));
            d0 = f32x4_add(d0, f32x4_mul(d, right0));
            d1 = f32x4_add(d1, f32x4_mul(d, right1));
        }
        let parts = [a0, a1, b0, b1, c0, c1, d0, d1];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum = f32x4_add(*sum, part));
    }
    let [a0, a1, b0, b1, c0, c1, d0, d1] = sums;
    [(a0, a1), (b0, b1), (c0, c1), (d0, d1)].map(|(left, right)| {
        let mut line = [0.0; COLUMNS];
        let into = line.as_mut_ptr().cast::<v128>();
        // SAFETY: the line holds both vectors.
        unsafe {
            v128_store(into, left);
            v128_store(into.add(1), right);
        }
        line
    })
}
