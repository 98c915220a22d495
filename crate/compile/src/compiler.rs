//! Compilers of kernels: what a device does with kernels while a program is still being compiled.

use weft_ir::kernel::Kernel;

/// What compiles a program's kernels for a device, each as soon as it is made, so that this can
/// begin before the last kernel exists.
pub trait Compiler {
    /// Whether people would wait for a kernel. One with loops is then made, too.
    fn is_slow(&self, kernel: &Kernel) -> bool;
    /// Whether `first` is compiled so much sooner than a slow kernel that it should serve until
    /// then.
    fn is_sooner(&self, kernel: &Kernel, first: &Kernel) -> bool;
    /// Begins to compile a kernel, and what serves until it is compiled.
    fn begin(&self, kernel: &Kernel, first: Option<&Kernel>);
}

/// Compiles nothing.
impl Compiler for () {
    fn is_slow(&self, _: &Kernel) -> bool {
        false
    }

    fn is_sooner(&self, _: &Kernel, _: &Kernel) -> bool {
        false
    }

    fn begin(&self, _: &Kernel, _: Option<&Kernel>) {}
}
