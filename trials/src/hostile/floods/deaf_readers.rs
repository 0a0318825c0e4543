//! Requests for long answers that nobody reads.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "asks for records on 300 connections and reads nothing",
    lanes: 300,
    per_s: 600,
    ends: &["closed"],
    patience_s: 310,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let wire = lane.open().await?;
    let ask = request("GET", &format!("/matches/{}/record", lane.stage.long), None, "");
    loop {
        lane.beat().await;
        wire.try_send(&ask)?;
    }
}
