//! A client that reads a WebSocket slowly: frame by frame, and nothing ahead.

use std::{future::pending, io, time::Duration};

use lusoria_protocol::MatchId;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{Instant, sleep},
};

use super::reader::{Reader, ReaderResult};
use crate::hostile::wire::{Frame, UPGRADE, frame, text};

/// How often a reader with requests sends one.
const ASKS_EVERY: Duration = Duration::from_secs(10);

/// Reads a match from its first event until the server closes the connection.
pub(super) async fn read(
    fared: &mut ReaderResult,
    stream: &mut TcpStream,
    id: MatchId,
    reader: Reader,
) -> io::Result<()> {
    stream.write_all(UPGRADE).await?;
    while stream.read_u8().await? != b'\n' || stream.read_u8().await? != b'\r' {}
    stream.read_u8().await?;
    stream.write_all(&text(r#"{"id":1,"op":"hello"}"#)).await?;
    stream.write_all(&text(&format!(r#"{{"id":2,"op":"watch","match":"{id}","since":0}}"#))).await?;
    let Some(pause) = reader.pause else { return pending().await };
    let mut asked: Option<Instant> = None;
    let mut answered_at = Instant::now();
    loop {
        if reader.asks && asked.is_none() && answered_at.elapsed() >= ASKS_EVERY {
            stream.write_all(&text(r#"{"id":3,"op":"ping"}"#)).await?;
            asked = Some(Instant::now());
        }
        let (kind, payload) = next(stream).await?;
        match kind {
            1 => {
                let message: Value = serde_json::from_slice(&payload)?;
                if let Some(seq) = message["seq"].as_u64() {
                    fared.take(seq)?;
                } else if message["re"] == 3 {
                    let waited = asked.take().map(|asked| asked.elapsed());
                    fared.answered_within = fared.answered_within.max(waited);
                    answered_at = Instant::now();
                }
                sleep(pause).await;
            }
            8 => {
                let code = payload.first_chunk().map_or(1005, |code| u16::from_be_bytes(*code));
                return Err(io::Error::other(format!("close code {code}")));
            }
            9 => stream.write_all(&frame(Frame::Pong, true, &payload)).await?,
            _ => {}
        }
    }
}

/// The next frame: its kind and its payload.
async fn next(stream: &mut TcpStream) -> io::Result<(u8, Vec<u8>)> {
    let (kind, short) = (stream.read_u8().await?, stream.read_u8().await?);
    let length = match short & 0x7f {
        126 => stream.read_u16().await?.into(),
        127 => stream.read_u64().await?,
        short => short.into(),
    };
    let mut payload = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    stream.read_exact(&mut payload).await?;
    Ok((kind & 0x0f, payload))
}
