//! Escape, calls, and ends of games (tablut 4, 6 to 8).

use lusoria_rules::{
    Call, DiceError, Die, Game, History, Incomplete, Outcome, Position as Any, Reason, Setup, Side, Throne,
    Variant,
    tafl::{Kind, Position},
};

use crate::common::{ATTACKERS, CLOSED, DEFENDERS, START, TABLUT, after, position, step};

type Pieces = &'static [(char, &'static str)];

fn won(winner: Side, reason: Reason) -> Outcome {
    Outcome { winner: Some(winner), points: 1, reason }
}

fn drawn(reason: Reason) -> Outcome {
    Outcome { winner: None, points: 0, reason }
}

fn start_with_king_on(cell: &str) -> Position {
    let pieces = [
        ('K', cell),
        ('T', "e3 e4 e6 e7 c5 d5 f5 g5"),
        ('t', "d1 e1 f1 e2 d9 e9 f9 e8 a4 a5 a6 b5 i4 i5 i6 h5"),
    ];
    position(TABLUT, DEFENDERS, &pieces)
}

#[test]
fn directions_to_an_edge_are_counted() {
    let cases: [(Kind, Pieces, u32); 9] = [
        (TABLUT, &[('K', "e5")], 4),
        (TABLUT, &[('K', "e3"), ('t', "b3")], 3),
        // Across the throne, unless it is closed.
        (TABLUT, &[('K', "e3")], 4),
        (CLOSED, &[('K', "e3")], 3),
        (CLOSED, &[('K', "e3"), ('t', "e6")], 3),
        (CLOSED, &[('K', "b5"), ('t', "b7 b2")], 1),
        (CLOSED, &[('K', "e5")], 4),
        (TABLUT, &[('K', "b2"), ('t', "a2 b1 c2 b3")], 0),
        (TABLUT, &[('K', "b2"), ('t', "i2 b9")], 2),
    ];
    for (kind, pieces, exits) in cases {
        assert_eq!(position(kind, ATTACKERS, pieces).exits(), exits, "{pieces:?}");
    }
    assert_eq!(start_with_king_on("e5").exits(), 0);
    assert_eq!(start_with_king_on("c6").exits(), 1);
    assert_eq!(start_with_king_on("c7").exits(), 2);
}

#[test]
fn raichi_and_tuichu_are_called_after_a_defenders_move() {
    let cases =
        [("d6", "d6-c6", Some(Call::Raichi)), ("c6", "c6-c7", Some(Call::Tuichu)), ("c6", "c6-d6", None)];
    for (king, text, call) in cases {
        let end = after(start_with_king_on(king), text).end().expect("one move");
        assert_eq!(end.call, call, "{text}");
    }
    let attackers = start_with_king_on("c7").with_to_move(ATTACKERS);
    assert_eq!(after(attackers, "a4-b4").end().expect("one move").call, None);
}

/// Tablut 7: with the throne closed the line across it is not a way out. Older journals count it, as
/// `open_lines` does.
#[test]
fn a_line_across_the_closed_throne_opens_nothing() {
    let board = "1tt2T3/6T2/8T/1t5tt/T6t1/4K2tt/3T1t2t/2Tt5/4T1t1t".to_owned();
    let setup = Setup::Tafl { board, to_move: ATTACKERS };
    let cases = [(Throne::King, 2, Call::Tuichu), (Throne::Closed, 1, Call::Raichi)];
    for (throne, exits, call) in cases {
        let position = Any::from_setup(Variant::Tablut { throne }, &setup).expect("a position of tablut");
        let Any::Tafl(position) = position else { panic!("tablut is tafl") };
        assert_eq!((position.exits(), position.open_lines()), (exits, 2), "{throne:?}");
        // The defenders reach it by c3-c2.
        let board = "1tt2T3/6T2/8T/1t5tt/T6t1/4K2tt/2TT1t2t/3t5/4T1t1t".to_owned();
        let setup = Setup::Tafl { board, to_move: DEFENDERS };
        let before = Any::from_setup(Variant::Tablut { throne }, &setup).expect("a position of tablut");
        let Any::Tafl(before) = before else { panic!("tablut is tafl") };
        let end = after(before, "c3-c2").end().expect("one move");
        assert_eq!((end.position, end.call), (position, Some(call)), "{throne:?}");
    }
}

