//! The speed of a tafl game: `cargo bench -p lusoria-rules --bench tafl`.

use divan::{Bencher, black_box, counter::ItemsCount};
use lusoria_rules::{
    Game, Side, Variant,
    tafl::{Kind, Position, Turn},
};

fn main() {
    divan::main();
}

fn kind() -> Kind {
    let mut variants = Game::ALL.into_iter().map(Variant::standard);
    variants.find_map(Kind::of).expect("there is a tafl game")
}

fn start() -> Position {
    Position::start(kind())
}

fn late() -> Position {
    let board = "2t1tTt2/6t1t/4T3T/2TT5/t1K4Tt/9/tt5Tt/9/2ttt1tt1";
    Position::from_setup(kind(), board, Side::White).expect("from a game")
}

/// All positions of a perft; the last ply is counted without making the moves.
#[divan::bench(args = [3, 4])]
fn perft(bencher: Bencher, depth: u32) {
    bencher.counter(ItemsCount::new(start().perft(depth))).bench(|| black_box(start()).perft(depth));
}

/// Every position after one move, made and kept.
#[divan::bench]
fn ends(bencher: Bencher) {
    let turn = Turn::new(late());
    bencher.counter(ItemsCount::new(late().count_moves())).bench(|| black_box(&turn).ends(usize::MAX));
}

/// The legal moves with their names, as the API lists them.
#[divan::bench]
fn steps(bencher: Bencher) {
    let turn = Turn::new(late());
    bencher.counter(ItemsCount::new(late().count_moves())).bench(|| black_box(&turn).steps());
}
