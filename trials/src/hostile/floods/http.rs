//! Floods of connections, heads and bodies: they are invalid before the request is complete.

use super::{super::lane::request, Act, Flood};

pub(super) const FLOODS: &[Flood] = &[
    Flood {
        name: "connections",
        does: "opens connections and sends nothing",
        lanes: 1_500,
        per_s: 1_500,
        ends: &["503 too_many_connections"],
        patience_s: 0,
        act: Act::Connect,
    },
    Flood {
        name: "reconnects",
        does: "opens and closes connections, 2000 a second",
        lanes: 40,
        per_s: 4_000,
        ends: &["503 too_many_connections"],
        patience_s: 0,
        act: Act::Reconnect,
    },
    Flood {
        name: "slow-heads",
        does: "sends heads of requests byte by byte",
        lanes: 500,
        per_s: 2_000,
        ends: &["closed"],
        patience_s: 12,
        act: Act::Http(|_, nth| vec![b"GET /api/v1/games HTTP/1.1\r\nx: ".get(nth).copied().unwrap_or(b'x')]),
    },
    Flood {
        name: "slow-bodies",
        does: "sends bodies byte by byte",
        lanes: 500,
        per_s: 2_000,
        ends: &["408 request_timeout"],
        patience_s: 12,
        act: Act::Http(|_, nth| match nth {
            0 => format!("{POST}content-length: 16000\r\n\r\n").into_bytes(),
            _ => b" ".to_vec(),
        }),
    },
    Flood {
        name: "long-heads",
        does: "sends heads of 20 KiB, and heads of 90 lines",
        lanes: 20,
        per_s: 1_000,
        ends: &["431 head_too_large"],
        patience_s: 0,
        act: Act::Http(|lane, _| {
            let headers = match lane.fresh() % 2 {
                0 => format!("x: {}\r\n", "x".repeat(20 * 1024)),
                _ => "x: x\r\n".repeat(90),
            };
            format!("GET /api/v1/games HTTP/1.1\r\nhost: x\r\n{headers}\r\n").into_bytes()
        }),
    },
    Flood {
        name: "endless-heads",
        does: "sends heads without an end",
        lanes: 20,
        per_s: 1_000,
        ends: &["431"],
        patience_s: 0,
        act: Act::Http(|_, nth| {
            let start = if nth == 0 { "GET / HTTP/1.1\r\n" } else { "" };
            format!("{start}{}", "x: yyyyyyyyyyyyyyyy\r\n".repeat(200)).into_bytes()
        }),
    },
    Flood {
        name: "long-bodies",
        does: "declares bodies of 1 GiB, and sends chunks without an end",
        lanes: 20,
        per_s: 1_000,
        ends: &["413 body_too_large"],
        patience_s: 0,
        act: Act::Http(|lane, nth| {
            match (nth, lane.attempts() % 2) {
                (0, 0) => format!("{POST}content-length: 1073741824\r\n\r\n"),
                (0, _) => format!("{POST}transfer-encoding: chunked\r\n\r\n"),
                _ => format!("1000\r\n{}\r\n", " ".repeat(0x1000)),
            }
            .into_bytes()
        }),
    },
    Flood {
        name: "deep-json",
        does: "sends JSON of 16 KiB: nested deeply, huge numbers, fields named twice",
        lanes: 20,
        per_s: 1_000,
        ends: &["400 invalid_json", "422 invalid_body"],
        patience_s: 0,
        act: Act::Http(|lane, nth| {
            // A refused request closes its connection.
            let body = match (lane.attempts() + nth) % 3 {
                0 => "[".repeat(16_000),
                1 => format!("{{\"dice\":[{}1]}}", "1e300,".repeat(2_600)),
                _ => format!("{{{}\"dice\":[]}}", "\"dice\":[1],".repeat(1_400)),
            };
            request("POST", "/rules/zeno", None, &body)
        }),
    },
    Flood {
        name: "nonsense",
        does: "speaks TLS on the plain port",
        lanes: 20,
        per_s: 1_000,
        ends: &["400"],
        patience_s: 0,
        act: Act::Http(|_, _| b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20)),
    },
    Flood {
        name: "requests",
        does: "sends 5000 requests a second in pipelines",
        lanes: 50,
        per_s: 500,
        ends: &["429 too_many_requests"],
        patience_s: 0,
        act: Act::Http(|_, _| request("GET", "/matches?state=open", None, "").repeat(10)),
    },
];

/// The beginning of a request with a body.
const POST: &str = "POST /api/v1/rules/zeno HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
