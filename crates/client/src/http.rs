//! Plain HTTP requests, each on a connection of its own. `http_connection` reuses one for many.

use std::{io, pin::Pin, time::Duration};

use futures_util::future::BoxFuture;
use hyper::{
    Request,
    body::{Body, Incoming},
    client::conn::http1,
    header::{self, HeaderValue},
};
use hyper_util::rt::TokioIo;
use lusoria_protocol::Token;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};

use super::{ConnectionError, Origin, RequestError, incoming::read_problem, stream::dial_any};

/// The longest response that is read, in bytes: the record of a series of a hundred long games is shorter.
const BYTES_MAX: usize = 64 << 20;

/// How long a whole request may take.
const WITHIN: Duration = Duration::from_mins(2);

/// A request.
#[derive(Debug, Clone)]
pub struct HttpRequest<'a> {
    /// The method.
    pub method: &'static str,
    /// The path with its query.
    pub path: String,
    /// The guest's token.
    pub token: Option<&'a Token>,
    /// The idempotency key.
    pub key: Option<String>,
    /// The body as JSON; none if empty.
    pub json: String,
}

/// A stream of bytes in both directions: a TCP connection, a Unix socket.
pub trait ByteStream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> ByteStream for S {}

/// A response, read to its end.
#[derive(Debug, Clone)]
pub struct HttpAnswer {
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpAnswer {
    /// The content, or the refusal. A response without a body reads as `null`.
    ///
    /// # Errors
    /// If the server refuses, or the content has an unexpected form.
    pub fn read<T: DeserializeOwned>(self) -> Result<T, RequestError> {
        let Self { status, body } = self;
        if (200..300).contains(&status) {
            let body = if body.is_empty() { b"null" } else { &body[..] };
            return serde_json::from_slice(body).map_err(|error| RequestError::Unreadable(error.to_string()));
        }
        let refused = || ConnectionError::Refused { status, retry_after_s: None }.into();
        let problem: &RawValue = serde_json::from_slice(&body).map_err(|_| refused())?;
        Err(read_problem(problem).map_or_else(|_| refused(), RequestError::Problem))
    }
}

impl HttpRequest<'_> {
    /// A GET request.
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: "GET", path: path.into(), token: None, key: None, json: String::new() }
    }

    /// Sends it and reads the response, whatever its status.
    ///
    /// # Errors
    /// If no response arrives in time, or it breaks off, is too long or is not HTTP.
    pub async fn send(&self, origin: &Origin) -> Result<HttpAnswer, ConnectionError> {
        timeout(WITHIN, self.exchange(origin)).await.map_err(|_| ConnectionError::Unanswered)?
    }

    async fn exchange(&self, origin: &Origin) -> Result<HttpAnswer, ConnectionError> {
        let stream = dial_any(origin).await.map_err(ConnectionError::Unreachable)?;
        self.send_over(Box::new(stream), origin.authority()).await
    }

    /// Sends it over an open stream to a host, and reads the response however long it takes.
    ///
    /// # Errors
    /// If the response breaks off, is too long or is not HTTP.
    pub fn send_over<'a>(
        &'a self,
        stream: Box<dyn ByteStream>,
        host: &'a str,
    ) -> BoxFuture<'a, Result<HttpAnswer, ConnectionError>> {
        Box::pin(async move {
            let mut request = self.written(host)?;
            request.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            let (mut asker, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(lost)?;
            // It ends when the sender is dropped.
            let driving = tokio::spawn(connection);
            let response = asker.send_request(request).await.map_err(lost)?;
            let status = response.status().as_u16();
            let body = read(response.into_body()).await;
            driving.abort();
            Ok(HttpAnswer { status, body: body? })
        })
    }

    /// The request to that host, for a connection that is reused.
    pub(super) fn written(&self, host: &str) -> Result<Request<String>, ConnectionError> {
        let mut request = Request::builder().method(self.method).uri(&self.path).header(header::HOST, host);
        if let Some(token) = self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", token.as_str()));
        }
        if let Some(key) = &self.key {
            request = request.header("idempotency-key", key);
        }
        if !self.json.is_empty() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        request.body(self.json.clone()).map_err(|why| ConnectionError::Unreadable(why.to_string()))
    }
}

/// The body of `GET path` with status 200.
///
/// # Errors
/// If nothing responds, or with another status, or too much.
pub async fn fetch(origin: &Origin, path: &str) -> Result<Vec<u8>, ConnectionError> {
    let answer = HttpRequest::get(path).send(origin).await?;
    match answer.status {
        200 => Ok(answer.body),
        status => Err(ConnectionError::Refused { status, retry_after_s: None }),
    }
}

/// What is not HTTP is unreadable; every other failure is one of the connection.
pub(super) fn lost(why: hyper::Error) -> ConnectionError {
    if why.is_parse() {
        ConnectionError::Unreadable(why.to_string())
    } else {
        ConnectionError::Unreachable(io::Error::other(why))
    }
}

async fn read(mut body: Incoming) -> Result<Vec<u8>, ConnectionError> {
    let mut bytes = Vec::new();
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.map_err(lost)?.into_data() else { continue };
        append(&mut bytes, &data)?;
    }
    Ok(bytes)
}

/// Appends a part of a response.
pub(super) fn append(bytes: &mut Vec<u8>, data: &[u8]) -> Result<(), ConnectionError> {
    if bytes.len() + data.len() > BYTES_MAX {
        return Err(ConnectionError::Unreadable(format!("an answer of more than {BYTES_MAX} bytes")));
    }
    bytes.extend_from_slice(data);
    Ok(())
}
