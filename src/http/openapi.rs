//! The description of the API: what the handlers declare, and what holds for all of them.

use lusoria_protocol::{Code, Notice, Problem, PushMessage, Scope};
use serde_json::{Value, json};
use utoipa::{OpenApi, ToSchema, openapi};

use super::{error::PROBLEM_JSON, exact};
use crate::app::{Access, Operation};

/// What the handlers do not declare themselves.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lusoria",
        description = "Five board games of antiquity, played over the network.\n\nTimes are whole milliseconds. \
                       Requests with unknown fields are refused; ignore the fields, types of events and notices \
                       that you do not know. Every error is a problem document (RFC 9457) with a stable `code`.",
        license(name = "MIT OR Apache-2.0")
    ),
    tags(
        (name = "identity", description = "Guests, their tokens, and what is theirs"),
        (name = "players", description = "Players who have accounts, as everybody sees them"),
        (name = "games", description = "The games, their boards and their rules"),
        (name = "matches", description = "Making, finding, joining and following matches"),
        (name = "seeks", description = "Finding an opponent"),
        (name = "challenges", description = "Challenging somebody, and answering"),
        (name = "play", description = "What the players do"),
        (name = "talk", description = "What is said beside a match, reports, and how you stand"),
    ),
    components(schemas(Problem, Notice, PushMessage))
)]
pub(super) struct Description;

/// The document as it is served.
pub(super) fn finished(mut described: openapi::OpenApi) -> Value {
    described.openapi = openapi::OpenApiVersion::Version31;
    let described = described.to_json().expect("the description is plain data");
    let mut document: Value = serde_json::from_str(&described).expect("it has just been written");
    document["components"]["securitySchemes"] = json!({
        "token": {"type": "http", "scheme": "bearer", "description": "The token of a session, which `POST /guests` \
            and `POST /sign-in` give"},
        "api_token": {"type": "http", "scheme": "bearer", "description": api_token()}
    });
    document["components"]["responses"] = responses();
    if let Some(paths) = document["paths"].as_object_mut() {
        for operation in
            paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut())
        {
            complete(operation);
        }
    }
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        exact::complete(schemas);
    }
    exact::bound_numbers(&mut document);
    document
}

/// The responses to which operations refer: one for each status.
fn responses() -> Value {
    let mut statuses: Vec<u16> = Code::ALL.iter().map(|code| code.status()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    let response = |status: u16| {
        let codes: Vec<_> = Code::ALL
            .iter()
            .filter(|code| code.status() == status)
            .map(|code| format!("`{}` ({})", code.as_str(), code.title()))
            .collect();
        let content = json!({PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}});
        (format!("Problem{status}"), json!({"description": codes.join(", "), "content": content}))
    };
    Value::Object(statuses.into_iter().map(response).collect())
}

/// What an API token is, with its scopes.
fn api_token() -> String {
    let scopes =
        Scope::ALL.iter().map(|scope| format!("- `{}`: {}", scope.as_str(), scope.description().trim()));
    let scopes: Vec<_> = scopes.collect();
    format!("An API token, which `POST /me/tokens` gives, with these scopes:\n\n{}", scopes.join("\n"))
}

/// Who may ask for an operation: each way is enough.
fn security(access: Access) -> Value {
    let (session, none) = (json!({"token": []}), json!({}));
    let with =
        |scopes: &[Scope]| scopes.iter().map(|scope| json!({"api_token": [scope]})).collect::<Vec<_>>();
    Value::Array(match access {
        Access::Anyone => vec![],
        Access::Viewer(scopes) => [vec![none, session], with(scopes)].concat(),
        Access::Token => vec![session, json!({"api_token": []})],
        Access::Scope(scopes) => [vec![session], with(scopes)].concat(),
        Access::Session => vec![session],
    })
}

/// Adds what every operation needs, and what it can be answered with.
fn complete(operation: &mut Value) {
    let id = operation["operationId"].as_str().expect("an operation has an id");
    let access = Operation::of_id(id).expect("the router has looked it up").needs();
    if access != Access::Anyone {
        operation["security"] = security(access);
    }
    let has_body = operation.get("requestBody").is_some();
    let has_parameters = operation.get("parameters").is_some();
    let mut statuses = vec![401, 406, 429, 500, 503];
    if matches!(access, Access::Scope(_) | Access::Session) {
        statuses.push(403);
    }
    if has_body || has_parameters {
        statuses.push(400);
    }
    if has_body {
        statuses.extend([408, 413, 415, 422]);
    }
    let responses = operation["responses"].as_object_mut().expect("an operation has responses");
    for status in statuses {
        responses
            .entry(status.to_string())
            .or_insert_with(|| json!({"$ref": format!("#/components/responses/Problem{status}")}));
    }
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        never_null(&mut parameter["schema"]);
    }
    if let Some(body) = operation.get_mut("requestBody").and_then(Value::as_object_mut) {
        body.entry("required").or_insert(Value::Bool(false));
    }
}

/// A parameter of a path, query or header is left out or has a value: there is no null.
fn never_null(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").filter(|types| types.is_array()) {
        let left: Vec<_> =
            types.as_array().into_iter().flatten().filter(|kind| *kind != "null").cloned().collect();
        if let [only] = left.as_slice() {
            *types = only.clone();
        }
    }
}

/// The schemas of these types and of all to which they refer, by name.
pub(super) fn schemas_of<T: ToSchema>() -> Vec<(String, openapi::RefOr<openapi::Schema>)> {
    let mut schemas = Vec::new();
    T::schemas(&mut schemas);
    schemas.push((T::name().into_owned(), T::schema()));
    schemas
}
