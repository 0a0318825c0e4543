//! The documents: the responses to every address of the page.
//!
//! A page in a frame can be hidden under something else, so that people click on things that they do not see. So
//! documents for frames have nothing to click on except a link that opens the match in a window of its own.

use std::fmt::Write;

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};

use super::{
    foot,
    head::{Found, Head},
    kind::Kind,
    markdown::escaped,
    operator::Operator,
    rules::Rules,
    site::Site,
    tagged::Tagged,
    text::Text,
    words::filled,
};

/// The sources that a document may load, and the sites that may show it in a frame.
macro_rules! policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; ",
            "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; ",
            "frame-ancestors ",
            $ancestors
        )
    };
}

/// The policy of a document: nothing from elsewhere, and no inline script or style. No page may show it in a frame.
///
/// `connect-src 'self'` should cover the WebSocket too: it does in every browser that has constructable style sheets,
/// without which nothing has styles under this policy anyway (Safari covered it only from 16.0, and has had those
/// since 16.4).
const POLICY: &str = policy!("'none'");

/// The same for a document that any site may show in a frame.
const POLICY_IN_FRAMES: &str = policy!("*");

/// Marks a response that any site may show in a frame: without it, `X-Frame-Options` forbids that.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) struct ForFrames;

/// The address of the catalogue of games, which home requests first.
const GAMES: &str = "/api/v1/games";

