//! A plain HTTP client: one request a connection, so that nothing is hidden.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

/// An answer, read to its end. What is no text in its body is replaced.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: String::new() }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.text("application/json", &body.to_string())
    }

    /// A body of that type.
    pub(crate) fn text(mut self, kind: &str, body: &str) -> Self {
        body.clone_into(&mut self.body);
        self.header("content-type", kind)
    }

    /// Sends it.
    ///
    /// # Errors
    /// If the connection breaks: the server may have been killed.
    pub(crate) async fn send(&self, to: SocketAddr) -> std::io::Result<Answer> {
        let mut stream = TcpStream::connect(to).await?;
        let (mut answers, mut requests) = stream.split();
        let (text, mut bytes) = (self.written(to), Vec::new());
        // What is refused may be answered before all of it is sent.
        let (sent, heard) =
            tokio::join!(requests.write_all(text.as_bytes()), answers.read_to_end(&mut bytes));
        if let Some(answer) = Answer::read(&bytes) {
            return Ok(answer);
        }
        sent.and(heard)?;
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }

    fn written(&self, to: SocketAddr) -> String {
        use std::fmt::Write;
        let mut text =
            format!("{} {} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        let _ = write!(text, "content-length: {}\r\n\r\n{}", self.body.len(), self.body);
        text
    }
}

impl Answer {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let head_ends = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let (head, body) = (std::str::from_utf8(&bytes[..head_ends]).ok()?, &bytes[head_ends + 4..]);
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<_> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let mut answer = Self { status, headers, body: String::new() };
        let body = match answer.header("content-length") {
            Some(length) => body.get(..length.parse().ok()?)?.to_vec(),
            None if answer.header("transfer-encoding").is_some() => unchunk(body)?,
            None => body.to_vec(),
        };
        answer.body = String::from_utf8_lossy(&body).into_owned();
        Some(answer)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

fn unchunk(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let line_ends = body.windows(2).position(|two| two == b"\r\n")?;
        let length = std::str::from_utf8(&body[..line_ends]).ok()?;
        let length = usize::from_str_radix(length.trim(), 16).ok()?;
        if length == 0 {
            return Some(whole);
        }
        let rest = &body[line_ends + 2..];
        whole.extend_from_slice(rest.get(..length)?);
        body = rest.get(length + 2..)?;
    }
}
