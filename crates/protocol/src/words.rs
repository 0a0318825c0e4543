//! Rewrites the errors of the JSON reader for the authors of requests.

/// The types in a reader's errors, and their names in JSON.
const TYPES: [(&str, &str); 12] = [
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number from 0"),
    ("i64", "a whole number"),
    ("f64", "a number"),
    ("a boolean", "true or false"),
    ("a sequence", "a list"),
    ("a map", "an object"),
    ("a borrowed string", "a string"),
    ("string or map", "a string"),
    ("unit", "null"),
];

/// The values in a reader's errors, and their names in JSON.
const FOUND: [(&str, &str); 5] = [
    ("sequence", "list"),
    ("map", "object"),
    ("unit value", "null"),
    ("floating point", "number"),
    ("integer", "number"),
];

/// Removes the program's type names from a reader's error: "expected u16" becomes "expected a whole number from 0 to
/// 65535".
pub fn plainly(said: &str) -> String {
    let Some((before, expected)) = said.split_once("expected ") else {
        return kinds(said);
    };
    let (what, after) = expected.split_at(expected.find([',', ' ']).map_or(expected.len(), |end| {
        // Names of more than one word are recognised by their first words.
        TYPES
            .iter()
            .find(|(name, _)| expected.strip_prefix(name).is_some_and(ends_here))
            .map_or(end, |(name, _)| name.len())
    }));
    let plain = match TYPES.iter().find(|(name, _)| *name == what) {
        Some((_, plain)) => (*plain).to_owned(),
        None if ["struct", "internally", "adjacently"].contains(&what) => {
            return format!("{}expected an object{}", kinds(before), after_name(after));
        }
        None => what.to_owned(),
    };
    format!("{}expected {plain}{after}", kinds(before))
}

/// The value found instead.
fn kinds(said: &str) -> String {
    let mut said = said.to_owned();
    for (name, plain) in FOUND {
        for invalid in ["invalid type: ", "invalid value: "] {
            said = said.replacen(&format!("{invalid}{name}"), &format!("{invalid}{plain}"), 1);
        }
    }
    said
}

fn ends_here(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([',', ' '])
}

/// The text after "struct Name" or "internally tagged enum Name".
fn after_name(rest: &str) -> &str {
    let name = rest.strip_prefix(" tagged enum").unwrap_or(rest).trim_start();
    name.find([',', ' ']).map_or("", |end| &name[end..])
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Clock, CreateMatch, PlayTurn};

    fn said<T: DeserializeOwned>(value: Value) -> String {
        plainly(&serde_json::from_value::<T>(value).err().expect("it does not fit").to_string())
    }

    #[test]
    fn no_word_is_the_programs_own() {
        for (said, expected) in [
            (
                said::<PlayTurn>(json!({"seq": "x", "steps": []})),
                "expected a whole number from 0 to 4294967295",
            ),
            (said::<PlayTurn>(json!({"seq": -1, "steps": []})), "invalid value: number `-1`"),
            (said::<PlayTurn>(json!({"seq": 1.5, "steps": []})), "invalid type: number `1.5`"),
            (said::<PlayTurn>(json!({"seq": 1, "steps": 2})), "expected a list"),
            (said::<PlayTurn>(json!(1)), "expected an object"),
            (said::<Clock>(json!(null)), "expected an object"),
            (said::<Clock>(json!({"kind": {}})), "expected"),
            (said::<CreateMatch>(json!({"game": []})), "expected"),
            (said::<CreateMatch>(json!({"game": "zeno", "points": 70_000})), "from 0 to 65535"),
        ] {
            assert!(said.contains(expected), "{said}");
            for name in ["u8", "u16", "u32", "struct", "enum", "sequence", "unit", "integer", "PlayTurn"] {
                assert!(!said.contains(name), "{said}");
            }
        }
    }

    #[test]
    fn what_follows_stays() {
        let said = "clock.base_ms: invalid type: string \"x\", expected u32 at line 1 column 9";
        assert!(plainly(said).ends_with("expected a whole number from 0 to 4294967295 at line 1 column 9"));
        assert_eq!(plainly("missing field `seq`"), "missing field `seq`");
        assert_eq!(plainly("a name is too long"), "a name is too long");
    }
}
