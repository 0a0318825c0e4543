//! The address of a server, of a match, of a tournament or of an invitation.

use std::str::FromStr;

use lusoria_protocol::{MatchId, OneTimeCode, TournamentId};

use lusoria_client::{BadOrigin, Origin, printable};

/// An address of the page, as browsers show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAddress {
    /// The server.
    pub origin: Origin,
    /// The match, tournament or invitation; none if it is the home page.
    pub destination: Option<Destination>,
}

/// A match, an invitation to one, or a tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// A match.
    Match(MatchId),
    /// An invitation.
    Invitation(OneTimeCode),
    /// A tournament.
    Tournament(TournamentId),
}

/// A reference to a match: its id, the code of an invitation, or a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchReference {
    /// The server, if it is a link; none for an id or a code.
    pub origin: Option<Origin>,
    /// The match, tournament or invitation.
    pub destination: Destination,
}

/// A text that is not an address of a server, a match or an invitation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// It does not name a server.
    #[error(transparent)]
    Origin(#[from] BadOrigin),
    /// It names another page of the server.
    #[error("after the server's address comes nothing, /match/ID, /tournament/ID or /join#CODE")]
    Path,
    /// It is not an id, a code or a link.
    #[error("this is neither the id of a match, a code nor a link")]
    Unknown,
    /// It is a link to another server. The code in it must not be sent to this one.
    #[error("this is a link to {link}, not to {here}", link = printable(.link), here = printable(.here))]
    Elsewhere {
        /// The server of the link.
        link: String,
        /// The server of this session.
        here: String,
    },
}

impl FromStr for PageAddress {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let start = text.find("://").map_or(0, |scheme| scheme + 3);
        let end = text[start..].find(['/', '?', '#']).map_or(text.len(), |length| start + length);
        let (origin, path) = text.split_at(end);
        let origin = origin.parse()?;
        Ok(Self { origin, destination: destination(path)? })
    }
}

/// The match, tournament or invitation in a path of the page, ignoring its query; none for the home page.
fn destination(path: &str) -> Result<Option<Destination>, BadAddress> {
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let path = path.split('?').next().unwrap_or_default();
    match path {
        "" | "/" => return Ok(None),
        "/join" | "/join/" => {
            return fragment.parse().map(Destination::Invitation).map(Some).map_err(|_| BadAddress::Path);
        }
        _ => {}
    }
    let (page, rest) = path.trim_start_matches('/').split_once('/').ok_or(BadAddress::Path)?;
    let id = rest.split('/').next().unwrap_or_default();
    let destination = match page {
        "match" => id.parse().ok().map(Destination::Match),
        "tournament" => id.parse().ok().map(Destination::Tournament),
        _ => None,
    };
    destination.map(Some).ok_or(BadAddress::Path)
}

impl FromStr for MatchReference {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        if text.contains("://") {
            let PageAddress { origin, destination } = text.parse()?;
            return Ok(Self { origin: Some(origin), destination: destination.ok_or(BadAddress::Path)? });
        }
        let id = text.parse().map(Destination::Match);
        let destination =
            id.or_else(|_| text.parse().map(Destination::Invitation)).map_err(|_| BadAddress::Unknown)?;
        Ok(Self { origin: None, destination })
    }
}

impl MatchReference {
    /// The destination, if it is on that server.
    ///
    /// # Errors
    /// If it is on another server.
    pub fn at(self, here: &Origin) -> Result<Destination, BadAddress> {
        match self.origin {
            Some(link) if link != *here => {
                Err(BadAddress::Elsewhere { link: link.to_string(), here: here.to_string() })
            }
            Some(_) | None => Ok(self.destination),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    fn place(text: &str) -> PageAddress {
        text.parse().expect(text)
    }

    #[test]
    fn links_of_the_page_lead_where_they_lead_there() {
        assert_eq!(place("http://127.0.0.1:8080").destination, None);
        for text in ["https://example.org/", "HTTPS://Example.org", "https://example.org/?lang=fr"] {
            let PageAddress { origin, destination } = place(text);
            assert_eq!(
                (origin.to_string().as_str(), destination),
                ("https://example.org:443", None),
                "{text}"
            );
        }
        let id = Destination::Match(ID.parse().expect("an id"));
        for path in ["", "?at=3", "/dice", "#x"] {
            assert_eq!(place(&format!("https://example.org/match/{ID}{path}")).destination, Some(id.clone()));
        }
        let tournament = Destination::Tournament(ID.parse().expect("an id"));
        assert_eq!(place(&format!("http://a/tournament/{ID}")).destination, Some(tournament));
        let code = Destination::Invitation("q7Zb3xkP0mXh5V2r8tWc1A".parse().expect("a code"));
        for path in ["join", "join/", "join?lang=fr"] {
            let text = format!("http://a:81/{path}#q7Zb3xkP0mXh5V2r8tWc1A");
            assert_eq!(place(&text).destination, Some(code.clone()), "{text}");
        }
        assert_eq!("q7Zb3xkP0mXh5V2r8tWc1A".parse(), Ok(MatchReference { origin: None, destination: code }));
        assert_eq!(ID.parse(), Ok(MatchReference { origin: None, destination: id }));
    }

    #[test]
    fn a_link_leads_to_its_own_server_alone() {
        let (here, code) =
            (place("https://a").origin, Destination::Invitation("q7Zb3".parse().expect("a code")));
        for text in ["q7Zb3", "https://a/join#q7Zb3", "https://A:443/join#q7Zb3"] {
            assert_eq!(
                text.parse().and_then(|reference: MatchReference| reference.at(&here)),
                Ok(code.clone()),
                "{text}"
            );
        }
        for text in ["http://a/join#q7Zb3", "https://b/join#q7Zb3", "https://a:81/join#q7Zb3"] {
            let refused = text.parse().and_then(|reference: MatchReference| reference.at(&here));
            assert!(matches!(refused, Err(BadAddress::Elsewhere { .. })), "{text}");
        }
    }

    #[test]
    fn an_invalid_address_is_refused() {
        for text in [
            "http://a/rules",
            "http://a/join",
            "http://a/join#",
            "http://a/match/7",
            "http://a/tournament/7",
            "http://a/join?x",
        ] {
            assert_eq!(text.parse::<PageAddress>(), Err(BadAddress::Path), "{text}");
        }
        for text in ["a", "", "ftp://a", "http://"] {
            assert!(matches!(text.parse::<PageAddress>(), Err(BadAddress::Origin(_))), "{text}");
        }
        for text in ["", "two words", "ü"] {
            assert_eq!(text.parse::<MatchReference>(), Err(BadAddress::Unknown), "{text}");
        }
    }
}
