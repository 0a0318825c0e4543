//! Those who watch a pair: most read as fast as they can, some slowly, some not at all.

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
    connector::Connector,
    course::Course,
    gallery::{Gallery, Seat, Showing},
    load::Kind,
    order::{Head, Order},
    tally::Tally,
    trouble::Trouble,
};
use lusoria_client::{Connection, Heard, Lost, Numbered};

/// How long a watcher waits for the last events of a match that has ended.
const LAST_WITHIN: Duration = Duration::from_secs(5);

/// How long a watcher whose connection was lost waits before coming back.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How often a silent watcher looks whether they are still connected.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Somebody who watches a pair.
pub(super) struct Watcher {
    pub(super) connector: Arc<Connector>,
    pub(super) course: Arc<Course>,
    pub(super) gallery: Arc<Gallery>,
    /// Tells the run that they are in place.
    pub(super) ready: Option<mpsc::Sender<()>>,
    pub(super) kind: Kind,
    pub(super) on_lag: OnLag,
    pub(super) pause: Duration,
    pub(super) tally: Tally,
}

/// What a notice may say that matters here.
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
    /// If they cannot be brought into place at all.
    pub(super) async fn watch(mut self) -> Result<Tally, Trouble> {
        loop {
            let trouble = match self.come().await {
                Ok(()) => return Ok(self.tally),
                Err(trouble) if self.ready.is_some() => return Err(trouble),
                Err(trouble) => trouble,
            };
            // The server may close the connection of a client that does not read.
            if self.kind == Kind::Reading {
                self.tally.trouble(&trouble, &self.course);
            } else {
                self.tally.sent_away += 1;
            }
            sleep(trouble.retry_after_s().map_or(AGAIN_AFTER, Duration::from_secs)).await;
            if self.course.is_over(Instant::now()) {
                return Ok(self.tally);
            }
        }
    }

    async fn come(&mut self) -> Result<(), Trouble> {
        let mut connection = self.connector.open(None).await?;
        if self.kind != Kind::Reading {
            let mut showing = self.gallery.subscribe();
            self.say_ready().await;
            return match self.kind {
                Kind::Silent => self.keep_silent(connection, &mut showing).await,
                Kind::Slow | Kind::Reading => self.follow(&mut connection, &mut showing, &mut None).await,
            };
        }
        let (seat, mut showing) = self.gallery.come();
        let mut seat = Some(seat);
        self.say_ready().await;
        let followed = self.follow(&mut connection, &mut showing, &mut seat).await;
        if let Some(seat) = seat {
            self.gallery.leave(seat);
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
        showing: &mut watch::Receiver<Showing>,
        seat: &mut Option<Seat>,
    ) -> Result<(), Trouble> {
        let mut now = *showing.borrow_and_update();
        let mut watched = None;
        loop {
            if now.over {
                return Ok(());
            }
            if let Some(id) = now.id {
                let head = self.turn_to(connection, id, watched.replace(id)).await?;
                let counts = seat.as_mut().is_some_and(|seat| self.gallery.sit(seat, now.number));
                now = self.read(connection, showing, id, Order::after(head), counts).await?;
            } else {
                tokio::select! {
                    heard = connection.hear() => { heard?; }
                    next = shown_next(showing) => now = next,
                }
            }
        }
    }

    /// Watches a match, and the one before no more.
    async fn turn_to(
        &mut self,
        connection: &mut Connection,
        id: MatchId,
        before: Option<MatchId>,
    ) -> Result<u32, Trouble> {
        if let Some(before) = before {
            connection.send(Op::Unwatch(OfMatch { id: before })).await?;
        }
        let Head { head } = connection.ask(Op::Watch(Watch { id, since: None, on_lag: self.on_lag })).await?;
        Ok(head)
    }

    /// Reads a match to its end; what is shown after it.
    async fn read(
        &mut self,
        connection: &mut Connection,
        showing: &mut watch::Receiver<Showing>,
        id: MatchId,
        mut order: Order,
        counts: bool,
    ) -> Result<Showing, Trouble> {
        let next = loop {
            tokio::select! {
                biased;
                heard = connection.hear() => self.hear(id, &mut order, &heard?, counts).await,
                next = shown_next(showing) => break next,
            }
        };
        let Some(last) = next.ended.filter(|(ended, _)| *ended == id).map(|(_, last)| last) else {
            return Ok(next);
        };
        if self.kind == Kind::Reading {
            let rest = async {
                while order.head() < last {
                    self.hear(id, &mut order, &connection.hear().await?, counts).await;
                }
                Ok::<_, Lost>(())
            };
            match timeout(LAST_WITHIN, rest).await {
                Ok(read) => read?,
                Err(_) => self.tally.missing += u64::from(last - order.head()),
            }
        }
        Ok(next)
    }

    async fn hear(&mut self, id: MatchId, order: &mut Order, heard: &Heard, counts: bool) {
        match heard {
            Heard::Event(event) if event.id == id => self.event(order, event, counts),
            Heard::Notice(notice) if notice.kind == "skipped" => {
                if let Ok(skipped) = notice.read_as::<Skipped>()
                    && skipped.id == id
                {
                    let Skipped { from, to, .. } = skipped;
                    if let Some((place, count)) = order.skip(from, to) {
                        self.tally.place(place);
                        self.tally.skipped += count;
                    } else {
                        let why = format!("the events {from} to {to} are left out");
                        self.tally.trouble(&Lost::Unreadable(why).into(), &self.course);
                    }
                }
            }
            Heard::Event(_) | Heard::Notice(_) | Heard::Answer { .. } => {}
        }
        if self.kind == Kind::Slow {
            sleep(self.pause).await;
        }
    }

    fn event(&mut self, order: &mut Order, event: &Numbered, counts: bool) {
        let now = Instant::now();
        self.tally.place(order.hear(event.seq));
        self.course.deliveries.fetch_add(1, Relaxed);
        if self.kind == Kind::Slow {
            self.tally.slow_deliveries += u64::from(self.course.counts(now));
            return;
        }
        self.tally.deliveries += u64::from(self.course.counts(now));
        if !counts {
            return;
        }
        if !self.gallery.reads_the_same(event.seq, event.text()) {
            self.tally.changed += 1;
        }
        if let Some(delivered) = self.gallery.received(event.seq, now)
            && self.course.counts(delivered.due)
        {
            self.tally.delivered.record(delivered.after);
            if delivered.is_last {
                self.tally.delivered_to_all.record(delivered.after);
            }
        }
    }

    /// Watches the first match that is shown and never reads again. Ends when the server
    /// has had enough of it, or the run is over.
    async fn keep_silent(
        &mut self,
        mut connection: Connection,
        showing: &mut watch::Receiver<Showing>,
    ) -> Result<(), Trouble> {
        let mut now = *showing.borrow_and_update();
        while now.id.is_none() && !now.over {
            tokio::select! {
                heard = connection.hear() => { heard?; }
                next = shown_next(showing) => now = next,
            }
        }
        let Some(id) = now.id else { return Ok(()) };
        self.turn_to(&mut connection, id, None).await?;
        let stream = connection.into_stream();
        loop {
            if is_closed(stream.tcp()).await {
                return Err(Lost::Closed { code: 1006, reason: String::new() }.into());
            }
            tokio::select! {
                () = sleep(LOOK_EVERY) => {}
                _ = showing.wait_for(|showing| showing.over) => return Ok(()),
            }
        }
    }
}

/// What is shown next; nothing more if the pair is gone.
async fn shown_next(showing: &mut watch::Receiver<Showing>) -> Showing {
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
