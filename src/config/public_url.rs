//! The address under which browsers reach the server.

use std::{fmt, net::IpAddr, str::FromStr};

/// The address under which browsers reach the server: a scheme and a host, and a port if it is not the usual one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    is_https: bool,
    host: String,
    port: Option<u16>,
}

impl PublicUrl {
    /// The origin of its pages, as browsers write it.
    pub fn origin(&self) -> String {
        self.to_string()
    }

    /// Whether browsers reach it by HTTPS.
    pub const fn is_https(&self) -> bool {
        self.is_https
    }

    /// The domain for passkeys. None if browsers allow none there: they need HTTPS and a domain, or
    /// `localhost`.
    pub fn passkey_domain(&self) -> Option<&str> {
        let is_local = self.host == "localhost" || self.host.ends_with(".localhost");
        let is_domain = !self.host.starts_with('[') && self.host.parse::<IpAddr>().is_err();
        (is_local || self.is_https && is_domain).then_some(&self.host)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.is_https { "https" } else { "http" }, self.host)?;
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

/// The text is not such an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an address such as https://play.example.org, without a path")]
pub struct BadPublicUrl;

impl FromStr for PublicUrl {
    type Err = BadPublicUrl;

    fn from_str(text: &str) -> Result<Self, BadPublicUrl> {
        let text = text.to_ascii_lowercase();
        let (scheme, rest) = text.split_once("://").ok_or(BadPublicUrl)?;
        let (is_https, usual_port) = match scheme {
            "https" => (true, 443),
            "http" => (false, 80),
            _ => return Err(BadPublicUrl),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        // The colons of an IPv6 address are in brackets.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, Some(port.parse::<u16>().map_err(|_| BadPublicUrl)?))
            }
            _ => (rest, None),
        };
        let is_label = |label: &str| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let is_ipv6 = || {
            let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
            inside.is_some_and(|inside| inside.parse::<std::net::Ipv6Addr>().is_ok())
        };
        if !host.split('.').all(is_label) && !is_ipv6() {
            return Err(BadPublicUrl);
        }
        Ok(Self { is_https, host: host.to_owned(), port: port.filter(|port| *port != usual_port) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_as_browsers_write_its_origin() {
        for (text, origin, domain) in [
            ("https://play.example.org", "https://play.example.org", Some("play.example.org")),
            ("HTTPS://Play.Example.org:443/", "https://play.example.org", Some("play.example.org")),
            ("https://example.org:8443", "https://example.org:8443", Some("example.org")),
            ("http://localhost:8080", "http://localhost:8080", Some("localhost")),
            ("http://club.localhost:80", "http://club.localhost", Some("club.localhost")),
            ("http://play.example.org", "http://play.example.org", None),
            ("https://192.0.2.7", "https://192.0.2.7", None),
            ("https://[2001:db8::7]:8443", "https://[2001:db8::7]:8443", None),
            ("https://[2001:db8::7]", "https://[2001:db8::7]", None),
        ] {
            let url: PublicUrl = text.parse().expect(text);
            assert_eq!((url.origin().as_str(), url.passkey_domain()), (origin, domain), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "example.org",
            "ftp://example.org",
            "https://",
            "https:///",
            "https://a.org/path",
            "https://a b.org",
            "https://me@a.org",
            "https://a.org:",
            "https://a.org:65536",
            "https://a..org",
            "https://[::1",
            "https://a.org?",
        ] {
            assert_eq!(text.parse::<PublicUrl>(), Err(BadPublicUrl), "{text}");
        }
    }
}
