//! The limit to compare with: a server that does nothing but send back what a player sends,
//! to them and to their opponent, by the same WebSocket library.

use std::{
    collections::HashMap,
    io,
    net::SocketAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use futures_util::{
    SinkExt, StreamExt,
    future::{BoxFuture, try_join_all},
};
use parking_lot::Mutex;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::{
    WebSocketStream, accept_async_with_config,
    tungstenite::{self, Message},
};
use tokio_util::sync::CancellationToken;

use super::{
    arrivals::{TurnScheduler, TurnTimes},
    error::{BenchError, ClientError},
    load::Load,
    report::Echo,
    run::{END_WITHIN, unless},
    run_state::{RunState, Window},
    tally::Tally,
};
use lusoria_client::{ConnectionError, open_socket, socket_config};

/// How many messages wait for an opponent who does not read.
const WAITING_MAX: usize = 64;

type Socket = WebSocketStream<TcpStream>;

/// The first of a pair to come: how to send to them, and how to tell them where the other is.
type Waiting = (mpsc::Sender<Message>, oneshot::Sender<mpsc::Sender<Message>>);

/// Echoes for ever. The first message of a client names its pair; each later one is sent back to the
/// client and to its opponent.
///
/// # Errors
/// If no connection can be accepted.
pub fn serve(listener: TcpListener) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        let waiting = Arc::new(Mutex::new(HashMap::new()));
        loop {
            let (stream, _) = listener.accept().await?;
            let waiting = Arc::clone(&waiting);
            tokio::spawn(async move {
                // A client whose connection breaks does not disturb the others.
                let _ = echo(stream, &waiting).await;
            });
        }
    })
}

async fn echo(
    stream: TcpStream,
    waiting: &Mutex<HashMap<String, Waiting>>,
) -> Result<(), tungstenite::Error> {
    stream.set_nodelay(true)?;
    let mut socket = accept_async_with_config(stream, Some(socket_config())).await?;
    let Some(name) = socket.next().await.transpose()? else { return Ok(()) };
    let (to_me, mut from_other) = mpsc::channel(WAITING_MAX);
    let Some(to_other) = introduce(name.to_string(), to_me, waiting).await else { return Ok(()) };
    loop {
        tokio::select! {
            biased;
            message = socket.next() => match message.transpose()? {
                Some(message @ Message::Text(_)) => {
                    socket.send(message.clone()).await?;
                    if to_other.send(message).await.is_err() {
                        return Ok(());
                    }
                }
                Some(_) => {}
                None => return Ok(()),
            },
            Some(message) = from_other.recv() => socket.send(message).await?,
        }
    }
}

/// Waits until both of a pair are there; how to send to the other one.
async fn introduce(
    name: String,
    to_me: mpsc::Sender<Message>,
    waiting: &Mutex<HashMap<String, Waiting>>,
) -> Option<mpsc::Sender<Message>> {
    let answer = {
        let mut waiting = waiting.lock();
        if let Some((to_other, tell_other)) = waiting.remove(&name) {
            // The first client may be gone.
            let _ = tell_other.send(to_me);
            return Some(to_other);
        }
        let (tell, answer) = oneshot::channel();
        waiting.insert(name, (to_me, tell));
        answer
    };
    answer.await.ok()
}

