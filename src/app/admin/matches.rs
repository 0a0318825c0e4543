//! Actions on many matches, one after the other. A failure does not stop the others; the matches that failed
//! are listed at the end.

use lusoria_play::{Command, MatchId, Millis, PlayerId, Refusal};
use uuid::Uuid;

use super::{AdminError, AdminOutcome, Failed, details::MatchDetails};
use crate::{
    app::App,
    live::{CommandError, MatchRequest, Rewriting},
};
use lusoria_store::{Card, MatchRow, MatchState, Store, StoreError};

/// How many matches are looked up at once.
const PAGE: u32 = 200;

impl App {
    /// Ends a match without a result.
    pub(super) async fn end(&self, id: Uuid) -> Result<MatchDetails, AdminError> {
        let ended = self.live.request(MatchId(id), end()).await.map_err(|error| match error {
            CommandError::NoSuchMatch => AdminError::NoSuchMatch(id),
            CommandError::Refused(Refusal::Over) => AdminError::Over(id),
            error => AdminError::Match { id, error },
        })?;
        Ok(MatchDetails::of(MatchRow::of(&ended.state)))
    }

    /// Ends every match in which a guest sits or which they created. Returns the number ended.
    pub(in crate::app) async fn end_matches_of(
        &self,
        guest: PlayerId,
        failed: &mut Failed,
    ) -> Result<u64, AdminError> {
        let mut ended = 0;
        for id in self.matches_of(guest).await? {
            let outcome = self.end_unless_over(id).await;
            ended += u64::from(failed.note(id, outcome)?.unwrap_or(false));
        }
        Ok(ended)
    }

    /// Renames a guest in all their matches. Returns the number of matches changed.
    pub(in crate::app) async fn rename_in_matches(
        &self,
        guest: PlayerId,
        name: &str,
        failed: &mut Failed,
    ) -> Result<u64, AdminError> {
        let mut matches = 0;
        for id in self.matches_of(guest).await? {
            let renamed = self.rename_in(id, guest, name).await;
            matches += u64::from(failed.note(id, renamed)?.unwrap_or(false));
        }
        Ok(matches)
    }

