//! Snapshots in the place of what a reader pretends to have missed, again and again.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "falls behind a long match and asks for a snapshot, again and again",
    lanes: 10,
    per_s: 1_000,
    ends: &["error too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let id = lane.stage.long.clone();
    let token = lane.token().to_owned();
    let wire = lane.socket(Some(&token)).await?;
    let behind = text(&format!(r#"{{"id":1,"op":"watch","match":"{id}","since":0,"on_lag":"snapshot"}}"#));
    lane.pour(wire, |_| behind.clone()).await
}
