//! Reads numbers and ids only in their canonical form.

use std::str::FromStr;

use lusoria_protocol::{MatchId, meant};

/// A number in canonical form: without a sign and without leading zeros.
pub(super) fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// The id of a match in canonical form: in lower case.
pub(super) fn match_id(text: &str) -> Option<MatchId> {
    meant(text).filter(|id: &MatchId| id.to_string() == text)
}
