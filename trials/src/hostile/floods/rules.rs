//! The positions at the rules endpoint that cost most (`cargo bench -p lusoria-rules`).

use std::io;

use super::{super::lane::request, About, Lane};

pub(super) const ABOUT: About = About {
    does: "asks the rules for all ends of the positions that have most, 500 times a second",
    lanes: 50,
    per_s: 500,
    ends: &["429 too_many_requests", "200"],
    patience_s: 0,
};

/// A triple in zeno plays twelve dice.
const TRIPLE: &str = r#"{"dice":[1,1,1],"ends":true,"position":{"to_move":"white",
    "white":{"exposed":true,"points":{"2":1,"3":2,"5":2,"7":1,"9":2,"12":2,"15":1,"17":2,"20":2}},
    "black":{"exposed":true,"points":{"8":4,"11":4,"24":7}}}}"#;

/// The 6 can never be played: every sequence is tried.
const UNPLAYABLE: &str = r#"{"dice":[1,1,6],"ends":true,"position":{"to_move":"white",
    "white":{"points":{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"19":2,"20":2,"21":2,"22":2,"23":1}},
    "black":{"points":{"18":2,"17":2,"16":2,"15":2,"14":2,"13":2,"12":3}}}}"#;

pub(super) async fn attempt(lane: &mut Lane) -> io::Result<()> {
    let questions =
        [request("POST", "/rules/zeno", None, TRIPLE), request("POST", "/rules/tabula", None, UNPLAYABLE)];
    let mut turn = questions.iter().cycle();
    lane.ask(|_| turn.next().cloned().unwrap_or_default()).await
}
