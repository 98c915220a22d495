//! Exhaustive tables of primitives. A match that names many primitives says something of each, so
//! that the compiler names the places that a new one is missing from. A match that looks for a few
//! may leave the others to `_`.

use crate::{files_of, text};
use syn::visit::{Visit, visit_expr_match, visit_pat};
use syn::{ExprMatch, Pat, Path};

/// Enums of primitives, and how many variants of each a match with `_` may name: with more it is a
/// table, with fewer a question.
const ENUMS: [(&str, usize); 5] = [("Op", 8), ("Unary", 8), ("Binary", 8), ("Compare", 4), ("Region", 1)];

/// The variants that patterns name, of each enum.
#[derive(Default)]
struct Named([Vec<String>; ENUMS.len()]);

impl Visit<'_> for Named {
    fn visit_path(&mut self, path: &Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let [.., of, name] = &names[..] else { return };
        let own = self.0.iter_mut().zip(ENUMS).find(|(_, (it, _))| of == it);
        if let Some((own, _)) = own.filter(|(own, _)| !own.contains(name)) {
            own.push(name.clone());
        }
    }
}

/// Whether a pattern takes whatever is left of an `Op`: `_`, or a tuple that begins with it.
fn takes_the_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        // A capital begins a constant or a variant, such as `None`.
        Pat::Ident(it) => it.subpat.is_none() && !it.ident.to_string().starts_with(char::is_uppercase),
        Pat::Tuple(tuple) => tuple.elems.first().is_some_and(takes_the_rest),
        Pat::Reference(reference) => takes_the_rest(&reference.pat),
        _ => false,
    }
}

/// The matches that name many primitives and leave the rest to `_`: the names of each.
#[derive(Default)]
struct Tables(Vec<Vec<String>>);

impl<'s> Visit<'s> for Tables {
    fn visit_expr_match(&mut self, it: &'s ExprMatch) {
        let mut named = Named::default();
        it.arms.iter().for_each(|arm| visit_pat(&mut named, &arm.pat));
        let takes_rest = it.arms.iter().any(|arm| arm.guard.is_none() && takes_the_rest(&arm.pat));
        if takes_rest {
            let tables = named.0.into_iter().zip(ENUMS).filter(|(own, (_, few))| own.len() > *few);
            self.0.extend(tables.map(|(own, _)| own));
        }
        visit_expr_match(self, it);
    }
}

fn tables(source: &str) -> Vec<Vec<String>> {
    let mut tables = Tables::default();
    tables.visit_file(&syn::parse_file(source).expect("sources parse"));
    tables.0
}

#[test]
fn matches_that_name_many_primitives_name_all() {
    let mut found = Vec::new();
    for path in
        files_of(&["rs"]).into_iter().filter(|path| path.starts_with("crate/") && path.contains("/src/"))
    {
        found.extend(tables(&text(&path)).into_iter().map(|names| (path.clone(), names)));
    }
    assert!(found.is_empty(), "`_` in a table of primitives: {found:#?}");
}

#[test]
fn a_table_with_a_rest_is_found() {
    let arms =
        |count: usize| (0..count).map(|n| format!("(Op::P{n} {{ .. }}, _) => {n}, ")).collect::<String>();
    let source =
        |count: usize, rest: &str| format!("fn f() {{ g(|| match (x, y) {{ {} {rest} }}) }}", arms(count));
    let few = ENUMS[0].1;
    assert_eq!(tables(&source(few, "_ => 0")).len(), 0, "a few");
    for rest in ["_ => 0", "(_, 3) => 0", "other => 0"] {
        assert_eq!(tables(&source(few + 1, rest)).len(), 1, "{rest}");
    }
    for rest in ["", "_ if z => 0,", "(Op::Last, _) => 0", "None => 0"] {
        assert_eq!(tables(&source(few + 1, rest)).len(), 0, "{rest}");
    }
}

/// The variants of an enum of the core's sources, in order, whether a macro writes it or not.
fn variants(path: &str, name: &str) -> Vec<String> {
    let file = syn::parse_file(&text(path)).expect("sources parse");
    let enums = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Enum(it) => Some(it),
        syn::Item::Macro(it) => syn::parse2(it.mac.tokens).ok(),
        _ => None,
    });
    let found = enums.into_iter().find(|it: &syn::ItemEnum| it.ident == name);
    let found = found.unwrap_or_else(|| panic!("{path} has no enum {name}"));
    found.variants.iter().map(|variant| variant.ident.to_string()).collect()
}

/// The strings of an array constant of a TypeScript module, in order.
fn strings(source: &str, name: &str) -> Vec<String> {
    let (_, rest) = source.split_once(&format!("const {name} = [")).expect("the module has the list");
    let (list, _) = rest.split_once(']').expect("the list ends");
    list.split(',').map(|name| name.trim().trim_matches('"').to_owned()).collect()
}

/// Words of a user's kernel name operations by their positions.
#[test]
fn operations_of_users_kernels_have_the_same_numbers_in_typescript() {
    let lists = text("js/src/kernel/ir.ts");
    for (list, path, name) in [
        ("UNARY", "crate/ir/src/op/function.rs", "Unary"),
        ("BINARY", "crate/ir/src/op/function.rs", "Binary"),
        ("COMPARE", "crate/ir/src/op/function.rs", "Compare"),
        ("COMBINE", "crate/ir/src/user_kernel/mod.rs", "Combine"),
        ("SUBGROUP", "crate/ir/src/user_kernel/mod.rs", "SubgroupOp"),
        ("COORDINATE", "crate/ir/src/user_kernel/mod.rs", "Coordinate"),
        ("EDGE", "crate/ir/src/user_kernel/mod.rs", "Edge"),
    ] {
        assert_eq!(strings(&lists, list), variants(path, name), "{list} of js/src/kernel/ir.ts");
    }
}
