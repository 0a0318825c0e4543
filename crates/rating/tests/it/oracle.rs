//! Comparison with the crate `skillratings` where it computes the same: no advantage, slope 1, one period for
//! each match.

use std::time::Duration;

use lusoria_rating::{Advantage, Kind, Outcome, Player, RatedMatch, Rating, Slope, System, Verdict};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, expected_score, glicko2, glicko2_rating_period},
};

use crate::chance::{Chance, single};

const HISTORIES: u64 = 10_000;
const PLAYERS: u32 = 6;

const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 1e-10 };

/// One of Glickman's periods, to the millisecond.
const PERIOD: Duration = Duration::from_millis(403_060_272);

fn other(rating: Rating) -> Glicko2Rating {
    Glicko2Rating { rating: rating.points(), deviation: rating.deviation(), volatility: rating.volatility() }
}

fn outcomes(outcome: Outcome) -> Outcomes {
    match outcome {
        Outcome::Won => Outcomes::WIN,
        Outcome::Drawn => Outcomes::DRAW,
        Outcome::Lost => Outcomes::LOSS,
    }
}

fn agree(ours: Rating, theirs: Glicko2Rating) {
    let near = |one: f64, two: f64, tolerance: f64| (one - two).abs() <= tolerance;
    assert!(
        near(ours.points(), theirs.rating, 1e-5)
            && near(ours.deviation(), theirs.deviation, 1e-5)
            && near(ours.volatility(), theirs.volatility, 1e-9),
        "{ours:?} {theirs:?}"
    );
}

fn players(ratings: [Rating; 2]) -> [Player; 2] {
    ratings.map(|rating| Player { rating, idle: PERIOD, kind: Kind::Person })
}

/// Each sequence has some players with different starts, who play each other in any order; both
/// implementations continue from their own results.
#[test]
fn random_histories() {
    for seed in 0..HISTORIES {
        let mut chance = Chance(seed);
        let start = System::WITHOUT_DICE.start();
        let mut ours: Vec<_> = (0..PLAYERS)
            .map(|_| {
                let points = 1000.0 + f64::from(chance.below(1000));
                let deviation = 60.0 + f64::from(chance.below(200));
                Rating::new(points, deviation, start.volatility()).unwrap()
            })
            .collect();
        let mut theirs: Vec<_> = ours.iter().copied().map(other).collect();
        for _ in 0..10 + chance.below(10) {
            let one = chance.below(PLAYERS) as usize;
            let two = (one + 1 + chance.below(PLAYERS - 1) as usize) % PLAYERS as usize;
            let is_pair = chance.below(3) == 0;
            let both = [chance.outcome(), chance.outcome()];
            let verdict = if is_pair {
                Verdict::Pair { outcomes: both, advantage: Advantage::NONE, slope: Slope::ONE }
            } else {
                single(both[0])
            };
            let rated = RatedMatch { players: players([ours[one], ours[two]]), verdict, earlier_today: 0 };
            [ours[one], ours[two]] = System::WITHOUT_DICE.rate(&rated);
            let before = (theirs[one], theirs[two]);
            (theirs[one], theirs[two]) = if is_pair {
                let games = |opponent, reverse: fn(Outcome) -> Outcome| {
                    both.map(|outcome| (opponent, outcomes(reverse(outcome))))
                };
                (
                    glicko2_rating_period(&before.0, &games(before.1, |outcome| outcome), &CONFIG),
                    glicko2_rating_period(&before.1, &games(before.0, Outcome::reversed), &CONFIG),
                )
            } else {
                glicko2(&before.0, &before.1, &outcomes(both[0]), &CONFIG)
            };
            agree(ours[one], theirs[one]);
            agree(ours[two], theirs[two]);
            let expected = System::expected(ours[one], ours[two], Advantage::NONE, Slope::ONE);
            assert!((expected - expected_score(&theirs[one], &theirs[two]).0).abs() < 1e-7);
        }
    }
}
