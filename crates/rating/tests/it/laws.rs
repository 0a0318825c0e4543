//! Laws for all ratings and matches.

use std::time::Duration;

use lusoria_rating::{Advantage, Kind, Outcome, Player, RatedMatch, Rating, Slope, System, Verdict};
use proptest::prelude::*;

use crate::chance::person;

/// Numbers of a range, its ends among them.
fn within(range: std::ops::RangeInclusive<f64>) -> impl Strategy<Value = f64> {
    let (least, greatest) = (*range.start(), *range.end());
    prop_oneof![8 => range, 1 => Just(least), 1 => Just(greatest)]
}

fn any_rating() -> impl Strategy<Value = Rating> {
    (within(Rating::POINTS), within(Rating::DEVIATION), within(Rating::VOLATILITY))
        .prop_map(|(points, deviation, volatility)| Rating::new(points, deviation, volatility).unwrap())
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    prop::sample::select(vec![Outcome::Won, Outcome::Drawn, Outcome::Lost])
}

fn any_advantage() -> impl Strategy<Value = Advantage> {
    within(-1000.0..=1000.0).prop_map(|points| Advantage::new(points).unwrap())
}

fn any_slope() -> impl Strategy<Value = Slope> {
    within(0.05..=20.0).prop_map(|slope| Slope::new(slope).unwrap())
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        (any_outcome(), any_advantage(), any_slope())
            .prop_map(|(outcome, advantage, slope)| Verdict::Match { outcome, advantage, slope }),
        ([any_outcome(), any_outcome()], any_advantage(), any_slope())
            .prop_map(|(outcomes, advantage, slope)| Verdict::Pair { outcomes, advantage, slope }),
    ]
}

fn any_idle() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        (0_u64..4_000_000_000).prop_map(Duration::from_millis),
        any::<u64>().prop_map(Duration::from_millis),
        Just(Duration::MAX),
    ]
}

fn any_player() -> impl Strategy<Value = Player> {
    let kind = prop::sample::select(vec![Kind::Person, Kind::Bot]);
    (any_rating(), any_idle(), kind).prop_map(|(rating, idle, kind)| Player { rating, idle, kind })
}

fn any_match() -> impl Strategy<Value = RatedMatch> {
    let earlier = prop_oneof![0_u32..10, Just(u32::MAX)];
    ([any_player(), any_player()], any_verdict(), earlier)
        .prop_map(|(players, verdict, earlier_today)| RatedMatch { players, verdict, earlier_today })
}

fn any_system() -> impl Strategy<Value = System> {
    (any_rating(), within(0.2..=1.2)).prop_map(|(start, tau)| System::new(start, tau).unwrap())
}

