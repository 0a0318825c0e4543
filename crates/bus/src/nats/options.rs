//! The address of NATS, and our credentials.

use std::{fmt, path::PathBuf, str::FromStr};

/// The default port of NATS.
const PORT: u16 = 4222;

/// The addresses of a NATS cluster with user and password or a token, such as
/// `nats://user:password@host:4222`. Several are separated by commas; the first one's credentials apply to
/// all. `tls://` requires TLS, which is also used if the server requires it.
///
/// It is shown without its credentials.
#[derive(Clone, PartialEq, Eq)]
pub struct NatsUrl {
    /// Without credentials.
    addresses: Vec<String>,
    credentials: Option<Credentials>,
}

/// Credentials for NATS that a URL can contain.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Credentials {
    Password { user: String, password: String },
    Token(String),
}

/// The text is not an address of NATS. The error does not repeat the text, which may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadNatsUrl {
    /// It has another scheme, or none.
    #[error("an address of NATS begins with nats:// or tls://")]
    Scheme,
    /// Its host or port cannot be read.
    #[error("an address of NATS is nats://[USER:PASSWORD@]HOST[:PORT], with no path behind it")]
    Host,
    /// Its user, password or token cannot be read.
    #[error("the user, password or token in the address of NATS is not percent-encoded UTF-8")]
    Credentials,
}

/// How to reach NATS.
#[derive(Debug, Clone)]
pub struct NatsOptions {
    /// Where it is.
    pub url: NatsUrl,
    /// A file with a JWT and the seed of a key, as `nsc` writes it.
    pub credentials_file: Option<PathBuf>,
    /// The certificates of the authorities that NATS's own may come from (PEM), instead of the system's.
    pub authority: Option<PathBuf>,
    /// Our own certificate and its key (PEM), if NATS requires one.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// The name that NATS shows for this connection.
    pub name: String,
}

/// A file named in the options cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {what} {}: {error}", path.display())]
pub struct NatsError {
    what: &'static str,
    path: PathBuf,
    error: std::io::Error,
}

impl NatsOptions {
    /// Options with an address only.
    pub fn new(url: NatsUrl) -> Self {
        let name = "lusoria".to_owned();
        Self { url, credentials_file: None, authority: None, certificate: None, name }
    }

    /// What identifies us to NATS, in words and without secrets.
    pub(super) fn identity(&self) -> String {
        let in_url = self.url.credentials();
        match (&self.credentials_file, in_url) {
            (Some(path), _) => format!("the credentials in {}", path.display()),
            (None, Some(Credentials::Password { .. })) => "the user and password in its address".to_owned(),
            (None, Some(Credentials::Token(_))) => "the token in its address".to_owned(),
            (None, None) => "a client without user, password, token or credentials file".to_owned(),
        }
    }

    /// Whether TLS is required.
    pub(super) fn needs_tls(&self) -> bool {
        self.authority.is_some() || self.certificate.is_some()
    }

    /// Checks that all files can be read now.
    ///
    /// # Errors
    /// If one cannot; the first one is named.
    pub(super) fn check_files(&self) -> Result<(), NatsError> {
        let certificate = self.certificate.iter();
        let files = self.credentials_file.iter().map(|path| ("the credentials of NATS in", path));
        let files = files.chain(self.authority.iter().map(|path| ("the authority of NATS in", path)));
        let files = files.chain(certificate.flat_map(|(certificate, key)| {
            [("the certificate for NATS in", certificate), ("the certificate's key for NATS in", key)]
        }));
        for (what, path) in files {
            std::fs::read(path).map_err(|error| NatsError { what, path: path.clone(), error })?;
        }
        Ok(())
    }
}

impl NatsUrl {
    /// Each server's address, without credentials.
    pub(super) fn addresses(&self) -> &[String] {
        &self.addresses
    }

    pub(super) fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }
}

impl FromStr for NatsUrl {
    type Err = BadNatsUrl;

    fn from_str(text: &str) -> Result<Self, BadNatsUrl> {
        let parts = text.split(',').map(one_address).collect::<Result<Vec<_>, _>>()?;
        let credentials = parts.iter().find_map(|(_, credentials)| credentials.clone());
        Ok(Self { addresses: parts.into_iter().map(|(address, _)| address).collect(), credentials })
    }
}

