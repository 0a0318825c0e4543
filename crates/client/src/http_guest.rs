//! A guest who plays by plain HTTP.

use std::{
    future::poll_fn,
    net::{IpAddr, SocketAddr},
    task::{Context, Poll},
};

use lusoria_protocol::{MatchId, Snapshot, Token};
use serde::{Serialize, de::DeserializeOwned};

use super::{
    ConnectionError, HttpConnection, HttpRequest, Incoming, LineStream, MatchView, Origin, RequestError,
};

/// A guest who plays over plain HTTP with two reused connections: one for requests, one for the stream of the
/// events of a match (`application/x-ndjson`).
///
/// Messages have the same form as on a socket.
pub struct HttpGuest {
    token: Token,
    requests: HttpConnection,
    /// The number of the last request.
    asked: u32,
    events: LineStream,
    /// Whether the watched match has ended. A rematch may be offered after that.
    has_ended: bool,
}

impl HttpGuest {
    /// Opens both connections to the server at `address`. `from` is the local address to connect from, if it
    /// matters.
    ///
    /// # Errors
    /// If nothing responds there.
    pub async fn open(
        origin: &Origin,
        address: SocketAddr,
        from: Option<IpAddr>,
        token: &Token,
    ) -> Result<Self, ConnectionError> {
        let requests = HttpConnection::open(origin, address, from).await?;
        let events = LineStream::new(HttpConnection::open(origin, address, from).await?);
        Ok(Self { token: token.clone(), requests, asked: 0, events, has_ended: false })
    }

    /// Posts a request to a path below `/api/v1` and returns its number, which the response repeats. The
    /// response to the previous request must have arrived.
    ///
    /// # Errors
    /// If it is not a valid request.
    pub async fn send(&mut self, path: &str, body: &impl Serialize) -> Result<u32, ConnectionError> {
        self.asked += 1;
        self.requests.send(&post(&self.token, path, body)).await?;
        Ok(self.asked)
    }

    /// Posts a request and waits for its response.
    ///
    /// # Errors
    /// If the server refuses or does not respond in time, or the response has an unexpected form.
    pub async fn ask<T: DeserializeOwned>(
        &mut self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, RequestError> {
        self.asked += 1;
        self.requests.ask(&post(&self.token, path, body)).await?.read()
    }

    /// Watches a match from now on, in place of the previous one, which must have ended.
    ///
    /// # Errors
    /// If there is no such match, or the server refuses.
    pub async fn watch(&mut self, id: MatchId) -> Result<MatchView, RequestError> {
        self.asked += 1;
        let snapshot: Snapshot =
            self.requests.ask(&get(&self.token, &format!("/matches/{id}"))).await?.read()?;
        let since = snapshot.head;
        self.events.begin(&get(&self.token, &format!("/matches/{id}/events?since={since}"))).await?;
        let view = MatchView::from(snapshot);
        self.has_ended = view.has_ended();
        Ok(view)
    }

    /// Waits for the next response or event. Cancel safe.
    ///
    /// # Errors
    /// If a request gets no response, or the stream of events ends before its match.
    pub async fn receive(&mut self) -> Result<Incoming, ConnectionError> {
        poll_fn(|cx| self.poll_receive(cx)).await
    }

    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Result<Incoming, ConnectionError>> {
        // Both are polled, so that each can wake the task.
        if let Poll::Ready(answer) = self.requests.poll_answer(cx) {
            let outcome = match answer?.read() {
                Ok(answer) => Ok(answer),
                Err(RequestError::Problem(problem)) => Err(problem),
                Err(other) => return Poll::Ready(Err(other.of_connection())),
            };
            return Poll::Ready(Ok(Incoming::Answer { re: Some(self.asked), outcome }));
        }
        let Poll::Ready(line) = self.events.poll_line(cx) else { return Poll::Pending };
        let Some(line) = line? else {
            if self.has_ended {
                // It waits for the next stream.
                return self.poll_receive(cx);
            }
            let reason = "the stream of events has ended before the match".to_owned();
            return Poll::Ready(Err(ConnectionError::Closed { code: 1006, reason }));
        };
        let heard = Incoming::read(line)?;
        if let Incoming::Event(event) = &heard {
            self.has_ended |= event.kind() == Some("match_ended");
        }
        Poll::Ready(Ok(heard))
    }
}

fn post<'a>(token: &'a Token, path: &str, body: &impl Serialize) -> HttpRequest<'a> {
    let json = serde_json::to_string(body).expect("wire types are plain data");
    HttpRequest { method: "POST", json, ..get(token, path) }
}

fn get<'a>(token: &'a Token, path: &str) -> HttpRequest<'a> {
    HttpRequest { token: Some(token), ..HttpRequest::get(format!("/api/v1{path}")) }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::{Value, json};

    use super::{super::scripted_server::server, *};

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    fn snapshot(state: &str) -> Value {
        let player = json!({"id": ID, "name": "Agathias", "kind": "person", "connected": true});
        json!({
            "id": ID, "head": 2, "created_at": 1, "updated_at": 2, "server_time": 3, "game": "tavla",
            "options": {}, "points": 1, "clock": {"kind": "none"}, "admission": "open", "side": "lot",
            "state": state, "players": {"1": player, "2": player}, "score": {"1": 0, "2": 0},
            "game_number": 0, "turns": 0,
            "dice": {"scheme": "lusoria-dice-v1", "commitment": "00".repeat(32),
                "seeds": {"1": {"kind": "drawn", "seed": "a"}, "2": {"kind": "drawn", "seed": "b"}}},
        })
    }

    /// A guest who watches a match in this state, whose stream has these lines and ends.
    async fn watching(state: &str, lines: &[String]) -> HttpGuest {
        let answered = |content_type: &str, body: &str| -> &'static [u8] {
            let (length, head) = (body.len(), "HTTP/1.1 200 OK\r\nContent-Type: application");
            format!("{head}/{content_type}\r\nContent-Length: {length}\r\n\r\n{body}").leak().as_bytes()
        };
        let stream = lines.concat();
        let connections =
            vec![vec![answered("json", &snapshot(state).to_string())], vec![answered("x-ndjson", &stream)]];
        let address = server(connections).await;
        let token: Token = serde_json::from_value(json!("ab".repeat(32))).expect("a token");
        let mut guest = HttpGuest::open(&address.into(), address, None, &token).await.expect("connections");
        guest.watch(ID.parse().expect("an id")).await.expect("a match");
        guest
    }

    #[tokio::test]
    async fn the_stream_may_end_when_the_match_has_ended_whatever_came_after_that() {
        let event =
            |seq, rest: &str| format!("{{\"match\":\"{ID}\",\"seq\":{seq},\"at\":4,\"type\":{rest}}}\n");
        let lines = [event(3, r#""match_ended","result":"won""#), event(4, r#""rematch_offered","seat":1"#)];
        let mut guest = watching("playing", &lines).await;
        for _ in &lines {
            let heard = guest.receive().await.expect("an event");
            assert!(matches!(heard, Incoming::Event(_)), "{heard:?}");
        }
        assert!(guest.receive().now_or_never().is_none(), "it waits for the next stream");
        let mut guest = watching("ended", &[]).await;
        assert!(guest.receive().now_or_never().is_none(), "it waits for the next stream");
        let mut guest = watching("playing", &[]).await;
        let lost = guest.receive().await;
        assert!(matches!(lost, Err(ConnectionError::Closed { .. })), "{lost:?}");
    }
}
