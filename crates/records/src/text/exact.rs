//! Reads numbers and ids in the one form in which they are written.

use std::str::FromStr;

use lusoria_protocol::{MatchId, meant};

/// A number as it is written: without a sign, and without zeros in front.
pub(super) fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// The id of a match as it is written: in lower case.
pub(super) fn match_id(text: &str) -> Option<MatchId> {
    meant(text).filter(|id: &MatchId| id.to_string() == text)
}
