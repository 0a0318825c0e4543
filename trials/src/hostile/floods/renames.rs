//! A guest who cannot decide what to be called.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "renames a guest, 1000 times a second",
    lanes: 10,
    per_s: 1_000,
    ends: &["429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let token = lane.stage.tokens[0].clone();
    lane.ask(|lane| request("PATCH", "/me", Some(&token), &format!(r#"{{"name":"{}"}}"#, lane.fresh()))).await
}
