//! JSON strings.
//!
//! All the JSON that these tasks write is a few strings in a fixed frame, so this is all they need.

/// Text as a JSON string.
pub fn string(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", control as u32)),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(string("a\\b\n\"ü\""), "\"a\\\\b\\u000a\\\"ü\\\"\"");
    }
}
