//! The expected state: what the store has committed, folded, and as every reader must see it.

use std::{collections::BTreeMap, sync::Arc};

use lusoria::{app::wire, live::Render};
use lusoria_play::{BySeat, Event, Match, MatchId, Millis, PlayerId, Recorded, Seat};
use serde_json::Value;

/// All matches that were ever committed, in their order.
#[derive(Default)]
pub(super) struct Ledger {
    pub(super) books: BTreeMap<MatchId, Book>,
    pub(super) order: Vec<MatchId>,
    /// When the server was down.
    pub(super) down: Vec<(Millis, Millis)>,
    /// When the store last took the note that the server is alive.
    pub(super) alive: Millis,
    /// The outages that the store knows.
    pub(super) outages: Vec<(Millis, Millis)>,
}

/// The journal of one match.
pub(super) struct Book {
    pub(super) events: Vec<Recorded>,
    /// The match after each event.
    states: Vec<Arc<Match>>,
    /// Each event as a line, and what it says.
    lines: Vec<(String, Value)>,
    /// When each event was committed, by the server's time.
    committed_at: Vec<Millis>,
}

impl Ledger {
    /// The match after event `head`.
    pub(super) fn at(&self, id: MatchId, head: u32) -> Option<&Arc<Match>> {
        self.books.get(&id)?.at(head)
    }

    /// A server has begun.
    pub(super) fn begun(&mut self, now: Millis) {
        if self.alive > 0 && self.alive < now {
            self.outages.push((self.alive, now));
        }
        self.alive = now;
    }

    /// How much of the time between two instants the server was down.
    pub(super) fn down_ms(&self, since: Millis, until: Millis) -> Millis {
        let overlap = |&(from, to): &(Millis, Millis)| to.min(until).saturating_sub(from.max(since));
        self.down.iter().map(overlap).sum()
    }

    /// Takes an event over. Answers the match before it and after it.
    ///
    /// # Errors
    /// If it does not fold.
    pub(super) fn take(
        &mut self,
        id: MatchId,
        recorded: Recorded,
        now: Millis,
    ) -> Result<(Option<Arc<Match>>, Arc<Match>), String> {
        let before = self.books.get(&id).map(|book| Arc::clone(book.now()));
        let state = match &before {
            None => Match::from_journal(id, [recorded.clone()]).map_err(|why| why.to_string())?,
            Some(before) => {
                let mut state = Match::clone(before);
                state.fold(&recorded).map_err(|why| why.to_string())?;
                state
            }
        };
        let state = Arc::new(state);
        let line = wire::JsonRender.event(&state, &recorded);
        let line = String::from_utf8(line.to_vec()).map_err(|why| why.to_string())?;
        let value = serde_json::from_str(&line).map_err(|why| why.to_string())?;
        if before.is_none() {
            self.order.push(id);
        }
        let empty =
            || Book { events: Vec::new(), states: Vec::new(), lines: Vec::new(), committed_at: Vec::new() };
        let book = self.books.entry(id).or_insert_with(empty);
        book.events.push(recorded);
        book.states.push(Arc::clone(&state));
        book.lines.push((line, value));
        book.committed_at.push(now);
        Ok((before, state))
    }
}

impl Book {
    /// The match as it stands.
    pub(super) fn now(&self) -> &Arc<Match> {
        self.states.last().expect("a book is opened by an event")
    }

    pub(super) fn head(&self) -> u32 {
        self.now().head()
    }

    pub(super) fn at(&self, head: u32) -> Option<&Arc<Match>> {
        self.states.get(usize::try_from(head).ok()?.checked_sub(1)?)
    }

    /// An event as every reader gets it, and what it says.
    pub(super) fn line(&self, seq: u32) -> Option<&(String, Value)> {
        self.lines.get(usize::try_from(seq).ok()?.checked_sub(1)?)
    }

    /// When an event was committed.
    pub(super) fn committed_at(&self, seq: u32) -> Option<Millis> {
        self.committed_at.get(usize::try_from(seq).ok()?.checked_sub(1)?).copied()
    }

    pub(super) fn event(&self, seq: u32) -> Option<&Recorded> {
        self.events.get(usize::try_from(seq).ok()?.checked_sub(1)?)
    }

    /// The clocks that were last written down before event `seq`.
    pub(super) fn clocks_before(&self, seq: u32) -> Option<BySeat<Millis>> {
        let earlier = self.events.iter().rev().skip_while(|recorded| recorded.seq >= seq);
        earlier
            .into_iter()
            .find_map(|recorded| match recorded.event {
                Event::GameStarted { clocks_ms, .. } | Event::Turned { clocks_ms, .. } => Some(clocks_ms),
                _ => None,
            })
            .flatten()
    }

    /// Whether that seat has played in the game in which event `seq` stands, before it.
    pub(super) fn has_played(&self, seat: Seat, seq: u32) -> bool {
        let earlier = self.events.iter().rev().skip_while(|recorded| recorded.seq >= seq);
        earlier
            .take_while(|recorded| !matches!(recorded.event, Event::GameStarted { .. }))
            .any(|recorded| matches!(recorded.event, Event::Turned { seat: turned, .. } if turned == seat))
    }

    /// The player in a seat.
    pub(super) fn player(&self, seat: Seat) -> Option<PlayerId> {
        self.now().player(seat).map(|player| player.id)
    }
}
