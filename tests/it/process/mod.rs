//! The server as a process: killed, told to stop, started twice.

mod admin;
mod admin_accounts;
mod backup;
mod child;
mod databases;
mod departures;
mod failover;
mod moving;
mod nodes;
mod observed;
mod own_erasure;
mod pushes;
mod starting;
mod table;

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinSet};

use child::Process;
use table::Table;

use crate::support::{assert_sound, database::DatabasePlace};

/// Runs another command, which knows nothing of this process's variables.
fn lusoria(arguments: &[&str], database: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lusoria"));
    command.args(arguments).arg("--database").arg(database).env_clear().output().expect("the binary runs")
}

/// What a command says on standard output that does what it is told.
fn done(arguments: &[&str], database: &Path) -> String {
    let output = lusoria(arguments, database);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// What a command says on standard error that is refused.
fn refused(arguments: &[&str], database: &Path) -> String {
    let output = lusoria(arguments, database);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    said
}

/// A path as an argument.
fn name(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A place for a database, how it is named, and a server on that.
fn running() -> (DatabasePlace, PathBuf, Process) {
    let place = DatabasePlace::new();
    let database = place.path();
    let server = Process::start(&database);
    (place, database, server)
}

/// A folder, the database in it, and a server on that file.
fn running_on_a_file() -> (TempDir, PathBuf, Process) {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("lusoria.db");
    let server = Process::start(&database);
    (folder, database, server)
}

/// The record of a match, which is sound.
async fn sound_record(table: &Table, server: &Process) -> Value {
    let record = table.record(server.address()).await.expect("the server runs");
    assert_sound(&serde_json::from_value(record.clone()).expect("a record"));
    record
}

/// After how many acknowledged events the server is killed, or when the match has ended.
const KILLED_AT: [usize; 4] = [1, 10, 25, 40];

/// Promise 2: killing the process at any moment loses nothing that was acknowledged.
#[tokio::test]
async fn a_match_survives_that_its_server_is_killed() {
    let (_place, database, mut server) = running();
    let mut table = Table::new("zeno", server.address()).await.expect("the server runs");
    for killed_at in KILLED_AT {
        let (address, (acknowledged, mut so_far)) = (server.address(), watch::channel(0));
        let playing = async move {
            // Until the connection breaks, perhaps in the midst of an answer.
            while table.turn(address).await.is_ok_and(|played| played) {
                acknowledged.send_replace(table.acknowledged.len());
            }
            table
        };
        let killing = async {
            // There is nobody to tell any more once the match has ended.
            let _ = so_far.wait_for(|&count| count >= killed_at).await;
            server.kill();
        };
        (table, ()) = tokio::join!(playing, killing);

        server = Process::start(&database);
        table.assert_nothing_is_lost(server.address()).await;
        // A client that does not know whether its turn was taken sends it again.
        table.send_last_turn(server.address()).await.expect("the server runs");
        table.send_last_turn(server.address()).await.expect("the server runs");
    }
    while table.turn(server.address()).await.expect("the server runs") {}
    table.assert_nothing_is_lost(server.address()).await;
    let record = sound_record(&table, &server).await;
    assert!(!record["result"].is_null(), "the match was played to its end");
}

/// Promise 2, the dice: killing the server does not give a player another throw.
#[tokio::test]
async fn a_throw_survives_that_its_server_is_killed() {
    let (_place, database, mut server) = running();
    let mut table = Table::new("tabula", server.address()).await.expect("the server runs");
    for _ in 0..3 {
        let before = table.snapshot(server.address()).await.expect("the server runs");
        server.kill();
        server = Process::start(&database);
        let after = table.snapshot(server.address()).await.expect("the server runs");
        assert!(before["to_play"]["dice"].is_array());
        for field in ["seq", "dice", "seat", "side"] {
            assert_eq!(after["to_play"][field], before["to_play"][field], "{field}");
        }
        assert_eq!(after["position"], before["position"]);
        assert!(table.turn(server.address()).await.expect("the server runs"));
    }
}

#[tokio::test]
async fn a_server_that_is_told_to_stop_keeps_what_it_acknowledged() {
    let (_place, database, server) = running();
    let (address, (acknowledged, mut so_far)) = (server.address(), watch::channel(0));
    let mut tables = JoinSet::new();
    for game in ["zeno", "tavla", "scripta", "tabula", "tablut"] {
        let acknowledged = acknowledged.clone();
        tables.spawn(async move {
            let mut table = Table::new(game, address).await.expect("the server runs");
            while table.turn(address).await.is_ok_and(|played| played) {
                acknowledged.send_modify(|count| *count += 1);
            }
            table
        });
    }
    so_far.wait_for(|&count| count >= 40).await.expect("somebody plays");
    let status = server.terminate().await;
    assert_eq!(status.code(), Some(0), "{status}");
    let tables = tables.join_all().await;
    let server = Process::start(&database);
    for table in &tables {
        table.assert_nothing_is_lost(server.address()).await;
    }
}

/// The server does not wait for a client that sends no request, or never finishes one.
#[tokio::test]
async fn half_a_request_does_not_keep_a_server_from_stopping() {
    let (_place, _, server) = running();
    let half_a_head = "POST /api/v1/gue";
    let half_a_body = "POST /api/v1/guests HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{";
    let mut waiting = Vec::new();
    for half in ["", half_a_head, half_a_body] {
        let mut stream = TcpStream::connect(server.address()).expect("the server runs");
        stream.write_all(half.as_bytes()).expect("the server runs");
        waiting.push(stream);
    }
    // An answer shows that the server has accepted those that came before.
    assert!(Table::new("zeno", server.address()).await.is_ok());
    let told = Instant::now();
    assert_eq!(server.terminate().await.code(), Some(0));
    assert!(told.elapsed() < Duration::from_secs(8), "the grace is 10 s, this took {:?}", told.elapsed());
    let mut answer = String::new();
    waiting[2].read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("stopping"), "{answer}");
}

#[test]
fn two_servers_cannot_use_one_database() {
    let folder = TempDir::new().expect("a temporary folder");
    let database = folder.path().join("lusoria.db");
    let first = Process::start(&database);
    let Err(refused) = Process::try_start(&database) else { panic!("a second server has started") };
    assert_eq!(refused.status.code(), Some(2));
    assert!(refused.said.contains("another server is using"), "{}", refused.said);
    // The lock goes with the process, however it ends.
    first.kill();
    drop(Process::start(&database));
}

#[test]
fn the_health_of_a_server_can_be_asked() {
    let (_place, _, server) = running();
    let address = server.address().to_string();
    let health = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lusoria"));
        command.args(["health", "--listen", &address]).status().expect("the binary runs").code()
    };
    assert_eq!(health(), Some(0));
    server.kill();
    assert_ne!(health(), Some(0));
}
