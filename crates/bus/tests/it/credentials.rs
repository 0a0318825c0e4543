//! Credentials for NATS.

use lusoria_bus::{Bus, NatsBus};
use lusoria_services::nats::Nats;

use crate::support::{CLUSTER, Log, node, options, until};

const PASSWORD: &str = "authorization { user: ann, password: s3cret }";

#[tokio::test]
async fn a_wrong_password_is_named_once_and_tried_again() {
    let mut server = Nats::start(PASSWORD).unwrap();
    let (log, _guard) = Log::kept();
    let bus = node(&format!("nats://ann:wr0ng@127.0.0.1:{}", server.port()));
    let refusals = |server: &Nats| server.log().unwrap().matches("authentication error").count();
    until(|| refusals(&server) >= 3).await;
    assert!(!bus.is_connected());
    let lines = log.with("NATS refuses");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("the user and password in its address"), "{lines:?}");
    assert!(lines[0].contains(&server.url()), "{lines:?}");
    assert_eq!(log.with("ERROR").len(), 1, "nothing else complains: {:?}", log.with("ERROR"));

    server.kill().unwrap();
    server.set_settings(&PASSWORD.replace("s3cret", "wr0ng"));
    server.start_again().unwrap();
    bus.settled().await;
    assert!(bus.is_connected());
    assert_eq!(log.with("wr0ng"), [""; 0], "the password is never logged");
}

#[tokio::test]
async fn a_password_and_a_token_open() {
    let server = Nats::start(PASSWORD).unwrap();
    let bus = node(&format!("nats://ann:s3cret@127.0.0.1:{}", server.port()));
    bus.settled().await;
    assert!(bus.is_connected());
    let server = Nats::start("authorization { token: \"a token\" }").unwrap();
    let bus = node(&format!("nats://a%20token@127.0.0.1:{}", server.port()));
    bus.settled().await;
    assert!(bus.is_connected());
}

#[tokio::test]
async fn a_file_without_credentials_is_named() {
    let server = Nats::start("").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("node.creds");
    let mut options = options(&server.url());
    options.credentials_file = Some(path.clone());
    let missing = NatsBus::start(options.clone(), CLUSTER).unwrap_err().to_string();
    assert!(missing.starts_with(&format!("cannot read the credentials of NATS in {}: ", path.display())));
    std::fs::write(&path, "s3cret").unwrap();
    let (log, _guard) = Log::kept();
    let bus = NatsBus::start(options, CLUSTER).unwrap();
    until(|| !log.with("cannot connect to NATS").is_empty()).await;
    assert!(!bus.is_connected());
    let line = &log.with("cannot connect to NATS")[0];
    assert!(line.contains("the credentials file"), "{line}");
    assert!(!line.contains("s3cret"), "{line}");
}
