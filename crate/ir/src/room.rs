//! Memory checks before large allocations. An allocation that fails ends the program, and in
//! WebAssembly, where all memory is 4 GiB at most, that is near.
//!
//! What is had in one piece and given back at once can be had again in pieces.

use crate::error::{Error, ErrorKind, Result};

/// What stays free for everything small, which is not asked for. Native systems give memory until
/// they give up by themselves.
const SPARE: usize = if cfg!(target_arch = "wasm32") { 32 << 20 } else { 0 };
/// On native systems less is not worth asking for.
const NEGLIGIBLE: usize = 1 << 20;

/// Errors with `OutOfMemory` in the name of `op` unless `bytes` can be allocated now.
pub fn check_room(op: &str, bytes: u64) -> Result<()> {
    if has_room(bytes) { Ok(()) } else { Err(full(op, bytes)) }
}

pub(crate) fn full(op: &str, bytes: u64) -> Error {
    Error::new(ErrorKind::OutOfMemory, op, format!("there is no memory left for {bytes} bytes"))
}

pub(crate) fn has_room(bytes: u64) -> bool {
    let Some(wanted) = usize::try_from(bytes).ok().and_then(|bytes| bytes.checked_add(SPARE)) else {
        return false;
    };
    if cfg!(not(target_arch = "wasm32")) && wanted < NEGLIGIBLE {
        return true;
    }
    let mut trial: Vec<u8> = Vec::new();
    let had = trial.try_reserve_exact(wanted).is_ok();
    // Or the compiler sees that nobody uses it, and does not ask.
    std::hint::black_box(trial.as_ptr());
    had
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_no_machine_has_is_refused_in_the_name_of_the_operation() {
        assert!(check_room("add", 1 << 20).is_ok());
        let error = check_room("add", 1 << 62).unwrap_err();
        assert_eq!((error.kind, error.op.as_str()), (ErrorKind::OutOfMemory, "add"));
        assert!(error.message.contains("4611686018427387904 bytes"), "{error}");
    }
}
