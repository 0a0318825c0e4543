//! The counts of vectors/perft.json.

use lusoria_rules::{Game, tables::Position};

use crate::support::rules;

#[test]
fn perft_counts_what_the_vectors_count() {
    let counts: serde_json::Value = serde_json::from_str(include_str!("../vectors/perft.json")).unwrap();
    for game in [Game::Zeno, Game::Tavla, Game::Scripta, Game::Tabula] {
        let start = Position::start(rules(game));
        for (depth, expected) in (1..).zip(counts[game.id()].as_array().unwrap()) {
            assert_eq!(Some(start.perft(depth)), expected.as_u64(), "{game} to {depth}");
        }
    }
}
