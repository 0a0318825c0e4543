//! Known answers of other implementations, and of the formulas by hand.

use std::time::Duration;

use lusoria_rating::{Advantage, Kind, Outcome, Player, RatedMatch, Rating, Slope, System, Verdict};

use crate::chance::{person, rating, single};

/// The greatest rounding error of a known answer with this many decimals.
fn near(number: f64, known: f64, digits: i32) -> bool {
    (number - known).abs() <= 0.500_001 * 10_f64.powi(-digits)
}

fn rate(system: &System, ratings: [Rating; 2], verdict: Verdict) -> [Rating; 2] {
    system.rate(&RatedMatch { players: ratings.map(person), verdict, earlier_today: 0 })
}

#[test]
fn two_who_are_quite_unknown() {
    let start = rating(1500.0, 500.0, 0.09);
    let system = System::new(start, 0.75).unwrap();
    let [winner, loser] = rate(&system, [start, start], single(Outcome::Won));
    assert!(near(winner.points(), 1741.48, 2), "{winner:?}");
    assert!(near(loser.points(), 3000.0 - 1741.48, 2), "{loser:?}");
    assert!(near(winner.deviation(), 396.69, 2) && near(loser.deviation(), 396.69, 2));
}

#[test]
fn the_advantage_of_white() {
    let start = rating(1500.0, 350.0, 0.06);
    let system = System::new(start, 0.75).unwrap();
    let advantage = Advantage::new(11.782_457).unwrap();
    let rate =
        |outcome| rate(&system, [start, start], Verdict::Match { outcome, advantage, slope: Slope::ONE });
    let [white, _] = rate(Outcome::Won);
    assert!(near(white.points(), 1658.5575, 4), "{white:?}");
    assert!(near(white.deviation(), 290.2538, 4), "{white:?}");
    let [_, black] = rate(Outcome::Lost);
    assert!(near(black.points(), 1665.9186, 4), "{black:?}");
    assert!(near(black.deviation(), 290.2538, 4), "{black:?}");
}

#[test]
fn a_match_of_five_points() {
    let verdict =
        |outcome| Verdict::Match { outcome, advantage: Advantage::NONE, slope: Slope::of_points(5) };
    let system = System::WITHOUT_DICE;
    let even = rating(1500.0, 200.0, 0.06);
    let [winner, _] = rate(&system, [even, even], verdict(Outcome::Won));
    assert!(near(winner.points(), 1598.4189, 4), "{winner:?}");
    assert!(near(winner.deviation(), 128.2869, 4), "{winner:?}");

    let (better, other) = (rating(1600.0, 80.0, 0.06), rating(1500.0, 80.0, 0.06));
    let [better, other] = rate(&system, [better, other], verdict(Outcome::Lost));
    // The loser's known answer is the winner's, mirrored between both.
    assert!(near(better.points(), 1541.3069, 4), "{better:?}");
    assert!(near(other.points(), 1558.6931, 4), "{other:?}");
    assert!(near(better.deviation(), 73.1949, 4) && near(other.deviation(), 73.1949, 4));
}

#[test]
fn slopes_of_matches() {
    for (points, known) in [(1, 1.0), (2, 1.5), (3, 1.875), (4, 2.19), (5, 2.46), (6, 2.71), (7, 2.93)] {
        assert!(near(Slope::of_points(points).get(), known, 2), "{points}");
    }
    assert_eq!(Slope::of_points(1), Slope::ONE);
    assert_eq!(Slope::of_points(0), Slope::ONE);
    assert_eq!(Slope::of_points(u16::MAX), Slope::of_points(300));
    assert!(Slope::new(Slope::of_points(300).get()).is_ok());
}

#[test]
fn the_words_for_deviations() {
    let with = |deviation| rating(1500.0, deviation, 0.06);
    assert!(with(110.0).is_provisional() && !with(109.999).is_provisional());
    assert!(with(75.0).is_settled() && !with(75.001).is_settled());
    assert!(System::WITH_DICE.start().is_provisional());
    assert!(near(System::WITH_DICE.start().deviation(), 250.0, 9));
    assert!(near(System::WITHOUT_DICE.start().deviation(), 350.0, 9));
}

