//! Measures how well ratings predict results that were not used for fitting.
//!
//! The pairs of games are shuffled. The advantage and the slope are fitted to the first half; ratings follow
//! the players through all of them, as on a server. The expectation for each game of the second half is
//! compared with its result by log-loss: −ln of the probability given to the result, so 0.693 for a predictor
//! that knows nothing. The same is done without the advantage; and with matches to three points, composed of
//! consecutive games, with and without the slope.

use std::{collections::BTreeMap, time::Duration};

use lusoria_rating::{Advantage, Kind, Outcome, Player, RatedMatch, Slope, System, Verdict};
use lusoria_search::Random;
use serde::Serialize;

use super::{
    Estimate, Interval, RoundRobin,
    fit::{Fit, score},
    games::{Games, Pairing, Single},
    series::slopes,
};
use crate::estimate::Z;

/// The length of the composed matches, in points.
const MATCH_POINTS: u16 = 3;

/// How well unused results are predicted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HeldOut {
    /// Single games, with the advantage of a side and without.
    pub advantage: Foretold,
    /// Matches to three points, with the slope of their length and with that of a game.
    pub slope: Foretold,
}

/// The log-loss with and without something.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Foretold {
    /// The value fitted to the first half.
    pub fitted: f64,
    /// How many results of the second half were predicted.
    pub results: u32,
    /// The log-loss with it.
    pub with: f64,
    /// The log-loss without it.
    pub without: f64,
    /// The improvement with it.
    pub gain: Estimate,
}

/// A rated result: a game or a match.
#[derive(Debug, Clone, Copy)]
struct Result {
    players: [usize; 2],
    /// For the first of them, who is White in a single game.
    score: f64,
}

impl HeldOut {
    pub(super) fn of(games: &Games, asked: &RoundRobin) -> Self {
        let mut random = Random::new(asked.seed);
        let order = shuffled(games, &mut random);
        let (first, _) = order.split_at(order.len() / 2);
        let system = if asked.variant.game().dice() > 0 { System::WITH_DICE } else { System::WITHOUT_DICE };
        let count = asked.players.len();

        let fitted = Fit::of_singles(first.iter().flat_map(singles), count).advantage;
        let results: Vec<Result> = order
            .iter()
            .filter(|pairing| pairing.first != pairing.second)
            .flat_map(singles)
            .map(|game| Result { players: [game.white, game.black], score: score(game) })
            .collect();
        let foretell = Foretell { system, players: count };
        let by_advantage = |advantage| foretell.losses(&results, advantage, Slope::ONE);
        let advantage = Advantage::new(fitted.clamp(-1000.0, 1000.0)).unwrap_or_default();
        let of_advantage = Foretold::of(fitted, &by_advantage(advantage), &by_advantage(Advantage::NONE));

        let slope = slopes(&joined(first), &[MATCH_POINTS])[0];
        let mut matches = matches(&order, count);
        random.shuffle(&mut matches);
        let by_slope = |slope| foretell.losses(&matches, Advantage::NONE, slope);
        let with = Slope::new(slope).unwrap_or(Slope::ONE);
        let of_slope = Foretold::of(slope, &by_slope(with), &by_slope(Slope::ONE));
        Self { advantage: of_advantage, slope: of_slope }
    }
}

impl Foretold {
    fn of(fitted: f64, with: &[f64], without: &[f64]) -> Self {
        let results = u32::try_from(with.len()).unwrap_or(u32::MAX);
        let count = f64::from(results);
        let mean = |losses: &[f64]| losses.iter().sum::<f64>() / count;
        let gains: Vec<f64> = with.iter().zip(without).map(|(with, without)| without - with).collect();
        let gain = mean(&gains);
        let variance = gains.iter().map(|one| (one - gain).powi(2)).sum::<f64>() / (count - 1.0);
        let error = Z * (variance / count).sqrt();
        let interval = Interval { low: gain - error, high: gain + error };
        let gain = Estimate { value: gain, interval };
        Self { fitted, results, with: mean(with), without: mean(without), gain }
    }
}

/// Follows the ratings of players and predicts results.
struct Foretell {
    system: System,
    players: usize,
}

impl Foretell {
    /// The log-losses of the second half of the results.
    fn losses(&self, results: &[Result], advantage: Advantage, slope: Slope) -> Vec<f64> {
        let mut ratings = vec![self.system.start(); self.players];
        let mut losses = Vec::new();
        for (nth, result) in results.iter().enumerate() {
            let [one, two] = result.players;
            if 2 * nth >= results.len() {
                let expected = System::expected(ratings[one], ratings[two], advantage, slope);
                losses.push(-(result.score * expected.ln() + (1.0 - result.score) * (1.0 - expected).ln()));
            }
            let outcome = match result.score {
                won if won > 0.5 => Outcome::Won,
                lost if lost < 0.5 => Outcome::Lost,
                _ => Outcome::Drawn,
            };
            let player =
                |which: usize| Player { rating: ratings[which], idle: Duration::ZERO, kind: Kind::Bot };
            let rated = RatedMatch {
                players: [player(one), player(two)],
                verdict: Verdict::Match { outcome, advantage, slope },
                earlier_today: 0,
            };
            [ratings[one], ratings[two]] = self.system.rate(&rated);
        }
        losses
    }
}

