//! The watches of a socket, and its progress in each match.

use std::{collections::VecDeque, sync::Arc};

use axum::extract::ws::Utf8Bytes;
use lusoria_protocol::{
    Code, MatchId, Notice, Problem, Snapshot, ToJson,
    socket::{OnLag, Watch as WatchRequest, WatchOk},
};

use super::reply::text;
use crate::{
    app::{App, BATCH, Caller, Lag, within_head},
    live::{GivenTurn, Mailbox, Positions, Watch},
};

/// The approximate length of an event, in bytes.
const EVENT_BYTES: u64 = 256;

/// All watches of a socket. Those that are behind wait in a queue and get one batch each in turn, so that one that is
/// far behind delays the others by a batch.
#[derive(Default)]
pub(super) struct Watches {
    /// Ordered by match: other watchers learn in this order that the client has left. A list, because most sockets
    /// have one watch, and there are many sockets.
    watched: Vec<Watched>,
    behind: VecDeque<MatchId>,
}

struct Watched {
    watch: Watch,
    /// The last event sent.
    cursor: u32,
    on_lag: OnLag,
    positions: Positions,
    lag: Lag,
    queued: bool,
}

impl Watched {
    fn id(&self) -> MatchId {
        self.watch.room().id()
    }
}

impl Watches {
    /// Watches a match, or reads it again from another event. The response must be sent before any event.
    ///
    /// # Errors
    /// `too_many_watches`; `ahead_of_journal`; `no_such_match`;
    /// `unavailable`.
    pub(super) async fn watch(
        &mut self,
        app: &App,
        mailbox: &Arc<Mailbox>,
        caller: Option<&Caller>,
        request: &WatchRequest,
        watches_max: usize,
    ) -> Result<WatchOk, Problem> {
        let &WatchRequest { id, on_lag, positions, spectating, .. } = request;
        let positions = Positions::asked(positions);
        if let Some(watched) = self.find(id) {
            let (cursor, ok) = begin(app, &watched.watch, caller, request).await?;
            (watched.cursor, watched.on_lag, watched.positions) = (cursor, on_lag, positions);
            watched.watch.count_as_spectator(spectating);
            watched.lag = Lag::default();
            self.mark(id);
            return Ok(ok);
        }
        if self.watched.len() >= watches_max {
            return Err(too_many_watches(watches_max));
        }
        // From here on the mailbox is marked for every event: none is missed between the response and later messages.
        let mut watch = app.watch(id, mailbox, caller).await?;
        watch.count_as_spectator(spectating);
        let (cursor, ok) = begin(app, &watch, caller, request).await?;
        let lag = Lag::default();
        let watched = Watched { watch, cursor, on_lag, positions, lag, queued: false };
        let at = self.watched.partition_point(|other| other.id() < id);
        self.watched.insert(at, watched);
        self.mark(id);
        Ok(ok)
    }

    /// Stops watching.
    ///
    /// # Errors
    /// `not_watching`.
    pub(super) fn unwatch(&mut self, id: MatchId) -> Result<(), Problem> {
        let at = self.place(id).map_err(|_| Problem::from(Code::NotWatching))?;
        self.watched.remove(at);
        self.behind.retain(|behind| *behind != id);
        Ok(())
    }

    fn place(&self, id: MatchId) -> Result<usize, usize> {
        self.watched.binary_search_by_key(&id, Watched::id)
    }

    fn find(&mut self, id: MatchId) -> Option<&mut Watched> {
        let at = self.place(id).ok()?;
        self.watched.get_mut(at)
    }

    /// Notes that a match may have unsent events.
    pub(super) fn mark(&mut self, id: MatchId) {
        if let Some(watched) = self.find(id)
            && !watched.queued
        {
            watched.queued = true;
            self.behind.push_back(id);
        }
    }

    /// Whether any match may have unsent events.
    pub(super) fn is_behind(&self) -> bool {
        !self.behind.is_empty()
    }

    /// The next messages for the match whose turn it is: at most a batch of its events and about `room` bytes, or a
    /// notice that some are skipped. Also the turn that they give the client, if its line is to be measured.
    ///
    /// # Errors
    /// `unavailable`.
    pub(super) async fn next_batch(
        &mut self,
        app: &App,
        caller: Option<&Caller>,
        room: u64,
    ) -> Result<(Vec<Utf8Bytes>, Option<GivenTurn>), Problem> {
        let Some(id) = self.behind.pop_front() else { return Ok(Default::default()) };
        let Some(watched) = self.find(id) else { return Ok(Default::default()) };
        watched.queued = false;
        if let Some(caller) = caller {
            watched.watch.sit(caller.id());
        }
        let since = watched.cursor;
        let lag = head(&watched.watch).saturating_sub(since);
        watched.lag.reads_on(lag);
        let batch = match watched.on_lag {
            OnLag::Snapshot if lag > BATCH => {
                let snapshot = Box::pin(app.snapshot(id, caller)).await?;
                let (from, to) = (watched.cursor + 1, snapshot.head);
                watched.cursor = to;
                watched.lag.skips();
                vec![skipped(id, from, to, snapshot)]
            }
            OnLag::Snapshot | OnLag::Journal => {
                let (limit, positions) = (events_in(room), watched.positions);
                let events = app.after(&watched.watch, watched.cursor, limit, positions).await?;
                if let Some(last) = events.last() {
                    watched.cursor = last.seq;
                }
                events.into_iter().map(|published| text(published.text)).collect()
            }
        };
        let turn = watched.watch.turn_given(since, watched.cursor);
        if !batch.is_empty() && watched.cursor < head(&watched.watch) {
            self.mark(id);
        }
        Ok((batch, turn))
    }
}

/// The event at which reading begins, and the response that says so.
async fn begin(
    app: &App,
    watch: &Watch,
    caller: Option<&Caller>,
    request: &WatchRequest,
) -> Result<(u32, WatchOk), Problem> {
    if let Some(since) = request.since {
        if since > head(watch) {
            // Another node may have advanced the match.
            app.look_at(watch).await?;
        }
        let head = head(watch);
        within_head(since, head)?;
        return Ok((since, WatchOk { head, snapshot: None }));
    }
    let snapshot = Box::new(app.snapshot(request.id, caller).await?);
    Ok((snapshot.head, WatchOk { head: snapshot.head, snapshot: Some(snapshot) }))
}

fn head(watch: &Watch) -> u32 {
    watch.room().state().head()
}

/// The number of events in a batch of this many bytes.
fn events_in(room: u64) -> u32 {
    u32::try_from(room / EVENT_BYTES).unwrap_or(BATCH).clamp(1, BATCH)
}

fn skipped(id: MatchId, from: u32, to: u32, snapshot: Snapshot) -> Utf8Bytes {
    let notice = Notice::Skipped { id, from, to, snapshot: Box::new(snapshot) };
    text(notice.to_json())
}

pub(super) fn too_many_watches(limit: usize) -> Problem {
    let detail = format!("a socket watches at most {limit} matches: unwatch some");
    Problem::new(Code::TooManyWatches, detail).with_limit(limit.try_into().unwrap_or(u64::MAX))
}
