//! The language of a document.

use axum::http::{HeaderMap, header};

use crate::http::extract::preferences;

/// The default language.
pub(super) const USUAL: &str = "en";

/// The language in the address, or the one that the reader's browser prefers, of those available; English if none of
/// them is available.
pub(super) fn wanted<'a>(known: &[&'a str], named: Option<&str>, headers: &HeaderMap) -> &'a str {
    let mut liked = preferences(headers, header::ACCEPT_LANGUAGE);
    liked.retain(|&(_, weight)| weight > 0.0);
    // The order of the header breaks ties.
    liked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let mut tags = named.into_iter().chain(liked.into_iter().map(|(tag, _)| tag));
    tags.find_map(|tag| known_as(known, tag)).unwrap_or(USUAL)
}

/// The available language for a tag: `fr` for `fr-CA`.
fn known_as<'a>(known: &[&'a str], tag: &str) -> Option<&'a str> {
    let language = tag.split('-').next()?;
    known.iter().copied().find(|name| name.eq_ignore_ascii_case(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_believed_before_the_browser() {
        for (named, accepted, expected) in [
            (None, "", "en"),
            (None, "fr", "fr"),
            (None, "fr-CA,fr;q=0.9,en;q=0.8", "fr"),
            (None, "de, en;q=0.2, FR;q=0.5", "fr"),
            (None, "en, fr", "en"),
            (None, "fr;q=0, *", "en"),
            (None, "de", "en"),
            (Some("fr"), "en", "fr"),
            (Some("en"), "fr", "en"),
            (Some("de"), "fr", "fr"),
            (Some(""), "fr", "fr"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
            assert_eq!(wanted(&["en", "fr"], named, &headers), expected, "{named:?}, {accepted:?}");
        }
    }
}
