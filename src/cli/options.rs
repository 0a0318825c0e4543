//! A game's options as a command line names them: `row_a_gate=false`.

use std::collections::BTreeSet;

use lusoria_rules::{Game, Variant};
use serde_json::{Map, Value};

use super::Failure;

/// The game with the options named, and the others at their default.
pub(super) fn variant(game: Game, options: &[String]) -> Result<Variant, Failure> {
    let mut fields = fields(game);
    let mut named = BTreeSet::new();
    for option in options {
        let (name, value) = option
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("an option is written name=value, not \"{option}\"")))?;
        let Some(field) = fields.get_mut(name).filter(|_| name != "game") else {
            return Err(Failure::Usage(format!("{game} has no option \"{name}\"{}", known(game))));
        };
        if !named.insert(name) {
            return Err(Failure::Usage(format!("{game}'s option {name} is given twice")));
        }
        *field = match value {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            word => Value::String(word.to_owned()),
        };
        if serde_json::from_value::<Variant>(Value::Object(fields.clone())).is_err() {
            return Err(Failure::Usage(format!("{game}'s option {name} cannot be \"{value}\"")));
        }
    }
    Ok(serde_json::from_value(Value::Object(fields)).expect("each option has been read"))
}

/// A variant as the JSON object that it is in every interface.
fn fields(game: Game) -> Map<String, Value> {
    match serde_json::to_value(Variant::standard(game)) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => unreachable!("a variant is written as an object"),
    }
}

fn known(game: Game) -> String {
    let names: Vec<String> =
        fields(game).into_iter().map(|(name, _)| name).filter(|name| name != "game").collect();
    if names.is_empty() { "; it has none".to_owned() } else { format!("; it has {}", names.join(", ")) }
}

#[cfg(test)]
mod tests {
    use lusoria_rules::{Shift, Throne};

    use super::*;

    fn read(game: Game, options: &[&str]) -> Result<Variant, String> {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        variant(game, &options).map_err(|failure| failure.to_string())
    }

    #[test]
    fn options_change_the_variant() {
        assert_eq!(read(Game::Zeno, &[]), Ok(Variant::standard(Game::Zeno)));
        assert_eq!(read(Game::Zeno, &["shift=die"]), Ok(Variant::Zeno { shift: Shift::Die }));
        assert_eq!(read(Game::Scripta, &["row_a_gate=false"]), Ok(Variant::Scripta { row_a_gate: false }));
        assert_eq!(read(Game::Tablut, &["throne=closed"]), Ok(Variant::Tablut { throne: Throne::Closed }));
    }

    #[test]
    fn an_unknown_option_is_named() {
        for (game, option, why) in [
            (Game::Zeno, "shift", "an option is written name=value, not \"shift\""),
            (Game::Zeno, "throne=king", "zeno has no option \"throne\"; it has shift"),
            (Game::Tabula, "game=zeno", "tabula has no option \"game\"; it has none"),
            (Game::Zeno, "shift=true", "zeno's option shift cannot be \"true\""),
            (Game::Scripta, "row_a_gate=no", "scripta's option row_a_gate cannot be \"no\""),
        ] {
            assert_eq!(read(game, &[option]), Err(why.to_owned()));
        }
    }

    #[test]
    fn an_option_is_given_once() {
        for twice in [["shift=die", "shift=throw"], ["shift=die", "shift=die"]] {
            assert_eq!(read(Game::Zeno, &twice), Err("zeno's option shift is given twice".to_owned()));
        }
    }
}
