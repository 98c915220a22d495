//! Deferred items: modules, types, functions and implementations that come with the second part of
//! the WebAssembly.
//!
//! A line of documentation that begins with `Deferred:` and says why marks an item, and all that it
//! holds. `//! Deferred:` marks a file with the modules below it. Here the sources are read for
//! those lines, and the marks become paths that `split` compares with the names of compiled
//! functions.

use crate::error::{Error, Result};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Expr, ExprLit, ImplItem, Item, ItemImpl, Lit, Meta, Type, TypeParamBound, UseTree};

/// How a line of documentation begins that defers its item.
const MARK: &str = "Deferred:";

/// A mark: what it says where, and the functions that it defers.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The item, or a prefix of paths.
    at: String,
    functions: Vec<Functions>,
}

/// Functions by the path that compilers give them, without hashes: `weft::fft::plan::{closure#0}`,
/// `weft::tensor::Tensor>::roll`, `weft::optim::adam::Lion as weft::optim::Rule>::update`.
#[derive(Clone, Debug)]
enum Functions {
    /// Those whose path begins so; one `*` may stand for any text.
    Prefix(String),
    /// A type or a function, and what is in it.
    Item(String),
    /// A method of a type; `of` is the last segment of the trait that it implements.
    Method { of: Option<String>, on: String, name: String },
}

impl Mark {
    /// A prefix of paths, for what no documentation can mark: dependencies, derived
    /// implementations, instances of a generic function.
    pub fn prefix(path: &str) -> Mark {
        Mark { at: path.to_owned(), functions: vec![Functions::Prefix(path.to_owned())] }
    }

    fn item(path: String) -> Mark {
        Mark { at: path.clone(), functions: vec![Functions::Item(path)] }
    }

    /// Whether it defers a function.
    pub fn defers(&self, function: &str) -> bool {
        self.functions.iter().any(|functions| functions.have(function))
    }
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.at)
    }
}

