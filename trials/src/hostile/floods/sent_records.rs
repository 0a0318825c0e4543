//! Records that are sent to be judged.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends the record of a long match to be judged, 100 times a second",
    lanes: 50,
    per_s: 100,
    ends: &["429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let sent = request("POST", "/records", None, &lane.stage.record);
    lane.ask(|_| sent.clone()).await
}
