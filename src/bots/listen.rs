//! Hearing which matches wait for the computer.

use std::time::Duration;

use lusoria_play::{Level, Match, MatchId, Millis, Seat};

use super::{
    Bots,
    duty::{Duty, PATIENCE_MS},
    queue::{Line, Waiting},
    trouble::{Trouble, caught},
};
use crate::live::Marked;
use lusoria_store::{MatchFilter, MatchRow, MatchState, StoreError};

/// How many matches are read from the store at once.
const PAGE: u32 = 100;

/// For how long after the end of a match an offer to play again is answered that came while
/// the server was not running.
const ENDED_LATELY_MS: Millis = 10 * 60_000;

/// How long the store is not looked into again after it could not be read; after each further
/// time it takes twice as long, up to the second number.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
const LOOK_AGAIN_MAX: Duration = Duration::from_mins(1);

/// How long something that did not fit waits at the most for being looked for.
const SHORT_MAX: Duration = Duration::from_secs(10);

impl Bots {
    /// Puts into the queue whatever comes to wait for the computer.
    pub(super) async fn listen(&self) {
        loop {
            let (ready, wait) = self.queue.take_later(self.live.now());
            for id in ready {
                self.look_at(id).await;
            }
            let put_off = async {
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
                () = self.queue.until_put_off() => {}
                () = put_off => {}
            }
        }
    }

    /// Sees whether a match waits for the computer.
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
                self.queue.put_off(id, when.not_before);
            } else {
                let line = line(&state, duty.seat);
                self.queue.push(id, Waiting { line, due: when.due, duty: Some(duty) });
            }
            Ok(())
        });
        if let Err(trouble) = looked.await {
            self.try_later(id, &trouble);
        }
    }

    /// Looks into the store for what waits: after a start, and when there was no room for all
    /// of it. Nobody waits for that.
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
            while let Err(trouble) = caught(self.look_into_store()).await {
                tracing::error!(%trouble, "could not look up the matches that wait for the computer; retrying");
                tokio::time::sleep(again).await;
                again = (again * 2).min(LOOK_AGAIN_MAX);
            }
            again = LOOK_AGAIN;
        }
    }

    async fn look_into_store(&self) -> Result<(), Trouble> {
        for level in Level::ALL {
            self.look_for(level).await?;
        }
        Ok(())
    }

    /// What waits for a level. What is to be done is in the rows, so that not every match has
    /// to be read; where it is not its turn it may still have something to answer.
    async fn look_for(&self, level: Level) -> Result<(), StoreError> {
        let player = level.player_id();
        let matches = |state| MatchFilter::Of { player, state: Some(state) };
        let mut after = None;
        loop {
            let page = self.live.store().list(matches(MatchState::Live), after, PAGE).await?;
            for row in &page.rows {
                if row.card.waits_for() == Some(player) {
                    let due = self.live.now() + PATIENCE_MS;
                    self.queue.push(row.id, Waiting { line: line_of(row), due, duty: None });
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

/// The line in which a match waits for the computer in that seat.
fn line(state: &Match, seat: Seat) -> Line {
    if state.is_computer(seat.other()) { Line::AgainstItself } else { Line::AgainstOthers }
}

fn line_of(row: &MatchRow) -> Line {
    let is_computer = |seat| row.card.player(seat).and_then(Level::of).is_some();
    if Seat::BOTH.into_iter().all(is_computer) { Line::AgainstItself } else { Line::AgainstOthers }
}
