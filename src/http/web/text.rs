//! What is told of the server, to read: what it is, what it keeps of people, that there is nothing here.

use axum::response::Response;

use super::{
    address::Reader,
    document::Page,
    language,
    markdown::{Rendered, rendered},
    rules,
    site::Site,
};

/// A text about the server (`docs/site`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Text {
    /// What this is, by whom, after which sources.
    About,
    /// What the server keeps of people, for how long, and who sees it.
    Privacy,
    /// There is nothing at an address.
    NoPage,
    /// There is no such match.
    NoMatch,
}

/// What this is.
pub(super) async fn about(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::About))
}

/// What the server keeps of people.
pub(super) async fn privacy(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::Privacy))
}

impl Text {
    /// What its file is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::About => "about",
            Self::Privacy => "privacy",
            Self::NoPage => "no-page",
            Self::NoMatch => "no-match",
        }
    }

    /// Its address, if it has one of its own.
    pub(super) fn path(self) -> Option<&'static str> {
        match self {
            Self::About => Some("/about"),
            Self::Privacy => Some("/privacy"),
            Self::NoPage | Self::NoMatch => None,
        }
    }

    /// The text as a part of a document, and its title. In English if it has not been translated.
    pub(super) fn content(self, site: &Site, language: &str) -> (String, String) {
        let named = |language| (language, format!("docs/site/{language}/{}.md", self.name()));
        let found = [language, language::USUAL].map(named).into_iter().find_map(|(language, name)| {
            let markdown = site.text(&name)?;
            Some((language, name, markdown))
        });
        let Some((language, name, markdown)) = found else { return <(String, String)>::default() };
        let address = |to: &str| rules::address(&name, to).unwrap_or_else(|| to.to_owned());
        let Rendered { title, html } = rendered(markdown, address, |_| None);
        (title, format!("<main class=\"text\" lang=\"{language}\">\n{html}</main>"))
    }
}
