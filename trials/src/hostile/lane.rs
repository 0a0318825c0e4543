//! A lane: one of the many connections of a flood.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::time::{Interval, MissedTickBehavior, interval_at};

use super::{
    tally::Tally,
    wire::{Target, UPGRADE, Wire, text},
};

/// What the trial prepares on the server for a flood.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Stage {
    /// Tokens of guests that have sent no request yet.
    pub(super) tokens: Vec<String>,
    /// More matches than a socket may watch.
    pub(super) matches: Vec<String>,
    /// A match with many events.
    pub(super) long: String,
    /// Its record.
    pub(super) record: String,
    /// A match in which the first guest has both seats, and the event that began the turn.
    pub(super) own: (String, u32),
}

/// A lane of a flood.
pub(super) struct Lane {
    /// Its number, from 0.
    pub(super) nth: usize,
    pub(super) target: Target,
    pub(super) stage: Arc<Stage>,
    pub(super) tally: Arc<Mutex<Tally>>,
    beat: Interval,
    sent: u64,
    opened: usize,
}

impl Lane {
    /// One of `lanes` that together send `per_s` times a second.
    pub(super) fn new(
        nth: usize,
        lanes: usize,
        per_s: u32,
        target: Target,
        stage: Arc<Stage>,
        tally: Arc<Mutex<Tally>>,
    ) -> Self {
        let lanes_u32 = u32::try_from(lanes).unwrap_or(u32::MAX);
        let period = Duration::from_secs(1) * lanes_u32 / per_s;
        let nth_u32 = u32::try_from(nth).unwrap_or(u32::MAX);
        let mut beat = interval_at(tokio::time::Instant::now() + period * nth_u32 / lanes_u32, period);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { nth, target, stage, tally, beat, sent: 0, opened: 0 }
    }

    /// Waits until it may send again.
    pub(super) async fn beat(&mut self) {
        self.beat.tick().await;
        self.sent += 1;
        self.count("sent");
    }

    pub(super) fn count(&self, what: &str) {
        self.tally.lock().expect("no lane panics while it counts").count(what);
    }

    /// A number that no lane has used before.
    pub(super) fn fresh(&self) -> u64 {
        (self.nth as u64) << 32 | self.sent
    }

    /// How many connections it has opened.
    pub(super) const fn attempts(&self) -> usize {
        self.opened
    }

    /// The token of one of the guests, in turn.
    pub(super) fn token(&self) -> &str {
        &self.stage.tokens[self.nth % self.stage.tokens.len()]
    }

    pub(super) async fn open(&mut self) -> io::Result<Wire> {
        self.beat().await;
        self.opened += 1;
        Wire::open(self.target).await
    }

    /// Opens a socket and sends a hello.
    pub(super) async fn socket(&mut self, token: Option<&str>) -> io::Result<Wire> {
        let mut wire = self.open().await?;
        wire.send(UPGRADE).await?;
        wire.receive(&self.tally).await?;
        let token = token.map(|token| format!(r#","token":"{token}""#)).unwrap_or_default();
        wire.send(&text(&format!(r#"{{"id":0,"op":"hello"{token}}}"#))).await?;
        wire.receive(&self.tally).await?;
        Ok(wire)
    }

    /// Sends the messages of `next` at the flood's rate, and counts the responses, until the connection ends.
    pub(super) async fn pour(&mut self, mut wire: Wire, next: fn(&Self, usize) -> Vec<u8>) -> io::Result<()> {
        for nth in 0.. {
            self.beat().await;
            wire.send(&next(self, nth)).await?;
            wire.listen(&mut self.tally.lock().expect("no lane panics while it counts"))?;
        }
        Ok(())
    }

    /// Sends the messages of `next`, as much as the network accepts, and reads nothing.
    pub(super) async fn pour_unread(
        &mut self,
        wire: &Wire,
        next: fn(&Self, usize) -> Vec<u8>,
    ) -> io::Result<()> {
        for nth in 0.. {
            self.beat().await;
            wire.try_send(&next(self, nth))?;
        }
        Ok(())
    }

    /// Keeps a connection open and reads from it until it ends.
    pub(super) async fn hold(&mut self, mut wire: Wire) -> io::Result<()> {
        loop {
            wire.receive(&self.tally).await?;
        }
    }
}

/// An HTTP request.
pub(super) fn request(method: &str, path: &str, token: Option<&str>, body: &str) -> Vec<u8> {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let body = if method == "GET" {
        "\r\n".to_owned()
    } else {
        format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len())
    };
    format!("{method} /api/v1{path} HTTP/1.1\r\nhost: x\r\n{token}{body}").into_bytes()
}
