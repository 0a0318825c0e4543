//! New guests.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "makes guests, 500 a second",
    lanes: 10,
    per_s: 500,
    ends: &["429 too_many_requests"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let make = request("POST", "/guests", None, "{}");
    lane.ask(|_| make.clone()).await
}
