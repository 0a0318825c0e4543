//! The WebSocket over a network: what only a network shows. What is said over it is
//! tested in `src/ws/tests`.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{Extension, Router};
use futures_util::{SinkExt, StreamExt};
use lusoria::{
    app::{App, ClientAddress, Connections},
    config::Config,
    ws,
};
use lusoria_testkit::parsed;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Error, Message, protocol::frame::coding::CloseCode},
};
use tokio_util::sync::CancellationToken;

use crate::support::{database, server};

type Client = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct World {
    address: SocketAddr,
    app: Arc<App>,
    stopping: CancellationToken,
}

impl World {
    async fn with(flags: &[&str]) -> Self {
        let limits = parsed::<Config>(flags).limits;
        let app = server::app(database::store(), 1_700_000_000_000, 0, &limits).await;
        let app = app.expect("the store starts");
        let stopping = CancellationToken::new();
        let router = Router::new()
            .route("/api/v1/socket", ws::route(&app, Router::new(), &limits, &Connections::until(&stopping)))
            .layer(Extension(ClientAddress([192, 0, 2, 1].into())));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound listener");
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, app, stopping }
    }

    async fn connect(&self) -> Result<Client, Error> {
        Ok(connect_async(format!("ws://{}/api/v1/socket", self.address)).await?.0)
    }

    async fn watcher(&self) -> Client {
        let mut client = self.connect().await.expect("a socket");
        let hello = ask(&mut client, &json!({"id": 1, "op": "hello"})).await;
        assert!(hello["ok"]["server_time"].is_u64(), "{hello}");
        client
    }
}

async fn ask(client: &mut Client, request: &Value) -> Value {
    client.send(Message::Text(request.to_string().into())).await.expect("an open socket");
    match client.next().await {
        Some(Ok(Message::Text(text))) => serde_json::from_str(&text).expect("JSON"),
        other => panic!("{other:?}"),
    }
}

async fn close_code(client: &mut Client) -> CloseCode {
    match client.next().await {
        Some(Ok(Message::Close(Some(frame)))) => frame.code,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_invalid_frame_closes_the_socket_with_its_code() {
    let world = World::with(&[]).await;
    let long = "x".repeat(17 * 1024 + 1);
    for (frame, code) in [
        (Message::Binary(vec![1].into()), CloseCode::Unsupported),
        (Message::Text(long.into()), CloseCode::Size),
    ] {
        let mut client = world.watcher().await;
        client.send(frame).await.expect("an open socket");
        assert_eq!(close_code(&mut client).await, code);
    }
}

#[tokio::test]
async fn a_server_that_stops_says_so_and_waits_until_all_have_left() {
    let world = World::with(&[]).await;
    let mut client = world.watcher().await;
    world.stopping.cancel();
    assert_eq!(close_code(&mut client).await, CloseCode::Restart);
    assert!(client.next().await.is_none_or(|after| after.is_err()), "nothing follows the farewell");
    world.app.streams_ended().await;
    match world.connect().await {
        Err(Error::Http(refused)) => assert_eq!(refused.status(), 503),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_address_has_only_so_many_sockets() {
    let world = World::with(&["--sockets-per-address", "2"]).await;
    let (first, _second) = (world.watcher().await, world.watcher().await);
    match world.connect().await {
        Err(Error::Http(refused)) => {
            assert_eq!(refused.status(), 503);
            let problem: Value =
                serde_json::from_slice(refused.body().as_deref().unwrap_or_default()).unwrap();
            assert_eq!((&problem["code"], &problem["limit"]), (&json!("too_many_connections"), &json!(2)));
        }
        other => panic!("{other:?}"),
    }
    drop(first);
    // The server sees the end of the connection when the network tells it.
    let again = async {
        while world.connect().await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), again).await.expect("room after one has left");
}

#[tokio::test]
async fn a_request_that_does_not_ask_for_a_socket_is_refused_with_a_problem() {
    let world = World::with(&[]).await;
    let mut stream = TcpStream::connect(world.address).await.expect("a listening server");
    let request = "GET /api/v1/socket HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("an open connection");
    let mut response = String::new();
    stream.read_to_string(&mut response).await.expect("an answer");
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    assert!(response.contains("content-type: application/problem+json"), "{response}");
    assert!(response.contains(r#""code":"invalid_header""#), "{response}");
}
