//! Shader files without their comments, which are for readers of the file and should not be
//! downloaded. They are removed when Weft is compiled.

/// The length of a file without its comments.
pub const fn plain_length(file: &[u8]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < file.len() {
        let end = line_end(file, at);
        if !is_comment(file, at) {
            length += end - at;
        }
        at = end;
    }
    length
}

/// A file without its comments. `LENGTH` is its [`plain_length`].
pub const fn plain<const LENGTH: usize>(file: &[u8]) -> [u8; LENGTH] {
    let (mut kept, mut length, mut at) = ([0; LENGTH], 0, 0);
    while at < file.len() {
        let end = line_end(file, at);
        let left_out = is_comment(file, at);
        while at < end {
            if !left_out {
                kept[length] = file[at];
                length += 1;
            }
            at += 1;
        }
    }
    kept
}

/// The text of a file.
pub const fn text(file: &[u8]) -> &str {
    match std::str::from_utf8(file) {
        Ok(text) => text,
        Err(_) => panic!("shaders are text, and only whole lines are left out"),
    }
}

/// Where the line ends that begins at `at`, its end included.
const fn line_end(file: &[u8], mut at: usize) -> usize {
    while at < file.len() && file[at] != b'\n' {
        at += 1;
    }
    if at < file.len() { at + 1 } else { at }
}

/// Whether the line that begins at `at` is nothing but a comment.
const fn is_comment(file: &[u8], mut at: usize) -> bool {
    while at < file.len() && file[at] == b' ' {
        at += 1;
    }
    at + 1 < file.len() && file[at] == b'/' && file[at + 1] == b'/'
}
