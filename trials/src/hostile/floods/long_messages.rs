//! Messages as long as they may be.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends messages of 16 KiB, 2000 a second on 20 sockets",
    lanes: 20,
    per_s: 2_000,
    ends: &["error invalid_json", "error too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let long = text(&format!(r#"{{"id":1,"op":"legal","steps":[{}"#, r#"{"from":"1","to":"2"},"#.repeat(700)));
    let wire = lane.socket(None).await?;
    lane.pour(wire, |_| long.clone()).await
}
