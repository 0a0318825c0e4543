//! Limits repeated log lines about a failing connection.

use std::{fmt::Write as _, time::Duration};

use async_nats::{ConnectError, ConnectErrorKind};
use tokio::time::Instant;

/// How long the same line is not logged again.
const SILENT_FOR: Duration = Duration::from_mins(1);

/// The lines, each logged at most once a minute.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    said: Vec<(What, Instant)>,
}

/// A line to log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Nothing answers, or what answers is not NATS.
    Unreachable,
    /// NATS refuses our credentials.
    Refused,
    /// The credentials file cannot be used.
    CredentialsFile,
    /// A connection was lost.
    Lost,
    /// The connection is made.
    Connected,
}

impl What {
    /// The reason that a connection could not be made.
    pub(super) fn of(error: &ConnectError) -> Self {
        match error.kind() {
            ConnectErrorKind::AuthorizationViolation => Self::Refused,
            ConnectErrorKind::Authentication => Self::CredentialsFile,
            ConnectErrorKind::ServerParse
            | ConnectErrorKind::Dns
            | ConnectErrorKind::TimedOut
            | ConnectErrorKind::Tls
            | ConnectErrorKind::Io
            | ConnectErrorKind::MaxReconnects => Self::Unreachable,
        }
    }
}

impl Complaints {
    /// Whether to log it now: not if it has been logged within a minute.
    pub(super) fn may_say(&mut self, what: What, now: Instant) -> bool {
        self.said.retain(|(_, at)| now.duration_since(*at) < SILENT_FOR);
        let is_new = self.said.iter().all(|(said, _)| *said != what);
        if is_new {
            self.said.push((what, now));
        }
        is_new
    }
}

/// An error with all its causes, in one line.
pub(super) fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let part = error.to_string();
        if !text.contains(&part) {
            let _ = write!(text, ": {part}");
        }
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_twice_in_a_minute() {
        let mut complaints = Complaints::default();
        let start = Instant::now();
        let later = |seconds| start + Duration::from_secs(seconds);
        assert!(complaints.may_say(What::Refused, start));
        assert!(!complaints.may_say(What::Refused, later(1)));
        assert!(complaints.may_say(What::Unreachable, later(1)), "another thing");
        assert!(!complaints.may_say(What::Refused, later(59)));
        assert!(complaints.may_say(What::Refused, later(60)));
        assert!(!complaints.may_say(What::Refused, later(61)));
    }
}
