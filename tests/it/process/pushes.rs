//! Push messages of a real server, to a push service that speaks TLS on this machine.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    sync::mpsc,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use super::child::Process;
use crate::support::{
    browser::{Browser, claims},
    database::DatabasePlace,
    http::{Answer, Request},
    server::GENEROUS,
};

/// For `localhost`, and the authority that vouches for it.
fn tls(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/terminal/tls").join(name)
}

/// A request that came.
struct Got {
    head: String,
    body: Vec<u8>,
}

impl Got {
    fn header(&self, name: &str) -> &str {
        let headers = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = headers.filter(|(header, _)| header.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value).unwrap_or_default()
    }
}

/// A push service that takes everything. Returns its port.
async fn push_service(got: mpsc::UnboundedSender<Got>) -> u16 {
    let certificates = CertificateDer::pem_file_iter(tls("server.pem")).expect("a file");
    let certificates = certificates.collect::<Result<_, _>>().expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(tls("server.key")).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("known versions")
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .expect("the key fits");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("a bound port").port();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let Ok(mut client) = acceptor.accept(client).await else { continue };
            let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
            let got_all = loop {
                let read = client.read(&mut piece).await.expect("a request");
                assert!(read > 0, "the request breaks off");
                bytes.extend_from_slice(&piece[..read]);
                let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
                let head = String::from_utf8(bytes[..end].to_vec()).expect("a head");
                let request = Got { head, body: bytes[end + 4..].to_vec() };
                let length: usize = request.header("content-length").parse().expect("a length");
                if request.body.len() == length {
                    break request;
                }
            };
            client.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n").await.expect("read");
            let _ = got.send(got_all);
        }
    });
    port
}

fn start(database: &Path, port: u16, log: &Path) -> Process {
    let ca = tls("ca.pem");
    let log = File::options().create(true).append(true).open(log).expect("a file");
    Process::knowing(
        Command::new(env!("CARGO_BIN_EXE_lusoria"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "debug", "--database"])
            .arg(database)
            .args(["--public-url", "https://play.example.org"])
            .args(["--push-host", &format!("localhost:{port}")])
            .args(GENEROUS)
            .stderr(log),
        &[("SSL_CERT_FILE", &ca)],
    )
}

async fn ask(server: &Process, method: &str, path: &str, token: Option<&str>, body: &Value) -> Answer {
    let request = Request::new(method, &format!("/api/v1{path}")).json(body);
    let request = token.iter().fold(request, |request, token| request.token(token));
    request.send(server.address()).await.expect("the server runs")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_reaches_a_push_service_under_tls_and_only_its_browser_reads_it() {
    let (place, logs) = (DatabasePlace::new(), TempDir::new().expect("a temporary folder"));
    let log = logs.path().join("log");
    let (sender, mut got) = mpsc::unbounded_channel();
    let port = push_service(sender).await;
    let server = start(&place.path(), port, &log);
    let mut tokens = Vec::new();
    for name in ["Agathias", "Zeno"] {
        let made = ask(&server, "POST", "/guests", None, &json!({"name": name})).await.json();
        let text = |field: &str| made[field].as_str().expect("a text").to_owned();
        tokens.push((text("id"), text("token")));
    }
    let [(_, one), (zeno, two)] = &tokens[..] else { panic!("two guests") };
    let key = ask(&server, "GET", "/push", None, &json!({})).await.json()["key"].clone();
    let key = key.as_str().expect("a key");

    let browser = Browser::at(&format!("https://localhost:{port}/the-secret-of-zeno"));
    let mut subscription = browser.subscription();
    subscription["language"] = json!("grc");
    let made = ask(&server, "PUT", "/me/push-subscriptions", Some(two), &subscription).await;
    assert_eq!(made.status, 200, "{made:?}");
    let challenge = json!({"to": zeno, "game": "zeno", "clock": {"kind": "days", "days": 2}});
    let made = ask(&server, "POST", "/challenges", Some(one), &challenge).await.json();
    let request = got.recv().await.expect("the push service runs");
    assert!(request.head.starts_with("POST /the-secret-of-zeno HTTP/1.1\r\n"), "{}", request.head);
    for (header, value) in [
        ("host", format!("localhost:{port}")),
        ("content-encoding", "aes128gcm".to_owned()),
        ("urgency", "normal".to_owned()),
    ] {
        assert_eq!(request.header(header), value, "{header}");
    }
    assert!((1_209_000..=1_209_600).contains(&request.header("ttl").parse().expect("seconds")));
    let claims = claims(request.header("authorization"), key).expect("signed by the server");
    assert_eq!(claims["aud"], format!("https://localhost:{port}"));
    assert_eq!(claims["sub"], "https://play.example.org");
    let said = browser.read(&request.body);
    let expected = json!({"kind": "challenge", "challenge": made["id"], "from": "Agathias", "game": "zeno", "language": "grc"});
    assert_eq!(said, expected);

    // The key and the subscription last.
    server.kill();
    let server = start(&place.path(), port, &log);
    assert_eq!(ask(&server, "GET", "/push", None, &json!({})).await.json()["key"], key);
    let id = made["id"].as_str().expect("an id");
    let withdrawn = ask(&server, "DELETE", &format!("/challenges/{id}"), Some(one), &json!({})).await;
    assert_eq!(withdrawn.status, 204, "{withdrawn:?}");
    ask(&server, "POST", "/challenges", Some(one), &challenge).await;
    let request = got.recv().await.expect("the push service runs");
    assert_eq!(request.header("host"), format!("localhost:{port}"));
    assert!(server.terminate().await.success());
    let log = fs::read_to_string(&log).expect("a log");
    assert!(log.contains("lusoria") && !log.contains("the-secret-of-zeno"), "{log}");
}
