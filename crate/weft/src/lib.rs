//! Weft's Rust face: lazy tensors that fuse into GPU kernels, with gradients, capture, modules and
//! optimizers.
//!
//! ```
//! # fn main() -> weft::Result<()> {
//! let device = weft::Device::cpu();
//! let x = device.tensor(&[1.0f32, 2.0, 3.0], &[3])?;
//! let y = x.mul(2.0)?.add(1.0)?.tanh()?.sum(None, false)?;
//! let value = pollster::block_on(y.item())?;
//! assert!((value - 2.994_962).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```
//!
//! # Summary, for those who wrap it
//!
//! Every call checks and returns at once; only what is `async` (or says *flushes*) makes the device
//! work. Everything that can fail returns [`Result`]; the error names the operation as its user
//! calls it. Nothing is `Send`: one thread owns a device.
//!
//! | | |
//! |---|---|
//! | device | [`Device::cpu`], [`Device::gpu`]`(options).await`; [`Device::stats`], [`Device::kind`], [`Device::runtime`] (the GPU's own), [`Device::is_lost`], [`Device::idle`]`().await`; clones are the same device |
//! | data in | [`Device::tensor`]`(&[T], shape)` for `f32, i32, u32, bool`; [`Device::from_words`]`(&[u32], shape, dtype)`; [`Device::number`]`(f64, dtype)` (0-d, a run-time value: never recompiles) |
//! | making | [`Device::zeros`], `ones`, `full`, `arange`, `linspace`, `geomspace`, `logspace`, `eye`, `indices`; windows: `hann`, `hamming`, `blackman`, `bartlett` |
//! | data out | [`Tensor::data`]`::<T>()`, [`Tensor::words`]`()`, [`Tensor::item`]`()`: flush when called, futures are `'static`; [`Device::realize`]`(&[&Tensor])` flushes and reads nothing; [`Device::read_all`] reads several after one flush |
//! | handle | [`Tensor`]: `shape dtype rank size device`; `Clone` is another handle, `Drop` and [`Tensor::dispose`] give it back; a disposed or donated handle errs with [`ErrorKind::Disposed`] |
//! | operands | wherever two tensors meet, [`Operand`]: `&Tensor`, `Tensor` or a plain number (`f64`, `f32`, `i32`); a number on the left: by name |
//! | by name | [`op::Arguments`]`::default().operand(2.0).operand(&x).call(&device, "sub")`, for every operation of [`op::operations`]`()` |
//! | axes | `Option<&[i64]>`: `None` is all, negatives count from the end; reductions take `(axes, keepdims)` |
//! | shape | `reshape(&[i64])` (one −1), `permute(&[i64])`, `transpose()`, `broadcast_to(&[usize])`, `expand_dims(i64)`, `squeeze(axes)`, `flatten()`, `slice(&[Range])`, `flip(axes)`, `pad(&[(usize, usize)], f64)`, `split(&[usize], axis)`; [`concat()`]`(&[&Tensor], axis)`, [`stack`], [`hstack`], [`vstack`]; `tile`, `repeat`, `roll`, `rot90`, `move_axis`, `tril`, `triu`, `diagonal`, `diag`, `trace` |
//! | products | `matmul(&Tensor)`: 1-D, 2-D, batched with broadcasting; `dot`, `inner`, `outer`, `vdot`, `vecdot`, `cross`, `kron`, `tensordot`, [`einsum()`]`(text, &[&Tensor])`, `matrix_power`, `convolve` |
//! | matrices | [`linalg`]: `solve`, `triangular_solve`, `inv`, `det`, `slogdet`, `cholesky`, `lu`, `qr`, `eigh`, `svd`, `pinv`, `lstsq`, `matrix_rank`, `expm`, `matrix_norm`, `cond`, `multi_dot` |
//! | windows | `conv(&kernel, &`[`Convolution`]`)`, `conv_transpose`, `reduce_window(op, &`[`Windows`]`)`, `average_window` |
//! | special functions | [`special`]: `gammaln`, `digamma`, `zeta`, `betainc`, `gammainc`, `erfc`, `i0`, `ndtr`, `expi`, `entr` and their kin |
//! | spectra | [`fft`]: `transform` along any axes, of pairs ([`fft::Complex`]) and of real numbers; `frequencies`, `shifted` |
//! | running | `cumsum`, `cumprod`, `cummax`, `cummin`, `log_cum_sum_exp`, `diff`, `trapezoid`, `unwrap_angles` |
//! | counts | `bincount`, `histogram_edges`, `histogram`, [`histogramdd`] |
//! | curves | `interp` and `polyval` by name, `search_sorted`, `cov`, `corrcoef`; [`polynomials`]: `add`, `mul`, `div`, `derivative`, `integral`, `fit`, `of_roots` |
//! | indices | `take(&Tensor, Option<axis>)`, `take_along_axis(&Tensor, axis)`, `one_hot(classes, dtype)`, [`select`]`(condition, a, b)`, [`choose`]`(conditions, choices, otherwise)`, `at(operand).set(v)` / `.add(v)` / `.min(v)` / `.max(v)` / `.get()`; `segment_sum(&ids, count)`, `segment_mean`, `segment_max`, `segment_min` |
//! | samples, bits | `slope(spacing, axis)`, `leading_zeros`, `parity`; [`Device::kaiser`] |
//! | packed weights | [`weights`]: `quantize4(&x, group)`, `dequantize4`, `matmul4` |
//! | composed | `softmax(axis)`, `log_softmax(axis)`, `log_sum_exp`, `cross_entropy(&targets)`, `gelu`, `var`, `std`, `detach`, `clip(min, max)` |
//! | gradients | [`value_and_grad`]`(f, &[&Tensor])`, [`grad()`], [`value_and_grad_of`]`(&[Parameter], f)`; pieces: [`Device::begin_transform`], [`Tensor::mark`], [`Device::gradients`]`(&loss, &marks)` (checks that the loss is a 0-d f32 and keeps value and gradients together), [`Device::vjp`], [`Device::end_transform`] |
//! | derivatives, batches | [`jvp`]`(f, inputs, tangents)`, [`linearize`], [`jacfwd`], [`jacrev`], [`hessian`], [`vmap`]`(f, inputs, axes)`; pieces: [`Device::jvp`], [`Device::jacobians`], [`Device::begin_batch`], [`Device::batch_input`], [`Device::batch_outputs`] |
//! | capture | [`Device::trace_begin`], [`Device::placeholder`]`(shape, dtype)`, [`Device::scalar_placeholder`]`(dtype)`, [`Device::trace_end`]`(outputs, placeholders)` → [`Captured`], or [`Device::trace_abort`]; [`Captured::call`]`(inputs, scalars, donate)`: inputs for the buffer placeholders in order, numbers for the scalar ones; [`Device::is_tracing`]; [`Device::scalars`]`(source)`: numbers asked for anew at each call |
//! | seeing | [`Device::explain`]`(f, inputs)`, [`Tensor::explain`], [`Captured::explain`]: every stage of a program, as [`Explanation`]; [`Captured::export`]: what takes to run it without Weft; [`Device::label_runs`]`(label)`, [`Device::explain_runs`]`(label)`: of what ran |
//! | control flow | [`Device::scan`], [`Device::for_loop`], [`Device::while_loop`], [`Device::cond`], [`Device::switch`]; pieces: [`Device::region`] → [`Tracing`], its placeholders, [`Tracing::close_loop`] or [`Tracing::close_branch`] |
//! | kernels | [`Kernel::new`]`(`[`user_kernel::UserKernel`]`)`, [`Kernel::call`]`(device, tensors, numbers, grid, shapes)` |
//! | tuning | [`Device::set_tuning`], [`Device::tune_slice`]`().await` in idle moments, [`Device::on_tunable`]; [`Device::tune_export`], [`Device::tune_import`], [`Device::tune_log`] |
//! | state | [`Parameter`]: a cell that flushes keep stored; `get`, `set` (frees the old value; inside a trace an implicit input and output of the capture), `replace` |
//! | learning | [`nn`]: `Module`, `Linear`, `Activation`, `Sequential`; [`optim`]: `Optimizer::new(parameters, rule)` (`step(Vec<Tensor>)` frees the gradients and flushes, `apply` does not flush, for those who step several, `lr`, `set_lr`), rules `Sgd`, `Adam` (AdamW too), `Adamax`, `Lion`, `Muon`, `RmsProp`, `Adagrad`, `Adadelta` |
//! | random | [`random`]: `key(&device, seed)`, `split`, `fold_in`, `bits`, `uniform`, `normal`, `bernoulli`, `randint`; `Generator` keeps a key and draws the same |
//! | pieces | `append`, `insert`, `remove`, `resize`, `ediff1d`, `at_least`, `average`, `cumulative_sum`, `put_along_axis`, `unravel`, [`ravel`] |
//! | parts of numbers | `divmod`, `modf`, `frexp`, `ldexp`, `next_after`, `gcd`, `lcm`, `bitwise_count` |
//! | losses | [`losses`], of each element or line: `l2`, `hinge`, `softmax_cross_entropy`, `cosine_similarity`, `kl_divergence`, `ntxent`, `ctc` and their kin; [`Ledger`]: 0-d values that wait to be read in one small tensor, an [`Entry`] each |
//! | files | [`data`]: `idx(bytes)` reads IDX, gzip included |

