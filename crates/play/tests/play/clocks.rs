//! Clocks: the cost of a turn, and the end of a side's time.

use lusoria_play::{BySeat, Clock, Command, Event, GameEnd, Length, MatchEnd, Millis, Seat, Terms};
use lusoria_rules::Game;

use crate::bench::{BLITZ, Bench, CREATOR, DAY, DAYS, DELAY, JOINER, MINUTE, terms};

/// Plays a turn of this duration. Returns the time on the player's clock.
fn after(bench: &mut Bench, ms: Millis) -> Millis {
    bench.now += ms;
    let seat = bench.seat_to_play();
    let running = *bench.clocks().get(seat);
    bench.play();
    assert!(running <= *bench.clocks().get(seat), "a turn never takes what the clock had not shown");
    *bench.clocks().get(seat)
}

#[test]
fn the_first_turn_of_each_side_is_free_and_adds_nothing() {
    for clock in [BLITZ, DELAY] {
        let mut bench = Bench::playing(terms(Game::Zeno, clock));
        let stock = clock.stock_ms().unwrap();
        assert_eq!(bench.clocks(), BySeat(stock, stock));
        assert_eq!(after(&mut bench, MINUTE - 1), stock);
        assert_eq!(after(&mut bench, 30_000), stock);
    }
}

#[test]
fn fischer_takes_the_time_of_a_turn_and_adds_the_increment() {
    let mut bench = Bench::under_way(terms(Game::Zeno, BLITZ));
    let stock = 5 * MINUTE;
    assert_eq!(after(&mut bench, 10_000), stock - 10_000 + 3_000);
    assert_eq!(after(&mut bench, 1_000), stock - 1_000 + 3_000);
    assert_eq!(after(&mut bench, 0), stock - 10_000 + 6_000);
    bench.now += 7_000;
    assert_eq!(*bench.clocks().get(bench.seat_to_play()), stock + 2_000 - 7_000, "the clock runs");
}

#[test]
fn a_delay_is_free_and_what_exceeds_it_is_taken() {
    let mut bench = Bench::under_way(terms(Game::Zeno, DELAY));
    assert_eq!(after(&mut bench, 5_000), MINUTE);
    assert_eq!(after(&mut bench, 5_001), MINUTE - 1);
    assert_eq!(after(&mut bench, 25_000), MINUTE - 20_000);
    assert_eq!(after(&mut bench, 100), MINUTE - 1);
}

#[test]
fn in_days_games_each_turn_has_its_term() {
    let mut bench = Bench::under_way(terms(Game::Zeno, DAYS));
    assert_eq!(after(&mut bench, 2 * DAY - 1), 2 * DAY);
    bench.now += DAY;
    assert_eq!(*bench.clocks().get(bench.seat_to_play()), DAY);
    assert_eq!(*bench.clocks().get(bench.seat_to_play().other()), 2 * DAY);
}

#[test]
fn a_player_without_time_left_loses() {
    for (clock, term) in [(BLITZ, 5 * MINUTE), (DELAY, MINUTE + 5_000), (DAYS, 2 * DAY)] {
        let mut bench = Bench::under_way(terms(Game::Tavla, clock));
        let loser = bench.seat_to_play();
        assert_eq!(bench.state.next_deadline(), Some(bench.now + term));
        let events = bench.run_out();
        let [Event::GameEnded { winner, points, reason, .. }, ended] = &events[..] else {
            panic!("{events:?}")
        };
        assert_eq!(
            (*winner, *points, *reason),
            (Some(loser.other()), 2, GameEnd::Time),
            "tavla 7: nothing borne off"
        );
        assert_eq!(*ended, Event::MatchEnded { end: MatchEnd::Won(loser.other()) });
    }
}

#[test]
fn a_command_after_the_deadline_is_refused_even_before_the_deadline_is_handled() {
    let mut bench = Bench::under_way(terms(Game::Scripta, BLITZ));
    let turn = bench.turn(bench.some_steps(0));
    bench.now = bench.state.next_deadline().unwrap();
    for command in
        [turn, Command::Resign { by: CREATOR, whole_match: true }, Command::OfferDraw { by: JOINER }]
    {
        assert_eq!(bench.refused(command), "time_over");
    }
    assert!(!bench.on_deadline().is_empty());
}

#[test]
fn clocks_start_afresh_in_each_game() {
    let mut bench = Bench::under_way(Terms { length: Length::Points(3), ..terms(Game::Tabula, BLITZ) });
    after(&mut bench, 100_000);
    bench.ask(Command::Resign { by: CREATOR, whole_match: false }).unwrap();
    assert_eq!(bench.clocks(), BySeat(5 * MINUTE, 5 * MINUTE));
    let term = MINUTE + Clock::BREAK_MS;
    assert_eq!(bench.state.next_deadline(), Some(bench.now + term), "the first turn is free, after a break");
}

#[test]
fn a_no_show_in_a_later_game_loses_that_game_only() {
    let mut bench = Bench::under_way(Terms { length: Length::Points(3), ..terms(Game::Tabula, BLITZ) });
    bench.ask(Command::Resign { by: CREATOR, whole_match: false }).unwrap();
    assert_eq!(bench.state.score(), BySeat(0, 1));
    let absent = bench.seat_to_play();
    assert_eq!(absent, Seat::Two, "colours have changed");
    let events = bench.run_out();
    assert!(matches!(
        events[0],
        Event::GameEnded { winner: Some(Seat::One), points: 1, reason: GameEnd::NoShow, .. }
    ));
    assert!(matches!(events[1], Event::GameStarted { game: 3, .. }));
    assert_eq!(bench.state.score(), BySeat(1, 1));
}

#[test]
fn without_a_clock_there_is_none_to_show() {
    let bench = Bench::under_way(terms(Game::Zeno, Clock::None {}));
    assert_eq!(bench.state.clocks_ms(bench.now), None);
}
