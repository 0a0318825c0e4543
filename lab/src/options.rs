//! A game's options as a command line names them: `row_a_gate=false`.

use std::collections::BTreeSet;

use lusoria_rules::{Game, Variant};
use serde_json::{Map, Value};

use super::Failure;

/// The game with these options, and the others at their defaults.
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

/// A variant as the JSON object that all interfaces use.
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
mod tests;