#[test]
fn the_king_escapes_to_any_edge_cell() {
    for (king, text) in [("c6", "c6-c9"), ("b2", "b2-a2"), ("b2", "b2-b1"), ("h1", "")] {
        if !text.is_empty() {
            let end = after(start_with_king_on(king), text).end().expect("one move");
            assert_eq!((end.outcome, end.call), (Some(won(DEFENDERS, Reason::KingEscaped)), None));
        }
    }
    let corner = position(TABLUT, DEFENDERS, &[('K', "b8"), ('t', "e1")]);
    for text in ["b8-a8", "b8-b9", "b8-i8", "b8-b1"] {
        assert_eq!(
            after(corner, text).end().expect("one move").outcome,
            Some(won(DEFENDERS, Reason::KingEscaped))
        );
    }
}

#[test]
fn a_captured_king_loses() {
    let king = position(TABLUT, ATTACKERS, &[('K', "c7"), ('t', "d7 b9")]);
    let end = after(king, "b9-b7").end().expect("one move");
    assert_eq!(end.outcome, Some(won(ATTACKERS, Reason::KingCaptured)));
    assert!(end.captured);
}

#[test]
fn a_side_without_a_move_loses() {
    // The attackers' last piece is captured.
    let last = position(TABLUT, DEFENDERS, &[('K', "e5"), ('T', "b7 d3"), ('t', "c7")]);
    let end = after(last, "d3-d7").end().expect("one move");
    assert_eq!((end.outcome, end.call), (Some(won(DEFENDERS, Reason::NoMove)), None));
    // The king alone, enclosed by a move that does not capture it.
    let shut = position(TABLUT, ATTACKERS, &[('K', "e5"), ('T', "e6"), ('t', "d5 f5 e4 d6 f6 e8")]);
    assert_eq!(after(shut, "e8-e7").end().expect("one move").outcome, None, "the guard is captured");
    let shut = position(TABLUT, ATTACKERS, &[('K', "e5"), ('T', "e6"), ('t', "d5 f5 d6 f6 e7 a4")]);
    assert_eq!(after(shut, "a4-e4").end().expect("one move").outcome, Some(won(ATTACKERS, Reason::NoMove)));
}

#[test]
fn a_turn_without_a_move_ends_by_itself_and_loses() {
    let stuck = position(TABLUT, ATTACKERS, &[('K', "e5")]);
    let turn = Any::Tafl(stuck).turn(&[]).expect("no dice");
    assert!(turn.is_complete());
    let end = turn.end(&History::start(&Any::Tafl(stuck))).expect("nothing to play");
    assert_eq!((end.passed, end.outcome), (true, Some(won(DEFENDERS, Reason::NoMove))));
    assert_eq!(stuck.perft(2), 1);
}

/// A game with its history.
struct Play {
    position: Any,
    history: History,
}

impl Play {
    fn from(position: Position) -> Self {
        let position = Any::Tafl(position);
        Self { position, history: History::start(&position) }
    }

    fn play(&mut self, text: &str) -> Option<Outcome> {
        let mut turn = self.position.turn(&[]).expect("no dice");
        turn.play(&step(text)).expect("the test's move is legal");
        let end = turn.end(&self.history).expect("one move");
        self.position = end.position;
        self.history.record(&end.position, end.captured);
        end.outcome
    }
}

