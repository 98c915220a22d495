//! Background compilation of pipelines: what [`OpenOptions::compiler`](crate::OpenOptions) is.

#[cfg(target_arch = "wasm32")]
mod web {
    use crate::pipelines::LayoutKey;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        /// An object of JavaScript's.
        #[wasm_bindgen(js_name = Object)]
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub type BackgroundCompiler;
        #[wasm_bindgen(method, catch, structural)]
        fn compile(
            this: &BackgroundCompiler,
            code: &str,
            storage: u32,
            written: u32,
            uniform_bytes: u32,
            served: bool,
            done: JsValue,
        ) -> std::result::Result<(), JsValue>;
        #[wasm_bindgen(method, structural)]
        fn later(this: &BackgroundCompiler, ready: JsValue);
    }

    /// Whether it is under way.
    pub(crate) fn compile(
        by: &BackgroundCompiler,
        code: &str,
        LayoutKey { storage, written, uniform_bytes }: LayoutKey,
        served: bool,
        done: impl FnOnce() + 'static,
    ) -> bool {
        let done = Closure::once_into_js(done);
        by.compile(code, storage, written, uniform_bytes, served, done).is_ok()
    }

    /// Calls `ready` when there is time to compile what another serves for.
    pub(crate) fn later(by: &BackgroundCompiler, ready: impl FnOnce() + 'static) {
        by.later(Closure::once_into_js(ready));
    }
}

/// The same natively, where compiling is done when the call is: tests have compilers that answer
/// late.
#[cfg(not(target_arch = "wasm32"))]
mod native {
    use crate::pipelines::LayoutKey;
    use std::fmt::{self, Debug, Formatter};
    use std::rc::Rc;

    /// Is given the text, whether another serves meanwhile, and what to call when it is compiled.
    type Compile = dyn Fn(&str, bool, Box<dyn FnOnce()>);

    /// Compiles in the background.
    #[derive(Clone)]
    pub struct BackgroundCompiler(pub Rc<Compile>);

    impl PartialEq for BackgroundCompiler {
        fn eq(&self, other: &BackgroundCompiler) -> bool {
            Rc::ptr_eq(&self.0, &other.0)
        }
    }

    impl Eq for BackgroundCompiler {}

    impl Debug for BackgroundCompiler {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str("BackgroundCompiler")
        }
    }

    pub(crate) fn compile(
        by: &BackgroundCompiler,
        code: &str,
        _: LayoutKey,
        served: bool,
        done: impl FnOnce() + 'static,
    ) -> bool {
        (by.0)(code, served, Box::new(done));
        true
    }

    /// Calls `ready`: there is always time.
    pub(crate) fn later(_: &BackgroundCompiler, ready: impl FnOnce() + 'static) {
        ready();
    }
}
#[cfg(not(target_arch = "wasm32"))]
pub use native::BackgroundCompiler;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use native::{compile, later};
#[cfg(target_arch = "wasm32")]
pub use web::BackgroundCompiler;
#[cfg(target_arch = "wasm32")]
pub(super) use web::{compile, later};
