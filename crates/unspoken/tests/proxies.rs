//! The configurations of nginx and Caddy in `dist`, with TLS, in front of a real server.

mod running;

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};

use running::encrypted::{ask, certify, connect};
use running::{FREE, Running};

/// The path in the files of `dist`.
const BELOW: &str = "/games/unspoken";

/// Requests that one address may make in these tests.
const REQUESTS: usize = 40;

/// A program that passes requests on to the server.
#[derive(Clone, Copy)]
enum Program {
    Nginx,
    Caddy,
}

impl Program {
    /// Where the program is. `cargo xtask test` installs it.
    fn path(self) -> PathBuf {
        let name = match self {
            Self::Nginx => "nginx",
            Self::Caddy => "caddy",
        };
        let folders =
            ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain(folders);
        let mut programs = folders.map(|folder| folder.join(name));
        programs.find(|program| program.exists()).unwrap_or_else(|| {
            panic!("{name} is not installed: install it (apt-get install nginx-light caddy)")
        })
    }

    /// Starts it at a port, in front of a server at the root or below the path.
    fn start(self, folder: &Path, port: u16, server: SocketAddr, base: &str) -> Proxy {
        let mut command = Command::new(self.path());
        let certificate = match self {
            Self::Nginx => nginx(&mut command, folder, port, server, base),
            Self::Caddy => caddy(&mut command, folder, port, server, base),
        };
        let log = fs::File::create(folder.join("proxy.log")).unwrap();
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let process = command.spawn().unwrap();
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Proxy { process, address, certificate, folder: folder.to_owned() }
    }
}

/// A file of `dist` with what a test has to change; each of these is in it.
fn file(name: &str, changes: &[(&str, &str)]) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist").join(name);
    let mut text = fs::read_to_string(path).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no {from:?}: {text}");
        text = text.replace(from, to);
    }
    text
}

/// Debian's nginx with the files of `dist/nginx`. The certificate is where this returns it.
fn nginx(
    command: &mut Command,
    folder: &Path,
    port: u16,
    server: SocketAddr,
    base: &str,
) -> PathBuf {
    certify(folder);
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let own = folder.to_str().unwrap();
    let server = server.to_string();
    write(
        "unspoken-proxy.conf",
        &file("nginx/unspoken-proxy.conf", &[("127.0.0.1:8080", &server)]),
    );
    let listen = format!("listen 127.0.0.1:{port} ssl;");
    let site = file(
        "nginx/site.conf",
        &[
            ("listen 443 ssl;", &listen),
            ("server_name play.example.org;", "server_name localhost;"),
            ("/etc/ssl/play.example.org.pem", &format!("{own}/cert.pem")),
            ("/etc/ssl/play.example.org.key", &format!("{own}/key.pem")),
        ],
    );
    let site = if base.is_empty() {
        site
    } else {
        // The server block of a host that serves another page.
        write("path.conf", &file("nginx/path.conf", &[]));
        let (host, _) = site.split_once("    location / {").expect(&site);
        format!(
            "{host}    location / {{ return 200 \"another page\"; }}\n    include path.conf;\n}}\n"
        )
    };
    write("site.conf", &site);
    let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let folders = kinds.map(|kind| format!("{kind}_temp_path {own}/{kind};\n")).concat();
    let main = format!(
        "daemon off;\nmaster_process off;\npid {own}/nginx.pid;\nerror_log stderr;\n\
         events {{}}\nhttp {{\naccess_log off;\n{folders}include site.conf;\n}}\n"
    );
    write("nginx.conf", &main);
    command.args(["-e", "stderr", "-p", own, "-c"]).arg(folder.join("nginx.conf"));
    folder.join("cert.pem")
}

/// Caddy with the files of `dist/caddy` as they are, and a certificate of its own.
fn caddy(
    command: &mut Command,
    folder: &Path,
    port: u16,
    server: SocketAddr,
    base: &str,
) -> PathBuf {
    let name = if base.is_empty() { "caddy/Caddyfile" } else { "caddy/path.Caddyfile" };
    let options = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\
                   \tdefault_bind 127.0.0.1\n}\n";
    fs::write(folder.join("Caddyfile"), format!("{options}{}", file(name, &[]))).unwrap();
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
    command.env("SITE", format!("https://localhost:{port}")).env("UPSTREAM", server.to_string());
    command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
    folder.join("caddy/pki/authorities/local/root.crt")
}

