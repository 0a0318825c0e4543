//! Idempotency: the same request under the same key gets the first response again.
//!
//! A key is stored in the same transaction as what it did; the response is rebuilt from
//! the journal. Of two of the same at once the second waits for the response to the first
//! (`single_flight`); if it does not know of it, the store tells it that the key is used.

use lusoria_play::{MatchId, PlayerId};
use lusoria_protocol::{IdempotencyKey, Problem};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{App, Caller, problem};
use lusoria_store::{KeyUse, UsedKey};

/// A guest, a key of theirs, and the digest of the request under it.
pub(super) type KeyedRequest = (PlayerId, String, [u8; 32]);

/// A request that may come under a key.
pub(super) struct Keyed {
    key: Option<KeyUse>,
}

impl Keyed {
    /// What makes another request the same one, if it came under a key.
    pub(super) fn request(&self) -> Option<KeyedRequest> {
        self.key.as_ref().map(|used| (used.guest, used.key.clone(), used.digest))
    }

    /// The key to use up, if the request came under one.
    pub(super) fn key(&self) -> Option<KeyUse> {
        self.key.clone()
    }
}

impl App {
    /// Digests a request of `caller` for the operation on the match.
    pub(super) fn keyed(
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

    /// What the key was used for before.
    ///
    /// # Errors
    /// `key_reused` if it stands for another request; `unavailable`.
    pub(super) async fn used_before(&self, keyed: &Keyed) -> Result<Option<UsedKey>, Problem> {
        let Some(key) = &keyed.key else { return Ok(None) };
        match self.store().used_key(key.guest, key.key.clone()).await.map_err(problem::store)? {
            Some(used) if used.digest != key.digest => Err(problem::key_reused()),
            used => Ok(used),
        }
    }
}
