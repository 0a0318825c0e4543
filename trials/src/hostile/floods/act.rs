//! What each connection of a flood does.

use std::io;

use super::super::{
    lane::{Lane, request},
    wire::{Frame, UPGRADE, frame, text},
};

/// Makes the next message of a lane; the number counts the messages of its connection, from 0.
pub(super) type MakeMessage = fn(&Lane, usize) -> Vec<u8>;

/// The sender of the hello on a socket.
#[derive(Debug)]
pub(in super::super) enum As {
    /// A client without a token.
    Stranger,
    /// One of the guests.
    Guest,
}

/// What a lane does until its connection ends.
#[derive(Debug)]
pub(in super::super) enum Act {
    /// Opens a connection and sends nothing.
    Connect,
    /// Opens a connection and closes it again.
    Reconnect,
    /// Opens a socket and sends no hello.
    Upgrade,
    /// Sends bytes on a connection.
    Http(MakeMessage),
    /// Sends requests on a connection and reads nothing.
    HttpUnread(MakeMessage),
    /// Requests a stream of events and reads only its beginning.
    StreamUnread,
    /// Sends messages on a socket.
    Socket(As, MakeMessage),
    /// Sends messages on a socket and reads nothing.
    SocketUnread(MakeMessage),
    /// Sends one of these messages on a socket, another one each time, and waits for the end.
    OneOf(fn() -> Vec<Vec<u8>>),
    /// The first lane sends messages; all others watch the first guest's own match.
    Crowd(MakeMessage),
}

impl Act {
    /// Does it once: until the connection ends.
    pub(in super::super) async fn attempt(&self, lane: &mut Lane) -> io::Result<()> {
        match *self {
            Self::Connect => {
                let wire = lane.open().await?;
                lane.hold(wire).await
            }
            Self::Reconnect => {
                let mut wire = lane.open().await?;
                // A refusal, if any, has arrived by the next send.
                lane.beat().await;
                wire.listen(&mut lane.tally.lock().expect("no lane panics while it counts"))
            }
            Self::Upgrade => {
                let mut wire = lane.open().await?;
                wire.send(UPGRADE).await?;
                lane.hold(wire).await
            }
            Self::Http(make) => {
                let wire = lane.open().await?;
                lane.pour(wire, make).await
            }
            Self::HttpUnread(make) => {
                let wire = lane.open().await?;
                lane.pour_unread(&wire, make).await
            }
            Self::StreamUnread => {
                let mut wire = lane.open().await?;
                let path = format!("/matches/{}/events", lane.stage.long);
                let ask = request("GET", &path, None, "");
                let headers = ask.strip_suffix(b"\r\n").unwrap_or(&ask);
                wire.send(&[headers, b"accept: application/x-ndjson\r\n\r\n"].concat()).await?;
                // The beginning shows whether it is refused.
                wire.receive(&lane.tally).await?;
                lane.pour_unread(&wire, |_, _| Vec::new()).await
            }
            Self::Socket(ref who, make) => {
                let token = match who {
                    As::Stranger => None,
                    As::Guest => Some(lane.token().to_owned()),
                };
                let wire = lane.socket(token.as_deref()).await?;
                lane.pour(wire, make).await
            }
            Self::SocketUnread(make) => {
                let token = lane.token().to_owned();
                let wire = lane.socket(Some(&token)).await?;
                lane.pour_unread(&wire, make).await
            }
            Self::OneOf(make) => {
                let mut wire = lane.socket(None).await?;
                lane.beat().await;
                let messages = make();
                wire.send(&messages[(lane.nth + lane.attempts()) % messages.len()]).await?;
                lane.hold(wire).await
            }
            Self::Crowd(make) => {
                if lane.nth == 0 {
                    let token = lane.stage.tokens[0].clone();
                    let wire = lane.socket(Some(&token)).await?;
                    return lane.pour(wire, make).await;
                }
                let mut wire = lane.socket(None).await?;
                wire.send(&watch(&lane.stage.own.0)).await?;
                lane.hold(wire).await
            }
        }
    }
}

/// A message that watches a match.
pub(super) fn watch(id: &str) -> Vec<u8> {
    text(&format!(r#"{{"id":1,"op":"watch","match":"{id}"}}"#))
}

/// The first frame of a text message, or a further one: the message never ends.
pub(super) fn endless_text(nth: usize, payload: &[u8], times: usize) -> Vec<u8> {
    match nth {
        0 => frame(Frame::Text, false, payload),
        _ => frame(Frame::Continuation, false, payload).repeat(times),
    }
}