/// A proxy that runs, and is killed when it is dropped.
struct Proxy {
    process: Child,
    address: SocketAddr,
    certificate: PathBuf,
    folder: PathBuf,
}

impl Proxy {
    /// Waits until requests reach the server, and returns the certificate to trust.
    fn wait(&mut self, base: &str) -> CertificateDer<'static> {
        let started = Instant::now();
        loop {
            if let Ok(trusted) = CertificateDer::from_pem_file(&self.certificate)
                && let Ok(answer) =
                    ask(self.address, &trusted, &format!("GET {base}/healthz"), "", "")
                && answer.starts_with("HTTP/1.1 200")
            {
                return trusted;
            }
            let ended = self.process.try_wait().unwrap().is_some();
            if ended || started.elapsed() > Duration::from_secs(20) {
                let log = fs::read_to_string(self.folder.join("proxy.log")).unwrap();
                panic!("the proxy does not pass requests on: {log}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ended_already = self.process.kill();
        let _ended_already = self.process.wait();
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// The page, the API, cookies and sockets through a proxy; and however many addresses a client
/// makes up, the server counts it as one.
fn check(program: Program, base: &str) {
    let folder = TempDir::new().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let public = format!("https://localhost:{port}");
    let rate = format!("{REQUESTS}/0.001");
    let mut options = FREE.to_vec();
    options.extend(["--trusted-proxy", "127.0.0.1", "--public-url", &public]);
    options.extend(["--address-rate", &rate]);
    if !base.is_empty() {
        options.extend(["--base-path", base]);
    }
    let server = Running::start(folder.path(), &options);
    let mut proxy = program.start(folder.path(), port, server.address, base);
    let trusted = proxy.wait(base);
    let address = proxy.address;
    let get = |path: &str, more: &str| {
        ask(address, &trusted, &format!("GET {path}"), more, "").expect(path)
    };

    let page = get(&format!("{base}/"), "");
    assert!(status(&page) == "200" && page.contains("<title>Unspoken"), "{page}");
    if !base.is_empty() {
        assert!(!get("/", "").contains("<title>Unspoken"), "the rest of the host is not ours");
        let moved = get(base, "");
        let to = moved.lines().find(|line| line.to_ascii_lowercase().starts_with("location:"));
        assert!(status(&moved) == "308" && to.expect(&moved).ends_with(&format!("{base}/")));
    }
    let me = format!("POST {base}/api/me");
    let named = ask(address, &trusted, &me, "", r#"{"name":"Ada"}"#).unwrap();
    let cookie = named.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("set-cookie").then_some(value)
    });
    let cookie = cookie.expect(&named);
    let prefix = if base.is_empty() { "__Host-unspoken=" } else { "__Secure-unspoken=" };
    assert!(cookie.starts_with(prefix) && cookie.contains("; Secure"), "{cookie}");
    let secret = cookie.split(';').next().unwrap();

    let url = format!("wss://localhost:{port}{base}/ws");
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("cookie", secret.parse().unwrap());
    request.headers_mut().insert("origin", public.parse().unwrap());
    let stream = connect(address, &trusted).unwrap();
    let (mut socket, _) = tungstenite::client(request, stream).unwrap();
    let hello = json!({"t": "hello", "protocol": wire::PROTOCOL, "client": 1});
    socket.send(Message::text(hello.to_string())).unwrap();
    assert!(socket.read().unwrap().into_text().unwrap().contains("welcome"));

    let answers = (0..300).map(|number| {
        let made_up = format!("203.0.{}.{}", number / 250, number % 250 + 1);
        let more = format!(
            "X-Forwarded-For: {made_up}\r\nForwarded: for={made_up}\r\nX-Real-IP: {made_up}\r\n"
        );
        status(&get(&format!("{base}/api/setups"), &more)).to_owned()
    });
    let answers = answers.collect::<Vec<_>>();
    let count = |code: &str| answers.iter().filter(|answer| *answer == code).count();
    let (accepted, refused) = (count("200"), count("429"));
    assert_eq!(accepted + refused, 300, "{answers:?}");
    assert!(0 < accepted && accepted < REQUESTS, "{accepted} of 300 requests were accepted");
    server.end("-TERM");
}

#[test]
fn nginx_at_the_root() {
    check(Program::Nginx, "");
}

#[test]
fn nginx_below_a_path() {
    check(Program::Nginx, BELOW);
}

#[test]
fn caddy_at_the_root() {
    check(Program::Caddy, "");
}

#[test]
fn caddy_below_a_path() {
    check(Program::Caddy, BELOW);
}
