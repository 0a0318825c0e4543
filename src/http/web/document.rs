//! The documents: what every address of the page answers.

use std::fmt::Write;

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};

use super::{
    foot,
    head::{Found, Head},
    kind::Kind,
    operator::Operator,
    packed::Packed,
    rules::Rules,
    site::{Site, short},
    text::Text,
    words::filled,
};

/// What a document may load: nothing from elsewhere, and no script or style that stands in it.
///
/// `connect-src 'self'` is meant to cover the WebSocket too: it does in every browser that has
/// constructable style sheets, without which nothing is styled under this policy anyway
/// (Safari did so later than others, in 16.0; it has those since 16.4).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; font-src 'self'; manifest-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// What a document shows. Which match it is, is known to its scripts by the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Page {
    /// The games, open and live matches.
    Home,
    /// A match: to play, to watch, to replay.
    Match,
    /// The dice of a match, or of a record from a file.
    Dice,
    /// A record from a file, judged and replayed.
    Record,
    /// An invitation.
    Join,
    /// The devices of a person.
    Devices,
    /// The first turns of the game of that name.
    Learn(&'static str),
    /// The rules to read.
    Rules(Rules),
    /// What is told of the server.
    Text(Text),
}

impl Page {
    /// The module that it starts.
    fn entry(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Match => "match",
            Self::Dice => "dice",
            Self::Record => "record",
            Self::Join => "join",
            Self::Devices => "devices",
            Self::Learn(_) => "learn",
            Self::Rules(_) => "rules",
            Self::Text(_) => "text",
        }
    }

    /// What is written in it, and its title, if it is there to be read.
    fn content(self, site: &Site, language: &str) -> Option<(String, String)> {
        match self {
            Self::Rules(rules) => Some(rules.content(site, language)),
            Self::Text(text) => Some(text.content(site, language)),
            Self::Home
            | Self::Match
            | Self::Dice
            | Self::Record
            | Self::Join
            | Self::Devices
            | Self::Learn(_) => None,
        }
    }

    /// What stands below it: nothing where a board needs the room.
    fn has_foot(self) -> bool {
        match self {
            Self::Match | Self::Record | Self::Learn(_) => false,
            Self::Home | Self::Dice | Self::Join | Self::Devices | Self::Rules(_) | Self::Text(_) => true,
        }
    }

    /// What it says of itself where it is the same for everybody.
    pub(super) fn head(self, site: &Site, language: &str) -> Head {
        let words = site.words();
        let key = match self {
            Self::Text(text) => text.name(),
            Self::Rules(rules) if rules.game().is_some() => "game",
            _ => self.entry(),
        };
        let game = match self {
            Self::Learn(game) => Some(game),
            Self::Rules(rules) => rules.game(),
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
        }
    }

    /// Its address, of the documents that are for everybody to find.
    pub(super) fn path(self) -> Option<String> {
        Some(match self {
            Self::Home => "/".to_owned(),
            Self::Learn(game) => format!("/learn/{game}"),
            Self::Rules(rules) => rules.path(),
            Self::Text(text) => text.path()?.to_owned(),
            Self::Match | Self::Dice | Self::Record | Self::Join | Self::Devices => return None,
        })
    }

    fn is_translated(self) -> bool {
        match self {
            Self::Rules(rules) => rules.is_translated(),
            _ => true,
        }
    }
}

/// A document in one language, but for its head.
pub(super) struct Frame {
    before: String,
    after: String,
}

/// The place of the head in the template.
const HEAD: &str = "head";

/// Stands where the head goes. Texts have no such character: Markdown replaces it.
const MARK: &str = "\u{0}";

impl Frame {
    /// Makes it.
    pub(super) fn of(site: &Site, page: Page, operator: &Operator, language: &str) -> Self {
        let content = page.content(site, language).map(|(_, content)| content).unwrap_or_default();
        let text = filled(site.template(), ("{{", "}}"), |place| match place {
            "lang" => language.to_owned(),
            "languages" => site.languages().join(" "),
            "content" => content.clone(),
            "assets" => site.assets(),
            "entry" => page.entry().to_owned(),
            "preload" => preload(site, page.entry(), language),
            "foot" if page.has_foot() => foot::html(site, operator, language),
            HEAD => MARK.to_owned(),
            _ => String::new(),
        });
        let (before, after) = text.split_once(MARK).unwrap_or(("", &text));
        Self { before: before.to_owned(), after: after.to_owned() }
    }

    /// The document with this head.
    pub(super) fn with(&self, site: &Site, head: &Head, operator: &Operator, language: &str) -> Document {
        let head = head.html(operator.origin.as_deref(), language, &site.languages());
        Document::of([&self.before, &head, &self.after].map(String::as_str).concat())
    }
}

/// A document in one language.
pub(super) struct Document {
    text: Packed,
    /// Changes with the text.
    tag: HeaderValue,
}

impl Document {
    /// With this text.
    fn of(text: String) -> Self {
        let tag = format!("W/\"{}\"", short(Sha256::new_with_prefix(&text)));
        let tag = HeaderValue::try_from(tag).expect("digits in quotes");
        Self { text: Packed::new(Kind::DOCUMENT, text), tag }
    }

    /// The answer to a request with these headers.
    pub(super) fn answer(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let has_it = status == StatusCode::OK && is_known(&self.tag, headers);
        let mut answer =
            if has_it { StatusCode::NOT_MODIFIED.into_response() } else { self.text.answer(headers) };
        if !has_it {
            *answer.status_mut() = status;
        }
        let told = answer.headers_mut();
        told.insert(header::ETAG, self.tag.clone());
        told.insert(header::VARY, HeaderValue::from_static("accept, accept-encoding, accept-language"));
        for (name, value) in [
            (header::CACHE_CONTROL, "no-cache"),
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        ] {
            told.insert(name, HeaderValue::from_static(value));
        }
        answer
    }
}

/// Whether the client says that it has the document with this tag (RFC 9110, 13.1.2).
pub(super) fn is_known(tag: &HeaderValue, headers: &HeaderMap) -> bool {
    let opaque = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let mut values = headers.get_all(header::IF_NONE_MATCH).iter();
    values.any(|value| {
        let mut tags = value.as_bytes().split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        tags.any(|other| other == b"*" || opaque(other) == opaque(tag.as_bytes()))
    })
}

/// What the browser will need, told before it finds out by itself: all modules, the texts.
fn preload(site: &Site, entry: &str, language: &str) -> String {
    let assets = site.assets();
    let mut lines = String::new();
    for module in site.modules_of(&format!("pages/{entry}.js")) {
        let _ = writeln!(lines, "<link rel=\"modulepreload\" href=\"{assets}/{module}\">");
    }
    let texts = Site::texts(language);
    let _ = write!(lines, "<link rel=\"preload\" href=\"{assets}/{texts}\" as=\"fetch\" crossorigin>");
    lines
}
