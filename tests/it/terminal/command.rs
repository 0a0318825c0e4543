//! `lusoria play` as a process of its own, driven by a pipe.

use std::{
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::Arc,
};

use tokio::{io::copy_bidirectional, net::TcpStream, task::block_in_place};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    },
};

use super::{
    SHORT, listens,
    lying_proxy::{Lie, LyingProxy},
    origin,
    place::Place,
    untrusted_servers::another_throw,
};

pub(super) fn play(folder: &Path, arguments: &[&str], typed: &str) -> Output {
    play_trusting("ca.pem", folder, arguments, typed)
}

fn play_trusting(trusted: &str, folder: &Path, arguments: &[&str], typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .arg("play")
        .args(arguments)
        .env_clear()
        .env("XDG_CONFIG_HOME", folder)
        .env("SSL_CERT_FILE", tls(trusted))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // One who has been sent away does not read.
    let _ = child.stdin.take().expect("it is piped").write_all(typed.as_bytes());
    block_in_place(|| child.wait_with_output()).expect("it ends")
}

pub(super) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A server's certificate for `localhost`, its key, and the authority that vouches for it; one
/// that vouches for itself alone, for `elsewhere.example`: for these tests and nothing else.
fn tls(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/terminal/tls").join(name)
}

/// A door before a server that speaks TLS, as a proxy does, and shows that certificate.
async fn door_with_tls(to: SocketAddr, shows: &str) -> SocketAddr {
    let certificates = CertificateDer::pem_file_iter(tls(&format!("{shows}.pem"))).expect("a file");
    let certificates = certificates.collect::<Result<_, _>>().expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(tls(&format!("{shows}.key"))).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("known versions")
        .with_no_client_auth()
        .with_single_cert(certificates, key)
        .expect("the key fits");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    listens(move |client| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(mut client) = acceptor.accept(client).await else { return };
            let mut server = TcpStream::connect(to).await.expect("the server runs");
            // The client may leave.
            let _ = copy_bidirectional(&mut client, &mut server).await;
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_plays_both_sides_under_tls() {
    let place = Place::new().await;
    let door = door_with_tls(place.address(), "server").await;
    let typed = format!("wait\n{}\n", SHORT.join("\nwait\n"));
    let record = place.folder().join("record.json");
    let typed = format!("{typed}wait\nrecord {}\n", record.display());
    let at = format!("https://localhost:{}", door.port());
    let arguments = [at.as_str(), "--name", "Zeno", "--create", "tablut", "--both", "--ascii"];
    let output = play(place.folder(), &arguments, &typed);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    for text in ["the king has escaped", "Checked: 8 turns", "record.json: "] {
        assert!(said.contains(text), "{text} is missing in:\n{said}");
    }
    assert!(said.is_ascii() && !said.contains('\u{1b}'), "{said}");
    let record = record.to_str().expect("a path in UTF-8");
    let judged = Command::new(env!("CARGO_BIN_EXE_lusoria")).args(["replay", record]).output();
    assert!(judged.expect("the binary runs").status.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_refuses_a_server_that_it_does_not_trust() {
    let place = Place::new().await;
    let here = door_with_tls(place.address(), "server").await;
    let elsewhere = door_with_tls(place.address(), "elsewhere").await;
    let secret = |address| origin(address).replace("http://", "https://");
    for (at, trusted, why) in [
        // The same server, and a client that trusts its certificate authority.
        (here, "ca.pem", None),
        (here, "elsewhere.pem", Some("invalid peer certificate: UnknownIssuer")),
        (elsewhere, "elsewhere.pem", Some("certificate not valid for name \"127.0.0.1\"")),
        (place.address(), "ca.pem", Some("received corrupt message")),
    ] {
        let output = play_trusting(trusted, place.folder(), &[&secret(at)], "quit\n");
        let said = said(&output);
        match why {
            None => assert!(output.status.success(), "{said}"),
            Some(why) => {
                assert_eq!(output.status.code(), Some(1), "{said}");
                assert!(said.contains("no connection: ") && said.contains(why), "{said}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_says_which_server_is_meant() {
    let place = Place::new().await;
    let at = place.origin();
    let id = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
    for arguments in [
        &["--join", &format!("{at}/join#q7Zb3xkP0mXh5V2r8tWc1A")][..],
        &["--watch", &format!("{at}/match/{id}")],
        &[&at, "--watch", &format!("{at}/match/{id}")],
        &[&at, "--watch", id],
    ] {
        let output = play(place.folder(), arguments, "quit\n");
        let said = said(&output);
        // There is no such door at that server.
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&format!("At {at} as ")) && said.contains("\nNo: "), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_ends_when_its_goal_is_refused() {
    let place = Place::new().await;
    let at = place.origin();
    let id = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
    for (arguments, code, why) in [
        (&["--join", "q7Zb3xkP0mXh5V2r8tWc1A"][..], 1, "No: "),
        (&["--join", id], 1, "No: "),
        (&["--watch", id], 1, "No: "),
        (&["--resume"], 1, "You have no matches."),
        (&["--create", "tavla", "--computer", "9"], 2, "levels of the computer are 1 to 5"),
        (&["--create", "tavla", "--points", "100"], 2, "1 to 99 points"),
        (&["--create", "tavla", "--side", "defenders"], 2, "has no side"),
        (&["--create", "tavla", "--clock", "soon"], 2, "is not a clock"),
        (&["--create", "tavla", "--option", "shift=die"], 2, "has no option"),
    ] {
        // A guest is made where one can be, and not for what makes no sense.
        let keeps = tempfile::tempdir().expect("a folder");
        let line = [&[at.as_str()], arguments].concat();
        let output = play(keeps.path(), &line, "24/18 13/8\nboard\n");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(why) && !said.contains("You are in the lobby"), "{arguments:?}: {said}");
        let kept = std::fs::read_dir(keeps.path()).expect("a folder").count();
        assert_eq!(kept == 0, code == 2, "{arguments:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_exit_code_tells_the_result_even_if_the_output_is_closed() {
    let place = Place::new().await;
    let lying = LyingProxy::before(place.address(), Lie::Silence).await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .args(["play", &lying.origin(), "--create", "tavla", "--both"])
        .env_clear()
        .env("XDG_CONFIG_HOME", place.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut typed = child.stdin.take().expect("it is piped");
    typed.write_all(b"wait\nresign\nyes\nwait\n").expect("it reads");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let is_over =
        |line: std::io::Result<String>| line.is_ok_and(|line| line.starts_with("The match is over"));
    // Taking the lines ends the reader.
    let any_is_over = move |mut lines: std::io::Lines<_>| lines.any(is_over);
    assert!(block_in_place(|| any_is_over(lines)), "it is played to its end");
    lying.tells(Lie::Record(another_throw));
    drop(typed);
    assert_eq!(block_in_place(|| child.wait()).expect("it ends").code(), Some(1));
}

#[test]
fn invalid_flags_end_with_2_and_a_lost_server_with_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let damaged = folder.path().join("damaged.json");
    std::fs::write(&damaged, "{\"server\": 7}").expect("room");
    let damaged = damaged.to_str().expect("a path in UTF-8");
    let id = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";
    for arguments in [
        vec!["localhost"],
        vec!["http://127.0.0.1:1/rules"],
        vec!["http://127.0.0.1:1", "--create", "chess"],
        vec!["http://127.0.0.1:1", "--both"],
        vec!["http://127.0.0.1:1", "--create", "tavla", "--both", "--invite"],
        vec!["http://127.0.0.1:1", "--as", "../me"],
        vec!["http://127.0.0.1:1", "--name", ""],
        vec!["http://127.0.0.1:1", "--guest", damaged],
        vec!["http://127.0.0.1:1", "--join", "ü"],
        vec!["http://127.0.0.1:1/match/0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "--watch", id],
        vec!["http://127.0.0.1:1", "--join", "http://127.0.0.1:2/join#q7Zb3xkP0mXh5V2r8tWc1A"],
        vec![
            "http://127.0.0.1:1",
            "--watch",
            "https://127.0.0.1:1/match/0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f",
        ],
    ] {
        let output = play(folder.path(), &arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let nobody = origin(listener.local_addr().expect("a bound port"));
    drop(listener);
    let output = play(folder.path(), &[nobody.as_str()], "");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("no connection"), "{}", said(&output));
    let kept = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(kept, 1, "nothing is kept of who never was a guest");
}
