//! The bare echo over plain HTTP.

use std::{
    collections::HashMap,
    convert::Infallible,
    future::poll_fn,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use hyper::{
    Method, Request, Response,
    body::{Body, Bytes, Frame, Incoming, SizeHint},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use tokio::{net::TcpStream, sync::mpsc};

use super::{super::error::ClientError, WAITING_MAX};
use lusoria_client::{ConnectionError, HttpConnection, HttpRequest, LineStream, Origin};

/// The channels to players who read the stream of their path.
pub(super) type Streams = Mutex<HashMap<String, mpsc::Sender<Bytes>>>;

/// Echoes to one client.
pub(super) async fn echo(stream: TcpStream, streams: Arc<Streams>) -> hyper::Result<()> {
    // A client that has gone is noticed when it is read from.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let streams = Arc::clone(&streams);
        async move { Ok::<_, Infallible>(Response::new(respond(request, &streams).await)) }
    });
    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await
}

async fn respond(request: Request<Incoming>, streams: &Streams) -> EchoBody {
    let path = request.uri().path().to_owned();
    if request.method() == Method::GET {
        let (sender, lines) = mpsc::channel(WAITING_MAX);
        streams.lock().insert(path, sender);
        return EchoBody::Lines(lines);
    }
    let mut text = Vec::new();
    let mut body = request.into_body();
    while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        if let Ok(data) = frame.into_data() {
            text.extend_from_slice(&data);
        }
    }
    let text = Bytes::from(text);
    let opponent = streams.lock().get(&opponent_of(&path)).cloned();
    if let Some(opponent) = opponent {
        // The opponent may have gone.
        let _ = opponent.send(text.clone()).await;
    }
    EchoBody::Whole(Some(text))
}

/// The path of the other seat.
fn opponent_of(path: &str) -> String {
    match path.strip_suffix('0') {
        Some(pair) => format!("{pair}1"),
        None => format!("{}0", path.strip_suffix('1').unwrap_or(path)),
    }
}

/// The body of a response.
enum EchoBody {
    Whole(Option<Bytes>),
    Lines(mpsc::Receiver<Bytes>),
}

impl Body for EchoBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let data = match &mut *self {
            Self::Whole(text) => text.take(),
            Self::Lines(lines) => ready!(lines.poll_recv(cx)),
        };
        Poll::Ready(data.map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(text) => SizeHint::with_exact(text.as_ref().map_or(0, |text| text.len() as u64)),
            Self::Lines(_) => SizeHint::default(),
        }
    }
}

/// A player at the bare echo, over plain HTTP.
pub(super) struct Player {
    path: String,
    requests: HttpConnection,
    lines: LineStream,
}

impl Player {
    /// Takes a seat of the pair with that number.
    pub(super) async fn open(address: SocketAddr, pair: usize, seat: usize) -> Result<Self, ClientError> {
        let origin = Origin::from(address);
        let path = format!("/{pair}/{seat}");
        let mut lines = LineStream::new(HttpConnection::open(&origin, address, None).await?);
        lines.begin(&HttpRequest::get(path.clone())).await?;
        Ok(Self { path, requests: HttpConnection::open(&origin, address, None).await?, lines })
    }

    pub(super) async fn send(&mut self, text: &str) -> Result<(), ClientError> {
        let json = format!("{text}\n");
        Ok(self
            .requests
            .send(&HttpRequest { method: "POST", json, ..HttpRequest::get(self.path.clone()) })
            .await?)
    }

    /// Waits for the next message. Cancel safe.
    pub(super) async fn receive(&mut self) -> Result<(), ClientError> {
        Ok(poll_fn(|cx| self.poll_receive(cx)).await?)
    }

    fn poll_receive(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), ConnectionError>> {
        if let Poll::Ready(answer) = self.requests.poll_answer(cx) {
            return Poll::Ready(answer.map(|_| ()));
        }
        let ended = || ConnectionError::Closed { code: 1006, reason: String::new() };
        Poll::Ready(ready!(self.lines.poll_line(cx))?.map(|_| ()).ok_or_else(ended))
    }
}
