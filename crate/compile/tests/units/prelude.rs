//! Functions of the prelude: each declared once, and written with what it calls.

use weft_compile::target::wgsl::prelude::Prelude;
use weft_ir::kernel::Function;

#[test]
fn every_function_is_declared_once() {
    for function in Function::ALL {
        let declared = Prelude::get().names().filter(|n| *n == function.name()).count();
        assert_eq!(declared, 1, "{}", function.name());
    }
}

#[test]
fn a_function_comes_with_what_it_calls_and_nothing_else() {
    let names = |wanted: &[&str]| -> Vec<&str> {
        Prelude::get().with_dependencies(wanted).iter().map(|item| item.name).collect()
    };
    assert_eq!(names(&["max_f32"]), ["is_nan", "max_f32"]);
    assert!(names(&["sigmoid_f32"]).contains(&"exp_f32"));
    assert!(names(&[]).is_empty());
}
