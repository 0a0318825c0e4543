//! What is done to many matches, one after the other. One that cannot be changed does not keep
//! the others from it: it is named at the end.

use lusoria_play::{Command, MatchId, Millis, PlayerId, Refusal};
use uuid::Uuid;

use super::{
    super::App,
    Done, Failed, Refused,
    told::{MatchTold, card},
};
use crate::live::{Card, CommandError, MatchRequest};
use lusoria_store::{MatchRow, MatchState, Store, StoreError};

/// How many matches are looked up at once.
const PAGE: u32 = 200;

impl App {
    /// Ends a match without a result.
    pub(super) async fn end(&self, id: Uuid) -> Result<MatchTold, Refused> {
        let ended = self.live.command(MatchId(id), end()).await.map_err(|error| match error {
            CommandError::NoSuchMatch => Refused::NoSuchMatch(id),
            CommandError::Refused(Refusal::Over) => Refused::Over(id),
            error => Refused::Match { id, error },
        })?;
        let state = &ended.state;
        Ok(MatchTold::of(state.id(), state.head(), MatchState::Finished, Card::of(state)))
    }

    /// Ends every match in which a guest sits, or which he made; how many had not ended.
    pub(super) async fn end_matches_of(&self, guest: PlayerId, failed: &mut Failed) -> Result<u64, Refused> {
        let mut ended = 0;
        for id in self.matches_of(guest).await? {
            let outcome = self.end_unless_over(id).await;
            ended += u64::from(failed.note(id, outcome)?.unwrap_or(false));
        }
        Ok(ended)
    }

    /// Puts a name in the place of a guest's in all of his matches; in how many it stands now.
    pub(super) async fn rename_in_matches(
        &self,
        guest: PlayerId,
        name: &str,
        failed: &mut Failed,
    ) -> Result<u64, Refused> {
        let mut matches = 0;
        for id in self.matches_of(guest).await? {
            let renamed = match self.live.rename_in(id, guest, name).await {
                Err(CommandError::NoSuchMatch) => Ok(false),
                outcome => outcome.map(|()| true),
            };
            matches += u64::from(failed.note(id, renamed)?.unwrap_or(false));
        }
        Ok(matches)
    }

