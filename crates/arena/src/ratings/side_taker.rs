//! Tests whether a player gains rating points by always taking the same side.
//!
//! Two players are as strong as the strongest of the round robin. One always takes White (in a tafl game the
//! defenders) in the first game, the other Black. Both play against the other players, with results drawn
//! from the games of the round robin, and their ratings follow as on a server: rated in pairs of games with
//! sides exchanged, and, for comparison, in single games with the fitted advantage. The one who takes White
//! should not end higher.

use std::time::Duration;

use lusoria_rating::{Advantage, Kind, Outcome, Player, RatedMatch, Rating, Slope, System, Verdict};
use lusoria_search::Random;
use serde::Serialize;

use super::{Estimate, RoundRobin, fit::Fit, games::Games};

/// The number of runs.
const RUNS: u32 = 400;

/// How many matches each of the two plays in a run.
const MATCHES: u32 = 200;

/// How many rating points a player who always takes White ends above one who always takes Black.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideTaker {
    /// The strength of both.
    pub player: String,
    /// How many matches each of them plays.
    pub matches: u32,
    /// If pairs of games with sides exchanged are rated.
    pub pairs: Estimate,
    /// If single games are rated.
    pub singles: Estimate,
}

/// The rated unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Pair,
    Single,
}

/// The side taken in the first game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    White,
    Black,
}

impl SideTaker {
    pub(super) fn of(games: &Games, asked: &RoundRobin, name: &str, whole: &Fit) -> Self {
        let taker = asked.players.len() - 1;
        let world = World {
            system: if asked.variant.game().dice() > 0 { System::WITH_DICE } else { System::WITHOUT_DICE },
            advantage: Advantage::new(whole.advantage.clamp(-1000.0, 1000.0)).unwrap_or_default(),
            taker,
            opponents: taker,
        };
        let mut random = Random::new(asked.seed);
        let mut gain_by = |unit| {
            let gains: Vec<f64> = (0..RUNS)
                .map(|_| {
                    let results = Results::of(&games.resampled(&mut random), taker);
                    let mut points_of = |takes| world.points_at_the_end(&results, unit, takes, &mut random);
                    points_of(Takes::White) - points_of(Takes::Black)
                })
                .collect();
            Estimate::mean(&gains)
        };
        let (pairs, singles) = (gain_by(Unit::Pair), gain_by(Unit::Single));
        Self { player: name.to_owned(), matches: MATCHES, pairs, singles }
    }
}

/// The results of games between the taker's strength and each opponent, for the taker.
struct Results {
    as_white: Vec<Vec<Outcome>>,
    as_black: Vec<Vec<Outcome>>,
}

impl Results {
    fn of(games: &Games, taker: usize) -> Self {
        let mut found = Self { as_white: vec![Vec::new(); taker], as_black: vec![Vec::new(); taker] };
        for game in games.singles() {
            let of_white = match game.for_white {
                1.. => Outcome::Won,
                0 => Outcome::Drawn,
                ..0 => Outcome::Lost,
            };
            if game.white == taker && game.black != taker {
                found.as_white[game.black].push(of_white);
            } else if game.black == taker && game.white != taker {
                found.as_black[game.white].push(of_white.reversed());
            }
        }
        found
    }

    fn drawn(&self, takes: Takes, opponent: usize, random: &mut Random) -> Outcome {
        let of = match takes {
            Takes::White => &self.as_white[opponent],
            Takes::Black => &self.as_black[opponent],
        };
        of[random.below(of.len())]
    }
}

struct World {
    system: System,
    advantage: Advantage,
    taker: usize,
    /// The number of opponents, from the weakest on.
    opponents: usize,
}

impl World {
    /// The taker's points after all matches. Everybody starts as on a server.
    fn points_at_the_end(&self, results: &Results, unit: Unit, takes: Takes, random: &mut Random) -> f64 {
        let mut ratings = vec![self.system.start(); self.taker + 1];
        for _ in 0..MATCHES {
            let opponent = random.below(self.opponents);
            let advantage = match takes {
                Takes::White => self.advantage,
                Takes::Black => self.advantage.reversed(),
            };
            let slope = Slope::ONE;
            let first = results.drawn(takes, opponent, random);
            let verdict = match unit {
                Unit::Single => Verdict::Match { outcome: first, advantage, slope },
                Unit::Pair => {
                    let second = match takes {
                        Takes::White => results.drawn(Takes::Black, opponent, random),
                        Takes::Black => results.drawn(Takes::White, opponent, random),
                    };
                    Verdict::Pair { outcomes: [first, second], advantage, slope }
                }
            };
            let player = |rating: Rating| Player { rating, idle: Duration::ZERO, kind: Kind::Person };
            let players = [player(ratings[self.taker]), player(ratings[opponent])];
            let rated = RatedMatch { players, verdict, earlier_today: 0 };
            [ratings[self.taker], ratings[opponent]] = self.system.rate(&rated);
        }
        ratings[self.taker].points()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use lusoria_rules::{Game, Variant};
    use lusoria_search::Player as Computer;

    use super::*;
    use crate::ratings::games::{MirroredPair, Pairing};

    /// Two equally strong players; White wins this many of ten games.
    fn found(white_wins: usize) -> SideTaker {
        let for_white = |n: usize| if n % 10 < white_wins { 1 } else { -1 };
        let pairs = (0..100)
            .map(|n| MirroredPair { first_white: for_white(n), second_white: for_white(n + 3) })
            .collect();
        let games = Games(vec![Pairing { first: 0, second: 1, pairs }]);
        let asked = RoundRobin {
            variant: Variant::standard(Game::Zeno),
            players: vec![Computer::Random; 2],
            pairs: 100,
            seed: 1,
            turns_max: 100,
            threads: NonZeroUsize::MIN,
        };
        // The constant is too small for these players.
        let fit = Fit { advantage: 100.0, ..Fit::of(&games, 2) };
        SideTaker::of(&games, &asked, "level 5", &fit)
    }

    #[test]
    fn pairs_take_from_who_takes_white_what_singles_leave() {
        // 380 points, of which 100 are taken into account.
        let found = found(9);
        assert!(found.pairs.interval.low < 0.0 && found.pairs.interval.high > 0.0, "{found:?}");
        assert!(found.singles.interval.low > 50.0, "{found:?}");
    }
}
