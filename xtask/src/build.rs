//! Build of the site and the package from the sources.
//!
//! Crates → WebAssembly → its JavaScript face → optimised → `dist/npm` → `dist/site`. The build
//! skips steps whose inputs have not changed.

use crate::error::{Error, Result};
use crate::stamp::Step;
use crate::{arrange, glue, paths, process, size, split, tools};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The crate that becomes WebAssembly, as files name it.
const CORE: &str = "weft_wasm";

/// The deferred part of the WebAssembly, as files name it: it is fetched when something in it is called first.
const REST: &str = "weft_wasm_rest.wasm";
/// Deferred code, by how the paths of its functions begin; `*` is any text. An entry that matches no function fails the build.
const APART: [&str; 122] = [
    // Rows of the table of operations that say so.
    "weft::op::table::rows::*::ROWS::deferred",
    "weft::linalg::",
    "weft::device::tensor::Tensor>::conv_transpose",
    "weft::device::tensor::Tensor>::roll",
    "weft::optim::adam::Adamax",
    "weft::optim::adam::Lion",
    "weft::fft::",
    "weft::special::",
    "weft::ops::contract::quantized::",
    "weft::ops::elementwise::bits::",
    "weft::ops::shape::padding::",
    "weft::ops::contract::einsum::",
    "weft::ops::index::advanced::",
    "weft::ops::index::update::",
    "weft::ops::sort::sets::",
    "weft::random::Stream>::below_wide",
    "weft_compile::family::attention::recognise::of_softmax",
    "weft_compile::family::attention::recognise::Attention>::",
    "weft_compile::family::attention::causal::",
    "weft_compile::family::attention::Parts>::",
    "weft_compile::family::attention::Parts as weft_compile::family::Anchored>::",
    "weft_compile::family::attention::lower",
    "weft_compile::family::attention::rows::SerialAttention>::",
    "weft_compile::family::attention::rows::SerialAttention as weft_compile::family::Anchored>::",
    "weft_compile::family::attention::rows::lower",
    "weft_compile::family::sort::Lines",
    "weft_compile::family::sort::radix::Long",
    "weft_compile::family::sort::radix::Pass",
    "weft_compile::family::fourier::Lines",
    "weft_compile::family::sort::merge::Runs",
    // Transformations but for gradients, loops, branches, and derivatives that are given.
    "weft_compile::transform::batch::",
    "weft_compile::transform::forward::",
    "weft_compile::transform::control_flow::",
    "weft_compile::transform::custom::",
    "weft_compile::transform::opened::open",
    // Of windows that overlap.
    "weft_compile::transform::reverse::view::by_",
    "weft::transform::control::",
    // Numbers of captured functions beside integers, and slices that begin where a tensor says.
    "weft::lazy::weak::",
    "weft::device::tensor::Tensor>::used_as",
    "weft::device::tensor::Tensor>::given_as",
    "weft::device::tensor::Tensor>::dynamic_",
    "weft::device::tensor::Tensor>::starts",
    "weft::transform::custom::",
    "weft::ops::reduce::associative::",
    "weft_wasm::gradients::jacobians",
    "weft_wasm::gradients::jvp",
    "weft_wasm::gradients::substitute",
    "weft_wasm::gradients::batch_begin",
    "weft_wasm::gradients::batch_input",
    "weft_wasm::gradients::batch_outputs",
    "weft_wasm::gradients::custom_begin",
    "weft_wasm::gradients::custom_end",
    // What is made of loops and branches.
    "weft_wasm::control::region_begin",
    "weft_wasm::control::loop_close",
    "weft_wasm::control::branch_close",
    "weft_compile::control::polled::",
    "weft_compile::control::lower::Inliner",
    "weft_compile::control::lower::uncut",
    "weft_compile::plan::Assembly>::add_loop",
    "weft_compile::plan::Assembly>::add_branch",
    "weft_compile::plan::loops::",
    "weft_compile::family::loops::recognise::",
    // What is small of a family and of a rule may be the same as others', of which the compiler makes one function.
    "weft_compile::family::scan::Rows>::",
    "weft_compile::family::scan::Rows as weft_compile::family::Anchored>::lower",
    "weft_compile::family::scan::Rows as weft_compile::family::Anchored>::candidates",
    "weft_compile::simplify::line::scan_in_blocks",
    "weft_compile::simplify::contract::arrange_windows",
    "dyn weft_ir::build::Build>::phased",
    "weft_compile::simplify::index::scattered_in_order",
    "weft_compile::family::scatter::ScatterProblem>::by_updates",
    "weft_compile::family::scatter::copies::Copies>::",
    "weft_compile::family::scatter::copies::CompensatedSums>::",
    "weft_compile::family::scatter::targets::",
    "weft_compile::family::scatter::float_sums::",
    "weft_compile::family::scatter::shared::Anchor as weft_compile::family::Anchored>::",
    "weft_compile::family::rows::copied::copies",
    "weft_compile::family::rows::copied::Copies",
    "weft_compile::family::rows::online::lower",
    "weft_compile::family::rows::online::Online as weft_compile::family::Anchored>::lower",
    "weft_compile::family::rows::tiles::",
    "weft_compile::family::rows::pairs::paired",
    "weft_compile::family::rows::pairs::Paired",
    "weft_compile::transform::scan::",
    "weft_compile::family::scatter::sorted::Runs>::",
    "weft_compile::family::scatter::sorted::Runs as weft_compile::family::Anchored>::lower",
    "weft_compile::family::loops::KernelLoop>::",
    "weft_compile::family::loops::KernelLoop as weft_compile::family::Anchored>::lower",
    "weft_compile::plan::gate::",
    "weft_runtime::runs::loop_polling::",
    "weft_compile::explain::",
    "weft_wasm::explain::explain_tensor",
    "weft_wasm::explain::trace_explain",
    "weft_wasm::explain::explain_runs",
    "weft_ir::program::TensorProgram as core::fmt::Display",
    "weft_ir::op::Op as core::fmt::Debug",
    "weft::device::Device>::trace_explain",
    "weft::device::tensor::Tensor>::explain",
    // Races, in idle moments.
    "weft_compile::tune::race::",
    "weft_compile::tune::contest::Workload>::runner",
    "weft::device::tuner::Tuner>::begin",
    "weft::device::tuner::Tuner>::finish",
    "weft_runtime::runtime::Runtime>::time",
    "weft_runtime::runs::measure::",
    "weft_wasm::read::promise::<weft_wasm::tune::",
    // Files of MNIST's kind, which are compressed.
    "weft_wasm::data::",
    "weft::data::",
    "miniz_oxide::",
    "weft_wasm::canvas::canvas_",
    "weft::optim::muon::",
    "weft::optim::factored::",
    "weft::optim::adaptive::",
    "weft_wasm::learning::seldom",
    "weft_wasm::learning::optimizer_states",
    "weft::optim::optax::Optax as weft::optim::Rule>::update",
    "weft::optim::optax::Optax as weft::optim::Rule>::numbers",
    "weft::optim::optax::Optax as weft::optim::Rule>::facts",
    // How kernels and formats are told of, angles of more than a million, and remainders of numbers in a program.
    "weft_ir::kernel::print::",
    "weft_ir::kernel::Kernel as core::fmt::Display",
    "wgpu_types::texture::format::TextureFormat as core::fmt::Debug",
    "compiler_builtins::math::libm_math::rem_pio2_large::",
    "compiler_builtins::math::libm_math::fmod::",
    // The CPU device.
    "weft_ir::interpret::",
];