/// All pairs of games, each as a pairing of its own, in random order.
fn shuffled(games: &Games, random: &mut Random) -> Vec<Pairing> {
    let alone = |pairing: &Pairing, nth: usize| Pairing { pairs: vec![pairing.pairs[nth]], ..*pairing };
    let mut order: Vec<Pairing> = games
        .0
        .iter()
        .flat_map(|pairing| (0..pairing.pairs.len()).map(move |nth| alone(pairing, nth)))
        .collect();
    random.shuffle(&mut order);
    order
}

/// Groups single pairs by their players.
fn joined(pairs: &[Pairing]) -> Games {
    let mut by_players = BTreeMap::<_, Vec<_>>::new();
    for Pairing { first, second, pairs } in pairs {
        by_players.entry((*first, *second)).or_default().extend_from_slice(pairs);
    }
    let pairing = |((first, second), pairs)| Pairing { first, second, pairs };
    Games(by_players.into_iter().map(pairing).collect())
}

fn singles(pairing: &Pairing) -> Vec<Single> {
    Games(vec![pairing.clone()]).singles().collect()
}

/// Matches of consecutive games of the same two players; an incomplete one at the end is dropped.
fn matches(order: &[Pairing], players: usize) -> Vec<Result> {
    let mut scores = vec![[0_u16; 2]; players * players];
    let mut over = Vec::new();
    for pairing in order.iter().filter(|pairing| pairing.first != pairing.second) {
        let score = &mut scores[pairing.first * players + pairing.second];
        for points in pairing.pairs.iter().flat_map(|pair| pair.of_first()) {
            score[usize::from(points < 0)] += u16::from(points.unsigned_abs());
            if score.iter().any(|&points| points >= MATCH_POINTS) {
                let won = f64::from(u8::from(score[0] >= MATCH_POINTS));
                over.push(Result { players: [pairing.first, pairing.second], score: won });
                *score = [0; 2];
            }
        }
    }
    over
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::games::MirroredPair;

    fn results(count: usize) -> Vec<Result> {
        // White wins four of five games of equal players.
        (0..count)
            .map(|nth| Result {
                players: if nth % 2 == 0 { [0, 1] } else { [1, 0] },
                score: f64::from(u8::from(nth % 5 > 0)),
            })
            .collect()
    }

    #[test]
    fn knowing_the_advantage_improves_predictions() {
        let foretell = Foretell { system: System::WITH_DICE, players: 2 };
        let advantage = Advantage::new(240.0).expect("in its range");
        let losses = |advantage| foretell.losses(&results(2_000), advantage, Slope::ONE);
        let found = Foretold::of(240.0, &losses(advantage), &losses(Advantage::NONE));
        assert_eq!(found.results, 1_000);
        // The entropy of four in five is 0.5004.
        assert!((found.with - 0.5004).abs() < 0.02, "{found:?}");
        assert!((found.without - std::f64::consts::LN_2).abs() < 0.02, "{found:?}");
        assert!(found.gain.interval.low > 0.0, "{found:?}");
    }

    #[test]
    fn pairs_are_joined_by_who_played_them() {
        let one = MirroredPair { first_white: 1, second_white: -1 };
        let two = MirroredPair { first_white: -1, second_white: 1 };
        let alone = |first, second, pair| Pairing { first, second, pairs: vec![pair] };
        let found = joined(&[alone(0, 1, one), alone(1, 1, two), alone(0, 1, two)]);
        let together = Pairing { first: 0, second: 1, pairs: vec![one, two] };
        assert_eq!(found, Games(vec![together, alone(1, 1, two)]));
    }

    #[test]
    fn matches_are_made_of_the_games_of_two_players() {
        let pairing = |first, second, pairs: &[[i8; 2]]| Pairing {
            first,
            second,
            pairs: pairs
                .iter()
                .map(|&[first_white, second_white]| MirroredPair { first_white, second_white })
                .collect(),
        };
        // Between 0 and 1: 2 and 1, a match; then a draw, −1, −2: a match, and two more begin one.
        let order = [
            pairing(0, 1, &[[2, -1]]),
            pairing(1, 2, &[[1, -1]]),
            pairing(1, 1, &[[2, 2]]),
            pairing(0, 1, &[[0, 1], [-2, -1]]),
            pairing(1, 2, &[[1, 1]]),
        ];
        let found: Vec<_> = matches(&order, 3).iter().map(|over| (over.players, over.score > 0.5)).collect();
        assert_eq!(found, [([0, 1], true), ([0, 1], false), ([1, 2], true)]);
    }
}
