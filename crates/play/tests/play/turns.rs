//! Turns: who plays them, in response to what, how they end, and automatic passes.

use lusoria_play::{Clock, Command, Corrupt, Event, GameEnd, Length, Match, MatchEnd, Refusal, Seat, Terms};
use lusoria_rules::{BySide, Call, DiceSide, Die, Game, Reason, Setup, Side, Step};

use crate::bench::{BLITZ, Bench, CREATOR, ID, JOINER, STRANGER, terms};

fn step(die: u8, from: &str, to: &str) -> Step {
    Step { die: Die::new(die), from: from.to_owned(), to: to.to_owned() }
}

fn side<const N: usize>(points: [(&str, u8); N], supply: u8, bar: u8, off: u8) -> DiceSide {
    let points = points.into_iter().map(|(cell, n)| (cell.to_owned().into(), n)).collect();
    DiceSide { points, supply, bar, off, ..DiceSide::default() }
}

fn setup(white: DiceSide, black: DiceSide, to_move: Side) -> Setup {
    Setup::Tables { sides: BySide { white, black }, to_move }
}

#[test]
fn only_the_side_to_play_can_play() {
    let mut bench = Bench::playing(terms(Game::Tabula, BLITZ));
    let (steps, answers) = (bench.some_steps(0), bench.state.to_play().unwrap().given_by);
    let by_other = Command::Turn { by: JOINER, answers, steps: steps.clone(), thought: None, lag_ms: 0 };
    assert_eq!(bench.ask(by_other).unwrap_err().to_string(), "it is White's turn");
    let by_stranger = Command::Turn { by: STRANGER, answers, steps, thought: None, lag_ms: 0 };
    assert_eq!(bench.refused(by_stranger), "not_a_player");

    let mut tablut = Bench::playing(terms(Game::Tablut, BLITZ));
    let steps = tablut.some_steps(0);
    let by_other =
        Command::Turn { by: CREATOR, answers: tablut.state.head(), steps, thought: None, lag_ms: 0 };
    assert_eq!(tablut.ask(by_other).unwrap_err().to_string(), "it is the attackers' turn");
}

#[test]
fn a_turn_names_the_event_that_gave_it_whatever_has_happened_since() {
    let mut bench = Bench::playing(terms(Game::Scripta, BLITZ));
    let turn = bench.turn(bench.some_steps(0));
    let Command::Turn { by, answers, steps, thought, .. } = turn.clone() else { unreachable!() };
    for wrong in [0, answers - 1, answers + 1, u32::MAX] {
        let refusal = bench
            .ask(Command::Turn { by, answers: wrong, steps: steps.clone(), thought, lag_ms: 0 })
            .unwrap_err();
        assert_eq!(refusal, Refusal::WrongSeq { given: wrong, expected: answers });
    }
    bench.ask(Command::OfferDraw { by: JOINER }).unwrap();
    bench.ask(turn).unwrap();
}

#[test]
fn a_turn_that_comes_again_is_told_from_a_wrong_one() {
    let mut bench = Bench::playing(terms(Game::Zeno, BLITZ));
    let turn = bench.turn(bench.some_steps(0));
    let turned = bench.state.head() + 1;
    bench.ask(turn.clone()).unwrap();
    let Command::Turn { answers, steps, .. } = turn.clone() else { unreachable!() };
    assert_eq!(bench.ask(turn.clone()).unwrap_err(), Refusal::AlreadyAnswered { given: answers, turned });
    // Also after more turns, after the end, and after a deadline.
    bench.play();
    bench.play();
    assert_eq!(bench.refused(turn.clone()), "already_answered");
    bench.ask(Command::Resign { by: CREATOR, whole_match: true }).unwrap();
    assert_eq!(bench.refused(turn), "already_answered");
    // The opponent's turn never answered that event.
    assert_eq!(
        bench.refused(Command::Turn { by: JOINER, answers, steps, thought: None, lag_ms: 0 }),
        "match_over"
    );
}

