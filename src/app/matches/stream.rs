//! Streams of a match: a reader gets its events in order, at its own pace.

use std::sync::Arc;

use bytes::Bytes;
use lusoria_play::{MatchId, Phase, PlayerId};
use lusoria_protocol::Problem;

use crate::{
    app::{App, Caller, problem},
    live::{Mailbox, Positions, Published, Watch},
};

/// How many events are read at once.
pub const BATCH: u32 = 64;

/// How far a reader is behind a match, for the metrics. A reader who begins far back only reads what they
/// asked for: they are behind once they have been at the head and no longer are.
#[derive(Debug, Default)]
pub struct Lag {
    was_at_head: bool,
    /// Whether they were behind by more than a batch at their last read.
    is_lagging: bool,
}

impl Lag {
    /// Notes a read with that many unread events.
    pub fn reads_on(&mut self, events: u32) {
        let lags = events > BATCH;
        if self.was_at_head && events > 0 {
            metrics::histogram!("lusoria_reader_lag_events").record(events);
            if lags && !self.is_lagging {
                metrics::counter!("lusoria_readers_lagging_total").increment(1);
            }
            self.is_lagging = lags;
        }
        // A batch takes them to the head.
        self.was_at_head |= !lags;
    }

    /// Notes that they skipped to the head.
    pub fn skips(&mut self) {
        *self = Self { was_at_head: true, is_lagging: false };
    }
}

/// A reader of one match, with its cursor.
pub struct Reader {
    app: Arc<App>,
    mailbox: Arc<Mailbox>,
    watch: Watch,
    who: Option<PlayerId>,
    cursor: u32,
    positions: Positions,
    lag: Lag,
}

impl Reader {
    /// The number of the match's last event.
    pub fn head(&self) -> u32 {
        self.watch.room().state().head()
    }

    /// Waits for the next events, each one line of JSON. None once the match has ended and everything has
    /// been read.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn next(&mut self) -> Result<Option<Vec<Bytes>>, Problem> {
        loop {
            // A reader who has taken a seat since counts as a player from now on.
            if let Some(who) = self.who {
                self.watch.sit(who);
            }
            // Read this before the events: the end of the match may come in between.
            let ended = matches!(self.watch.room().state().phase(), Phase::Ended(_));
            self.lag.reads_on(self.head().saturating_sub(self.cursor));
            let events = self.app.after(&self.watch, self.cursor, BATCH, self.positions).await?;
            if let Some(last) = events.last() {
                self.cursor = last.seq;
                return Ok(Some(events.into_iter().map(|published| published.text).collect()));
            }
            if ended {
                return Ok(None);
            }
            self.mailbox.take().await;
        }
    }

    /// Like [`Reader::next`], but without waiting: none at the head.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn next_now(&mut self) -> Result<Option<Vec<Bytes>>, Problem> {
        self.lag.reads_on(self.head().saturating_sub(self.cursor));
        let events = self.app.after(&self.watch, self.cursor, BATCH, self.positions).await?;
        let Some(last) = events.last() else { return Ok(None) };
        self.cursor = last.seq;
        Ok(Some(events.into_iter().map(|published| published.text).collect()))
    }
}

impl App {
    /// A reader of the events after `since`.
    ///
    /// # Errors
    /// `no_such_match`; `unavailable`.
    pub async fn read(
        self: &Arc<Self>,
        id: MatchId,
        since: u32,
        positions: Positions,
        caller: Option<&Caller>,
    ) -> Result<Reader, Problem> {
        let mailbox = Arc::new(Mailbox::default());
        let watch = self.watch(id, &mailbox, caller).await?;
        let (app, who) = (Arc::clone(self), caller.map(Caller::id));
        Ok(Reader { app, mailbox, watch, who, cursor: since, positions, lag: Lag::default() })
    }

    /// Watches a match with a mailbox that may serve several.
    ///
    /// # Errors
    /// `no_such_match`; `unavailable`.
    pub async fn watch(
        &self,
        id: MatchId,
        mailbox: &Arc<Mailbox>,
        caller: Option<&Caller>,
    ) -> Result<Watch, Problem> {
        self.live.watch(id, Arc::clone(mailbox), caller.map(Caller::id)).await.map_err(problem::command)
    }

    /// Reads what other nodes have added to a watched match.
    ///
    /// # Errors
    /// `no_such_match`; `unavailable`.
    pub async fn look_at(&self, watch: &Watch) -> Result<(), Problem> {
        self.live.look_at(watch.room()).await.map_err(problem::command)
    }

    /// Committed events after `since` of a watched match, at most `limit`.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn after(
        &self,
        watch: &Watch,
        since: u32,
        limit: u32,
        positions: Positions,
    ) -> Result<Vec<Published>, Problem> {
        self.live.events_of(watch.room(), since, limit, positions).await.map_err(problem::store)
    }
}

#[cfg(test)]
mod tests;
