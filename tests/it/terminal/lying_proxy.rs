//! A lying server: an honest one behind a proxy that changes its messages.

use std::net::SocketAddr;

use lusoria_client::fetch;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::watch,
};

use super::{listens, origin};

/// What is lied about.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lie {
    /// Nothing.
    Nothing,
    /// What the server binds itself to.
    Commitment,
    /// The throws that are shown while one plays.
    Throws,
    /// Texts: each is said in place of another of the same length.
    Says(&'static [(&'static str, &'static str)]),
    /// The record.
    Record(fn(&mut Value)),
    /// The record does not come: this comes in its place.
    NoRecord(&'static str),
    /// The record is asked for, and nothing comes before another lie is told.
    Silence,
}

/// Somebody before a server who lies.
pub(super) struct LyingProxy {
    address: SocketAddr,
    lie: watch::Sender<Lie>,
}

impl LyingProxy {
    /// Before that server.
    pub(super) async fn before(server: SocketAddr, lie: Lie) -> Self {
        let lie = watch::Sender::new(lie);
        let lies = lie.subscribe();
        let address = listens(move |client| pass(client, server, lies.clone())).await;
        Self { address, lie }
    }

    /// Where it is.
    pub(super) fn origin(&self) -> String {
        origin(self.address)
    }

    /// Tells that lie from now on.
    pub(super) fn tells(&self, lie: Lie) {
        self.lie.send_replace(lie);
    }
}

async fn pass(mut client: TcpStream, to: SocketAddr, lies: watch::Receiver<Lie>) {
    let mut asked = vec![0; 16 * 1024];
    let Ok(length @ 1..) = client.read(&mut asked).await else { return };
    asked.truncate(length);
    let line = String::from_utf8_lossy(&asked).lines().next().unwrap_or_default().to_owned();
    let path = line.split(' ').nth(1).unwrap_or_default();
    if path.ends_with("/record") {
        let (mut lies, mut more) = (lies, [0; 64]);
        let (mut from_client, mut to_client) = client.split();
        tokio::select! {
            // The client has given it up.
            _ = from_client.read(&mut more) => {}
            present = async { lies.wait_for(|lie| !matches!(lie, Lie::Silence)).await.map(|lie| *lie) } => {
                let Ok(present) = present else { return };
                let answer = record(to, path, present).await;
                // The client may have gone.
                let _ = to_client.write_all(answer.as_bytes()).await;
            }
        }
        return;
    }
    let Ok(mut server) = TcpStream::connect(to).await else { return };
    if server.write_all(&asked).await.is_err() {
        return;
    }
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = tokio::io::copy(&mut from_client, &mut to_server);
    let down = async {
        let mut said = vec![0; 64 * 1024];
        while let Ok(length @ 1..) = from_server.read(&mut said).await {
            twist(&mut said[..length], *lies.borrow());
            if to_client.write_all(&said[..length]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        _ = up => {}
        () = down => {}
    }
}

/// The answer to a request for a record.
async fn record(server: SocketAddr, path: &str, lie: Lie) -> String {
    let good = |body: &str| {
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
    };
    match lie {
        Lie::NoRecord(answer) if answer.starts_with("HTTP") => answer.to_owned(),
        Lie::NoRecord(body) => good(body),
        Lie::Nothing | Lie::Commitment | Lie::Throws | Lie::Says(_) | Lie::Record(_) | Lie::Silence => {
            let bytes = fetch(&server.into(), path).await.expect("a record");
            let mut record = serde_json::from_slice(&bytes).expect("JSON");
            if let Lie::Record(change) = lie {
                change(&mut record);
            }
            good(&record.to_string())
        }
    }
}

/// Changes what is said, and not how long it is.
fn twist(said: &mut [u8], lie: Lie) {
    match lie {
        Lie::Commitment => each(said, b"\"commitment\":\"", |after| {
            after[0] = if after[0] == b'0' { b'1' } else { b'0' };
        }),
        Lie::Throws => each(said, b"\"opening_thrown\"", |after| {
            let Some(white) = find(after, b"\"white\":") else { return };
            // Of the opposite sides of a die.
            after[white] = b'0' + 7 - (after[white] - b'0');
        }),
        Lie::Says(texts) => {
            for (true_one, false_one) in texts {
                assert_eq!(true_one.len(), false_one.len());
                while let Some(end) = find(said, true_one.as_bytes()) {
                    said[end - true_one.len()..end].copy_from_slice(false_one.as_bytes());
                }
            }
        }
        Lie::Nothing | Lie::Record(_) | Lie::NoRecord(_) | Lie::Silence => {}
    }
}

/// Changes what follows after each such text.
fn each(mut said: &mut [u8], text: &[u8], change: impl Fn(&mut [u8])) {
    while let Some(end) = find(said, text) {
        said = &mut said[end..];
        change(said);
    }
}

/// Where the text ends.
fn find(said: &[u8], text: &[u8]) -> Option<usize> {
    said.windows(text.len()).position(|part| part == text).map(|at| at + text.len())
}
