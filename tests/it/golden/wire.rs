//! The API and the socket's messages, against how each release described them.
//!
//! `tests/it/golden/wire/VERSION/` has what docs/openapi.json and docs/socket.schema.json were in that release: nobody
//! changes these any more. Before the first release there is none.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::compatible::{breaks_of_api, breaks_of_socket};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The descriptions in a folder: of the API and of the socket.
fn descriptions(folder: &Path) -> [Value; 2] {
    ["openapi.json", "socket.schema.json"].map(|name| read(&folder.join(name)))
}

#[test]
fn clients_of_every_release_can_live_with_the_server_of_today() {
    let [api, socket] = descriptions(&root().join("docs"));
    let mut folders = vec![root().join("docs")];
    if let Ok(releases) = fs::read_dir(root().join("tests/it/golden/wire")) {
        folders.extend(releases.map(|release| release.expect("a folder").path()));
    }
    for folder in folders {
        let [old_api, old_socket] = descriptions(&folder);
        assert_eq!(breaks_of_api(&old_api, &api), [""; 0], "{}", folder.display());
        assert_eq!(breaks_of_socket(&old_socket, &socket), [""; 0], "{}", folder.display());
    }
}

/// A small API in which everything stands that can break: two operations, an answer with
/// alternatives, references, limits.
fn small_api() -> Value {
    serde_json::from_str(include_str!("small_api.json")).expect("JSON")
}

/// What puts something else into the small API: a place, as a JSON pointer, and what stands there then.
fn changed(place: &str, value: Value) -> Value {
    let mut api = small_api();
    let (parent, name) = place.rsplit_once('/').expect("a pointer");
    let parent = api.pointer_mut(parent).unwrap_or_else(|| panic!("{place} leads nowhere"));
    match (parent, value) {
        (Value::Object(fields), Value::Null) => {
            drop(fields.remove(&name.replace("~1", "/")).expect("it is there"));
        }
        (Value::Object(fields), value) => drop(fields.insert(name.replace("~1", "/"), value)),
        (Value::Array(items), Value::Null) => drop(items.remove(name.parse().expect("a number"))),
        (Value::Array(items), value) if name == "-" => items.push(value),
        (Value::Array(items), value) => items[name.parse::<usize>().expect("a number")] = value,
        (other, _) => panic!("{other} has no places"),
    }
    api
}

const GET: &str = "/paths/~1guests~1{id}/get";
const PATCH: &str = "/paths/~1guests~1{id}/patch";
const GUEST: &str = "/components/schemas/Guest";
const EVENT: &str = "/components/schemas/Event/oneOf";
const TOLD: &str = "/components/schemas/Told/allOf/1";
const RENAME: &str = "/components/schemas/Rename";
const CODES: &str = "/components/schemas/Problem/properties/code/enum";

#[test]
fn an_api_is_compatible_with_itself() {
    assert_eq!(breaks_of_api(&small_api(), &small_api()), [""; 0]);
}

#[test]
fn additions_are_compatible() {
    let string = || json!({"type": "string"});
    let additions = [
        ("/paths/~1new".to_owned(), json!({"post": {"responses": {}}})),
        ("/paths/~1guests~1{id}/delete".to_owned(), json!({"responses": {"204": {}}})),
        (format!("{GET}/parameters/-"), json!({"name": "more", "in": "query", "schema": {"type": "string"}})),
        (format!("{GET}/parameters/1/schema/maximum"), json!(200)),
        (format!("{GET}/responses/403"), json!({})),
        (format!("{PATCH}/responses/404"), Value::Null),
        (format!("{GUEST}/properties/age"), string()),
        (format!("{GUEST}/properties/name/maxLength"), json!(12)),
        (format!("{GUEST}/properties/level/type"), json!("integer")),
        (format!("{GUEST}/required/-"), json!("friends")),
        (format!("{EVENT}/-"), json!({"type": "object", "properties": {"type": {"enum": ["danced"]}}})),
        (format!("{EVENT}/0/properties/side"), string()),
        (format!("{TOLD}/properties/at"), string()),
        (format!("{RENAME}/properties/device"), string()),
        (format!("{RENAME}/properties/name/maxLength"), json!(40)),
        (format!("{RENAME}/properties/name/minLength"), Value::Null),
        (format!("{RENAME}/properties/name/pattern"), Value::Null),
        (format!("{RENAME}/properties/how/enum/-"), json!("silent")),
        (format!("{RENAME}/properties/how/type"), json!(["string", "null"])),
        (format!("{RENAME}/required"), json!([])),
        (format!("{CODES}/-"), json!("no_such_session")),
    ];
    for (place, value) in additions {
        let faults = breaks_of_api(&small_api(), &changed(&place, value.clone()));
        assert_eq!(faults, [""; 0], "{place}: {value}");
    }
}

