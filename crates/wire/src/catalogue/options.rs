//! The options of the games, their defaults first.

use lusoria_protocol::{OptionEntry, OptionSetting, OptionValue};
use lusoria_rules::Game;

/// The options of a game.
pub(super) fn options(game: Game) -> Vec<OptionEntry> {
    match game {
        Game::Zeno => vec![words(
            "shift",
            "When pieces that have entered may move inside cells 1–6 while others still wait",
            [
                ("throw", "only if no value of the throw can enter a piece"),
                ("die", "with each die that cannot enter one, whatever the others can do"),
            ],
        )],
        Game::Tavla => vec![words(
            "mother",
            "What it means that a side's piece is pinned on its own starting cell",
            [
                ("play_on", "nothing: the game goes on"),
                ("double_loss", "that side loses double, once the other side has left its own starting cell"),
            ],
        )],
        Game::Scripta => vec![OptionEntry {
            name: "row_a_gate".to_owned(),
            description: "Whether pieces stay in row A until all fifteen have entered".to_owned(),
            values: vec![
                OptionValue { value: OptionSetting::Flag(true), description: "they stay".to_owned() },
                OptionValue {
                    value: OptionSetting::Flag(false),
                    description: "they may leave at any time".to_owned(),
                },
            ],
            default: OptionSetting::Flag(true),
        }],
        Game::Tabula => Vec::new(),
        Game::Tablut => vec![words(
            "throne",
            "Who may stop on the throne or cross it",
            [("king", "the king, always"), ("closed", "nobody, once the king has left it")],
        )],
    }
}

fn words<const N: usize>(name: &str, description: &str, values: [(&str, &str); N]) -> OptionEntry {
    let word = |value: &str| OptionSetting::Word(value.to_owned());
    OptionEntry {
        name: name.to_owned(),
        description: description.to_owned(),
        default: word(values[0].0),
        values: values
            .into_iter()
            .map(|(value, description)| OptionValue {
                value: word(value),
                description: description.to_owned(),
            })
            .collect(),
    }
}
