//! The operations of the socket over plain HTTP.

use std::net::SocketAddr;

use lusoria_client::{ConnectionError, HttpAnswer, HttpRequest, RequestError};
use lusoria_protocol::{
    ForMatch, Keyed, Token,
    socket::{ApiRequest, Op},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, value::RawValue};

use crate::in_time::in_time;

/// Sends over HTTP what [`lusoria_client::Connection::ask`] sends over a socket. Returns the text of the
/// response.
///
/// # Errors
/// If the server refuses, or the connection breaks.
pub async fn ask(at: SocketAddr, token: Option<&Token>, op: &Op) -> Result<Box<RawValue>, RequestError> {
    let HttpAnswer { status, body } = send(at, &request(token, op)).await?;
    let unreadable =
        || ConnectionError::Unreadable(format!("status {status} with {}", String::from_utf8_lossy(&body)));
    if status < 300 {
        return Ok(serde_json::from_slice(&body).map_err(|_| unreadable())?);
    }
    Err(RequestError::Problem(serde_json::from_slice(&body).map_err(|_| unreadable())?))
}

/// Sends a request and parses the response.
///
/// # Errors
/// If the server refuses, the connection breaks, or the response does not have the expected form.
pub async fn call<T: DeserializeOwned>(at: SocketAddr, request: &HttpRequest<'_>) -> Result<T, RequestError> {
    send(at, request).await?.read()
}

/// The readiness of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// Why it is not ready; none if it is.
    pub why_not: Option<String>,
    /// The greatest number of commits that can have been missing when it started.
    pub lost_commits: u64,
}

/// The response to `GET /readyz`.
///
/// # Errors
/// If the connection breaks, or the response cannot be parsed.
pub async fn ready(at: SocketAddr) -> Result<Ready, RequestError> {
    let HttpAnswer { status, body } = send(at, &HttpRequest::get("/readyz")).await?;
    let said: Value =
        serde_json::from_slice(&body).map_err(|why| ConnectionError::Unreadable(why.to_string()))?;
    let detail = said["detail"].as_str().unwrap_or_default();
    let why_not = (status != 200).then(|| detail.to_owned());
    Ok(Ready { why_not, lost_commits: said["lost_commits"].as_u64().unwrap_or(0) })
}

async fn send(at: SocketAddr, request: &HttpRequest<'_>) -> Result<HttpAnswer, RequestError> {
    in_time(async { Ok(request.send(&at.into()).await?) }).await
}

/// The request for an operation that HTTP has too.
fn request<'a>(token: Option<&'a Token>, op: &Op) -> HttpRequest<'a> {
    let asked = match op {
        Op::Http(request) => request.clone(),
        Op::Command(ForMatch { id, request: Keyed { key, request: command } }) => {
            ApiRequest::post(&format!("/matches/{id}/{}", command.name()), command).under(key.clone())
        }
        of_connection => unreachable!("a trial asks for {} over a socket only", of_connection.name()),
    };
    let ApiRequest { method, path, key, body } = asked;
    let json = body.map_or_else(String::new, |body| body.get().to_owned());
    HttpRequest { method: method.as_str(), path, token, key: key.map(|key| key.as_str().to_owned()), json }
}

#[cfg(test)]
mod tests {
    use lusoria_protocol::{MatchId, PlayTurn, socket::Op};

    use super::*;

    #[test]
    fn an_operation_is_a_path_with_the_same_fields() {
        let id: MatchId = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f".parse().unwrap();
        let request = request(None, &Op::command(id, None, PlayTurn { seq: 4, steps: Vec::new() }));
        assert_eq!((request.method, request.path), ("POST", format!("/api/v1/matches/{id}/turn")));
        assert_eq!(request.json, r#"{"seq":4,"steps":[]}"#);
    }

    #[tokio::test]
    async fn an_incomplete_response_is_a_lost_connection() {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        for cut in [0, 1, 18] {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let at = listener.local_addr().unwrap();
            let answering = async {
                let (mut stream, _) = listener.accept().await.unwrap();
                let read = stream.read(&mut [0; 1024]).await.unwrap();
                assert!(read > 0, "a request");
                stream.write_all(&whole[..whole.len() - cut]).await.unwrap();
            };
            let (answered, ()) = tokio::join!(ready(at), answering);
            match cut {
                0 => assert_eq!(answered.unwrap().why_not, None),
                _ => assert!(
                    matches!(answered, Err(RequestError::Lost(ConnectionError::Unreachable(_)))),
                    "{answered:?}"
                ),
            }
        }
    }
}
