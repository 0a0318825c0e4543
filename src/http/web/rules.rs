//! The rules of the games to read: for people, and in exact form.

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};

use super::{
    address::Reader,
    document::Page,
    imports,
    kind::Kind,
    language,
    markdown::{Rendered, rendered},
    packed::Packed,
    site::Site,
};
use crate::http::extract::{OfGame, prefers_markdown};

/// The last part of the address of what is numbered.
const EXACT: &str = "exact";

/// A text about the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rules {
    /// All games, or the one with this name.
    Told(Option<&'static str>),
    /// The same, numbered and with every case decided.
    Exact(Option<&'static str>),
    /// The decisions of the server beyond the descriptions of the games.
    Decisions,
}

/// A text in the language that was found.
struct Text<'a> {
    /// Its name among the files.
    name: String,
    language: &'a str,
    markdown: &'a str,
}

/// The common rules of the games, and their differences.
pub(super) async fn index(reader: Reader) -> Response {
    answer(Rules::Told(None), &reader)
}

/// A game.
pub(super) async fn game(OfGame(game): OfGame, reader: Reader) -> Response {
    answer(Rules::Told(Some(game.id())), &reader)
}

/// The common rules of the games, in exact form.
pub(super) async fn exact_index(reader: Reader) -> Response {
    answer(Rules::Exact(None), &reader)
}

/// A game, in exact form.
pub(super) async fn exact(OfGame(game): OfGame, reader: Reader) -> Response {
    answer(Rules::Exact(Some(game.id())), &reader)
}

/// The decisions of the server beyond the descriptions of the games.
pub(super) async fn decisions(reader: Reader) -> Response {
    answer(Rules::Decisions, &reader)
}

fn answer(rules: Rules, reader: &Reader) -> Response {
    if prefers_markdown(reader.headers()) { markdown(rules, reader) } else { reader.gets(Page::Rules(rules)) }
}

fn markdown(rules: Rules, reader: &Reader) -> Response {
    let site = Site::now();
    let text = rules.text(&site, reader.language(&site)).map_or("", |text| text.markdown);
    let mut answer = Packed::new(Kind::MARKDOWN, text.to_owned()).answer(&HeaderMap::new());
    let told = answer.headers_mut();
    told.append(header::VARY, HeaderValue::from_static("accept, accept-language"));
    told.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

impl Rules {
    /// The text in a language; in English if it has not been translated or if there is no exact one.
    fn text<'a>(self, site: &'a Site, language: &'a str) -> Option<Text<'a>> {
        let told = |language, name| (language, format!("docs/rules/{language}/{name}.md"));
        let exact = |name| (language::USUAL, format!("rules/{name}.md"));
        let all = match self {
            Self::Told(name) => {
                let told = |language| told(language, name.unwrap_or("index"));
                vec![told(language), told(language::USUAL), exact(name.unwrap_or("README"))]
            }
            Self::Exact(name) => vec![exact(name.unwrap_or("README"))],
            Self::Decisions => vec![(language::USUAL, "docs/rules.md".to_owned())],
        };
        all.into_iter().find_map(|(language, name)| {
            let markdown = site.text(&name)?;
            Some(Text { name, language, markdown })
        })
    }

    /// The game that it is about.
    pub(super) fn game(self) -> Option<&'static str> {
        match self {
            Self::Told(game) | Self::Exact(game) => game,
            Self::Decisions => None,
        }
    }

    /// Its address.
    pub(super) fn path(self) -> String {
        match self {
            Self::Told(None) => "/rules".to_owned(),
            Self::Told(Some(game)) => format!("/rules/{game}"),
            Self::Exact(None) => format!("/rules/{EXACT}"),
            Self::Exact(Some(game)) => format!("/rules/{game}/{EXACT}"),
            Self::Decisions => "/rules/decisions".to_owned(),
        }
    }

    /// Whether it is written in every language.
    pub(super) fn is_translated(self) -> bool {
        match self {
            Self::Told(_) => true,
            Self::Exact(_) | Self::Decisions => false,
        }
    }

    /// The text as a part of a document, and its title.
    pub(super) fn content(self, site: &Site, language: &str) -> (String, String) {
        let Some(text) = self.text(site, language) else { return <(String, String)>::default() };
        let address = |to: &str| address(&text.name, to).unwrap_or_else(|| to.to_owned());
        let Rendered { title, html } = rendered(text.markdown, address, |name| file(site, &text.name, name));
        let content = format!("<main class=\"text\" lang=\"{}\">\n{html}</main>", text.language);
        (title, content)
    }
}

/// Where a link in a text leads, if it leads to another text.
pub(super) fn address(from: &str, to: &str) -> Option<String> {
    let (path, fragment) = to.split_once('#').map_or((to, None), |(path, fragment)| (path, Some(fragment)));
    if path.contains(':') || path.starts_with('/') {
        return None;
    }
    let text = imports::resolved(from, path.strip_suffix(".md")?);
    let parts: Vec<&str> = text.split('/').collect();
    let address = match parts[..] {
        ["docs", "rules"] => "/rules/decisions".to_owned(),
        ["rules", "README"] => format!("/rules/{EXACT}"),
        ["rules", game] => format!("/rules/{game}/{EXACT}"),
        ["docs", "rules", language, "index"] => format!("/rules?lang={language}"),
        ["docs", "rules", language, game] => format!("/rules/{game}?lang={language}"),
        _ => return None,
    };
    Some(fragment.map_or(address.clone(), |fragment| format!("{address}#{fragment}")))
}

/// Where a file is that a text names, if there is one.
pub(super) fn file(site: &Site, text: &str, name: &str) -> Option<String> {
    let name = imports::resolved(text, name);
    site.asset(&name).map(|_| format!("{}/{name}", site.assets()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_between_the_files_lead_from_page_to_page() {
        for (from, to, expected) in [
            ("docs/rules/en/zeno.md", "tavla.md", Some("/rules/tavla?lang=en")),
            ("docs/rules/fr/zeno.md", "index.md#le-dé", Some("/rules?lang=fr#le-dé")),
            ("docs/rules/fr/zeno.md", "../en/zeno.md", Some("/rules/zeno?lang=en")),
            ("docs/rules/fr/zeno.md", "../../../rules/zeno.md", Some("/rules/zeno/exact")),
            ("docs/rules/en/index.md", "../../../rules/README.md", Some("/rules/exact")),
            ("docs/rules/en/index.md", "../../rules.md", Some("/rules/decisions")),
            ("docs/rules.md", "../rules/zeno.md", Some("/rules/zeno/exact")),
            ("rules/zeno.md", "README.md", Some("/rules/exact")),
            ("rules/README.md", "zeno.md", Some("/rules/zeno/exact")),
            ("docs/rules/en/zeno.md", "https://example.org/a.md", None),
            ("docs/rules/en/zeno.md", "/api.md", None),
            ("docs/rules/en/zeno.md", "#a", None),
        ] {
            assert_eq!(address(from, to).as_deref(), expected, "{to} in {from}");
        }
    }
}
