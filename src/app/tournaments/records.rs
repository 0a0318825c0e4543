//! The records of the matches of a tournament.

use std::sync::Arc;

use bytes::Bytes;
use lusoria_play::{MatchId, Millis, TournamentId};
use lusoria_protocol::Problem;
use lusoria_tournament::{MatchStage, Tournament};

use super::Table;
use crate::app::{
    App, Caller, ClientAddress,
    people::exports::{ExportPermit, RecordsReader},
};

/// The ended matches of a tournament, for an export.
pub struct TournamentRecords {
    /// Its standings, as JSON.
    pub standings: Bytes,
    /// Its pairings, as JSON.
    pub pairings: Bytes,
    /// The time of the export.
    pub at: Millis,
    app: Arc<App>,
    matches: Vec<MatchId>,
    permit: Arc<ExportPermit>,
}

impl TournamentRecords {
    /// Their records, in order of pairing.
    pub fn records(&self) -> RecordsReader {
        RecordsReader::of_matches(&self.app, self.matches.clone(), Arc::clone(&self.permit))
    }
}

impl App {
    /// The records of the ended matches of a tournament.
    ///
    /// # Errors
    /// `no_such_tournament`; `too_many_requests` if an export of the viewer runs, or the address has asked for too
    /// much; `unavailable`.
    pub async fn tournament_records(
        self: &Arc<Self>,
        id: TournamentId,
        viewer: Option<&Caller>,
        address: ClientAddress,
    ) -> Result<TournamentRecords, Problem> {
        let known = self.known_tournament(id).await?;
        let permit = self.begin_export(viewer, address)?;
        Ok(TournamentRecords {
            standings: self.tournament_table(id, Table::Standings, address).await?,
            pairings: self.tournament_table(id, Table::Pairings(None), address).await?,
            at: self.live.now(),
            app: Arc::clone(self),
            matches: ended_matches(&known.state),
            permit,
        })
    }
}

/// The matches that have ended, in order of pairing; those that were aborted too.
pub(super) fn ended_matches(state: &Tournament) -> Vec<MatchId> {
    let of_pairings = state.pairings().iter().flat_map(|pairing| {
        let has_ended = move |id: &MatchId| *id != pairing.match_id || pairing.stage == MatchStage::Over;
        pairing.matches.iter().copied().filter(has_ended)
    });
    of_pairings.collect()
}
