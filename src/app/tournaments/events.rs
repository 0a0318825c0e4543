//! The events of a tournament: a page of them, or a reader that follows.

use std::sync::Arc;

use bytes::Bytes;
use lusoria_play::TournamentId;
use lusoria_protocol::{Problem, ToJson, TournamentEvents};

use crate::{
    app::{App, ClientAddress, problem, wire::tournament as wire},
    live::{Mailbox, TopicSubscription},
};

/// How many events a reader reads at once.
const BATCH: u32 = 64;

/// A reader of the events of a tournament, with its cursor.
pub struct TournamentReader {
    app: Arc<App>,
    id: TournamentId,
    cursor: u32,
    mailbox: Arc<Mailbox>,
    _followed: TopicSubscription,
}

impl App {
    /// Events after `since`, at most 1000.
    ///
    /// # Errors
    /// `no_such_tournament`; `too_many_requests`; `unavailable`.
    pub async fn tournament_events(
        &self,
        id: TournamentId,
        since: u32,
        limit: u32,
        address: ClientAddress,
    ) -> Result<TournamentEvents, Problem> {
        let known = self.known_tournament(id).await?;
        let head = known.state.head();
        self.admit_items(address, head.saturating_sub(since).min(limit) as usize)?;
        let events = self.live.tournament_events(id, since, limit).await.map_err(problem::store)?;
        Ok(TournamentEvents {
            head,
            events: events.iter().map(|recorded| wire::event(recorded, &known.state)).collect(),
        })
    }

    /// A reader of the events after `since`, and the number of the last one.
    ///
    /// # Errors
    /// `no_such_tournament`; `unavailable`.
    pub async fn read_tournament(
        self: &Arc<Self>,
        id: TournamentId,
        since: u32,
    ) -> Result<(TournamentReader, u32), Problem> {
        let mailbox = Arc::new(Mailbox::default());
        // Subscribes before it reads, so that no change is missed in between.
        let followed = self.live.subscribe_tournament(&mailbox, id);
        let head = self.known_tournament(id).await?.state.head();
        let reader =
            TournamentReader { app: Arc::clone(self), id, cursor: since, mailbox, _followed: followed };
        Ok((reader, head))
    }
}

impl TournamentReader {
    /// Waits for the next events, each one line of JSON. None once the tournament has ended and everything has been
    /// read.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn next(&mut self) -> Result<Option<Vec<Bytes>>, Problem> {
        loop {
            // Read before the events: the end may come in between.
            let has_ended = self.app.known_tournament(self.id).await?.state.ended().is_some();
            if let Some(events) = self.next_now().await? {
                return Ok(Some(events));
            }
            if has_ended {
                return Ok(None);
            }
            self.mailbox.take().await;
        }
    }

    /// Like [`Self::next`], but without waiting: none at the head.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn next_now(&mut self) -> Result<Option<Vec<Bytes>>, Problem> {
        let events = self.app.live.tournament_events(self.id, self.cursor, BATCH).await;
        let events = events.map_err(problem::store)?;
        let Some(last) = events.last() else { return Ok(None) };
        self.cursor = last.seq;
        // Read after the events: it knows whether their texts were replaced.
        let known = self.app.known_tournament(self.id).await?;
        let line = |recorded| wire::event(recorded, &known.state).to_json().into();
        Ok(Some(events.iter().map(line).collect()))
    }
}
