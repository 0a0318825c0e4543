//! The expected state: what the store has committed, folded, and as every reader must see it.

use std::{collections::BTreeMap, sync::Arc};

use lusoria::{app::wire, live::Render};
use lusoria_play::{BySeat, Event, Match, MatchId, Millis, PlayerId, Recorded, Seat};
use lusoria_store::{NodeId, OUTAGE_AFTER_MS};
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
    /// When each of several nodes was last noted.
    noted: BTreeMap<NodeId, Millis>,
    /// The outages that the store knows.
    pub(super) outages: Vec<(Millis, Millis)>,
}

/// What a journal told before names in it were replaced.
pub(super) struct Edition {
    pub(super) events: Vec<Recorded>,
    states: Vec<Arc<Match>>,
    lines: Vec<(String, Value)>,
    pub(super) until: Millis,
}

/// The journal of one match.
pub(super) struct Book {
    pub(super) events: Vec<Recorded>,
    /// The match after each event.
    states: Vec<Arc<Match>>,
    /// Each event as a line, and what it says.
    lines: Vec<(String, Value)>,
    /// What was told before names were replaced, and until when, by the server's time.
    earlier: Vec<Edition>,
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

    /// One of several nodes has been noted; with `joins` it begins. If none has been for longer than the
    /// store's limit, or none was left, that was an outage.
    pub(super) fn noted(&mut self, node: NodeId, now: Millis, joins: bool) {
        let is_left = self.noted.iter().any(|(other, at)| *other != node && at + OUTAGE_AFTER_MS >= now);
        let gap_max = if joins && !is_left { 0 } else { OUTAGE_AFTER_MS };
        if self.alive > 0 && self.alive + gap_max < now {
            self.outages.push((self.alive, now));
            self.down.push((self.alive, now));
        }
        self.alive = now;
        if joins || self.noted.contains_key(&node) {
            self.noted.insert(node, now);
        }
    }

    /// One of several nodes has stopped.
    pub(super) fn left(&mut self, node: NodeId, now: Millis) {
        if self.noted.remove(&node).is_some() {
            self.noted(node, now, false);
        }
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
        let line = line_of(&state, &recorded)?;
        if before.is_none() {
            self.order.push(id);
        }
        let empty = || Book {
            events: Vec::new(),
            states: Vec::new(),
            lines: Vec::new(),
            earlier: Vec::new(),
            committed_at: Vec::new(),
        };
        let book = self.books.entry(id).or_insert_with(empty);
        book.events.push(recorded);
        book.states.push(Arc::clone(&state));
        book.lines.push(line);
        book.committed_at.push(now);
        Ok((before, state))
    }
}

/// An event as every reader gets it, and what it says.
fn line_of(state: &Match, recorded: &Recorded) -> Result<(String, Value), String> {
    let line = wire::JsonRender.event(state, recorded);
    let line = String::from_utf8(line.to_vec()).map_err(|why| why.to_string())?;
    let value = serde_json::from_str(&line).map_err(|why| why.to_string())?;
    Ok((line, value))
}

impl Book {
    /// Names in it have been replaced: these events stand in the places of others.
    ///
    /// # Errors
    /// If what stands there then does not fold.
    pub(super) fn rewrite(&mut self, changed: Vec<Recorded>, now: Millis) -> Result<(), String> {
        let mut events = self.events.clone();
        for new in changed {
            let seq = new.seq;
            let old = events.iter_mut().find(|old| old.seq == seq).ok_or("there is no such event")?;
            old.event = new.event;
        }
        let (mut states, mut lines): (Vec<Arc<Match>>, Vec<_>) = (Vec::new(), Vec::new());
        for recorded in &events {
            let state = match states.last() {
                None => {
                    Match::from_journal(self.now().id(), [recorded.clone()]).map_err(|why| why.to_string())?
                }
                Some(before) => {
                    let mut state = Match::clone(before);
                    state.fold(recorded).map_err(|why| why.to_string())?;
                    state
                }
            };
            lines.push(line_of(&state, recorded)?);
            states.push(Arc::new(state));
        }
        let earlier = Edition {
            events: std::mem::replace(&mut self.events, events),
            states: std::mem::replace(&mut self.states, states),
            lines: std::mem::replace(&mut self.lines, lines),
            until: now,
        };
        self.earlier.push(earlier);
        Ok(())
    }

    /// The events as they are told, and as they were told at most until `since`.
    pub(super) fn editions(&self, since: Millis) -> impl Iterator<Item = &Vec<Recorded>> {
        let earlier = self.earlier.iter().filter(move |edition| edition.until >= since);
        std::iter::once(&self.events).chain(earlier.map(|edition| &edition.events))
    }

    /// The match after event `head`, also as it was told at most until `since`.
    pub(super) fn all_at(&self, head: u32, since: Millis) -> Vec<&Arc<Match>> {
        let Some(at) = usize::try_from(head).ok().and_then(|head| head.checked_sub(1)) else {
            return Vec::new();
        };
        let earlier = self.earlier.iter().filter(|edition| edition.until >= since);
        self.states.get(at).into_iter().chain(earlier.filter_map(|edition| edition.states.get(at))).collect()
    }

    /// An event as every reader gets it, also as they got it at most until `since`.
    pub(super) fn all_lines(&self, seq: u32, since: Millis) -> Vec<&(String, Value)> {
        let Some(at) = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1)) else {
            return Vec::new();
        };
        let earlier = self.earlier.iter().filter(|edition| edition.until >= since);
        self.lines.get(at).into_iter().chain(earlier.filter_map(|edition| edition.lines.get(at))).collect()
    }

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
                Event::GameStarted { clocks_ms, .. }
                | Event::Turned { clocks_ms, .. }
                | Event::TakenBack { clocks_ms, .. } => Some(clocks_ms),
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
