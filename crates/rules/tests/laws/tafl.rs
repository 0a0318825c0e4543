//! Moves of a tafl game.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lusoria_rules::{History, Position, Reason, Setup, Side, Step, Variant, tafl};

use super::{
    board,
    bytes::Bytes,
    naive_tafl::{Naive, name},
    tables::says_why,
};

const SIZE: usize = 9;
/// How many moves are played one after the other in each case.
const MOVES_MAX: usize = 60;

/// The bitboards move and capture as the naive rules do; a move is listed exactly if it is accepted; pieces
/// are lost only by capture; all sides of the board are equivalent; written positions can be read; repetition
/// and drought agree with a plain list.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let variant = *bytes.one_of(&board::variants(false));
    let Some(mut position) = position(&mut bytes, variant) else { return };
    let mut history = History::start(&position);
    let mut stood = vec![position];
    let mut quiet = 0;
    for _ in 0..MOVES_MAX {
        moves_as_the_rules_say(&position, &mut bytes);
        let mut turn = position.turn(&[]).expect("no dice");
        if board::play_any(&mut turn, &mut bytes).is_none() {
            let end = turn.end(&history).expect("a turn without a move is complete");
            assert_eq!(end.outcome.map(|outcome| outcome.reason), Some(Reason::NoMove));
            return;
        }
        let end = turn.end(&history).expect("one move");
        quiet += 1;
        if end.captured {
            stood.clear();
            quiet = 0;
        }
        stood.push(end.position);
        let times = stood.iter().filter(|&&before| before == end.position).count();
        match end.outcome.map(|outcome| outcome.reason) {
            Some(Reason::Repetition) => assert_eq!(times, 3),
            Some(_) => {}
            None => assert!(times < 3),
        }
        if end.outcome.is_some() || bytes.is_empty() {
            return;
        }
        let setup = end.position.setup();
        assert_eq!(Position::from_setup(variant, &setup), Ok(end.position));
        assert_eq!(Position::recorded(variant, &setup), Ok(end.position));
        position = end.position;
        history.record(&position, end.captured);
        assert_eq!(usize::from(history.repetitions(&position)), times);
        assert_eq!(history.since_capture(), quiet);
    }
}

/// A position of a tafl game: the start, or pieces anywhere, sometimes crowded around the throne.
pub(crate) fn position(bytes: &mut Bytes<'_>, variant: Variant) -> Option<Position> {
    let to_move = if bytes.once_in(2) { Side::White } else { Side::Black };
    if bytes.once_in(4) {
        return Some(Position::start(variant).with_to_move(to_move));
    }
    let mut cells = [['.'; SIZE]; SIZE];
    let around = 1 + bytes.below(SIZE);
    for at in 0..bytes.below(26) {
        let corner = (SIZE - around) / 2;
        let (rank, file) = (corner + bytes.below(around), corner + bytes.below(around));
        let attacker = bytes.once_in(2);
        cells[rank][file] = match (at, attacker) {
            (0, _) => 'K',
            (_, true) => 't',
            (_, false) => 'T',
        };
    }
    let board = text(&cells);
    Position::from_setup(variant, &Setup::Tafl { board, to_move }).ok()
}

fn text(cells: &[[char; SIZE]; SIZE]) -> String {
    let runs = |text: String| {
        (1..=SIZE).rev().fold(text, |text, run| text.replace(&".".repeat(run), &run.to_string()))
    };
    cells.iter().map(|rank| runs(rank.iter().collect())).collect::<Vec<_>>().join("/")
}

fn of(position: &Position) -> tafl::Position {
    match position {
        Position::Tafl(position) => *position,
        Position::Tables(_) => unreachable!("a tafl game"),
    }
}

/// Every move with its captures, by the engine.
fn moves(position: &Position) -> BTreeMap<(String, String), Vec<String>> {
    let turn = position.turn(&[]).expect("no dice");
    let with_captures = |step: Step| {
        let played = turn.clone().play(&step).expect("a listed step is legal");
        ((step.from, step.to), played.captures)
    };
    turn.steps().into_iter().map(with_captures).collect()
}

