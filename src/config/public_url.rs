//! The address under which the world knows the server.

use std::{fmt, str::FromStr};

/// Scheme and host, such as `https://games.example` or `http://10.0.0.7:8080`; without
/// a slash at the end, so that a path can follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// The text, without a slash at the end.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not the address of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PublicUrlError {
    /// Another scheme, or none.
    #[error("it must begin with https:// or http://")]
    Scheme,
    /// No host, or something after it.
    #[error("it must be a scheme and a host, such as https://games.example, without a path")]
    Host,
}

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<Self, PublicUrlError> {
        let (scheme, host) = text.split_once("://").ok_or(PublicUrlError::Scheme)?;
        if !["http", "https"].contains(&scheme) {
            return Err(PublicUrlError::Scheme);
        }
        let host = host.strip_suffix('/').unwrap_or(host);
        let is_host_part = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
        if host.is_empty() || !host.chars().all(is_host_part) {
            return Err(PublicUrlError::Host);
        }
        Ok(Self(format!("{scheme}://{host}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_can_follow() {
        for text in ["https://games.example", "https://games.example/", "http://[::1]:8080"] {
            let url: PublicUrl = text.parse().expect(text);
            assert!(!url.as_str().ends_with('/'));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        assert_eq!("games.example".parse::<PublicUrl>(), Err(PublicUrlError::Scheme));
        for text in ["https://", "https://a/b", "https://a?b", "https://a b", "https://user@a", "https://a#"]
        {
            assert_eq!(text.parse::<PublicUrl>(), Err(PublicUrlError::Host), "{text}");
        }
    }
}
