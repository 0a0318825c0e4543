//! Links that the operator gives to people.

use std::{fmt, str::FromStr};

/// The longest link, in bytes.
const LINK_BYTES_MAX: usize = 200;

/// A web address for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebLink(String);

/// How people reach the operator: a page, or an email address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contact {
    /// A page.
    Page(WebLink),
    /// An email address.
    Mail(String),
}

impl Contact {
    /// The URL of a link to it.
    pub fn link(&self) -> String {
        match self {
            Self::Page(page) => page.to_string(),
            Self::Mail(address) => format!("mailto:{address}"),
        }
    }
}

impl fmt::Display for WebLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not such a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an address such as https://example.org/page, of at most {LINK_BYTES_MAX} bytes")]
pub struct BadLink;

/// The text is neither a page nor an email address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "/example.org/contact/an email address such as board@example.org, or a page such as https://example.org/contact//example.org/contact"
)]
pub struct BadContact;

impl FromStr for WebLink {
    type Err = BadLink;

    fn from_str(text: &str) -> Result<Self, BadLink> {
        let host_and_path =
            text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).ok_or(BadLink)?;
        let has_host = host_and_path.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[');
        if !has_host || !is_plain(text) { Err(BadLink) } else { Ok(Self(text.to_owned())) }
    }
}

impl FromStr for Contact {
    type Err = BadContact;

    fn from_str(text: &str) -> Result<Self, BadContact> {
        if let Ok(page) = text.parse() {
            return Ok(Self::Page(page));
        }
        let (name, host) = text.split_once('@').ok_or(BadContact)?;
        let is_mail =
            !name.is_empty() && !host.is_empty() && !host.contains('@') && !text.contains(['?', ':', '/']);
        if is_mail && is_plain(text) { Ok(Self::Mail(text.to_owned())) } else { Err(BadContact) }
    }
}

/// Whether it is a short text without characters that end an attribute or a header.
fn is_plain(text: &str) -> bool {
    text.len() <= LINK_BYTES_MAX
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'`'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_led_to_pages_and_to_mail() {
        for (text, link) in [
            ("https://example.org/contact?about=games", "https://example.org/contact?about=games"),
            ("http://[2001:db8::7]/", "http://[2001:db8::7]/"),
            ("board@example.org", "mailto:board@example.org"),
        ] {
            assert_eq!(text.parse::<Contact>().expect(text).link(), link);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let long = format!("https://example.org/{}", "a".repeat(LINK_BYTES_MAX));
        for text in [
            "",
            "example.org",
            "@example.org",
            "board@",
            "a@b@c",
            "javascript:alert(1)",
            "javascript:a@b",
            "https://",
            "https:///path",
            "https://a.org/\"onclick=",
            "https://a.org/a b",
            "board@example.org?subject=x",
            &long,
        ] {
            assert_eq!(text.parse::<Contact>(), Err(BadContact), "{text}");
            assert_eq!(text.parse::<WebLink>(), Err(BadLink), "{text}");
        }
    }
}
