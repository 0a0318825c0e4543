//! The addresses of the page.

use std::{convert::Infallible, sync::Arc};

use axum::{
    extract::{FromRequestParts, State},
    http::{HeaderMap, StatusCode, Uri, request::Parts},
    response::Response,
};
use lusoria_protocol::Code;

use super::{
    document::Page,
    documents::Documents,
    head::{Found, Head},
    language, of_match,
    site::Site,
};
use crate::http::{
    Http,
    error::{Failure, HandlerResult},
    extract::{OfGame, OfMatch, OfTournament},
};

/// The match in the address, if it is a valid id.
type Id = Result<OfMatch, Failure>;

/// A request for a document: its language, its encodings, and the version that the browser has.
pub(super) struct Reader {
    documents: Arc<Documents>,
    headers: HeaderMap,
    /// `fr` of `?lang=fr`.
    language: Option<String>,
}

impl FromRequestParts<Http> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, http: &Http) -> Result<Self, Infallible> {
        Ok(Self::of(&http.documents, &parts.uri, &parts.headers))
    }
}

impl Reader {
    /// The one who makes this request.
    pub(super) fn of(documents: &Arc<Documents>, uri: &Uri, headers: &HeaderMap) -> Self {
        let mut pairs = uri.query().unwrap_or_default().split('&');
        let language = pairs.find_map(|pair| pair.strip_prefix("lang=")).map(str::to_owned);
        Self { documents: Arc::clone(documents), headers: headers.clone(), language }
    }

    /// The headers of their request.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The best language of those available.
    pub(super) fn language<'a>(&self, site: &'a Site) -> &'a str {
        language::wanted(&site.languages(), self.language.as_deref(), &self.headers)
    }

    /// The document that they asked for.
    pub(super) fn gets(&self, page: Page) -> Response {
        self.gets_with(StatusCode::OK, page)
    }

    /// The same with another status.
    pub(super) fn gets_with(&self, status: StatusCode, page: Page) -> Response {
        let site = Site::now();
        self.documents.document(&site, page, self.language(&site)).answer(status, &self.headers)
    }

    /// A document with a head of its own.
    fn gets_with_head(&self, page: Page, head: impl FnOnce(&Site, &str) -> Head) -> Response {
        let site = Site::now();
        let language = self.language(&site);
        let document = self.documents.with_head(&site, page, &head(&site, language), language);
        document.answer(StatusCode::OK, &self.headers)
    }
}

/// The games, open and live matches.
pub(super) async fn home(reader: Reader) -> Response {
    reader.gets(Page::Home)
}

/// A match.
pub(super) async fn of_match(State(http): State<Http>, id: Id, reader: Reader) -> HandlerResult<Response> {
    shown(&http, id, &reader, Page::Match).await
}

/// The dice of a match.
pub(super) async fn dice_of_match(
    State(http): State<Http>,
    id: Id,
    reader: Reader,
) -> HandlerResult<Response> {
    shown(&http, id, &reader, Page::Dice).await
}

/// A match in a frame of another site, if it is public.
pub(super) async fn embed(State(http): State<Http>, id: Id, reader: Reader) -> HandlerResult<Response> {
    shown(&http, id, &reader, Page::Embed).await
}

/// A table in an exhibition.
pub(super) async fn kiosk(reader: Reader) -> Response {
    reader.gets(Page::Kiosk)
}

/// The dice of a record from a file.
pub(super) async fn dice(reader: Reader) -> Response {
    reader.gets(Page::Dice)
}

/// A record from a file, judged and replayed.
pub(super) async fn record(reader: Reader) -> Response {
    reader.gets(Page::Record)
}

/// An invitation. Its code follows the `#` and is not sent.
pub(super) async fn join(reader: Reader) -> Response {
    reader.gets(Page::Join)
}

/// The devices of a person. The code that adds this one follows the `#`, too.
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

/// The search for players.
pub(super) async fn players(reader: Reader) -> Response {
    reader.gets(Page::Players)
}

/// A player, by handle or id. The document's scripts find out whether they exist.
pub(super) async fn player(reader: Reader) -> Response {
    reader.gets(Page::Player)
}

