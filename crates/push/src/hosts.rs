//! The hosts of push services.

use std::{fmt, str::FromStr};

/// The push services of the browsers: Chrome and its relatives, Firefox, Edge, Safari. A star stands for the
/// subdomains of a domain.
const KNOWN: [&str; 6] = [
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "*.push.services.mozilla.com",
    "*.notify.windows.com",
    "web.push.apple.com",
    "*.push.apple.com",
];

/// The default port of HTTPS.
const HTTPS: u16 = 443;

/// The longest name of a host, in bytes (RFC 1035 2.3.4).
const NAME_BYTES_MAX: usize = 253;

/// An additional allowed host, from the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushHost {
    name: String,
    port: u16,
}

/// The text is not the name of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a host such as push.example.org or push.example.org:8443, and no address")]
pub struct BadPushHost;

impl FromStr for PushHost {
    type Err = BadPushHost;

    fn from_str(text: &str) -> Result<Self, BadPushHost> {
        let (name, port) = match text.split_once(':') {
            Some((name, port)) => (name, port.parse().map_err(|_| BadPushHost)?),
            None => (text, HTTPS),
        };
        let name = name.to_ascii_lowercase();
        if is_name(&name) && port != 0 { Ok(Self { name, port }) } else { Err(BadPushHost) }
    }
}

impl fmt::Display for PushHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.port)
    }
}

/// The allowed hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    others: Vec<PushHost>,
}

impl Hosts {
    /// The hosts of the browsers, and these.
    pub const fn and(others: Vec<PushHost>) -> Self {
        Self { others }
    }

    /// Whether messages may be sent there. `name` is in lower case.
    pub(crate) fn include(&self, name: &str, port: u16) -> bool {
        let is_known = |known: &&str| match known.strip_prefix('*') {
            Some(below) => name.len() > below.len() && name.ends_with(below),
            None => name == *known,
        };
        is_name(name)
            && (port == HTTPS && KNOWN.iter().any(is_known)
                || self.others.iter().any(|host| host.name == name && host.port == port))
    }
}

/// Whether it is the name of a host, in lower case. Addresses are refused: what ends in a number is read as
/// one (WHATWG URL, "ends in a number").
fn is_name(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit())
        || last.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
    text.len() <= NAME_BYTES_MAX && text.split('.').all(is_label) && !is_number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_has_a_name_and_a_port() {
        for (text, shown) in [
            ("push.example.org", "push.example.org:443"),
            ("Push.Example.org:8443", "push.example.org:8443"),
            ("localhost:1", "localhost:1"),
            ("1.example", "1.example:443"),
        ] {
            assert_eq!(text.parse::<PushHost>().expect(text).to_string(), shown);
        }
        let long = "a.".repeat(127);
        for text in [
            "",
            ":443",
            "a b",
            "a..b",
            ".a",
            "a.",
            "a:",
            "a:0",
            "a:65536",
            "a:1:2",
            "a/b",
            "me@a",
            "*.a",
            "127.0.0.1",
            "10.1",
            "2130706433",
            "0x7f000001",
            "a.0x7f",
            "[::1]",
            "::1",
            "é.example",
            long.as_str(),
        ] {
            assert_eq!(text.parse::<PushHost>(), Err(BadPushHost), "{text}");
        }
    }
}
