//! Every vector of the dice games, through the engine itself.

use std::collections::{BTreeMap, BTreeSet};

use lusoria_rules::{
    BySide, DiceSide, Die, Game, Mother, Setup, Shift, Side, Variant,
    tables::{Position, Turn},
};
use serde_json::Value;

use crate::support::{dice, of};

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

#[test]
fn every_vector_of_the_dice_games_holds() {
    for (file, text) in FILES {
        for (line, vector) in (1..).zip(text.lines()) {
            holds(&format!("{file}:{line}"), &serde_json::from_str(vector).unwrap());
        }
    }
}

fn holds(at: &str, vector: &Value) {
    let position = position(vector);
    let values: Vec<u8> = list(&vector["dice"]).iter().map(small).collect();
    let turn = Turn::new(position, &dice(&values)).unwrap();
    let steps: Vec<(u8, String, String)> =
        turn.steps().into_iter().map(|step| (step.die.map_or(0, Die::value), step.from, step.to)).collect();
    let expected: Vec<(u8, String, String)> = list(&vector["steps"])
        .iter()
        .map(|step| (small(&step["die"]), text(&step["from"]), text(&step["to"])))
        .collect();
    assert_eq!(steps, expected, "{at}: steps");
    assert_eq!(turn.dice_playable(), small(&vector["dice_playable"]), "{at}: dice playable");
    let ends = turn.ends(usize::MAX).positions;
    assert_eq!(ends.len() as u64, vector["plays"].as_u64().unwrap(), "{at}: plays");
    if let Some(results) = vector["results"].as_array() {
        let expected: BTreeSet<String> =
            results.iter().map(|result| format!("{:?}", sides(result))).collect();
        let found: BTreeSet<String> = ends
            .iter()
            .map(|end| match end.setup() {
                Setup::Tables { sides, .. } => format!("{sides:?}"),
                Setup::Tafl { .. } => unreachable!("a dice game"),
            })
            .collect();
        assert_eq!(found, expected, "{at}: results");
    }
}

fn position(vector: &Value) -> Position {
    let written = &vector["position"];
    let game: Game = text(&vector["game"]).parse().unwrap();
    let to_move = game.side_named(&text(&written["to_move"])).unwrap();
    let position =
        Position::from_setup(of(variant(game, &vector["options"])), &sides(written), to_move).unwrap();
    assert_eq!(position.setup(), Setup::Tables { sides: sides(written), to_move });
    position
}

fn variant(game: Game, options: &Value) -> Variant {
    match game {
        Game::Zeno if options["shift"] == "die" => Variant::Zeno { shift: Shift::Die },
        Game::Tavla if options["mother"] == "double_loss" => Variant::Tavla { mother: Mother::DoubleLoss },
        Game::Scripta if options["row_a_gate"] == false => Variant::Scripta { row_a_gate: false },
        _ => Variant::standard(game),
    }
}

fn sides(written: &Value) -> BySide<DiceSide> {
    let side = |side: Side| {
        let written = &written[if side == Side::White { "white" } else { "black" }];
        let count = |name: &str| written.get(name).map_or(0, small);
        let points = written["points"].as_object().unwrap();
        DiceSide {
            points: points
                .iter()
                .map(|(cell, count)| (cell.clone(), small(count)))
                .collect::<BTreeMap<_, _>>(),
            supply: count("supply"),
            bar: count("bar"),
            off: count("off"),
            pinned: list(&written["pinned"]).iter().map(text).collect(),
            exposed: written["exposed"].as_bool().unwrap_or(false),
        }
    };
    BySide { white: side(Side::White), black: side(Side::Black) }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn small(value: &Value) -> u8 {
    value.as_u64().and_then(|value| value.try_into().ok()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
