//! Connections on which nothing is ever said.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "opens connections and says nothing",
    lanes: 1_500,
    per_s: 1_500,
    ends: &["503 too_many_connections"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let wire = lane.open().await?;
    lane.hold(wire).await
}