fn one_address(text: &str) -> Result<(String, Option<Credentials>), BadNatsUrl> {
    let (scheme, rest) = text.trim().split_once("://").ok_or(BadNatsUrl::Scheme)?;
    if !["nats", "tls"].contains(&scheme) {
        return Err(BadNatsUrl::Scheme);
    }
    let (credentials, place) = match rest.rsplit_once('@') {
        Some((credentials, place)) => (Some(Credentials::written(credentials)?), place),
        None => (None, rest),
    };
    let place = place.strip_suffix('/').unwrap_or(place);
    let after_host = place.rfind(']').unwrap_or(0);
    let (host, port) = match place[after_host..].rfind(':') {
        Some(colon) => {
            let (host, port) = place.split_at(after_host + colon);
            (host, port[1..].parse().map_err(|_| BadNatsUrl::Host)?)
        }
        None => (place, PORT),
    };
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    let bare = if is_bracketed { &host[1..host.len() - 1] } else { host };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c) || (is_bracketed && c == ':');
    if bare.is_empty() || !bare.chars().all(is_plain) || port == 0 {
        return Err(BadNatsUrl::Host);
    }
    Ok((format!("{scheme}://{host}:{port}"), credentials))
}

impl Credentials {
    fn written(text: &str) -> Result<Self, BadNatsUrl> {
        Ok(match text.split_once(':') {
            Some((user, password)) => Self::Password { user: decoded(user)?, password: decoded(password)? },
            None => Self::Token(decoded(text)?),
        })
    }
}

/// Decodes `%` with two hexadecimal digits.
fn decoded(text: &str) -> Result<String, BadNatsUrl> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || rest.next().and_then(|digit| char::from(digit).to_digit(16));
            let (high, low) = digit().zip(digit()).ok_or(BadNatsUrl::Credentials)?;
            bytes.push(u8::try_from(high * 16 + low).expect("two digits are a byte"));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).map_err(|_| BadNatsUrl::Credentials)
}

impl fmt::Display for NatsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.addresses.join(","))
    }
}

impl fmt::Debug for NatsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NatsUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<NatsUrl, BadNatsUrl> {
        text.parse()
    }

    #[test]
    fn addresses_are_told_from_credentials() {
        let url = read("nats://ann:p%40ss%2fw%c3%b6rd@bus.example:4333,tls://[::1]").unwrap();
        assert_eq!(url.addresses(), ["nats://bus.example:4333", "tls://[::1]:4222"]);
        let expected = Credentials::Password { user: "ann".to_owned(), password: "p@ss/wörd".to_owned() };
        assert!(url.credentials() == Some(&expected));
        let token = Credentials::Token("s3cret".to_owned());
        assert!(read("nats://s3cret@10.0.0.1/").unwrap().credentials() == Some(&token));
        assert!(read("nats://localhost").unwrap().credentials().is_none());
    }

    #[test]
    fn credentials_are_never_shown() {
        let url = read("nats://ann:s3cret@bus.example").unwrap();
        assert_eq!(url.to_string(), "nats://bus.example:4222");
        let shown = format!("{url:?} {:?}", NatsOptions::new(url.clone()));
        assert!(!shown.contains("ann") && !shown.contains("s3cret"), "{shown}");
        let wrong = [read("nats://ann:s3cret@:1"), read("http://ann:s3cret@host"), read("nats://s3%zz@host")];
        for error in wrong.map(Result::unwrap_err) {
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("s3"), "{shown}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, error) in [
            ("", BadNatsUrl::Scheme),
            ("localhost:4222", BadNatsUrl::Scheme),
            ("ws://localhost", BadNatsUrl::Scheme),
            ("nats://", BadNatsUrl::Host),
            ("nats://localhost:port", BadNatsUrl::Host),
            ("nats://localhost:0", BadNatsUrl::Host),
            ("nats://localhost/path", BadNatsUrl::Host),
            ("nats://local host", BadNatsUrl::Host),
            ("nats://::1", BadNatsUrl::Host),
            ("nats://%ff@localhost", BadNatsUrl::Credentials),
            ("nats://localhost,", BadNatsUrl::Scheme),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_missing_is_named() {
        let mut options = NatsOptions::new(read("nats://localhost").unwrap());
        assert!(options.check_files().is_ok());
        options.authority = Some(PathBuf::from("/nowhere/authority.pem"));
        let error = options.check_files().unwrap_err().to_string();
        assert!(
            error.starts_with("cannot read the authority of NATS in /nowhere/authority.pem: "),
            "{error}"
        );
    }
}
