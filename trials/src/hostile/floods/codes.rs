//! Guessed codes of invitations and devices.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "guesses codes of invitations and devices, 2000 a second",
    lanes: 20,
    per_s: 2_000,
    ends: &["404 unknown_code", "429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    lane.ask(|lane| {
        let guess = lane.fresh();
        let path = if guess.is_multiple_of(2) { "/invitations/look" } else { "/device-codes/spend" };
        request("POST", path, None, &format!(r#"{{"code":"{guess}"}}"#))
    })
    .await
}
