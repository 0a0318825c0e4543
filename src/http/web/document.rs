//! The documents: what every address of the page answers.

use std::fmt::Write;

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};

use super::{kind::Kind, markdown::escaped, rules::Rules, site::Site, tagged::Tagged};

/// What a document may load: nothing from elsewhere, and no script or style that stands in it.
///
/// `connect-src 'self'` is meant to cover the WebSocket too: it does in every browser that has
/// constructable style sheets, without which nothing is styled under this policy anyway
/// (Safari did so later than others, in 16.0; it has those since 16.4).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

const NAME: &str = "Lusoria";

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
    /// The account of the person: to open one, or what belongs to it.
    Account,
    /// Signing in, and what to do without the password.
    SignIn,
    /// Players, to be found.
    Players,
    /// A player, and what they played.
    Player,
    /// What a browser shows that cannot reach the server.
    Offline,
    /// The first turns of a game.
    Learn,
    /// The rules to read.
    Rules(Rules),
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
            Self::Account => "account",
            Self::SignIn => "sign-in",
            Self::Players => "players",
            Self::Player => "player",
            Self::Offline => "offline",
            Self::Learn => "learn",
            Self::Rules(_) => "rules",
        }
    }
}

/// A document in one language.
pub(super) struct Document(Tagged);

impl Document {
    /// Makes it.
    pub(super) fn of(site: &Site, page: Page, language: &str) -> Self {
        let (title, content) = match page {
            Page::Rules(rules) => rules.content(site, language),
            Page::Home
            | Page::Match
            | Page::Dice
            | Page::Record
            | Page::Join
            | Page::Devices
            | Page::Account
            | Page::SignIn
            | Page::Players
            | Page::Player
            | Page::Offline
            | Page::Learn => <(String, String)>::default(),
        };
        let title =
            if title.is_empty() { NAME.to_owned() } else { format!("{} – {NAME}", escaped(&title)) };
        let text = fill(site.template(), |place| match place {
            "lang" => language.to_owned(),
            "languages" => site.languages().join(" "),
            "title" => title.clone(),
            "content" => content.clone(),
            "assets" => site.assets(),
            "entry" => page.entry().to_owned(),
            "preload" => preload(site, page.entry(), language),
            _ => String::new(),
        });
        Self(Tagged::new(Kind::DOCUMENT, text))
    }

    /// The answer to a request with these headers.
    pub(super) fn answer(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let mut answer = self.0.answer(status, headers, POLICY);
        let told = answer.headers_mut();
        told.insert(header::VARY, HeaderValue::from_static("accept, accept-encoding, accept-language"));
        told.insert(
            HeaderName::from_static("cross-origin-opener-policy"),
            HeaderValue::from_static("same-origin"),
        );
        answer
    }
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

/// Puts something into every `{{place}}` of a template.
pub(super) fn fill(template: &str, mut with: impl FnMut(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, after) = part.split_once("}}").unwrap_or(("", part));
        text.push_str(&with(place));
        text.push_str(after);
    }
    text
}
