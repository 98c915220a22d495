//! Static server for development.
//!
//! It serves a folder on localhost, with other folders and files mounted over parts of it.

use crate::error::{Error, Result};
use crate::request::{self, Method, Request};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// A connection that says nothing for this long is closed.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is served.
pub struct Site {
    /// The folder of the site itself.
    pub folder: PathBuf,
    /// What lies over it; earlier ones win, and what none of them has comes from the folder.
    pub mounts: Vec<Mount>,
}

/// A file or folder that stands at a place in the site.
pub struct Mount {
    /// The place: a path that ends in a slash for a folder.
    pub at: String,
    /// What stands there.
    pub target: PathBuf,
}

/// What a path of the site leads to.
#[derive(Debug, PartialEq)]
enum Found {
    File(PathBuf),
    /// A directory that was named without its slash: relative links in its index would go astray.
    Directory,
    Nothing,
}

impl Site {
    fn find(&self, path: &str) -> Found {
        let mounted = self.mounts.iter().filter_map(|mount| {
            if mount.at.ends_with('/') {
                let rest = path.strip_prefix(mount.at.as_str())?;
                Some(request::file_below(&mount.target, rest))
            } else {
                (path == mount.at).then(|| mount.target.clone())
            }
        });
        let mut directory = false;
        for candidate in mounted.chain([request::file_below(&self.folder, path)]) {
            match fs::metadata(&candidate) {
                Ok(meta) if meta.is_file() => return Found::File(candidate),
                Ok(meta) if meta.is_dir() => directory = true,
                _ => {}
            }
        }
        if directory { Found::Directory } else { Found::Nothing }
    }
}

/// Takes a port on localhost: the one asked for, else the usual one, else any.
pub fn listen(asked: Option<u16>, usual: u16) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let (port, listener) = match asked {
        Some(port) => (port, bind(port)),
        None => (usual, bind(usual).or_else(|_| bind(0))),
    };
    listener.map_err(|error| {
        let reason =
            if error.kind() == ErrorKind::AddrInUse { "it is taken".into() } else { error.to_string() };
        Error::Check(format!("cannot serve on port {port}: {reason}"))
    })
}

/// Serves until the process ends, on threads of its own, and returns the address.
pub fn start(site: Site, listener: TcpListener) -> Result<SocketAddr> {
    let no_address = |error: io::Error| Error::Check(format!("the server has no address: {error}"));
    let address = listener.local_addr().map_err(no_address)?;
    let site = Arc::new(site);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let site = Arc::clone(&site);
            // A browser that goes away in the middle of a file is no concern of ours.
            thread::spawn(move || drop(answer(&site, &stream)));
        }
    });
    Ok(address)
}

fn answer(site: &Site, stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    match request::read(stream)? {
        Request::File(method, path) => match site.find(&path) {
            Found::File(file) => send_file(stream, method, &file),
            Found::Directory => {
                let name = path.rsplit('/').next().unwrap_or_default();
                send_text(
                    stream,
                    method,
                    "301 Moved Permanently",
                    &format!("Location: {}/\r\n", encode(name)),
                )
            }
            Found::Nothing => send_text(stream, method, "404 Not Found", ""),
        },
        Request::UnknownMethod => {
            send_text(stream, Method::Get, "405 Method Not Allowed", "Allow: GET, HEAD\r\n")
        }
        Request::Malformed => send_text(stream, Method::Get, "400 Bad Request", ""),
    }
}

fn send_file(mut stream: &TcpStream, method: Method, path: &Path) -> io::Result<()> {
    let Ok(mut file) = File::open(path) else { return send_text(stream, method, "403 Forbidden", "") };
    let length = file.metadata()?.len();
    stream.write_all(head("200 OK", request::media_type(path), length, "").as_bytes())?;
    if method == Method::Get {
        io::copy(&mut file, &mut stream)?;
    }
    Ok(())
}

