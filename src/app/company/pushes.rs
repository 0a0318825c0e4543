//! Push subscriptions, and the key that signs messages to push services. `push` sends.

use lusoria_protocol::{
    Code, LanguageTag, Problem, PushKeys, PushServerKey, PushSubscription as WirePushSubscription,
    PushSubscriptionList, PutPushSubscription,
};
use lusoria_push::{Endpoint, EndpointError, Hosts, Receiver, ReceiverError, ServerKey};
use lusoria_store::{KeyPurpose, PushSubscription, PushSubscriptionId, PushTarget, SecretKey};
use ring::rand::SystemRandom;
use tokio::sync::OnceCell;

use crate::{
    app::{App, Caller, problem},
    config::Site,
};

/// Whether and where this server sends push messages.
pub(in crate::app) struct Pushes {
    /// The allowed hosts; none if push messages are off.
    hosts: Option<Hosts>,
    /// Read from the store when it is first needed.
    key: OnceCell<ServerKey>,
}

impl Pushes {
    pub(in crate::app) fn new(site: &Site) -> Self {
        Self { hosts: site.sends_push().then(|| Hosts::and(site.push_host.clone())), key: OnceCell::new() }
    }
}

impl App {
    /// The hosts to which this server may send push messages.
    ///
    /// # Errors
    /// `no_push`.
    pub fn push_hosts(&self) -> Result<&Hosts, Problem> {
        self.pushes.hosts.as_ref().ok_or_else(problem::no_push)
    }

    /// The key with which this server signs. The first node that needs it creates it.
    ///
    /// # Errors
    /// `no_push`; `unavailable`; `internal` if the system has no random bytes, or the stored key is invalid.
    pub async fn signing_key(&self) -> Result<&ServerKey, Problem> {
        self.push_hosts()?;
        let read = async || {
            let random = SystemRandom::new();
            let made = ServerKey::generate(&random).map_err(failed)?;
            let stored =
                self.store().server_key(KeyPurpose::Push, SecretKey(made)).await.map_err(problem::store)?;
            ServerKey::read(&stored.0, &random).map_err(failed)
        };
        self.pushes.key.get_or_try_init(read).await
    }

    /// The contact address that push services are given.
    pub fn push_subject(&self) -> Option<String> {
        let url = self.site.public_url.as_ref().filter(|url| url.is_https())?;
        Some(url.origin())
    }

    /// The key that browsers need to subscribe.
    ///
    /// # Errors
    /// As [`Self::signing_key`].
    pub async fn push_server_key(&self) -> Result<PushServerKey, Problem> {
        let key = self.signing_key().await?.public();
        Ok(PushServerKey { key: key.try_into().map_err(|_| problem::internal())? })
    }

    /// Adds or replaces a push subscription of the caller.
    ///
    /// # Errors
    /// `no_push`; `push_endpoint_refused`; `invalid_body` if the keys are invalid; `unknown_token`,
    /// `token_expired` or `blocked` if the caller lost access meanwhile; `unavailable`.
    pub async fn put_push_subscription(
        &self,
        caller: &Caller,
        request: &PutPushSubscription,
    ) -> Result<WirePushSubscription, Problem> {
        let endpoint = Endpoint::read(request.endpoint.as_str(), self.push_hosts()?).map_err(refused)?;
        let receiver = receiver(&request.keys)?;
        let created_at = self.live.now();
        let new = PushSubscription {
            id: PushSubscriptionId(self.new_id(created_at)),
            guest: caller.id(),
            bearer: caller.push_bearer(),
            target: PushTarget {
                endpoint: endpoint.url().to_owned(),
                key: *receiver.key(),
                auth: *receiver.auth(),
            },
            language: request.language.as_ref().map(|language| language.as_str().to_owned()),
            created_at,
        };
        match self.store().put_push_subscription(new).await.map_err(problem::store)? {
            Some(stored) => Ok(wire_subscription(&stored, caller)),
            None => Err(self.authenticate_again(caller).await.err().unwrap_or_else(problem::unknown_token)),
        }
    }

    /// The push subscriptions of a guest, the newest first.
    ///
    /// # Errors
    /// `unavailable`.
    pub async fn push_subscriptions(&self, caller: &Caller) -> Result<PushSubscriptionList, Problem> {
        let found = self.store().push_subscriptions(caller.id()).await.map_err(problem::store)?;
        let subscriptions = found.iter().map(|one| wire_subscription(one, caller)).collect();
        Ok(PushSubscriptionList { subscriptions })
    }

    /// Ends a push subscription.
    ///
    /// # Errors
    /// `no_such_push_subscription`; `unavailable`.
    pub async fn remove_push_subscription(
        &self,
        caller: &Caller,
        id: PushSubscriptionId,
    ) -> Result<(), Problem> {
        let removed = self.store().remove_push_subscription(caller.id(), id).await;
        let removed = removed.map_err(problem::store)?;
        if removed { Ok(()) } else { Err(problem::no_such_push_subscription(id)) }
    }
}

fn receiver(PushKeys { p256dh, auth }: &PushKeys) -> Result<Receiver, Problem> {
    let read = Receiver::read(p256dh.as_str(), auth.as_str(), &SystemRandom::new());
    read.map_err(|why| match why {
        ReceiverError::BadKey | ReceiverError::BadAuth => {
            Problem::new(Code::InvalidBody, format!("keys: {why}"))
        }
        ReceiverError::MessageTooLong | ReceiverError::NoRandomness => failed(why),
    })
}

fn refused(why: EndpointError) -> Problem {
    Problem::new(Code::PushEndpointRefused, why.to_string())
}

/// Logs why push messages fail.
fn failed(why: impl std::fmt::Display) -> Problem {
    tracing::error!(%why, "push messages do not work");
    problem::internal()
}

/// A subscription without its endpoint: anyone with the endpoint could send to it.
fn wire_subscription(of: &PushSubscription, caller: &Caller) -> WirePushSubscription {
    // The endpoint was allowed when it was stored, even if the operator's list has changed since.
    let rest = of.target.endpoint.strip_prefix("https://").unwrap_or_default();
    let host = rest.split('/').next().unwrap_or_default().to_owned();
    WirePushSubscription {
        id: of.id,
        host,
        language: of.language.clone().and_then(|language| LanguageTag::try_from(language).ok()),
        created_at: of.created_at,
        current: of.bearer == caller.push_bearer(),
    }
}
