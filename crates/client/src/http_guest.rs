//! A guest who plays by plain HTTP.

use std::{
    future::poll_fn,
    net::{IpAddr, SocketAddr},
    task::{Context, Poll},
};

use lusoria_protocol::{MatchId, Snapshot, Token};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    ConnectionError, HttpAnswer, HttpConnection, HttpRequest, Incoming, LineStream, MatchView, Origin,
    RequestError, incoming::read_problem,
};

/// A guest who plays by plain HTTP with two connections that are kept: one for requests, one for the stream of
/// the events of a match (`application/x-ndjson`).
///
/// What comes is told as a socket tells it.
pub struct HttpGuest {
    token: Token,
    requests: HttpConnection,
    /// The number of the last request that was sent.
    asked: u32,
    events: LineStream,
    /// Whether the last event that came was the last one of its match.
    has_ended: bool,
}

impl HttpGuest {
    /// Opens both connections to the server at `address`. `from` is the address of this machine to connect
    /// from, if it matters.
    ///
    /// # Errors
    /// If nobody answers there.
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

    /// Posts a request to a path below `/api/v1` and returns its number, which the answer repeats. The answer
    /// to the request before must have come.
    ///
    /// # Errors
    /// If it is not a request.
    pub async fn send(&mut self, path: &str, body: &impl Serialize) -> Result<u32, ConnectionError> {
        self.asked += 1;
        self.requests.send(&post(&self.token, path, body)).await?;
        Ok(self.asked)
    }

    /// Posts a request and waits for its answer.
    ///
    /// # Errors
    /// If the server refuses or does not answer in time, or the answer does not have the expected form.
    pub async fn ask<T: DeserializeOwned>(
        &mut self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, RequestError> {
        self.asked += 1;
        read(self.requests.ask(&post(&self.token, path, body)).await?)
    }

    /// Watches a match from where it stands now, in place of the one before, which must have ended.
    ///
    /// # Errors
    /// If there is no such match, or the server refuses.
    pub async fn watch(&mut self, id: MatchId) -> Result<MatchView, RequestError> {
        self.asked += 1;
        let snapshot: Snapshot =
            read(self.requests.ask(&get(&self.token, &format!("/matches/{id}"))).await?)?;
        let since = snapshot.head;
        self.events.begin(&get(&self.token, &format!("/matches/{id}/events?since={since}"))).await?;
        self.has_ended = false;
        Ok(MatchView::from(snapshot))
    }

    /// Waits for the next answer or event. Cancel safe.
    ///
    /// # Errors
    /// If a request is not answered, or the stream of events ends before its match.
    pub async fn receive(&mut self) -> Result<Incoming, ConnectionError> {
        poll_fn(|cx| self.poll_receive(cx)).await
    }

    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Result<Incoming, ConnectionError>> {
        // Both are asked, so that each wakes the task.
        if let Poll::Ready(answer) = self.requests.poll_answer(cx) {
            let outcome = match read(answer?) {
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
            self.has_ended = event.kind() == Some("match_ended");
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

/// The content of an answer, or the refusal that it is.
fn read<T: DeserializeOwned>(HttpAnswer { status, body }: HttpAnswer) -> Result<T, RequestError> {
    if (200..300).contains(&status) {
        return serde_json::from_slice(&body).map_err(|error| RequestError::Unreadable(error.to_string()));
    }
    let refused = || ConnectionError::Refused { status, retry_after_s: None }.into();
    let problem: &RawValue = serde_json::from_slice(&body).map_err(|_| refused())?;
    Err(read_problem(problem).map_or_else(|_| refused(), RequestError::Problem))
}
