//! Tournaments: decides their commands and what is due, makes and resigns their matches, and tells those who
//! follow them.
//!
//! A tournament is the fold of its events. Commands to one are decided in order, each on the last committed state, and
//! appended if the tournament is still the one that was judged. No node owns it: a node that dies leaves what was
//! due in the tournament's row, and another one finds it there.
//!
//! Pairings have the ids of their matches, so a match that is made twice is made once.

mod calls;
mod decide;
mod follow;
mod kept;
mod listing;
mod matches;
mod wake;

pub use calls::TournamentCall;
pub use kept::{CommittedTournament, read as read_event};
pub use listing::{Listed, of as listing};

pub(super) use follow::tell_followers;
pub(super) use kept::Tournaments;
pub(super) use wake::wake_what_is_due;

use std::sync::Arc;

use lusoria_play::{PlayerId, TournamentId};
use lusoria_store::{KeyUse, StoreError};
use lusoria_tournament::{Command, Recorded, Refusal, Settings, Tournament};

use super::{Live, Mailbox, TopicSubscription, context::Context, finish::Finish};

/// The reason that a tournament did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// There is no such tournament.
    #[error("there is no such tournament")]
    NoSuchTournament,
    /// It refuses.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A guest who organises or enters is blocked or gone, or has no account.
    #[error("guest {} is blocked or gone, or has no account", .0.0)]
    GuestGone(PlayerId),
    /// The organiser has too many that have not ended.
    #[error("the organiser has too many tournaments")]
    TooMany,
    /// The idempotency key has been used meanwhile.
    #[error("the idempotency key has been used")]
    KeyUsed,
    /// The store failed: nothing has changed, unless it says that this is unknown.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server is stopping: nothing has changed.
    #[error("the server is stopping")]
    Stopping,
}

impl TournamentError {
    /// A panic while it was decided.
    fn lost() -> Self {
        Self::Store(StoreError::Unknown("deciding the request ended unexpectedly".to_owned()))
    }
}

impl Live {
    /// Announces a tournament, with this id. It is finished even if the caller no longer waits.
    ///
    /// # Errors
    /// If a setting is out of its range, the organiser may not, or the store refuses.
    pub async fn create_tournament(
        &self,
        id: TournamentId,
        organiser: PlayerId,
        settings: Settings,
        key: Option<KeyUse>,
    ) -> Result<Arc<CommittedTournament>, TournamentError> {
        let context = Arc::clone(&self.context);
        let creating = async move { decide::create(&context, id, organiser, settings, key).await };
        self.finished(Box::pin(creating)).await
    }

    /// Submits a command to a tournament; `make_command` makes it from the state on which it is decided, or asks for nothing.
    /// Who may give it is the caller's to check. It is finished even if the caller no longer waits.
    ///
    /// # Errors
    /// If there is no such tournament, it refuses, or the store refuses.
    pub async fn direct_tournament(
        &self,
        id: TournamentId,
        make_command: impl Fn(&Tournament) -> Result<Option<Command>, Refusal> + Send + Sync + 'static,
    ) -> Result<Arc<CommittedTournament>, TournamentError> {
        let context = Arc::clone(&self.context);
        let deciding = async move { decide::command(&context, id, Some(&make_command)).await };
        self.finished(Box::pin(deciding)).await
    }

    async fn finished(
        &self,
        work: futures_util::future::BoxFuture<'static, Result<Arc<CommittedTournament>, TournamentError>>,
    ) -> Result<Arc<CommittedTournament>, TournamentError> {
        // Counted before it looks whether the server stops, which waits for what is counted.
        let counted = self.context.tasks.token();
        if self.context.stopping.is_cancelled() {
            return Err(TournamentError::Stopping);
        }
        Finish::new(work, counted).await.unwrap_or_else(|| Err(TournamentError::lost()))
    }

    /// The last committed state of a tournament, by any node.
    ///
    /// # Errors
    /// If there is none, or its events cannot be read.
    pub async fn tournament(&self, id: TournamentId) -> Result<Arc<CommittedTournament>, TournamentError> {
        self.context.tournaments.slot(id).latest(&self.context).await
    }

    /// At most `limit` events of a tournament after `since`, in order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn tournament_events(
        &self,
        id: TournamentId,
        since: u32,
        limit: u32,
    ) -> Result<Vec<Recorded>, StoreError> {
        let events = self.context.store.tournament_events(id, since, limit).await?;
        events.iter().map(kept::read).collect()
    }

    /// Subscribes a mailbox to a tournament: it gets a notice when the tournament has changed, one a second at most.
    pub fn subscribe_tournament(&self, mailbox: &Arc<Mailbox>, id: TournamentId) -> TopicSubscription {
        TopicSubscription::tournament(&self.context.topics, mailbox, id)
    }

    /// Whether a player listens to their own topic on this node.
    pub fn has_listener(&self, player: PlayerId) -> bool {
        self.context.topics.has_listener(player)
    }
}

impl Context {
    /// Notes that a tournament has, or may have, events that were not decided here: a match has added one, or the outcome
    /// of a commit is unknown.
    pub(super) fn tell_tournament(&self, id: TournamentId) {
        self.tournaments.note_changed(id);
        self.tournaments.alarm.set(Some(0));
    }
}