fn moves_as_the_rules_say(position: &Position, bytes: &mut Bytes<'_>) {
    let found = moves(position);
    let turn = position.turn(&[]).expect("no dice");
    assert_eq!(found.len(), turn.steps().len(), "a move is listed twice");
    assert_eq!(found, Naive::of(&of(position)).moves());
    assert_eq!(of(position).exits() as usize, Naive::of(&of(position)).exits());
    assert_eq!(of(position).count_moves(), found.len() as u64);
    assert_eq!(turn.is_complete(), found.is_empty());
    assert_eq!(turn.forced().is_some(), found.len() == 1);
    let ends = turn.ends(usize::MAX);
    let distinct: HashSet<_> = ends.positions.iter().collect();
    assert_eq!((ends.truncated, distinct.len()), (false, ends.positions.len()));
    assert_eq!(ends.positions.len(), found.len().max(1));
    let first = turn.ends(1);
    assert_eq!((&first.positions[..], first.truncated), (&ends.positions[..1], ends.positions.len() > 1));
    let (mover, enemy) = (position.to_move(), position.to_move().other());
    for ((from, to), captures) in &found {
        let step = Step { die: None, from: from.clone(), to: to.clone() };
        let mut played = turn.clone();
        played.play(&step).expect("a listed step is legal");
        let (before, after) = (of(position), of(&played.position()));
        assert_eq!(after.pieces(mover), before.pieces(mover));
        assert_eq!(after.pieces(enemy) as usize + captures.len(), before.pieces(enemy) as usize);
        assert!(captures.len() <= 3 && captures.is_sorted());
        let written = played.write();
        assert_eq!(turn.parse(&written).as_deref(), Ok(std::slice::from_ref(&step)), "{written}");
        let end = played.end(&History::start(position)).expect("one move");
        assert_eq!(end.captured, !captures.is_empty());
        assert!(distinct.contains(&end.position));
    }
    nothing_else_is_accepted(position, &found, bytes);
    has_no_preferred_side(position, &found, 1 + bytes.below(7));
}

fn nothing_else_is_accepted(
    position: &Position,
    found: &BTreeMap<(String, String), Vec<String>>,
    bytes: &mut Bytes<'_>,
) {
    let cells = board::places(position.variant().game());
    for _ in 0..16 {
        let (from, to) = (bytes.one_of(cells).clone(), bytes.one_of(cells).clone());
        let step = Step { die: None, from, to };
        let accepted = position.turn(&[]).expect("no dice").play(&step);
        assert_eq!(accepted.is_ok(), found.contains_key(&(step.from.clone(), step.to.clone())), "{step:?}");
        if let Err(why) = accepted {
            says_why(&why);
        }
    }
}

/// The board rotated and mirrored: bit 0 files, bit 1 ranks, bit 2 swaps files and ranks.
fn turned(text: &str, symmetry: usize) -> String {
    let (mut file, mut rank) = (text.as_bytes()[0] - b'a', text.as_bytes()[1] - b'1');
    if symmetry & 1 != 0 {
        file = 8 - file;
    }
    if symmetry & 2 != 0 {
        rank = 8 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    name((file.into(), rank.into()))
}

fn has_no_preferred_side(
    position: &Position,
    found: &BTreeMap<(String, String), Vec<String>>,
    symmetry: usize,
) {
    let mut cells = [['.'; SIZE]; SIZE];
    for (&cell, &piece) in &Naive::of(&of(position)).pieces {
        let cell = turned(&name(cell), symmetry);
        let (file, rank) = (cell.as_bytes()[0] - b'a', cell.as_bytes()[1] - b'1');
        cells[SIZE - 1 - usize::from(rank)][usize::from(file)] = piece;
    }
    let setup = Setup::Tafl { board: text(&cells), to_move: position.to_move() };
    let other = Position::recorded(position.variant(), &setup).expect("a turned board is a board");
    let set = |captures: &[String], symmetry| -> BTreeSet<String> {
        captures.iter().map(|cell| turned(cell, symmetry)).collect()
    };
    let here: BTreeSet<_> = found
        .iter()
        .map(|((from, to), captures)| (turned(from, symmetry), turned(to, symmetry), set(captures, symmetry)))
        .collect();
    let there: BTreeSet<_> =
        moves(&other).into_iter().map(|((from, to), captures)| (from, to, set(&captures, 0))).collect();
    assert_eq!(here, there);
    assert_eq!(of(position).exits(), of(&other).exits());
    assert_eq!(position.outcome(), other.outcome());
}
