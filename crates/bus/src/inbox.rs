//! The inbox of a node.

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::{Delivery, Subject, backlog::Backlog, count_dropped};

/// Messages of other nodes, and whether some may have been lost.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    state: Mutex<State>,
    /// Notified of every change; stores one notification for a task that does not wait yet.
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    messages: Backlog,
    has_gap: bool,
    is_closed: bool,
}

impl Inbox {
    /// Adds a message. If it does not fit it is dropped and counted, and leaves a gap.
    pub(crate) fn put(&self, subject: Subject, payload: Bytes) {
        let mut state = self.state.lock();
        if !state.messages.push(subject, payload) {
            count_dropped("inbox_full", 1);
            state.note_gap();
        }
        drop(state);
        self.changed.notify_one();
    }

    /// Notes that messages may have been lost.
    pub(crate) fn note_gap(&self) {
        self.state.lock().note_gap();
        self.changed.notify_one();
    }

    /// Closes it: waiting messages are lost.
    pub(crate) fn close(&self) {
        self.state.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for the next delivery, a gap first; `None` when it is closed.
    pub(crate) async fn next(&self) -> Option<Delivery> {
        loop {
            if let Some(next) = self.state.lock().take() {
                return next;
            }
            self.changed.notified().await;
        }
    }
}

impl State {
    fn note_gap(&mut self) {
        if !self.has_gap {
            self.has_gap = true;
            metrics::counter!("lusoria_bus_gaps_total").increment(1);
        }
    }

    /// The next delivery, if there is one: `Some(None)` is the end.
    #[expect(clippy::option_option, reason = "no delivery yet and the end are different")]
    fn take(&mut self) -> Option<Option<Delivery>> {
        if self.is_closed {
            return Some(None);
        }
        if std::mem::take(&mut self.has_gap) {
            return Some(Some(Delivery::Gap));
        }
        let (subject, payload) = self.messages.pop()?;
        Some(Some(Delivery::Message { subject, payload }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PAYLOAD_MAX;

    #[tokio::test]
    async fn an_overflow_leaves_one_gap() {
        let inbox = Inbox::default();
        let payload = Bytes::from(vec![1; PAYLOAD_MAX]);
        for _ in 0..1000 {
            inbox.put(Subject::All, payload.clone());
        }
        assert_eq!(inbox.next().await, Some(Delivery::Gap));
        let message = Delivery::Message { subject: Subject::All, payload: payload.clone() };
        for _ in 0..256 {
            assert_eq!(inbox.next().await, Some(message.clone()));
        }
        inbox.put(Subject::Lobby, Bytes::new());
        let next = inbox.next().await;
        assert_eq!(next, Some(Delivery::Message { subject: Subject::Lobby, payload: Bytes::new() }));
    }

    #[tokio::test]
    async fn the_end_is_returned_repeatedly() {
        let inbox = Inbox::default();
        inbox.note_gap();
        inbox.close();
        assert_eq!(inbox.next().await, None);
        assert_eq!(inbox.next().await, None);
    }
}
