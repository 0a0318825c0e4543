//! The subjects that a node is subscribed to.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::{Subject, Subscription};

/// The subscriptions of a node, counted by subject.
#[derive(Debug, Default)]
pub(crate) struct Interests {
    state: Mutex<State>,
    /// Notified of a subject's first subscription, and of the end of its last.
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    counts: HashMap<Subject, usize>,
    /// Subjects whose first subscription began or whose last ended: a set, so that a short-lived one is in it
    /// once. `None` if nobody takes the changes.
    changed: Option<HashSet<Subject>>,
}

impl Interests {
    /// Subscriptions whose changes are taken.
    pub(crate) fn with_changes() -> Self {
        let state = State { changed: Some(HashSet::new()), ..State::default() };
        Self { state: Mutex::new(state), ..Self::default() }
    }

    /// Subscribes to a subject until the subscription is dropped.
    pub(crate) fn subscribe(self: &Arc<Self>, subject: Subject) -> Subscription {
        let mut state = self.state.lock();
        let count = state.counts.entry(subject).or_default();
        *count += 1;
        if *count == 1 {
            state.note_change(subject);
            self.changed.notify_one();
        }
        drop(state);
        let interests = Arc::clone(self);
        Subscription::until(move || interests.unsubscribe(subject))
    }

    fn unsubscribe(&self, subject: Subject) {
        let mut state = self.state.lock();
        let Some(count) = state.counts.get_mut(&subject) else { return };
        *count -= 1;
        if *count == 0 {
            state.counts.remove(&subject);
            state.note_change(subject);
            self.changed.notify_one();
        }
    }

    /// Whether there is a subscription to the subject.
    pub(crate) fn includes(&self, subject: Subject) -> bool {
        self.state.lock().counts.contains_key(&subject)
    }

    /// Waits until something has changed since [`Self::take_changed`].
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Wakes [`Self::changed`] although nothing has changed.
    pub(crate) fn look_again(&self) {
        self.changed.notify_one();
    }

    /// The subjects that may have changed, each with whether it is subscribed now.
    pub(crate) fn take_changed(&self) -> Vec<(Subject, bool)> {
        let mut state = self.state.lock();
        let changed = state.changed.as_mut().map(std::mem::take).unwrap_or_default();
        changed.into_iter().map(|subject| (subject, state.counts.contains_key(&subject))).collect()
    }

    /// All subscribed subjects, including all changes until now.
    pub(crate) fn take_all(&self) -> Vec<Subject> {
        let mut state = self.state.lock();
        if let Some(changed) = &mut state.changed {
            changed.clear();
        }
        state.counts.keys().copied().collect()
    }
}

impl State {
    fn note_change(&mut self, subject: Subject) {
        if let Some(changed) = &mut self.changed {
            changed.insert(subject);
        }
    }
}
