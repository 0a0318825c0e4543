//! The load: all pairs play at the same time, and a watcher watches.

use std::{net::SocketAddr, time::Duration};

use lusoria_client::{Connection, ConnectionError, Incoming};
use lusoria_protocol::{
    MatchId,
    socket::{OnLag, Op, Watch},
};
use serde_json::value::RawValue;
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
};

use super::{
    TrialError,
    error::{NoAnswer, broken, promised},
    pair::Pair,
};
use crate::in_time::in_time;

/// How long a client waits before it repeats a request that the server refused temporarily.
const TRY_AGAIN_AFTER: Duration = Duration::from_millis(20);

/// The close code of a server that stops, or is cut off from its database: clients reconnect.
const COME_BACK: u16 = 1012;

/// The status of a server that temporarily accepts no sockets.
const UNAVAILABLE: u16 = 503;

/// The load on a server.
pub(super) struct Playing {
    pairs: JoinSet<(Pair, Ended, u64)>,
    watcher: JoinHandle<Watched>,
    stop: watch::Sender<bool>,
}

/// How the load of a pair ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// It was stopped.
    Stopped,
    /// The server is down.
    Gone(ConnectionError),
    /// A promise was broken.
    Broken(String),
}

/// The events that the watcher has received, and why it stopped.
pub(super) struct Watched {
    events: Vec<(MatchId, Box<str>)>,
    broken: Option<String>,
}

/// The result of the load.
#[derive(Debug, Default)]
pub(super) struct Load {
    /// How each pair ended.
    pub(super) ended: Vec<Ended>,
    /// How often the server was unavailable.
    pub(super) unavailable: u64,
    /// How often it closed a socket and clients reconnected.
    pub(super) cut_off: u64,
}

impl Playing {
    /// Starts all pairs.
    pub(super) fn begin(pairs: Vec<Pair>, at: SocketAddr) -> Self {
        let (stop, stopped) = watch::channel(false);
        let matches = pairs
            .iter()
            .filter_map(|pair| pair.current.as_ref())
            .map(|current| (current.id(), current.seen.whole_until()))
            .collect();
        let watcher = tokio::spawn(look_on(matches, at, stopped.clone()));
        let pairs = pairs.into_iter().map(|pair| play(pair, at, stopped.clone())).collect();
        Self { pairs, watcher, stop }
    }

    /// Waits until the load ends by itself, because the server is down or soon will be.
    pub(super) async fn end(mut self, pairs: &mut Vec<Pair>) -> Load {
        let mut load = Load::default();
        while let Some(ended) = self.pairs.join_next().await {
            let (mut pair, ended, cut_off) = ended.expect("a pair does not panic");
            pair.hang_up();
            load.cut_off += cut_off;
            load.unavailable += std::mem::take(&mut pair.unavailable);
            load.ended.push(ended);
            pairs.push(pair);
        }
        pairs.sort_by_key(Pair::number);
        // The watcher waits until the server is down, or this.
        self.stop.send_replace(true);
        let watched = self.watcher.await.expect("a watcher does not panic");
        load.ended.extend(watched.broken.map(Ended::Broken));
        for (id, event) in watched.events {
            let seen = pairs.iter_mut().find_map(|pair| pair.seen_of(id));
            if let Some(Err(TrialError::Broken(what))) = seen.map(|seen| seen.see(&event)) {
                load.ended.push(Ended::Broken(what));
            }
        }
        load
    }

    /// Ends the load while the server continues.
    pub(super) async fn stop(self, pairs: &mut Vec<Pair>) -> Load {
        self.stop.send_replace(true);
        self.end(pairs).await
    }
}

async fn play(mut pair: Pair, at: SocketAddr, stopped: watch::Receiver<bool>) -> (Pair, Ended, u64) {
    let mut cut_off = 0;
    loop {
        if *stopped.borrow() {
            return (pair, Ended::Stopped, cut_off);
        }
        match pair.step([at; 2]).await {
            Ok(_) => continue,
            Err(TrialError::NoAnswer(NoAnswer::Lost(lost))) => {
                // Events that were pushed before the end count as published.
                let heard = pair.receive();
                pair.hang_up();
                if let Err(TrialError::Broken(what)) = heard {
                    return (pair, Ended::Broken(what), cut_off);
                }
                match lost {
                    ConnectionError::Closed { code: COME_BACK, .. } => cut_off += 1,
                    ConnectionError::Refused { status: UNAVAILABLE, .. } => pair.unavailable += 1,
                    gone => return (pair, Ended::Gone(gone), cut_off),
                }
            }
            Err(TrialError::NoAnswer(NoAnswer::Unavailable(_))) => pair.unavailable += 1,
            Err(TrialError::Broken(what)) => return (pair, Ended::Broken(what), cut_off),
        }
        tokio::time::sleep(TRY_AGAIN_AFTER).await;
    }
}

/// Watches the matches and keeps the published events.
async fn look_on(
    mut heads: Vec<(MatchId, u32)>,
    at: SocketAddr,
    mut stopped: watch::Receiver<bool>,
) -> Watched {
    let mut watched = Watched { events: Vec::new(), broken: None };
    let looked = tokio::select! {
        looked = look(&mut heads, at, &mut watched) => looked,
        _ = stopped.wait_for(|&stopped| stopped) => Ok(()),
    };
    if let Err(TrialError::Broken(what)) = looked {
        watched.broken = Some(what);
    }
    watched
}

async fn look(heads: &mut [(MatchId, u32)], at: SocketAddr, watched: &mut Watched) -> Result<(), TrialError> {
    let (mut connection, _) = in_time(Connection::open(&at.into(), at, None, None)).await?;
    for &(id, since) in &*heads {
        let watch =
            Watch { id, since: Some(since), on_lag: OnLag::Journal, positions: true, spectating: true };
        let _: Box<RawValue> = in_time(connection.ask(Op::Watch(watch))).await?;
    }
    loop {
        let Incoming::Event(event) = connection.receive().await? else { continue };
        let head = heads.iter_mut().find(|(id, _)| *id == event.id).map(|(_, head)| head);
        let head = head.ok_or_else(|| broken!("an event of a match that is not watched"))?;
        promised!(event.seq == *head + 1, "event {} of {} was pushed after {head}", event.seq, event.id);
        *head = event.seq;
        watched.events.push((event.id, event.text().into()));
    }
}
