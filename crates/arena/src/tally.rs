//! Sums over the games of a contest.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use lusoria_rules::Side;

use super::{
    ByEntrant, EntrantId, Forfeit, Score,
    calibration::Buckets,
    game::{Ending, Played},
};

/// How many forfeits are listed; all are counted.
const FORFEITS_LISTED: usize = 10;

/// Sums over whole pairs of games.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Of the first player, as White and as Black.
    pub(super) as_white: Score,
    pub(super) as_black: Score,
    /// For each pair: the first player's results and points, and how many games were decided.
    pub(super) pairs: Vec<PairSum>,
    /// The number of games by the reason of their end.
    pub(super) ends: BTreeMap<&'static str, u32>,
    pub(super) turns: Sums,
    pub(super) players: ByEntrant<PlayerTally>,
    pub(super) forfeits: Vec<Forfeit>,
}

/// The contribution of one pair.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PairSum {
    pub(super) wins: u8,
    pub(super) losses: u8,
    pub(super) points: i8,
}

#[derive(Debug, Default)]
pub(super) struct PlayerTally {
    pub(super) time_us: Sums,
    pub(super) nodes: Sums,
    pub(super) expected: Buckets,
    pub(super) forfeits: u32,
    in_a_row: u32,
}

/// Numbers of which the mean, a high quantile and the maximum are reported.
#[derive(Debug)]
pub(super) struct Sums {
    pub(super) sum: u64,
    pub(super) values: Histogram<u64>,
}

impl Tally {
    /// Adds a pair of games.
    pub(super) fn add(&mut self, pair: u32, played: &[Played; 2]) {
        let mut sum = PairSum::default();
        for (game, played) in (2 * pair..).zip(played) {
            self.add_game(game, played, &mut sum);
        }
        self.pairs.push(sum);
    }

    fn add_game(&mut self, game: u32, played: &Played, sum: &mut PairSum) {
        let points = played.points_of(EntrantId::A, game);
        let score = match EntrantId::A.side_in(game) {
            Side::White => &mut self.as_white,
            Side::Black => &mut self.as_black,
        };
        score.add(points);
        sum.wins += u8::from(points > 0);
        sum.losses += u8::from(points < 0);
        sum.points += points;
        *self.ends.entry(played.end.code()).or_default() += 1;
        self.turns.add(played.turns.into());
        let mut forfeited = ByEntrant { a: false, b: false };
        if let Ending::Forfeit(side, fault) = &played.end {
            let entrant = EntrantId::playing(*side, game);
            *forfeited.get_mut(entrant) = true;
            if self.forfeits.len() < FORFEITS_LISTED {
                let (code, why) = (fault.code(), fault.to_string());
                self.forfeits.push(Forfeit { game: game + 1, player: entrant, code, why });
            }
        }
        for entrant in EntrantId::BOTH {
            let own = self.players.get_mut(entrant);
            own.in_a_row = if *forfeited.get(entrant) { own.in_a_row + 1 } else { 0 };
            own.forfeits += u32::from(*forfeited.get(entrant));
            for cost in played.costs.get(entrant.side_in(game)) {
                own.time_us.add(u64::try_from(cost.time.as_micros()).unwrap_or(u64::MAX));
                if let Some(nodes) = cost.nodes {
                    own.nodes.add(nodes.into());
                }
            }
            let scored = f64::from(i32::from(played.points_of(entrant, game).signum()) + 1) / 2.0;
            let expected = played.costs.get(entrant.side_in(game)).iter().filter_map(|cost| cost.expected);
            own.expected.add_game(expected.map(|expected| (expected.into(), scored)));
        }
    }

    /// The player, after this many forfeited games in a row.
    pub(super) fn gives_up(&self, in_a_row: u32) -> Option<EntrantId> {
        EntrantId::BOTH.into_iter().find(|&entrant| self.players.get(entrant).in_a_row >= in_a_row)
    }
}

impl Default for Sums {
    fn default() -> Self {
        let values = Histogram::new(3).expect("three digits are within the range");
        Self { sum: 0, values }
    }
}

impl Sums {
    pub(super) fn add(&mut self, value: u64) {
        self.sum = self.sum.saturating_add(value);
        self.values.record(value).expect("it grows with its values");
    }
}
