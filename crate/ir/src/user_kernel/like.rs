//! Equality and hashes of users' kernels.
//!
//! An operation compares with any other, so what compares kernels would come with the first
//! download if it were derived. Programs have kernels only once the rest is there.

use super::UserKernel;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl UserKernel {
    /// Whether both have the same fields.
    ///
    /// Deferred: only kernels that a user wrote are compared.
    #[inline(never)]
    fn is_like(&self, other: &UserKernel) -> bool {
        self.name == other.name
            && self.rank == other.rank
            && self.workgroup == other.workgroup
            && self.tensors == other.tensors
            && self.scalars == other.scalars
            && self.outputs == other.outputs
            && self.locals == other.locals
            && self.arrays == other.arrays
            && self.exprs == other.exprs
            && self.body == other.body
            && self.source == other.source
            && self.lean == other.lean
    }

    /// A hash of all fields but the lean form, which is the same function.
    ///
    /// Deferred: as [`UserKernel::is_like`].
    #[inline(never)]
    fn digest(&self) -> u64 {
        let mut state = FxHasher::default();
        (&self.name, self.rank, self.workgroup, &self.tensors, &self.scalars).hash(&mut state);
        (&self.outputs, &self.locals, &self.arrays).hash(&mut state);
        (&self.exprs, &self.body, &self.source).hash(&mut state);
        state.finish()
    }
}

impl PartialEq for UserKernel {
    fn eq(&self, other: &UserKernel) -> bool {
        self.is_like(other)
    }
}

impl Eq for UserKernel {}

impl Hash for UserKernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.digest());
    }
}
