//! Time in which the server was not running is not charged.

use lusoria_play::{Clock, Command, Event, Millis};
use lusoria_rules::Game;

use crate::bench::{BLITZ, Bench, CREATOR, DAY, DAYS, MINUTE, START, terms};

fn credit(bench: &mut Bench, from: Millis, until: Millis) -> Option<Millis> {
    let events = bench.ask(Command::Credit { from, until }).unwrap();
    events.first().map(|event| match event {
        Event::Credited { credit_ms, .. } => *credit_ms,
        other => panic!("{other:?}"),
    })
}

#[test]
fn the_part_of_an_outage_within_the_term_is_given_back() {
    let s = 1_000;
    // The term has run for 100 s when the credit is requested.
    let cases: [(i64, i64, Option<Millis>); 7] = [
        (20, 50, Some(30 * s)),
        (0, 100, Some(100 * s)),
        (-40, 30, Some(30 * s)),
        (-40, 0, None),
        (-40, -10, None),
        (60, 500, Some(40 * s)),
        (50, 40, None),
    ];
    for (from, until, expected) in cases {
        let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
        let (since, deadline) = (bench.now, bench.state.next_deadline().unwrap());
        bench.now += 100 * s;
        let at = |seconds: i64| since.checked_add_signed(seconds * 1_000).unwrap();
        assert_eq!(credit(&mut bench, at(from), at(until)), expected, "{from} to {until}");
        let given = expected.unwrap_or(0);
        assert_eq!(bench.state.next_deadline(), Some(deadline + given));
        assert_eq!(bench.state.turn_since(), Some(since + given));
        let seat = bench.seat_to_play();
        assert_eq!(*bench.clocks().get(seat), 5 * MINUTE - (100 * s - given));
        bench.play();
        assert_eq!(*bench.clocks().get(seat), 5 * MINUTE - (100 * s - given) + 3 * s);
    }
}

#[test]
fn nothing_is_given_back_twice() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    let since = bench.now;
    bench.now += 100_000;
    assert_eq!(credit(&mut bench, since + 10_000, since + 30_000), Some(20_000));
    assert_eq!(credit(&mut bench, since + 10_000, since + 30_000), None);
    assert_eq!(credit(&mut bench, since + 20_000, since + 50_000), Some(20_000));
    assert_eq!(credit(&mut bench, since + 60_000, since + 70_000), Some(10_000));
}

#[test]
fn an_outage_over_the_deadline_saves_the_term() {
    let mut bench = Bench::under_way(terms(Game::Tablut, BLITZ));
    let since = bench.now;
    bench.now += DAY;
    assert_eq!(credit(&mut bench, since + 200_000, since + DAY), Some(DAY - 200_000));
    assert_eq!(bench.on_deadline(), []);
    assert_eq!(bench.state.next_deadline(), Some(bench.now + 100_000));
    bench.play();
}

#[test]
fn every_kind_of_term_is_extended() {
    let first_turn = Bench::playing(terms(Game::Zeno, BLITZ));
    let open = Bench::open(terms(Game::Zeno, BLITZ));
    let days = Bench::under_way(terms(Game::Zeno, DAYS));
    let abandoned = Bench::under_way(terms(Game::Zeno, Clock::None {}));
    for mut bench in [first_turn, open, days, abandoned] {
        let deadline = bench.state.next_deadline().unwrap();
        bench.now += 50_000;
        assert_eq!(credit(&mut bench, START - DAY, START + 40_000), Some(40_000));
        assert_eq!(bench.state.next_deadline(), Some(deadline + 40_000));
        bench.run_out();
    }
}

#[test]
fn a_match_that_has_ended_gets_no_credit() {
    let mut bench = Bench::playing(terms(Game::Zeno, BLITZ));
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    bench.now += 50_000;
    assert_eq!(credit(&mut bench, START, START + 40_000), None);
}
