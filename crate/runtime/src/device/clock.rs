//! Monotonic clock, in nanoseconds.

/// Nanoseconds since the first call.
#[cfg(not(target_arch = "wasm32"))]
pub fn now() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as f64
}

/// Nanoseconds of `performance.now()`, which pages, workers and Node have alike.
#[cfg(target_arch = "wasm32")]
pub fn now() -> f64 {
    #[wasm_bindgen::prelude::wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance, js_name = now)]
        fn performance_now() -> f64;
    }
    performance_now() * 1e6
}
