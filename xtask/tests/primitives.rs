//! Exhaustive tables of primitives. A match that names many primitives says something of each, so
//! that the compiler names the places that a new one is missing from. A match that looks for a few
//! may leave the others to `_`.

use crate::{files_of, text};
use syn::visit::{Visit, visit_expr_match, visit_pat};
use syn::{ExprMatch, Pat, Path};

/// The most primitives that a match with `_` may name.
const FEW: usize = 8;

/// The variants of `Op` that patterns name.
#[derive(Default)]
struct Named(Vec<String>);

impl Visit<'_> for Named {
    fn visit_path(&mut self, path: &Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [.., of, name] = &names[..]
            && of == "Op"
            && !self.0.contains(name)
        {
            self.0.push(name.clone());
        }
    }
}

/// Whether a pattern takes whatever is left of an `Op`: `_`, or a tuple that begins with it.
fn takes_the_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => ident.subpat.is_none(),
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
        if named.0.len() > FEW && takes_rest {
            self.0.push(named.0);
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
    assert_eq!(tables(&source(FEW, "_ => 0")).len(), 0, "a few");
    for rest in ["_ => 0", "(_, 3) => 0", "other => 0"] {
        assert_eq!(tables(&source(FEW + 1, rest)).len(), 1, "{rest}");
    }
    for rest in ["", "_ if z => 0,", "(Op::Last, _) => 0"] {
        assert_eq!(tables(&source(FEW + 1, rest)).len(), 0, "{rest}");
    }
}
