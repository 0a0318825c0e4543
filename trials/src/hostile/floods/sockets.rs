//! Floods of sockets, frames and messages.

use super::{
    super::wire::{Frame, frame, text},
    Act, As, Flood,
    act::endless_text,
};

pub(super) const FLOODS: &[Flood] = &[
    Flood {
        name: "sockets",
        does: "opens sockets and sends no hello",
        lanes: 400,
        per_s: 400,
        ends: &["503 too_many_connections"],
        patience_s: 0,
        act: Act::Upgrade,
    },
    Flood {
        name: "bad-frames",
        does: "sends frames that are binary, unmasked, too long or not UTF-8",
        lanes: 20,
        per_s: 500,
        ends: &["close 1002", "close 1003", "close 1007", "close 1009"],
        patience_s: 0,
        act: Act::OneOf(|| {
            vec![
                frame(Frame::Binary, true, b"x"),
                b"\x81\x02hi".to_vec(),
                b"\xc1\x80\0\0\0\0".to_vec(),
                frame(Frame::Text, true, b"\xff\xfe"),
                frame(Frame::Text, true, &vec![b'x'; 17 * 1024]),
                frame(Frame::Text, true, &vec![b'x'; 70 * 1024]),
            ]
        }),
    },
    Flood {
        name: "frames",
        does: "sends 10,000 requests a second on 20 sockets",
        lanes: 20,
        per_s: 1_000,
        ends: &["error too_many_requests", "close 4429"],
        patience_s: 0,
        act: Act::Socket(As::Guest, |_, _| text(r#"{"id":1,"op":"ping"}"#).repeat(10)),
    },
    Flood {
        name: "pings",
        does: "sends 20,000 pings a second on 20 sockets",
        lanes: 20,
        per_s: 200,
        ends: &["close 4429"],
        patience_s: 0,
        act: Act::Socket(As::Stranger, |_, _| frame(Frame::Ping, true, b"").repeat(100)),
    },
    Flood {
        name: "one-byte-frames",
        does: "sends messages in frames of one byte, 100,000 a second on 10 sockets",
        lanes: 10,
        per_s: 100,
        ends: &["close 1009"],
        patience_s: 12,
        act: Act::Socket(As::Stranger, |_, nth| endless_text(nth, b" ", 1_000)),
    },
    Flood {
        // No limit ends it in time: the server closes the connection after a minute, and no flood
        // lasts that long.
        name: "empty-frames",
        does: "sends a message in empty frames, 100,000 a second on 20 sockets",
        lanes: 20,
        per_s: 200,
        ends: &["101"],
        patience_s: 0,
        act: Act::Socket(As::Stranger, |_, nth| endless_text(nth, b"", 500)),
    },
    Flood {
        name: "long-messages",
        does: "sends messages of 16 KiB, 2000 a second on 20 sockets",
        lanes: 20,
        per_s: 2_000,
        ends: &["error invalid_json", "error too_many_requests"],
        patience_s: 0,
        act: Act::Socket(As::Stranger, |_, _| {
            let steps = r#"{"from":"1","to":"2"},"#.repeat(700);
            text(&format!(r#"{{"id":1,"op":"turn","steps":[{steps}"#))
        }),
    },
];
