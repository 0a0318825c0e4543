//! The browser's data about the ceremony (§5.8.1).

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Deserialize;

use crate::{Ceremony, Error};

/// `clientDataJSON`; browsers may add members.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<String>,
}

/// Checks that the browser answered this challenge, in this ceremony, on one of the server's pages.
pub(crate) fn check(bytes: &[u8], kind: &str, ceremony: &Ceremony<'_>) -> Result<(), Error> {
    let said: ClientData = serde_json::from_slice(bytes).map_err(|_| Error::Malformed)?;
    if said.kind != kind {
        return Err(Error::WrongType);
    }
    if said.challenge != BASE64_URL_SAFE_NO_PAD.encode(ceremony.challenge) {
        return Err(Error::WrongChallenge);
    }
    if !ceremony.origins.contains(&said.origin.as_str()) {
        return Err(Error::WrongOrigin);
    }
    // The server's pages are never in frames.
    if said.cross_origin || said.top_origin.is_some() {
        return Err(Error::CrossOrigin);
    }
    Ok(())
}
