//! A client that reads a stream of lines slowly: line by line, and nothing ahead.

use std::{future::pending, io, time::Duration};

use lusoria_protocol::MatchId;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use super::reader::ReaderResult;

/// Reads a match from its first event until the server closes the connection.
pub(super) async fn read(
    fared: &mut ReaderResult,
    stream: &mut TcpStream,
    id: MatchId,
    pause: Option<Duration>,
) -> io::Result<()> {
    let ask = format!(
        "GET /api/v1/matches/{id}/events HTTP/1.0\r\nhost: x\r\naccept: application/x-ndjson\r\n\r\n"
    );
    stream.write_all(ask.as_bytes()).await?;
    let Some(pause) = pause else { return pending().await };
    while !line(stream).await?.trim_ascii().is_empty() {}
    loop {
        let line = line(stream).await?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let event: Value = serde_json::from_slice(&line)?;
        fared.take(event["seq"].as_u64().unwrap_or(0))?;
        sleep(pause).await;
    }
}

/// The next line, byte by byte: nothing after it is read.
async fn line(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let byte = stream.read_u8().await?;
        line.push(byte);
        if byte == b'\n' {
            return Ok(line);
        }
    }
}
