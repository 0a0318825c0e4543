//! A test server that follows a script.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A server that follows a script on each of its connections, one after the other: it waits for a request and
/// writes these bytes. It closes each connection after that, or when the client does.
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

/// Whether a request has arrived. The client may have closed the connection.
async fn await_request(stream: &mut TcpStream) -> bool {
    stream.read(&mut [0; 1024]).await.is_ok_and(|bytes| bytes > 0)
}