impl Functions {
    fn have(&self, function: &str) -> bool {
        match self {
            Functions::Prefix(prefix) => match prefix.split_once('*') {
                Some((before, after)) => {
                    function.strip_prefix(before).is_some_and(|rest| rest.contains(after))
                }
                None => function.starts_with(prefix),
            },
            Functions::Item(path) => function.strip_prefix(path.as_str()).is_some_and(ends_word),
            Functions::Method { of, on, name } => {
                let method = function.strip_prefix(on.as_str()).and_then(method_of);
                method.is_some_and(|(trait_, rest)| {
                    trait_ == of.as_deref() && rest.strip_prefix(name.as_str()).is_some_and(ends_word)
                })
            }
        }
    }
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a name that was read so far ends before `rest`.
fn ends_word(rest: &str) -> bool {
    !rest.starts_with(is_of_word)
}

/// The trait's last segment, and the name with what follows, of what stands behind a type:
/// ` as a::B<T>>::name`.
fn method_of(rest: &str) -> Option<(Option<&str>, &str)> {
    let rest = if rest.starts_with('<') { &rest[closing(rest)? + 1..] } else { rest };
    let Some(of) = rest.strip_prefix(" as ") else {
        return Some((None, rest.strip_prefix(">::")?));
    };
    let end = closing(of)?;
    let path = of[..end].split('<').next()?;
    Some((path.rsplit("::").next(), of[end + 1..].strip_prefix("::")?))
}

/// Where the angle bracket closes that is open at the start of `text`, or that `text` begins with.
fn closing(text: &str) -> Option<usize> {
    let mut open = usize::from(!text.starts_with('<'));
    for (at, sign) in text.char_indices() {
        match sign {
            '<' => open += 1,
            '>' if !text[..at].ends_with('-') => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}

/// The marks in crates, each with its name and the file that is its root.
pub fn marks(crates: &[(&str, PathBuf)]) -> Result<Vec<Mark>> {
    let mut sources = Sources::default();
    for (name, root) in crates {
        sources.read(name.to_string(), root, &folder(root))?;
    }
    sources
        .modules
        .iter()
        .map(|module| sources.of(module))
        .collect::<Result<Vec<_>>>()
        .map(|all| all.concat())
}

/// Where the modules of a file lie that is the root of a crate, or `mod.rs`.
fn folder(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_owned()
}

struct Module {
    path: String,
    items: Vec<Item>,
    marked: bool,
    /// What `use` names here: the absolute path of each name.
    uses: HashMap<String, String>,
}

#[derive(Default)]
struct Sources {
    modules: Vec<Module>,
    /// Where types and traits of each name are defined.
    types: HashMap<String, Vec<String>>,
}

impl Sources {
    /// Reads a file and those of the modules it declares, which lie in `below`.
    fn read(&mut self, path: String, file: &Path, below: &Path) -> Result<()> {
        let text = fs::read_to_string(file).map_err(Error::file("read", file))?;
        let parsed = syn::parse_file(&text)
            .map_err(|error| Error::Check(format!("cannot read {}: {error}", file.display())))?;
        let marked = is_marked(&parsed.attrs);
        self.take(path, parsed.items, marked, below)
    }

    fn take(&mut self, path: String, items: Vec<Item>, marked: bool, below: &Path) -> Result<()> {
        let mut uses = HashMap::new();
        for item in &items {
            match item {
                Item::Use(item) => name_uses(&path, String::new(), &item.tree, &mut uses),
                Item::Struct(item) => self.define(&path, &item.ident),
                Item::Enum(item) => self.define(&path, &item.ident),
                Item::Trait(item) => self.define(&path, &item.ident),
                _ => {}
            }
        }
        let mut kept = Vec::new();
        for item in items {
            let Item::Mod(item) = item else {
                kept.push(item);
                continue;
            };
            if is_test(&item.attrs) {
                continue;
            }
            let name = item.ident.to_string();
            let (inner, marked) = (format!("{path}::{name}"), is_marked(&item.attrs));
            match item.content {
                Some((_, items)) => self.take(inner, items, marked, &below.join(name))?,
                None => {
                    let files = [below.join(format!("{name}.rs")), below.join(&name).join("mod.rs")];
                    if let Some(file) = files.iter().find(|file| file.is_file()) {
                        let before = self.modules.len();
                        self.read(inner, file, &below.join(name))?;
                        self.modules[before].marked |= marked;
                    }
                }
            }
        }
        // A module comes before those in it.
        let at = self.modules.iter().position(|module| is_within(&module.path, &path));
        self.modules.insert(at.unwrap_or(self.modules.len()), Module { path, items: kept, marked, uses });
        Ok(())
    }

    fn define(&mut self, module: &str, name: &syn::Ident) {
        self.types.entry(name.to_string()).or_default().push(module.to_owned());
    }

    /// What is deferred in a module.
    fn of(&self, module: &Module) -> Result<Vec<Mark>> {
        let own = |name: &syn::Ident| Mark::item(format!("{}::{name}", module.path));
        let mut found = Vec::new();
        if module.marked {
            // Not a function of that name beside the module.
            found.push(Mark::prefix(&format!("{}::", module.path)));
        }
        for item in &module.items {
            match item {
                Item::Fn(item) if is_marked(&item.attrs) => found.push(own(&item.sig.ident)),
                Item::Struct(item) if is_marked(&item.attrs) => found.push(own(&item.ident)),
                Item::Enum(item) if is_marked(&item.attrs) => found.push(own(&item.ident)),
                Item::Impl(item) => found.extend(self.of_implementation(module, item)?),
                _ => {}
            }
        }
        Ok(found)
    }

    /// A mark for an implementation as a whole, else one for each of its methods that has one.
    fn of_implementation(&self, module: &Module, item: &ItemImpl) -> Result<Vec<Mark>> {
        let whole = is_marked(&item.attrs);
        let methods = item.items.iter().filter_map(|item| match item {
            ImplItem::Fn(method) if whole || is_marked(&method.attrs) => Some(method.sig.ident.to_string()),
            _ => None,
        });
        let methods: Vec<String> = methods.collect();
        if methods.is_empty() {
            return Ok(Vec::new());
        }
        let on = self.type_path(module, &item.self_ty)?;
        let of = item.trait_.as_ref().and_then(|(_, path, _)| Some(path.segments.last()?.ident.to_string()));
        let ty = of.as_ref().map_or(on.clone(), |of| format!("<{on} as {of}>"));
        let method = |name| Functions::Method { of: of.clone(), on: on.clone(), name };
        Ok(if whole {
            vec![Mark { at: ty, functions: methods.into_iter().map(method).collect() }]
        } else {
            let mark = |name: String| Mark { at: format!("{ty}::{name}"), functions: vec![method(name)] };
            methods.into_iter().map(mark).collect()
        })
    }

    /// The absolute path of a type where it is defined.
    fn type_path(&self, module: &Module, ty: &Type) -> Result<String> {
        let unknown =
            || Error::Check(format!("{}: a deferred method of a type whose path is not known", module.path));
        let (before, path) = match ty {
            Type::Path(ty) => ("", &ty.path),
            Type::Reference(ty) => return self.type_path(module, &ty.elem),
            Type::TraitObject(object) => match object.bounds.first() {
                Some(TypeParamBound::Trait(bound)) => ("dyn ", &bound.path),
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        };
        let name = path.segments.last().ok_or_else(unknown)?.ident.to_string();
        let homes = self.types.get(&name).ok_or_else(unknown)?;
        let said = match path.segments.len() {
            1 if homes.contains(&module.path) => Some(format!("{}::{name}", module.path)),
            1 => module.uses.get(&name).cloned(),
            _ => {
                let segments: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
                Some(absolute(&module.path, &segments.join("::")))
            }
        };
        // What is named through a re-export is defined elsewhere; with one home only it can be
        // meant.
        let home = homes.iter().find(|home| said.as_ref() == Some(&format!("{home}::{name}")));
        let home = home.or_else(|| homes.first().filter(|_| homes.len() == 1)).ok_or_else(unknown)?;
        Ok(format!("{before}{home}::{name}"))
    }
}

fn is_within(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
}

/// Notes what a `use` names, by absolute paths.
fn name_uses(module: &str, before: String, tree: &UseTree, uses: &mut HashMap<String, String>) {
    let join =
        |name: &syn::Ident| if before.is_empty() { name.to_string() } else { format!("{before}::{name}") };
    match tree {
        UseTree::Path(path) => name_uses(module, join(&path.ident), &path.tree, uses),
        UseTree::Name(name) => {
            uses.insert(name.ident.to_string(), absolute(module, &join(&name.ident)));
        }
        UseTree::Rename(name) => {
            uses.insert(name.rename.to_string(), absolute(module, &join(&name.ident)));
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                name_uses(module, before.clone(), tree, uses);
            }
        }
        UseTree::Glob(_) => {}
    }
}

/// A path as seen from the crates, `crate`, `self` and `super` resolved.
fn absolute(module: &str, path: &str) -> String {
    let mut base: Vec<&str> = Vec::new();
    for (at, segment) in path.split("::").enumerate() {
        match segment {
            "crate" => base = module.split("::").take(1).collect(),
            "self" => base = module.split("::").collect(),
            "super" => {
                if at == 0 {
                    base = module.split("::").collect();
                }
                base.pop();
            }
            name => base.push(name),
        }
    }
    base.join("::")
}

fn is_marked(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => line.value().trim_start().starts_with(MARK),
            _ => false,
        },
        _ => false,
    })
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;
    use std::collections::BTreeSet;

