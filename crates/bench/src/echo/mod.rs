//! The upper limit for comparison: a server that only sends back what a player sends, to them and to their
//! opponent, with the same libraries.

mod http;
mod socket;

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use futures_util::future::{BoxFuture, try_join_all};
use tokio::{
    net::TcpListener,
    task::JoinSet,
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    arrivals::{TurnScheduler, TurnTimes},
    error::{BenchError, ClientError},
    load::{Load, Transport},
    report::Echo,
    run::{END_WITHIN, unless},
    run_state::{RunState, Window},
    tally::Tally,
};

/// The most messages that wait for an opponent who does not read.
const WAITING_MAX: usize = 64;

/// Echoes forever. Over sockets the first message of a client names its pair; each later one is sent back to
/// the client and to its opponent. Over plain HTTP the path names the pair and the seat: a message that is
/// posted there comes back as the response, and as a line of the opponent's stream.
///
/// # Errors
/// If no connection can be accepted.
pub fn serve(listener: TcpListener, over: Transport) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        let (pairs, streams) = (Arc::new(socket::Pairs::default()), Arc::new(http::Streams::default()));
        loop {
            let (stream, _) = listener.accept().await?;
            // A client whose connection breaks does not disturb the others.
            match over {
                Transport::Socket => {
                    let pairs = Arc::clone(&pairs);
                    tokio::spawn(async move { drop(socket::echo(stream, &pairs).await) });
                }
                Transport::Http => {
                    let streams = Arc::clone(&streams);
                    tokio::spawn(async move { drop(http::echo(stream, streams).await) });
                }
            }
        }
    })
}

/// Measures such a server at `address`. As many pairs as the load has matches send messages of this many
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
        let opening_all = try_join_all((0..load.matches).map(|nth| open(load.over, address, nth)));
        let opened = unless(stop, opening_all).await?.map_err(opening)?;
        let run_state = Arc::new(RunState::new(load.turns_max));
        let from = Instant::now() + load.warm_up;
        let until = load.duration.map(|duration| from + duration);
        run_state.open(Window { from, until });
        let text = "x".repeat(usize::try_from(message_bytes).unwrap_or(usize::MAX).max(1));
        let mut pairs = JoinSet::new();
        let (scheduler, starts) = TurnScheduler::new(load);
        scheduler.start(from - load.warm_up, &run_state);
        for (players, starts) in opened.into_iter().zip(starts) {
            pairs.spawn(play(players, starts, Arc::clone(&run_state), text.clone()));
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

/// A player at the bare echo.
enum Player {
    Socket(Box<socket::Player>),
    Http(Box<http::Player>),
}

impl Player {
    async fn open(
        over: Transport,
        address: SocketAddr,
        pair: usize,
        seat: usize,
    ) -> Result<Self, ClientError> {
        Ok(match over {
            Transport::Socket => Self::Socket(Box::new(socket::Player::open(address, pair).await?)),
            Transport::Http => Self::Http(Box::new(http::Player::open(address, pair, seat).await?)),
        })
    }

    async fn send(&mut self, text: &str) -> Result<(), ClientError> {
        match self {
            Self::Socket(player) => player.send(text).await,
            Self::Http(player) => player.send(text).await,
        }
    }

    /// Waits for their own message or their opponent's. Cancel safe.
    async fn receive(&mut self) -> Result<(), ClientError> {
        match self {
            Self::Socket(player) => player.receive().await,
            Self::Http(player) => player.receive().await,
        }
    }
}

async fn open(over: Transport, address: SocketAddr, nth: usize) -> Result<[Player; 2], ClientError> {
    Ok([Player::open(over, address, nth, 0).await?, Player::open(over, address, nth, 1).await?])
}

/// Plays a pair: both send in turn, each after both have received the previous message.
async fn play(
    mut players: [Player; 2],
    mut starts: TurnTimes,
    run_state: Arc<RunState>,
    message: String,
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
        players[by].send(&message).await?;
        let [one, two] = &mut players;
        let (mut one_heard, mut two_heard) = (false, false);
        while !(one_heard && two_heard) {
            let heard_by = tokio::select! {
                biased;
                heard = one.receive() => { heard?; 0 }
                heard = two.receive() => { heard?; 1 }
            };
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
        for over in [Transport::Socket, Transport::Http] {
            echoes(over).await;
        }
    }

    async fn echoes(over: Transport) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound port");
        let server = tokio::spawn(serve(listener, over));
        let paces = [Pace::Closed, Pace::Rate { turns_per_s: 2_000.0, arrival: Arrival::Even }];
        for pace in paces {
            let load = Load {
                over,
                matches: 3,
                pace,
                turns_max: Some(300),
                warm_up: Duration::ZERO,
                duration: None,
                ..Load::modest(address.into())
            };
            let echo = measure(&load, address, 500, &CancellationToken::new()).await.expect("an echo");
            let counted = [echo.acknowledged, echo.received].map(|latency| latency.expect("timed").count);
            assert_eq!((counted, echo.message_bytes), ([300, 300], 500), "{over:?} {pace:?}");
        }
        server.abort();
    }
}
