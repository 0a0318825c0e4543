//! Documents apart from the page: the meaning of errors, and the API by examples.

use std::fmt::Write;

use axum::{
    Router,
    extract::Path,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};
use lusoria_protocol::{Code, Problem};

use super::{docs::page, error::Failure};

pub(super) fn router() -> Router {
    Router::new()
        .route("/problems", get(|| async { page(problems()) }))
        .route("/problems/{code}", get(problem))
        .route("/api.md", get(|| async { markdown(include_str!("../../api.md")) }))
}

/// Every code with its meaning.
fn problems() -> String {
    let mut page = String::from(concat!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">",
        "<meta name=\"viewport\" content=\"width=device-width\">",
        "<title>Problems – Lusoria</title><link rel=\"stylesheet\" href=\"/api/page.css\">",
        "<main><h1>Problems</h1><p>Every error has one of these codes.</p><table>",
        "<tr><th>code</th><th>status</th><th>meaning</th></tr>"
    ));
    for code in Code::ALL {
        let (name, status, title) = (code.as_str(), code.status(), code.title());
        let _ = write!(
            page,
            "<tr id=\"{name}\"><td><code>{name}</code></td><td>{status}</td><td>{title}</td></tr>"
        );
    }
    page.push_str("</table></main></html>");
    page
}

/// The document to which a problem's `type` leads.
async fn problem(Path(code): Path<String>) -> Result<Response, Failure> {
    let known = Code::ALL.iter().find(|known| known.as_str() == code);
    let known = known
        .ok_or_else(|| Problem::new(Code::NotFound, "there is no such problem; /problems lists them"))?;
    Ok(page(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0} – Lusoria</title>\
         <link rel=\"stylesheet\" href=\"/api/page.css\"><main><h1>{1}</h1>\
         <p><code>{0}</code>, HTTP status {2}</p><p><a href=\"/problems\">All problems</a></p></main></html>",
        known.as_str(),
        known.title(),
        known.status()
    )))
}

fn markdown(text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, text).into_response()
}
