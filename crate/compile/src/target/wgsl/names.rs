//! Names in printed WGSL: as given where WGSL allows them, made distinct from each other, from the
//! language's own words and from the prelude.

use super::expression::{PARAMETERS, builtin_parameter};
use super::prelude::Prelude;
use std::sync::OnceLock;
use weft_ir::kernel::{ArrayId, Kernel, LocalId};
use weft_ir::{HashMap, HashSet};

/// The uniform array that holds the run-time scalars.
pub(crate) const UNIFORMS: &str = "scalars";

/// The name of run-time scalar n, bound at the top of `main`.
pub(crate) fn uniform(n: u32) -> String {
    format!("scalar_{n}")
}

/// The names of a kernel's arrays, and of those locals that are in scope: a name is free again
/// where its scope ends.
pub(crate) struct Names {
    arrays: Vec<String>,
    locals: Vec<String>,
    /// What is taken besides what no kernel may have.
    taken: HashSet<String>,
    /// The number that was last put behind each name, where to begin looking for the next.
    numbers: HashMap<String, usize>,
    /// For each open scope, the names bound in it, each with what it was asked for as and the
    /// number before.
    scopes: Vec<Vec<(String, String, usize)>>,
}

impl Names {
    pub(crate) fn of(kernel: &Kernel) -> Names {
        let mut taken: HashSet<String> = (0..kernel.uniforms.len() as u32).map(uniform).collect();
        let arrays = kernel.arrays.iter().map(|a| distinct(&mut taken, &a.name, 0).0).collect();
        let locals = vec![String::new(); kernel.locals.len()];
        Names { arrays, locals, taken, numbers: HashMap::default(), scopes: vec![Vec::new()] }
    }

    pub(crate) fn array(&self, id: ArrayId) -> &str {
        &self.arrays[id.index()]
    }

    pub(crate) fn local(&self, id: LocalId) -> &str {
        &self.locals[id.index()]
    }

    /// Opens a scope.
    pub(crate) fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Closes the innermost scope.
    pub(crate) fn leave(&mut self) {
        for (name, wanted, before) in self.scopes.pop().into_iter().flatten().rev() {
            self.taken.remove(&name);
            self.numbers.insert(wanted, before);
        }
    }

    /// Names a local that is bound here.
    pub(crate) fn bind(&mut self, kernel: &Kernel, id: LocalId) -> String {
        let wanted = &kernel.locals[id.index()].name;
        let before = self.numbers.get(wanted).copied().unwrap_or(0);
        let (name, number) = distinct(&mut self.taken, wanted, before);
        self.numbers.insert(wanted.clone(), number);
        let scope = self.scopes.last_mut().expect("the body's scope stays open");
        scope.push((name.clone(), wanted.clone(), before));
        self.locals[id.index()].clone_from(&name);
        name
    }
}

/// What no kernel may name anything: the names of WGSL, of the prelude and of the frame of every
/// kernel. Collected once.
fn reserved() -> &'static HashSet<String> {
    static ALL: OnceLock<HashSet<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let parameters = PARAMETERS.map(|builtin| builtin_parameter(builtin).1);
        let names = RESERVED.split_whitespace().chain(Prelude::get().names());
        names.chain(parameters).chain([UNIFORMS]).map(str::to_owned).collect()
    })
}

/// `wanted` as a WGSL identifier that nothing else has, with a number behind it when it is taken,
/// and that number. Numbers below `from` are known to be taken.
fn distinct(taken: &mut HashSet<String>, wanted: &str, from: usize) -> (String, usize) {
    let mut base: String = wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if base.trim_matches('_').is_empty() {
        base = "value".to_owned();
    }
    if base.starts_with(|c: char| c.is_ascii_digit()) || base.starts_with("__") {
        base.insert(0, 'v');
    }
    let mut number = from;
    loop {
        let name = if number == 0 { base.clone() } else { format!("{base}_{number}") };
        if !reserved().contains(&name) && taken.insert(name.clone()) {
            return (name, number);
        }
        number += 1;
    }
}

/// Keywords and reserved words (WGSL §2.4, §15.1 and 15.2), and those predeclared names that
/// printed kernels use.
const RESERVED: &str = "
alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let loop
override requires return struct switch true var while

NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class co_await
co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr constinit
crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external
fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline instanceof
interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline
nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset partial pass patch pixelfragment
precise precision premerge priv protected pub public readonly ref regardless register reinterpret_cast require resource
restrict self set shared sizeof smooth snorm static static_assert static_cast std subroutine super target template this
thread_local throw trait try type typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual
volatile wgsl where with writeonly yield

abs array atomic atomicAdd atomicLoad atomicMax atomicMin atomicStore bitcast bool ceil clamp countLeadingZeros exp2 f16 f32 floor
fma i32 inverseSqrt main max min round select sign sqrt storageBarrier subgroupAdd subgroupMax subgroupMin subgroupMul
trunc u32 vec2 vec3 vec4 workgroupBarrier
";
