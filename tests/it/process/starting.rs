//! A server that cannot start: what it has touched by then, and whether it is worth while to
//! start it again.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use tempfile::TempDir;

use super::{child::listens_on, lusoria};
use crate::golden::{packed, unpacked};

/// What a start ends with that may succeed later (`EX_TEMPFAIL`).
const MAY_PASS: i32 = 75;

/// An address of documentation's (RFC 5737): no machine has it.
const NOBODYS: &str = "192.0.2.1:8080";

/// A database as an earlier server left it.
fn old_database(path: &Path) -> Vec<u8> {
    let bytes = unpacked(&packed()[0].join("lusoria.db.gz"));
    fs::write(path, &bytes).expect("room");
    bytes
}

#[test]
fn an_address_that_cannot_be_had_is_found_before_the_database_is_touched() {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("lusoria.db");
    let before = old_database(&database);
    let held = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = held.local_addr().expect("it is bound").to_string();
    for (listen, metrics, refused) in [
        (taken.as_str(), "127.0.0.1:0", taken.as_str()),
        ("127.0.0.1:0", taken.as_str(), taken.as_str()),
        (NOBODYS, "127.0.0.1:0", NOBODYS),
    ] {
        let output = lusoria(&["serve", "--listen", listen, "--metrics-listen", metrics], &database);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(MAY_PASS), "{said}");
        assert!(said.starts_with(&format!("lusoria: cannot listen on {refused}: ")), "{said}");
        assert!(fs::read(&database).expect("a file") == before, "the database was changed");
        let files = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(files, 1, "nothing was made beside it");
    }
}

/// A server that listens at the address and waits for its database, which the lock keeps from it.
fn waiting_for(database: &Path) -> (File, Child, SocketAddr) {
    let lock = File::create(database.with_extension("db-lock")).expect("room");
    lock.lock().expect("nobody else has it");
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it is bound");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lusoria"))
        .args(["serve", "--listen", &free.to_string(), "--log", "error", "--database"])
        .arg(database)
        .env_clear()
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // It listens before it has the database.
    while TcpStream::connect(free).is_err() {
        assert_eq!(child.try_wait().expect("it was started here"), None, "it has ended");
        thread::yield_now();
    }
    (lock, child, free)
}

/// A command that works on the database while no server runs is soon done: a server that is
/// started meanwhile waits for it.
#[test]
fn a_server_waits_for_a_command_that_has_its_database() {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("lusoria.db");
    let (lock, mut child, free) = waiting_for(&database);
    assert!(!database.exists());
    drop(lock);
    let listens = listens_on(&mut child);
    child.kill().expect("it was started here");
    child.wait().expect("it was started here");
    assert_eq!(listens, Some(free));
}

/// A service that is stopped while it starts must not hold up the machine.
#[cfg(unix)]
#[test]
fn a_server_that_is_stopped_while_it_starts_ends_in_order() {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("lusoria.db");
    let before = old_database(&database);
    // So that it does not come to the database before the signal.
    let (_lock, mut child, _) = waiting_for(&database);
    let id = child.id().to_string();
    let sent = Command::new("sh").args(["-c", "kill -TERM \"$0\"", &id]).status().expect("a shell");
    assert!(sent.success());
    let status = child.wait().expect("it was started here");
    assert_eq!(status.code(), Some(0));
    assert!(fs::read(&database).expect("a file") == before, "the database was changed");
}
