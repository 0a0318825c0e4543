//! Requests on sockets that ask too often.

use std::io;

use super::{super::wire::text, About, Lane};

pub(super) const ABOUT: About = About {
    does: "asks 10,000 times a second on 20 sockets",
    lanes: 20,
    per_s: 1_000,
    ends: &["error too_many_requests", "close 4429"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let ten = text(r#"{"id":1,"op":"ping"}"#).repeat(10);
    let token = lane.token().to_owned();
    let wire = lane.socket(Some(&token)).await?;
    lane.pour(wire, |_| ten.clone()).await
}
