//! Pages to read: about the server, privacy, the findings about the games, and missing addresses.

use axum::response::Response;

use super::{
    address::Reader,
    document::Page,
    language,
    markdown::{Rendered, rendered},
    rules,
    site::Site,
};

/// A text about the server (`docs/site`), or about the games (`docs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Text {
    /// About the server: its authors and sources.
    About,
    /// Privacy: the stored personal data, for how long, and who sees it.
    Privacy,
    /// The findings of the computer about the games.
    Findings,
    /// The same as tables, for scholars.
    Tables,
    /// How tournaments are played.
    Tournaments,
    /// There is nothing at the address.
    NoPage,
    /// There is no such match.
    NoMatch,
}

/// About the server.
pub(super) async fn about(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::About))
}

/// Privacy.
pub(super) async fn privacy(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::Privacy))
}

/// The findings of the computer about the games.
pub(super) async fn findings(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::Findings))
}

/// The tables of the findings.
pub(super) async fn tables(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::Tables))
}

/// How tournaments are played.
pub(super) async fn tournaments(reader: Reader) -> Response {
    reader.gets(Page::Text(Text::Tournaments))
}

impl Text {
    /// The name of its file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::About => "about",
            Self::Privacy => "privacy",
            Self::Findings => "findings",
            Self::Tables => "tables",
            Self::Tournaments => "tournament-rules",
            Self::NoPage => "no-page",
            Self::NoMatch => "no-match",
        }
    }

    /// Its address, if it has one of its own.
    pub(super) fn path(self) -> Option<&'static str> {
        match self {
            Self::About => Some("/about"),
            Self::Privacy => Some("/privacy"),
            Self::Findings => Some("/findings"),
            Self::Tables => Some("/findings/tables"),
            Self::Tournaments => Some("/tournaments/rules"),
            Self::NoPage | Self::NoMatch => None,
        }
    }

    /// Whether it is written in every language.
    pub(super) fn is_translated(self) -> bool {
        match self {
            Self::About
            | Self::Privacy
            | Self::Findings
            | Self::Tournaments
            | Self::NoPage
            | Self::NoMatch => true,
            Self::Tables => false,
        }
    }

    /// Its file in a language, if it can be written in that.
    fn file(self, language: &str) -> Option<String> {
        if self.is_translated() {
            return Some(format!("docs/site/{language}/{}.md", self.name()));
        }
        (language == language::USUAL).then(|| "docs/findings.md".to_owned())
    }

    /// The text as a part of a document, and its title. In English if it has not been translated.
    pub(super) fn content(self, site: &Site, language: &str) -> (String, String) {
        let found = [language, language::USUAL].into_iter().find_map(|language| {
            let name = self.file(language)?;
            let markdown = site.text(&name)?;
            Some((language, name, markdown))
        });
        let Some((language, name, markdown)) = found else { return <(String, String)>::default() };
        let file = |to: &str| rules::file(site, &name, to);
        let address =
            |to: &str| rules::address(&name, to).or_else(|| file(to)).unwrap_or_else(|| to.to_owned());
        let Rendered { title, html } = rendered(markdown, address, file);
        (title, format!("<main class=\"text\" lang=\"{language}\">\n{html}</main>"))
    }
}
