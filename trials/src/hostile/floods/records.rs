//! Records of a long match.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "asks for the record of a long match, 500 times a second",
    lanes: 50,
    per_s: 500,
    ends: &["429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let ask = request("GET", &format!("/matches/{}/record", lane.stage.long), None, "");
    lane.ask(|_| ask.clone()).await
}
