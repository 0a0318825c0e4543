//! Actions on one guest.

use std::sync::atomic::AtomicU64;

use lusoria_play::PlayerId;
use lusoria_protocol::Name;
use uuid::Uuid;

use super::{AdminAction, AdminError, AdminOutcome, Failed, matches::note_interruption, queries};
use crate::app::{App, people::departures::Departed, statistics::Pass};
use lusoria_store::{Departure, ErasureBy, Guest, SanctionKind};

impl App {
    /// Carries out an operator's request and logs it.
    ///
    /// # Errors
    /// If there is no such guest or match, or the store fails.
    pub async fn administer(&self, act: AdminAction) -> Result<AdminOutcome, AdminError> {
        match act {
            AdminAction::End { id, reason } => {
                let ended = self.end(id).await?;
                tracing::info!(%id, reason, "the operator has ended a match");
                Ok(AdminOutcome::Ended(ended))
            }
            AdminAction::Rename { guest, name, everywhere } => {
                self.rename_for_operator(&guest, name, everywhere).await
            }
            AdminAction::Block { guest } => self.block(&guest).await,
            AdminAction::Unblock { guest } => {
                let guest = self.one_guest(&guest).await?;
                if !self.store().set_blocked(guest.id, None).await? {
                    return Err(AdminError::Leaving(guest.id.0));
                }
                tracing::info!(guest = %guest.id.0, "the operator has unblocked a guest");
                Ok(AdminOutcome::Unblocked { guest: Guest { blocked_at: None, ..guest }.into() })
            }
            AdminAction::Erase { guest } => self.erase(&guest).await,
            AdminAction::Recover { handle } => self.make_recovery_code(&handle).await,
            AdminAction::RemoveAccount { account } => self.remove_account(&account).await,
            AdminAction::SetSignUps { policy } => self.set_sign_ups(policy).await,
            AdminAction::MakeSignUpCodes { count, valid_ms } => {
                self.make_sign_up_codes(count, valid_ms).await
            }
            AdminAction::Prune { older_than_ms } => self.prune(older_than_ms).await,
            AdminAction::Warn { guest, grounds } => {
                self.impose(SanctionKind::Warning, &guest, None, grounds).await
            }
            AdminAction::Mute { guest, for_ms, grounds } => {
                self.impose(SanctionKind::Mute, &guest, for_ms, grounds).await
            }
            AdminAction::Unmute { guest, grounds } => self.lift(SanctionKind::Mute, &guest, grounds).await,
            AdminAction::Ban { guest, for_ms, grounds } => {
                self.impose(SanctionKind::Ban, &guest, for_ms, grounds).await
            }
            AdminAction::Unban { guest, grounds } => self.lift(SanctionKind::Ban, &guest, grounds).await,
            AdminAction::CloseFlag { id, note } => self.close_flag(id, note).await,
            AdminAction::CloseReport { id, note } => self.close_report(id, note).await,
            AdminAction::Unrate { id, reason } => {
                let unrated = self.unrate(id, reason).await?;
                self.note_annulment(id, reason).await?;
                Ok(unrated)
            }
            AdminAction::CountAgain => {
                let Pass { counted: matches, failed, .. } =
                    self.count_again().await?.ok_or(AdminError::CountedByLater)?;
                tracing::info!(
                    matches,
                    failed = failed.len(),
                    "the operator has had all matches counted again"
                );
                Ok(AdminOutcome::CountedAgain { matches, failed })
            }
            AdminAction::EndTournament { id, reason } => self.end_tournament(id, &reason).await,
            AdminAction::RenameTournament { id, name, description, reason } => {
                self.rename_tournament(id, name.as_deref(), description.as_deref(), &reason).await
            }
            AdminAction::Exclude { id, guest, reason } => self.exclude_entrant(id, &guest, &reason).await,
            AdminAction::RebuildRatings => {
                Ok(AdminOutcome::Ratings { ratings: self.rebuild_ratings().await?, stored: true })
            }
            AdminAction::Query(query) => queries::run(self.store(), self.live.now(), query).await,
        }
    }

