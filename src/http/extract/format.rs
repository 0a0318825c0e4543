//! The form of response that a client wants.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use lusoria_protocol::{Code, Problem};
use serde::Deserialize;
#[cfg(test)]
use utoipa::ToSchema;

use super::preferences;
use crate::http::{Http, error::Failure};

/// One JSON document, or one JSON document a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Format {
    /// `application/json`: the present state.
    Json,
    /// `application/x-ndjson`: the present state, and then changes.
    Ndjson,
}

/// The type of a stream of lines.
pub(in crate::http) const NDJSON: &str = "application/x-ndjson";

impl FromRequestParts<Http> for Format {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let json = weight(&parts.headers, "application", "json");
        let ndjson = weight(&parts.headers, "application", "x-ndjson");
        if json <= 0.0 && ndjson <= 0.0 {
            let detail = format!("only application/json and {NDJSON} are available");
            return Err(Problem::new(Code::NotAcceptable, detail).into());
        }
        // Lines must be asked for: a client that accepts anything gets a document that ends.
        Ok(if ndjson > json { Self::Ndjson } else { Self::Json })
    }
}

/// A form of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum RecordForm {
    /// `application/json`.
    Json,
    /// `text/plain`.
    Text,
}

impl FromRequestParts<Http> for RecordForm {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let json = weight(&parts.headers, "application", "json");
        let text = weight(&parts.headers, "text", "plain");
        if json <= 0.0 && text <= 0.0 {
            let detail = "only application/json and text/plain are available";
            return Err(Problem::new(Code::NotAcceptable, detail).into());
        }
        Ok(if text > json { Self::Text } else { Self::Json })
    }
}

/// A form of several records in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum RecordsForm {
    /// `application/x-ndjson`: one a line.
    Ndjson,
    /// `text/plain`: with an empty line between them.
    Text,
}

impl FromRequestParts<Http> for RecordsForm {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let ndjson = weight(&parts.headers, "application", "x-ndjson");
        let text = weight(&parts.headers, "text", "plain");
        if ndjson <= 0.0 && text <= 0.0 {
            let detail = format!("only {NDJSON} and text/plain are available");
            return Err(Problem::new(Code::NotAcceptable, detail).into());
        }
        Ok(if text > ndjson { Self::Text } else { Self::Ndjson })
    }
}

/// A form of an export of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum ExportForm {
    /// `application/x-ndjson`: one a line.
    Ndjson,
    /// `text/plain`: with an empty line between them.
    Text,
    /// `application/zip`: both.
    Zip,
}

impl FromRequestParts<Http> for ExportForm {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let forms = [
            (Self::Ndjson, "application", "x-ndjson"),
            (Self::Text, "text", "plain"),
            (Self::Zip, "application", "zip"),
        ];
        preferred(&parts.headers, forms)
    }
}

/// A form of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ToSchema))]
#[serde(rename_all = "snake_case")]
pub(in crate::http) enum TableForm {
    /// `application/json`.
    Json,
    /// `application/x-ndjson`: a row a line.
    Ndjson,
    /// `text/csv`.
    Csv,
}

impl FromRequestParts<Http> for TableForm {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Http) -> Result<Self, Failure> {
        let forms = [
            (Self::Json, "application", "json"),
            (Self::Ndjson, "application", "x-ndjson"),
            (Self::Csv, "text", "csv"),
        ];
        preferred(&parts.headers, forms)
    }
}

/// The form that the client prefers; of equal ones the first.
fn preferred<T: Copy>(
    headers: &HeaderMap,
    forms: [(T, &'static str, &'static str); 3],
) -> Result<T, Failure> {
    let weighed = forms.map(|(form, kind, subtype)| (form, weight(headers, kind, subtype)));
    let heaviest = weighed.into_iter().rev().max_by(|(_, one), (_, other)| one.total_cmp(other));
    match heaviest {
        Some((form, weight)) if weight > 0.0 => Ok(form),
        _ => {
            let names = forms.map(|(_, kind, subtype)| format!("{kind}/{subtype}")).join(", ");
            Err(Problem::new(Code::NotAcceptable, format!("only {names} are available")).into())
        }
    }
}

/// Whether the client accepts JSON.
pub(in crate::http) fn accepts_json(headers: &HeaderMap) -> bool {
    weight(headers, "application", "json") > 0.0
}

/// Whether the client prefers a page to JSON, as browsers do when they open an address.
pub(in crate::http) fn prefers_pages(headers: &HeaderMap) -> bool {
    weight(headers, "text", "html") > weight(headers, "application", "json")
}

/// Whether the client prefers Markdown to a page.
pub(in crate::http) fn prefers_markdown(headers: &HeaderMap) -> bool {
    weight(headers, "text", "markdown") > weight(headers, "text", "html")
}

/// The client's weight for a type: 0 (not accepted) to 1 (RFC 9110, 12.5.1). Of equal weights, a type that is named
/// wins over one that a wildcard covers.
fn weight(headers: &HeaderMap, kind: &str, subtype: &str) -> f32 {
    let ranges = preferences(headers, header::ACCEPT);
    if ranges.is_empty() {
        return 1.0;
    }
    let found = ranges.into_iter().filter_map(|(range, quality)| {
        let (of_kind, of_subtype) = range.split_once('/')?;
        let exact = of_subtype.eq_ignore_ascii_case(subtype);
        let covers = (of_kind == "*" || of_kind.eq_ignore_ascii_case(kind)) && (of_subtype == "*" || exact);
        let nearness = if exact { 2 } else { u8::from(of_kind != "*") };
        covers.then_some((nearness, quality))
    });
    let (nearness, quality) = found.max_by_key(|(nearness, _)| *nearness).unwrap_or_default();
    if nearness == 2 && quality > 0.0 { quality + 0.001 } else { quality }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(accept: &str) -> Option<Format> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT, accept.parse().unwrap());
        let (json, ndjson) =
            (weight(&headers, "application", "json"), weight(&headers, "application", "x-ndjson"));
        match (json > 0.0, ndjson > 0.0) {
            (false, false) => None,
            _ if ndjson > json => Some(Format::Ndjson),
            _ => Some(Format::Json),
        }
    }

    #[test]
    fn lines_come_only_to_those_who_name_them() {
        for (accept, expected) in [
            ("*/*", Some(Format::Json)),
            ("", Some(Format::Json)),
            ("application/*", Some(Format::Json)),
            ("application/json", Some(Format::Json)),
            ("application/x-ndjson", Some(Format::Ndjson)),
            ("application/x-ndjson, */*", Some(Format::Ndjson)),
            ("application/x-ndjson;q=0.5, application/json", Some(Format::Json)),
            ("application/json, application/x-ndjson", Some(Format::Json)),
            ("text/html, */*;q=0.1", Some(Format::Json)),
            ("application/json;q=0, */*", Some(Format::Ndjson)),
            ("text/html", None),
            ("nonsense", None),
        ] {
            assert_eq!(format(accept), expected, "{accept}");
        }
    }
}
