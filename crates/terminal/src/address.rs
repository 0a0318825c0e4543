//! Where a person wants to go: the address of a server, of a match or of an invitation.

use std::str::FromStr;

use lusoria_protocol::{MatchId, OneTimeCode};

use lusoria_client::{BadOrigin, Origin, printable};

/// An address, as browsers show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The server.
    pub origin: Origin,
    /// What there.
    pub door: Option<Door>,
}

/// A match, or the way into one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Door {
    /// A match.
    Match(MatchId),
    /// An invitation.
    Invitation(OneTimeCode),
}

/// The way to a door: an id, a code, or a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The server, if it is a link; an id and a code say none.
    pub origin: Option<Origin>,
    /// What there.
    pub door: Door,
}

/// The text is no address that leads anywhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlace {
    /// It does not name a server.
    #[error(transparent)]
    Origin(#[from] BadOrigin),
    /// It names something else there.
    #[error("after the server's address comes nothing, /match/ID or /join#CODE")]
    Path,
    /// It is neither an id, a code nor a link.
    #[error("this is neither the id of a match, a code nor a link")]
    Door,
    /// It is a link of another server, which alone is to know the code in it.
    #[error("this is a link of {link}, and not of {here}", link = printable(.link), here = printable(.here))]
    Elsewhere {
        /// The server of the link.
        link: String,
        /// The one that is talked to.
        here: String,
    },
}

impl FromStr for Place {
    type Err = BadPlace;

    fn from_str(text: &str) -> Result<Self, BadPlace> {
        let start = text.find("://").map_or(0, |scheme| scheme + 3);
        let end = text[start..].find(['/', '?', '#']).map_or(text.len(), |length| start + length);
        let (origin, path) = text.split_at(end);
        let origin = origin.parse()?;
        Ok(Self { origin, door: door(path)? })
    }
}

/// What a path of the page leads to, whatever is asked of the page there; none if it is the hall.
fn door(path: &str) -> Result<Option<Door>, BadPlace> {
    let (path, fragment) = path.split_once('#').unwrap_or((path, ""));
    let path = path.split('?').next().unwrap_or_default();
    match path {
        "" | "/" => return Ok(None),
        "/join" | "/join/" => {
            return fragment.parse().map(Door::Invitation).map(Some).map_err(|_| BadPlace::Path);
        }
        _ => {}
    }
    let rest = path.strip_prefix("/match/").ok_or(BadPlace::Path)?;
    let id = rest.split('/').next().unwrap_or_default();
    id.parse().map(Door::Match).map(Some).map_err(|_| BadPlace::Path)
}

impl FromStr for Way {
    type Err = BadPlace;

    fn from_str(text: &str) -> Result<Self, BadPlace> {
        if text.contains("://") {
            let Place { origin, door } = text.parse()?;
            return Ok(Self { origin: Some(origin), door: door.ok_or(BadPlace::Path)? });
        }
        let id = text.parse().map(Door::Match);
        let door = id.or_else(|_| text.parse().map(Door::Invitation)).map_err(|_| BadPlace::Door)?;
        Ok(Self { origin: None, door })
    }
}

impl Way {
    /// The door, if it is one of that server.
    ///
    /// # Errors
    /// If it is one of another server.
    pub fn at(self, here: &Origin) -> Result<Door, BadPlace> {
        match self.origin {
            Some(link) if link != *here => {
                Err(BadPlace::Elsewhere { link: link.to_string(), here: here.to_string() })
            }
            Some(_) | None => Ok(self.door),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

    fn place(text: &str) -> Place {
        text.parse().expect(text)
    }

    #[test]
    fn links_of_the_page_lead_where_they_lead_there() {
        assert_eq!(place("http://127.0.0.1:8080").door, None);
        for text in ["https://example.org/", "HTTPS://Example.org", "https://example.org/?lang=fr"] {
            let Place { origin, door } = place(text);
            assert_eq!((origin.to_string().as_str(), door), ("https://example.org:443", None), "{text}");
        }
        let id = Door::Match(ID.parse().expect("an id"));
        for path in ["", "?at=3", "/dice", "#x"] {
            assert_eq!(place(&format!("https://example.org/match/{ID}{path}")).door, Some(id.clone()));
        }
        let code = Door::Invitation("q7Zb3xkP0mXh5V2r8tWc1A".parse().expect("a code"));
        for path in ["join", "join/", "join?lang=fr"] {
            let text = format!("http://a:81/{path}#q7Zb3xkP0mXh5V2r8tWc1A");
            assert_eq!(place(&text).door, Some(code.clone()), "{text}");
        }
        assert_eq!("q7Zb3xkP0mXh5V2r8tWc1A".parse(), Ok(Way { origin: None, door: code }));
        assert_eq!(ID.parse(), Ok(Way { origin: None, door: id }));
    }

    #[test]
    fn a_link_leads_to_its_own_server_alone() {
        let (here, code) = (place("https://a").origin, Door::Invitation("q7Zb3".parse().expect("a code")));
        for text in ["q7Zb3", "https://a/join#q7Zb3", "https://A:443/join#q7Zb3"] {
            assert_eq!(text.parse().and_then(|way: Way| way.at(&here)), Ok(code.clone()), "{text}");
        }
        for text in ["http://a/join#q7Zb3", "https://b/join#q7Zb3", "https://a:81/join#q7Zb3"] {
            let refused = text.parse().and_then(|way: Way| way.at(&here));
            assert!(matches!(refused, Err(BadPlace::Elsewhere { .. })), "{text}");
        }
    }

    #[test]
    fn what_leads_nowhere_is_refused() {
        for text in
            ["http://a/rules", "http://a/join", "http://a/join#", "http://a/match/7", "http://a/join?x"]
        {
            assert_eq!(text.parse::<Place>(), Err(BadPlace::Path), "{text}");
        }
        for text in ["a", "", "ftp://a", "http://"] {
            assert!(matches!(text.parse::<Place>(), Err(BadPlace::Origin(_))), "{text}");
        }
        for text in ["", "two words", "ü"] {
            assert_eq!(text.parse::<Way>(), Err(BadPlace::Door), "{text}");
        }
    }
}
