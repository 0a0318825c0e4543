//! What lists of matches and of tournaments show of a tournament.

use std::collections::BTreeMap;

use lusoria_play::{Match, TournamentId};
use lusoria_protocol::{OfTournament, Problem};
use lusoria_store::{MatchRow, TournamentRow};

use crate::{
    app::{App, problem},
    live::ListedTournament,
};

/// The names of the public tournaments to which some matches belong.
pub(in crate::app) struct ListedNames(BTreeMap<TournamentId, String>);

impl ListedNames {
    /// The tournament of one of these matches, if it is public.
    pub(in crate::app) fn of(&self, row: &MatchRow) -> Option<OfTournament> {
        let id = row.card.tournament?;
        self.0.get(&id).map(|name| OfTournament { id, name: name.clone() })
    }
}

impl App {
    /// The names of the tournaments of matches, by one query; by none if no match belongs to any.
    ///
    /// # Errors
    /// `unavailable`.
    pub(in crate::app) async fn listed_names(&self, matches: &[MatchRow]) -> Result<ListedNames, Problem> {
        let mut ids: Vec<TournamentId> = matches.iter().filter_map(|row| row.card.tournament).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(ListedNames(BTreeMap::new()));
        }
        let rows = self.store().listed_tournaments(ids).await.map_err(problem::store)?;
        let name = |row: &TournamentRow| Ok((row.id, read_listed(row)?.name));
        Ok(ListedNames(rows.iter().map(name).collect::<Result<_, Problem>>()?))
    }

    /// The tournament of a match, if it is public. A failure of the store hides it.
    pub(in crate::app) async fn shown_tournament(&self, of: &Match) -> Option<OfTournament> {
        let known = self.live.tournament(of.tournament()?).await.ok()?;
        let settings = known.state.settings();
        settings.listed.then(|| OfTournament { id: known.state.id(), name: settings.name.clone() })
    }
}

/// What lists show of a row.
pub(in crate::app) fn read_listed(row: &TournamentRow) -> Result<ListedTournament, Problem> {
    serde_json::from_str(&row.listing.card).map_err(|error| {
        tracing::error!(id = %row.id, %error, "could not read what lists show of a tournament");
        problem::internal()
    })
}
