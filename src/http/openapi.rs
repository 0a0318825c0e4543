//! The description of the API: the handlers' own descriptions, and what all operations have in common.
//!
//! The tests below make it and compare it with docs/openapi.json, docs/socket.schema.json and docs/scopes.md; `cargo
//! xtask describe` writes these files. The server contains the files (`docs`), not the code that makes them.

use std::{collections::BTreeMap, fmt::Write, path::Path};

use lusoria_protocol::{Code, Notice, Problem, PushMessage, Scope};
use serde_json::{Value, json};
use utoipa::{OpenApi, ToSchema, openapi};
use utoipa_axum::router::OpenApiRouter;

use super::{error::PROBLEM_JSON, exact, routes::BASE, socket_schema};
use crate::app::{Access, Operation};

/// The parts that no handler describes.
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
        (name = "identity", description = "Guests, their tokens and settings"),
        (name = "players", description = "Public profiles of players with accounts"),
        (name = "games", description = "The games, their boards and their rules"),
        (name = "matches", description = "Creating, finding, joining and following matches"),
        (name = "seeks", description = "Finding an opponent"),
        (name = "tournaments", description = "Organising, entering and following tournaments"),
        (name = "challenges", description = "Challenging somebody, and responding"),
        (name = "play", description = "Playing a match"),
        (name = "talk", description = "Talk in matches, reports and sanctions"),
    ),
    components(schemas(Problem, Notice, PushMessage))
)]
pub(super) struct Description;

/// The document as it is served.
fn document() -> Value {
    let routes = super::every_route();
    let mut undescribed: BTreeMap<_, _> = (routes.operations.iter())
        .map(|(path, method, operation)| ((format!("{BASE}{path}"), method.as_str().to_owned()), *operation))
        .collect();
    let described = OpenApiRouter::with_openapi(Description::openapi()).nest(BASE, routes.described);
    let mut described = described.split_for_parts().1;
    described.openapi = openapi::OpenApiVersion::Version31;
    let described = described.to_json().expect("the description is plain data");
    let mut document: Value = serde_json::from_str(&described).expect("it has just been written");
    document["components"]["securitySchemes"] = json!({
        "token": {"type": "http", "scheme": "bearer", "description": "The token of a session, which `POST /guests` \
            and `POST /sign-in` give"},
        "api_token": {"type": "http", "scheme": "bearer", "description": api_token()}
    });
    document["components"]["responses"] = responses();
    for (path, methods) in document["paths"].as_object_mut().expect("paths") {
        for (method, described) in methods.as_object_mut().expect("methods") {
            let operation = undescribed.remove(&(path.clone(), method.to_uppercase()));
            let operation =
                operation.unwrap_or_else(|| panic!("no route is {method} {path}, as a handler says"));
            assert_eq!(described["operationId"], snake_case(&format!("{operation:?}")), "{method} {path}");
            complete(described, operation.needs());
        }
    }
    assert!(undescribed.is_empty(), "no handler says that it is at {undescribed:?}");
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

/// A description of API tokens, with the scopes.
fn api_token() -> String {
    let scopes =
        Scope::ALL.iter().map(|scope| format!("- `{}`: {}", scope.as_str(), scope.description().trim()));
    let scopes: Vec<_> = scopes.collect();
    format!("An API token, which `POST /me/tokens` gives, with these scopes:\n\n{}", scopes.join("\n"))
}

/// The kinds of access to an operation; each one is enough.
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

/// `CreateMatch` as `create_match`.
fn snake_case(name: &str) -> String {
    let mut id = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !id.is_empty() {
            id.push('_');
        }
        id.extend(letter.to_lowercase());
    }
    id
}

/// Adds the requirements of an operation, and the responses that every operation has.
fn complete(operation: &mut Value, access: Access) {
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

/// A parameter of a path, query or header is left out or has a value; it is never null.
fn never_null(schema: &mut Value) {
    if let Some(types) = schema.get_mut("type").filter(|types| types.is_array()) {
        let left: Vec<_> =
            types.as_array().into_iter().flatten().filter(|kind| *kind != "null").cloned().collect();
        if let [only] = left.as_slice() {
            *types = only.clone();
        }
    }
}

/// The schemas of a type and of all types to which it refers, by name.
pub(super) fn schemas_of<T: ToSchema>() -> Vec<(String, openapi::RefOr<openapi::Schema>)> {
    let mut schemas = Vec::new();
    T::schemas(&mut schemas);
    schemas.push((T::name().into_owned(), T::schema()));
    schemas
}

/// The access to an operation, in words.
fn needs(access: Access) -> String {
    let listed = |scopes: &[Scope]| {
        scopes.iter().map(|scope| format!("`{}`", scope.as_str())).collect::<Vec<_>>().join(" or ")
    };
    match access {
        Access::Anyone => "nothing".to_owned(),
        Access::Viewer(scopes) => format!("nothing; with {} as you see it", listed(scopes)),
        Access::Token => "any token".to_owned(),
        Access::Scope(scopes) => listed(scopes),
        Access::Session => "a session".to_owned(),
    }
}

/// The tables of docs/scopes.md: the scopes, and the access to each operation.
fn tables_of_scopes(document: &Value) -> String {
    let mut tables = "| scope | permits |\n| --- | --- |\n".to_owned();
    for scope in Scope::ALL {
        let _ = writeln!(tables, "| `{}` | {} |", scope.as_str(), scope.description().trim());
    }
    tables.push_str("\n| operation | | needs |\n| --- | --- | --- |\n");
    let ids: BTreeMap<_, _> =
        Operation::ALL.iter().map(|operation| (snake_case(&format!("{operation:?}")), *operation)).collect();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, described) in methods.as_object().expect("methods") {
            let text = |field: &str| described[field].as_str().expect("a text");
            let needs = needs(ids[text("operationId")].needs());
            let method = method.to_uppercase();
            let _ = writeln!(tables, "| `{method} {path}` | {} | {needs} |", text("summary"));
        }
    }
    tables
}

/// The files derived from the handlers, each with its text.
fn files() -> [(&'static str, String); 3] {
    const BEGINS: &str = "<!-- made -->\n";
    let pretty = |document: &Value| serde_json::to_string_pretty(document).expect("plain data") + "\n";
    let document = document();
    let page = read("docs/scopes.md");
    let (before, rest) = page.split_once(BEGINS).expect("the beginning of what is made");
    let (_, after) = rest.split_once("<!-- /made -->").expect("the end of what is made");
    let scopes = format!("{before}{BEGINS}{}<!-- /made -->{after}", tables_of_scopes(&document));
    [
        ("docs/openapi.json", pretty(&document)),
        ("docs/socket.schema.json", pretty(&socket_schema::schema())),
        ("docs/scopes.md", scopes),
    ]
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_descriptions_are_those_of_the_handlers() {
    for (path, text) in files() {
        assert!(read(path) == text, "{path} is out of date: `cargo xtask describe` writes it");
    }
}

#[test]
#[ignore = "writes the descriptions"]
fn write_the_descriptions() {
    for (path, text) in files() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(path), text)
            .expect("a file that can be written");
    }
}

#[test]
fn every_operation_of_the_access_table_has_one_route() {
    let mut served: Vec<_> =
        super::every_route().operations.into_iter().map(|(.., operation)| operation).collect();
    served.sort_unstable();
    let mut listed = Operation::ALL.to_vec();
    listed.sort_unstable();
    assert_eq!(served, listed);
}
