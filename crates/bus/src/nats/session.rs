//! A connection while it lasts.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::atomic::Ordering,
    task::{Context, Poll},
    time::Duration,
};

use async_nats::{Client, Event, Message, RequestErrorKind, Subscriber, connection::State};
use futures_util::{
    Stream, StreamExt,
    future::BoxFuture,
    stream::{AbortHandle, Abortable, FuturesUnordered, SelectAll},
};
use tokio::{
    sync::{mpsc, oneshot},
    time::{MissedTickBehavior, interval},
};

use super::{Shared, connect::Connection};
use crate::{PAYLOAD_MAX, Subject, count_dropped};

/// How often less urgent work is checked.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// On this subject nodes tell each other that some of their messages were not sent.
const GAP: &str = "gap";

/// Nobody ever subscribes to this subject: the server says so when it has read everything sent before.
const NOBODY: &str = "nobody";

/// A connection, with its subscriptions.
pub(super) struct Session<'a> {
    shared: &'a Shared,
    client: Client,
    events: mpsc::Receiver<Event>,
    messages: SelectAll<Abortable<Heard>>,
    held: HashMap<Subject, AbortHandle>,
    /// Questions to the server without a response.
    checks: FuturesUnordered<BoxFuture<'static, Checked>>,
    is_interrupted: bool,
}

/// The client has ended, because it could not reconnect.
struct Lost;

/// A question to the server was answered, or timed out.
struct Checked {
    why: Check,
    is_answered: bool,
}

/// Why to ask whether the server has read everything.
enum Check {
    /// It was away: missed data can be read once all subscriptions are active again.
    Gap,
    /// A caller waits until it knows all subscriptions.
    Settled(Vec<oneshot::Sender<()>>),
}

/// A message from a subscription, with its subject; `None` is [`GAP`].
struct Heard {
    subject: Option<Subject>,
    subscriber: Subscriber,
}

impl Stream for Heard {
    type Item = (Option<Subject>, Message);

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let subject = self.subject;
        self.subscriber.poll_next_unpin(context).map(|message| Some((subject, message?)))
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(shared: &'a Shared, Connection { client, events }: Connection) -> Self {
        Self {
            shared,
            client,
            events,
            messages: SelectAll::new(),
            held: HashMap::new(),
            checks: FuturesUnordered::new(),
            is_interrupted: false,
        }
    }

    /// Carries messages until the connection is lost.
    pub(super) async fn run(&mut self, is_first: bool) {
        // The only error is that the connection is lost.
        let _ = self.try_run(is_first).await;
    }

