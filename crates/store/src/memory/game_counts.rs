//! Counts of the games.

use std::collections::BTreeMap;

use lusoria_play::MatchId;
use lusoria_rules::Game;

use super::{MemoryStore, tables::Tables};
use crate::{
    CountRow, CountingRound, GameCountRows, GameCounts, MatchState, StoreFuture, game_counts::Counting,
};

/// The round of counting that goes on, and what it has come to.
pub(super) struct Counted {
    round: u32,
    definitions: u32,
    counts: BTreeMap<(Game, String), u64>,
    matches: BTreeMap<MatchId, u32>,
}

impl Default for Counted {
    fn default() -> Self {
        Self { round: 1, definitions: 0, counts: BTreeMap::new(), matches: BTreeMap::new() }
    }
}

impl Counted {
    fn begin(&mut self, definitions: u32, again: bool) -> Option<CountingRound> {
        match Counting::by(definitions, self.definitions, self.round, again) {
            Counting::LeaveIt => None,
            Counting::GoOn(round) => Some(round),
            Counting::Begin(round) => {
                self.counts.clear();
                (self.round, self.definitions) = (round.0, definitions);
                Some(round)
            }
        }
    }
}

impl Tables {
    fn uncounted(&self, round: u32) -> impl Iterator<Item = MatchId> {
        let is_meant = move |id: &MatchId| {
            self.matches[id].card.state() == MatchState::Finished
                && self.counted.matches.get(id).is_none_or(|counted| *counted < round)
        };
        self.matches.keys().copied().filter(is_meant)
    }
}

impl GameCounts for MemoryStore {
    fn counting_round(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        self.at_once(move |tables| Ok(tables.counted.begin(definitions, false)))
    }

    fn count_again(&self, definitions: u32) -> StoreFuture<'_, Option<CountingRound>> {
        self.at_once(move |tables| Ok(tables.counted.begin(definitions, true)))
    }

    fn uncounted(&self, round: CountingRound, limit: u32) -> StoreFuture<'_, Vec<MatchId>> {
        self.at_once(move |tables| Ok(tables.uncounted(round.0).take(limit as usize).collect()))
    }

    fn count_match(
        &self,
        round: CountingRound,
        id: MatchId,
        game: Game,
        counts: Vec<CountRow>,
    ) -> StoreFuture<'_, bool> {
        self.at_once(move |tables| {
            if tables.counted.round != round.0 || !tables.uncounted(round.0).any(|of| of == id) {
                return Ok(false);
            }
            tables.counted.matches.insert(id, round.0);
            for (key, count) in counts {
                *tables.counted.counts.entry((game, key)).or_default() += count;
            }
            Ok(true)
        })
    }

    fn game_counts(&self, game: Game) -> StoreFuture<'_, GameCountRows> {
        self.at_once(move |tables| {
            let of_game = tables.counted.counts.iter().filter(|((of, _), _)| *of == game);
            let rows = of_game.map(|((_, key), count)| (key.clone(), *count)).collect();
            let waiting = tables.uncounted(tables.counted.round).count() as u64;
            Ok(GameCountRows { rows, waiting })
        })
    }
}
