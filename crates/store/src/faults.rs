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
    /// [`crate::Store::settle`]; on a server it writes, too.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;
    use uuid::Uuid;

    use super::*;
    use crate::Store;

    /// Deals out fates, and notes what it sees.
    #[derive(Default)]
    struct Noted {
        fates: Mutex<Vec<Fate>>,
        seen: Mutex<Vec<&'static str>>,
    }

    impl Faults for Noted {
        fn before<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Fate> {
            self.seen.lock().push(if call.writes() { "before a write" } else { "before a read" });
            let fate = self.fates.lock().pop().unwrap_or(Fate::Made);
            Box::pin(async { fate })
        }

        fn done(&self, _: &Call, _: &mut dyn Any) {
            self.seen.lock().push("done");
        }

        fn after<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, ()> {
            self.seen.lock().push("after");
            Box::pin(async {})
        }
    }

    #[tokio::test]
    async fn a_call_meets_its_fate() {
        let busy = || Fate::Refused(StoreError::Busy(String::new()));
        for (fate, is_made, answer) in [
            (Fate::Made, true, "Ok(0)"),
            (busy(), false, "Err(Busy(\"\"))"),
            (Fate::MadeUnknown, true, "unknown"),
        ] {
            let noted = Arc::new(Noted::default());
            let kept = Store::in_memory();
            let store = kept.another_in_memory().with_faults(Arc::<Noted>::clone(&noted));
            noted.fates.lock().push(fate);
            let codes = vec![crate::SecretHash([7; 32])];
            let added = store.add_sign_up_codes(codes, 2_000).await;
            match answer {
                "unknown" => assert!(matches!(added, Err(StoreError::Unknown(_))), "{added:?}"),
                "Ok(0)" => assert!(added.is_ok(), "{added:?}"),
                _ => assert!(matches!(added, Err(StoreError::Busy(_))), "{added:?}"),
            }
            assert_eq!(kept.sign_ups(1_000).await.expect("read").codes, u64::from(is_made), "{answer}");
            let done = if is_made {
                vec!["before a write", "done", "after"]
            } else {
                vec!["before a write", "after"]
            };
            assert_eq!(*noted.seen.lock(), done, "{answer}");
        }
    }

    /// What a write refuses by itself stays refused: nothing was made of which nobody could know.
    #[tokio::test]
    async fn a_refusal_is_never_unknown() {
        let noted = Arc::new(Noted::default());
        let node = |n| crate::NewNode {
            id: NodeId(Uuid::from_u128(n)),
            name: "one".to_owned(),
            release: String::new(),
        };
        let shared = Store::shared_in_memory(|| 1_000);
        let other = shared.another_in_memory().with_faults(Arc::<Noted>::clone(&noted));
        shared.join(node(1), 0).await.expect("the name is free");
        noted.fates.lock().push(Fate::MadeUnknown);
        assert!(matches!(other.join(node(2), 0).await, Err(crate::JoinError::NameTaken(_))));
    }
}
