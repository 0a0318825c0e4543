//! Follows a tournament by its events in the store while it is played, and judges what must hold at every moment.

use std::collections::BTreeMap;

use lusoria_play::{Match, MatchId, PlayerId, TournamentId};
use lusoria_tournament::{Chance, Format, MatchStage, Recorded, Tournament};
use uuid::Uuid;

use crate::simulation::{
    invariants::{Verdict, holds},
    node::RECOVERS_MS,
    nodes::Nodes,
    world::{EPOCH, World},
};

/// How long anything may be due while a node and its way to the store are well, in milliseconds.
const OVERDUE_MS: u64 = 3_000;

/// By how much the time of a node may be off, in milliseconds.
const SKEW_MS: u64 = 150;

/// Decides nothing by chance, and nobody avoids anybody: enough to see whether anything is due.
struct Certain;

impl Chance for Certain {
    fn lot(&mut self) -> u64 {
        0
    }

    fn match_id(&mut self) -> MatchId {
        MatchId(Uuid::nil())
    }

    fn avoids(&mut self, _: PlayerId, _: PlayerId) -> bool {
        false
    }
}

/// A tournament as the store has it.
pub(super) struct Watch {
    pub(super) state: Tournament,
    pub(super) events: Vec<Recorded>,
    /// When its last event was first seen here, in milliseconds since the beginning.
    changed_at: u64,
}

impl Watch {
    /// Reads all events.
    pub(super) async fn of(nodes: &Nodes, id: TournamentId) -> Result<Self, String> {
        let events = Self::read(nodes, id, 0).await?;
        let state = Tournament::from_events(id, &events).map_err(|why| why.to_string())?;
        Ok(Self { state, events, changed_at: nodes.world.lock().now() })
    }

    async fn read(nodes: &Nodes, id: TournamentId, since: u32) -> Result<Vec<Recorded>, String> {
        let stored = nodes.kept.tournament_events(id, since, 100_000).await.map_err(|why| why.to_string())?;
        let read = |event: &lusoria_store::TournamentEvent| {
            let told = serde_json::from_str(&event.event).map_err(|why| why.to_string())?;
            Ok(Recorded { seq: event.seq, at: event.at, event: told })
        };
        stored.iter().map(read).collect()
    }

    /// Reads on, and judges.
    pub(super) async fn look(&mut self, nodes: &Nodes) -> Verdict {
        let new = Self::read(nodes, self.state.id(), self.state.head()).await?;
        let world = nodes.world.lock();
        if !new.is_empty() {
            self.changed_at = world.now();
        }
        for recorded in new {
            self.state.fold(&recorded).map_err(|why| why.to_string())?;
            self.events.push(recorded);
        }
        self.every_match_is_of_a_pairing(&world)?;
        self.nobody_plays_twice(&world)?;
        self.nothing_is_overdue(&world)
    }

    /// Whether anything is to be done.
    pub(super) fn is_owed(&self, at: u64) -> bool {
        !self.state.due(EPOCH + at, &mut Certain).is_empty()
            || !self.state.matches_to_make().is_empty()
            || !self.state.matches_to_resign().is_empty()
    }

    fn nothing_is_overdue(&self, world: &World) -> Verdict {
        let now = world.now();
        let well = world.nodes.iter().filter_map(|node| node.well_since(now)).min();
        let Some(well) = well.map(|since| since + RECOVERS_MS) else { return Ok(()) };
        if now < well.max(self.changed_at) + OVERDUE_MS {
            return Ok(());
        }
        let then = now - OVERDUE_MS - SKEW_MS;
        holds(!self.is_owed(then), || {
            let due = self.state.due(EPOCH + then, &mut Certain);
            let (make, resign) = (self.state.matches_to_make(), self.state.matches_to_resign());
            format!(
                "overdue at {now} ms, well since {well}, changed at {}: {due:?} {make:?} {resign:?}",
                self.changed_at
            )
        })
    }

    fn every_match_is_of_a_pairing(&self, world: &World) -> Verdict {
        let names_it = |of: &Match| of.tournament() == Some(self.state.id());
        let mut matches = world.ledger.books.iter().filter(|(_, book)| names_it(book.now()));
        let stray = matches.find(|(id, _)| self.state.pairing_of_match(**id).is_none());
        holds(stray.is_none(), || format!("match {:?} is that of no pairing", stray.map(|(id, _)| id)))
    }

    /// By correspondence a round robin is played all at once. A match that was made while its pairing was decided is
    /// played beside others.
    fn nobody_plays_twice(&self, world: &World) -> Verdict {
        let settings = self.state.settings();
        if settings.clock.is_correspondence() && matches!(settings.format, Format::RoundRobin { .. }) {
            return Ok(());
        }
        let mut playing: BTreeMap<PlayerId, MatchId> = BTreeMap::new();
        for (&id, book) in &world.ledger.books {
            let of = book.now();
            let is_undecided = || {
                let pairing = self.state.pairing_of_match(id);
                pairing.is_some_and(|pairing| pairing.stage == MatchStage::Running && pairing.is_open())
            };
            if of.end().is_some() || of.tournament() != Some(self.state.id()) || !is_undecided() {
                continue;
            }
            for player in lusoria_play::Seat::BOTH.into_iter().filter_map(|seat| of.player(seat)) {
                let before = playing.insert(player.id, id);
                holds(before.is_none(), || format!("{} plays {id} and {before:?}", player.id))?;
            }
        }
        Ok(())
    }
}