fn send_text(mut stream: &TcpStream, method: Method, status: &str, headers: &str) -> io::Result<()> {
    let body = format!("{status}\n");
    let mut answer = head(status, "text/plain; charset=utf-8", body.len() as u64, headers);
    if method == Method::Get {
        answer += &body;
    }
    stream.write_all(answer.as_bytes())
}

fn head(status: &str, media_type: &str, length: u64, headers: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n{headers}\
         Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
}

/// Writes a name so that it can stand in a header.
fn encode(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    name.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::scratch::Scratch;
    use std::io::Read;

    fn ask(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "{request}\r\nHost: localhost\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8(answer).unwrap()
    }

    fn serve(scratch: &Scratch) -> SocketAddr {
        let mounts = vec![
            Mount { at: "notebooks/mine.md".into(), target: scratch.join("elsewhere/mine.md") },
            Mount { at: "data/".into(), target: scratch.join("data") },
        ];
        let site = Site { folder: scratch.join("site"), mounts };
        start(site, listen(Some(0), 0).unwrap()).unwrap()
    }

    #[test]
    fn files_come_with_their_type_and_length() {
        let scratch = Scratch::new();
        scratch.write("site/index.html", "<title>Weft</title>");
        scratch.write("site/core.wasm", "\0asm");
        let address = serve(&scratch);
        let page = ask(address, "GET / HTTP/1.1");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html"), "{page}");
        assert!(page.ends_with("\r\n\r\n<title>Weft</title>"), "{page}");
        let core = ask(address, "HEAD /core.wasm HTTP/1.1");
        assert!(core.contains("application/wasm\r\nContent-Length: 4\r\n"), "{core}");
        assert!(core.ends_with("\r\n\r\n"), "HEAD has no body: {core}");
    }

    #[test]
    fn what_cannot_be_served_has_its_status() {
        let scratch = Scratch::new();
        scratch.write("site/sub folder/index.html", "");
        scratch.write("secret.txt", "secret");
        let address = serve(&scratch);
        let status = |request: &str| ask(address, request)[9..12].to_owned();
        assert_eq!(status("GET /absent HTTP/1.1"), "404");
        assert_eq!(status("GET / HTTP/1.1"), "404");
        assert_eq!(status("GET /../secret.txt HTTP/1.1"), "400");
        assert_eq!(status("GET /%2e%2e/secret.txt HTTP/1.1"), "400");
        assert_eq!(status("DELETE / HTTP/1.1"), "405");
        let moved = ask(address, "GET /sub%20folder HTTP/1.1");
        assert!(moved.contains("Location: sub%20folder/\r\n"), "{moved}");
    }

    #[test]
    fn mounts_lie_over_the_site_which_shows_through_where_they_have_nothing() {
        let scratch = Scratch::new();
        scratch.write("site/data/digits.bin", "shipped");
        scratch.write("site/data/mnist/a.gz", "shipped");
        scratch.write("data/mnist/a.gz", "local");
        scratch.write("elsewhere/mine.md", "# Mine");
        let address = serve(&scratch);
        assert!(ask(address, "GET /data/mnist/a.gz HTTP/1.1").ends_with("\r\n\r\nlocal"));
        assert!(ask(address, "GET /data/digits.bin HTTP/1.1").ends_with("\r\n\r\nshipped"));
        assert!(ask(address, "GET /notebooks/mine.md HTTP/1.1").ends_with("\r\n\r\n# Mine"));
    }

    #[test]
    fn a_taken_port_is_an_error_only_when_it_was_asked_for() {
        let first = listen(Some(0), 0).unwrap();
        let taken = first.local_addr().unwrap().port();
        assert_ne!(listen(None, taken).unwrap().local_addr().unwrap().port(), taken);
        let error = listen(Some(taken), 0).unwrap_err().to_string();
        assert_eq!(error, format!("cannot serve on port {taken}: it is taken"));
    }
}
