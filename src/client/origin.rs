//! Where a server is.

use std::{fmt, io, net::SocketAddr, str::FromStr};

/// Where a server is: `http://host:port`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// `host:port`.
    authority: String,
}

/// The text names no server that this client can talk to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOrigin {
    /// It does not begin with `http://`.
    #[error("the address of a server begins with http:// (this client speaks no TLS)")]
    Scheme,
    /// There is no host, or something after the port.
    #[error("the address of a server is http://HOST:PORT and nothing more")]
    Shape,
}

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let rest = text.strip_prefix("http://").ok_or(BadOrigin::Scheme)?;
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        if authority.is_empty() || authority.contains(['/', '?', '#', '@', ' ']) {
            return Err(BadOrigin::Shape);
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        Ok(Self { authority: if has_port { authority.to_owned() } else { format!("{authority}:80") } })
    }
}

impl From<SocketAddr> for Origin {
    fn from(address: SocketAddr) -> Self {
        Self { authority: address.to_string() }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}", self.authority)
    }
}

impl Origin {
    /// The address of its socket.
    pub(super) fn socket_url(&self) -> String {
        format!("ws://{}/api/v1/socket", self.authority)
    }

    /// The network address of the host, the first one if it has several.
    ///
    /// # Errors
    /// If the host is not known.
    pub async fn resolve(&self) -> io::Result<SocketAddr> {
        let mut found = tokio::net::lookup_host(&self.authority).await?;
        found.next().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "the host has no address"))
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
        ] {
            assert_eq!(text.parse::<Origin>().expect(text).authority, authority);
        }
        for text in ["http://", "http://a/b", "http://a@b", "http://a?b"] {
            assert_eq!(text.parse::<Origin>(), Err(BadOrigin::Shape), "{text}");
        }
        assert_eq!("https://a".parse::<Origin>(), Err(BadOrigin::Scheme));
    }
}
