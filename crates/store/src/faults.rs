//! What trials put between the server and its database: delays, refusals and lost answers, in one place for all calls.

use std::any::Any;

use futures_util::future::BoxFuture;
use lusoria_play::{MatchId, Millis, Recorded, SeekId};

use crate::{Append, Card, KeyUse, NewMatch, NodeId, StoreError};

/// What stands between a store and its database. Every read and every transaction goes through it.
pub trait Faults: Send + Sync {
    /// Runs before a read, or before a transaction begins. It may take its time, never return, or panic.
    fn before<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Fate>;

    /// Sees what was read or committed, in the same poll. `answer` is what the method of the store answers with, which
    /// may be changed; of [`Call::Read`], [`Call::Write`] and the like, a part of it.
    fn done(&self, _call: &Call, _answer: &mut dyn Any) {}

    /// Runs before the answer goes out.
    fn after<'a>(&'a self, _call: &'a Call) -> BoxFuture<'a, ()> {
        Box::pin(async {})
    }
}

/// What becomes of a call.
#[derive(Debug)]
pub enum Fate {
    /// It is made.
    Made,
    /// It is not made; the caller gets this error.
    Refused(StoreError),
    /// It is made, but the caller gets [`StoreError::Unknown`].
    MadeUnknown,
}

/// A call of the store. Those of which no trial asks more are just a read or a write.
#[derive(Debug)]
pub enum Call {
    /// [`crate::Store::create`].
    Create(Turn),
    /// [`crate::Store::append`].
    Append(Turn),
    /// [`crate::Store::rewrite`], with the new events.
    Rewrite(MatchId, Vec<Recorded>),
    /// [`crate::Store::hand_over`], with the new events.
    HandOver(MatchId, Vec<Recorded>),
    /// [`crate::Store::settle`].
    Settle(MatchId),
    /// [`crate::Store::events`], after an event.
    Events(MatchId, u32),
    /// [`crate::Store::secret`].
    Secret,
    /// [`crate::Store::analysis`].
    Analysis,
    /// [`crate::Store::list`].
    List,
    /// [`crate::Store::stale`].
    Stale,
    /// [`crate::Store::conditional_matches`].
    ConditionalMatches {
        /// Only matches after this one.
        after: Option<MatchId>,
        /// At most so many.
        limit: u32,
    },
    /// [`crate::Store::bearer`].
    Bearer,
    /// [`crate::Store::join`], at a time of the node.
    Join(NodeId, Millis),
    /// [`crate::Store::beat`], at a time of the node.
    Beat(NodeId, Millis),
    /// [`crate::Store::leave`], at a time of the node.
    Leave(NodeId, Millis),
    /// [`crate::Store::erase_remains`].
    EraseRemains,
    /// Another read.
    Read,
    /// Another transaction.
    Write,
}

/// What a transaction of the journal commits.
#[derive(Debug)]
pub struct Turn {
    /// Matches and their new events.
    pub committed: Vec<(MatchId, Vec<Recorded>)>,
    /// What lists then show of the first of them, unless it is new.
    pub card: Option<Card>,
    /// The idempotency key that is used.
    pub key: Option<KeyUse>,
    /// The seeks that are answered.
    pub seeks: Option<[SeekId; 2]>,
}

impl Call {
    /// Whether it changes anything.
    pub const fn writes(&self) -> bool {
        match self {
            Self::Create(_)
            | Self::Append(_)
            | Self::Rewrite(..)
            | Self::HandOver(..)
            | Self::Join(..)
            | Self::Beat(..)
            | Self::Leave(..)
            | Self::EraseRemains
            | Self::Write => true,
            Self::Settle(_)
            | Self::Events(..)
            | Self::Secret
            | Self::Analysis
            | Self::List
            | Self::Stale
            | Self::ConditionalMatches { .. }
            | Self::Bearer
            | Self::Read => false,
        }
    }
}

impl Turn {
    pub(crate) fn of_new(new: &NewMatch) -> Self {
        let seeks = match new.answers {
            Some(crate::Answers::Seeks(seeks)) => Some(seeks),
            _ => None,
        };
        let committed = vec![(new.id, new.events.clone())];
        Self { committed, card: None, key: new.key.clone(), seeks }
    }

    pub(crate) fn of(append: &Append) -> Self {
        let mut committed = vec![(append.id, append.events.to_vec())];
        committed.extend(append.create.as_ref().map(|next| (next.id, next.events.clone())));
        Self { committed, card: Some(append.card.clone()), key: append.key.clone(), seeks: None }
    }
}
