//! Idempotency keys: the same request under the same key gets the first response again.
//!
//! A key is stored in the transaction of its request; the response is rebuilt from the journal. Of two
//! simultaneous requests the second waits for the response to the first (`single_flight`); on another node
//! the store tells it that the key is used.

use lusoria_play::{MatchId, PlayerId};
use lusoria_protocol::{IdempotencyKey, Problem};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::app::{App, Caller, problem};
use lusoria_store::{KeyUse, UsedKey};

/// A guest, a key of theirs, and the digest of the request under it.
pub(in crate::app) type KeyedRequest = (PlayerId, String, [u8; 32]);

/// A request that may have an idempotency key.
pub(in crate::app) struct Keyed {
    key: Option<KeyUse>,
}

impl Keyed {
    /// What identifies a repeat of the request, if it has a key.
    pub(in crate::app) fn request(&self) -> Option<KeyedRequest> {
        self.key.as_ref().map(|used| (used.guest, used.key.clone(), used.digest))
    }

    /// The key to store, if the request has one.
    pub(in crate::app) fn key(&self) -> Option<KeyUse> {
        self.key.clone()
    }
}

impl App {
    /// Digests a request of `caller` for the operation on the match.
    pub(in crate::app) fn keyed(
        &self,
        caller: &Caller,
        key: Option<&IdempotencyKey>,
        operation: &str,
        of: Option<MatchId>,
        request: &impl Serialize,
    ) -> Keyed {
        let key = key.map(|key| {
            let body = serde_json::to_vec(&(operation, of, request)).expect("a request is plain data");
            let digest = Sha256::digest(body).into();
            KeyUse { guest: caller.id(), key: key.as_str().to_owned(), digest, at: self.live.now() }
        });
        Keyed { key }
    }

    /// The earlier request with the key, if there is one.
    ///
    /// # Errors
    /// `key_reused` if the key belongs to another request; `unavailable`.
    pub(in crate::app) async fn used_before(&self, keyed: &Keyed) -> Result<Option<UsedKey>, Problem> {
        let Some(key) = &keyed.key else { return Ok(None) };
        match self.store().used_key(key.guest, key.key.clone()).await.map_err(problem::store)? {
            Some(used) if used.digest != key.digest => Err(problem::key_reused()),
            used => Ok(used),
        }
    }
}