/// The best-rated players of every game.
pub(super) async fn leaderboards(reader: Reader) -> Response {
    reader.gets(Page::Leaderboards(None))
}

/// The best-rated players of a game.
pub(super) async fn leaderboard(OfGame(game): OfGame, reader: Reader) -> Response {
    reader.gets(Page::Leaderboards(Some(game.id())))
}

/// Statistics of all games.
pub(super) async fn statistics(reader: Reader) -> Response {
    reader.gets(Page::Statistics(None))
}

/// Statistics of a game.
pub(super) async fn game_statistics(OfGame(game): OfGame, reader: Reader) -> Response {
    reader.gets(Page::Statistics(Some(game.id())))
}

/// All channels of TV.
pub(super) async fn tv(reader: Reader) -> Response {
    reader.gets(Page::Tv(None))
}

/// The channel of a game.
pub(super) async fn channel(OfGame(game): OfGame, reader: Reader) -> Response {
    reader.gets(Page::Tv(Some(game.id())))
}

/// The channel of a game in a frame of another site.
pub(super) async fn embed_channel(OfGame(game): OfGame, reader: Reader) -> Response {
    reader.gets(Page::EmbedTv(game.id()))
}

/// The tournaments that run, that come, and that have ended.
pub(super) async fn tournaments(reader: Reader) -> Response {
    reader.gets(Page::Tournaments)
}

/// The form of an organiser: a new tournament, or, at the address of a tournament, that one.
pub(super) async fn tournament_form(reader: Reader) -> Response {
    reader.gets(Page::TournamentForm)
}

/// A tournament. The document's scripts find out whether it exists.
pub(super) async fn tournament(
    State(http): State<Http>,
    id: Result<OfTournament, Failure>,
    reader: Reader,
) -> Response {
    let Ok(OfTournament(id)) = id else { return reader.gets(Page::Tournament) };
    match http.app.listed_tournament(id).await {
        Ok(Some((name, game))) => reader.gets_with_head(Page::Tournament, |site, language| {
            let words = site.words();
            let of = words.find(language, &format!("games.{}", game.id())).unwrap_or_default();
            Head {
                description: words.with(language, "tournament.named", &[("name", &name), ("game", of)]),
                path: Some(format!("/tournament/{id}")),
                found: Found::ByEverybody,
                picture: format!("/rules/{}/board.png?lang={language}", game.id()),
                is_translated: false,
                title: name,
                game_of_match: None,
            }
        }),
        // Its address is all that people without an invitation know.
        Ok(None) | Err(_) => reader.gets(Page::Tournament),
    }
}

/// A tournament on a wall.
pub(super) async fn wall(reader: Reader) -> Response {
    reader.gets(Page::Wall)
}

/// A tournament in a frame of another site.
pub(super) async fn embed_tournament(reader: Reader) -> Response {
    reader.gets(Page::EmbedTournament)
}

/// The document that a browser shows when it cannot reach the server; the browser stores it.
pub(super) async fn offline(reader: Reader) -> Response {
    reader.gets(Page::Offline)
}

/// The first turns of a game.
pub(super) async fn learn(OfGame(game): OfGame, reader: Reader) -> Response {
    reader.gets(Page::Learn(game.id()))
}

/// Any position of a game, to put together and analyse. The position follows the `?`; scripts read it.
pub(super) async fn editor(OfGame(game): OfGame, reader: Reader) -> Response {
    reader.gets(Page::Editor(game.id()))
}

/// A document about a match, if it exists.
async fn shown(http: &Http, id: Id, reader: &Reader, page: Page) -> HandlerResult<Response> {
    let OfMatch(id) = id?;
    match http.app.snapshot(id, None).await {
        Ok(state) if page == Page::Embed && !of_match::is_listed(&state) => Err(Code::NoSuchMatch.into()),
        Ok(state) => {
            Ok(reader.gets_with_head(page, |site, language| of_match::head(site, language, page, &state)))
        }
        Err(problem) if problem.code == Code::NoSuchMatch => Err(problem.into()),
        // The document needs no database: its scripts show the error, and ask again.
        Err(_) => Ok(reader.gets(page)),
    }
}
