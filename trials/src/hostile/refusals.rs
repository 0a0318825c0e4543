//! Counts the refusals that the server sends to a flood.

use std::io;

use super::tally::Tally;

/// Parses what comes on a connection: HTTP responses, and frames once it is a WebSocket.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    bytes: Vec<u8>,
    is_socket: bool,
}

/// The status of a request that became a socket.
const SWITCHING: u16 = 101;

impl Refusals {
    /// Takes received bytes and counts the complete messages.
    ///
    /// # Errors
    /// If the server sent a close frame.
    pub(super) fn take(&mut self, bytes: &[u8], tally: &mut Tally) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        loop {
            let used = if self.is_socket { self.frame(tally)? } else { self.answer(tally) };
            match used {
                Some(used) => drop(self.bytes.drain(..used)),
                None => return Ok(()),
            }
        }
    }

    /// Counts one HTTP response. Returns its length, if it is complete.
    fn answer(&mut self, tally: &mut Tally) -> Option<usize> {
        let head_len = self.bytes.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
        let head = String::from_utf8_lossy(&self.bytes[..head_len]).to_ascii_lowercase();
        let status: u16 = head.split(' ').nth(1)?.parse().ok()?;
        let header = |name: &str| {
            head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
        };
        let body_len = if header("transfer-encoding").is_some() {
            // A stream: its lines are ignored, and it ends with the connection.
            self.bytes.len() - head_len
        } else {
            header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0)
        };
        let body = self.bytes.get(head_len..head_len + body_len)?;
        let patience = if [429, 503].contains(&status) && header("retry-after").is_none() {
            " without Retry-After"
        } else {
            ""
        };
        match code(body) {
            Some(code) if status >= 400 => tally.count(format!("{status} {code}{patience}")),
            _ => tally.count(format!("{status}{patience}")),
        }
        self.is_socket = status == SWITCHING;
        Some(head_len + body_len)
    }

    /// Counts one frame. Returns its length, if it is complete.
    fn frame(&mut self, tally: &mut Tally) -> io::Result<Option<usize>> {
        let Some((kind, payload, length)) = frame(&self.bytes) else { return Ok(None) };
        match kind {
            8 => {
                let code = payload.first_chunk().map_or(1005, |code| u16::from_be_bytes(*code));
                tally.count(format!("close {code}"));
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            1 if payload.starts_with(b"{\"re\"") || payload.starts_with(b"{\"error\"") => {
                // A response can contain a code too: only an error begins with one.
                let is_error = payload.windows(8).take(40).any(|word| word == b"\"error\":");
                match code(payload).filter(|_| is_error) {
                    Some(code) => tally.count(format!("error {code}")),
                    None => tally.count("ok"),
                }
            }
            _ => tally.count("pushed"),
        }
        Ok(Some(length))
    }
}

/// The first complete frame: its kind, its payload and its length.
fn frame(bytes: &[u8]) -> Option<(u8, &[u8], usize)> {
    let (&kind, &short) = (bytes.first()?, bytes.get(1)?);
    let (head_len, payload_len) = match short & 0x7f {
        126 => (4, usize::from(u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?))),
        127 => (10, usize::try_from(u64::from_be_bytes(*bytes.get(2..)?.first_chunk()?)).ok()?),
        short => (2, usize::from(short)),
    };
    Some((kind & 0x0f, bytes.get(head_len..head_len + payload_len)?, head_len + payload_len))
}

/// The code of a problem.
fn code(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let (_, after) = text.split_once("\"code\":\"")?;
    Some(after.split_once('"')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_and_frames_are_counted_however_they_are_split() {
        let mut bytes = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 28\r\n\r\n\
            {\"code\":\"too_many_requests\"}HTTP/1.1 101 Switching Protocols\r\n\r\n"
            .to_vec();
        let told = br#"{"re":1,"error":{"code":"unknown_op"}}"#;
        bytes.extend([0x81, u8::try_from(told.len()).unwrap()]);
        bytes.extend(told);
        bytes.extend(*b"\x81\x0d{\"re\":1,\"ok\"}");
        let farewell = [0x88, 2, 0x11, 0x4d];
        for size in [1, 7, 1_000] {
            let (mut said, mut tally) = (Refusals::default(), Tally::default());
            for part in bytes.chunks(size) {
                said.take(part, &mut tally).unwrap();
            }
            assert!(said.take(&farewell, &mut tally).is_err());
            let counted: Vec<_> = tally.0.keys().map(String::as_str).collect();
            assert_eq!(counted, ["101", "429 too_many_requests", "close 4429", "error unknown_op", "ok"]);
        }
    }

    #[test]
    fn a_refusal_must_say_when_to_retry() {
        let (mut said, mut tally) = (Refusals::default(), Tally::default());
        said.take(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n", &mut tally).unwrap();
        assert!(tally.has("503 without Retry-After"));
    }
}