pub mod data;
mod device;
pub mod fft;
mod inspect;
mod lazy;
pub mod linalg;
pub mod nn;
pub mod op;
mod ops;
pub mod optim;
pub mod random;
pub mod special;
mod transform;

pub use device::cell::ScalarSource;
pub use device::element::Element;
pub use device::parameter::Parameter;
pub use device::stats::Stats;
pub use device::tensor::Tensor;
pub use device::{Device, DeviceKind};
pub use fft::complex;
pub use fft::stft as spectrogram;
pub use inspect::{Inspector, Recording};
pub use lazy::captured::Captured;
pub use lazy::explain::{Explanation, Run};
pub use lazy::export::Exported;
pub use lazy::operand::Operand;
pub use nn::losses;
pub use ops::contract::einsum::einsum;
pub use ops::contract::quantized as weights;
pub use ops::conv::{Convolution, Padding, Windows};
pub use ops::create::sequence::Spacing;
pub use ops::elementwise::{choose, select};
pub use ops::index::At;
pub use ops::index::advanced::{Many, Outside, Pick};
pub use ops::index::ravel::ravel;
pub use ops::index::update::Put;
pub use ops::reduce::associative::{Join, associative_scan};
pub use ops::reduce::cumulative::Running;
pub use ops::reduce::masked::{Among, Over};
pub use ops::reduce::nan::Closeness;
pub use ops::shape::arrange::{column_stack, dstack, hstack, vstack};
pub use ops::shape::join::{concat, stack};
pub use ops::shape::padding::Border;
pub use ops::shape::slice::{Part, Range};
pub use ops::signal::interpolate::Beyond;
pub use ops::signal::{Overlap, polynomials};
pub use ops::sort::lexsort;
pub use ops::sort::quantile::Between;
pub use ops::sort::rank::Ties;
pub use ops::sort::sets::Members;
pub use ops::sort::unique::Unique;
pub use ops::statistics::histogram::histogramdd;
pub use optim::ledger::{Entry, Ledger};
pub use transform::control::{Branch, Results, Scan, Tracing};
pub use transform::custom::{Derivative, checkpoint, custom_jvp, custom_vjp};
pub use transform::grad::{grad, value_and_grad, value_and_grad_of};
pub use transform::kernel::Kernel;
pub use transform::{Batch, Linear, hessian, jacfwd, jacrev, jvp, linearize, vmap};
pub use weft_ir::op::ReduceOp;

/// The IR of users' kernels.
pub mod user_kernel {
    pub use weft_ir::op::{Binary, Compare, Unary};
    pub use weft_ir::user_kernel::*;
}

pub use weft_ir::{DType, Decimal, Error, ErrorKind, Literal, Result, Shape};
