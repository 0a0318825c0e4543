//! Conversions between words and values that JSON writes as one word, such as a side or a reason.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The word for a value that JSON writes as one.
///
/// # Panics
/// If JSON writes it otherwise.
pub fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        Ok(_) | Err(_) => unreachable!("only asked of values that are written as words"),
    }
}

/// The value of a word.
pub fn meant<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(Value::String(word.to_owned())).ok()
}
