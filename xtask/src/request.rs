//! HTTP requests, as far as a static site needs them: the request line, safe paths, and media
//! types.

use std::io::{self, BufRead, Read};
use std::path::{Component, Path, PathBuf};

/// Longer requests than this come from no browser of ours.
const LONGEST: u64 = 64 * 1024;

/// How a file is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// All of it.
    Get,
    /// The headers alone.
    Head,
}

/// What a request asks for, or why it cannot be answered.
#[derive(Debug, PartialEq)]
pub enum Request {
    /// A file, by its path below the site's root. A path of a directory ends in a slash.
    File(Method, String),
    /// A method that a static site does not know.
    UnknownMethod,
    /// Not HTTP, or a path that leaves the site.
    Malformed,
}

/// Reads one request, up to the empty line that ends its headers.
pub fn read(stream: impl Read) -> io::Result<Request> {
    let mut lines = io::BufReader::new(stream.take(LONGEST));
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let mut header = String::new();
    while lines.read_line(&mut header)? > 0 && !header.trim_end().is_empty() {
        header.clear();
    }
    Ok(parse(first.trim_end()))
}

/// Understands a request line such as `GET /index.html HTTP/1.1`.
pub fn parse(line: &str) -> Request {
    let mut words = line.split(' ');
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Request::Malformed;
    };
    if !version.starts_with("HTTP/1.") || words.next().is_some() {
        return Request::Malformed;
    }
    let method = match method {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        _ => return Request::UnknownMethod,
    };
    let path = target.split(['?', '#']).next().unwrap_or_default();
    match path.strip_prefix('/').and_then(decode).filter(|path| stays_inside(path)) {
        Some(path) => Request::File(method, path),
        None => Request::Malformed,
    }
}

/// The path below a folder that a request's path means: the folder's index when it ends in a slash.
pub fn file_below(folder: &Path, path: &str) -> PathBuf {
    let file = folder.join(path);
    if path.is_empty() || path.ends_with('/') { file.join("index.html") } else { file }
}

/// The media type of a file, by its extension.
pub fn media_type(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "md" => "text/markdown; charset=utf-8",
        "txt" | "wgsl" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        // A page that reads compressed data inflates it itself: this is a file, not an encoding of
        // one.
        "gz" => "application/gzip",
        _ => "application/octet-stream",
    }
}

/// Undoes `%20` and the like.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let hexadecimal = digits.iter().all(u8::is_ascii_hexdigit);
                let digits = std::str::from_utf8(&digits).ok().filter(|_| hexadecimal)?;
                u8::from_str_radix(digits, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Whether a path has nothing in it that leads out of the folder it is joined to, on any system.
fn stays_inside(path: &str) -> bool {
    !path.contains(['\\', ':', '\0'])
        && Path::new(path).components().all(|component| matches!(component, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(path: &str) -> Request {
        parse(&format!("GET {path} HTTP/1.1"))
    }

    fn file(path: &str) -> Request {
        Request::File(Method::Get, path.to_owned())
    }

    #[test]
    fn paths_are_decoded_and_queries_dropped() {
        assert_eq!(get("/"), file(""));
        assert_eq!(get("/assets/weft.wasm?v=3"), file("assets/weft.wasm"));
        assert_eq!(get("/notebooks/my%20notes%C3%BC.md"), file("notebooks/my notesü.md"));
        assert_eq!(parse("HEAD /a.js HTTP/1.0"), Request::File(Method::Head, "a.js".into()));
    }

    #[test]
    fn paths_that_leave_the_site_are_refused() {
        let outside = [
            "/../secret",
            "/a/../../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "/..%5csecret",
            "//etc/passwd",
            "/%2fetc/passwd",
            "/C:/secret",
            "/a%00b",
            "/./a",
        ];
        for path in outside {
            assert_eq!(get(path), Request::Malformed, "{path}");
        }
    }

    #[test]
    fn what_is_not_a_request_is_refused() {
        for line in
            ["", "GET", "GET /", "GET  / HTTP/1.1", "GET / SMTP", "GET a HTTP/1.1", "GET /%zz HTTP/1.1"]
        {
            assert_eq!(parse(line), Request::Malformed, "{line}");
        }
        for path in ["/%", "/%2", "/%+1", "/%ff"] {
            assert_eq!(get(path), Request::Malformed, "{path}");
        }
        assert_eq!(parse("POST / HTTP/1.1"), Request::UnknownMethod);
    }

    #[test]
    fn a_request_ends_at_the_empty_line() {
        let bytes = b"GET /a HTTP/1.1\r\nHost: localhost\r\n\r\nrest";
        assert_eq!(read(&bytes[..]).unwrap(), file("a"));
        assert_eq!(read(&b""[..]).unwrap(), Request::Malformed);
    }

    #[test]
    fn a_directory_means_its_index() {
        assert_eq!(file_below(Path::new("site"), ""), Path::new("site/index.html"));
        assert_eq!(file_below(Path::new("site"), "docs/"), Path::new("site/docs/index.html"));
        assert_eq!(file_below(Path::new("site"), "a.js"), Path::new("site/a.js"));
    }

    #[test]
    fn browsers_get_the_types_they_insist_on() {
        assert_eq!(media_type(Path::new("weft.wasm")), "application/wasm");
        assert_eq!(media_type(Path::new("a/b.MJS")), "text/javascript; charset=utf-8");
        assert_eq!(media_type(Path::new("train-images-idx3-ubyte.gz")), "application/gzip");
        assert_eq!(media_type(Path::new("train-images-idx3-ubyte")), "application/octet-stream");
    }
}
