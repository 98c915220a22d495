//! Source files without the lines that are comments.

use weft_compile::target::wgsl::source::{plain, plain_length, text};

#[test]
fn lines_that_are_comments_are_left_out_and_no_others() {
    const FILE: &[u8] = b"// one\nlet x = 1 / 2; // two\n    // three\n\nend";
    const PLAIN: [u8; plain_length(FILE)] = plain(FILE);
    assert_eq!(text(&PLAIN), "let x = 1 / 2; // two\n\nend");
}
