//! What a turn is given back for lag: never more than the numbers of `play::lag` allow.

use lusoria_play::{
    BySeat, Clock, Command, Creation, Event, Length, Match, Millis, Player, PlayerKind, Recorded,
    SeedBrought, Terms,
};
use lusoria_rules::Game;
use proptest::{collection::vec, prelude::*};

use crate::{
    bench::{BLITZ, Bench, CREATOR, DAYS, DELAY, ID, MINUTE, creation, player, terms},
    chance::Foretold,
};

/// Plays a turn of this duration, with this lag. Returns what it was given back.
fn turn(bench: &mut Bench, took_ms: Millis, line_ms: Millis) -> Option<Millis> {
    bench.now += took_ms;
    let number = bench.journal.len() as u64;
    let Command::Turn { by, answers, steps, thought, .. } = bench.turn(bench.some_steps(number)) else {
        unreachable!()
    };
    let events = bench.ask(Command::Turn { by, answers, steps, thought, lag_ms: line_ms }).unwrap();
    let Event::Turned { lag_ms, .. } = events[0] else { panic!("{events:?}") };
    lag_ms
}

#[test]
fn a_turn_is_given_back_its_lag() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    let seat = bench.seat_to_play();
    assert_eq!(turn(&mut bench, 4_000, 150), Some(150));
    assert_eq!(*bench.clocks().get(seat), 5 * MINUTE - 4_000 + 150 + 3_000);
    assert_eq!(turn(&mut bench, 4_000, 0), None, "nothing was measured");
}

#[test]
fn no_turn_is_given_back_more_than_it_took_from_the_clock() {
    let mut bench = Bench::playing(terms(Game::Zeno, DELAY));
    assert_eq!(turn(&mut bench, 20_000, 150), None, "the first turn is free");
    assert_eq!(turn(&mut bench, 20_000, 150), None);
    assert_eq!(turn(&mut bench, 5_000, 150), None, "and so is a delay");
    assert_eq!(turn(&mut bench, 5_040, 150), Some(40));
    assert_eq!(turn(&mut bench, 5_160, 150), Some(150));
}

#[test]
fn a_single_long_lag_is_made_up_for_and_a_constant_one_is_not() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    let mut given = Vec::new();
    for line_ms in [150, 150, 1_200, 1_200, 1_200, 1_200] {
        given.push(turn(&mut bench, 5_000, line_ms).unwrap());
        // The opponent has a separate quota.
        assert_eq!(turn(&mut bench, 5_000, 20), Some(20));
    }
    assert_eq!(given, [150, 150, 1_200, 800, 500, 500]);
}

#[test]
fn each_game_has_a_quota_of_its_own() {
    let clock = Clock::Fischer { base_ms: 5_000, increment_ms: 5_000 };
    let mut bench = Bench::under_way(Terms { length: Length::Points(3), ..terms(Game::Tabula, clock) });
    let total: Millis = (0..8).filter_map(|_| turn(&mut bench, 1_000, 400)).sum();
    assert_eq!(total, 2 * 500);
    bench.ask(Command::Resign { by: CREATOR, whole_match: false }).unwrap();
    bench.play();
    bench.play();
    assert_eq!(turn(&mut bench, 1_000, 400), Some(400));
}

#[test]
fn only_people_with_a_running_clock_are_given_anything_back() {
    for clock in [Clock::None {}, DAYS] {
        let mut bench = Bench::under_way(terms(Game::Zeno, clock));
        assert_eq!(bench.state.line_to_measure(), None);
        assert_eq!(turn(&mut bench, 4_000, 150), None);
    }
    let by_bot = Creation {
        creator: Player { kind: PlayerKind::Bot, ..player(CREATOR) },
        ..creation(terms(Game::Zeno, BLITZ), SeedBrought::Nothing)
    };
    let mut bench = Bench::create(by_bot, Foretold::from(1));
    bench.join(None).unwrap();
    bench.play();
    bench.play();
    for _ in 0..4 {
        let by_bot = bench.to_play() == CREATOR;
        assert_eq!(bench.state.line_to_measure().is_none(), by_bot);
        assert_eq!(turn(&mut bench, 4_000, 150), (!by_bot).then_some(150));
    }
}

/// A release that does not know the field reads the same clocks, because they include it already.
#[test]
fn the_clocks_of_a_journal_do_not_need_what_was_given_back() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    for took_ms in [4_000, 700, 2_000, 100] {
        assert_ne!(turn(&mut bench, took_ms, 150), None);
    }
    let without: Vec<Recorded> = bench
        .journal
        .iter()
        .map(|recorded| {
            let mut json = serde_json::to_value(recorded).unwrap();
            json["event"].as_object_mut().unwrap().remove("lag_ms");
            serde_json::from_value(json).unwrap()
        })
        .collect();
    assert_ne!(without, bench.journal);
    let folded = Match::from_journal(ID, without).unwrap();
    assert_eq!(folded.clocks_ms(bench.now), bench.state.clocks_ms(bench.now));
    assert_eq!(folded.next_deadline(), bench.state.next_deadline());
}

fn some_clock() -> impl Strategy<Value = Clock> {
    let base = Clock::BASE_MIN_MS..60 * MINUTE;
    prop_oneof![
        (base.clone(), 0..20_000_u64)
            .prop_map(|(base_ms, increment_ms)| Clock::Fischer { base_ms, increment_ms }),
        (base, 0..20_000_u64).prop_map(|(base_ms, delay_ms)| Clock::Delay { base_ms, delay_ms }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Also for very slow lines, or clients that pretend to have one.
    #[test]
    fn what_is_given_back_stays_within_its_limits(
        clock in some_clock(),
        turns in vec((0..30_000_u64, prop_oneof![Just(0), Just(Millis::MAX), 0..2_000_u64]), 1..60),
    ) {
        let mut bench = Bench::playing(terms(Game::Zeno, clock));
        let stock_ms = clock.stock_ms().unwrap();
        let mut given = BySeat(Vec::new(), Vec::new());
        for (took_ms, line_ms) in turns {
            let Some(deadline) = bench.state.next_deadline() else { break };
            let took_ms = took_ms.min(deadline - bench.now - 1);
            let seat = bench.seat_to_play();
            let lag_ms = turn(&mut bench, took_ms, line_ms);
            if bench.state.end().is_some() {
                break;
            }
            prop_assert!(lag_ms.is_none_or(|lag_ms| (1..=took_ms.min(line_ms)).contains(&lag_ms)));
            let given = given.get_mut(seat);
            given.push(lag_ms.unwrap_or(0));
            prop_assert!(given.iter().sum::<Millis>() <= stock_ms / 10);
            for so_far in 1..=given.len() {
                let lately: Millis = given[given.len() - so_far..].iter().sum();
                prop_assert!(lately <= 500 * (so_far as u64 + 2), "{lately} ms in {so_far} turns");
            }
        }
    }
}
