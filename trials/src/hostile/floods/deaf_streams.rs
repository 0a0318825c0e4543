//! Streams of lines that nobody reads.

use std::io;

use super::{About, Lane};

pub(super) const ABOUT: About = About {
    does: "opens streams of a long match and reads nothing",
    lanes: 400,
    per_s: 400,
    ends: &["503 too_many_connections"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let mut wire = lane.open().await?;
    let ask = format!(
        "GET /api/v1/matches/{}/events HTTP/1.1\r\nhost: x\r\naccept: application/x-ndjson\r\n\r\n",
        lane.stage.long
    );
    wire.send(ask.as_bytes()).await?;
    // The first words tell whether it is refused; after them nothing is read.
    wire.hear(&lane.tally).await?;
    loop {
        lane.beat().await;
        wire.try_send(b"")?;
    }
}