    async fn matches_of(&self, guest: PlayerId) -> Result<Vec<MatchId>, Refused> {
        let mut matches = Vec::new();
        loop {
            let page = self.store().matches_of(guest, matches.last().copied(), PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            matches.extend(page);
            if is_last {
                return Ok(matches);
            }
        }
    }

    /// Ends a match; false if it had ended by itself.
    async fn end_unless_over(&self, id: MatchId) -> Result<bool, CommandError> {
        // Most are over: their journals need not be read to know that.
        let row = self.store().row(id).await?;
        if row.is_none_or(|row| row.summary.state == MatchState::Finished) {
            return Ok(false);
        }
        match self.live.command(id, end()).await {
            Ok(_) => Ok(true),
            Err(CommandError::NoSuchMatch | CommandError::Refused(Refusal::Over)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends what nobody has touched for long, and forgets what has no turn.
    pub(super) async fn prune(&self, older_than_ms: Millis) -> Result<Done, Refused> {
        let before = self.live.now().saturating_sub(older_than_ms);
        let (mut pruned, mut failed) = (Pruned::default(), Failed::default());
        let outcome = self.prune_all(before, &mut pruned, &mut failed).await;
        let Pruned { ended, forgotten } = pruned;
        let so_far = failed.len();
        tracing::info!(
            older_than_ms,
            ended,
            forgotten,
            failed = so_far,
            "the operator has pruned old matches"
        );
        outcome.map_err(|why| why.after(&failed))?;
        Ok(Done::Pruned { ended, forgotten, dry_run: false, failed })
    }

    async fn prune_all(
        &self,
        before: Millis,
        pruned: &mut Pruned,
        failed: &mut Failed,
    ) -> Result<(), Refused> {
        let mut after = None;
        loop {
            let page = self.store().stale(before, after, PAGE).await?;
            for row in &page {
                let outcome = self.prune_one(row).await;
                pruned.add(failed.note(row.id, outcome)?.unwrap_or_default());
            }
            after = page.last().map(|row| row.id);
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    /// Ends a match if it is still as its row says, and forgets it if it ends without a turn.
    async fn prune_one(&self, row: &MatchRow) -> Result<Pruned, CommandError> {
        let ended = match self.live.command(row.id, MatchRequest::EndUnlessPlayed { since: row.head }).await {
            Ok(ended) if !ended.events.is_empty() => ended.state,
            // Somebody has played on since it was looked for.
            Ok(_) | Err(CommandError::NoSuchMatch | CommandError::Refused(Refusal::Over)) => {
                return Ok(Pruned::default());
            }
            Err(error) => return Err(error),
        };
        let forgotten = ended.turns() == 0 && self.live.forget_match(row.id, ended.head()).await?;
        Ok(Pruned { ended: 1, forgotten: u64::from(forgotten) })
    }
}

const fn end() -> MatchRequest {
    MatchRequest::Command { command: Command::End, key: None, spends: None }
}

/// What would become of matches that nobody has changed since `before`.
pub(super) async fn foresee_pruning(store: &dyn Store, before: Millis) -> Result<Done, StoreError> {
    let mut pruned = Pruned::default();
    let mut after = None;
    loop {
        let page = store.stale(before, after, PAGE).await?;
        for row in &page {
            pruned.add(Pruned::foreseen(row));
        }
        after = page.last().map(|row| row.id);
        if page.len() < PAGE as usize {
            let Pruned { ended, forgotten } = pruned;
            return Ok(Done::Pruned { ended, forgotten, dry_run: true, failed: Failed::default() });
        }
    }
}

/// The same, unless it was broken off: then whoever asked, and the log, learn of those that could
/// not be changed before.
pub(super) fn unless_broken_off<T>(
    outcome: Result<T, Refused>,
    guest: PlayerId,
    failed: &Failed,
) -> Result<T, Refused> {
    outcome.map_err(|why| {
        tracing::warn!(guest = %guest.0, %why, failed = failed.len(), "what the operator wanted was broken off");
        why.after(failed)
    })
}

impl Refused {
    /// The same, after some matches could not be changed.
    fn after(self, failed: &Failed) -> Self {
        if failed.is_empty() {
            return self;
        }
        Self::BrokenOff { why: Box::new(self), failed: failed.clone() }
    }
}

/// What has become of old matches.
#[derive(Debug, Clone, Copy, Default)]
struct Pruned {
    ended: u64,
    forgotten: u64,
}

impl Pruned {
    /// What would become of one.
    fn foreseen(row: &MatchRow) -> Self {
        let has_no_turn = card(row).is_some_and(|card| card.turns == 0);
        Self { ended: 1, forgotten: u64::from(has_no_turn) }
    }

    fn add(&mut self, other: Self) {
        self.ended += other.ended;
        self.forgotten += other.forgotten;
    }
}

impl Failed {
    /// What was done to a match; none if it could not be, which is noted.
    ///
    /// # Errors
    /// If it is a fault that every other match would meet too.
    fn note<T>(&mut self, id: MatchId, outcome: Result<T, CommandError>) -> Result<Option<T>, Refused> {
        match outcome {
            Ok(done) => Ok(Some(done)),
            Err(
                error @ (CommandError::Stopping
                | CommandError::Store(StoreError::Closed | StoreError::Full(_))),
            ) => Err(Refused::Match { id: id.0, error }),
            Err(error) => {
                tracing::warn!(id = %id.0, %error, "a match could not be changed for the operator");
                self.0.insert(id.0, error.to_string());
                Ok(None)
            }
        }
    }
}