#[test]
fn a_turn_in_a_journal_answers_an_earlier_event() {
    let mut bench = Bench::playing(terms(Game::Zeno, BLITZ));
    let (before, turn) = (bench.state.clone(), bench.turn(bench.some_steps(0)));
    bench.ask(turn).unwrap();
    let recorded = bench.journal[before.head() as usize].clone();
    let seq = recorded.seq;
    let fold = |given: u32| {
        let mut recorded = recorded.clone();
        let Event::Turned { answers, .. } = &mut recorded.event else { unreachable!("a turn was played") };
        *answers = given;
        before.clone().fold(&recorded)
    };
    for later in [seq, seq + 1, u32::MAX] {
        let folded = fold(later);
        assert!(matches!(folded, Err(Corrupt::OutOfPlace { seq: at, .. }) if at == seq), "{folded:?}");
    }
    assert_eq!(fold(seq - 1), Ok(()));
}

#[test]
fn a_turn_is_whole_or_nothing() {
    let mut bench = Bench::throwing(terms(Game::Zeno, BLITZ), [&[1, 2, 3]]);
    let (one, two, three) = (step(1, "supply", "1"), step(2, "supply", "2"), step(3, "supply", "3"));
    let short = bench.turn(vec![one.clone(), three.clone()]);
    assert_eq!(bench.ask(short).unwrap_err(), Refusal::Incomplete { left: 1 });
    let wrong = bench.turn(vec![one.clone(), two.clone(), step(3, "supply", "4")]);
    let refusal = bench.ask(wrong).unwrap_err();
    assert!(matches!(refusal, Refusal::Illegal { index: 2, .. }), "{refusal:?}");
    assert!(refusal.to_string().starts_with("step 3: "), "{refusal}");
    let long = bench.turn(vec![one.clone(), two.clone(), three.clone(), one.clone()]);
    assert!(matches!(bench.ask(long).unwrap_err(), Refusal::Illegal { index: 3, .. }));
    let events = bench.ask(bench.turn(vec![three, one, two])).unwrap();
    assert!(
        matches!(&events[..], [Event::Turned { steps, .. }, Event::Thrown { side: Side::Black, throw: 1, .. }] if steps.len() == 3)
    );
    assert_eq!(bench.state.turns(), 1);

    let mut tablut = Bench::playing(terms(Game::Tablut, BLITZ));
    assert_eq!(tablut.ask(tablut.turn(vec![])).unwrap_err(), Refusal::Incomplete { left: 1 });
}

#[test]
fn turns_in_which_nothing_can_be_played_pass_in_the_same_append() {
    // White holds all six cells on which Black could enter.
    let white = side([("7", 3), ("19", 2), ("20", 2), ("21", 2), ("22", 2), ("23", 2), ("24", 2)], 0, 0, 0);
    let position = setup(white, side([], 14, 1, 0), Side::White);
    let mut bench = Bench::at(terms(Game::Tabula, BLITZ), position, &[1, 2, 3]);
    bench.chance.script = [vec![6, 6, 6], vec![1, 2, 3]].into();
    let steps = vec![step(1, "7", "8"), step(2, "7", "9"), step(3, "7", "10")];
    let events = bench.ask(bench.turn(steps)).unwrap();
    assert!(
        matches!(
            events[..],
            [
                Event::Turned { seat: Seat::One, .. },
                Event::Thrown { side: Side::Black, throw: 91, .. },
                Event::Passed { seat: Seat::Two, side: Side::Black },
                Event::Thrown { side: Side::White, throw: 92, .. },
            ]
        ),
        "{events:?}"
    );
    assert_eq!(bench.seat_to_play(), Seat::One);
    assert_eq!(bench.state.turns(), 3, "a pass is no turn");
}