/// What `wasm-opt` does. More optimisation makes the file smaller but its gzip, which is what is downloaded, larger. What is hardly longer than its
/// call is inlined, which the compiler leaves where it is told to make things small; functions that are called once stay, since inlining those costs
/// a fifth of the gzip.
const OPTIMISE: [&str; 13] = [
    "-O1",
    "--inlining-optimizing",
    "--always-inline-max-function-size",
    "6",
    "--one-caller-inline-max-function-size",
    "1",
    "--duplicate-function-elimination",
    "--rse",
    "--reorder-locals",
    "--dealign",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// What it does when the functions have been named by their likeness.
const ARRANGE: [&str; 2] = ["--reorder-functions-by-name", "--strip-debug"];

/// Which features Rust's target has on, and vectors, which the CPU device uses; browsers with WebGPU have them all.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// Builds everything and prints what it weighs.
pub fn build() -> Result<()> {
    let start = Instant::now();
    tools::wasm_target()?;
    let wasm_bindgen = tools::wasm_bindgen("wasm-bindgen")?;
    tools::npm_packages()?;

    println!("building");
    let compiled = compile()?;
    let bound = bind(&wasm_bindgen, &compiled)?;
    optimise(&bound)?;
    package()?;
    site()?;

    print!("{}", size::table(&size::measure(&paths::package())?));
    println!("built dist/site and dist/npm in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Cargo knows by itself what is fresh.
fn compile() -> Result<PathBuf> {
    let start = Instant::now();
    let mut cargo = process::cargo();
    cargo.args(["build", "--package", "weft-wasm", "--lib", "--profile", "wasm"]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", compiler_flags(&paths::of_this_machine()?));
    // Stable compilers take options that are not stable only when told so.
    cargo.env("RUSTC_BOOTSTRAP", "1");
    process::run(cargo.args(["--target", tools::WASM_TARGET]))?;
    let seconds = start.elapsed().as_secs_f64();
    if seconds > 2.0 {
        println!("  {:<10} {seconds:>6.1} s", "compile");
    }
    Ok(paths::target().join(tools::WASM_TARGET).join("wasm").join(format!("{CORE}.wasm")))
}

/// Places in the sources that panics would name: a twentieth of the download. Their messages stay; who looks for the place of one builds
/// without this.
const NO_PLACES: &str = "-Zlocation-detail=none";

/// How much longer than its call a function may be to be inlined, by LLVM's measure, whatever a crate is optimised for: at "z" LLVM's own choice is 5, at
/// which each link of a chain of iterators is a call, and at "s" 50. The architecture says what each choice weighs.
const INLINED: &str = "-Cllvm-args=-inline-threshold=35";

/// Whatever flags are set, and those that keep the places of this machine out of what ships: messages may name source files.
fn compiler_flags(places: &[(PathBuf, &str)]) -> OsString {
    // What Cargo puts between flags in this form of the variable, so that they may contain spaces.
    const BETWEEN: &str = "\x1f";
    let set = env::var_os("CARGO_ENCODED_RUSTFLAGS").or_else(|| {
        let flags = env::var("RUSTFLAGS").ok()?;
        Some(flags.split_whitespace().collect::<Vec<_>>().join(BETWEEN).into())
    });
    let mut flags = set.unwrap_or_default();
    if !flags.is_empty() {
        flags.push(BETWEEN);
    }
    flags.push(NO_PLACES);
    flags.push(BETWEEN);
    flags.push(INLINED);
    // The last one that matches counts, and places within others come later.
    for (place, name) in places {
        flags.push(BETWEEN);
        flags.push("--remap-path-prefix=");
        flags.push(place);
        flags.push(format!("={name}"));
    }
    flags
}

/// Splits what Cargo made into WebAssembly and the JavaScript that calls it.
fn bind(wasm_bindgen: &Path, compiled: &Path) -> Result<PathBuf> {
    let out = paths::state().join("bindgen");
    let inputs = [compiled.to_owned(), wasm_bindgen.to_owned()];
    let outputs = [out.join(format!("{CORE}.js")), out.join(format!("{CORE}_bg.wasm"))];
    let options = ["--target", "web", "--omit-default-module-path", "--out-name", CORE, "--out-dir"];
    Step { name: "bind", inputs: &inputs, options: &options.join(" "), outputs: &outputs }.run(|| {
        let mut bindgen = process::command(wasm_bindgen);
        bindgen.args(options).arg(&out).arg(compiled);
        process::run(&mut bindgen)
    })?;
    Ok(out)
}

/// Shrinks the WebAssembly and puts it, with the JavaScript that starts it, where the JavaScript sources expect it.
fn optimise(bound: &Path) -> Result<()> {
    let (from, to) = (bound.to_owned(), paths::js_wasm());
    let wasm = format!("{CORE}_bg.wasm");
    let declarations = [format!("{CORE}.d.ts"), format!("{wasm}.d.ts")];
    // These decide the outcome as the options do.
    let decisive = ["package-lock.json", "xtask/src/glue.rs", "xtask/src/arrange.rs", "xtask/src/split.rs"];
    let inputs = [vec![from.clone()], within_root(&decisive)].concat();
    let written = [wasm.clone(), REST.to_owned(), "core.js".to_owned(), "core.d.ts".to_owned()];
    let outputs: Vec<PathBuf> = declarations.iter().chain(&written).map(|name| to.join(name)).collect();
    Step {
        name: "optimise",
        inputs: &inputs,
        options: &[&OPTIMISE[..], &ARRANGE, &FEATURES, &APART].concat().join(" "),
        outputs: &outputs,
    }
    .run(|| {
        paths::make_dir(&to)?;
        for text in &declarations {
            paths::copy(&from.join(text), &to.join(text))?;
        }
        let module = from.join(format!("{CORE}.js"));
        let module = fs::read_to_string(&module).map_err(Error::file("read", &module))?;
        for (name, text) in
            [("core.js", glue::factory(&module)?), ("core.d.ts", glue::DECLARATIONS.to_owned())]
        {
            fs::write(to.join(name), text).map_err(Error::file("write", &to.join(name)))?;
        }
        let whole = from.join(&wasm);
        let whole = fs::read(&whole).map_err(Error::file("read", &whole))?;
        let parts = split::split(&whole, &APART)?;
        shrink(&parts.main, &to.join(&wasm))?;
        shrink(&parts.rest, &to.join(REST))
    })
}

/// Makes `part` small, and its gzip.
fn shrink(part: &[u8], to: &Path) -> Result<()> {
    let step = |name: &str| paths::state().join(name);
    let (made, small, named) = (step("part.wasm"), step("small.wasm"), step("named.wasm"));
    fs::write(&made, part).map_err(Error::file("write", &made))?;
    wasm_opt(&OPTIMISE, &made, &small)?;
    let bytes = fs::read(&small).map_err(Error::file("read", &small))?;
    fs::write(&named, arrange::named_by_likeness(&bytes)?).map_err(Error::file("write", &named))?;
    wasm_opt(&ARRANGE, &named, to)
}

fn wasm_opt(passes: &[&str], from: &Path, to: &Path) -> Result<()> {
    let mut wasm_opt = process::node_package("binaryen/bin/wasm-opt");
    process::run(wasm_opt.args(passes).args(FEATURES).arg(from).arg("-o").arg(to))
}

fn package() -> Result<()> {
    let inputs = within_root(&["js", "package-lock.json"]);
    let outputs = [paths::package().join("package.json")];
    Step { name: "package", inputs: &inputs, options: "", outputs: &outputs }
        .run(|| process::run(process::npm().args(["run", "--silent", "build", "--workspace", "js"])))
}

fn site() -> Result<()> {
    let site = paths::site();
    let mut inputs = within_root(&[
        "web",
        "js",
        "bench",
        "index.html",
        "bench.html",
        "vite.config.ts",
        "notebooks",
        "data",
    ]);
    inputs.extend(within_root(&["package-lock.json"]));
    inputs.push(paths::package());
    let outputs = [site.join("index.html"), site.join("bench.html"), site.join("notebooks/index.json")];
    Step { name: "site", inputs: &inputs, options: "", outputs: &outputs }.run(|| {
        let mut vite = process::node_package("vite/bin/vite.js");
        // Relative addresses: the site works under any path.
        vite.args(["build", "--logLevel", "warn", "--base", "./", "--emptyOutDir", "--outDir"]).arg(&site);
        process::run(&mut vite)?;
        let data = paths::root().join("data");
        for file in paths::files_under(&data, &[])? {
            let name = file.strip_prefix(&data).expect("a file under the folder it was found in");
            paths::copy(&file, &site.join("data").join(name))?;
        }
        Ok(())
    })
}

fn within_root(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| paths::root().join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_mapped_after_those_it_lies_in() {
        let flags = compiler_flags(&[("/home/a b".into(), "home"), ("/home/a b/.cargo".into(), "cargo")]);
        let flags = flags.to_str().unwrap();
        assert!(
            flags.ends_with(
                "--remap-path-prefix=/home/a b=home\x1f--remap-path-prefix=/home/a b/.cargo=cargo"
            )
        );
    }
}