    pub(super) async fn one_guest(&self, wanted: &str) -> Result<Guest, AdminError> {
        let mut guests = queries::guests(self.store(), wanted).await?;
        if guests.len() > 1 {
            let ids = guests.into_iter().map(|guest| guest.id).collect();
            return Err(AdminError::Several { name: wanted.to_owned(), ids });
        }
        Ok(guests.remove(0))
    }

    async fn rename_for_operator(
        &self,
        guest: &str,
        name: String,
        everywhere: bool,
    ) -> Result<AdminOutcome, AdminError> {
        let given =
            Name::try_from(name.clone()).map_err(|why| AdminError::Name { name, why: why.to_string() })?;
        let name = given.trimmed().to_owned();
        let guest = self.one_guest(guest).await?;
        self.store().rename_guest(guest.id, name.clone()).await?;
        self.live.doubt(guest.id);
        let mut failed = Failed::default();
        let renamed =
            if everywhere { self.rename_in_matches(guest.id, &name, &mut failed).await } else { Ok(0) };
        let matches = note_interruption(renamed, guest.id, &failed)?;
        tracing::info!(guest = %guest.id.0, name, matches, failed = failed.len(), "the operator has renamed a guest");
        Ok(AdminOutcome::Renamed { guest: Guest { name, ..guest }.into(), matches, failed })
    }

    async fn block(&self, guest: &str) -> Result<AdminOutcome, AdminError> {
        let guest = self.one_guest(guest).await?;
        let blocked_at = guest.blocked_at.or(Some(self.live.now()));
        // Block first: from here on the store refuses them every seat, even for earlier requests, so that the
        // search below finds all their matches.
        if !self.store().set_blocked(guest.id, blocked_at).await? {
            return Err(AdminError::Leaving(guest.id.0));
        }
        self.live.doubt(guest.id);
        let mut failed = Failed::default();
        let ended = self.end_matches_of(guest.id, &mut failed).await;
        let ended = note_interruption(ended, guest.id, &failed)?;
        tracing::info!(guest = %guest.id.0, ended, failed = failed.len(), "the operator has blocked a guest");
        Ok(AdminOutcome::Blocked { guest: Guest { blocked_at, ..guest }.into(), ended, failed })
    }

    async fn erase(&self, wanted: &str) -> Result<AdminOutcome, AdminError> {
        let id = match self.one_guest(wanted).await {
            Ok(guest) => guest.id,
            Err(none @ AdminError::NoSuchGuest(_)) => {
                let Ok(id) = Uuid::try_parse(wanted) else { return Err(none) };
                if !self.is_in_matches(PlayerId(id)).await? {
                    return Ok(AdminOutcome::NothingLeft {
                        id,
                        is_left_in_log: !self.leave_no_trace().await,
                    });
                }
                PlayerId(id)
            }
            Err(refused) => return Err(refused),
        };
        self.erase_person(id).await
    }

    /// Erases a guest on the operator's request.
    async fn erase_person(&self, id: PlayerId) -> Result<AdminOutcome, AdminError> {
        let since = self.live.now();
        // An operator's erasure is never refused.
        self.store().begin_erasure(id, ErasureBy::Operator, since).await?;
        self.live.doubt(id);
        let departure = Departure { guest: id, adopter: None, since };
        let Departed { ended, matches, is_left_in_log, failed, .. } =
            self.depart(departure, &AtomicU64::new(0)).await?;
        Ok(AdminOutcome::Erased { id: id.0, ended, matches, is_left_in_log, failed })
    }

    /// Whether an id has matches, even if the guest is deleted: the name may still be in matches that could
    /// not be changed.
    async fn is_in_matches(&self, id: PlayerId) -> Result<bool, AdminError> {
        Ok(!self.store().matches_of(id, None, 1).await?.is_empty())
    }
}
