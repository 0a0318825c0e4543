//! The queue of a match, from which its task takes one request after another.

use std::{collections::BTreeMap, sync::Arc};

use lusoria_play::{Millis, PlayerId};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tracing::Span;

use super::{CommandError, MatchRequest, Outcome};

/// How many commands of one guest may wait for one match.
pub const WAITING_OF_GUEST_MAX: usize = 250;

/// How many requests may wait for one match in total: those of both players, of guests who want to join, and
/// the server's own.
pub(super) const WAITING_MAX: usize = 1_000;

/// A request in the queue, and where its response goes.
pub(super) struct QueuedRequest {
    pub(super) request: MatchRequest,
    /// When it arrived, in milliseconds since the epoch; it is applied as of then.
    pub(super) at: Millis,
    pub(super) response: oneshot::Sender<Result<Outcome, CommandError>>,
    /// The tracing span of the requester.
    pub(super) span: Span,
    /// Its slot in the guest's quota.
    pub(super) slot: Option<QueueSlot>,
}

/// How many requests of each guest are queued.
#[derive(Default)]
pub(super) struct GuestQuota(Mutex<BTreeMap<PlayerId, usize>>);

/// A queued request counted against its guest's quota. Dropping it frees the slot.
pub(super) struct QueueSlot {
    quota: Arc<GuestQuota>,
    of: PlayerId,
}

impl QueueSlot {
    /// Takes a slot for a guest's request; the server's own requests need none.
    ///
    /// # Errors
    /// [`CommandError::QueueFull`] if the guest has too many.
    pub(super) fn take(
        quota: &Arc<GuestQuota>,
        request: &MatchRequest,
    ) -> Result<Option<Self>, CommandError> {
        let Some(of) = request.requester() else { return Ok(None) };
        let mut waiting = quota.0.lock();
        let count = waiting.entry(of).or_default();
        if *count >= WAITING_OF_GUEST_MAX {
            return Err(CommandError::QueueFull);
        }
        *count += 1;
        drop(waiting);
        Ok(Some(Self { quota: Arc::clone(quota), of }))
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        let mut waiting = self.quota.0.lock();
        if let Some(count) = waiting.get_mut(&self.of) {
            *count -= 1;
            if *count == 0 {
                waiting.remove(&self.of);
            }
        }
    }
}
