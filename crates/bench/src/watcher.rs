//! Watchers of a pair: most read as fast as they can, some slowly, some not at all.

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use lusoria_protocol::{
    MatchId,
    socket::{OfMatch, OnLag, Op, Watch},
};
use serde::Deserialize;
use tokio::{
    io::Interest,
    net::TcpStream,
    sync::{mpsc, watch},
    time::{Instant, sleep, timeout},
};

use super::{
    audience::{Audience, Membership, ShownMatch},
    connection_opener::ConnectionOpener,
    error::ClientError,
    event_order::{EventOrder, Head},
    load::WatcherKind,
    run_state::RunState,
    tally::Tally,
};
use lusoria_client::{Connection, ConnectionError, EventMessage, Incoming, tcp};

/// How long a watcher waits for the last events of a finished match.
const LAST_WITHIN: Duration = Duration::from_secs(5);

/// The pause before a watcher reconnects.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How often a silent watcher checks whether they are still connected.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A watcher of a pair.
pub(super) struct Watcher {
    pub(super) opener: Arc<ConnectionOpener>,
    pub(super) run_state: Arc<RunState>,
    pub(super) audience: Arc<Audience>,
    /// Notifies the run that the watcher is ready.
    pub(super) ready: Option<mpsc::Sender<()>>,
    pub(super) kind: WatcherKind,
    pub(super) on_lag: OnLag,
    pub(super) pause: Duration,
    pub(super) tally: Tally,
}

/// The fields of a `skipped` notice.
#[derive(Deserialize)]
struct Skipped {
    #[serde(rename = "match")]
    id: MatchId,
    from: u32,
    to: u32,
}

impl Watcher {
    /// Watches until the run is over.
    ///
    /// # Errors
    /// If the watcher cannot connect at all.
    pub(super) async fn watch(mut self) -> Result<Tally, ClientError> {
        loop {
            let error = match self.come().await {
                Ok(()) => return Ok(self.tally),
                Err(error) if self.ready.is_some() => return Err(error),
                Err(error) => error,
            };
            // The server may close the connection of a client that does not read.
            if self.kind == WatcherKind::Reading {
                self.tally.count_error(&error, &self.run_state);
            } else {
                self.tally.sent_away += 1;
            }
            sleep(error.retry_after_s().map_or(AGAIN_AFTER, Duration::from_secs)).await;
            if self.run_state.is_over(Instant::now()) {
                return Ok(self.tally);
            }
        }
    }

    async fn come(&mut self) -> Result<(), ClientError> {
        let mut connection = self.opener.open(None).await?;
        if self.kind != WatcherKind::Reading {
            let mut showing = self.audience.subscribe();
            self.say_ready().await;
            return match self.kind {
                WatcherKind::Silent => self.keep_silent(connection, &mut showing).await,
                WatcherKind::Slow | WatcherKind::Reading => {
                    self.follow(&mut connection, &mut showing, &mut None).await
                }
            };
        }
        let (membership, mut showing) = self.audience.join();
        let mut membership = Some(membership);
        self.say_ready().await;
        let followed = self.follow(&mut connection, &mut showing, &mut membership).await;
        if let Some(membership) = membership {
            self.audience.leave(membership);
        }
        followed
    }

    async fn say_ready(&mut self) {
        if let Some(ready) = self.ready.take() {
            // The run may have given up waiting.
            let _ = ready.send(()).await;
        }
    }

    /// Watches one match after the other, as they are shown.
    async fn follow(
        &mut self,
        connection: &mut Connection,
        showing: &mut watch::Receiver<ShownMatch>,
        membership: &mut Option<Membership>,
    ) -> Result<(), ClientError> {
        let mut now = *showing.borrow_and_update();
        let mut watched = None;
        loop {
            if now.over {
                return Ok(());
            }
            if let Some(id) = now.id {
                let head = self.turn_to(connection, id, watched.replace(id)).await?;
                let counts = membership
                    .as_mut()
                    .is_some_and(|membership| self.audience.begin_watching(membership, now.number));
                now = self.read(connection, showing, id, EventOrder::after(head), counts).await?;
            } else {
                tokio::select! {
                    heard = connection.receive() => { heard?; }
                    next = shown_next(showing) => now = next,
                }
            }
        }
    }

    /// Watches a match in place of the previous one.
    async fn turn_to(
        &mut self,
        connection: &mut Connection,
        id: MatchId,
        before: Option<MatchId>,
    ) -> Result<u32, ClientError> {
        if let Some(before) = before {
            connection.send(Op::Unwatch(OfMatch { id: before })).await?;
        }
        let watch = Watch { id, since: None, on_lag: self.on_lag, positions: true, spectating: true };
        let Head { head } = connection.ask(Op::Watch(watch)).await?;
        Ok(head)
    }

