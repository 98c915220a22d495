//! Build of the site and the package from the sources.
//!
//! Crates → WebAssembly → its JavaScript face → optimised → `dist/npm` → `dist/site`. The build
//! skips steps whose inputs have not changed.

use crate::deferred::{self, Mark};
use crate::error::{Error, Result};
use crate::stamp::Step;
use crate::{arrange, glue, paths, process, size, split, tools, visit};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The crate that becomes WebAssembly, as files name it.
const CORE: &str = "weft_wasm";

/// The deferred part of the WebAssembly, as files name it: it is fetched when something in it is
/// called first.
const REST: &str = "weft_wasm_rest.wasm";
/// The crates whose documentation marks deferred items (`Deferred:`), by their folders and as paths
/// name them.
const CRATES: [(&str, &str); 5] = [
    ("ir", "weft_ir"),
    ("compile", "weft_compile"),
    ("runtime", "weft_runtime"),
    ("weft", "weft"),
    ("wasm", "weft_wasm"),
];

/// Deferred functions that no documentation can mark, by how their paths begin; `*` is any text.
const UNMARKED: [&str; 11] = [
    // Rows of the table of operations that say so: a macro writes them.
    "weft::op::table::rows::*::ROWS::deferred",
    // Derived: programs are printed in explanations, and where the core fails.
    "weft_ir::*as core::fmt::Debug",
    "core::*as core::fmt::Debug",
    // An instance of a function that everybody needs: races run in idle moments.
    "weft_wasm::read::promise::<weft_wasm::tune::",
    // Glue around deferred functions: control flow, users' kernels, vmap, customVjp.
    "wasm_bindgen::__rt::maybe_catch_unwind::<weft_wasm::control::",
    "wasm_bindgen::__rt::maybe_catch_unwind::<weft_wasm::kernels::",
    "wasm_bindgen::__rt::maybe_catch_unwind::<weft_wasm::gradients::_::__wasm_bindgen_generated_batch_",
    "wasm_bindgen::__rt::maybe_catch_unwind::<weft_wasm::gradients::_::__wasm_bindgen_generated_custom_",
    // What frees the records of inspections.
    "alloc::rc::Rc<weft::inspect::",
    // Of dependencies: formats are named in errors, and numbers in programs seldom have remainders.
    "wgpu_types::*as core::fmt::Debug",
    "compiler_builtins::math::libm_math::fmod::",
];

/// What `wasm-opt` does where sizes do not matter.
const STRIP: [&str; 3] = ["--strip-debug", "--strip-producers", "--strip-target-features"];

/// What `wasm-opt` does to what ships. More optimisation makes the file smaller but its gzip,
/// which is what is downloaded, larger. What is hardly longer than its call is inlined, which the
/// compiler does not do when it optimises for size; functions that are called once stay, since
/// inlining those costs a fifth of the gzip.
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

/// Which features Rust's target has on, and vectors, which the CPU device uses; browsers with
/// WebGPU have them all.
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

/// How small the WebAssembly becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shrinking {
    /// As it ships.
    Full,
    /// Without names alone, which takes a minute less: for tests that look at no size.
    Names,
}

