//! Learns which matches wait for the computer.

use std::time::Duration;

use lusoria_play::{Level, Match, MatchId, Millis, Seat};

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

/// For how long after the end of a match the computer still answers a rematch offer that came before the
/// server started.
const ENDED_LATELY_MS: Millis = 10 * 60_000;

/// The pause after the store could not be read. It doubles after each further failure, up to the second
/// number.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const LOOK_AGAIN_MAX: Duration = Duration::from_mins(1);

/// The longest time until matches that did not fit in the queue are looked up.
const SHORT_MAX: Duration = Duration::from_secs(10);

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
            let state = self.live.state(id).await?;
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
            self.try_later(id, &error);
        }
    }

    /// Looks up in the store which matches wait: after a start, and when the queue had no room for all of
    /// them.
    pub(super) async fn sweep(&self) {
        let mut again = LOOK_AGAIN;
        loop {
            tokio::select! {
                () = self.sweep.notified() => {}
                () = tokio::time::sleep(SHORT_MAX) => {
                    if !self.queue.is_short() {
                        continue;
                    }
                }
            }
            while let Err(error) = caught(self.look_into_store()).await {
                tracing::error!(%error, "could not look up the matches that wait for the computer; retrying");
                tokio::time::sleep(again).await;
                again = (again * 2).min(LOOK_AGAIN_MAX);
            }
            again = LOOK_AGAIN;
        }
    }

    async fn look_into_store(&self) -> Result<(), ComputerError> {
        for level in Level::ALL {
            self.look_for(level).await?;
        }
        Ok(())
    }

    /// Looks up the matches that wait for a level. The rows say whose turn it is, so that not every match
    /// must be read; if it is not the computer's turn, it may still have an offer to answer.
    async fn look_for(&self, level: Level) -> Result<(), StoreError> {
        let player = level.player_id();
        let matches = |state| MatchFilter::Of { player, state: Some(state) };
        let mut after = None;
        loop {
            let page = self.live.store().list(matches(MatchState::Live), after, PAGE).await?;
            for row in &page.rows {
                if row.card.waits_for() == Some(player) {
                    let due = self.live.now() + PATIENCE_MS;
                    self.queue.push(row.id, Waiting { priority: priority_of(row), due, duty: None });
                } else if row.card.draw_offer.is_some() {
                    self.look_at(row.id).await;
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
            self.look_at(row.id).await;
        }
        Ok(())
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
