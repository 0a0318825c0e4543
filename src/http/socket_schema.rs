//! The messages of the WebSocket as JSON Schema.

use lusoria_protocol::{
    Answer, Notice, RematchAnswer, schema_as_json,
    socket::{HelloOk, Nothing, Op, Reply, ServerMessage, TournamentHead, WatchOk},
};
use serde_json::{Map, Value, json};

use super::{exact, openapi::schemas_of};

/// The schema, 2020-12: the messages of clients and of the server, and for each operation the type of `ok` in its
/// response.
pub(super) fn schema() -> Value {
    let mut defs = Map::new();
    let mut add = |schemas: Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>| {
        for (name, schema) in schemas {
            defs.insert(name, schema_as_json(schema));
        }
    };
    let mut referred = Vec::new();
    Op::referred(&mut referred);
    add(referred);
    for schemas in [
        schemas_of::<ServerMessage>(),
        schemas_of::<Reply>(),
        schemas_of::<Notice>(),
        schemas_of::<HelloOk>(),
        schemas_of::<TournamentHead>(),
        schemas_of::<WatchOk>(),
        schemas_of::<Answer>(),
        schemas_of::<RematchAnswer>(),
        schemas_of::<Nothing>(),
    ] {
        add(schemas);
    }
    exact::complete(&mut defs);

    let mut requests = Vec::new();
    let mut answers = Map::new();
    for (op, mut request) in Op::schemas() {
        let request_fields = request.as_object_mut().expect("a request is an object");
        let properties = request_fields.entry("properties").or_insert_with(|| json!({}));
        properties["id"] = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
        properties["op"] = json!({"const": op});
        let required = request_fields.entry("required").or_insert_with(|| json!([]));
        for name in ["id", "op"] {
            required.as_array_mut().expect("a list of names").push(name.into());
        }
        let name = format!("Request_{op}");
        requests.push(json!({"$ref": format!("#/$defs/{name}")}));
        defs.insert(name, request);
        answers.extend(answer(op).map(|ok| (op.to_owned(), json!({"$ref": format!("#/$defs/{ok}")}))));
    }
    defs.insert("ClientMessage".to_owned(), json!({"oneOf": requests}));
    defs.insert(
        "Answers".to_owned(),
        json!({"description": "What `ok` is in the answer to each operation.", "properties": answers}),
    );
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The messages of /api/v1/socket",
        "oneOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": defs,
    });
    refer_to_defs(&mut schema);
    exact::bound_numbers(&mut schema);
    schema
}

/// The type of `ok` in the response to one of the socket's own operations. The OpenAPI document describes the
/// responses to `http`.
fn answer(op: &str) -> Option<&'static str> {
    Some(match op {
        "hello" => "HelloOk",
        "watch" => "WatchOk",
        "tournament" => "TournamentHead",
        "join" | "seed" | "turn" | "takeback" | "resign" | "abort" | "claim" | "draw" => "Answer",
        "rematch" => "RematchAnswer",
        "http" => return None,
        _ => "Nothing",
    })
}

fn refer_to_defs(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(target)) = fields.get_mut("$ref")
                && let Some(name) = target.strip_prefix("#/components/schemas/")
            {
                *target = format!("#/$defs/{name}");
            }
            fields.values_mut().for_each(refer_to_defs);
        }
        Value::Array(items) => items.iter_mut().for_each(refer_to_defs),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn refs<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(target)) = fields.get("$ref") {
                    found.insert(target);
                }
                fields.values().for_each(|value| refs(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| refs(value, found)),
            _ => {}
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let schema = schema();
        let mut found = BTreeSet::new();
        refs(&schema, &mut found);
        for target in found {
            let name = target.strip_prefix("#/$defs/").unwrap_or_else(|| panic!("{target}"));
            assert!(schema["$defs"].get(name).is_some(), "{target}");
        }
    }

    #[test]
    fn every_operation_takes_its_own_fields_only() {
        let schema = schema();
        for op in Op::NAMES {
            let request = &schema["$defs"][format!("Request_{op}")];
            assert_eq!(request["additionalProperties"], false, "{op}");
            assert_eq!(request["properties"]["op"]["const"], *op);
        }
    }
}
