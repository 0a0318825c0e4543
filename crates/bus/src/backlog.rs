//! A bounded queue that never blocks: what does not fit is refused.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::Subject;

/// The most messages that wait.
const MESSAGES_MAX: usize = 16_384;

/// The most bytes that wait: payloads alone.
const BYTES_MAX: usize = 16 * 1024 * 1024;

/// Messages in order, bounded in number and in bytes.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    messages: VecDeque<(Subject, Bytes)>,
    bytes: usize,
}

impl Backlog {
    /// Adds a message. False if it does not fit.
    #[must_use]
    pub(crate) fn push(&mut self, subject: Subject, payload: Bytes) -> bool {
        let fits = self.messages.len() < MESSAGES_MAX && self.bytes + payload.len() <= BYTES_MAX;
        if fits {
            self.bytes += payload.len();
            self.messages.push_back((subject, payload));
        }
        fits
    }

    /// Takes the oldest message.
    pub(crate) fn pop(&mut self) -> Option<(Subject, Bytes)> {
        let (subject, payload) = self.messages.pop_front()?;
        self.bytes -= payload.len();
        Some((subject, payload))
    }

    /// Removes all messages and returns their number.
    pub(crate) fn clear(&mut self) -> usize {
        self.bytes = 0;
        std::mem::take(&mut self.messages).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_bounded_in_number() {
        let mut backlog = Backlog::default();
        for _ in 0..MESSAGES_MAX {
            assert!(backlog.push(Subject::All, Bytes::new()));
        }
        assert!(!backlog.push(Subject::All, Bytes::new()));
        assert!(backlog.pop().is_some());
        assert!(backlog.push(Subject::All, Bytes::new()), "there is room again");
    }

    #[test]
    fn it_is_bounded_in_bytes() {
        let mut backlog = Backlog::default();
        let half = Bytes::from(vec![0; BYTES_MAX / 2]);
        assert!(backlog.push(Subject::All, half.clone()));
        assert!(backlog.push(Subject::All, half.clone()));
        assert!(!backlog.push(Subject::All, Bytes::from_static(b"x")));
        assert_eq!(backlog.clear(), 2);
        assert!(backlog.push(Subject::All, half));
    }
}
