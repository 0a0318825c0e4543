//! Connections that are opened and closed again as fast as may be.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "opens and closes connections, 2000 a second",
    lanes: 40,
    per_s: 4_000,
    ends: &["503 too_many_connections"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut wire = lane.open().await?;
    // By the next beat a refusal has come, if there is any.
    lane.beat().await;
    wire.listen(&mut lane.tally.lock().expect("no lane panics while it counts"))
}
