//! A cluster's bus over NATS.

mod complaints;
mod connect;
mod options;
mod session;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::{
    sync::{Notify, oneshot},
    task::JoinHandle,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use complaints::{Complaints, What};
use connect::{Connection, NotConnected};
use session::Session;

use crate::{
    Bus, Delivery, PAYLOAD_MAX, Subject, Subscription, backlog::Backlog, count_dropped, inbox::Inbox,
    interests::Interests,
};

pub use options::{BadNatsUrl, NatsError, NatsOptions, NatsUrl};

/// The shortest and longest pause between attempts to connect.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];

/// How long a connection must have lasted for the next one to be made at once.
const LASTING: Duration = Duration::from_secs(5);

/// How long closing may take.
const CLOSES_WITHIN: Duration = Duration::from_secs(1);

/// Carries messages over NATS, on subjects such as `lusoria.{cluster}.match.{id}`. It connects by itself,
/// repeatedly; while it is not connected nothing is carried.
#[derive(Debug)]
pub struct NatsBus {
    shared: Arc<Shared>,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// State shared by the bus and its task.
#[derive(Debug)]
struct Shared {
    /// The prefix of the cluster's subjects.
    prefix: String,
    interests: Arc<Interests>,
    inbox: Inbox,
    outbox: Mutex<Backlog>,
    /// Notified when something was put into the outbox.
    filled: Notify,
    is_connected: AtomicBool,
    /// Whether a message to others was dropped, and they have not been told yet.
    owes_gap: AtomicBool,
    /// Callers that wait until NATS knows all subscriptions.
    settling: Mutex<Vec<oneshot::Sender<()>>>,
    closing: CancellationToken,
}

impl NatsBus {
    /// Starts connecting to NATS, without waiting for it. Only nodes of the same cluster receive each other's
    /// messages. Must be called in a Tokio runtime.
    ///
    /// # Errors
    /// If a file that the options name cannot be read.
    pub fn start(options: NatsOptions, cluster: Uuid) -> Result<Self, NatsError> {
        options.check_files()?;
        let shared = Arc::new(Shared {
            prefix: format!("lusoria.{}.", cluster.hyphenated()),
            interests: Arc::new(Interests::with_changes()),
            inbox: Inbox::default(),
            outbox: Mutex::default(),
            filled: Notify::new(),
            is_connected: AtomicBool::new(false),
            owes_gap: AtomicBool::new(false),
            settling: Mutex::default(),
            closing: CancellationToken::new(),
        });
        let task = tokio::spawn(run(Arc::clone(&shared), options));
        Ok(Self { shared, task: Mutex::new(Some(task)) })
    }

    /// Waits until NATS is connected and knows every subscription made or ended so far.
    pub async fn settled(&self) {
        let (settled, waits) = oneshot::channel();
        self.shared.settling.lock().push(settled);
        self.shared.interests.look_again();
        // If the bus is closed, there is nothing to wait for.
        self.shared.closing.run_until_cancelled(waits).await;
    }
}

impl Bus for NatsBus {
    fn publish(&self, subject: Subject, payload: Bytes) {
        let dropped = if payload.len() > PAYLOAD_MAX {
            "too_large"
        } else if !self.is_connected() {
            "disconnected"
        } else if !self.shared.outbox.lock().push(subject, payload) {
            "outbox_full"
        } else {
            self.shared.filled.notify_one();
            return;
        };
        count_dropped(dropped, 1);
        self.shared.owes_gap.store(true, Ordering::Relaxed);
    }

    fn subscribe(&self, subject: Subject) -> Subscription {
        self.shared.interests.subscribe(subject)
    }

    fn next(&self) -> BoxFuture<'_, Option<Delivery>> {
        Box::pin(self.shared.inbox.next())
    }

    fn is_connected(&self) -> bool {
        self.shared.is_connected.load(Ordering::Relaxed)
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.shared.closing.cancel();
            let task = self.task.lock().take();
            if let Some(task) = task {
                // If it has panicked, it is closed as well.
                let _ = task.await;
            }
        })
    }
}

impl Drop for NatsBus {
    fn drop(&mut self) {
        self.shared.closing.cancel();
    }
}

impl Shared {
    fn set_connected(&self, is_connected: bool) {
        self.is_connected.store(is_connected, Ordering::Relaxed);
        metrics::gauge!("lusoria_bus_connected").set(if is_connected { 1.0 } else { 0.0 });
        if !is_connected {
            let dropped = self.outbox.lock().clear();
            if dropped > 0 {
                count_dropped("disconnected", dropped as u64);
                self.owes_gap.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Connects and carries messages, repeatedly, until the bus is closed.
async fn run(shared: Arc<Shared>, options: NatsOptions) {
    connections(&shared, &options).await;
    shared.inbox.close();
}

async fn connections(shared: &Shared, options: &NatsOptions) {
    let mut complaints = Complaints::default();
    let mut pause = PAUSES[0];
    let mut is_first = true;
    while let Some(connected) = shared.closing.run_until_cancelled(connect::connect(options)).await {
        match connected {
            Ok(connection) => {
                let since = Instant::now();
                if complaints.may_say(What::Connected, since) {
                    tracing::info!(nats = %options.url, "connected to NATS");
                }
                carry(shared, connection, is_first).await;
                is_first = false;
                if shared.closing.is_cancelled() {
                    return;
                }
                if complaints.may_say(What::Lost, Instant::now()) {
                    tracing::warn!(nats = %options.url, "the connection to NATS was lost; reconnecting");
                }
                if since.elapsed() >= LASTING {
                    pause = PAUSES[0];
                }
            }
            Err(error) => complain(&mut complaints, options, &error),
        }
        shared.closing.run_until_cancelled(tokio::time::sleep(pause)).await;
        pause = (pause * 2).min(PAUSES[1]);
    }
}

/// Carries messages over a connection until it is lost, or until the bus is closed; then sends the queued
/// messages.
async fn carry(shared: &Shared, connection: Connection, is_first: bool) {
    let mut session = Session::new(shared, connection);
    let lost = shared.closing.run_until_cancelled(session.run(is_first)).await;
    if lost.is_none() {
        // What cannot be sent by then is lost, as any message may be.
        let _ = timeout(CLOSES_WITHIN, session.finish()).await;
    }
    shared.set_connected(false);
}

fn complain(complaints: &mut Complaints, options: &NatsOptions, error: &NotConnected) {
    let what = error.what();
    if !complaints.may_say(what, Instant::now()) {
        return;
    }
    let nats = &options.url;
    match what {
        What::Refused => tracing::error!(
            %nats,
            "NATS refuses {}; messages between nodes are delayed until that is corrected",
            options.identity()
        ),
        What::CredentialsFile | What::Unreachable | What::Connected | What::Lost => tracing::warn!(
            %nats,
            %error,
            "cannot connect to NATS; messages between nodes are delayed until it can be reached"
        ),
    }
}
