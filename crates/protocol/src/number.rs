//! Whole numbers that are written as fractions.

use serde_json::Value;

/// The greatest whole number up to which every one has a fraction of its own: 2^53.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// Writes every `4.0` in a document as `4`: to JSON they are the same number, but not to
/// the types that read it. Says whether there was any.
pub fn make_whole(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
            Some(fraction) if fraction.fract() == 0.0 && fraction.abs() <= EXACT_MAX => {
                *value = (fraction as i64).into();
                true
            }
            _ => false,
        },
        // All of them, not only up to the first that is found.
        Value::Array(items) => items.iter_mut().filter_map(|item| make_whole(item).then_some(())).count() > 0,
        Value::Object(fields) => {
            fields.values_mut().filter_map(|field| make_whole(field).then_some(())).count() > 0
        }
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn whole_numbers_are_written_whole() {
        let mut value = json!({"a": 4.0, "b": [1e2, 2], "c": 1.5, "d": 1e300, "e": "4.0", "f": -3.0});
        assert!(make_whole(&mut value));
        assert_eq!(value, json!({"a": 4, "b": [100, 2], "c": 1.5, "d": 1e300, "e": "4.0", "f": -3}));
        assert!(!make_whole(&mut value));
    }
}
