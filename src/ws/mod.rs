//! The WebSocket `/api/v1/socket`: one connection for all matches of a client.
//!
//! One task for each socket, and a mailbox that publishers mark without waiting. The messages are those of
//! `lusoria_protocol::socket`. A socket's own operations concern the connection and the commands of a match.
//! Everything else is the operation `http`, a request that the API's routes answer as over HTTP.
//!
//! The token is looked up at `hello`, at the next request or ping after any token was revoked, and at intervals: a
//! token that was removed in another way (a guest has a limited number) can send requests for 10 s at most and
//! receives messages for a minute at most.

mod api;
mod client;
mod ending;
mod flow;
mod limits;
mod ops;
mod reply;
mod session;
mod socket;
#[cfg(test)]
mod tests;
mod watches;

use std::{
    hash::{BuildHasher, RandomState},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Extension, Router,
    extract::{State, WebSocketUpgrade, ws::rejection::WebSocketUpgradeRejection},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use futures_util::{SinkExt, TryStreamExt};
use lusoria_protocol::{Code, Problem, ToJson};
use tracing::Instrument;

use crate::{
    app::{App, ClientAddress, Connections, refused, request_id},
    config,
    live::LastRead,
};
pub use ending::{Ending, ReadError, WriteError};
use limits::{Limits, READ_BUFFER_BYTES, WRITE_BUFFER_BYTES, WRITE_BUFFER_BYTES_MAX};
use reply::SocketId;
pub use socket::Transport;

/// The state that all sockets share.
pub struct Sockets {
    app: Arc<App>,
    /// Answers the operation `http`.
    api: Router,
    limits: Limits,
    connections: Connections,
    /// The number of sockets opened so far.
    opened: AtomicU64,
    /// The number of secrets so far, and their key, which the operating system provides once.
    secrets: AtomicU64,
    secrets_key: RandomState,
    /// The start of the server in seconds, because numbers begin anew at each start and logs continue.
    since: u64,
}

impl Sockets {
    /// Sockets for this application and its API; `connections` closes them.
    pub fn new(app: &Arc<App>, api: Router, limits: &config::Limits, connections: &Connections) -> Arc<Self> {
        let (app, connections) = (Arc::clone(app), connections.clone());
        let since = app.now() / 1_000;
        Arc::new(Self {
            app,
            api,
            limits: Limits::new(limits),
            connections,
            opened: AtomicU64::new(0),
            secrets: AtomicU64::new(0),
            secrets_key: RandomState::new(),
            since,
        })
    }

    /// A new number that clients cannot predict: a keyed hash, which costs no system call. Nothing durable depends on
    /// it.
    fn secret(&self) -> u64 {
        self.secrets_key.hash_one(self.secrets.fetch_add(1, Ordering::Relaxed))
    }

    /// Runs a conversation with a client to its end, over the network or another transport of WebSocket messages.
    /// `last_read` is when the connection last read bytes.
    pub async fn converse(
        self: Arc<Self>,
        frames: impl Transport,
        address: ClientAddress,
        last_read: LastRead,
    ) -> Ending {
        let number = self.opened.fetch_add(1, Ordering::Relaxed) + 1;
        let id = SocketId { since: self.since, number };
        let span = tracing::info_span!("socket", %id, guest = tracing::field::Empty);
        let conversation = async {
            tracing::debug!("opened");
            let ending = session::converse(frames, self, address, last_read, id).await;
            tracing::debug!(how = ending.name(), "closed");
            ending
        };
        conversation.instrument(span).await
    }
}

/// The route of the socket. A request needs the [`ClientAddress`] among its extensions.
pub fn route<S>(
    app: &Arc<App>,
    api: Router,
    limits: &config::Limits,
    connections: &Connections,
) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    get(open).with_state(Sockets::new(app, api, limits, connections))
}

async fn open(
    State(sockets): State<Arc<Sockets>>,
    Extension(address): Extension<ClientAddress>,
    last_read: Option<Extension<LastRead>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(why) => return refusal(Problem::new(Code::InvalidHeader, why.body_text())),
    };
    if sockets.connections.open().is_cancelled() {
        return refusal(Code::Stopping.into());
    }
    let place = match sockets.app.open_stream(address) {
        Ok(place) => place,
        Err(problem) => return refusal(problem),
    };
    let last_read = last_read.map_or_else(LastRead::default, |Extension(last_read)| last_read);
    let read_bytes_max = sockets.limits.read_bytes_max();
    upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(WRITE_BUFFER_BYTES_MAX)
        .max_message_size(read_bytes_max)
        .max_frame_size(read_bytes_max)
        .on_failed_upgrade(|error| tracing::debug!(%error, "could not open a socket"))
        .on_upgrade(move |frames| {
            // Boxed, because every future around it would reserve memory for its arguments.
            let frames = Box::new(frames.map_err(ReadError::from).sink_map_err(WriteError::from));
            async move {
                let mut counted = Counted::new();
                counted.how = sockets.converse(frames, address, last_read).await.name();
                drop(place);
            }
        })
}

/// Counts open sockets, and their endings.
struct Counted {
    how: &'static str,
}

impl Counted {
    fn new() -> Self {
        metrics::gauge!("lusoria_sockets_open").increment(1);
        Self { how: "panicked" }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("lusoria_sockets_open").decrement(1);
        metrics::counter!("lusoria_sockets_ended_total", "how" => self.how).increment(1);
    }
}

/// The refusal of a connection that did not become a socket.
fn refusal(problem: Problem) -> Response {
    let problem = refused(problem, request_id());
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let body = problem.to_json();
    let mut response = (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response();
    if let Some(seconds) = problem.retry_after_s {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