#[test]
fn bearing_off_the_last_piece_ends_the_match() {
    let position = setup(side([("24", 1)], 0, 0, 14), side([("12", 15)], 0, 0, 0), Side::White);
    let mut bench = Bench::at(terms(Game::Tabula, BLITZ), position, &[3, 4, 5]);
    let events = bench.ask(bench.turn(vec![step(3, "24", "off")])).unwrap();
    let [Event::Turned { .. }, Event::GameEnded { winner, winner_side, points: 1, reason, .. }, ended] =
        &events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!((*winner, *winner_side), (Some(Seat::One), Some(Side::White)));
    assert_eq!(*reason, GameEnd::Rules(Reason::BorneOff));
    assert_eq!(*ended, Event::MatchEnded { end: MatchEnd::Won(Seat::One) });
    assert_eq!(bench.refused(Command::Resign { by: JOINER, whole_match: false }), "match_over");
}

#[test]
fn mars_scores_two_and_decides_a_match_to_one_or_two() {
    for points in [1, 2] {
        let position = setup(side([("1", 1)], 0, 0, 14), side([("12", 15)], 0, 0, 0), Side::White);
        let mut bench = Bench::at(
            Terms { length: Length::Points(points), ..terms(Game::Tavla, BLITZ) },
            position,
            &[3, 4],
        );
        // Which seat is White has not changed: seat 1.
        let events = bench.ask(bench.turn(vec![step(3, "1", "off")])).unwrap();
        assert!(matches!(
            events[1],
            Event::GameEnded { points: 2, reason: GameEnd::Rules(Reason::Mars), .. }
        ));
        assert_eq!(bench.state.score().0, 2);
        assert_eq!(bench.state.end(), Some(MatchEnd::Won(Seat::One)));
    }
}

#[test]
fn tablut_goes_to_the_king_who_reaches_an_edge() {
    let mut bench = Bench::playing(terms(Game::Tablut, Clock::None {}));
    bench.moves(&["a4-b4", "e6-f6", "b4-a4", "e5-e6", "a4-b4"]);
    let events = bench.moves(&["e6-c6"]);
    assert!(matches!(events[..], [Event::Turned { call: Some(Call::Raichi), .. }]));
    let events = bench.moves(&["b4-a4", "c6-c9"]);
    assert!(matches!(
        events[1],
        Event::GameEnded { reason: GameEnd::Rules(Reason::KingEscaped), points: 1, .. }
    ));
    assert_eq!(bench.state.end(), Some(MatchEnd::Won(Seat::One)), "White is the king's side");
}

#[test]
fn tablut_is_drawn_by_the_third_repetition_also_after_a_reload() {
    let mut bench = Bench::playing(terms(Game::Tablut, Clock::None {}));
    let round = ["a4-b4", "e6-f6", "b4-a4", "f6-e6"];
    bench.moves(&round);
    bench.moves(&round[..3]);
    let game = bench.state.game().unwrap();
    assert_eq!(game.history.since_capture(), 7);
    assert_eq!(game.history.repetitions(&game.position), 2);
    bench.state = Match::from_journal(ID, bench.journal.clone()).unwrap();
    let events = bench.moves(&round[3..]);
    assert!(matches!(
        events[1],
        Event::GameEnded { winner: None, reason: GameEnd::Rules(Reason::Repetition), .. }
    ));
    assert_eq!(bench.state.end(), Some(MatchEnd::Drawn));
}

#[test]
fn resigning_gives_what_the_position_is_worth() {
    for (game, points) in [(Game::Zeno, 1), (Game::Tavla, 2), (Game::Tablut, 1)] {
        for by in [CREATOR, JOINER] {
            let mut bench = Bench::playing(terms(game, BLITZ));
            let events = bench.ask(Command::Resign { by, whole_match: false }).unwrap();
            let winner = if by == CREATOR { Seat::Two } else { Seat::One };
            assert!(
                matches!(&events[0], Event::GameEnded { winner: Some(seat), points: scored, reason: GameEnd::Resigned, .. }
                    if *seat == winner && *scored == points),
                "{game}: {events:?}"
            );
            assert_eq!(bench.state.end(), Some(MatchEnd::Won(winner)));
        }
    }
}

#[test]
fn time_never_runs_backwards_within_a_match() {
    let mut bench = Bench::playing(terms(Game::Zeno, BLITZ));
    let before = bench.state.last_at();
    bench.now -= 10_000;
    bench.play();
    assert_eq!(bench.state.last_at(), before);
}