    async fn try_run(&mut self, is_first: bool) -> Result<(), Lost> {
        self.listen(None, GAP).await?;
        let subjects = self.shared.interests.take_all();
        // Before the first connection there were no subscriptions, unless connecting took long.
        let may_have_missed = !is_first || !subjects.is_empty();
        for subject in subjects {
            self.listen(Some(subject), &subject.name()).await?;
        }
        self.shared.set_connected(true);
        if may_have_missed {
            self.check(Check::Gap);
        }
        self.follow_interests().await?;
        let mut looks = interval(LOOK_EVERY);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                Some(event) = self.events.recv() => self.note(&event),
                heard = self.messages.next() => self.hear(heard.ok_or(Lost)?),
                Some(checked) = self.checks.next() => self.conclude(checked),
                () = self.shared.interests.changed() => self.follow_interests().await?,
                () = self.shared.filled.notified() => self.send().await?,
                _ = looks.tick() => self.look().await?,
            }
        }
    }

    /// Sends the queued messages.
    pub(super) async fn finish(&mut self) {
        // If the connection is lost there is nothing more to do.
        let _ = self.send().await;
        let _ = self.client.flush().await;
    }

    async fn listen(&mut self, subject: Option<Subject>, name: &str) -> Result<(), Lost> {
        let subscriber = self.client.subscribe(self.named(name)).await.map_err(|_| Lost)?;
        let (handle, registration) = AbortHandle::new_pair();
        self.messages.push(Abortable::new(Heard { subject, subscriber }, registration));
        if let Some(subject) = subject {
            self.held.insert(subject, handle);
        }
        Ok(())
    }

    async fn follow_interests(&mut self) -> Result<(), Lost> {
        for (subject, is_wanted) in self.shared.interests.take_changed() {
            match (is_wanted, self.held.contains_key(&subject)) {
                (true, false) => self.listen(Some(subject), &subject.name()).await?,
                (false, true) => {
                    if let Some(handle) = self.held.remove(&subject) {
                        handle.abort();
                    }
                }
                (true, true) | (false, false) => {}
            }
        }
        if !self.is_interrupted {
            let settling = std::mem::take(&mut *self.shared.settling.lock());
            if !settling.is_empty() {
                self.check(Check::Settled(settling));
            }
        }
        Ok(())
    }

    async fn send(&mut self) -> Result<(), Lost> {
        loop {
            let next = self.shared.outbox.lock().pop();
            let Some((subject, payload)) = next else { return Ok(()) };
            let name = self.named(&subject.name());
            self.client.publish(name, payload).await.map_err(|_| Lost)?;
            metrics::counter!("lusoria_bus_published_total").increment(1);
        }
    }

    /// Tells the others if messages to them were dropped, and finds changes that were not reported.
    async fn look(&mut self) -> Result<(), Lost> {
        match (self.client.connection_state(), self.is_interrupted) {
            (State::Connected, true) => self.resume(),
            (State::Disconnected, false) => self.interrupt(),
            (State::Connected, false) | (State::Disconnected, true) | (State::Pending, _) => {}
        }
        if !self.is_interrupted && self.shared.owes_gap.swap(false, Ordering::Relaxed) {
            self.client.publish(self.named(GAP), bytes::Bytes::new()).await.map_err(|_| Lost)?;
        }
        Ok(())
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Disconnected => self.interrupt(),
            Event::Connected if self.is_interrupted => self.resume(),
            Event::SlowConsumer(_) => {
                count_dropped("slow_consumer", 1);
                self.shared.inbox.note_gap();
            }
            // The end is seen in the messages, whose streams end.
            Event::Connected
            | Event::LameDuckMode
            | Event::Draining
            | Event::Closed
            | Event::ServerError(_)
            | Event::ClientError(_) => {}
        }
    }

    fn interrupt(&mut self) {
        self.is_interrupted = true;
        self.shared.set_connected(false);
    }

    /// The client has reconnected by itself and subscribed to everything.
    fn resume(&mut self) {
        self.is_interrupted = false;
        self.shared.set_connected(true);
        self.check(Check::Gap);
        // Callers that wait for subscriptions may have waited for this.
        self.shared.interests.look_again();
    }

    fn hear(&self, (subject, message): (Option<Subject>, Message)) {
        let Some(subject) = subject else {
            self.shared.inbox.note_gap();
            return;
        };
        metrics::counter!("lusoria_bus_received_total").increment(1);
        if message.payload.len() > PAYLOAD_MAX {
            count_dropped("too_large", 1);
        } else {
            self.shared.inbox.put(subject, message.payload);
        }
    }

    /// Asks the server something that it answers only after everything sent before.
    fn check(&mut self, why: Check) {
        let (client, nobody) = (self.client.clone(), self.named(NOBODY));
        self.checks.push(Box::pin(async move {
            let answer = client.request(nobody, bytes::Bytes::new()).await;
            let is_answered = match answer {
                Ok(_) => true,
                Err(error) => error.kind() == RequestErrorKind::NoResponders,
            };
            Checked { why, is_answered }
        }));
    }

    fn conclude(&mut self, Checked { why, is_answered }: Checked) {
        match why {
            // Better once too often than never.
            Check::Gap => self.shared.inbox.note_gap(),
            Check::Settled(settling) if is_answered => {
                for settled in settling {
                    // The caller may no longer wait.
                    let _ = settled.send(());
                }
            }
            Check::Settled(settling) => {
                self.shared.settling.lock().extend(settling);
                self.shared.interests.look_again();
            }
        }
    }

    fn named(&self, name: &str) -> String {
        format!("{}{name}", self.shared.prefix)
    }
}
