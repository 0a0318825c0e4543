//! Checks tournaments: builds each again from its events, and compares it with the journals of its matches and with
//! what lists show.

use std::collections::{BTreeSet, HashMap};

use lusoria_play::{Match, MatchId, Millis, Seat, TournamentId};
use lusoria_store::{Store, StoreError, TournamentFilter, TournamentListing, TournamentRow};
use lusoria_tournament::{Event, How, Pairing, PairingEnd, Recorded, Tournament};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    AdminError, AdminOutcome,
    tournaments::{listed, row_of},
};
use crate::live::{read_tournament_event, tournament_listing};

/// How many tournaments, and how many events, are read at once.
const PAGE: u32 = 500;

/// How many differences of a tournament are told.
const DIFFERENCES_TOLD: usize = 20;

/// How much later than computed a tournament may be woken: time goes on while others are checked.
const LATE_MS: Millis = 3_600_000;

/// How often a match is read while it goes on. It is made, ends, and may be deleted: only so often can it change.
const TRIES: u32 = 4;

/// What differs in a tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentDifferences {
    /// The tournament.
    pub id: Uuid,
    /// How many differences there are.
    pub differences: u64,
    /// The first of them.
    pub first_differences: Vec<String>,
}

/// Checks a tournament, or all. Changes nothing.
pub(super) async fn check(store: &Store, at: Millis, id: Option<Uuid>) -> Result<AdminOutcome, AdminError> {
    let (mut tournaments, mut matches, mut differing, mut after) = (0, 0, Vec::new(), None);
    loop {
        let (rows, next) = if let Some(id) = id {
            (vec![row_of(store, id).await?], None)
        } else {
            let page = store.tournaments(TournamentFilter::All, after, PAGE).await?;
            (page.rows, page.next)
        };
        for row in rows {
            // The row of a page may be old by now.
            let Some(row) = store.tournament(row.id).await? else { continue };
            let mut check = Check::of(store, row.id);
            check.run(at, &row).await?;
            tournaments += 1;
            matches += check.matches;
            if !check.differences.is_empty() {
                differing.push(TournamentDifferences {
                    id: row.id.0,
                    differences: check.differences.len() as u64,
                    first_differences: check.differences.into_iter().take(DIFFERENCES_TOLD).collect(),
                });
            }
        }
        after = next;
        if after.is_none() {
            return Ok(AdminOutcome::TournamentsChecked { tournaments, matches, differing });
        }
    }
}

/// What the events of a tournament say of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Noted {
    has_begun: bool,
    end: Option<PairingEnd>,
}

struct Check<'s> {
    store: &'s Store,
    id: TournamentId,
    /// The number of the last event that was read.
    head: u32,
    noted: HashMap<MatchId, Noted>,
    /// The matches whose journals were read.
    matches: u64,
    differences: Vec<String>,
}

impl<'s> Check<'s> {
    fn of(store: &'s Store, id: TournamentId) -> Self {
        Self { store, id, head: 0, noted: HashMap::new(), matches: 0, differences: Vec::new() }
    }

    async fn run(&mut self, at: Millis, row: &TournamentRow) -> Result<(), StoreError> {
        let events = self.read_on(row.head).await;
        let Some(events) = self.sound(events, "its events cannot be read")? else { return Ok(()) };
        if self.head < row.head {
            let (stored, named) = (self.head, row.head);
            self.differences.push(format!("{stored} events are stored, its row says {named}"));
            return Ok(());
        }
        let folded = Tournament::from_events(self.id, &events);
        let folded = folded.map_err(|why| StoreError::Corrupt(why.to_string()));
        let Some(state) = self.sound(folded, "its events do not fit together")? else { return Ok(()) };
        self.compare_row(&state, events.last(), at, row)?;
        self.compare_matches(&state).await
    }

