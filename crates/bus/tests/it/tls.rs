//! TLS with a private certificate authority.

use std::path::Path;

use lusoria_bus::{Bus, NatsBus, NatsOptions};
use lusoria_services::{authority::Authority, nats::Nats};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::support::{CLUSTER, Log, options, until};

fn server(authority: &Authority) -> Nats {
    let file = |name: &str| shown(&authority.file(name));
    let (certificate, key, authority) = (file("server.pem"), file("server.key"), file("authority.pem"));
    let files = format!("cert_file: {certificate}, key_file: {key}, ca_file: {authority}");
    Nats::start(&format!("tls {{ {files}, verify: true }}")).unwrap()
}

fn shown(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

/// Waits for the log line that says why it cannot connect.
async fn complaint(options: NatsOptions) -> String {
    let (log, _guard) = Log::kept();
    let bus = NatsBus::start(options, CLUSTER).unwrap();
    until(|| !log.with("cannot connect to NATS").is_empty()).await;
    assert!(!bus.is_connected());
    log.with("cannot connect to NATS").remove(0)
}

#[tokio::test]
async fn both_sides_prove_who_they_are() {
    let authority = Authority::new().unwrap();
    let server = server(&authority);
    let mut options = options(&server.url());
    options.authority = Some(authority.file("authority.pem"));
    options.certificate = Some((authority.file("client.pem"), authority.file("client.key")));
    let bus = NatsBus::start(options.clone(), CLUSTER).unwrap();
    bus.settled().await;
    assert!(bus.is_connected());

    let other = Authority::new().unwrap();
    options.authority = Some(other.file("authority.pem"));
    let line = complaint(options.clone()).await;
    assert!(line.contains("invalid peer certificate"), "{line}");

    options.authority = Some(authority.file("authority.pem"));
    options.certificate = None;
    let line = complaint(options).await;
    assert!(line.contains("fatal alert"), "NATS asks for a certificate: {line}");
}

#[tokio::test]
async fn nothing_is_sent_in_the_clear_where_tls_is_required() {
    const HANDSHAKE: u8 = 0x16;
    let authority = Authority::new().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut options = options(&format!("nats://ann:s3cret@127.0.0.1:{port}"));
    options.authority = Some(authority.file("authority.pem"));
    let _bus = NatsBus::start(options, CLUSTER).unwrap();
    let (mut stream, _) = listener.accept().await.unwrap();
    // A server that requires a password and offers no TLS.
    let info = r#"{"server_id":"x","server_name":"x","version":"2.9.10","go":"","host":"","port":1,
        "headers":true,"auth_required":true,"max_payload":1048576,"proto":1,"client_id":1}"#;
    stream.write_all(format!("INFO {}\r\n", info.replace('\n', "")).as_bytes()).await.unwrap();
    let mut said = [0; 4096];
    let read = stream.read(&mut said).await.unwrap();
    assert!(read > 0 && said[0] == HANDSHAKE, "{:?}", String::from_utf8_lossy(&said[..read]));
}
