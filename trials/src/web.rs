//! The operations of the socket over plain HTTP: one request a connection, so that
//! nothing is hidden.

use std::{io, net::SocketAddr};

use lusoria_client::{AskError, Lost};
use lusoria_protocol::{Token, socket::Op};
use serde_json::{Value, value::RawValue};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::in_time::in_time;

/// Asks over HTTP what [`lusoria_client::Connection::ask`] asks over a socket; the
/// answer is the text that came.
///
/// # Errors
/// If the server refuses, or the connection breaks.
pub async fn ask(at: SocketAddr, token: Option<&Token>, op: &Op) -> Result<Box<RawValue>, AskError> {
    let request = request(at, token, op);
    let answered = in_time(async { Ok(exchange(at, &request).await.map_err(Lost::Unreachable)?) }).await?;
    // An answer that breaks off is none: the server went away in the midst of it.
    let cut_off = || Lost::Unreachable(io::ErrorKind::UnexpectedEof.into());
    let (status, body) = read(&answered).ok_or_else(cut_off)?;
    let unreadable = || Lost::Unreadable(format!("status {status} with {body:?}"));
    if status < 300 {
        let body = RawValue::from_string(body.to_owned()).map_err(|_| unreadable())?;
        return Ok(body);
    }
    Err(AskError::Problem(serde_json::from_str(body).map_err(|_| unreadable())?))
}

/// What a server says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// Why it cannot serve; none if it can.
    pub why_not: Option<String>,
    /// Commits that were missing when it started, at most so many.
    pub lost_commits: u64,
}

/// What the server answers to `GET /readyz`.
///
/// # Errors
/// If the connection breaks, or the answer is none.
pub async fn ready(at: SocketAddr) -> Result<Ready, AskError> {
    let request = format!("GET /readyz HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n\r\n");
    let answered = in_time(async { Ok(exchange(at, &request).await.map_err(Lost::Unreachable)?) }).await?;
    let cut_off = || Lost::Unreachable(io::ErrorKind::UnexpectedEof.into());
    let (status, body) = read(&answered).ok_or_else(cut_off)?;
    let said: Value = serde_json::from_str(body).map_err(|why| Lost::Unreadable(why.to_string()))?;
    let detail = said["detail"].as_str().unwrap_or_default();
    let why_not = (status != 200).then(|| detail.to_owned());
    Ok(Ready { why_not, lost_commits: said["lost_commits"].as_u64().unwrap_or(0) })
}

/// The text of a request.
fn request(at: SocketAddr, token: Option<&Token>, op: &Op) -> String {
    use std::fmt::Write;
    let mut fields = serde_json::to_value(lusoria_protocol::socket::ClientMessage { id: 0, op: op.clone() })
        .expect("wire types are plain data");
    let fields_of = fields.as_object_mut().expect("a request is an object");
    let mut take = |name: &str| fields_of.remove(name).and_then(|value| value.as_str().map(str::to_owned));
    let (name, of, key) = (take("op").unwrap_or_default(), take("match").unwrap_or_default(), take("key"));
    fields_of.remove("id");
    let (method, path) = place(&name, &of, &fields);
    let mut text = format!("{method} /api/v1{path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\n");
    if let Some(token) = token {
        let _ = write!(text, "authorization: Bearer {}\r\n", token.as_str());
    }
    if let Some(key) = key {
        let _ = write!(text, "idempotency-key: {key}\r\n");
    }
    if method == "GET" {
        text.push_str("\r\n");
    } else {
        let body = fields.to_string();
        let _ =
            write!(text, "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    }
    text
}

/// The method and the path of an operation.
fn place(name: &str, of: &str, fields: &Value) -> (&'static str, String) {
    match name {
        "guest" => ("POST", "/guests".to_owned()),
        "me" => ("GET", "/me".to_owned()),
        "rename" => ("PATCH", "/me".to_owned()),
        "device_code" => ("POST", "/me/device-code".to_owned()),
        "spend_device_code" => ("POST", "/device-codes/spend".to_owned()),
        "create" => ("POST", "/matches".to_owned()),
        "spend_invitation" => ("POST", "/invitations/spend".to_owned()),
        "invite" => ("POST", format!("/matches/{of}/invitation")),
        "snapshot" => ("GET", format!("/matches/{of}")),
        "record" => ("GET", format!("/matches/{of}/record")),
        "events" => {
            let limit = fields["limit"].as_u64().unwrap_or(100);
            ("GET", format!("/matches/{of}/events?since={}&limit={limit}", fields["since"]))
        }
        other => ("POST", format!("/matches/{of}/{other}")),
    }
}

async fn exchange(at: SocketAddr, request: &str) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(at).await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    if answer.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(answer) }
}

/// The status and the body of an answer; none if it is not whole.
fn read(bytes: &[u8]) -> Option<(u16, &str)> {
    let (head, body) = std::str::from_utf8(bytes).ok()?.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))?
        .1
        .trim();
    Some((status, body.get(..length.parse().ok()?)?))
}

#[cfg(test)]
mod tests {
    use lusoria_protocol::{
        MatchId,
        socket::{Op, TurnOf},
    };

    use super::*;

    #[test]
    fn an_operation_is_a_path_with_the_same_fields() {
        let id: MatchId = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f".parse().unwrap();
        let at = "127.0.0.1:1".parse().unwrap();
        let text = request(at, None, &Op::Turn(TurnOf { id, seq: 4, steps: Vec::new() }));
        assert!(text.starts_with(&format!("POST /api/v1/matches/{id}/turn HTTP/1.1\r\n")), "{text}");
        assert!(text.ends_with("\r\n\r\n{\"seq\":4,\"steps\":[]}"), "{text}");
    }

    #[test]
    fn an_answer_that_breaks_off_is_none() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(read(whole), Some((200, "{}")));
        assert_eq!(read(&whole[..whole.len() - 1]), None);
        assert_eq!(read(&whole[..20]), None);
    }
}
