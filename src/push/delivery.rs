//! Delivers messages to push services independently of each other: tries again if a service is busy, and ends
//! the subscription of a browser that no longer exists.

use std::{sync::Arc, time::Duration};

use lusoria_push::{Endpoint, Receiver};
use lusoria_store::{PushSubscription, PushTarget};
use ring::rand::SystemRandom;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::task::TaskTracker;

use super::{
    PushAnswer, PushRequest, PushSender,
    message::{self, Message},
};
use crate::{app::App, live::PushOccasion};

/// The most messages in delivery, including those that wait for another attempt. More are dropped.
const UNDER_WAY_MAX: usize = 1024;

/// How many requests are sent at the same time.
const AT_ONCE: usize = 32;

/// How long a request may take, including its connection.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// The pause before each further attempt.
const PAUSES: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_mins(2)];

/// The longest `Retry-After` that is respected.
const RETRY_AFTER_MAX: Duration = Duration::from_mins(2);

/// How long a signature is valid, in milliseconds. Push services allow at most a day (RFC 8292 2).
const SIGNED_FOR_MS: u64 = 12 * 3_600_000;

/// Messages in delivery.
pub(super) struct Deliveries {
    app: Arc<App>,
    sender: Arc<dyn PushSender>,
    tasks: TaskTracker,
    under_way: Arc<Semaphore>,
    sending: Arc<Semaphore>,
}

/// The result of an attempt.
enum Attempt {
    /// The push service has accepted the message.
    Sent,
    /// The browser no longer exists.
    Gone,
    /// Another attempt may succeed, after this time if the push service gave one.
    Failed(Option<Duration>),
    /// Another attempt would fail too.
    Refused,
}

impl Deliveries {
    pub(super) fn new(app: &Arc<App>, sender: Arc<dyn PushSender>, tasks: &TaskTracker) -> Self {
        Self {
            app: Arc::clone(app),
            sender,
            tasks: tasks.clone(),
            under_way: Arc::new(Semaphore::new(UNDER_WAY_MAX)),
            sending: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }

    /// Starts to deliver a message to a browser. Does not wait for it.
    pub(super) fn begin(&self, to: PushSubscription, occasion: PushOccasion, message: &Message) {
        let Ok(permit) = Arc::clone(&self.under_way).try_acquire_owned() else {
            return count("dropped");
        };
        let Some(delivery) = self.delivery(to, occasion, message, permit) else { return };
        let stopping = self.app.live().stopping().clone();
        self.tasks.spawn(async move { stopping.run_until_cancelled(delivery.run()).await });
    }

    fn delivery(
        &self,
        to: PushSubscription,
        occasion: PushOccasion,
        message: &Message,
        permit: OwnedSemaphorePermit,
    ) -> Option<Delivery> {
        let PushTarget { endpoint, key, auth } = &to.target;
        // The operator may have changed the hosts since the endpoint was stored.
        let endpoint = Endpoint::read(endpoint, self.app.push_hosts().ok()?);
        let body = Receiver::stored(*key, *auth)
            .encrypt(&message.written(to.language.as_deref()), &SystemRandom::new());
        match (endpoint, body) {
            (Ok(endpoint), Ok(body)) => Some(Delivery {
                app: Arc::clone(&self.app),
                sender: Arc::clone(&self.sender),
                sending: Arc::clone(&self.sending),
                message: message.clone(),
                occasion,
                to,
                endpoint,
                body,
                _under_way: UnderWay::new(permit),
            }),
            (Err(why), _) => {
                tracing::debug!(%why, "sends no push message");
                count("refused");
                None
            }
            (_, Err(why)) => {
                tracing::warn!(%why, "could not encrypt a push message; dropping it");
                count("failed");
                None
            }
        }
    }
}

/// A message in delivery to a browser.
struct Delivery {
    app: Arc<App>,
    sender: Arc<dyn PushSender>,
    sending: Arc<Semaphore>,
    message: Message,
    occasion: PushOccasion,
    to: PushSubscription,
    endpoint: Endpoint,
    body: Vec<u8>,
    _under_way: UnderWay,
}

impl Delivery {
    async fn run(mut self) {
        let mut pauses = PAUSES.into_iter();
        loop {
            match self.attempt().await {
                Attempt::Sent => return count("sent"),
                Attempt::Gone => return self.end_subscription().await,
                Attempt::Refused => return count("refused"),
                Attempt::Failed(asked) => {
                    let Some(pause) = pauses.next() else { return count("failed") };
                    let pause = asked.map_or(pause, |asked| asked.max(pause));
                    if pause > RETRY_AFTER_MAX {
                        return count("failed");
                    }
                    sleep(pause).await;
                    if !self.is_still_wanted().await {
                        return count("dropped");
                    }
                }
            }
        }
    }

