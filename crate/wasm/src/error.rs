//! Conversion of errors to JavaScript exceptions, through a function that the package installs, so
//! that each exception is an instance of the package's own classes, made where the call was.

use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use weft::{Error, ErrorKind};

thread_local! {
    static FACTORY: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// What a function of this surface throws.
pub struct Thrown(Error);

/// The result of a function of this surface.
pub type Result<T> = std::result::Result<T, Thrown>;

impl From<Error> for Thrown {
    fn from(error: Error) -> Thrown {
        Thrown(error)
    }
}

impl From<Thrown> for JsValue {
    fn from(Thrown(error): Thrown) -> JsValue {
        if error.kind == ErrorKind::OutOfMemory {
            crate::memory::note_reported();
        }
        exception(error.kind.class(), &error.op, &error.message)
    }
}

/// Installs `factory(class, op, message)`, which makes the errors to throw, and reports defects
/// through it.
#[wasm_bindgen]
pub fn install_errors(factory: Function) {
    FACTORY.set(Some(factory));
    std::panic::set_hook(Box::new(|info| {
        #[cfg(debug_assertions)]
        console_error_panic_hook::hook(info);
        // Thrown rather than trapped, so that the caller sees what was wrong and not just that
        // something was.
        wasm_bindgen::throw_val(exception("InternalError", "weft", &info.to_string()));
    }));
}

fn exception(class: &str, op: &str, message: &str) -> JsValue {
    // Not borrowed while it runs: it reads stacks, and who asks for that may have put a function of
    // his own in the way.
    let factory = FACTORY.with_borrow(Clone::clone);
    let made = factory.and_then(|factory| {
        factory.call3(&JsValue::UNDEFINED, &class.into(), &op.into(), &message.into()).ok()
    });
    made.unwrap_or_else(|| js_sys::Error::new(&format!("{op}: {message}")).into())
}
