//! Floods of watchers, and of clients that read nothing of what they requested.

use super::{
    super::{lane::request, wire::text},
    Act, As, Flood,
    act::watch,
};

pub(super) const FLOODS: &[Flood] = &[
    Flood {
        // More matches than a socket may watch.
        name: "watches",
        does: "watches 210 matches on each socket, again and again",
        lanes: 10,
        per_s: 1_000,
        ends: &["error too_many_watches", "error too_many_requests"],
        patience_s: 0,
        act: Act::Socket(As::Guest, |lane, nth| watch(&lane.stage.matches[nth % lane.stage.matches.len()])),
    },
    Flood {
        name: "on-lag",
        does: "falls behind a long match and requests a snapshot, again and again",
        lanes: 10,
        per_s: 1_000,
        ends: &["error too_many_requests"],
        patience_s: 0,
        act: Act::Socket(As::Guest, |lane, _| {
            let id = &lane.stage.long;
            text(&format!(r#"{{"id":1,"op":"watch","match":"{id}","since":0,"on_lag":"snapshot"}}"#))
        }),
    },
    Flood {
        name: "deaf-sockets",
        does: "requests events on 20 sockets and reads nothing",
        lanes: 20,
        per_s: 1_000,
        ends: &["closed"],
        patience_s: 310,
        act: Act::SocketUnread(|lane, _| {
            let id = &lane.stage.long;
            let path = format!("/api/v1/matches/{id}/events?limit=200");
            text(&format!(r#"{{"id":1,"op":"http","method":"GET","path":"{path}"}}"#))
        }),
    },
    Flood {
        name: "deaf-readers",
        does: "requests records on 300 connections and reads nothing",
        lanes: 300,
        per_s: 600,
        ends: &["closed"],
        patience_s: 310,
        act: Act::HttpUnread(|lane, _| {
            request("GET", &format!("/matches/{}/record", lane.stage.long), None, "")
        }),
    },
    Flood {
        name: "deaf-streams",
        does: "opens streams of a long match and reads nothing",
        lanes: 400,
        per_s: 400,
        ends: &["503 too_many_connections"],
        patience_s: 0,
        act: Act::StreamUnread,
    },
    Flood {
        name: "building",
        does: "shows the turn it is composing to 99 sockets, 100 times a second",
        lanes: 100,
        per_s: 10_000,
        ends: &["error too_many_requests"],
        patience_s: 0,
        act: Act::Crowd(|lane, _| {
            let (id, seq) = &lane.stage.own;
            let path = format!("/api/v1/matches/{id}/building");
            let body = format!(r#"{{"seq":{seq},"steps":[]}}"#);
            text(&format!(r#"{{"id":1,"op":"http","method":"POST","path":"{path}","body":{body}}}"#))
        }),
    },
    Flood {
        name: "crowd",
        does: "connects and disconnects before 99 sockets, 500 times a second",
        lanes: 100,
        per_s: 50_000,
        ends: &["error too_many_requests"],
        patience_s: 0,
        act: Act::Crowd(|lane, nth| match (nth % 2, &lane.stage.own.0) {
            (0, id) => watch(id),
            (_, id) => text(&format!(r#"{{"id":2,"op":"unwatch","match":"{id}"}}"#)),
        }),
    },
];