#[test]
fn a_deviation_grows_up_to_that_of_the_start() {
    let days = |days: u64| Duration::from_hours(24 * days);
    let system = System::WITH_DICE;
    let settled = rating(1700.0, 60.0, 0.06);
    assert_eq!(system.idle(settled, Duration::ZERO), settled);
    // √(60² + 365 · 0.21436 · (0.06 · 173.7178)²)
    assert!(near(system.idle(settled, days(365)).deviation(), 110.0008, 4));
    assert!(near(system.idle(settled, days(20_000)).deviation(), 250.0, 9));
    assert_eq!(system.idle(settled, Duration::MAX).points().to_bits(), settled.points().to_bits());
}

#[test]
fn a_match_after_a_time_tells_more() {
    let settled = rating(1500.0, 60.0, 0.06);
    let players = [Player { idle: Duration::from_hours(24 * 365), ..person(settled) }, person(settled)];
    let [back, opponent] =
        System::WITH_DICE.rate(&RatedMatch { players, verdict: single(Outcome::Won), earlier_today: 0 });
    assert!(back.points() - 1500.0 > 2.0 * (1500.0 - opponent.points()));
    assert!(back.deviation() > 100.0 && opponent.deviation() < 60.0);
}

#[test]
fn half_of_the_change_against_a_bot() {
    let (one, two) = (rating(1500.0, 90.0, 0.06), rating(1600.0, 60.0, 0.06));
    let rate = |kinds: [Kind; 2]| {
        let players = [Player { kind: kinds[0], ..person(one) }, Player { kind: kinds[1], ..person(two) }];
        System::WITH_DICE.rate(&RatedMatch { players, verdict: single(Outcome::Won), earlier_today: 0 })
    };
    let people = rate([Kind::Person, Kind::Person]);
    assert_eq!(rate([Kind::Bot, Kind::Bot]), people);
    let [person, bot] = rate([Kind::Person, Kind::Bot]);
    assert_eq!(bot, people[1]);
    assert!(near(person.points() - 1500.0, (people[0].points() - 1500.0) / 2.0, 9));
    assert!(near(person.deviation() - 90.0, (people[0].deviation() - 90.0) / 2.0, 9));
    assert_eq!(rate([Kind::Bot, Kind::Person])[0], people[0]);
}

/// The change halves with every match from the fifth on, for an update so small that it is proportional.
#[test]
fn the_fifth_match_of_a_day_counts_half() {
    let (one, two) = (rating(1500.0, 30.0, 0.06), rating(1900.0, 30.0, 0.06));
    let change = |earlier_today| {
        let [after, _] = System::WITH_DICE.rate(&RatedMatch {
            players: [person(one), person(two)],
            verdict: single(Outcome::Lost),
            earlier_today,
        });
        1500.0 - after.points()
    };
    for full in 1..4 {
        assert!(near(change(full), change(0), 12));
    }
    for (earlier, part) in [(4, 2.0), (5, 4.0), (6, 8.0), (9, 64.0)] {
        assert!((change(earlier) * part / change(0) - 1.0).abs() < 0.01, "{earlier}");
    }
    assert!(change(u32::MAX) > 0.0);
}

#[test]
fn numbers_out_of_their_ranges_are_refused() {
    for (points, deviation, volatility, what) in [
        (-1.0, 100.0, 0.06, "points"),
        (f64::NAN, 100.0, 0.06, "points"),
        (1500.0, 29.0, 0.06, "deviation"),
        (1500.0, f64::INFINITY, 0.06, "deviation"),
        (1500.0, 100.0, 0.0, "volatility"),
    ] {
        assert_eq!(Rating::new(points, deviation, volatility).unwrap_err().what, what);
    }
    assert!(Advantage::new(1000.5).is_err() && Advantage::new(f64::NAN).is_err());
    assert!(Slope::new(0.0).is_err() && Slope::new(f64::INFINITY).is_err());
    assert!(System::new(Rating::START_WITH_DICE, 0.0).is_err());
    assert_eq!(Advantage::new(2000.0).unwrap_err().to_string(), "advantage is 2000, not in -1000 to 1000");
    assert_eq!(Rating::new(-0.0, 100.0, 0.06).unwrap().points().to_bits(), 0);
}
