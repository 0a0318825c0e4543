//! A turn that is shown again and again to a crowd of the shower's own.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "shows a turn being built to 99 sockets, 100 times a second",
    lanes: 100,
    per_s: 10_000,
    ends: &["error too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let (id, seq) = lane.stage.own.clone();
    if lane.nth == 0 {
        let token = lane.stage.tokens[0].clone();
        let wire = lane.socket(Some(&token)).await?;
        let show = text(&format!(r#"{{"id":1,"op":"building","match":"{id}","seq":{seq},"steps":[]}}"#));
        return lane.pour(wire, |_| show.clone()).await;
    }
    let mut wire = lane.socket(None).await?;
    wire.send(&text(&format!(r#"{{"id":1,"op":"watch","match":"{id}"}}"#))).await?;
    lane.hold(wire).await
}
