//! The acts themselves.

use lusoria_play::{Command, MatchId, Millis, PlayerId, PlayerKind, Refusal};
use lusoria_protocol::Name;
use uuid::Uuid;

use super::{
    super::App,
    Act, Done, Refused,
    told::{GuestTold, MatchTold, StatisticsTold, card},
};
use crate::{
    live::{Card, CommandError, Do},
    store::{Guest, MatchRow, MatchState, StoreError},
};

/// What somebody is called who has been forgotten.
const ERASED: &str = "Erased guest";

/// How many matches are looked up at once.
const PAGE: u32 = 200;

/// How many guests of one name are told.
const NAMED_MAX: u32 = 50;

/// The times for which statistics tell what is new: a day, a week.
const RECENT_MS: [Millis; 2] = [86_400_000, 7 * 86_400_000];

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
            Act::Prune { older_than_ms, dry_run } => self.prune(older_than_ms, dry_run).await,
            Act::Statistics => {
                let at = self.live.now();
                let since = RECENT_MS.map(|ago| at.saturating_sub(ago)).to_vec();
                let statistics = self.store().statistics(since).await?;
                Ok(Done::Statistics(StatisticsTold { statistics, at }))
            }
            Act::Guest { guest } => {
                let guests = self.guests(&guest).await?;
                Ok(Done::Guests { guests: guests.into_iter().map(GuestTold::from).collect() })
            }
            Act::Match { id } => {
                let row = self.store().row(MatchId(id)).await?.ok_or(Refused::NoSuchMatch(id))?;
                Ok(Done::Match(told(&row)?))
            }
        }
    }

    /// Guests of that id or name, the computer left out.
    async fn guests(&self, wanted: &str) -> Result<Vec<Guest>, Refused> {
        let found = match Uuid::try_parse(wanted) {
            Ok(id) => self.store().guest(PlayerId(id)).await?.into_iter().collect(),
            Err(_) => self.store().guests_named(wanted.to_owned(), NAMED_MAX).await?,
        };
        if found.is_empty() {
            return Err(Refused::NoSuchGuest(wanted.to_owned()));
        }
        let guests: Vec<Guest> =
            found.into_iter().filter(|guest| !matches!(guest.kind, PlayerKind::Computer(_))).collect();
        if guests.is_empty() { Err(Refused::Computer(wanted.to_owned())) } else { Ok(guests) }
    }

    async fn one_guest(&self, wanted: &str) -> Result<Guest, Refused> {
        let mut guests = self.guests(wanted).await?;
        if guests.len() > 1 {
            let ids = guests.into_iter().map(|guest| guest.id).collect();
            return Err(Refused::Several { name: wanted.to_owned(), ids });
        }
        Ok(guests.remove(0))
    }

    async fn end(&self, id: Uuid) -> Result<MatchTold, Refused> {
        let ended = self.live.command(MatchId(id), end()).await.map_err(|error| match error {
            CommandError::NoSuchMatch => Refused::NoSuchMatch(id),
            CommandError::Refused(Refusal::Over) => Refused::Over(id),
            error => Refused::Match { id, error },
        })?;
        let state = &ended.state;
        Ok(MatchTold::of(state.id(), state.head(), MatchState::Finished, Card::of(state)))
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
        let matches = if everywhere { self.rename_in_matches(guest.id, &name).await? } else { 0 };
        tracing::info!(guest = %guest.id.0, name, matches, "the operator has renamed a guest");
        Ok(Done::Renamed { guest: Guest { name, ..guest }.into(), matches })
    }

    async fn block(&self, guest: &str) -> Result<Done, Refused> {
        let guest = self.one_guest(guest).await?;
        let blocked_at = guest.blocked_at.or(Some(self.live.now()));
        // First this: from here on the store lets him sit down nowhere, whatever he asked for
        // before, so that these are all his matches.
        self.store().set_blocked(guest.id, blocked_at).await?;
        self.doubt(guest.id);
        let ended = self.end_matches_of(guest.id).await?;
        tracing::info!(guest = %guest.id.0, ended, "the operator has blocked a guest");
        Ok(Done::Blocked { guest: Guest { blocked_at, ..guest }.into(), ended })
    }

    async fn erase(&self, guest: &str) -> Result<Done, Refused> {
        let guest = self.one_guest(guest).await?;
        let id = guest.id;
        self.store().set_blocked(id, Some(self.live.now())).await?;
        self.doubt(id);
        let ended = self.end_matches_of(id).await?;
        let matches = self.rename_in_matches(id, ERASED).await?;
        // Last, so that whoever is interrupted finds him again.
        self.store().forget_guest(id).await?;
        self.doubt(id);
        tracing::info!(guest = %id.0, ended, matches, "the operator has erased a person's data");
        Ok(Done::Erased { id: id.0, ended, matches })
    }

    /// Ends every match in which a guest sits, or which he made; how many had not ended.
    async fn end_matches_of(&self, guest: PlayerId) -> Result<u64, Refused> {
        let mut ended = 0;
        for id in self.matches_of(guest).await? {
            ended += u64::from(self.end_unless_over(id).await?);
        }
        Ok(ended)
    }

    /// Puts a name in the place of a guest's in all of his matches; how many there are.
    async fn rename_in_matches(&self, guest: PlayerId, name: &str) -> Result<u64, Refused> {
        let mut matches = 0;
        for id in self.matches_of(guest).await? {
            let rename = Do::Rename { player: guest, name: name.to_owned() };
            match self.live.command(id, rename).await {
                Ok(_) => matches += 1,
                Err(CommandError::NoSuchMatch) => {}
                Err(error) => return Err(Refused::Match { id: id.0, error }),
            }
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
    async fn end_unless_over(&self, id: MatchId) -> Result<bool, Refused> {
        // Most are over: their journals need not be read to know that.
        let row = self.store().row(id).await?;
        if row.is_none_or(|row| row.summary.state == MatchState::Finished) {
            return Ok(false);
        }
        match self.end(id.0).await {
            Ok(_) => Ok(true),
            Err(Refused::Over(_) | Refused::NoSuchMatch(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn prune(&self, older_than_ms: Millis, dry_run: bool) -> Result<Done, Refused> {
        let before = self.live.now().saturating_sub(older_than_ms);
        let (mut ended, mut forgotten, mut after) = (0, 0, None);
        loop {
            let page = self.store().stale(before, after, PAGE).await?;
            for row in &page {
                let without_turn = card(row).is_some_and(|card| card.turns == 0);
                if dry_run || self.end_unless_over(row.id).await? {
                    ended += 1;
                    forgotten += u64::from(without_turn && (dry_run || self.forget(row.id).await?));
                }
            }
            after = page.last().map(|row| row.id);
            if page.len() < PAGE as usize {
                break;
            }
        }
        if !dry_run {
            tracing::info!(older_than_ms, ended, forgotten, "the operator has pruned old matches");
        }
        Ok(Done::Pruned { ended, forgotten, dry_run })
    }

    /// Forgets a match that has just been ended.
    async fn forget(&self, id: MatchId) -> Result<bool, Refused> {
        match self.store().head(id).await? {
            Some(head) => Ok(self.live.forget_match(id, head.seq).await?),
            None => Ok(false),
        }
    }
}

const fn end() -> Do {
    Do::Command { command: Command::End, key: None, spends: None }
}

fn told(row: &MatchRow) -> Result<MatchTold, StoreError> {
    let unreadable = || StoreError::Corrupt(format!("the card of match {}", row.id.0));
    let card = card(row).ok_or_else(unreadable)?;
    Ok(MatchTold::of(row.id, row.head, row.summary.state, card))
}
