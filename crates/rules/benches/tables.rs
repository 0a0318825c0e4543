//! The dearest questions that a server and a search ask of the dice games.
//!
//! `next_steps` shows that listing the legal next steps does not enumerate the ends of the turn: Zeno's 1-1-1
//! in the middle of a game has twelve steps and some fifty thousand ends, and its next steps still take only
//! microseconds. The same holds for a turn in which not every die can be played, where the search for a
//! sequence that plays more never succeeds.
//!
//! `shown` is what the page requests at every touch: the next steps, the targets of a piece by several dice,
//! and whether there is a choice at all.
//!
//! `all_ends` finds all those distinct ends in milliseconds; beside it the hardest mixed roll (four alike and
//! one).
//!
//! `perft` exercises the whole engine: every roll and every end of two turns.

use divan::{Bencher, black_box};
use lusoria_rules::{
    BySide, DiceSide, Die, Game, Side, Variant,
    tables::{Position, Rules, Turn},
};

fn main() {
    divan::main();
}

/// A position and a roll worth measuring: pieces by cell, with `*` and their number.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    game: Game,
    white: &'static str,
    black: &'static str,
    roll: &'static [u8],
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Zeno in the middle of a game: both sides are spread over the board.
const ZENO_WHITE: &str = "2 3*2 5*2 7 9*2 12*2 15 17*2 20*2";
const ZENO_BLACK: &str = "1*2 4 8*2 11*2 14*2 19*2 22*2 24*2";

const ZENO_TRIPLE: Case =
    Case { name: "zeno 1-1-1", game: Game::Zeno, white: ZENO_WHITE, black: ZENO_BLACK, roll: &[1, 1, 1] };
const ZENO_OPEN_TRIPLE: Case = Case {
    name: "zeno 1-1-1, open board",
    game: Game::Zeno,
    white: ZENO_WHITE,
    black: "8*4 11*4 24*7",
    roll: &[1, 1, 1],
};
const ZENO_DOUBLE: Case =
    Case { name: "zeno 1-1-2", game: Game::Zeno, white: ZENO_WHITE, black: ZENO_BLACK, roll: &[1, 1, 2] };
/// The 6 can never be played: every sequence is tried.
const TABULA_UNPLAYABLE: Case = Case {
    name: "tabula 1-1-6, the 6 unplayable",
    game: Game::Tabula,
    white: "1 2 3 4 5 6 19*2 20*2 21*2 22*2 23",
    // White's 7 to 13.
    black: "18*2 17*2 16*2 15*2 14*2 13*2 12*3",
    roll: &[1, 1, 6],
};
const TABULA_DOUBLE: Case = Case {
    name: "tabula 4-4-1",
    game: Game::Tabula,
    white: "1 2 3 4 6 7 8 9*2 10*2 11 14 16 20",
    black: "2*3 3*4 4*3 8*4 13",
    roll: &[4, 4, 1],
};

const CASES: [Case; 5] = [ZENO_TRIPLE, ZENO_OPEN_TRIPLE, ZENO_DOUBLE, TABULA_UNPLAYABLE, TABULA_DOUBLE];

fn start(case: Case) -> (Position, Vec<Die>) {
    let rules = Rules::of(Variant::standard(case.game)).expect("a dice game");
    let pieces = |word: &str| {
        let (cell, count) = word.split_once('*').unwrap_or((word, "1"));
        (cell.to_owned().into(), count.parse().expect("a number of pieces"))
    };
    let side = |points: &str| DiceSide {
        points: points.split(' ').map(pieces).collect(),
        exposed: case.game == Game::Zeno,
        ..DiceSide::default()
    };
    let sides = BySide { white: side(case.white), black: side(case.black) };
    let position = Position::from_setup(rules, &sides, Side::White).expect("a position that can be");
    (position, case.roll.iter().filter_map(|&value| Die::new(value)).collect())
}

#[divan::bench(args = CASES)]
fn next_steps(bencher: Bencher<'_, '_>, case: Case) {
    let (position, roll) = start(case);
    bencher.bench(|| Turn::new(black_box(position), &roll).expect("a roll of the game").steps());
}

#[divan::bench(args = CASES)]
fn shown(bencher: Bencher<'_, '_>, case: Case) {
    let (position, roll) = start(case);
    let turn = Turn::new(position, &roll).expect("a roll of the game");
    bencher.bench(|| {
        let turn = black_box(&turn);
        (turn.steps(), turn.reach(), turn.forced())
    });
}

#[divan::bench(args = CASES)]
fn all_ends(bencher: Bencher<'_, '_>, case: Case) {
    let (position, roll) = start(case);
    let turn = Turn::new(position, &roll).expect("a roll of the game");
    let count = turn.ends(usize::MAX).positions.len();
    bencher.counter(divan::counter::ItemsCount::new(count)).bench(|| black_box(&turn).ends(usize::MAX));
}

#[divan::bench(args = Game::ALL.into_iter().filter(|game| game.dice() > 0), sample_count = 10)]
fn perft(bencher: Bencher<'_, '_>, game: Game) {
    let start = Position::start(Rules::of(Variant::standard(game)).expect("a dice game"));
    bencher.bench(|| black_box(start).perft(2));
}
