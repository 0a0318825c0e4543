//! A server for tests that answers as it is told.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A server that does on each of its connections, one after the other, what it is told: to wait for a
/// request and write this. It closes each one after that, or when the client does.
pub(super) async fn server(connections: Vec<Vec<&'static [u8]>>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    tokio::spawn(async move {
        for answers in connections {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            for answer in answers {
                if !await_request(&mut stream).await {
                    break;
                }
                stream.write_all(answer).await.expect("a client that reads");
            }
        }
    });
    address
}

/// Whether one has come. The client may have closed the connection.
async fn await_request(stream: &mut TcpStream) -> bool {
    stream.read(&mut [0; 1024]).await.is_ok_and(|bytes| bytes > 0)
}
