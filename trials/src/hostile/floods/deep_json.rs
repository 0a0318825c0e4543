//! Documents that are hard to read: nested deeply, full of numbers, naming fields twice.

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "sends JSON of 16 KiB: nested deeply, huge numbers, fields named twice",
    lanes: 20,
    per_s: 1_000,
    ends: &["400 invalid_json", "422 invalid_body"],
    patience_s: 0,
};

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let bodies = [
        "[".repeat(16_000),
        format!("{{\"dice\":[{}1]}}", "1e300,".repeat(2_600)),
        format!("{{{}\"dice\":[]}}", "\"dice\":[1],".repeat(1_400)),
    ];
    let requests = bodies.map(|body| request("POST", "/rules/zeno", None, &body));
    let mut turn = requests.iter().cycle();
    lane.ask(|_| turn.next().cloned().unwrap_or_default()).await
}
