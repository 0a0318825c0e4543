//! `lusoria play` against a server.

mod accounts;
mod busy_proxy;
mod command;
mod lines;
mod lying_proxy;
mod matches;
mod opponents;
mod outbox;
mod person;
mod place;
mod proxy;
mod silent_server;
mod untrusted_servers;

use std::{net::SocketAddr, path::Path};

use lusoria_terminal::{Goal, Terms, game};
use tokio::net::{TcpListener, TcpStream};

fn origin(address: SocketAddr) -> String {
    format!("http://{address}")
}

/// An address at which every connection is served by a task of its own.
async fn listens<F>(serve: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client));
        }
    });
    address
}

/// A short game of tablut: the king escapes with the eighth move.
const SHORT: [&str; 8] = ["i6-i7", "d5-d8", "i7-i6", "e5-d5", "i6-i7", "d5-d3", "i7-i6", "d3-a3"];

/// To make a match, of a single game.
fn create(name: &str, terms: Terms) -> Goal {
    Goal::Create(game(name).expect("a game"), Terms { points: 1, ..terms })
}

/// To play both sides of a game.
fn both(name: &str) -> Goal {
    create(name, Terms { both: true, ..Terms::default() })
}

/// To play the attackers of tablut in a match to so many points.
fn attackers(points: u16) -> Goal {
    let terms = Terms { side: Some("attackers".to_owned()), points, ..Terms::default() };
    Goal::Create(game("tablut").expect("a game"), terms)
}

/// All files below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// The word after that text.
fn word_after(seen: &str, text: &str) -> String {
    let (_, rest) = seen.split_once(text).expect("it was seen");
    rest.split_whitespace().next().expect("a word").trim_end_matches([':', '.', ',']).to_owned()
}
