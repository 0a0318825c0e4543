//! Floods of too many well-formed requests: each meets a limit of the API.

use super::{
    super::{lane::request, wire::text},
    Act, As, Flood,
};

pub(super) const FLOODS: &[Flood] = &[
    Flood {
        name: "guests",
        does: "makes guests, 500 a second",
        lanes: 10,
        per_s: 500,
        ends: &["429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|_, _| request("POST", "/guests", None, "{}")),
    },
    Flood {
        name: "renames",
        does: "renames a guest, 1000 times a second",
        lanes: 10,
        per_s: 1_000,
        ends: &["429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|lane, _| {
            let name = format!(r#"{{"name":"{}"}}"#, lane.fresh());
            request("PATCH", "/me", Some(&lane.stage.tokens[0]), &name)
        }),
    },
    Flood {
        name: "matches",
        does: "creates matches, 1000 a second, each with a key",
        lanes: 10,
        per_s: 1_000,
        ends: &["error too_many_matches", "error too_many_requests"],
        patience_s: 0,
        act: Act::Socket(As::Guest, |lane, _| {
            let create = r#""op":"http","method":"POST","path":"/api/v1/matches","body":{"game":"tabula"}"#;
            text(&format!(r#"{{"id":1,{create},"key":"{}"}}"#, lane.fresh()))
        }),
    },
    Flood {
        name: "tokens",
        does: "guesses tokens, 2000 a second",
        lanes: 20,
        per_s: 2_000,
        ends: &["401 unknown_token", "429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|lane, _| request("GET", "/me", Some(&format!("guess-{}", lane.fresh())), "")),
    },
    Flood {
        name: "codes",
        does: "guesses codes of invitations and devices, 2000 a second",
        lanes: 20,
        per_s: 2_000,
        ends: &["404 unknown_code", "429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|lane, _| {
            let guess = lane.fresh();
            let path = if guess.is_multiple_of(2) { "/invitations/look" } else { "/device-codes/spend" };
            request("POST", path, None, &format!(r#"{{"code":"{guess}"}}"#))
        }),
    },
    Flood {
        name: "rules",
        does: "requests all ends of the positions with the most, 500 times a second",
        lanes: 50,
        per_s: 500,
        ends: &["429 too_many_requests", "200"],
        patience_s: 0,
        act: Act::Http(|_, nth| match nth % 2 {
            0 => request("POST", "/rules/zeno", None, TRIPLE),
            _ => request("POST", "/rules/tabula", None, UNPLAYABLE),
        }),
    },
    Flood {
        name: "records",
        does: "requests the record of a long match, 500 times a second",
        lanes: 50,
        per_s: 500,
        ends: &["429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|lane, _| request("GET", &format!("/matches/{}/record", lane.stage.long), None, "")),
    },
    Flood {
        name: "sent-records",
        does: "submits the record of a long match for checking, 100 times a second",
        lanes: 50,
        per_s: 100,
        ends: &["429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|lane, _| request("POST", "/records", None, &lane.stage.record)),
    },
    Flood {
        name: "lists",
        does: "requests pages of 100 matches, 1000 times a second",
        lanes: 20,
        per_s: 1_000,
        ends: &["429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|_, _| request("GET", "/matches?state=open&limit=100", None, "")),
    },
];

// The most expensive positions for the rules (`cargo bench -p lusoria-rules`).

/// A triple in zeno plays twelve dice.
const TRIPLE: &str = r#"{"dice":[1,1,1],"ends":true,"position":{"to_move":"white",
    "white":{"exposed":true,"points":{"2":1,"3":2,"5":2,"7":1,"9":2,"12":2,"15":1,"17":2,"20":2}},
    "black":{"exposed":true,"points":{"8":4,"11":4,"24":7}}}}"#;

/// The 6 can never be played: every sequence is tried.
const UNPLAYABLE: &str = r#"{"dice":[1,1,6],"ends":true,"position":{"to_move":"white",
    "white":{"points":{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"19":2,"20":2,"21":2,"22":2,"23":1}},
    "black":{"points":{"18":2,"17":2,"16":2,"15":2,"14":2,"13":2,"12":3}}}}"#;
