//! An HTTP connection that is reused for several requests.

use std::{
    future::poll_fn,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_util::future::BoxFuture;
use hyper::{
    Request, Response,
    body::{Body, Bytes, Incoming},
    client::conn::http1,
    header::{self, HeaderValue},
};
use hyper_util::rt::TokioIo;
use tokio::time::timeout;

use super::{
    ConnectionError, HttpAnswer, HttpRequest, Origin,
    http::{append, lost},
    stream::{ANSWER_WITHIN, Stream, dial},
};

/// An HTTP connection for one request after the other.
///
/// It runs in the task that waits for its responses, and needs none of its own. A server may close a
/// connection that has been idle for some seconds: it is opened again for the next request. If the server
/// closes it at the moment when a request is sent, the request is sent once more, as browsers do. So it
/// should be one that the server carries out only once: a turn, or one with an idempotency key.
pub struct HttpConnection {
    server: ServerAddress,
    wire: Option<Wire>,
    exchange: Exchange,
    /// Whether the connection may be reopened for this request: once.
    may_reopen: bool,
    /// The response being read.
    answer: Option<(u16, Incoming, Vec<u8>)>,
}

/// The address of the server, and the local address.
#[derive(Clone)]
struct ServerAddress {
    origin: Origin,
    address: SocketAddr,
    from: Option<IpAddr>,
}

/// An open connection.
struct Wire {
    sender: http1::SendRequest<String>,
    connection: http1::Connection<TokioIo<Stream>, String>,
    /// Whether a request has been answered on it.
    is_used: bool,
}

/// The progress of a request, until the head of its response.
enum Exchange {
    None,
    /// It waits until the connection is ready for it.
    Queued(Request<String>),
    /// It waits for a new connection.
    Opening(BoxFuture<'static, Result<Wire, ConnectionError>>, Request<String>),
    /// It is sent. The request is kept if it may be sent once more.
    Sent(BoxFuture<'static, hyper::Result<Response<Incoming>>>, Option<Request<String>>),
    /// The head of its response, or the reason that there is none.
    Ended(Result<Response<Incoming>, ConnectionError>),
}

impl ServerAddress {
    async fn open(self) -> Result<Wire, ConnectionError> {
        let opened = async {
            let stream =
                dial(&self.origin, self.address, self.from).await.map_err(ConnectionError::Unreachable)?;
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(lost)?;
            Ok(Wire { sender, connection, is_used: false })
        };
        timeout(ANSWER_WITHIN, opened).await.map_err(|_| ConnectionError::Unanswered)?
    }
}

impl HttpConnection {
    /// Opens a connection to the server at `address`. `from` is the local address to connect from, if it
    /// matters.
    ///
    /// # Errors
    /// If nothing responds there.
    pub async fn open(
        origin: &Origin,
        address: SocketAddr,
        from: Option<IpAddr>,
    ) -> Result<Self, ConnectionError> {
        let server = ServerAddress { origin: origin.clone(), address, from };
        let wire = Some(server.clone().open().await?);
        Ok(Self { server, wire, exchange: Exchange::None, may_reopen: true, answer: None })
    }

    /// Sends a request, as far as that is possible at once; [`Self::poll_answer`] does the rest. The response
    /// to the previous request must have arrived; otherwise that request is given up, and the connection
    /// reopened.
    ///
    /// # Errors
    /// If it is not a valid request.
    pub async fn send(&mut self, request: &HttpRequest<'_>) -> Result<(), ConnectionError> {
        let request = request.written(self.server.origin.authority())?;
        self.queue(request).await;
        Ok(())
    }

    /// Sends a request for a stream of lines.
    pub(super) async fn send_for_lines(&mut self, request: &HttpRequest<'_>) -> Result<(), ConnectionError> {
        let mut request = request.written(self.server.origin.authority())?;
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("application/x-ndjson"));
        self.queue(request).await;
        Ok(())
    }

    async fn queue(&mut self, request: Request<String>) {
        self.exchange = Exchange::Queued(request);
        self.may_reopen = true;
        // Of a request that was given up.
        self.answer = None;
        poll_fn(|cx| {
            self.advance(cx);
            Poll::Ready(())
        })
        .await;
    }

    /// Sends a request and reads the response, whatever its status.
    ///
    /// # Errors
    /// If no response arrives in time, or it breaks off, is too long or is not HTTP.
    pub async fn ask(&mut self, request: &HttpRequest<'_>) -> Result<HttpAnswer, ConnectionError> {
        self.send(request).await?;
        let answered = timeout(ANSWER_WITHIN, poll_fn(|cx| self.poll_answer(cx))).await;
        answered.map_err(|_| ConnectionError::Unanswered)?
    }

    /// The response to the last request, read to its end. Pending without a request.
    pub fn poll_answer(&mut self, cx: &mut Context<'_>) -> Poll<Result<HttpAnswer, ConnectionError>> {
        if self.answer.is_none() {
            let head = ready!(self.poll_head(cx))?;
            self.answer = Some((head.status().as_u16(), head.into_body(), Vec::new()));
        }
        let Some((status, mut body, mut bytes)) = self.answer.take() else { return Poll::Pending };
        loop {
            match self.poll_part(&mut body, cx) {
                Poll::Ready(Some(Ok(data))) => append(&mut bytes, &data)?,
                Poll::Ready(Some(Err(why))) => return Poll::Ready(Err(why)),
                Poll::Ready(None) => return Poll::Ready(Ok(HttpAnswer { status, body: bytes })),
                Poll::Pending => {
                    self.answer = Some((status, body, bytes));
                    return Poll::Pending;
                }
            }
        }
    }

    /// The head of the response to the last request. Pending without a request.
    pub(super) fn poll_head(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Response<Incoming>, ConnectionError>> {
        self.advance(cx);
        match std::mem::replace(&mut self.exchange, Exchange::None) {
            Exchange::Ended(head) => Poll::Ready(head),
            other => {
                self.exchange = other;
                Poll::Pending
            }
        }
    }

    /// The next part of the body of the last response; none at its end.
    pub(super) fn poll_part(
        &mut self,
        body: &mut Incoming,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, ConnectionError>>> {
        loop {
            if body.is_end_stream() {
                return Poll::Ready(None);
            }
            let mut polled = Pin::new(&mut *body).poll_frame(cx);
            if polled.is_pending() {
                // The connection reads only on demand.
                self.run_wire(cx);
                polled = Pin::new(&mut *body).poll_frame(cx);
            }
            match ready!(polled) {
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
                Some(Err(why)) => return Poll::Ready(Some(Err(lost(why)))),
                None => return Poll::Ready(None),
            }
        }
    }

    /// Does what can be done for the request now.
    fn advance(&mut self, cx: &mut Context<'_>) {
        loop {
            match std::mem::replace(&mut self.exchange, Exchange::None) {
                Exchange::None => return self.run_wire(cx),
                Exchange::Queued(request) => {
                    self.run_wire(cx);
                    let Some(wire) = &mut self.wire else {
                        self.exchange = self.reopen(request, closed());
                        continue;
                    };
                    match wire.sender.poll_ready(cx) {
                        Poll::Ready(Ok(())) => {
                            let again = wire.is_used.then(|| request.clone());
                            let head = Box::pin(wire.sender.send_request(request));
                            self.exchange = Exchange::Sent(head, again);
                        }
                        Poll::Ready(Err(why)) => self.exchange = self.reopen(request, lost(why)),
                        Poll::Pending => return self.exchange = Exchange::Queued(request),
                    }
                }
                Exchange::Opening(mut opening, request) => match opening.as_mut().poll(cx) {
                    Poll::Ready(Ok(wire)) => {
                        self.wire = Some(wire);
                        self.exchange = Exchange::Queued(request);
                    }
                    Poll::Ready(Err(why)) => self.exchange = Exchange::Ended(Err(why)),
                    Poll::Pending => return self.exchange = Exchange::Opening(opening, request),
                },
                Exchange::Sent(mut head, again) => {
                    self.run_wire(cx);
                    match (head.as_mut().poll(cx), again) {
                        (Poll::Ready(Ok(head)), _) => {
                            if let Some(wire) = &mut self.wire {
                                wire.is_used = true;
                            }
                            self.exchange = Exchange::Ended(Ok(head));
                        }
                        (Poll::Ready(Err(why)), Some(request)) if !why.is_parse() => {
                            self.exchange = self.reopen(request, lost(why));
                        }
                        (Poll::Ready(Err(why)), _) => self.exchange = Exchange::Ended(Err(lost(why))),
                        (Poll::Pending, again) => return self.exchange = Exchange::Sent(head, again),
                    }
                }
                ended @ Exchange::Ended(_) => return self.exchange = ended,
            }
        }
    }

    /// Reopens the connection for this request, or ends the request with `why` if that has been done already.
    fn reopen(&mut self, request: Request<String>, why: ConnectionError) -> Exchange {
        self.wire = None;
        if !std::mem::take(&mut self.may_reopen) {
            return Exchange::Ended(Err(why));
        }
        Exchange::Opening(Box::pin(self.server.clone().open()), request)
    }

    /// Reads and writes what can be read and written now.
    fn run_wire(&mut self, cx: &mut Context<'_>) {
        if let Some(wire) = &mut self.wire
            && Pin::new(&mut wire.connection).poll(cx).is_ready()
        {
            // The affected request reports the reason.
            self.wire = None;
        }
    }
}

/// The server closed the connection before the request was sent.
fn closed() -> ConnectionError {
    ConnectionError::Unreachable(io::ErrorKind::ConnectionAborted.into())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{LineStream, scripted_server::server},
        *,
    };

    const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    async fn open(address: SocketAddr) -> HttpConnection {
        HttpConnection::open(&address.into(), address, None).await.expect("a connection")
    }

    #[tokio::test]
    async fn requests_share_a_connection_until_the_server_closes_it() {
        let address = server(vec![vec![OK, OK, OK], vec![OK]]).await;
        let mut connection = open(address).await;
        for nth in 0..4 {
            let answer = connection.ask(&HttpRequest::get("/")).await.expect("an answer");
            assert_eq!((answer.status, answer.body.as_slice()), (200, &b"{}"[..]), "{nth}");
        }
    }

    #[tokio::test]
    async fn a_request_that_meets_a_closing_connection_is_sent_once_more() {
        let address = server(vec![vec![OK, b""], vec![OK]]).await;
        let mut connection = open(address).await;
        for _ in 0..2 {
            assert_eq!(connection.ask(&HttpRequest::get("/")).await.expect("an answer").status, 200);
        }
        let address = server(vec![vec![OK, b""], vec![b""], vec![OK]]).await;
        let mut connection = open(address).await;
        connection.ask(&HttpRequest::get("/")).await.expect("an answer");
        let lost = connection.ask(&HttpRequest::get("/")).await;
        assert!(matches!(lost, Err(ConnectionError::Unreachable(_))), "not for ever: {lost:?}");
    }

    #[tokio::test]
    async fn a_response_that_was_given_up_is_not_taken_for_the_next_one() {
        const HALF: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha";
        let address = server(vec![vec![HALF, b"lf"], vec![OK]]).await;
        let mut connection = open(address).await;
        connection.send(&HttpRequest::get("/")).await.expect("a request");
        // Until its head has come and half of its body.
        poll_fn(|cx| {
            assert!(connection.poll_answer(cx).is_pending(), "it is not complete");
            match &connection.answer {
                Some((.., half)) if !half.is_empty() => Poll::Ready(()),
                Some(_) | None => Poll::Pending,
            }
        })
        .await;
        let answer = connection.ask(&HttpRequest::get("/")).await.expect("an answer");
        assert_eq!(answer.body, b"{}");
    }

    #[tokio::test]
    async fn the_connection_is_opened_again_once_for_a_request() {
        let mut connection = open(server(vec![vec![OK], vec![OK]]).await).await;
        let request = HttpRequest::get("/").written(connection.server.origin.authority()).expect("a request");
        assert!(matches!(connection.reopen(request.clone(), closed()), Exchange::Opening(..)));
        let ended = connection.reopen(request, closed());
        assert!(matches!(ended, Exchange::Ended(Err(ConnectionError::Unreachable(_)))));
        assert_eq!(
            connection.ask(&HttpRequest::get("/")).await.expect("an answer").status,
            200,
            "another one"
        );
    }

    #[tokio::test]
    async fn lines_are_whole_however_they_are_split_and_one_stream_follows_another() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let first = format!("{head}4\r\none\n\r\n3\r\n\ntw\r\n2\r\no\n\r\n0\r\n\r\n").leak().as_bytes();
        let second = format!("{head}6\r\nthree\n\r\n0\r\n\r\n").leak().as_bytes();
        let cut = format!("{head}4\r\nfour").leak().as_bytes();
        let address = server(vec![vec![first, second, cut]]).await;
        let mut lines = LineStream::new(open(address).await);
        for expected in [&["one", "two"][..], &["three"]] {
            lines.begin(&HttpRequest::get("/")).await.expect("a stream");
            for line in expected {
                assert_eq!(lines.next().await.expect("a line").expect("not the end").as_str(), *line);
            }
            assert!(lines.next().await.expect("the end").is_none());
        }
        lines.begin(&HttpRequest::get("/")).await.expect("a stream");
        assert!(lines.next().await.is_err(), "it breaks off");
    }
}
