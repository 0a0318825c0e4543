//! Every vector of the dice games, through the engine itself.

use std::collections::BTreeSet;

use lusoria_rules::{
    BySide, DiceSide, Die, Game, Options, Setup, Step, Variant,
    tables::{Position, Turn},
};
use serde::Deserialize;

use crate::support::{of, sides};

const FILES: [(&str, &str); 10] = [
    ("zeno", include_str!("../vectors/zeno.jsonl")),
    ("zeno-corners", include_str!("../vectors/zeno-corners.jsonl")),
    ("zeno-options", include_str!("../vectors/zeno-options.jsonl")),
    ("tavla", include_str!("../vectors/tavla.jsonl")),
    ("tavla-corners", include_str!("../vectors/tavla-corners.jsonl")),
    ("scripta", include_str!("../vectors/scripta.jsonl")),
    ("scripta-corners", include_str!("../vectors/scripta-corners.jsonl")),
    ("scripta-options", include_str!("../vectors/scripta-options.jsonl")),
    ("tabula", include_str!("../vectors/tabula.jsonl")),
    ("tabula-corners", include_str!("../vectors/tabula-corners.jsonl")),
];

/// A position, its dice, and what must follow from them.
#[derive(Deserialize)]
struct Vector {
    game: String,
    #[serde(default)]
    options: Options,
    position: Written,
    dice: Vec<Die>,
    steps: Vec<Step>,
    dice_playable: u8,
    plays: usize,
    results: Option<Vec<BySide<DiceSide>>>,
}

#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    sides: BySide<DiceSide>,
    to_move: String,
}

#[test]
fn every_vector_of_the_dice_games_holds() {
    for (file, text) in FILES {
        for (line, vector) in (1..).zip(text.lines()) {
            holds(&format!("{file}:{line}"), serde_json::from_str(vector).unwrap());
        }
    }
}

fn holds(at: &str, vector: Vector) {
    let game: Game = vector.game.parse().unwrap();
    let rules = of(Variant::new(game, &vector.options).unwrap());
    let Written { sides: written, to_move } = vector.position;
    let to_move = game.side_named(&to_move).unwrap();
    let position = Position::from_setup(rules, &written, to_move).unwrap();
    assert_eq!(position.setup(), Setup::Tables { sides: written, to_move }, "{at}");
    let turn = Turn::new(position, &vector.dice).unwrap();
    assert_eq!(turn.steps(), vector.steps, "{at}: steps");
    assert_eq!(turn.dice_playable(), vector.dice_playable, "{at}: dice playable");
    let ends = turn.ends(usize::MAX).positions;
    assert_eq!(ends.len(), vector.plays, "{at}: plays");
    if let Some(results) = vector.results {
        let expected: BTreeSet<String> = results.iter().map(|result| format!("{result:?}")).collect();
        let found: BTreeSet<String> = ends.iter().map(|end| format!("{:?}", sides(end))).collect();
        assert_eq!(found, expected, "{at}: results");
    }
}
