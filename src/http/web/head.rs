//! The head of a document: its title and description for search results and for previews of its address (Open Graph,
//! a card for Twitter).

use std::fmt::Write;

use lusoria_picture::{HEIGHT_PX, WIDTH_PX};

use super::markdown::escaped;

/// The name of the page.
pub(super) const NAME: &str = "Lusoria";

/// The audience of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Search engines may list it.
    ByEverybody,
    /// Only people with its address.
    ByAddress,
}

/// The head of a document. All texts are plain.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) title: String,
    pub(super) description: String,
    /// Its address without the query, if it has one.
    pub(super) path: Option<String>,
    pub(super) found: Found,
    /// The path of its picture.
    pub(super) picture: String,
    /// Whether its text exists in every language, under `?lang=`.
    pub(super) is_translated: bool,
    /// The game of its match, so that its scripts can request that at once.
    pub(super) game_of_match: Option<&'static str>,
}

impl Head {
    /// The elements of the head. `origin` is the address of the server for browsers, if it is known: links from
    /// elsewhere must be absolute.
    pub(super) fn html(&self, origin: Option<&str>, language: &str, languages: &[&str]) -> String {
        let Self { title, description, path, found, picture, is_translated, game_of_match } = self;
        let title = if title.is_empty() { NAME.to_owned() } else { title.clone() };
        let whole = if title.contains(NAME) { title.clone() } else { format!("{title} – {NAME}") };
        let mut html = format!("<title>{}</title>", escaped(&whole));
        let mut meta = |kind: &str, name: &str, content: &str| {
            let _ = write!(html, "\n<meta {kind}=\"{name}\" content=\"{}\">", escaped(content));
        };
        if !description.is_empty() {
            meta("name", "description", description);
        }
        if *found == Found::ByAddress {
            meta("name", "robots", "noindex");
        }
        if let Some(game) = game_of_match {
            meta("name", "game", game);
        }
        let origin_or_none = origin.unwrap_or_default();
        meta("property", "og:site_name", NAME);
        meta("property", "og:type", "website");
        meta("property", "og:title", &title);
        if !description.is_empty() {
            meta("property", "og:description", description);
        }
        meta("property", "og:locale", language);
        meta("property", "og:image", &format!("{origin_or_none}{picture}"));
        meta("property", "og:image:type", "image/png");
        meta("property", "og:image:width", &WIDTH_PX.to_string());
        meta("property", "og:image:height", &HEIGHT_PX.to_string());
        meta("property", "og:image:alt", &title);
        meta("name", "twitter:card", "summary_large_image");
        if let (Some(origin), Some(path)) = (origin, path) {
            meta("property", "og:url", &format!("{origin}{path}"));
        }
        if let (Some(origin), Some(path), Found::ByEverybody) = (origin, path, found) {
            let own = if *is_translated { format!("?lang={language}") } else { String::new() };
            let _ = write!(
                html,
                "\n<link rel=\"canonical\" href=\"{}\">",
                escaped(&format!("{origin}{path}{own}"))
            );
            for other in languages.iter().filter(|_| *is_translated) {
                let address = escaped(&format!("{origin}{path}?lang={other}"));
                let _ = write!(html, "\n<link rel=\"alternate\" hreflang=\"{other}\" href=\"{address}\">");
            }
        }
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            title: "Ada & \"B<o>ris\"".to_owned(),
            description: "A <b>match</b>".to_owned(),
            path: Some("/rules/zeno".to_owned()),
            found: Found::ByEverybody,
            picture: "/board.png".to_owned(),
            is_translated: true,
            game_of_match: None,
        }
    }

    #[test]
    fn what_players_wrote_stays_text() {
        let html = head().html(None, "en", &["en", "fr"]);
        assert!(html.starts_with("<title>Ada &amp; &quot;B&lt;o&gt;ris&quot; – Lusoria</title>"), "{html}");
        assert!(html.contains("content=\"A &lt;b&gt;match&lt;/b&gt;\"") && !html.contains("<b>"), "{html}");
    }

    #[test]
    fn addresses_are_whole_where_the_origin_is_known() {
        let html = head().html(Some("https://example.org"), "fr", &["en", "fr"]);
        for part in [
            "property=\"og:image\" content=\"https://example.org/board.png\"",
            "property=\"og:url\" content=\"https://example.org/rules/zeno\"",
            "rel=\"canonical\" href=\"https://example.org/rules/zeno?lang=fr\"",
            "hreflang=\"en\" href=\"https://example.org/rules/zeno?lang=en\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        let html = head().html(None, "fr", &["en", "fr"]);
        assert!(!html.contains("canonical") && !html.contains("og:url"), "{html}");
        assert!(html.contains("property=\"og:image\" content=\"/board.png\""), "{html}");
    }

    #[test]
    fn the_head_of_a_match_has_its_game_for_scripts() {
        let head = Head { game_of_match: Some("tabula"), ..head() };
        assert!(head.html(None, "en", &["en"]).contains("<meta name=\"game\" content=\"tabula\">"));
    }

    #[test]
    fn what_is_for_those_who_have_its_address_says_so() {
        let head = Head { found: Found::ByAddress, ..head() };
        let html = head.html(Some("https://example.org"), "en", &["en", "fr"]);
        assert!(
            html.contains("name=\"robots\" content=\"noindex\"") && !html.contains("canonical"),
            "{html}"
        );
    }
}
