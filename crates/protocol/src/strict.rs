//! JSON as the schemas define it, which is stricter than the types that read it: no object has a field twice, no list
//! replaces an object, and `4.0` is the number 4.

use std::fmt;

use serde::{
    Serialize,
    de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Error, Map, Number, Value, error::Category};

use crate::plainly;

/// The reason why a document could not be read.
#[derive(Debug)]
pub enum Misread {
    /// It is not JSON.
    NotJson(Error),
    /// A value does not fit.
    Value {
        /// Its path, such as `steps[0].to`; empty for the whole document.
        place: String,
        /// Its fault.
        error: Error,
    },
    /// An object has a field twice.
    Twice(Error),
    /// A list replaces an object.
    List {
        /// Its path; empty for the whole document.
        place: String,
    },
}

impl Misread {
    /// The fault in plain words, without the place.
    pub fn reason(&self) -> String {
        // Line and column are for programs that show the document.
        let without_position =
            |error: &Error| error.to_string().split(" at line ").next().unwrap_or_default().to_owned();
        match self {
            Self::NotJson(error) | Self::Value { error, .. } => plainly(&without_position(error)),
            Self::Twice(error) => without_position(error),
            Self::List { .. } => "expected an object, not a list".to_owned(),
        }
    }

    /// The line and column, from 1, where the reader stopped, if it did before the end.
    pub fn position(&self) -> Option<(usize, usize)> {
        match self {
            Self::NotJson(error) | Self::Value { error, .. } => {
                Some((error.line(), error.column())).filter(|&(line, _)| line > 0)
            }
            Self::Twice(_) | Self::List { .. } => None,
        }
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { place, .. } | Self::List { place } if !place.is_empty() => {
                write!(f, "{place}: {}", self.reason())
            }
            _ => f.write_str(&self.reason()),
        }
    }
}

impl std::error::Error for Misread {}

/// Reads a whole document.
///
/// # Errors
/// Why it cannot be read, and where.
pub fn read<T: DeserializeOwned + Serialize>(json: &[u8]) -> Result<T, Misread> {
    let read: T = read_typed(json).or_else(|why| {
        // In JSON 4.0 is the number 4. It is rare, so it is handled only now.
        let whole = serde_json::from_slice(json)
            .ok()
            .and_then(|mut value: Value| make_whole(&mut value).then(|| T::deserialize(value).ok())?);
        whole.ok_or(why)
    })?;
    let given = read_strictly(json).map_err(Misread::Twice)?;
    match serde_json::to_value(&read).ok().and_then(|written| list_for_object(&given, &written)) {
        None => Ok(read),
        Some(place) => Err(Misread::List { place: place.trim_start_matches('.').to_owned() }),
    }
}

fn read_typed<T: DeserializeOwned>(json: &[u8]) -> Result<T, Misread> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    let read = serde_path_to_error::deserialize(&mut reader);
    let (place, error) = match read.map(|value| (value, reader.end())) {
        Ok((value, Ok(()))) => return Ok(value),
        Ok((_, Err(error))) => (String::new(), error),
        Err(error) => (error.path().to_string(), error.into_inner()),
    };
    // The reader mistakes a number in place of a name for broken JSON. A whole document is therefore read once more
    // from its value, with the right error.
    let (place, error) = match serde_json::from_slice::<Value>(json) {
        Ok(value) if error.is_syntax() => match serde_path_to_error::deserialize(value) {
            Ok(read) => return Ok(read),
            Err(error) => (error.path().to_string(), error.into_inner()),
        },
        Ok(_) | Err(_) => (place, error),
    };
    Err(match error.classify() {
        Category::Data => Misread::Value { place: place.trim_start_matches('.').to_owned(), error },
        Category::Io | Category::Syntax | Category::Eof => Misread::NotJson(error),
    })
}