/// Measures such a server at `address`. As many pairs as the load has matches send messages of so many
/// bytes, at the load's pace and for as long.
///
/// # Errors
/// If the pairs cannot connect.
pub fn measure<'a>(
    load: &'a Load,
    address: SocketAddr,
    message_bytes: u64,
    stop: &'a CancellationToken,
) -> BoxFuture<'a, Result<Echo, BenchError>> {
    Box::pin(async move {
        let opening = |why: ClientError| BenchError::Opening { who: "a pair at the bare echo", why };
        let opening_all = try_join_all((0..load.matches).map(|nth| open(address, nth)));
        let opened = unless(stop, opening_all).await?.map_err(opening)?;
        let run_state = Arc::new(RunState::new(load.turns_max));
        let from = Instant::now() + load.warm_up;
        let until = load.duration.map(|duration| from + duration);
        run_state.open(Window { from, until });
        let text = "x".repeat(usize::try_from(message_bytes).unwrap_or(usize::MAX).max(1));
        let mut pairs = JoinSet::new();
        let (scheduler, starts) = TurnScheduler::new(load);
        scheduler.start(from - load.warm_up, &run_state);
        for (sockets, starts) in opened.into_iter().zip(starts) {
            pairs.spawn(play(sockets, starts, Arc::clone(&run_state), Message::text(text.clone())));
        }
        let mut ended = std::pin::pin!(async {
            let mut whole = Tally::default();
            while let Some(tally) = pairs.join_next().await {
                whole.add(&tally?.map_err(opening)?);
            }
            Ok::<_, BenchError>(whole)
        });
        let end = async {
            match until {
                Some(until) => sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let all_ended = tokio::select! {
            ended = &mut ended => Some(ended),
            () = end => None,
            () = stop.cancelled() => None,
        };
        let at = until.map_or(Instant::now(), |until| until.min(Instant::now()));
        run_state.end();
        let silence = || opening(ClientError::Silence(END_WITHIN.as_secs()));
        let whole = match all_ended {
            Some(ended) => ended?,
            None => timeout(END_WITHIN, ended).await.map_err(|_| silence())??,
        };
        let played = whole.players(at.saturating_duration_since(from).as_secs_f64(), &run_state.given_up(at));
        Ok(Echo {
            message_bytes,
            turns_per_s: played.turns_per_s,
            acknowledged: played.acknowledged,
            received: played.received,
        })
    })
}

async fn open(address: SocketAddr, nth: usize) -> Result<[Socket; 2], ClientError> {
    let url = format!("ws://{address}/");
    let mut sockets = [open_socket(&url, address, None).await?, open_socket(&url, address, None).await?];
    for socket in &mut sockets {
        socket.send(Message::text(nth.to_string())).await.map_err(ConnectionError::from)?;
    }
    Ok(sockets)
}

/// Plays a pair: both send in turn, each when both have received the message before.
async fn play(
    mut sockets: [Socket; 2],
    mut starts: TurnTimes,
    run_state: Arc<RunState>,
    message: Message,
) -> Result<Tally, ClientError> {
    let mut tally = Tally::default();
    for by in [0, 1].into_iter().cycle() {
        let Some(due) = starts.next().await else { break };
        if !run_state.take_turn(due) {
            starts.give_up(Some(due), &run_state);
            break;
        }
        let counts = run_state.counts(due);
        tally.sent += u64::from(counts);
        sockets[by].send(message.clone()).await.map_err(ConnectionError::from)?;
        let [one, two] = &mut sockets;
        let (mut one_heard, mut two_heard) = (false, false);
        while !(one_heard && two_heard) {
            let (heard_by, message) = tokio::select! {
                biased;
                message = one.next() => (0, message),
                message = two.next() => (1, message),
            };
            let closed = || ConnectionError::Closed { code: 1006, reason: String::new() };
            if !message.ok_or_else(closed)?.map_err(ConnectionError::from)?.is_text() {
                continue;
            }
            *if heard_by == 0 { &mut one_heard } else { &mut two_heard } = true;
            if counts {
                if heard_by == by { &mut tally.acknowledged } else { &mut tally.received }
                    .record(due.elapsed());
            }
        }
        run_state.turns.fetch_add(1, Relaxed);
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{
        super::load::{Arrival, Pace},
        *,
    };

    #[tokio::test]
    async fn every_message_comes_back_and_reaches_the_opponent() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let server = tokio::spawn(serve(listener));
        let paces = [Pace::Closed, Pace::Rate { turns_per_s: 2_000.0, arrival: Arrival::Even }];
        for pace in paces {
            let load = Load {
                matches: 3,
                pace,
                turns_max: Some(300),
                warm_up: Duration::ZERO,
                duration: None,
                ..Load::modest(address.into())
            };
            let echo = measure(&load, address, 500, &CancellationToken::new()).await.expect("an echo");
            let counted = [echo.acknowledged, echo.received].map(|latency| latency.expect("timed").count);
            assert_eq!((counted, echo.message_bytes), ([300, 300], 500), "{pace:?}");
        }
        server.abort();
    }
}
