//! Claims against an absent player, in matches without a clock.

use lusoria_play::{AbortReason, Clock, Command, Event, GameEnd, MatchEnd, Millis, PlayerId, Refusal, Seat};
use lusoria_rules::Game;

use crate::bench::{BLITZ, Bench, CREATOR, JOINER, MINUTE, terms};

const NEEDED: Millis = 10 * MINUTE;

fn claim(by: PlayerId, gone_ms: Millis) -> Command {
    Command::Claim { by, gone_ms }
}

#[test]
fn a_player_gone_for_ten_minutes_of_their_turn_loses() {
    let mut bench = Bench::under_way(terms(Game::Tavla, Clock::None {}));
    let (gone, waiting) = (bench.seat_to_play(), bench.waiting());
    bench.now += NEEDED;
    let refusal = bench.ask(claim(waiting, NEEDED - 1)).unwrap_err();
    assert_eq!(refusal, Refusal::NotGone { gone_ms: NEEDED - 1, needed_ms: NEEDED });
    let events = bench.ask(claim(waiting, NEEDED)).unwrap();
    assert!(matches!(events[0], Event::GameEnded { points: 2, reason: GameEnd::Claimed, .. }));
    assert_eq!(bench.state.end(), Some(MatchEnd::Won(gone.other())));
}

#[test]
fn time_away_before_their_turn_does_not_count() {
    let mut bench = Bench::under_way(terms(Game::Zeno, Clock::None {}));
    let waiting = bench.waiting();
    bench.now += 1_000;
    let refusal = bench.ask(claim(waiting, 10 * NEEDED)).unwrap_err();
    assert_eq!(refusal, Refusal::NotGone { gone_ms: 1_000, needed_ms: NEEDED });
}

#[test]
fn nobody_claims_in_their_own_turn() {
    let mut bench = Bench::under_way(terms(Game::Zeno, Clock::None {}));
    bench.now += NEEDED;
    let own = bench.to_play();
    assert_eq!(bench.refused(claim(own, NEEDED)), "own_turn");
}

#[test]
fn before_both_have_moved_a_claim_aborts() {
    let mut bench = Bench::playing(terms(Game::Zeno, Clock::None {}));
    assert_eq!(bench.to_play(), CREATOR);
    bench.now += NEEDED;
    let events = bench.ask(claim(JOINER, NEEDED)).unwrap();
    let end = MatchEnd::Aborted(AbortReason::NoShow(Seat::One));
    assert_eq!(events.last(), Some(&Event::MatchEnded { end }));
}

#[test]
fn with_a_clock_the_clock_decides() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    let waiting = bench.waiting();
    assert_eq!(bench.refused(claim(waiting, NEEDED)), "has_clock");
}
