//! The acts themselves.

use std::time::Duration;

use lusoria_play::PlayerId;
use lusoria_protocol::Name;
use uuid::Uuid;

use super::{super::App, Act, Done, Failed, Refused, matches::unless_broken_off, questions};
use lusoria_store::Guest;

/// What somebody is called who has been forgotten.
const ERASED: &str = "Erased guest";

/// How often it is tried to leave nothing of an erased person in the log of the database, and
/// how long those who read it are given each time.
const TRACE_TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(200);

impl App {
    /// Does what the person who runs the server wants done, and logs it.
    ///
    /// # Errors
    /// If there is no such guest or match, or the store fails.
    pub async fn administer(&self, act: Act) -> Result<Done, Refused> {
        match act {
            Act::End { id, reason } => {
                let ended = self.end(id).await?;
                tracing::info!(%id, reason, "the operator has ended a match");
                Ok(Done::Ended(ended))
            }
            Act::Rename { guest, name, everywhere } => {
                self.rename_for_operator(&guest, name, everywhere).await
            }
            Act::Block { guest } => self.block(&guest).await,
            Act::Unblock { guest } => {
                let guest = self.one_guest(&guest).await?;
                self.store().set_blocked(guest.id, None).await?;
                tracing::info!(guest = %guest.id.0, "the operator has unblocked a guest");
                Ok(Done::Unblocked { guest: Guest { blocked_at: None, ..guest }.into() })
            }
            Act::Erase { guest } => self.erase(&guest).await,
            Act::Prune { older_than_ms } => self.prune(older_than_ms).await,
            Act::Ask(question) => questions::answer(self.store(), self.live.now(), question).await,
        }
    }

    async fn one_guest(&self, wanted: &str) -> Result<Guest, Refused> {
        let mut guests = questions::guests(self.store(), wanted).await?;
        if guests.len() > 1 {
            let ids = guests.into_iter().map(|guest| guest.id).collect();
            return Err(Refused::Several { name: wanted.to_owned(), ids });
        }
        Ok(guests.remove(0))
    }

    async fn rename_for_operator(
        &self,
        guest: &str,
        name: String,
        everywhere: bool,
    ) -> Result<Done, Refused> {
        let given =
            Name::try_from(name.clone()).map_err(|why| Refused::Name { name, why: why.to_string() })?;
        let name = given.trimmed().to_owned();
        let guest = self.one_guest(guest).await?;
        self.store().rename_guest(guest.id, name.clone()).await?;
        self.doubt(guest.id);
        let mut failed = Failed::default();
        let renamed =
            if everywhere { self.rename_in_matches(guest.id, &name, &mut failed).await } else { Ok(0) };
        let matches = unless_broken_off(renamed, guest.id, &failed)?;
        tracing::info!(guest = %guest.id.0, name, matches, failed = failed.len(), "the operator has renamed a guest");
        Ok(Done::Renamed { guest: Guest { name, ..guest }.into(), matches, failed })
    }

    async fn block(&self, guest: &str) -> Result<Done, Refused> {
        let guest = self.one_guest(guest).await?;
        let blocked_at = guest.blocked_at.or(Some(self.live.now()));
        // First this: from here on the store lets him sit down nowhere, whatever he asked for
        // before, so that these are all his matches.
        self.store().set_blocked(guest.id, blocked_at).await?;
        self.doubt(guest.id);
        let mut failed = Failed::default();
        let ended = self.end_matches_of(guest.id, &mut failed).await;
        let ended = unless_broken_off(ended, guest.id, &failed)?;
        tracing::info!(guest = %guest.id.0, ended, failed = failed.len(), "the operator has blocked a guest");
        Ok(Done::Blocked { guest: Guest { blocked_at, ..guest }.into(), ended, failed })
    }

    async fn erase(&self, wanted: &str) -> Result<Done, Refused> {
        let id = match self.one_guest(wanted).await {
            Ok(guest) => guest.id,
            Err(none @ Refused::NoSuchGuest(_)) => {
                let Ok(id) = Uuid::try_parse(wanted) else { return Err(none) };
                if !self.is_in_matches(PlayerId(id)).await? {
                    return Ok(Done::NothingLeft { id, is_left_in_log: !self.leave_no_trace().await });
                }
                PlayerId(id)
            }
            Err(refused) => return Err(refused),
        };
        self.store().set_blocked(id, Some(self.live.now())).await?;
        self.doubt(id);
        let mut failed = Failed::default();
        let ended = self.end_matches_of(id, &mut failed).await;
        let ended = unless_broken_off(ended, id, &failed)?;
        let matches = self.rename_in_matches(id, ERASED, &mut failed).await;
        let matches = unless_broken_off(matches, id, &failed)?;
        // Last, so that whoever is interrupted finds him again by his name.
        let forgotten = self.store().forget_guest(id).await;
        unless_broken_off(forgotten.map_err(Refused::from), id, &failed)?;
        self.doubt(id);
        // Before what may take long: whoever restores a backup needs to know of him.
        tracing::info!(guest = %id.0, ended, matches, failed = failed.len(), "the operator has erased a person's data");
        let is_left_in_log = !self.leave_no_trace().await;
        Ok(Done::Erased { id: id.0, ended, matches, is_left_in_log, failed })
    }

    /// False if something is left: somebody reads for so long, or the store cannot do it now.
    async fn leave_no_trace(&self) -> bool {
        for _ in 0..TRACE_TRIES {
            match self.store().erase_remains().await {
                Ok(true) => return true,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "the log of the database was not emptied"),
            }
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        false
    }

    /// Whether somebody who need be no guest any more has matches: his name may still stand in
    /// those that could not be changed.
    async fn is_in_matches(&self, id: PlayerId) -> Result<bool, Refused> {
        Ok(!self.store().matches_of(id, None, 1).await?.is_empty())
    }
}