/// Builds everything and prints what it weighs.
pub fn build(shrinking: Shrinking) -> Result<()> {
    let start = Instant::now();
    tools::wasm_target()?;
    let wasm_bindgen = tools::wasm_bindgen("wasm-bindgen")?;
    tools::npm_packages()?;

    println!("building");
    let compiled = compile()?;
    let bound = bind(&wasm_bindgen, &compiled)?;
    optimise(&compiled, &bound, shrinking)?;
    package()?;
    site()?;

    print!("{}", size::table(&size::measure(&paths::package())?));
    print!("{}", visit::table(&visit::measure(&paths::site())?));
    println!("built dist/site and dist/npm in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Cargo knows by itself what is fresh.
fn compile() -> Result<PathBuf> {
    let start = Instant::now();
    let mut cargo = process::cargo();
    cargo.args(["rustc", "--package", "weft-wasm", "--lib", "--profile", "wasm"]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", compiler_flags(&paths::of_this_machine()?));
    // Makes a stable compiler accept unstable options.
    cargo.env("RUSTC_BOOTSTRAP", "1");
    process::run(cargo.args(["--target", tools::WASM_TARGET, "--", RELOCATIONS]))?;
    let seconds = start.elapsed().as_secs_f64();
    if seconds > 2.0 {
        println!("  {:<10} {seconds:>6.1} s", "compile");
    }
    Ok(paths::target().join(tools::WASM_TARGET).join("wasm").join(format!("{CORE}.wasm")))
}

/// Places in the sources that panics would name: a twentieth of the download. Their messages stay;
/// who looks for the place of one builds without this.
const NO_PLACES: &str = "-Zlocation-detail=none";

/// What refers to what by address: `split` needs to know.
const RELOCATIONS: &str = "-Clink-arg=--emit-relocs";

/// How much longer than its call a function may be to be inlined, by LLVM's measure, whatever a
/// crate is optimised for: at "z" LLVM's own choice is 5, at which each link of a chain of
/// iterators is a call, and at "s" 50. The architecture says what each choice weighs.
const INLINED: &str = "-Cllvm-args=-inline-threshold=35";

/// Whatever flags are set, and those that keep the places of this machine out of what ships:
/// messages may name source files.
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
    let options =
        ["--target", "web", "--no-demangle", "--omit-default-module-path", "--out-name", CORE, "--out-dir"];
    Step { name: "bind", inputs: &inputs, options: &options.join(" "), outputs: &outputs }.run(|| {
        let mut bindgen = process::command(wasm_bindgen);
        bindgen.args(options).arg(&out).arg(compiled);
        process::run(&mut bindgen)
    })?;
    Ok(out)
}

/// Shrinks the WebAssembly and puts it, with the JavaScript that starts it, where the JavaScript
/// sources expect it.
fn optimise(compiled: &Path, bound: &Path, shrinking: Shrinking) -> Result<()> {
    let (from, to) = (bound.to_owned(), paths::js_wasm());
    let wasm = format!("{CORE}_bg.wasm");
    let declarations = [format!("{CORE}.d.ts"), format!("{wasm}.d.ts")];
    // These decide the outcome as the options do.
    let decisive = [
        "package-lock.json",
        "xtask/src/glue.rs",
        "xtask/src/arrange.rs",
        "xtask/src/deferred.rs",
        "xtask/src/split",
    ];
    let inputs = [vec![from.clone()], within_root(&decisive)].concat();
    let written = [wasm.clone(), REST.to_owned(), "core.js".to_owned(), "core.d.ts".to_owned()];
    let marks = marks()?;
    let marked: Vec<String> = marks.iter().map(Mark::to_string).collect();
    let outputs: Vec<PathBuf> = declarations.iter().chain(&written).map(|name| to.join(name)).collect();
    let passes: &[&str] = match shrinking {
        Shrinking::Full => &OPTIMISE,
        Shrinking::Names => &STRIP,
    };
    Step {
        name: "optimise",
        inputs: &inputs,
        options: &format!("{} {}", [passes, &FEATURES].concat().join(" "), marked.join(" ")),
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
        let linked = fs::read(compiled).map_err(Error::file("read", compiled))?;
        let parts = split::split(&whole, &linked, &marks)?;
        for (part, name) in [(&parts.main, wasm.as_str()), (&parts.rest, REST)] {
            let made = paths::state().join("part.wasm");
            fs::write(&made, part).map_err(Error::file("write", &made))?;
            match shrinking {
                Shrinking::Full => shrink(&made, &to.join(name))?,
                Shrinking::Names => wasm_opt(passes, &made, &to.join(name))?,
            }
        }
        Ok(())
    })
}

/// What is deferred: what the sources mark, and what they cannot.
fn marks() -> Result<Vec<Mark>> {
    let root = |folder: &str| paths::root().join("crate").join(folder).join("src/lib.rs");
    let marked = deferred::marks(&CRATES.map(|(folder, name)| (name, root(folder))))?;
    Ok(marked.into_iter().chain(UNMARKED.map(Mark::prefix)).collect())
}

/// Makes the file `made` small, and its gzip.
fn shrink(made: &Path, to: &Path) -> Result<()> {
    let small = paths::state().join("small.wasm");
    wasm_opt(&OPTIMISE, made, &small)?;
    let bytes = fs::read(&small).map_err(Error::file("read", &small))?;
    let mut least = u64::MAX;
    for arranged in arrange::by_likeness(&bytes, &arrange::FADINGS)? {
        fs::write(made, arranged).map_err(Error::file("write", made))?;
        let gzip = size::gzip(made)?;
        if gzip < least {
            least = gzip;
            fs::copy(made, to).map_err(Error::file("write", to))?;
        }
    }
    Ok(())
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
