//! A proxy that answers some requests as a busy server would.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{io::copy_bidirectional, net::TcpStream, sync::watch};
use tokio_tungstenite::{accept_async, client_async, tungstenite::Message};

use super::{listens, origin};

/// Somebody before a server who says that it cannot do something now.
pub(super) struct BusyProxy {
    address: SocketAddr,
    refused: watch::Sender<&'static [&'static str]>,
}

impl BusyProxy {
    /// Before that server; refuses these operations, and `http` for paths with these parts, until it can do them.
    pub(super) async fn before(server: SocketAddr, refused: &'static [&'static str]) -> Self {
        let refused = watch::Sender::new(refused);
        let told = refused.subscribe();
        let address = listens(move |client| pass(client, server, told.clone())).await;
        Self { address, refused }
    }

    /// Where it is.
    pub(super) fn origin(&self) -> String {
        origin(self.address)
    }

    /// Can do everything from now on.
    pub(super) fn has_time(&self) {
        self.refused.send_replace(&[]);
    }
}

/// Passes on the messages of a WebSocket, and everything else unchanged.
async fn pass(mut client: TcpStream, to: SocketAddr, refuses: watch::Receiver<&'static [&'static str]>) {
    let mut server = TcpStream::connect(to).await.expect("the server runs");
    let mut asked = [0; 1024];
    let Ok(length) = client.peek(&mut asked).await else { return };
    if !asked[..length].starts_with(b"GET /api/v1/socket ") {
        // The client may leave.
        let _ = copy_bidirectional(&mut client, &mut server).await;
        return;
    }
    let Ok(mut client) = accept_async(client).await else { return };
    let url = format!("ws://{to}/api/v1/socket");
    let (mut server, _) = client_async(url, server).await.expect("a socket");
    loop {
        let passed = tokio::select! {
            Some(Ok(asked)) = client.next() => {
                let refusal = refusal(&asked, *refuses.borrow());
                match refusal {
                    Some(refusal) => client.send(refusal).await,
                    None => server.send(asked).await,
                }
            }
            Some(Ok(said)) = server.next() => client.send(said).await,
            else => return,
        };
        if passed.is_err() {
            return;
        }
    }
}

/// The answer to a refused request.
fn refusal(asked: &Message, refused: &[&str]) -> Option<Message> {
    let asked: Value = serde_json::from_str(asked.to_text().ok()?).ok()?;
    let path = asked["path"].as_str().unwrap_or_default();
    if !refused.iter().any(|what| asked["op"] == **what || path.contains(what)) {
        return None;
    }
    let problem = json!({"type": "about:blank", "title": "The server cannot do this now", "status": 503,
        "code": "unavailable", "detail": "come back", "retry_after_s": 1});
    Some(Message::text(json!({"re": asked["id"], "error": problem}).to_string()))
}
