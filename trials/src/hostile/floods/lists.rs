//! The longest pages of lists.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "asks for pages of 100 matches, 1000 times a second",
    lanes: 20,
    per_s: 1_000,
    ends: &["429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let ask = request("GET", "/matches?state=open&limit=100", None, "");
    lane.ask(|_| ask.clone()).await
}