#[test]
fn the_third_time_is_a_draw_and_the_start_counts() {
    let mut play = Play::from(Position::start(TABLUT));
    let round = ["a4-a3", "e3-d3", "a3-a4", "d3-e3"];
    for text in round {
        assert_eq!(play.play(text), None);
    }
    assert_eq!(play.history.repetitions(&play.position), 2);
    for text in &round[..3] {
        assert_eq!(play.play(text), None, "{text}: the others have stood twice");
    }
    assert_eq!(play.play(round[3]), Some(drawn(Reason::Repetition)));
}

#[test]
fn the_side_to_move_is_part_of_what_repeats() {
    let mut play = Play::from(Position::start(TABLUT));
    play.play("a4-a3");
    assert_eq!(play.history.repetitions(&play.position), 1);
    assert_eq!(play.history.repetitions(&play.position.with_to_move(ATTACKERS)), 0);
}

/// Plays quiet moves: an attacker on a circuit of ten cells, a defender on one of seven, so that within a
/// hundred rounds no position occurs three times.
fn wander(play: &mut Play, moves: usize) -> Option<Outcome> {
    let attacker = ["a1", "a2", "a3", "a4", "b4", "c4", "c3", "c2", "c1", "b1"];
    let defender = ["i9", "i7", "h7", "g7", "g8", "g9", "h9"];
    let mut last = None;
    for count in 0..moves {
        assert_eq!(last, None, "after {count} moves");
        let cells: &[&str] = if count % 2 == 0 { &attacker } else { &defender };
        let (from, to) = (count / 2 % cells.len(), (count / 2 + 1) % cells.len());
        last = play.play(&format!("{}-{}", cells[from], cells[to]));
    }
    last
}

#[test]
fn a_hundred_moves_of_each_side_without_a_capture_are_a_draw() {
    let quiet: Pieces = &[('K', "e5"), ('T', "i9 e6 e4 d5 f5"), ('t', "a1 i1")];
    let mut play = Play::from(position(TABLUT, ATTACKERS, quiet));
    assert_eq!(wander(&mut play, 199), None);
    assert_eq!(play.history.since_capture(), 199);
    let mut play = Play::from(position(TABLUT, ATTACKERS, quiet));
    assert_eq!(wander(&mut play, 200), Some(drawn(Reason::Drought)));
}

#[test]
fn a_capture_ends_the_drought() {
    let pieces: Pieces = &[('K', "e5"), ('T', "i9 e6 e4 d5 f5 g2"), ('t', "a1 f2 i2")];
    let mut play = Play::from(position(TABLUT, ATTACKERS, pieces));
    wander(&mut play, 198);
    assert_eq!(play.history.since_capture(), 198);
    for (text, since_capture) in [("i2-h2", 0), ("e4-d4", 1)] {
        assert_eq!(play.play(text), None);
        assert_eq!(play.history.since_capture(), since_capture);
    }
}

#[test]
fn a_move_that_wins_is_never_a_draw() {
    let unguarded: Pieces = &[('K', "e5"), ('T', "i9 e6 e4 d5"), ('t', "a1 i1")];
    let mut play = Play::from(position(TABLUT, ATTACKERS, unguarded));
    wander(&mut play, 199);
    assert_eq!(play.play("e5-i5"), Some(won(DEFENDERS, Reason::KingEscaped)));
}

#[test]
fn tablut_is_played_without_dice() {
    let start = Any::start(Variant::Tablut { throne: Throne::King });
    let dice = [Die::ALL[0]];
    assert_eq!(start.turn(&dice).expect_err("a die"), DiceError::NoDice { game: Game::Tablut });
    let turn = start.turn(&[]).expect("no dice");
    assert_eq!((turn.dice_playable(), turn.dice_left()), (0, vec![]));
    assert_eq!(turn.end(&History::start(&start)), Err(Incomplete::Move));
    assert_eq!(start.setup(), Setup::Tafl { board: START.to_owned(), to_move: ATTACKERS });
}
