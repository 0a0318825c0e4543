//! The requests that wait until earlier ones to their match are decided.

use lusoria_play::PlayerId;
use parking_lot::Mutex;

use super::{CommandError, MatchRequest};

/// How many commands of one guest may wait for one match.
pub const WAITING_OF_GUEST_MAX: usize = 250;

/// How many requests may wait for one match in total: those of both players, of guests who want to join, and
/// the server's own.
const WAITING_MAX: usize = 1_000;

/// The requesters of what waits; none for the server's own requests.
#[derive(Default)]
pub(super) struct Queue(Mutex<Vec<Option<PlayerId>>>);

/// The place of a request that waits. Dropping it frees the place.
pub(super) struct QueueSlot<'a> {
    queue: &'a Queue,
    of: Option<PlayerId>,
}

impl<'a> QueueSlot<'a> {
    /// Takes a place for a request.
    ///
    /// # Errors
    /// [`CommandError::QueueFull`] if its guest has too many, or too many wait in total.
    pub(super) fn take(queue: &'a Queue, request: &MatchRequest) -> Result<Self, CommandError> {
        let of = request.requester();
        let mut waiting = queue.0.lock();
        let of_guest = || waiting.iter().filter(|other| of.is_some() && **other == of).count();
        if waiting.len() >= WAITING_MAX || of_guest() >= WAITING_OF_GUEST_MAX {
            return Err(CommandError::QueueFull);
        }
        waiting.push(of);
        Ok(Self { queue, of })
    }
}

impl Drop for QueueSlot<'_> {
    fn drop(&mut self) {
        let mut waiting = self.queue.0.lock();
        if let Some(at) = waiting.iter().position(|other| *other == self.of) {
            waiting.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use lusoria_play::Command;

    use super::*;

    fn of(guest: u128) -> MatchRequest {
        let by = PlayerId(uuid::Uuid::from_u128(guest));
        MatchRequest::Command { command: Command::OfferDraw { by }, key: None, spends: None }
    }

    #[test]
    fn a_guest_and_all_together_have_so_many_places() {
        let queue = Queue::default();
        let take = |request| QueueSlot::take(&queue, &request);
        let mut taken: Vec<_> = (0..WAITING_OF_GUEST_MAX).map(|_| take(of(1)).expect("a place")).collect();
        assert!(take(of(1)).is_err());
        taken.pop();
        taken.push(take(of(1)).expect("a place was freed"));
        while taken.len() < WAITING_MAX {
            taken.push(take(MatchRequest::Wake).expect("the server's own have no quota"));
        }
        assert!(take(of(2)).is_err() && take(MatchRequest::Wake).is_err());
        drop(taken);
        assert!(queue.0.lock().is_empty());
    }
}
