//! The address of a server.

use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

/// The address of a server: `http://host:port`, or `https://host:port`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Whether it uses TLS.
    secret: bool,
    /// `host:port`, in lower case.
    authority: String,
}

/// The text is not the address of a server that this client can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOrigin {
    /// It begins with neither `http://` nor `https://`.
    #[error("the address of a server begins with http:// or https://")]
    Scheme,
    /// There is no host, or something after the port.
    #[error("the address of a server is http://HOST:PORT and nothing more")]
    Shape,
}

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let (scheme, rest) = text.split_once("://").ok_or(BadOrigin::Scheme)?;
        let secret = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return Err(BadOrigin::Scheme),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest).to_ascii_lowercase();
        let odd = |letter: char| letter.is_whitespace() || letter.is_control() || "/?#@\\".contains(letter);
        if authority.is_empty() || authority.starts_with(':') || authority.contains(odd) {
            return Err(BadOrigin::Shape);
        }
        let after_host = authority.rsplit_once(']').map_or(authority.as_str(), |(_, after)| after);
        let authority = match after_host.split_once(':') {
            Some((_, port)) if port.parse::<u16>().is_ok() => authority,
            Some(_) => return Err(BadOrigin::Shape),
            None => format!("{authority}:{}", if secret { 443 } else { 80 }),
        };
        Ok(Self { secret, authority })
    }
}

impl From<SocketAddr> for Origin {
    fn from(address: SocketAddr) -> Self {
        Self { secret: false, authority: address.to_string() }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.secret { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority)
    }
}

impl Origin {
    /// Whether it uses TLS.
    pub(super) const fn is_secret(&self) -> bool {
        self.secret
    }

    /// Whether nobody on the way can read the traffic: it uses TLS, or stays on this machine.
    pub fn keeps_secrets(&self) -> bool {
        let host = self.host();
        self.secret || host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }

    /// The host's name or address.
    pub(super) fn host(&self) -> &str {
        let host = self.authority.rsplit_once(':').map_or(self.authority.as_str(), |(host, _)| host);
        host.trim_start_matches('[').trim_end_matches(']')
    }

    /// `host:port`.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The address of its socket.
    pub(super) fn socket_url(&self) -> String {
        let scheme = if self.secret { "wss" } else { "ws" };
        format!("{scheme}://{}/api/v1/socket", self.authority)
    }

    /// All network addresses of the host.
    ///
    /// # Errors
    /// If the host is unknown.
    pub async fn addresses(&self) -> io::Result<Vec<SocketAddr>> {
        let found: Vec<_> = tokio::net::lookup_host(&self.authority).await?.collect();
        if found.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the host has no address"));
        }
        Ok(found)
    }

    /// The network address of the host, the first one if it has several.
    ///
    /// # Errors
    /// If the host is unknown.
    pub async fn resolve(&self) -> io::Result<SocketAddr> {
        Ok(self.addresses().await?[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_a_host_and_a_port() {
        for (text, authority) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
            ("http://example.org", "example.org:80"),
            ("http://[::1]:81", "[::1]:81"),
            ("http://[::1]", "[::1]:80"),
            ("https://example.org", "example.org:443"),
            ("https://example.org:8443/", "example.org:8443"),
        ] {
            assert_eq!(text.parse::<Origin>().expect(text).authority, authority);
        }
        for text in ["http://", "http://a/b", "http://a@b", "http://a?b", "http://a:b", "https://:80"] {
            assert_eq!(text.parse::<Origin>(), Err(BadOrigin::Shape), "{text}");
        }
        for text in ["ftp://a", "localhost:8080", ""] {
            assert_eq!(text.parse::<Origin>(), Err(BadOrigin::Scheme), "{text}");
        }
    }

    #[test]
    fn a_server_is_the_same_however_its_name_is_written() {
        let origin = |text: &str| text.parse::<Origin>().expect(text);
        let one = origin("https://games.example");
        for same in ["https://Games.Example", "HTTPS://games.example", "https://games.example:443/"] {
            assert_eq!(one, origin(same), "{same}");
            assert_eq!(one.to_string(), origin(same).to_string(), "{same}");
        }
        for other in ["http://games.example:443", "https://games.example:8443", "https://games.example.org"] {
            assert_ne!(one, origin(other), "{other}");
        }
    }

    #[test]
    fn secrets_are_kept_under_tls_and_on_this_machine() {
        for (text, keeps) in [
            ("https://games.example", true),
            ("http://localhost:8080", true),
            ("http://127.0.0.1:8080", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:81", true),
            ("http://games.example", false),
            ("http://127.0.0.1.games.example", false),
            ("http://localhost.games.example", false),
            ("http://192.168.0.1:8080", false),
            ("http://[::2]", false),
        ] {
            assert_eq!(text.parse::<Origin>().expect(text).keeps_secrets(), keeps, "{text}");
        }
    }

    #[test]
    fn the_scheme_decides_how_the_socket_is_opened() {
        let secret: Origin = "https://[::1]:81".parse().expect("an origin");
        assert_eq!((secret.is_secret(), secret.host()), (true, "::1"));
        assert_eq!(secret.socket_url(), "wss://[::1]:81/api/v1/socket");
        assert_eq!(secret.to_string(), "https://[::1]:81");
        let plain: Origin = "http://example.org".parse().expect("an origin");
        assert_eq!((plain.is_secret(), plain.host()), (false, "example.org"));
        assert_eq!(plain.socket_url(), "ws://example.org:80/api/v1/socket");
    }
}
