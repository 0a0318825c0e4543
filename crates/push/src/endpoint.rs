//! Endpoints of browsers.

use std::fmt;

use crate::Hosts;

/// The longest endpoint, in bytes.
pub const ENDPOINT_BYTES_MAX: usize = 1024;

/// The endpoint of a browser: an address at a push service. Anyone with the address can send there, so it is a
/// secret, and only its host is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// `https://HOST` or `https://HOST:PORT`, and then the path.
    url: String,
    /// Where the path begins.
    path: usize,
    port: u16,
}

/// The reason that an endpoint is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum EndpointError {
    /// Longer than [`ENDPOINT_BYTES_MAX`].
    #[error("the endpoint is longer than {ENDPOINT_BYTES_MAX} bytes")]
    TooLong,
    /// It has another scheme, or none.
    #[error("the endpoint does not begin with https://")]
    NotHttps,
    /// It has a user or a fragment, or characters that are invalid in a URL.
    #[error("the endpoint is malformed")]
    Malformed,
    /// Not one of [`Hosts`], or not its port.
    #[error("the endpoint's host is not one of a push service that this server knows")]
    UnknownHost,
}

impl Endpoint {
    /// Reads an endpoint, if messages may be sent to its host.
    ///
    /// # Errors
    /// If they may not, or it is not a URL of a push service.
    pub fn read(text: &str, hosts: &Hosts) -> Result<Self, EndpointError> {
        const SCHEME: &str = "https://";
        if text.len() > ENDPOINT_BYTES_MAX {
            return Err(EndpointError::TooLong);
        }
        let rest = match text.get(..SCHEME.len()) {
            Some(scheme) if scheme.eq_ignore_ascii_case(SCHEME) => &text[SCHEME.len()..],
            _ => return Err(EndpointError::NotHttps),
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
        let is_path = |byte: u8| byte.is_ascii_graphic() && !br##""#<>\^`{|}"##.contains(&byte);
        if !path.starts_with('/') || !path.bytes().all(is_path) {
            return Err(EndpointError::Malformed);
        }
        // The colons of an IPv6 address are in brackets; it is refused later in any case.
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) => {
                let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
                let port = port.parse().ok().filter(|_| is_number);
                (name, port.ok_or(EndpointError::Malformed)?)
            }
            None => (authority, 443),
        };
        if authority.contains('@') {
            return Err(EndpointError::Malformed);
        }
        let name = name.to_ascii_lowercase();
        if !hosts.include(&name, port) {
            return Err(EndpointError::UnknownHost);
        }
        let origin = if port == 443 { format!("{SCHEME}{name}") } else { format!("{SCHEME}{name}:{port}") };
        Ok(Self { path: origin.len(), url: origin + path, port })
    }

    /// The whole URL. It is a secret.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// `https://HOST`, with the port if it is not the default: the audience of [`crate::ServerKey`]'s
    /// signature.
    pub fn origin(&self) -> &str {
        &self.url[..self.path]
    }

    /// The name of its host, with the port if it is not the default.
    pub fn host(&self) -> &str {
        self.origin().trim_start_matches("https://")
    }

    /// The port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The part after the host. It is a secret.
    pub fn path(&self) -> &str {
        &self.url[self.path..]
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Endpoint({}/…)", self.origin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Endpoint, EndpointError> {
        let others = ["localhost:8443", "push.club.example"].map(|host| host.parse().expect(host));
        Endpoint::read(text, &Hosts::and(others.into()))
    }

    #[test]
    fn push_services_of_browsers_and_of_the_operators_list_are_known() {
        for (text, host) in [
            ("https://fcm.googleapis.com/fcm/send/abc:DEF-_", "fcm.googleapis.com"),
            ("https://updates.push.services.mozilla.com/wpush/v2/gAAA", "updates.push.services.mozilla.com"),
            ("https://eu.push.services.mozilla.com/a", "eu.push.services.mozilla.com"),
            ("https://db5p.notify.windows.com/w/?token=BQ%2fA%3d", "db5p.notify.windows.com"),
            ("https://web.push.apple.com/QGx", "web.push.apple.com"),
            ("https://api.push.apple.com/a", "api.push.apple.com"),
            ("HTTPS://FCM.googleapis.COM:443/Ab", "fcm.googleapis.com"),
            ("https://localhost:8443/a", "localhost:8443"),
            ("https://push.club.example/", "push.club.example"),
        ] {
            let endpoint = read(text).expect(text);
            assert_eq!(endpoint.host(), host);
            assert_eq!(endpoint.origin(), format!("https://{host}"));
            assert!(text.ends_with(endpoint.path()) && endpoint.url().ends_with(endpoint.path()), "{text}");
            assert_eq!(read(endpoint.url()).as_ref(), Ok(&endpoint), "it is written in one way");
            assert_eq!(format!("{endpoint:?}"), format!("Endpoint(https://{host}/…)"), "a log tells no more");
        }
    }

    #[test]
    fn no_other_host_is_reached() {
        use EndpointError::{Malformed, NotHttps, TooLong, UnknownHost};
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(ENDPOINT_BYTES_MAX));
        for (text, why) in [
            ("", NotHttps),
            ("http://fcm.googleapis.com/a", NotHttps),
            ("fcm.googleapis.com/a", NotHttps),
            ("file:///etc/passwd", NotHttps),
            ("https:/fcm.googleapis.com/a", NotHttps),
            ("https://", Malformed),
            ("https:///a", UnknownHost),
            ("https://fcm.googleapis.com", Malformed),
            ("https://fcm.googleapis.com?a", Malformed),
            ("https://fcm.googleapis.com/a#b", Malformed),
            ("https://fcm.googleapis.com/a b", Malformed),
            ("https://fcm.googleapis.com/a\r\nHost: b", Malformed),
            ("https://fcm.googleapis.com/é", Malformed),
            ("https://fcm.googleapis.com\\@127.0.0.1/a", Malformed),
            ("https://127.0.0.1\\.push.apple.com/a", Malformed),
            ("https://me@fcm.googleapis.com/a", Malformed),
            ("https://me:word@fcm.googleapis.com/a", Malformed),
            ("https://fcm.googleapis.com@10.0.0.1/a", Malformed),
            ("https://fcm.googleapis.com:x/a", Malformed),
            ("https://fcm.googleapis.com:+443/a", Malformed),
            ("https://fcm.googleapis.com:/a", Malformed),
            ("https://fcm.googleapis.com:8443/a", UnknownHost),
            ("https://fcm.googleapis.com./a", UnknownHost),
            ("https://fcm.googleapis.com.evil.example/a", UnknownHost),
            ("https://evilpush.apple.com/a", UnknownHost),
            ("https://.push.apple.com/a", UnknownHost),
            ("https://push.apple.com/a", UnknownHost),
            ("https://a_b.push.apple.com/a", UnknownHost),
            ("https://127.0.0.1/a", UnknownHost),
            ("https://127.1/a", UnknownHost),
            ("https://[::1]/a", Malformed),
            ("https://[::ffff:10.0.0.1]:443/a", UnknownHost),
            ("https://2130706433/a", UnknownHost),
            ("https://10.0.0.7:8443/a", UnknownHost),
            ("https://localhost/a", UnknownHost),
            ("https://localhost:8444/a", UnknownHost),
            ("https://db.internal/a", UnknownHost),
            ("https://push.club.example:8443/a", UnknownHost),
            (long.as_str(), TooLong),
        ] {
            assert_eq!(read(text), Err(why), "{text}");
        }
    }
}
