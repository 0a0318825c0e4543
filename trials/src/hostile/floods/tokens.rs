//! Guessed tokens.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "guesses tokens, 2000 a second",
    lanes: 20,
    per_s: 2_000,
    ends: &["401 unknown_token", "429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    lane.ask(|lane| request("GET", "/me", Some(&format!("guess-{}", lane.fresh())), "")).await
}
