//! `lusoria play` against a server.

mod busy_proxy;
mod command;
mod lines;
mod lying_proxy;
mod matches;
mod outbox;
mod person;
mod proxy;
mod silent_server;
mod untrusted_servers;

use std::{net::SocketAddr, path::Path};

use lusoria::{config::Config, server::Server};
use lusoria_testkit::parsed;

/// A server with its database in that folder.
async fn server(folder: &Path) -> Server {
    server_with(folder, &[]).await
}

/// The same with these flags more.
async fn server_with(folder: &Path, flags: &[&str]) -> Server {
    let database = folder.join("lusoria.db");
    let database = database.to_str().expect("a path in UTF-8");
    let line = [
        "--listen",
        "127.0.0.1:0",
        "--database",
        database,
        "--shutdown-grace",
        "5",
        "--guest-requests-per-s",
        "100000",
        "--guest-burst",
        "100000",
        "--address-requests-per-s",
        "100000",
        "--address-burst",
        "100000",
    ];
    Server::start(&parsed::<Config>(&[&line, flags].concat())).await.expect("the server starts")
}

fn origin(address: SocketAddr) -> String {
    format!("http://{address}")
}

/// A short game of tablut: the king escapes with the eighth move.
const SHORT: [&str; 8] = ["i6-i7", "d5-d8", "i7-i6", "e5-d5", "i6-i7", "d5-d3", "i7-i6", "d3-a3"];

/// All files below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
