//! JSON in which no object names a field twice.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Reads a whole document. What it means to name a field twice is not defined, so that
/// programs on the way could each see another document: it is refused.
///
/// # Errors
/// If it is not JSON, or is nested more deeply than 127 times (syntax); if a field is named
/// twice (data).
pub fn read_strictly(json: &[u8]) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    match Strict.deserialize(&mut reader) {
        Ok(value) => reader.end().map(|()| value),
        // What stands behind the field that is named twice may be no JSON.
        Err(error) if error.is_data() => Err(serde_json::from_slice::<Value>(json).err().unwrap_or(error)),
        Err(error) => Err(error),
    }
}

/// Reads a value in which no object names a field twice.
#[derive(Clone, Copy)]
pub(crate) struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(de::Error::custom(format_args!("duplicate field `{name}`")));
            }
            let value = fields.next_value_seed(self)?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_without_doubled_fields_is_read_as_usual() {
        for json in [r#"{"a": [1, -2, 0.5, 1e3, null, true, "x\n"], "b": {"a": {}}}"#, "7", "[]", "\"\""] {
            let usual: Value = serde_json::from_str(json).unwrap();
            assert_eq!(read_strictly(json.as_bytes()).unwrap(), usual, "{json}");
        }
    }

    #[test]
    fn a_field_that_is_named_twice_is_wrong_at_any_depth() {
        for json in [r#"{"a": 1, "a": 1}"#, r#"[{"a": {"b": 1, "b": 2}}]"#, r#"{"a": 1, "\u0061": 2}"#] {
            let error = read_strictly(json.as_bytes()).unwrap_err();
            assert!(error.is_data() && error.to_string().starts_with("duplicate field"), "{json}: {error}");
        }
    }

    #[test]
    fn invalid_or_too_deeply_nested_json_is_refused() {
        let deep = "[".repeat(10_000);
        let twice_and_broken = r#"{"a": 1, "a": 1}tch"#;
        for json in ["", "{", "[1,]", "{} {}", "NaN", "1e999", twice_and_broken, deep.as_str()] {
            assert!(!read_strictly(json.as_bytes()).unwrap_err().is_data(), "{json:.20}");
        }
    }
}