    fn found_in(files: &[(&str, &str)]) -> Result<Vec<String>> {
        let scratch = Scratch::new();
        for (name, text) in files {
            scratch.write(name, text);
        }
        Ok(marks(&[("x", scratch.join("lib.rs"))])?.iter().map(Mark::to_string).collect())
    }

    #[test]
    fn marks_are_found_at_files_modules_types_functions_implementations_and_methods() {
        let lib =
            "mod a; mod b; /// Deferred: rare.\nmod c; mod d { /// Deferred: rare.\nfn f() {} fn g() {} }
            #[cfg(test)] mod tests { /// Deferred: no.\nfn t() {} }";
        let a = "//! Text.\n//!\n//! Deferred: rare.\nmod inner;";
        let b = "/// A type.\n///\n/// Deferred: rare.\npub struct Type;
            pub struct Other<T>(T);
            impl<T> Other<T> { /// Deferred: rare.\nfn one(&self) {} fn two(&self) {} }
            /// Deferred: rare.\nimpl std::fmt::Display for Other<u8> { fn fmt(&self) {} }
            /// This is not Deferred: it says so.\nfn common() {}";
        let inner = "use super::super::b::Type as Renamed; use crate::b;
            impl b::Other<u8> { /// Deferred: rare.\nfn three() {} }
            impl dyn Trait + '_ { /// Deferred: rare.\nfn four() {} } trait Trait {}";
        let found =
            found_in(&[("lib.rs", lib), ("a/mod.rs", a), ("a/inner.rs", inner), ("b.rs", b), ("c.rs", "")])
                .unwrap();
        let expected = [
            "x::a::",
            "x::b::Other::one",
            "<x::b::Other as Display>",
            "x::b::Other::three",
            "x::b::Type",
            "x::c::",
            "x::d::f",
            "dyn x::a::inner::Trait::four",
        ];
        assert_eq!(BTreeSet::from_iter(found), BTreeSet::from_iter(expected.map(str::to_owned)));
    }

    #[test]
    fn functions_belong_to_an_item_by_whole_names() {
        let item = |path: &str| Mark::item(path.to_owned());
        assert!(Mark::prefix("weft::fft::").defers("weft::fft::plan::{closure#0}"));
        assert!(!Mark::prefix("weft::fft::").defers("weft::fft"));
        assert!(item("weft::open").defers("weft::open::{closure#0}"));
        assert!(!item("weft::open").defers("weft::opened"));
        let method = |of: Option<&str>| {
            let (of, on) = (of.map(str::to_owned), "weft::Type".to_owned());
            let functions = vec![Functions::Method { of, on, name: "roll".to_owned() }];
            Mark { at: String::new(), functions }
        };
        assert!(method(None).defers("weft::Type>::roll"));
        assert!(method(None).defers("weft::Type<fn() -> u8>>::roll::<f32>"));
        assert!(!method(None).defers("weft::Type>::rolled"));
        assert!(!method(None).defers("weft::Typed>::roll"));
        assert!(!method(None).defers("weft::Type as a::Rule>::roll"));
        assert!(method(Some("Rule")).defers("weft::Type<u8> as a::b::Rule<a::c>>::roll"));
        assert!(!method(Some("Rule")).defers("weft::Type as a::Other>::roll"));
        assert!(Mark::prefix("a::*::b").defers("a::x::y::bc") && !Mark::prefix("a::*::b").defers("a::x"));
    }

    #[test]
    fn a_type_that_two_modules_define_is_the_one_in_use() {
        let lib = "mod a; mod b; mod c;";
        let c = "use crate::b::Rows; impl Rows { /// Deferred: rare.\nfn f() {} }";
        let define = "pub struct Rows;";
        let found = found_in(&[("lib.rs", lib), ("a.rs", define), ("b.rs", define), ("c.rs", c)]).unwrap();
        assert_eq!(found, ["x::b::Rows::f"]);
        let c = "use crate::Rows; impl Rows { /// Deferred: rare.\nfn f() {} }";
        assert!(found_in(&[("lib.rs", lib), ("a.rs", define), ("b.rs", define), ("c.rs", c)]).is_err());
    }
}