fn bits(rating: Rating) -> [u64; 3] {
    [rating.points(), rating.deviation(), rating.volatility()].map(f64::to_bits)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Also shows that no number is infinite or NaN, because `Rating::new` would refuse it.
    #[test]
    fn new_ratings_are_in_their_ranges(system in any_system(), rated in any_match()) {
        for rating in system.rate(&rated) {
            let again = Rating::new(rating.points(), rating.deviation(), rating.volatility()).unwrap();
            prop_assert_eq!(bits(again), bits(rating));
        }
    }

    #[test]
    fn exchanged_players_get_exchanged_ratings(system in any_system(), rated in any_match()) {
        let [one, two] = system.rate(&rated);
        let [player, opponent] = rated.players;
        let exchanged = RatedMatch {
            players: [opponent, player],
            verdict: rated.verdict.reversed(),
            earlier_today: rated.earlier_today,
        };
        prop_assert_eq!(system.rate(&exchanged).map(bits), [bits(two), bits(one)]);
    }

    #[test]
    fn a_winner_loses_no_points(system in any_system(), rated in any_match()) {
        let Verdict::Match { advantage, slope, .. } = rated.verdict else { return Ok(()) };
        let verdict = Verdict::Match { outcome: Outcome::Won, advantage, slope };
        let [winner, loser] = system.rate(&RatedMatch { verdict, ..rated });
        prop_assert!(winner.points() >= rated.players[0].rating.points());
        prop_assert!(loser.points() <= rated.players[1].rating.points());
    }

    #[test]
    fn better_outcomes_give_more_points(system in any_system(), rated in any_match()) {
        let points = |verdict| system.rate(&RatedMatch { verdict, ..rated })[0].points();
        let outcomes = [Outcome::Lost, Outcome::Drawn, Outcome::Won];
        match rated.verdict {
            Verdict::Match { advantage, slope, .. } => {
                let points = outcomes.map(|outcome| points(Verdict::Match { outcome, advantage, slope }));
                prop_assert!(points.is_sorted(), "{points:?}");
            }
            Verdict::Pair { outcomes: [_, second], advantage, slope } => {
                // With idle time, a greater surprise gives both games more weight.
                let players = rated.players.map(|player| Player { idle: Duration::ZERO, ..player });
                let points = |verdict| system.rate(&RatedMatch { players, verdict, ..rated })[0].points();
                let points =
                    outcomes.map(|first| points(Verdict::Pair { outcomes: [first, second], advantage, slope }));
                prop_assert!(points.is_sorted(), "{points:?}");
            }
        }
    }

    #[test]
    fn stronger_opponents_are_worth_more(
        player in any_rating(), opponent in any_rating(), more in 0.0_f64..2000.0, outcome in any_outcome(),
        advantage in any_advantage(), slope in any_slope(),
    ) {
        let stronger = Rating::new(
            (opponent.points() + more).min(4000.0), opponent.deviation(), opponent.volatility(),
        ).unwrap();
        let gain = |opponent| System::WITHOUT_DICE.rate(&RatedMatch {
            players: [person(player), person(opponent)],
            verdict: Verdict::Match { outcome, advantage, slope },
            earlier_today: 0,
        })[0].points();
        prop_assert!(gain(stronger) >= gain(opponent) - 1e-9);
    }

    #[test]
    fn a_better_side_is_worth_as_much_as_a_weaker_opponent(
        player in any_rating(), opponent in any_rating(), advantage in any_advantage(),
    ) {
        let expected = |opponent, advantage| System::expected(player, opponent, advantage, Slope::ONE);
        let points = opponent.points() - advantage.points();
        if let Ok(weaker) = Rating::new(points, opponent.deviation(), opponent.volatility()) {
            prop_assert!((expected(opponent, advantage) - expected(weaker, Advantage::NONE)).abs() < 1e-12);
        }
        let both = expected(opponent, advantage)
            + System::expected(opponent, player, advantage.reversed(), Slope::ONE);
        prop_assert!((both - 1.0).abs() < 1e-12);
    }

    /// A match without idle time only adds information; with it, a deviation ends at most at that of the
    /// start.
    #[test]
    fn deviations_keep_their_bounds(system in any_system(), rated in any_match()) {
        let at_once = rated.players.map(|player| Player { idle: Duration::ZERO, ..player });
        let after = system.rate(&RatedMatch { players: at_once, ..rated });
        for (player, after) in rated.players.iter().zip(after) {
            prop_assert!(after.deviation() <= player.rating.deviation() + 1e-9);
        }
        for (player, after) in rated.players.iter().zip(system.rate(&rated)) {
            let greatest = player.rating.deviation().max(system.start().deviation());
            prop_assert!(after.deviation() <= greatest + 1e-9);
        }
    }

    #[test]
    fn further_matches_of_a_day_count_less(rated in any_match(), earlier_today in 4_u32..12) {
        let change = |earlier_today| {
            let players = rated.players.map(|player| person(player.rating));
            let [after, _] = System::WITH_DICE.rate(&RatedMatch { players, earlier_today, ..rated });
            (after.points() - rated.players[0].rating.points()).abs()
        };
        prop_assert!(change(earlier_today) <= change(earlier_today - 1) + 1e-9);
    }

    #[test]
    fn a_longer_time_makes_no_rating_surer(rating in any_rating(), one in any_idle(), two in any_idle()) {
        let deviation = |idle| System::WITH_DICE.idle(rating, idle).deviation();
        prop_assert!(deviation(one.min(two)) <= deviation(one.max(two)));
        prop_assert!(deviation(one) >= rating.deviation());
    }
}