    /// A result; none if what is stored is unreadable, which is a difference.
    fn sound<T>(&mut self, read: Result<T, StoreError>, what: &str) -> Result<Option<T>, StoreError> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(StoreError::Corrupt(why)) => {
                self.differences.push(format!("{what}: {why}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Reads the next events, up to number `upto` at most, and notes what they say of matches.
    async fn read_on(&mut self, upto: u32) -> Result<Vec<Recorded>, StoreError> {
        let mut all = Vec::new();
        while self.head < upto {
            let limit = PAGE.min(upto - self.head);
            let page = self.store.tournament_events(self.id, self.head, limit).await?;
            if page.is_empty() {
                break;
            }
            for stored in &page {
                let recorded = read_tournament_event(stored)?;
                match recorded.event {
                    Event::MatchBegan { match_id } => {
                        self.noted.entry(match_id).or_default().has_begun = true;
                    }
                    Event::MatchEnded { match_id, end } => {
                        self.noted.entry(match_id).or_default().end = Some(end);
                    }
                    _ => {}
                }
                self.head = recorded.seq;
                all.push(recorded);
            }
        }
        Ok(all)
    }

    /// Compares what lists show, and when it is woken.
    fn compare_row(
        &mut self,
        state: &Tournament,
        last: Option<&Recorded>,
        at: Millis,
        row: &TournamentRow,
    ) -> Result<(), StoreError> {
        let computed = tournament_listing(state, at);
        let stored = &row.listing;
        let is_too_late =
            |wake_at: Millis| stored.wake_at.is_none_or(|stored| stored > wake_at.max(at) + LATE_MS);
        if computed.wake_at.is_some_and(is_too_late) {
            self.differences.push("it is woken hours too late, or never".to_owned());
        }
        // What a match adds is shown once the tournament is woken.
        let is_behind = |last: &Recorded| {
            let is_of_match = matches!(last.event, Event::MatchBegan { .. } | Event::MatchEnded { .. });
            is_of_match && stored.wake_at.is_some_and(|wake_at| wake_at <= last.at)
        };
        if last.is_some_and(is_behind) {
            return Ok(());
        }
        let Some(card) = self.sound(listed(row), "its row cannot be read")? else { return Ok(()) };
        // Written again: an earlier release may have written it in another way.
        let card = serde_json::to_string(&card).expect("a card is plain data");
        let stored = TournamentListing { card, wake_at: None, ..stored.clone() };
        if stored != (TournamentListing { wake_at: None, ..computed }) || row.organiser != state.organiser() {
            self.differences.push("lists show something else than its events say".to_owned());
        }
        Ok(())
    }

    async fn compare_matches(&mut self, state: &Tournament) -> Result<(), StoreError> {
        // Those of later events may belong to later pairings.
        let unknown: BTreeSet<MatchId> =
            self.noted.keys().copied().filter(|id| state.pairing_of_match(*id).is_none()).collect();
        let told = |id: MatchId| format!("match {}: its events name it, and no pairing does", id.0);
        self.differences.extend(unknown.into_iter().map(told));
        for pairing in state.pairings() {
            for &id in &pairing.matches {
                let end = self.compare_match(id).await?;
                if id == pairing.match_id {
                    self.compare_outcome(pairing, end);
                }
            }
        }
        Ok(())
    }

    /// Compares a match with what the events say of it. Returns how it ended by its journal.
    async fn compare_match(&mut self, id: MatchId) -> Result<Option<PairingEnd>, StoreError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let read = self.journal(id).await;
            let Some(state) = self.sound(read, &format!("match {}", id.0))? else { return Ok(None) };
            let end = state.as_ref().and_then(Match::end).map(PairingEnd::from);
            let compare = |check: &Self| {
                let noted = check.noted.get(&id).copied().unwrap_or_default();
                difference(check.id, state.as_ref(), noted, end)
            };
            let mut difference = compare(self);
            if difference.is_some() {
                // A later event may have been committed with what the journal says.
                let read = self.read_on(u32::MAX).await;
                self.sound(read, "its later events cannot be read")?;
                difference = compare(self);
            }
            if difference.is_none() || tries == TRIES {
                self.matches += u64::from(state.is_some());
                self.differences.extend(difference.map(|of| format!("match {}: {of}", id.0)));
                return Ok(end);
            }
        }
    }

    async fn journal(&self, id: MatchId) -> Result<Option<Match>, StoreError> {
        let events = self.store.events(id, 0, u32::MAX).await?.events;
        if events.is_empty() {
            return Ok(None);
        }
        Match::from_journal(id, events).map(Some).map_err(|why| StoreError::Corrupt(why.to_string()))
    }

    /// Compares the outcome of a pairing with the end of its last match. Those that were forfeited or set by hand follow
    /// from no match.
    fn compare_outcome(&mut self, pairing: &Pairing, end: Option<PairingEnd>) {
        let Some(outcome) = pairing.outcome.as_ref().filter(|outcome| outcome.how == How::Played) else {
            return;
        };
        let expected = match end {
            Some(PairingEnd::Won(Seat::One)) => Some([2, 0]),
            Some(PairingEnd::Won(Seat::Two)) => Some([0, 2]),
            Some(PairingEnd::Drawn) => Some([1, 1]),
            Some(PairingEnd::NoShow(_) | PairingEnd::Aborted) | None => None,
        };
        if expected != Some(outcome.half_points) {
            let [first, second] = outcome.half_points;
            self.differences.push(format!(
                "pairing {}: it counts as {first} to {second} half points, and the journal of its match says: {}",
                pairing.pairing,
                told(end)
            ));
        }
    }
}

/// How a match differs from what the events of its tournament say.
fn difference(
    of: TournamentId,
    state: Option<&Match>,
    noted: Noted,
    end: Option<PairingEnd>,
) -> Option<String> {
    let Some(state) = state else {
        // Pruning aborts and deletes matches without a turn.
        let is_pruned = noted.end == Some(PairingEnd::Aborted);
        return (noted.has_begun && !is_pruned).then(|| "its journal is missing".to_owned());
    };
    if state.tournament() != Some(of) {
        return Some("by its journal it is not a match of this tournament".to_owned());
    }
    if !noted.has_begun {
        return Some("the events do not say that it began".to_owned());
    }
    let (by_journal, by_events) = (told(end), told(noted.end));
    (end != noted.end).then(|| format!("its journal says: {by_journal}; the events say: {by_events}"))
}

fn told(end: Option<PairingEnd>) -> String {
    match end {
        None => "not ended".to_owned(),
        Some(PairingEnd::Won(seat)) => format!("won by seat {}", seat.number()),
        Some(PairingEnd::Drawn) => "drawn".to_owned(),
        Some(PairingEnd::NoShow(seat)) => format!("aborted by seat {}", seat.number()),
        Some(PairingEnd::Aborted) => "aborted".to_owned(),
    }
}