/// The kind of document. Its scripts read the match from the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Page {
    /// The games, open and live matches.
    Home,
    /// A match: to play, to watch, to replay.
    Match,
    /// A match to watch in a frame of another site, without any controls.
    Embed,
    /// A table in an exhibition, for two people at one screen.
    Kiosk,
    /// The dice of a match, or of a record from a file.
    Dice,
    /// A record from a file, judged and replayed.
    Record,
    /// An invitation.
    Join,
    /// The devices of a person.
    Devices,
    /// The account of the person, or opening one.
    Account,
    /// Signing in, also without the password.
    SignIn,
    /// The search for players.
    Players,
    /// A player, and what they played.
    Player,
    /// The best-rated players of the game with this name, or of every game.
    Leaderboards(Option<&'static str>),
    /// Statistics of the game with this name, or of all.
    Statistics(Option<&'static str>),
    /// TV: the channel of the game with this name, or all channels.
    Tv(Option<&'static str>),
    /// The channel of a game in a frame of another site.
    EmbedTv(&'static str),
    /// The tournaments that run, that come, and that have ended.
    Tournaments,
    /// The form of an organiser: a new tournament, or one that exists.
    TournamentForm,
    /// A tournament: to enter, to play in, to watch.
    Tournament,
    /// A tournament on a wall, without any controls.
    Wall,
    /// The same in a frame of another site.
    EmbedTournament,
    /// The document that a browser shows when it cannot reach the server.
    Offline,
    /// The first turns of the game with this name.
    Learn(&'static str),
    /// Any position of the game with this name, to put together and analyse.
    Editor(&'static str),
    /// The rules to read.
    Rules(Rules),
    /// A page about the server and its games.
    Text(Text),
}

impl Page {
    /// The module that it starts.
    fn entry(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Match => "match",
            Self::Embed | Self::EmbedTv(_) => "embed",
            Self::Kiosk => "kiosk",
            Self::Dice => "dice",
            Self::Record => "record",
            Self::Join => "join",
            Self::Devices => "devices",
            Self::Account => "account",
            Self::SignIn => "sign-in",
            Self::Players => "players",
            Self::Player => "player",
            Self::Leaderboards(_) => "leaderboards",
            Self::Statistics(_) => "statistics",
            Self::Tv(_) => "tv",
            Self::Tournaments => "tournaments",
            Self::TournamentForm => "tournament-form",
            Self::Tournament => "tournament",
            Self::Wall | Self::EmbedTournament => "wall",
            Self::Offline => "offline",
            Self::Learn(_) => "learn",
            Self::Editor(_) => "editor",
            Self::Rules(_) => "rules",
            Self::Text(_) => "text",
        }
    }

    /// Its text and title, if it has a text to read.
    fn content(self, site: &Site, language: &str) -> Option<(String, String)> {
        match self {
            Self::Rules(rules) => Some(rules.content(site, language)),
            Self::Text(text) => Some(text.content(site, language)),
            Self::Home
            | Self::Match
            | Self::Embed
            | Self::Kiosk
            | Self::Dice
            | Self::Record
            | Self::Join
            | Self::Devices
            | Self::Account
            | Self::SignIn
            | Self::Players
            | Self::Player
            | Self::Leaderboards(_)
            | Self::Statistics(_)
            | Self::Tv(_)
            | Self::EmbedTv(_)
            | Self::Tournaments
            | Self::TournamentForm
            | Self::Tournament
            | Self::Wall
            | Self::EmbedTournament
            | Self::Offline
            | Self::Learn(_)
            | Self::Editor(_) => None,
        }
    }

    /// Whether it has links at the bottom: not where the board needs the space, or where the links would lead
    /// nowhere.
    fn has_foot(self) -> bool {
        match self {
            Self::Match
            | Self::Embed
            | Self::Kiosk
            | Self::Record
            | Self::Tv(Some(_))
            | Self::EmbedTv(_)
            | Self::Wall
            | Self::EmbedTournament
            | Self::Learn(_)
            | Self::Editor(_)
            | Self::Offline => false,
            Self::Home
            | Self::Dice
            | Self::Join
            | Self::Devices
            | Self::Account
            | Self::SignIn
            | Self::Players
            | Self::Player
            | Self::Leaderboards(_)
            | Self::Statistics(_)
            | Self::Tv(None)
            | Self::Tournaments
            | Self::TournamentForm
            | Self::Tournament
            | Self::Rules(_)
            | Self::Text(_) => true,
        }
    }

    /// Its head, if that is the same for everybody.
    pub(super) fn head(self, site: &Site, language: &str) -> Head {
        let words = site.words();
        let key = match self {
            Self::Text(text) => text.name(),
            Self::Rules(rules) if rules.game().is_some() => "game",
            Self::Leaderboards(Some(_)) => "leaderboard",
            Self::Statistics(Some(_)) => "game-statistics",
            Self::Tv(Some(_)) | Self::EmbedTv(_) => "channel",
            _ => self.entry(),
        };
        let game = match self {
            Self::Learn(game) | Self::Editor(game) | Self::EmbedTv(game) => Some(game),
            Self::Rules(rules) => rules.game(),
            Self::Leaderboards(game) | Self::Statistics(game) | Self::Tv(game) => game,
            _ => None,
        };
        let texts = |part: &str| game.and_then(|game| words.find(language, &format!("games.{game}{part}")));
        let values = [("game", texts("").unwrap_or_default()), ("line", texts(".line").unwrap_or_default())];
        let said = |part: &str| words.with(language, &format!("{key}.{part}"), &values);
        let title = self.content(site, language).map_or_else(|| said("title"), |(title, _)| title);
        let path = self.path();
        Head {
            title,
            description: said("description"),
            found: if path.is_some() { Found::ByEverybody } else { Found::ByAddress },
            path,
            picture: game.map_or_else(
                || "/board.png".to_owned(),
                |game| format!("/rules/{game}/board.png?lang={language}"),
            ),
            is_translated: self.is_translated(),
            game_of_match: None,
        }
    }

    /// Its address, if search engines may list it.
    pub(super) fn path(self) -> Option<String> {
        Some(match self {
            Self::Home => "/".to_owned(),
            Self::Players => "/players".to_owned(),
            Self::Tournaments => "/tournaments".to_owned(),
            Self::Leaderboards(None) => "/leaderboards".to_owned(),
            Self::Leaderboards(Some(game)) => format!("/leaderboards/{game}"),
            Self::Learn(game) => format!("/learn/{game}"),
            Self::Editor(game) => format!("/editor/{game}"),
            Self::Statistics(None) => "/statistics".to_owned(),
            Self::Statistics(Some(game)) => format!("/statistics/{game}"),
            Self::Tv(None) => "/tv".to_owned(),
            Self::Tv(Some(game)) => format!("/tv/{game}"),
            Self::Rules(rules) => rules.path(),
            Self::Text(text) => text.path()?.to_owned(),
            Self::Match
            | Self::Embed
            | Self::Kiosk
            | Self::Dice
            | Self::Record
            | Self::Join
            | Self::Devices
            | Self::Account
            | Self::SignIn
            | Self::Player
            | Self::EmbedTv(_)
            | Self::TournamentForm
            | Self::Tournament
            | Self::Wall
            | Self::EmbedTournament
            | Self::Offline => return None,
        })
    }

    /// Whether any site may show it in a frame. In a frame with controls, a person could be made to click on
    /// something that they do not see; without controls there is nothing to click on.
    fn is_for_frames(self) -> bool {
        matches!(self, Self::Embed | Self::EmbedTv(_) | Self::EmbedTournament)
    }

    pub(super) fn is_translated(self) -> bool {
        match self {
            Self::Rules(rules) => rules.is_translated(),
            Self::Text(text) => text.is_translated(),
            _ => true,
        }
    }
}

/// A document in one language, except its head and the parts that depend on the head.
pub(super) struct Frame {
    page: Page,
    before: String,
    between: String,
    /// The parts before and after the title, if the document has a text to read.
    title_in: Option<(&'static str, &'static str)>,
    after: String,
}

/// The place of the head in the template.
const HEAD: &str = "head";

/// Marks the place of the head. Texts do not contain this character: Markdown replaces it.
const MARK: &str = "\u{0}";

/// The text of a match before its module has loaded: the game and the players.
const TITLE_ALONE: (&str, &str) = ("<main class=\"text alone\"><h1>", "</h1></main>");

impl Frame {
    /// Makes the document.
    pub(super) fn of(site: &Site, page: Page, operator: &Operator, language: &str) -> Self {
        let content = page.content(site, language).map(|(_, content)| content).unwrap_or_default();
        let (entry, needs) = site.bundles_of(&format!("pages/{}.js", page.entry()));
        let text = filled(site.template(), ("{{", "}}"), |place| match place {
            "lang" => language.to_owned(),
            "languages" => site.languages().join(" "),
            "content" => format!("{MARK}{content}"),
            "assets" => site.assets(),
            "entry" => entry.clone(),
            "preload" => preload(site, page, &needs, language),
            "foot" if page.has_foot() => foot::html(site, operator, language),
            HEAD => MARK.to_owned(),
            _ => String::new(),
        });
        let mut parts = text.splitn(3, MARK).map(str::to_owned);
        let mut part = || parts.next().unwrap_or_default();
        let title_in = matches!(page, Page::Match | Page::Embed | Page::EmbedTv(_)).then_some(TITLE_ALONE);
        Self { page, before: part(), between: part(), title_in, after: part() }
    }

    /// The document with this head.
    pub(super) fn with(&self, site: &Site, head: &Head, operator: &Operator, language: &str) -> Document {
        let html = head.html(operator.origin.as_deref(), language, &site.languages());
        let title = self
            .title_in
            .map(|(before, after)| [before, &escaped(&head.title), after].concat())
            .unwrap_or_default();
        let text = [&self.before, &html, &self.between, &title, &self.after].map(String::as_str).concat();
        Document { text: Tagged::new(Kind::DOCUMENT, text), is_for_frames: self.page.is_for_frames() }
    }
}

/// A document in one language.
pub(super) struct Document {
    text: Tagged,
    is_for_frames: bool,
}

impl Document {
    /// The response to a request with these headers.
    pub(super) fn answer(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let policy = if self.is_for_frames { POLICY_IN_FRAMES } else { POLICY };
        let mut answer = self.text.answer(status, headers, policy);
        if self.is_for_frames {
            answer.extensions_mut().insert(ForFrames);
        }
        let told = answer.headers_mut();
        told.insert(header::VARY, HeaderValue::from_static("accept, accept-encoding, accept-language"));
        told.insert(
            HeaderName::from_static("cross-origin-opener-policy"),
            HeaderValue::from_static("same-origin"),
        );
        if self.is_for_frames {
            // Pages that are isolated from other sites show only frames with both headers.
            for (name, value) in [
                ("cross-origin-resource-policy", "cross-origin"),
                ("cross-origin-embedder-policy", "require-corp"),
            ] {
                told.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
        }
        answer
    }
}

/// The files that the browser will need, announced early: the bundles that the document's own one needs, the texts,
/// the catalogue of games.
fn preload(site: &Site, page: Page, bundles: &[String], language: &str) -> String {
    let assets = site.assets();
    let mut lines = String::new();
    for bundle in bundles {
        let _ = writeln!(lines, "<link rel=\"modulepreload\" href=\"{assets}/{bundle}\">");
    }
    let texts = format!("{assets}/{}", Site::texts(language));
    let games = (page == Page::Home).then(|| GAMES.to_owned());
    for address in [texts].into_iter().chain(games) {
        let _ = writeln!(lines, "<link rel=\"preload\" href=\"{address}\" as=\"fetch\" crossorigin>");
    }
    lines
}
