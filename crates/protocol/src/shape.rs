//! Lists where objects should be.

use serde_json::Value;

/// Where `given` has a list in place of an object: the types that read JSON would take the
/// fields of an object from a list, in their order, but no schema says so. `read` is what
/// was read, written again. None if all is well.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
}