/// Reads a whole document as a value. A field that occurs twice is refused: its meaning is undefined, so that
/// programs on the way could read different documents.
///
/// # Errors
/// If it is not JSON, or is nested more deeply than 127 times (syntax); if a field is named
/// twice (data).
pub fn read_strictly(json: &[u8]) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(json);
    match Strict.deserialize(&mut reader) {
        Ok(value) => reader.end().map(|()| value),
        // The text after the second occurrence may be invalid JSON.
        Err(error) if error.is_data() => Err(serde_json::from_slice::<Value>(json).err().unwrap_or(error)),
        Err(error) => Err(error),
    }
}

/// Reads a value in which no object has a field twice.
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

/// The path at which `given` has a list instead of an object: the types that read JSON accept the fields of an object
/// as a list in their order, but no schema allows that. `read` is the value that was read, written again. None if
/// there is no such list.
pub fn list_for_object(given: &Value, read: &Value) -> Option<String> {
    match (given, read) {
        (Value::Array(_), Value::Object(_)) => Some(String::new()),
        (Value::Array(given), Value::Array(read)) => {
            let mut pairs = given.iter().zip(read).enumerate();
            pairs.find_map(|(index, (given, read))| {
                Some(format!("[{index}]{}", list_for_object(given, read)?))
            })
        }
        (Value::Object(given), Value::Object(read)) => given.iter().find_map(|(name, given)| {
            let inside = list_for_object(given, read.get(name)?)?;
            Some(format!(".{name}{inside}"))
        }),
        _ => None,
    }
}

/// The greatest whole number up to which a floating-point number is exact: 2^53.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// Rewrites every `4.0` in a document as `4`: in JSON they are the same number, but not for the types that read it.
/// Returns whether there was any.
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
        // No short circuit: all of them are rewritten.
        Value::Array(items) => items.iter_mut().filter_map(|item| make_whole(item).then_some(())).count() > 0,
        Value::Object(fields) => {
            fields.values_mut().filter_map(|field| make_whole(field).then_some(())).count() > 0
        }
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

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

    #[test]
    fn only_lists_in_place_of_objects_are_found() {
        let read = json!({"options": {}, "steps": [{"from": "a", "to": "b"}], "dice": [1]});
        for (given, place) in [
            (json!({"options": {}, "steps": [{}], "dice": [1]}), None),
            (json!({"options": []}), Some(".options")),
            (json!({"steps": [["a", "b"]]}), Some(".steps[0]")),
            (json!([]), Some("")),
            (json!({"unknown": []}), None),
        ] {
            assert_eq!(list_for_object(&given, &read).as_deref(), place, "{given}");
        }
    }

    #[test]
    fn whole_numbers_are_written_whole() {
        let mut value = json!({"a": 4.0, "b": [1e2, 2], "c": 1.5, "d": 1e300, "e": "4.0", "f": -3.0});
        assert!(make_whole(&mut value));
        assert_eq!(value, json!({"a": 4, "b": [100, 2], "c": 1.5, "d": 1e300, "e": "4.0", "f": -3}));
        assert!(!make_whole(&mut value));
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        #[derive(Debug, PartialEq, Deserialize, Serialize)]
        struct Inner {
            n: u8,
        }
        #[derive(Debug, PartialEq, Deserialize, Serialize)]
        struct Outer {
            inner: Vec<Inner>,
        }
        let told = |json: &str| read::<Outer>(json.as_bytes()).unwrap_err();
        assert_eq!(
            read::<Outer>(br#"{"inner": [{"n": 4.0}]}"#).unwrap(),
            Outer { inner: vec![Inner { n: 4 }] }
        );
        let wrong = told(r#"{"inner": [{"n": "4"}]}"#);
        assert!(wrong.to_string().starts_with("inner[0].n: "), "{wrong}");
        assert_eq!(wrong.position(), Some((1, 20)));
        assert_eq!(told(r#"{"inner": [[4]]}"#).to_string(), "inner[0]: expected an object, not a list");
        assert_eq!(told("[[]]").to_string(), "expected an object, not a list");
        let twice = told(r#"{"inner": [], "else": {"a": 1, "a": 2}}"#);
        assert_eq!(twice.to_string(), "duplicate field `a`");
        assert!(matches!(told("{"), Misread::NotJson(_)));
    }
}
