//! How many positions a second the search of a tafl game evaluates: `cargo bench -p lusoria-search --bench
//! tafl`.

use divan::{Bencher, black_box, counter::ItemsCount};
use lusoria_rules::{Family, Game, History, Position, Setup, Side, Variant};
use lusoria_search::{Budget, Decision, Level, Player, Stakes, choose};

fn main() {
    divan::main();
}

/// The start, a fight in the middle of a game, and a position towards the end.
const BOARDS: [(&str, Side); 3] = [
    ("3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3", Side::Black),
    ("2t1tTt2/6t1t/4T3T/2TT5/t1K4Tt/9/tt5Tt/9/2ttt1tt1", Side::Black),
    ("9/2t1t1t2/9/t2T4t/4K4/1t5t1/3T5/2t1t4/9", Side::White),
];

/// A tafl game.
fn variant() -> Variant {
    let is_tafl = |variant: &Variant| matches!(variant.family(), Family::Tafl(_));
    Game::ALL.into_iter().map(Variant::standard).find(is_tafl).expect("there is one")
}

/// Items are evaluated positions.
#[divan::bench(args = [1_000, 50_000])]
fn nodes(bencher: Bencher, nodes: u32) {
    let variant = variant();
    let positions = BOARDS.map(|(board, to_move)| {
        let setup = Setup::Tafl { board: board.to_owned(), to_move };
        Position::from_setup(variant, &setup).expect("from a game")
    });
    let think = || -> u32 {
        let answers = positions.iter().map(|position| {
            let history = History::start(position);
            let decision =
                Decision { position: *position, dice: &[], history: &history, stakes: Stakes::Game };
            choose(&decision, Player::Level(Level::HIGHEST), Budget { nodes }, 1).nodes
        });
        answers.sum()
    };
    bencher.counter(ItemsCount::new(think())).bench(|| black_box(think()));
}

/// The yardstick's three plies.
#[divan::bench]
fn greedy() {
    let position = Position::start(variant());
    let history = History::start(&position);
    let decision = Decision { position, dice: &[], history: &history, stakes: Stakes::Game };
    black_box(choose(&decision, Player::Greedy, Budget { nodes: 1 }, 1));
}