    /// Reads a match to its end. Returns what is shown after it.
    async fn read(
        &mut self,
        connection: &mut Connection,
        showing: &mut watch::Receiver<ShownMatch>,
        id: MatchId,
        mut order: EventOrder,
        counts: bool,
    ) -> Result<ShownMatch, ClientError> {
        let next = loop {
            tokio::select! {
                biased;
                heard = connection.receive() => self.receive(id, &mut order, &heard?, counts).await,
                next = shown_next(showing) => break next,
            }
        };
        let Some(last) = next.ended.filter(|(ended, _)| *ended == id).map(|(_, last)| last) else {
            return Ok(next);
        };
        if self.kind == WatcherKind::Reading {
            let rest = async {
                while order.head() < last {
                    self.receive(id, &mut order, &connection.receive().await?, counts).await;
                }
                Ok::<_, ConnectionError>(())
            };
            match timeout(LAST_WITHIN, rest).await {
                Ok(read) => read?,
                Err(_) => self.tally.missing += u64::from(last - order.head()),
            }
        }
        Ok(next)
    }

    async fn receive(&mut self, id: MatchId, order: &mut EventOrder, heard: &Incoming, counts: bool) {
        match heard {
            Incoming::Event(event) if event.id == id => self.event(order, event, counts),
            Incoming::Notice(notice) if notice.kind == "skipped" => {
                if let Ok(skipped) = notice.read_as::<Skipped>()
                    && skipped.id == id
                {
                    let Skipped { from, to, .. } = skipped;
                    if let Some((place, count)) = order.skip(from, to) {
                        self.tally.place(place);
                        self.tally.skipped += count;
                    } else {
                        let why = format!("the events {from} to {to} are left out");
                        self.tally.count_error(&ConnectionError::Unreadable(why).into(), &self.run_state);
                    }
                }
            }
            Incoming::Event(_) | Incoming::Notice(_) | Incoming::Answer { .. } => {}
        }
        if self.kind == WatcherKind::Slow {
            sleep(self.pause).await;
        }
    }

    fn event(&mut self, order: &mut EventOrder, event: &EventMessage, counts: bool) {
        let now = Instant::now();
        self.tally.place(order.receive(event.seq));
        self.run_state.deliveries.fetch_add(1, Relaxed);
        if self.kind == WatcherKind::Slow {
            self.tally.slow_deliveries += u64::from(self.run_state.counts(now));
            return;
        }
        self.tally.deliveries += u64::from(self.run_state.counts(now));
        if !counts {
            return;
        }
        if !self.audience.is_unchanged(event.seq, event.text()) {
            self.tally.changed += 1;
        }
        if let Some(delivered) = self.audience.received(event.seq, now)
            && self.run_state.counts(delivered.due)
        {
            self.tally.delivered.record(delivered.after);
            if delivered.is_last {
                self.tally.delivered_to_all.record(delivered.after);
            }
        }
    }

    /// Begins to watch the first match that is shown and never reads again. Ends when the server closes the
    /// connection, or the run is over.
    async fn keep_silent(
        &mut self,
        mut connection: Connection,
        showing: &mut watch::Receiver<ShownMatch>,
    ) -> Result<(), ClientError> {
        let mut now = *showing.borrow_and_update();
        while now.id.is_none() && !now.over {
            tokio::select! {
                heard = connection.receive() => { heard?; }
                next = shown_next(showing) => now = next,
            }
        }
        let Some(id) = now.id else { return Ok(()) };
        self.turn_to(&mut connection, id, None).await?;
        let stream = connection.into_stream();
        loop {
            if is_closed(tcp(&stream)).await {
                return Err(ConnectionError::Closed { code: 1006, reason: String::new() }.into());
            }
            tokio::select! {
                () = sleep(LOOK_EVERY) => {}
                _ = showing.wait_for(|showing| showing.over) => return Ok(()),
            }
        }
    }
}

/// The next match that is shown; the run counts as over if the pair is gone.
async fn shown_next(showing: &mut watch::Receiver<ShownMatch>) -> ShownMatch {
    let gone = showing.changed().await.is_err();
    let mut now = *showing.borrow_and_update();
    now.over |= gone;
    now
}

/// Whether the other side has closed the connection. Nothing is read from it.
async fn is_closed(stream: &TcpStream) -> bool {
    match stream.ready(Interest::READABLE | Interest::WRITABLE).await {
        Ok(ready) => ready.is_read_closed() || ready.is_write_closed(),
        Err(_) => true,
    }
}
