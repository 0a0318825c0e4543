//! Finds the matches that wait for the computer.

use std::time::Duration;

use lusoria_play::{Level, Match, MatchId, Millis, Seat};
use tokio::time::Instant;

use super::{
    Bots,
    duty::{Duty, PATIENCE_MS},
    error::{ComputerError, caught},
    queue::{Priority, Waiting},
};
use crate::live::Marked;
use lusoria_store::{MatchFilter, MatchRow, MatchState, StoreError};

/// How many matches are read from the store at once.
const PAGE: u32 = 100;

/// How long after the end of a match the computer still answers a rematch offer from before the start.
const ENDED_LATELY_MS: Millis = 10 * 60_000;

/// The pause after the store could not be read. It doubles after each further failure, up to the second
/// number.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const LOOK_AGAIN_MAX: Duration = Duration::from_mins(1);

/// The longest time until matches that did not fit in the queue are looked up.
const SHORT_MAX: Duration = Duration::from_secs(10);

/// How long a match must have waited before another node than the one with its last commit takes it: that one
/// starts to think at once.
const OTHERS_WAIT_MS: Millis = 3_000;

/// How long a node's lease on such a match lasts.
const LEASE_MS: Millis = 15_000;

/// How often a node searches a shared store, even if no other node was lost.
const LOOK_EVERY: Duration = Duration::from_mins(1);

impl Bots {
    /// Queues every match that begins to wait for the computer.
    pub(super) async fn listen(&self) {
        loop {
            let (ready, wait) = self.queue.take_later(self.live.now());
            for id in ready {
                self.look_at(id).await;
            }
            let deferred = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                Marked { matches, more } = self.live.computer_inbox().take() => {
                    if more {
                        self.sweep.notify_one();
                    }
                    for id in matches {
                        self.look_at(id).await;
                    }
                }
                () = self.queue.until_deferred() => {}
                () = deferred => {}
            }
        }
    }

    /// Queues a match if it waits for the computer.
    pub(super) async fn look_at(&self, id: MatchId) {
        let looked = caught(async {
            let state = self.live.known_state(id).await?;
            let now = self.live.now();
            let Some(duty) = Duty::of(&state) else {
                self.queue.remove(id);
                return Ok(());
            };
            let when = duty.when(&state, now);
            if when.not_before > now {
                self.queue.defer(id, when.not_before);
            } else {
                let priority = priority(&state, duty.seat);
                self.queue.push(id, Waiting { priority, due: when.due, duty: Some(duty) });
            }
            Ok(())
        });
        if let Err(error) = looked.await {
            self.try_later(id, None, &error);
        }
    }

    /// Searches the store for waiting matches: after a start, and after the queue was full.
    pub(super) async fn sweep(&self) {
        let (mut again, mut looked_at) = (LOOK_AGAIN, Instant::now());
        // Whether some matches have not waited long enough for any node to take them.
        let mut are_young = false;
        loop {
            let wait = if are_young { Duration::from_millis(OTHERS_WAIT_MS) } else { SHORT_MAX };
            tokio::select! {
                biased;
                () = self.sweep.notified() => {}
                () = tokio::time::sleep(wait) => {
                    let is_due = self.live.is_shared() && looked_at.elapsed() >= LOOK_EVERY;
                    if !are_young && !is_due && !self.queue.is_short() {
                        continue;
                    }
                }
            }
            are_young = loop {
                match caught(self.look_into_store()).await {
                    Ok(are_young) => break are_young,
                    Err(error) => {
                        tracing::error!(%error, "could not look up the matches that wait for the computer; retrying");
                        tokio::time::sleep(again).await;
                        again = (again * 2).min(LOOK_AGAIN_MAX);
                    }
                }
            };
            (again, looked_at) = (LOOK_AGAIN, Instant::now());
        }
    }

    /// Returns whether there are matches that another node may still be working on.
    async fn look_into_store(&self) -> Result<bool, ComputerError> {
        let mut are_young = false;
        for level in Level::ALL {
            are_young |= self.look_for(level).await?;
        }
        Ok(are_young)
    }

    /// Whether this node takes a match that waits for the computer; none if another one may be working on it.
    async fn takes(&self, row: &MatchRow) -> Result<Option<bool>, StoreError> {
        if !self.live.is_shared() {
            return Ok(Some(true));
        }
        if row.card.updated_at + OTHERS_WAIT_MS > self.live.now() {
            return Ok(None);
        }
        self.live.store().lease(row.id, row.head, self.live.node(), LEASE_MS).await.map(Some)
    }

    /// Finds matches that wait for a level. The rows say whose turn it is, so that not every match must be
    /// read; if it is not the computer's turn, it may still have an offer to answer. Returns whether there
    /// are matches that another node may still be working on.
    async fn look_for(&self, level: Level) -> Result<bool, StoreError> {
        let player = level.player_id();
        let mut are_young = false;
        let matches = |state| MatchFilter::Of { player, state: Some(state) };
        let mut after = None;
        loop {
            let page = self.live.store().list(matches(MatchState::Live), after, PAGE).await?;
            for row in &page.rows {
                let is_its_turn = row.card.waits_for() == Some(player);
                if !is_its_turn && row.card.draw_offer.is_none() {
                    continue;
                }
                match self.takes(row).await? {
                    None => are_young = true,
                    Some(false) => {}
                    Some(true) if is_its_turn => {
                        let due = self.live.now() + PATIENCE_MS;
                        self.queue.push(row.id, Waiting { priority: priority_of(row), due, duty: None });
                    }
                    Some(true) => self.look_at(row.id).await,
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let since = self.live.now().saturating_sub(ENDED_LATELY_MS);
        let ended = self.live.store().list(matches(MatchState::Finished), None, PAGE).await?;
        for row in ended.rows.iter().filter(|row| row.card.updated_at >= since) {
            match self.takes(row).await? {
                None => are_young = true,
                Some(false) => {}
                Some(true) => self.look_at(row.id).await,
            }
        }
        Ok(are_young)
    }
}

/// The priority of a match in which the computer has that seat.
fn priority(state: &Match, seat: Seat) -> Priority {
    if state.is_computer(seat.other()) { Priority::AgainstItself } else { Priority::AgainstOthers }
}

fn priority_of(row: &MatchRow) -> Priority {
    let is_computer = |seat| row.card.player(seat).and_then(Level::of).is_some();
    if Seat::BOTH.into_iter().all(is_computer) { Priority::AgainstItself } else { Priority::AgainstOthers }
}
