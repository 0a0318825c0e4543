//! The differences between two values, field by field, as the record writes them.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A field in which two values differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The field: `dice`, `steps[0].hit`, `position.white.off`.
    pub field: String,
    /// The expected value, as JSON; none if nothing is expected.
    pub expected: Option<Value>,
    /// The value found, as JSON; none if there is none.
    pub found: Option<Value>,
}

impl Difference {
    pub(super) fn new(field: &str, expected: &impl Serialize, found: &impl Serialize) -> Self {
        Self { field: field.to_owned(), expected: Some(value(expected)), found: Some(value(found)) }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |value: &Option<Value>| match value {
            Some(value) => value.to_string(),
            None => "nothing".to_owned(),
        };
        write!(f, "{}: expected {}, found {}", self.field, show(&self.expected), show(&self.found))
    }
}

/// All fields in which two values differ.
pub(super) fn differences(expected: &impl Serialize, found: &impl Serialize) -> Vec<Difference> {
    let mut all = Vec::new();
    compare("", Some(&value(expected)), Some(&value(found)), &mut all);
    all
}

fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).expect("wire types are plain data")
}

fn compare(field: &str, expected: Option<&Value>, found: Option<&Value>, all: &mut Vec<Difference>) {
    match (expected, found) {
        (Some(Value::Object(expected)), Some(Value::Object(found))) => {
            let only_found = found.keys().filter(|&name| !expected.contains_key(name));
            for name in expected.keys().chain(only_found) {
                let inner = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                compare(&inner, expected.get(name), found.get(name), all);
            }
        }
        // Lists of plain values, such as dice, are compared as a whole.
        (Some(Value::Array(expected)), Some(Value::Array(found)))
            if expected.len() == found.len() && expected.iter().all(Value::is_object) =>
        {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(&format!("{field}[{index}]"), Some(expected), Some(found), all);
            }
        }
        (expected, found) if expected != found => {
            all.push(Difference {
                field: field.to_owned(),
                expected: expected.cloned(),
                found: found.cloned(),
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_that_differs_is_named() {
        let expected = json!({"dice": [1, 2], "steps": [{"to": "a", "hit": true}], "same": 1, "call": "x"});
        let found = json!({"dice": [2, 1], "steps": [{"to": "b"}], "same": 1, "more": null});
        let told: Vec<String> = differences(&expected, &found).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "call: expected \"x\", found nothing",
                "dice: expected [1,2], found [2,1]",
                "steps[0].hit: expected true, found nothing",
                "steps[0].to: expected \"a\", found \"b\"",
                "more: expected nothing, found null",
            ]
        );
    }

    #[test]
    fn lists_of_different_lengths_differ_as_a_whole() {
        let told = differences(&json!({"a": [{}]}), &json!({"a": []}));
        assert_eq!(told.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a: expected [{}], found []"]);
    }
}