    pub(in crate::app) async fn matches_of(&self, guest: PlayerId) -> Result<Vec<MatchId>, AdminError> {
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

    /// Renames a guest in a match; false if the match no longer exists.
    async fn rename_in(&self, id: MatchId, guest: PlayerId, name: &str) -> Result<bool, CommandError> {
        // The row's card is written together with the journal, so it shows whether an earlier attempt did
        // this already.
        let row = self.store().row(id).await?;
        if row.is_some_and(|row| is_called(&row.card, guest, name)) {
            return Ok(true);
        }
        let renaming = Rewriting::Name { player: guest, name: name.to_owned() };
        match self.live.rewrite(id, renaming).await {
            Err(CommandError::NoSuchMatch) => Ok(false),
            outcome => outcome.map(|()| true),
        }
    }

    /// Ends a match; false if it had ended by itself.
    pub(super) async fn end_unless_over(&self, id: MatchId) -> Result<bool, CommandError> {
        // Most are over. The row shows that without reading their journals.
        let row = self.store().row(id).await?;
        if row.is_none_or(|row| row.card.state() == MatchState::Finished) {
            return Ok(false);
        }
        match self.live.request(id, end()).await {
            Ok(_) => Ok(true),
            Err(CommandError::NoSuchMatch | CommandError::Refused(Refusal::Over)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Ends matches that have not changed for long, and deletes those without a turn.
    pub(super) async fn prune(&self, older_than_ms: Millis) -> Result<AdminOutcome, AdminError> {
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
        Ok(AdminOutcome::Pruned { ended, forgotten, dry_run: false, failed })
    }

    async fn prune_all(
        &self,
        before: Millis,
        pruned: &mut Pruned,
        failed: &mut Failed,
    ) -> Result<(), AdminError> {
        let mut after = None;
        loop {
            let page = self.store().stale(before, after, PAGE).await?;
            for row in &page.rows {
                let outcome = self.prune_one(row).await;
                pruned.add(failed.note(row.id, outcome)?.unwrap_or_default());
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }

    /// Ends a match if it is still as its row says, and deletes it if it ends without a turn.
    async fn prune_one(&self, row: &MatchRow) -> Result<Pruned, CommandError> {
        let ended = match self.live.request(row.id, MatchRequest::EndUnlessPlayed { since: row.head }).await {
            Ok(ended) if !ended.events.is_empty() => ended.state,
            // A turn was played after the search found it.
            Ok(_) | Err(CommandError::NoSuchMatch | CommandError::Refused(Refusal::Over)) => {
                return Ok(Pruned::default());
            }
            Err(error) => return Err(error),
        };
        let forgotten = ended.turns() == 0 && self.live.forget_match(row.id, ended.head()).await?;
        Ok(Pruned { ended: 1, forgotten: u64::from(forgotten) })
    }
}

/// Whether a guest has a seat, and has that name in all their seats.
fn is_called(card: &Card, guest: PlayerId, name: &str) -> bool {
    let mut names = [&card.players.0, &card.players.1]
        .into_iter()
        .flatten()
        .filter(|player| player.id == guest)
        .map(|player| player.name == name)
        .peekable();
    names.peek().is_some() && names.all(|is_so| is_so)
}

const fn end() -> MatchRequest {
    MatchRequest::Command { command: Command::End, key: None, spends: None }
}

/// Counts the matches unchanged since `before` that a prune would end or delete.
pub(super) async fn count_prunable(store: &Store, before: Millis) -> Result<AdminOutcome, StoreError> {
    let mut pruned = Pruned::default();
    let mut after = None;
    loop {
        let page = store.stale(before, after, PAGE).await?;
        for row in &page.rows {
            pruned.add(Pruned::foreseen(row));
        }
        after = page.next;
        if after.is_none() {
            let Pruned { ended, forgotten } = pruned;
            return Ok(AdminOutcome::Pruned { ended, forgotten, dry_run: true, failed: Failed::default() });
        }
    }
}

/// Adds the matches that failed so far to an error, and logs it.
pub(in crate::app) fn note_interruption<T>(
    outcome: Result<T, AdminError>,
    guest: PlayerId,
    failed: &Failed,
) -> Result<T, AdminError> {
    outcome.map_err(|why| {
        tracing::warn!(guest = %guest.0, %why, failed = failed.len(), "an action on the matches of a guest was interrupted");
        why.after(failed)
    })
}

impl AdminError {
    /// Adds the matches that failed earlier to the error.
    fn after(self, failed: &Failed) -> Self {
        if failed.is_empty() {
            return self;
        }
        Self::Interrupted { why: Box::new(self), failed: failed.clone() }
    }
}

/// Counts of pruned matches.
#[derive(Debug, Clone, Copy, Default)]
struct Pruned {
    ended: u64,
    forgotten: u64,
}

impl Pruned {
    /// What a prune would do to one match.
    fn foreseen(row: &MatchRow) -> Self {
        Self { ended: 1, forgotten: u64::from(row.card.turns == 0) }
    }

    fn add(&mut self, other: Self) {
        self.ended += other.ended;
        self.forgotten += other.forgotten;
    }
}

impl Failed {
    /// The result for a match; none if it failed, which is recorded.
    ///
    /// # Errors
    /// Errors that every other match would meet too.
    pub(in crate::app) fn note<T>(
        &mut self,
        id: MatchId,
        outcome: Result<T, CommandError>,
    ) -> Result<Option<T>, AdminError> {
        match outcome {
            Ok(done) => Ok(Some(done)),
            Err(
                error @ (CommandError::Stopping
                | CommandError::Store(StoreError::Closed | StoreError::Full(_))),
            ) => Err(AdminError::Match { id: id.0, error }),
            Err(error) => {
                tracing::warn!(id = %id.0, %error, "could not change a match");
                self.0.insert(id.0, error.to_string());
                Ok(None)
            }
        }
    }
}