    /// Whether the message is still wanted. Meanwhile the player may have signed out there, somebody else may
    /// have signed in, or the message may be outdated.
    async fn is_still_wanted(&mut self) -> bool {
        let (live, to) = (self.app.live(), &self.to);
        let targets = live.store().push_targets(to.guest, live.now()).await.unwrap_or_default();
        let is_known = targets.iter().any(|known| known.id == to.id && known.target == to.target);
        match message::of(live, self.occasion).await {
            Ok(Some(message)) if is_known => {
                self.message = message;
                true
            }
            Ok(_) | Err(_) => false,
        }
    }

    async fn attempt(&self) -> Attempt {
        let _turn = self.sending.acquire().await.expect("it is never closed");
        let Some(request) = self.request().await else { return Attempt::Refused };
        let host = self.endpoint.host();
        match timeout(ANSWERED_WITHIN, self.sender.send(request)).await {
            Ok(Ok(PushAnswer { status: 200..=299, .. })) => Attempt::Sent,
            Ok(Ok(PushAnswer { status: 404 | 410, .. })) => Attempt::Gone,
            Ok(Ok(PushAnswer { status: status @ (429 | 500..=599), retry_after })) => {
                tracing::info!(host, status, "a push service is busy");
                Attempt::Failed(retry_after)
            }
            Ok(Ok(PushAnswer { status, .. })) => {
                tracing::warn!(host, status, "a push service has refused a message; dropping it");
                Attempt::Refused
            }
            Ok(Err(why)) => {
                tracing::info!(host, %why, "a push service could not be reached");
                Attempt::Failed(None)
            }
            Err(_) => {
                tracing::info!(host, "a push service does not answer");
                Attempt::Failed(None)
            }
        }
    }

    async fn request(&self) -> Option<PushRequest> {
        let key = self.app.signing_key().await.ok()?;
        let (subject, until) = (self.app.push_subject(), (self.app.now() + SIGNED_FOR_MS) / 1_000);
        let origin = self.endpoint.origin();
        let authorization = key.authorization(origin, subject.as_deref(), until, &SystemRandom::new());
        Some(PushRequest {
            endpoint: self.endpoint.clone(),
            authorization: authorization.ok()?,
            ttl_s: self.message.ttl_s,
            urgency: if self.message.is_urgent { "high" } else { "normal" },
            topic: self.message.topic.clone(),
            body: self.body.clone(),
        })
    }

    /// Ends the subscription of a browser that no longer exists.
    async fn end_subscription(&self) {
        count("gone");
        let PushSubscription { guest, id, .. } = self.to;
        if let Err(error) = self.app.live().store().remove_push_subscription(guest, id).await {
            tracing::warn!(%error, "could not end a push subscription; trying again with the next message");
        }
    }
}

/// Counts a message in delivery in the metrics.
struct UnderWay(#[expect(dead_code, reason = "it is held")] OwnedSemaphorePermit);

impl UnderWay {
    fn new(permit: OwnedSemaphorePermit) -> Self {
        metrics::gauge!("lusoria_pushes_waiting").increment(1);
        Self(permit)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        metrics::gauge!("lusoria_pushes_waiting").decrement(1);
    }
}

/// Counts the outcome of a message.
pub(super) fn count(outcome: &'static str) {
    metrics::counter!("lusoria_pushes_total", "outcome" => outcome).increment(1);
}
