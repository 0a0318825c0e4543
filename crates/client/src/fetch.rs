//! One request by plain HTTP, for answers that are too long for the socket.

use std::{pin::Pin, time::Duration};

use hyper::{
    Request, StatusCode,
    body::{Body, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use tokio::time::timeout;

use super::{Lost, Origin, stream::Stream};

/// The longest answer that is read, in bytes: the record of a series of a hundred long games
/// is shorter.
const BYTES_MAX: usize = 64 << 20;

/// How long the whole of it may take.
const WITHIN: Duration = Duration::from_mins(2);

/// What `GET path` answers with a good status.
///
/// # Errors
/// If nobody answers, or not well, or too much.
pub async fn fetch(origin: &Origin, path: &str) -> Result<Vec<u8>, Lost> {
    timeout(WITHIN, get(origin, path)).await.map_err(|_| Lost::Unanswered)?
}

async fn get(origin: &Origin, path: &str) -> Result<Vec<u8>, Lost> {
    let unreadable = |why: hyper::Error| Lost::Unreadable(why.to_string());
    let stream = Stream::dial_any(origin).await.map_err(Lost::Unreachable)?;
    let (mut asker, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(unreadable)?;
    let request = Request::get(path)
        .header("host", origin.authority())
        .body(String::new())
        .map_err(|why| Lost::Unreadable(why.to_string()))?;
    // It ends when the asker is gone.
    let driving = tokio::spawn(connection);
    let response = asker.send_request(request).await.map_err(unreadable)?;
    if response.status() != StatusCode::OK {
        return Err(Lost::Refused { status: response.status().as_u16(), retry_after_s: None });
    }
    let bytes = read(response.into_body()).await;
    driving.abort();
    bytes
}

async fn read(mut body: Incoming) -> Result<Vec<u8>, Lost> {
    let mut bytes = Vec::new();
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let frame = frame.map_err(|why| Lost::Unreadable(why.to_string()))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > BYTES_MAX {
            return Err(Lost::Unreadable(format!("an answer of more than {BYTES_MAX} bytes")));
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
