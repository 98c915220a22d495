//! The innermost step of a contraction: a few rows times a panel of a few columns.

#[cfg(target_arch = "wasm32")]
pub(crate) mod vectors;

/// Columns of a panel, side by side, so that one step of depth is a short vector operation.
pub(crate) const COLUMNS: usize = 8;
/// Rows that share each read of a panel.
pub(crate) const ROWS: usize = 4;

/// The products of `N` rows with a panel, over one block of depth; `add_product(s, a, b)` is s + a·b.
pub(crate) fn tile<T: Copy, const N: usize>(
    rows: [&[T]; N],
    panel: &[[T; COLUMNS]],
    zero: T,
    add_product: impl Fn(T, T, T) -> T,
) -> [[T; COLUMNS]; N] {
    let mut sums = [[zero; COLUMNS]; N];
    let rows = rows.map(|row| &row[..panel.len()]);
    for (depth, right) in panel.iter().enumerate() {
        for n in 0..N {
            let left = rows[n][depth];
            for column in 0..COLUMNS {
                sums[n][column] = add_product(sums[n][column], left, right[column]);
            }
        }
    }
    sums
}
