//! Brings messages to push services, each on its own: again if one is busy, and never again to a browser that is gone.

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

/// How many messages are under way at most, those that wait for another attempt too. Further ones are dropped.
const UNDER_WAY_MAX: usize = 1024;

/// How many requests are sent at the same time.
const AT_ONCE: usize = 32;

/// How long a request may take, with its connection.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// How long to wait before each further attempt.
const PAUSES: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_mins(2)];

/// The longest `Retry-After` that is waited for.
const RETRY_AFTER_MAX: Duration = Duration::from_mins(2);

/// For how long a signature is good. Push services take a day at most (RFC 8292 2).
const SIGNED_FOR_MS: u64 = 12 * 3_600_000;

/// Messages on their way to push services.
pub(super) struct Deliveries {
    app: Arc<App>,
    sender: Arc<dyn PushSender>,
    tasks: TaskTracker,
    under_way: Arc<Semaphore>,
    sending: Arc<Semaphore>,
}

/// What became of an attempt.
enum Attempt {
    /// The push service has taken the message.
    Sent,
    /// There is no such browser any more.
    Gone,
    /// It is worth another attempt, after so long if the push service said so.
    Failed(Option<Duration>),
    /// It never will be.
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

    /// Begins to bring a message to a browser. Does not wait for it.
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
        // The operator may have changed the hosts since it was stored.
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
                tracing::warn!(%why, "could not encrypt a push message; going on without it");
                count("failed");
                None
            }
        }
    }
}

/// A message on its way to a browser.
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

    /// Whether the browser is still to be told, and for how long: meanwhile the player may have signed out there, or
    /// somebody else have signed in, or there may be nothing to tell any more.
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
                tracing::warn!(host, status, "a push service has refused a message; going on without it");
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

    /// Ends the subscription of a browser that is gone.
    async fn end_subscription(&self) {
        count("gone");
        let PushSubscription { guest, id, .. } = self.to;
        if let Err(error) = self.app.live().store().remove_push_subscription(guest, id).await {
            tracing::warn!(%error, "could not end a push subscription; trying again with the next message");
        }
    }
}

/// Counts a message that is under way in the metrics.
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

/// Counts what became of a message.
pub(super) fn count(outcome: &'static str) {
    metrics::counter!("lusoria_pushes_total", "outcome" => outcome).increment(1);
}
