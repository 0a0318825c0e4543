//! api.md teaches by examples: every one of them is run here, in its order.

use std::{collections::BTreeMap, fmt::Write};

use lusoria_protocol::{Code, socket::Op};
use serde_json::Value;

use crate::support::{
    http::{Answer, Request},
    server::server_with,
};

const PAGE: &str = include_str!("../../api.md");

/// Stands for any value; at the end of a list, for any others.
const ANYTHING: &str = "…";

#[tokio::test]
async fn the_examples_are_true() {
    let server = server_with(&["--public-url", "https://play.example.org"]).await;
    let mut names = BTreeMap::new();
    let mut run = 0;
    for example in examples(PAGE) {
        let answer = example.request(&names).send(server.address()).await.expect("an answer");
        if let Err(why) = example.check(&answer, &mut names) {
            panic!("api.md, line {}: {why}\nthe answer was {} {}", example.line, answer.status, answer.body);
        }
        run += 1;
    }
    assert!(run > 25, "only {run} examples were found");
}

#[test]
fn the_codes_are_all_told() {
    let mut table = "| code | status | meaning |\n| --- | --- | --- |\n".to_owned();
    for code in Code::ALL {
        let _ = writeln!(table, "| `{}` | {} | {} |", code.as_str(), code.status(), code.title());
    }
    let (_, rest) = PAGE.split_once("<!-- codes -->\n").expect("the beginning of the table of codes");
    let (told, _) = rest.split_once("<!-- /codes -->").expect("the end of the table of codes");
    assert_eq!(told, table, "api.md needs this table of codes:\n{table}");
}

#[test]
fn the_operations_of_the_socket_are_all_told() {
    let (_, rest) = PAGE.split_once("<!-- ops -->\n").expect("the beginning of the table of operations");
    let (table, _) = rest.split_once("<!-- /ops -->").expect("the end of the table of operations");
    for name in Op::NAMES {
        assert!(table.contains(&format!("`{name}`")), "api.md does not tell of the operation {name}");
    }
}

/// A request, and what must be answered.
struct Example {
    /// Where it stands.
    line: usize,
    request: String,
    status: u16,
    /// One JSON value, or one a line.
    answers: Vec<Value>,
}

/// The fenced blocks `http`, each followed by one of `json` or `ndjson` with the status.
fn examples(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut request: Option<(usize, String)> = None;
    let mut block: Option<(usize, &str, String)> = None;
    for (index, line) in page.lines().enumerate() {
        match (&mut block, line.strip_prefix("```")) {
            (None, Some(info)) => block = Some((index + 1, info, String::new())),
            (Some((_, _, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (Some(_), Some(_)) => {
                let (line, info, text) = block.take().expect("it is some");
                match info.split_once(' ').unwrap_or((info, "")) {
                    ("http", _) => request = Some((line, text)),
                    (kind @ ("json" | "ndjson"), status) => {
                        let (line, request) =
                            request.take().unwrap_or_else(|| panic!("line {line}: no request before"));
                        let status = status.parse().unwrap_or_else(|_| panic!("line {line}: no status"));
                        let texts = if kind == "json" { vec![text.as_str()] } else { text.lines().collect() };
                        let read = |text: &&str| {
                            serde_json::from_str(text).unwrap_or_else(|e| panic!("line {line}: {e}"))
                        };
                        let answers = texts.iter().filter(|text| !text.trim().is_empty()).map(read).collect();
                        examples.push(Example { line, request, status, answers });
                    }
                    _ => {}
                }
            }
            (None, None) => {}
        }
    }
    assert!(request.is_none(), "a request without an answer");
    examples
}

impl Example {
    fn request(&self, names: &BTreeMap<String, Value>) -> Request {
        let mut text = self.request.clone();
        for (name, value) in names {
            text = text.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default());
        }
        let (head, body) = text.split_once("\n\n").unwrap_or((text.trim_end(), ""));
        let mut lines = head.lines();
        let (method, path) = lines.next().and_then(|line| line.split_once(' ')).expect("a method and a path");
        let mut request = Request::new(method, path);
        body.trim().clone_into(&mut request.body);
        let headers: Vec<_> = lines.filter_map(|line| line.split_once(": ")).collect();
        let typed = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        if !request.body.is_empty() && !typed {
            request = request.header("content-type", "application/json");
        }
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    }

    fn check(&self, answer: &Answer, names: &mut BTreeMap<String, Value>) -> Result<(), String> {
        if answer.status != self.status {
            return Err(format!("the status should be {}", self.status));
        }
        let kind = answer.header("content-type").unwrap_or_default();
        let lines: Vec<Value> = match kind {
            "application/x-ndjson" => {
                let lines = answer.body.lines().filter(|line| !line.is_empty());
                lines
                    .map(|line| serde_json::from_str(line).map_err(|e| e.to_string()))
                    .collect::<Result<_, _>>()?
            }
            _ if answer.body.is_empty() => Vec::new(),
            _ => vec![answer.json()],
        };
        if lines.len() != self.answers.len() {
            return Err(format!("{} values should be answered, not {}", self.answers.len(), lines.len()));
        }
        self.answers.iter().zip(&lines).try_for_each(|(told, found)| fits(told, found, "", names))
    }
}

/// Whether the answer has all documented fields. New names are learnt.
fn fits(told: &Value, found: &Value, at: &str, names: &mut BTreeMap<String, Value>) -> Result<(), String> {
    match (told, found) {
        (Value::String(text), _) if text == ANYTHING => Ok(()),
        (Value::String(text), _) if text.starts_with('{') && text.ends_with('}') => {
            let known = names.entry(text[1..text.len() - 1].to_owned()).or_insert_with(|| found.clone());
            if known == found { Ok(()) } else { Err(format!("{at} should be {known}, not {found}")) }
        }
        (Value::Object(told), Value::Object(found)) => told.iter().try_for_each(|(key, told)| {
            let at = format!("{at}.{key}");
            let found = found.get(key).ok_or_else(|| format!("{at} is missing"))?;
            fits(told, found, &at, names)
        }),
        (Value::Array(told), Value::Array(found)) => {
            let open = told.last().is_some_and(|last| last == ANYTHING) && told.len() != found.len();
            let told = if open { &told[..told.len() - 1] } else { &told[..] };
            if found.len() < told.len() || (!open && found.len() != told.len()) {
                return Err(format!("{at} should have {} elements, not {}", told.len(), found.len()));
            }
            let pairs = told.iter().zip(found).enumerate();
            pairs
                .into_iter()
                .try_for_each(|(n, (told, found))| fits(told, found, &format!("{at}[{n}]"), names))
        }
        _ if told == found => Ok(()),
        _ => Err(format!("{at} should be {told}, not {found}")),
    }
}
