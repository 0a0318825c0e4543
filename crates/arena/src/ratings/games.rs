//! The games of a round robin.

use std::sync::atomic::AtomicBool;

use lusoria_rules::Side;
use lusoria_search::Random;

use super::RoundRobin;
use crate::{
    ArenaError, Contest,
    game::Played,
    run::{Pair, play_pairs},
};

/// The result of a game for White: White's points, negative for Black's, 0 for a draw.
pub(super) type ForWhite = i8;

/// Two games with the same dice, in which the players exchange the sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MirroredPair {
    /// The game in which the pairing's first player is White.
    pub(super) first_white: ForWhite,
    /// The game in which the second player is White.
    pub(super) second_white: ForWhite,
}

impl MirroredPair {
    fn of([one, other]: &Pair) -> Self {
        Self { first_white: for_white(one), second_white: for_white(other) }
    }

    /// The first player's points in both games.
    pub(super) const fn of_first(self) -> [i8; 2] {
        [self.first_white, -self.second_white]
    }
}

fn for_white(played: &Played) -> ForWhite {
    let points = i8::try_from(played.points).expect("a game scores at most 2");
    match played.winner {
        None => 0,
        Some(Side::White) => points,
        Some(Side::Black) => -points,
    }
}

/// The games between two players, given by their indices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pairing {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) pairs: Vec<MirroredPair>,
}

/// A single game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Single {
    pub(super) white: usize,
    pub(super) black: usize,
    pub(super) for_white: ForWhite,
}

/// All games of a round robin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Games(pub(super) Vec<Pairing>);

/// The progress of a round robin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundRobinProgress {
    /// How many games have been played.
    pub games: u32,
    /// The total number of games.
    pub games_all: u32,
}

impl Games {
    /// Plays them; none if it was stopped.
    pub(super) fn play(
        asked: &RoundRobin,
        stop: &AtomicBool,
        mut report: impl FnMut(RoundRobinProgress),
    ) -> Result<Option<Self>, ArenaError> {
        let count = asked.players.len();
        let whole: Vec<[usize; 2]> =
            (0..count).flat_map(|first| (first..count).map(move |second| [first, second])).collect();
        let games_each = asked.pairs * 2;
        let games_all = games_each * u32::try_from(whole.len()).expect("there are few players");
        let mut pairings = Vec::with_capacity(whole.len());
        for (before, [first, second]) in (0..).zip(whole) {
            let contest = contest(asked, first, second, before);
            let mut pairs = Vec::new();
            let told = |progress: &crate::Progress| {
                report(RoundRobinProgress {
                    games: before * games_each + progress.played.games(),
                    games_all,
                });
            };
            let ended = play_pairs(&contest, stop, told, |_, pair| {
                pairs.push(MirroredPair::of(pair));
                None
            })?;
            if ended.is_some() {
                return Ok(None);
            }
            pairings.push(Pairing { first, second, pairs });
        }
        Ok(Some(Self(pairings)))
    }

    /// As many pairs of each pairing, drawn with replacement.
    pub(super) fn resampled(&self, random: &mut Random) -> Self {
        let drawn = |pairing: &Pairing| Pairing {
            pairs: pairing.pairs.iter().map(|_| pairing.pairs[random.below(pairing.pairs.len())]).collect(),
            ..*pairing
        };
        Self(self.0.iter().map(drawn).collect())
    }

    /// All games one by one: pair by pair, the pairings in turn.
    pub(super) fn singles(&self) -> impl Iterator<Item = Single> {
        self.0.iter().flat_map(|&Pairing { first, second, ref pairs }| {
            pairs.iter().flat_map(move |pair| {
                [
                    Single { white: first, black: second, for_white: pair.first_white },
                    Single { white: second, black: first, for_white: pair.second_white },
                ]
            })
        })
    }

    pub(super) fn count(&self) -> u32 {
        let pairs: usize = self.0.iter().map(|pairing| pairing.pairs.len()).sum();
        u32::try_from(2 * pairs).expect("fewer games than fit are played")
    }
}

/// The contest of two of the players. Each pairing has its own dice.
fn contest(asked: &RoundRobin, first: usize, second: usize, nth: u32) -> Contest {
    let players = [first, second].map(|which| asked.players[which]);
    let seed = asked.seed.wrapping_add(u64::from(nth) << 32);
    Contest {
        pairs: asked.pairs,
        turns_max: asked.turns_max,
        threads: asked.threads,
        ..Contest::of_computers(asked.variant, players, seed)
    }
}
