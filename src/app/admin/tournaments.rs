//! Tournaments as the operator sees and ends them. Each action adds a row to the moderators' log.

use lusoria_play::{Millis, PlayerId, TournamentId};
use lusoria_store::{LogRow, Moderated, ModeratorAct, Store, StoreError, TournamentFilter, TournamentRow};
use lusoria_tournament::{Command, EndedWhy, EntrantStatus, ExcludedBy, Refusal, Tournament};
use uuid::Uuid;

use super::{AdminError, AdminOutcome, Failed, Grounds, GuestDetails};
use crate::{
    app::{
        App,
        wire::tournament::{card, readable_description, readable_name, readable_reason},
    },
    live::{ListedTournament, TournamentError},
};

/// How many tournaments are listed at most.
const LISTED_MAX: u32 = 200;

/// Lists tournaments, unlisted ones too: those that begin last first; or one.
pub(super) async fn tournaments(
    store: &Store,
    at: Millis,
    id: Option<Uuid>,
) -> Result<AdminOutcome, AdminError> {
    let (rows, more) = if let Some(id) = id {
        (vec![row_of(store, id).await?], false)
    } else {
        let page = store.tournaments(TournamentFilter::All, None, LISTED_MAX).await?;
        (page.rows, page.next.is_some())
    };
    let listed: Vec<ListedTournament> = rows.iter().map(listed).collect::<Result<_, _>>()?;
    let players = listed.iter().flat_map(|of| [Some(of.organiser), of.winner]).flatten().collect();
    let names = store.named_players(players).await?.into_iter().collect();
    let tournaments =
        rows.iter().zip(&listed).map(|(row, of)| card(row.id, row.head, of, &names, at)).collect();
    Ok(AdminOutcome::Tournaments { tournaments, more })
}

/// The row of a tournament.
pub(super) async fn row_of(store: &Store, id: Uuid) -> Result<TournamentRow, AdminError> {
    store.tournament(TournamentId(id)).await?.ok_or(AdminError::NoSuchTournament(id))
}

/// What lists show of a row.
pub(super) fn listed(row: &TournamentRow) -> Result<ListedTournament, StoreError> {
    let corrupt = |error| StoreError::Corrupt(format!("what lists show of tournament {}: {error}", row.id.0));
    serde_json::from_str(&row.listing.card).map_err(corrupt)
}

impl App {
    /// Ends a tournament.
    pub(super) async fn end_tournament(&self, id: Uuid, reason: &str) -> Result<AdminOutcome, AdminError> {
        let reason = readable(id, reason)?;
        let end = Command::End { why: EndedWhy::Operator, reason: reason.clone() };
        self.direct_for_operator(id, move |_| Ok(Some(end.clone()))).await?;
        self.note_tournament(ModeratorAct::EndTournament, id, None, reason).await
    }

    /// Replaces the name or the description of a tournament, also of one that has ended, and in the events before.
    pub(super) async fn rename_tournament(
        &self,
        id: Uuid,
        name: Option<&str>,
        description: Option<&str>,
        reason: &str,
    ) -> Result<AdminOutcome, AdminError> {
        let reason = readable(id, reason)?;
        let refused = |refusal: Refusal| AdminError::Tournament { id, error: refusal.into() };
        let name = name.map(readable_name).transpose().map_err(|_| refused(Refusal::Name))?;
        let description = description.map(readable_description).transpose();
        let description = description.map_err(|_| refused(Refusal::Description))?;
        let replace = Command::ReplaceTexts { name, description };
        self.direct_for_operator(id, move |_| Ok(Some(replace.clone()))).await?;
        self.note_tournament(ModeratorAct::RenameTournament, id, None, reason).await
    }

    /// Excludes a guest from a tournament. A running match of theirs is resigned.
    pub(super) async fn exclude_entrant(
        &self,
        id: Uuid,
        guest: &str,
        reason: &str,
    ) -> Result<AdminOutcome, AdminError> {
        let reason = readable(id, reason)?;
        let guest = self.one_guest(guest).await?;
        let player = guest.id;
        let exclude = Command::Exclude { player, by: ExcludedBy::Operator, reason: Some(reason.clone()) };
        let asked = move |state: &Tournament| match state.entrant_of(player).map(|entrant| entrant.status) {
            Some(EntrantStatus::Excluded) => Err(Refusal::IsExcluded),
            _ => Ok(Some(exclude.clone())),
        };
        self.direct_for_operator(id, asked).await?;
        self.note_tournament(ModeratorAct::Exclude, id, Some(guest.into()), reason).await
    }

    async fn direct_for_operator(
        &self,
        id: Uuid,
        asked: impl Fn(&Tournament) -> Result<Option<Command>, Refusal> + Send + Sync + 'static,
    ) -> Result<(), AdminError> {
        match self.live.direct_tournament(TournamentId(id), asked).await {
            Ok(_) => Ok(()),
            Err(TournamentError::NoSuchTournament) => Err(AdminError::NoSuchTournament(id)),
            Err(error) => Err(AdminError::Tournament { id, error }),
        }
    }

    async fn note_tournament(
        &self,
        act: ModeratorAct,
        id: Uuid,
        guest: Option<GuestDetails>,
        reason: String,
    ) -> Result<AdminOutcome, AdminError> {
        let grounds = Grounds { note: Some(reason), ..Grounds::default() };
        let of_tournament = |moderated: Moderated| {
            let row = LogRow { tournament: Some(id), ..moderated.row };
            Moderated { row, ..moderated }
        };
        let player = guest.as_ref().map(|guest| PlayerId(guest.id));
        let row = self.moderate(act, player, None, grounds, of_tournament).await?;
        Ok(AdminOutcome::Moderated { row, guest, failed: Failed::default() })
    }
}

/// A reason that everybody can read.
fn readable(id: Uuid, reason: &str) -> Result<String, AdminError> {
    readable_reason(reason).map_err(|_| AdminError::Tournament { id, error: Refusal::Reason.into() })
}
