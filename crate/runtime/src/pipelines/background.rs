//! Background compilation of pipelines: what [`OpenOptions::compiler`](crate::OpenOptions) is.

#[cfg(target_arch = "wasm32")]
mod web {
    use crate::pipelines::LayoutKey;
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        /// A function of JavaScript's.
        #[wasm_bindgen(js_name = Function)]
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub type BackgroundCompiler;
        /// Calls it; the receiver is nothing.
        #[wasm_bindgen(method, catch)]
        fn call(
            this: &BackgroundCompiler,
            receiver: Option<bool>,
            code: &str,
            storage: u32,
            written: u32,
            uniform_bytes: u32,
            served: bool,
            done: JsValue,
        ) -> std::result::Result<(), JsValue>;
    }

    /// Whether it is under way. Without `code`, `done` is called when there is time for more.
    pub(crate) fn compile(
        by: &BackgroundCompiler,
        code: &str,
        LayoutKey { storage, written, uniform_bytes }: LayoutKey,
        served: bool,
        done: impl FnOnce() + 'static,
    ) -> bool {
        let done = Closure::once_into_js(done);
        by.call(None, code, storage, written, uniform_bytes, served, done).is_ok()
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
        match code {
            // There is always time.
            "" => done(),
            _ => (by.0)(code, served, Box::new(done)),
        }
        true
    }
}
#[cfg(not(target_arch = "wasm32"))]
pub use native::BackgroundCompiler;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use native::compile;
#[cfg(target_arch = "wasm32")]
pub use web::BackgroundCompiler;
#[cfg(target_arch = "wasm32")]
pub(super) use web::compile;