#[test]
fn whatever_breaks_a_client_is_found() {
    let breaks = [
        ("/paths/~1guests~1{id}".to_owned(), Value::Null, "GET /guests/{id} is gone"),
        (PATCH.to_owned(), Value::Null, "PATCH /guests/{id} is gone"),
        (format!("{GET}/security"), json!([{"token": []}]), "needs a token now"),
        (format!("{GET}/parameters/1"), Value::Null, "parameter limit is gone"),
        (format!("{GET}/parameters/1/required"), json!(true), "parameter limit is required now"),
        (format!("{GET}/parameters/1/schema/maximum"), json!(50), "narrower maximum"),
        (format!("{GET}/parameters/1/schema/minimum"), json!(2), "narrower minimum"),
        (format!("{GET}/parameters/1/schema/type"), json!("string"), "was {\"integer\"} and is {\"string\"}"),
        (
            format!("{GET}/parameters/-"),
            json!({"name": "new", "in": "query", "required": true, "schema": {}}),
            "demands a parameter new now",
        ),
        (format!("{GET}/responses/200"), Value::Null, "answer 200 is gone"),
        (
            format!("{GET}/responses/200/content/application~1json"),
            Value::Null,
            "is no longer application/json",
        ),
        (format!("{PATCH}/requestBody/required"), json!(true), "demands a body now"),
        (format!("{GUEST}/properties/name"), Value::Null, "as application/json.name is gone"),
        (
            format!("{GUEST}/properties/name/type"),
            json!("integer"),
            ".name was {\"string\"} and is {\"integer\"}",
        ),
        (format!("{GUEST}/properties/name/type"), json!(["string", "null"]), ".name was"),
        (
            format!("{GUEST}/properties/kind/enum/-"),
            json!("computer"),
            ".kind has the new value \"computer\"",
        ),
        (format!("{GUEST}/properties/name/format"), Value::Null, ".name has another format"),
        (format!("{GUEST}/properties/how/oneOf/-"), json!({"type": "string"}), ".how can be string now"),
        (format!("{PATCH}/security"), json!([{"key": []}]), "takes another kind of token"),
        (format!("{GUEST}/properties/kind/enum/0"), Value::Null, "no longer has the value \"person\""),
        (format!("{GUEST}/properties/friends/items"), json!({"type": "string"}), ".friends[] was"),
        (format!("{GUEST}/properties/score/additionalProperties/type"), json!("string"), ".score.* was"),
        (format!("{GUEST}/required/0"), Value::Null, ".name may be left out now"),
        (format!("{EVENT}/1"), Value::Null, "no longer can be type \"left\""),
        (format!("{EVENT}/0/properties/seat"), Value::Null, ".seat is gone"),
        (format!("{EVENT}/0/properties/seat/type"), json!("string"), ".seat was"),
        (format!("{EVENT}/1/allOf/0/properties/at"), Value::Null, ".at is gone"),
        (format!("{EVENT}/-"), json!({"type": "null"}), "can be null now"),
        (format!("{TOLD}/properties/seq"), Value::Null, ".seq is gone"),
        (format!("{TOLD}/properties/seq/type"), json!("string"), ".seq was"),
        (format!("{TOLD}/required/0"), Value::Null, ".seq may be left out now"),
        (format!("{RENAME}/properties/how"), Value::Null, ".how is gone"),
        (format!("{RENAME}/properties/how/enum/1"), Value::Null, "no longer has the value \"loud\""),
        (format!("{RENAME}/properties/name/enum"), json!(["Zeno"]), "takes only certain values now"),
        (format!("{RENAME}/properties/name/maxLength"), json!(12), "narrower maxLength"),
        (format!("{RENAME}/properties/name/minLength"), json!(2), "narrower minLength"),
        (format!("{RENAME}/properties/name/pattern"), json!("^a$"), "another pattern"),
        (format!("{RENAME}/properties/friends/maxItems"), json!(3), "narrower maxItems"),
        (format!("{RENAME}/properties/friends/minItems"), json!(1), "narrower minItems"),
        (format!("{RENAME}/required/-"), json!("how"), ".how is required now"),
        (format!("{RENAME}/additionalProperties"), json!(false), "takes no other fields now"),
        (format!("{CODES}/1"), Value::Null, "no longer has the value \"full\""),
    ];
    for (place, value, fault) in breaks {
        let faults = breaks_of_api(&small_api(), &changed(&place, value.clone()));
        assert!(
            faults.iter().any(|found| found.contains(fault)),
            "{place}: {value}: {fault}\nfound: {faults:#?}"
        );
    }
}

#[test]
fn a_message_that_goes_or_changes_is_found() {
    let small = |ops: Value, answer: Value| {
        json!({"$defs": {
            "ClientMessage": {"oneOf": ops},
            "Request_ping": {"type": "object", "properties": {"op": {"const": "ping"}, "id": {"type": "integer"}}},
            "Request_watch": {"type": "object", "properties": {"op": {"const": "watch"}}, "required": ["op"]},
            "ServerMessage": {"oneOf": [{"type": "object", "properties": {"re": {"type": "integer"}}}]},
            "Answers": {"properties": {"ping": answer}},
        }})
    };
    let both = json!([{"$ref": "#/$defs/Request_ping"}, {"$ref": "#/$defs/Request_watch"}]);
    let (ping, answer) = (json!([{"$ref": "#/$defs/Request_ping"}]), json!({"type": "object"}));
    let old = small(both.clone(), answer.clone());
    assert_eq!(breaks_of_socket(&old, &old), [""; 0]);
    assert_eq!(breaks_of_socket(&small(ping.clone(), answer.clone()), &old), [""; 0], "an operation more");
    let gone = breaks_of_socket(&old, &small(ping, answer));
    assert!(gone[0].contains("no longer can be op \"watch\""), "{gone:?}");
    let other = breaks_of_socket(&old, &small(both, json!({"type": "string"})));
    assert!(other[0].contains("Answers.ping was"), "{other:?}");
}
