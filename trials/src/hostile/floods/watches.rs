//! More matches watched on one socket than there may be, and the same ones again and again.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "watches 210 matches on each socket, again and again",
    lanes: 10,
    per_s: 1_000,
    ends: &["error too_many_watches", "error too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let token = lane.token().to_owned();
    let wire = lane.socket(Some(&token)).await?;
    let mut nth = 0;
    lane.pour(wire, |lane| {
        nth += 1;
        let id = &lane.stage.matches[nth % lane.stage.matches.len()];
        text(&format!(r#"{{"id":{nth},"op":"watch","match":"{id}"}}"#))
    })
    .await
}
