//! A node as the world knows it, and what holds it up from outside: its process may stand still, or be killed.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use lusoria_bus::{Bus, Delivery, HubBus, Subject, Subscription};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::weather::Weather;

/// How long after all that was wrong with a node of several is over it may still excuse itself: until it has
/// beaten, looked at its matches, and put its time right.
pub(super) const RECOVERS_MS: u64 = 5_000;

/// What the world knows of a node, from one life to the next.
#[derive(Default)]
pub(super) struct NodeState {
    /// How its way to the store is.
    pub(super) weather: Weather,
    /// Since when it runs; none while it does not.
    pub(super) up_since: Option<u64>,
    /// Whether it was told to stop.
    pub(super) stopping: bool,
    /// Whether it stands still.
    pub(super) paused: bool,
    /// When it last went on.
    pub(super) resumed_at: u64,
    /// When it last said that it can serve; none while it says that it cannot.
    pub(super) serves_since: Option<u64>,
    /// When its sockets were last closed for a reason of its own.
    pub(super) interrupted_at: Option<u64>,
}

impl NodeState {
    /// Since when nothing has been wrong with it; none if something is.
    pub(super) fn well_since(&self, now: u64) -> Option<u64> {
        let (fair, up) = (self.weather.fair_since(now)?, self.up_since?);
        (!self.stopping && !self.paused).then_some(fair.max(up).max(self.resumed_at))
    }
}

/// Whether a process goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Pace {
    /// It runs.
    #[default]
    Runs,
    /// It stands still for a while.
    Paused,
    /// It was killed.
    Dead,
}

/// What everything between a process and the outside goes through.
#[derive(Default)]
pub(super) struct Gate {
    pace: Mutex<Pace>,
    changed: Notify,
}

impl Gate {
    pub(super) fn set(&self, pace: Pace) {
        let mut now = self.pace.lock();
        if *now != Pace::Dead {
            *now = pace;
        }
        drop(now);
        self.changed.notify_waiters();
    }

    pub(super) fn pace(&self) -> Pace {
        *self.pace.lock()
    }

    /// Waits while the process stands still. False if it has been killed.
    pub(super) async fn goes_on(&self) -> bool {
        loop {
            let changed = self.changed.notified();
            match self.pace() {
                Pace::Runs => return true,
                Pace::Dead => return false,
                Pace::Paused => changed.await,
            }
        }
    }

    /// The same; never returns if it has been killed.
    pub(super) async fn pass(&self) {
        if !self.goes_on().await {
            std::future::pending::<()>().await;
        }
    }
}

/// The bus of a process.
pub(super) struct GatedBus {
    pub(super) inner: HubBus,
    pub(super) gate: Arc<Gate>,
}

impl Bus for GatedBus {
    fn publish(&self, subject: Subject, payload: Bytes) {
        if self.gate.pace() == Pace::Runs {
            self.inner.publish(subject, payload);
        }
    }

    fn subscribe(&self, subject: Subject) -> Subscription {
        self.inner.subscribe(subject)
    }

    fn next(&self) -> BoxFuture<'_, Option<Delivery>> {
        Box::pin(async {
            self.gate.pass().await;
            let delivery = self.inner.next().await;
            self.gate.pass().await;
            delivery
        })
    }

    fn is_connected(&self) -> bool {
        self.inner.is_connected()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.inner.close()
    }
}
