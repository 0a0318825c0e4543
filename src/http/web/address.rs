//! The addresses of the page.

use std::convert::Infallible;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, StatusCode, request::Parts},
    response::Response,
};

use super::{document::Page, language, site::Site};
use crate::http::{
    error::{Failure, HandlerResult},
    extract::{OfGame, OfMatch, prefers_pages},
};

/// The match that the address names, if it can name one.
type Id = Result<OfMatch, Failure>;

/// Who asks for a document: in which language, how packed, and what they have already.
pub(super) struct Reader {
    headers: HeaderMap,
    /// `fr` of `?lang=fr`.
    language: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let mut pairs = parts.uri.query().unwrap_or_default().split('&');
        let language = pairs.find_map(|pair| pair.strip_prefix("lang=")).map(str::to_owned);
        Ok(Self { headers: parts.headers.clone(), language })
    }
}

impl Reader {
    /// The headers of their request.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Their language, of those that there are.
    pub(super) fn language<'a>(&self, site: &'a Site) -> &'a str {
        language::wanted(&site.languages(), self.language.as_deref(), &self.headers)
    }

    /// The document that they asked for.
    pub(super) fn gets(&self, page: Page) -> Response {
        self.gets_with(StatusCode::OK, page)
    }

    fn gets_with(&self, status: StatusCode, page: Page) -> Response {
        let site = Site::now();
        site.document(page, self.language(&site)).answer(status, &self.headers)
    }
}

/// The games, open and live matches.
pub(super) async fn home(reader: Reader) -> Response {
    reader.gets(Page::Home)
}

/// A match.
pub(super) async fn of_match(id: Id, reader: Reader) -> HandlerResult<Response> {
    shown(id, &reader, Page::Match)
}

/// The dice of a match.
pub(super) async fn dice_of_match(id: Id, reader: Reader) -> HandlerResult<Response> {
    shown(id, &reader, Page::Dice)
}

/// The dice of a record from a file.
pub(super) async fn dice(reader: Reader) -> Response {
    reader.gets(Page::Dice)
}

/// A record from a file, to be judged and replayed.
pub(super) async fn record(reader: Reader) -> Response {
    reader.gets(Page::Record)
}

/// An invitation. Its code stands behind the `#` and is not sent.
pub(super) async fn join(reader: Reader) -> Response {
    reader.gets(Page::Join)
}

/// The devices of a person. The code that adds this one stands behind the `#`, too.
pub(super) async fn devices(reader: Reader) -> Response {
    reader.gets(Page::Devices)
}

/// The account of the person.
pub(super) async fn account(reader: Reader) -> Response {
    reader.gets(Page::Account)
}

/// Signing in.
pub(super) async fn sign_in(reader: Reader) -> Response {
    reader.gets(Page::SignIn)
}

/// Players, to be found.
pub(super) async fn players(reader: Reader) -> Response {
    reader.gets(Page::Players)
}

/// A player, by handle or id. Whether there is one, the document's scripts find out.
pub(super) async fn player(reader: Reader) -> Response {
    reader.gets(Page::Player)
}

/// What a browser shows that cannot reach the server; it keeps it for that.
pub(super) async fn offline(reader: Reader) -> Response {
    reader.gets(Page::Offline)
}

/// The first turns of a game.
pub(super) async fn learn(_: OfGame, reader: Reader) -> Response {
    reader.gets(Page::Learn)
}

/// Whether there is such a match, the document's scripts find out; here it is only seen that
/// there cannot be one.
fn shown(id: Id, reader: &Reader, page: Page) -> HandlerResult<Response> {
    match id {
        Ok(OfMatch(_)) => Ok(reader.gets(page)),
        Err(_) if prefers_pages(&reader.headers) => Ok(reader.gets_with(StatusCode::NOT_FOUND, page)),
        Err(why) => Err(why),
    }
}
