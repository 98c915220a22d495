//! The innermost step of a contraction: a few rows times a panel of a few columns.

#[cfg(target_arch = "wasm32")]
pub(crate) mod vectors;

/// Columns of a panel, side by side, so that one step of depth is a short vector operation.
pub(crate) const COLUMNS: usize = 8;
/// Rows that share each read of a panel.
pub(crate) const ROWS: usize = 4;

/// Terms that are added one after the other; sums of blocks of them are added up then, which rounds
/// less.
pub(crate) const BLOCK: usize = 32;

/// The products of `N` rows with a panel, over one block of depth; `add_product(s, a, b)` is s +
/// a·b, `add(s, t)` is s + t.
pub(crate) fn tile<T: Copy, const N: usize>(
    rows: [&[T]; N],
    panel: &[[T; COLUMNS]],
    zero: T,
    add_product: impl Fn(T, T, T) -> T,
    add: impl Fn(T, T) -> T,
) -> [[T; COLUMNS]; N] {
    let mut sums = [[zero; COLUMNS]; N];
    for (block, panel) in panel.chunks(BLOCK).enumerate() {
        let rows = rows.map(|row| &row[block * BLOCK..][..panel.len()]);
        let mut parts = [[zero; COLUMNS]; N];
        for (depth, right) in panel.iter().enumerate() {
            for n in 0..N {
                let left = rows[n][depth];
                for column in 0..COLUMNS {
                    parts[n][column] = add_product(parts[n][column], left, right[column]);
                }
            }
        }
        for (sums, parts) in sums.iter_mut().zip(parts) {
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum = add(*sum, part));
        }
    }
    sums
}
