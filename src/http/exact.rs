//! Additions to the schemas of requests that cannot be derived from their types.

use serde_json::{Map, Value, json};

/// Gives every number the limits of its type: with formats that generators of clients know, or with a minimum and
/// maximum.
pub(super) fn bound_numbers(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let whole = |format: &str, max: u64| Some((format.to_owned(), json!(0), json!(max)));
            let bounds = match fields.get("format").and_then(Value::as_str) {
                Some("u-int8") => whole("int32", u8::MAX.into()),
                Some("u-int16") => whole("int32", u16::MAX.into()),
                Some("u-int32") => whole("int64", u32::MAX.into()),
                Some("u-int64") => whole("uint64", u64::MAX),
                Some("float") => {
                    Some(("float".to_owned(), json!(f64::from(f32::MIN)), json!(f64::from(f32::MAX))))
                }
                _ => None,
            };
            if let Some((format, min, max)) = bounds {
                fields.insert("format".to_owned(), format.into());
                fields.entry("minimum").or_insert(min);
                fields.entry("maximum").or_insert(max);
            }
            fields.values_mut().for_each(bound_numbers);
        }
        Value::Array(items) => items.iter_mut().for_each(bound_numbers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Completes the schemas of types, by name.
pub(super) fn complete(schemas: &mut Map<String, Value>) {
    close_variants(schemas);
    for (name, schema) in schemas {
        if name.starts_with("Seated_") {
            seat_two_may_be_null(schema);
        }
        if name == "CreateMatch" {
            bound_terms(schema);
        }
    }
}

/// In requests, a type with a tag accepts only the fields of its variant.
fn close_variants(schemas: &mut Map<String, Value>) {
    const READ: [&str; 1] = ["Clock"];
    for name in READ {
        let variants = schemas.get_mut(name).and_then(|schema| schema.get_mut("oneOf")?.as_array_mut());
        for variant in variants.into_iter().flatten().filter_map(Value::as_object_mut) {
            variant.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    }
}

/// Like every other optional field, it may be `null` in a record. The derived schema of a generic type does not say
/// so.
fn seat_two_may_be_null(seated: &mut Value) {
    if let Some(two) = seated.pointer_mut("/properties/2") {
        *two = json!({"oneOf": [two.take(), {"type": "null"}]});
    }
}

/// For a match to be created: the fields that exclude each other, and the limits of a clock. Records contain finished
/// matches, and are not refused for these.
pub(super) fn bound_terms(create: &mut Value) {
    let stock = json!({"minimum": 5_000, "maximum": 10_800_000});
    let step = json!({"maximum": 180_000});
    let days = json!({"minimum": 1, "maximum": 14});
    let has = |name: &str| json!({"properties": {name: {"type": "object"}}, "required": [name]});
    create["dependentSchemas"] = json!({
        "clock": {"properties": {"clock": {"properties": {
            "base_ms": stock, "increment_ms": step, "delay_ms": step, "days": days,
        }}}},
        "opponent": {
            "if": has("opponent"),
            "then": {"properties": {"admission": {"not": {"const": "both_seats"}}}},
        },
        "stand_in": {
            "if": has("stand_in"),
            "then": {
                "properties": {"opponent": {"type": "object"}, "seed_hash": {"type": "null"}},
                "required": ["opponent"],
            },
        },
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limits of a whole number.
    fn limits(schema: &Value) -> (Option<u64>, Option<u64>) {
        (schema["minimum"].as_u64(), schema["maximum"].as_u64())
    }

    #[test]
    fn whole_numbers_have_the_limits_of_their_types() {
        let mut value = json!([
            {"format": "u-int8"}, {"format": "u-int16", "minimum": 1}, {"format": "u-int32", "maximum": 9},
            {"type": ["integer", "null"], "format": "u-int64"}, {"format": "int32"}, {"format": "uuid"},
        ]);
        bound_numbers(&mut value);
        let limits: Vec<_> = value.as_array().expect("a list").iter().map(limits).collect();
        let none = (None, None);
        assert_eq!(
            limits,
            [
                (Some(0), Some(255)),
                (Some(1), Some(65_535)),
                (Some(0), Some(9)),
                (Some(0), Some(u64::MAX)),
                none,
                none
            ]
        );
        assert_eq!(value[2]["format"], "int64", "no 32 bits with a sign hold it");
    }

    #[test]
    fn seat_two_of_every_pair_may_be_null() {
        let mut schemas =
            json!({"Seated_X": {"properties": {"1": {"type": "string"}, "2": {"type": "string"}}}});
        complete(schemas.as_object_mut().expect("an object"));
        assert_eq!(schemas["Seated_X"]["properties"]["1"], json!({"type": "string"}));
        assert_eq!(schemas["Seated_X"]["properties"]["2"]["oneOf"][1], json!({"type": "null"}));
    }
}
