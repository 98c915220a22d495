//! Rust types that a tensor's elements can be read as and made from.

use std::borrow::Cow;
use weft_ir::DType;

/// A Rust type that is a dtype: `f32`, `i32`, `u32` or `bool`.
pub trait Element: Copy + 'static {
    /// The dtype.
    const DTYPE: DType;
    /// The words a buffer holds for `values`.
    fn words(values: &[Self]) -> Cow<'_, [u32]>;
    /// The values whose words these are.
    fn values(words: Vec<u32>) -> Vec<Self>;
}

macro_rules! plain {
    ($ty:ty, $dtype:expr) => {
        impl Element for $ty {
            const DTYPE: DType = $dtype;
            fn words(values: &[$ty]) -> Cow<'_, [u32]> {
                Cow::Borrowed(bytemuck::cast_slice(values))
            }
            fn values(words: Vec<u32>) -> Vec<$ty> {
                bytemuck::cast_vec(words)
            }
        }
    };
}

plain!(f32, DType::F32);
plain!(i32, DType::I32);
plain!(u32, DType::U32);

impl Element for bool {
    const DTYPE: DType = DType::Bool;
    fn words(values: &[bool]) -> Cow<'_, [u32]> {
        values.iter().map(|&v| u32::from(v)).collect()
    }
    fn values(words: Vec<u32>) -> Vec<bool> {
        words.into_iter().map(|w| w != 0).collect()
    }
}
