//! Which player left a match, and which endings count as leaving.

use lusoria_play::{Clock, Command, Event, Match, Millis, Recorded, Seat};
use lusoria_rules::Game;

use crate::bench::{BLITZ, Bench, DAYS, MINUTE, terms};

/// The match before an append, and the recorded append.
fn left(bench: &mut Bench, happens: impl FnOnce(&mut Bench) -> Vec<Event>) -> Option<Seat> {
    let before: Match = bench.state.clone();
    let events = happens(bench);
    let recorded = |(seq, event)| Recorded { seq, first: before.head() + 1, at: bench.now, event };
    let events: Vec<Recorded> = (before.head() + 1..).zip(events).map(recorded).collect();
    before.leaver(&events)
}

fn run_out(bench: &mut Bench) -> Vec<Event> {
    bench.now = bench.state.next_deadline().expect("a term");
    bench.on_deadline()
}

#[test]
fn a_player_who_does_not_come_has_left() {
    let mut bench = Bench::playing(terms(Game::Zeno, BLITZ));
    let absent = bench.seat_to_play();
    assert_eq!(left(&mut bench, run_out), Some(absent));
}

#[test]
fn letting_a_minute_run_out_is_leaving_and_running_short_of_time_is_not() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    let slow = bench.seat_to_play();
    assert_eq!(left(&mut bench, run_out), Some(slow));
    let short = Clock::Fischer { base_ms: MINUTE / 2, increment_ms: 0 };
    let mut bench = Bench::under_way(terms(Game::Zeno, short));
    assert_eq!(left(&mut bench, run_out), None);
}

#[test]
fn being_claimed_against_is_leaving_and_resigning_is_not() {
    let mut bench = Bench::under_way(terms(Game::Tavla, Clock::None {}));
    let (gone, waiting) = (bench.seat_to_play(), bench.waiting());
    bench.now += 10 * MINUTE;
    let claim = Command::Claim { by: waiting, gone_ms: 10 * MINUTE };
    assert_eq!(left(&mut bench, |bench| bench.ask(claim).expect("claimed")), Some(gone));
    let mut bench = Bench::under_way(terms(Game::Tavla, BLITZ));
    let resign = Command::Resign { by: bench.to_play(), whole_match: true };
    assert_eq!(left(&mut bench, |bench| bench.ask(resign).expect("resigned")), None);
}

#[test]
fn nobody_leaves_a_correspondence_match() {
    let mut bench = Bench::under_way(terms(Game::Tablut, DAYS));
    assert_eq!(left(&mut bench, run_out), None);
}

#[test]
fn nobody_leaves_just_after_an_outage() {
    let after = |wait_ms: Millis| {
        let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
        let since = bench.now;
        bench.now += MINUTE;
        bench.ask(Command::Credit { from: since, until: bench.now }).expect("credited");
        bench.now += wait_ms;
        left(&mut bench, run_out)
    };
    // The term continues for its five minutes after the end of the outage.
    assert_eq!(after(0), None);
    let mut bench =
        Bench::under_way(terms(Game::Zeno, Clock::Fischer { base_ms: 20 * MINUTE, increment_ms: 0 }));
    let since = bench.now;
    bench.now += MINUTE;
    bench.ask(Command::Credit { from: since, until: bench.now }).expect("credited");
    let slow = bench.seat_to_play();
    assert_eq!(left(&mut bench, run_out), Some(slow), "twenty minutes later");
}
