//! A connection on which nothing comes any more.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use lusoria_client::{ConnectionError, Link, LinkEvent};
use serde_json::json;
use tokio::{
    net::TcpListener,
    time::{Instant, timeout},
};
use tokio_tungstenite::{accept_async, tungstenite::Message};

/// Greets a client, tells the time once, and then keeps the connection open and says nothing.
async fn falls_silent(listener: TcpListener) {
    loop {
        let (stream, _) = listener.accept().await.expect("somebody comes");
        let mut socket = accept_async(stream).await.expect("a socket");
        let _hello = socket.next().await.expect("a message").expect("it is whole");
        let limits = json!({"message_bytes_max": 1, "watches_max": 1, "messages_per_second": 1,
            "messages_burst": 1});
        let history = "0190a6c2-7b1e-4cc3-98c4-dc0c0c07398f";
        let hello = json!({"re": 1, "ok": {"server_time": 1, "limits": limits, "history": history}});
        socket.send(Message::text(hello.to_string())).await.expect("the client listens");
        let time = json!({"notice": "time", "server_time": 1});
        socket.send(Message::text(time.to_string())).await.expect("the client listens");
        // Until the client has gone.
        tokio::spawn(async move { while let Some(Ok(_)) = socket.next().await {} });
    }
}

#[tokio::test]
async fn a_silent_connection_is_given_up_and_opened_anew() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let at = listener.local_addr().expect("a bound port");
    let server = tokio::spawn(falls_silent(listener));
    let (mut link, _) = Link::open(at.into(), None).await.expect("a line");
    let spoke_last = Instant::now();
    assert!(matches!(link.receive().await, Ok(LinkEvent::Notice(_))));
    tokio::time::pause();
    let patience = Duration::from_mins(1);
    let lost = timeout(patience, link.receive()).await.expect("it is given up").expect("it comes back");
    assert!(matches!(lost, LinkEvent::Lost(ConnectionError::Unanswered)), "{lost:?}");
    assert!(spoke_last.elapsed() >= Duration::from_secs(45));
    tokio::time::resume();
    assert!(matches!(link.receive().await, Ok(LinkEvent::Back)));
    link.close().await;
    server.abort();
}
