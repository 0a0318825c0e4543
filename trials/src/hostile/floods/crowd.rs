//! A player who comes and goes before a crowd of his own.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "comes and goes before 99 sockets, 500 times a second",
    lanes: 100,
    per_s: 50_000,
    ends: &["error too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let id = lane.stage.own.0.clone();
    let watch = text(&format!(r#"{{"id":1,"op":"watch","match":"{id}"}}"#));
    if lane.nth > 0 {
        let mut wire = lane.socket(None).await?;
        wire.send(&watch).await?;
        return lane.hold(wire).await;
    }
    let token = lane.stage.tokens[0].clone();
    let wire = lane.socket(Some(&token)).await?;
    let leave = text(&format!(r#"{{"id":2,"op":"unwatch","match":"{id}"}}"#));
    let mut comes = false;
    lane.pour(wire, |_| {
        comes = !comes;
        if comes { watch.clone() } else { leave.clone() }
    })
    .await
}
